"""`betline people`: enrol the staff, give them PINs and badges, and show what their roles may do."""

from __future__ import annotations

import getpass
import json as json_text
import secrets
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, TypeVar, cast, get_args

import typer

from betline.options import FAILED, JsonOption, PeopleOption, UserError
from betline.people.record import PIN, PIN_FORM, PeopleError, Person, Staff
from betline.people.rights import check_rights, roles_in_words, table_of
from betline.people.roll import new_id, read_staff, usual_roll, write_staff
from betline.people.srp import SALT_BYTES
from betline.settings import Role, load_staff_rules

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)

PinFileOption = Annotated[
    Path | None,
    typer.Option(
        "--pin-file", metavar="FILE", help="Read the PIN from this file; - is standard input, /dev/fd/3 a descriptor."
    ),
]
NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="Who it is, by name.")]
ROLES = get_args(Role)
Value = TypeVar("Value")


@app.callback()
def _people() -> None:
    """The staff: dealers, floor and technicians, who sign in with a PIN or a badge.

    A table at which nobody is enrolled is open: whoever is at the console may do everything.
    """


@app.command()
def add(
    name: NameArgument,
    role: Annotated[str, typer.Option("--role", metavar="|".join(ROLES), help="What this person may do.")],
    badge: Annotated[
        str | None, typer.Option("--badge", metavar="UID", help="A tag that signs in where it is laid.")
    ] = None,
    no_pin: Annotated[bool, typer.Option("--no-pin", help="A badge only: ask for no PIN.")] = False,
    pin_file: PinFileOption = None,
    people: PeopleOption = None,
) -> None:
    """Enrol one of the staff; the PIN is asked twice and not shown.

    Example: betline people add Ann --role floor

    Example: betline people add Bob --role dealer --badge 04A2B3C4 --no-pin
    """
    if role not in ROLES:
        raise UserError(f"--role {role} is no role; say {', '.join(ROLES[:-1])} or {ROLES[-1]}.")
    if no_pin and badge is None:
        raise UserError("Without a PIN a person needs a badge: name its tag with --badge.")
    if no_pin and pin_file is not None:
        raise UserError("--pin-file has a PIN: leave it out, or --no-pin.")
    path, staff = _opened(people)
    person = Person(new_id(), " ".join(name.split()), cast("Role", role))
    changed = _tried(lambda: staff.with_person(person))
    if badge is not None:
        changed = _tried(lambda: changed.with_badge(person, badge))
    if not no_pin:
        changed = _with_pin(changed, changed.by_id[person.id], pin_file)
    _write(path, changed)
    typer.echo(f"{person.name} is enrolled: {role}.")
    if not any(one.role == "floor" for one in changed.people):
        typer.echo("Nobody of the floor is enrolled yet, so nobody can rule otherwise: add one with --role floor.")


@app.command("list")
def list_people(people: PeopleOption = None, json: JsonOption = False) -> None:
    """List the staff: names, roles, and by what each can sign in.

    Example: betline people list
    """
    _, staff = _opened(people)
    rows = [
        {"name": one.name, "role": one.role, "pin": one.pin is not None, "badges": list(one.badges)}
        for one in staff.people
    ]
    if json:
        typer.echo(json_text.dumps(rows))
        return
    if not rows:
        typer.echo("Nobody is enrolled: the table is open to everybody. betline people add NAME --role floor begins.")
    for one in staff.people:
        ways = [*(["PIN"] if one.pin else []), *(f"badge {uid}" for uid in one.badges)]
        typer.echo(f"{one.name:<20}  {one.role:<10}  {', '.join(ways) or 'cannot sign in: betline people pin'}")


@app.command()
def remove(name: NameArgument, people: PeopleOption = None) -> None:
    """Take a person off the staff; whoever is signed in with that PIN or badge is signed out.

    Example: betline people remove Bob
    """
    path, staff = _opened(people)
    person = _tried(lambda: staff.named(name))
    _write(path, staff.without(person))
    rest = "" if len(staff.people) > 1 else " Nobody is enrolled any more: the table is open to everybody."
    typer.echo(f"{person.name} is off the staff.{rest}")


@app.command()
def pin(name: NameArgument, pin_file: PinFileOption = None, people: PeopleOption = None) -> None:
    """Give a person a new PIN; it is asked twice and not shown.

    Example: betline people pin Ann
    """
    path, staff = _opened(people)
    person = _tried(lambda: staff.named(name))
    _write(path, _with_pin(staff, person, pin_file))
    typer.echo(f"{person.name} has a new PIN.")


@app.command()
def badge(
    name: NameArgument,
    uid: Annotated[str, typer.Argument(metavar="UID", help="The tag's number, as betline bridge once shows it.")],
    take_away: Annotated[bool, typer.Option("--remove", help="The tag is this person's badge no longer.")] = False,
    people: PeopleOption = None,
) -> None:
    """Give a person a badge: a tag that signs in for as long as it lies on the badge antenna.

    Example: betline people badge Bob 04A2B3C4
    """
    path, staff = _opened(people)
    person = _tried(lambda: staff.named(name))
    if take_away:
        tag = uid.strip().upper().replace(":", "")
        if tag not in person.badges:
            raise UserError(f"{tag} is no badge of {person.name}; betline people list shows the badges.", FAILED)
        rest = tuple(one for one in person.badges if one != tag)
        _write(path, staff.changed(Person(person.id, person.name, person.role, person.pin, rest)))
        typer.echo(f"{tag} is no badge of {person.name} any more.")
        return
    _write(path, _tried(lambda: staff.with_badge(person, uid)))
    typer.echo(f"{person.name} has one more badge.")


@app.command()
def rights(
    house: Annotated[
        str, typer.Option("--house", metavar="PROFILE|FILE", help="House rules: a profile or a TOML file.")
    ] = "cash",
    json: JsonOption = False,
) -> None:
    """Show which roles may ask for which command, as the house rules have it.

    Example: betline people rights --house my-house.toml
    """
    rows = dict(table_of(check_rights(load_staff_rules(house), house)))
    if json:
        typer.echo(json_text.dumps({verb: list(roles) for verb, roles in rows.items()}))
        return
    for verb, roles in rows.items():
        typer.echo(f"{verb:<20}  {roles_in_words(roles)}")


def _opened(people: Path | None) -> tuple[Path, Staff]:
    path = people or usual_roll()
    return path, _tried(lambda: read_staff(path))


def _write(path: Path, staff: Staff) -> None:
    _tried(lambda: write_staff(path, staff))


def _with_pin(staff: Staff, person: Person, file: Path | None) -> Staff:
    given = _asked_pin() if file is None else _pin_in(file)
    return staff.changed(_tried(lambda: person.with_pin(given, secrets.token_bytes(SALT_BYTES))))


def _asked_pin() -> str:
    if not sys.stdin.isatty():
        raise UserError(
            "No terminal to ask for the PIN: give it with --pin-file FILE, or --pin-file - on standard input."
        )
    first = getpass.getpass("PIN (4 to 12 digits): ")
    if not PIN.fullmatch(first):
        raise UserError(PIN_FORM)
    if getpass.getpass("The same again: ") != first:
        raise UserError("The two PINs differ; nothing has changed.", FAILED)
    return first


def _pin_in(file: Path) -> str:
    try:
        text = sys.stdin.readline() if str(file) == "-" else file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"--pin-file {file} cannot be read ({error}); name a file that holds the PIN.") from None
    return text.strip()


def _tried(change: Callable[[], Value]) -> Value:
    try:
        return change()
    except PeopleError as error:
        raise UserError(str(error), FAILED) from None
