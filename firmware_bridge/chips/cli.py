"""`betline chips`: enrol chips, look at the register and change it, put a stack to the test."""

from __future__ import annotations

import json as json_text
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from betline.options import FAILED, JsonOption, UserError
from betline.settings import load_chip_set
from firmware_bridge.chips.opened import (
    ByOption,
    ReasonOption,
    RegisterOption,
    SomeChipSetOption,
    UidsArgument,
    login,
    register_path,
    the_chips,
    writing,
)
from firmware_bridge.chips.places import last_place
from firmware_bridge.chips.record import Chip, ChipState, RegisterError, enrolled, set_name, set_state
from firmware_bridge.chips.report import as_csv, as_json, denominations, from_text, told_change, when
from firmware_bridge.chips.session import now_ms
from firmware_bridge.chips.stack_cli import enrol, verify
from firmware_bridge.chips.store import differences, history

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)
app.command()(enrol)
app.command()(verify)


@app.callback()
def _chips() -> None:
    """The house's chips: the register that says which chip a tag is."""


@app.command("list")
def list_chips(chip_set: SomeChipSetOption = None, register: RegisterOption = None, json: JsonOption = False) -> None:
    """Count the chips of the register by denomination.

    Example: betline chips list --chip-set cash
    """
    chips_in_force = None if chip_set is None else load_chip_set(chip_set)
    chips = the_chips(register)
    rows = denominations(chips.values(), chips_in_force)
    if json:
        typer.echo(json_text.dumps([asdict(row) | {"total": row.total} for row in rows]))
        return
    width = max((len(row.chip_type) for row in rows), default=4)
    typer.echo(f"{'type':<{width}}  {'worth':>7}  {'active':>7}  {'retired':>7}  {'hot':>5}  {'total':>10}")
    for row in rows:
        value, total = ("-" if number is None else str(number) for number in (row.value, row.total))
        typer.echo(
            f"{row.chip_type:<{width}}  {value:>7}  {row.active:>7}  {row.retired:>7}  {row.hot:>5}  {total:>10}"
        )
    worth = sum(row.total or 0 for row in rows)
    typer.echo(f"{len(chips)} chips{'' if chips_in_force is None else f', {worth} in play'}")


@app.command()
def show(
    uid: Annotated[str, typer.Argument(metavar="UID", help="The chip's number.")],
    register: RegisterOption = None,
    json: JsonOption = False,
) -> None:
    """Show all about one chip: what it is, where it was last, and its history.

    Example: betline chips show E004015306A22D70
    """
    path, chips = register_path(register), the_chips(register)
    chip, changes = chips.get(uid.upper()), history(path, uid.upper())
    place = last_place(path, uid.upper())
    if chip is None and not changes:
        raise UserError(f"{uid} is not in the register {path}; betline chips enrol brings chips in.", FAILED)
    if json:
        document = {
            "chip": None if chip is None else asdict(chip),
            "place": None if place is None else place.kept(),
            "history": [asdict(change) for change in changes],
        }
        typer.echo(json_text.dumps(document))
        return
    typer.echo(uid.upper() if chip is None else chip.title)
    if chip is not None:
        state = f"{chip.state.value}{f' ({chip.reason})' if chip.reason else ''}"
        enrolled_at = when(chip.enrolled_ms) if chip.enrolled_ms else "at an unknown time"
        typer.echo(f"  {state}; enrolled {enrolled_at} by {chip.enrolled_by or 'nobody named'}")
        typer.echo(f"  batch {chip.batch or '-'}, tag {chip.kind or 'of an unknown kind'}")
    if place is None:
        typer.echo("  no reader has seen it yet")
    else:
        since, until = when(place.since_ms), when(place.heard_ms)
        typer.echo(f"  last at {place.zone} of {place.table}, from {since} to {until}")
    for change in changes:
        typer.echo(f"  {told_change(change)}")


@app.command()
def retire(uids: UidsArgument, reason: ReasonOption, register: RegisterOption = None, by: ByOption = None) -> None:
    """Take chips out of play: they are worth nothing from then on, and raise an alert where they appear.

    Example: betline chips retire E004015306A22D70 --reason "tag reads badly"
    """
    _set_state("retired", uids, reason, register, by)


@app.command()
def hot(uids: UidsArgument, reason: ReasonOption, register: RegisterOption = None, by: ByOption = None) -> None:
    """Put chips on the hot list: they keep their value, and an alert names whoever plays one.

    Example: betline chips hot E004015306A22D70 --reason "stolen from the cage on 3 May"
    """
    _set_state("hot", uids, reason, register, by)


@app.command()
def restore(uids: UidsArgument, reason: ReasonOption, register: RegisterOption = None, by: ByOption = None) -> None:
    """Bring retired or hot chips back into play.

    Example: betline chips restore E004015306A22D70 --reason "found again"
    """
    _set_state("active", uids, reason, register, by)


@app.command()
def name(
    uid: Annotated[str, typer.Argument(metavar="UID", help="The chip's number.")],
    text: Annotated[str, typer.Argument(metavar="NAME", help="What people call it; empty takes the name away.")],
    register: RegisterOption = None,
    by: ByOption = None,
) -> None:
    """Give one chip a name of its own, for alerts and lists.

    Example: betline chips name E004015306A22D70 "dealer's lucky 5"
    """
    with writing(register) as file:
        [chip] = _known(file.chips(), [uid])
        file.apply(set_name(chip, text.strip(), now_ms(), by or login()))
        typer.echo(file.chips()[chip.uid].title)


@app.command()
def export(
    target: Annotated[str, typer.Argument(metavar="[FILE]", help="Where to; - is standard output.")] = "-",
    form: Annotated[
        str | None, typer.Option("--format", metavar="csv|json", help="Default by the file's name, else csv.")
    ] = None,
    register: RegisterOption = None,
) -> None:
    """Write the register as CSV or JSON.

    Example: betline chips export chips.csv
    """
    wanted = form or ("json" if target.lower().endswith(".json") else "csv")
    if wanted not in ("csv", "json"):
        raise UserError(f"--format {wanted} is not known; write csv or json.")
    chips = the_chips(register).values()
    text = as_json(chips) if wanted == "json" else as_csv(chips)
    if target == "-":
        typer.echo(text, nl=False)
        return
    try:
        Path(target).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{target} cannot be written ({error.strerror}); name another file.", FAILED) from None
    typer.echo(f"{len(chips)} chips written to {target}")


@app.command("import")
def import_chips(
    source: Annotated[Path, typer.Argument(metavar="FILE", help="CSV or JSON of an export, or JSON lines.")],
    register: RegisterOption = None,
    by: ByOption = None,
) -> None:
    """Bring the chips of an exported file into the register; those that it has already must be of the same type.

    Example: betline chips import chips.csv
    """
    try:
        found = from_text(source.read_text(encoding="utf-8"), str(source))
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{source} cannot be read ({getattr(error, 'strerror', None) or 'no text'}).", FAILED) from None
    except RegisterError as error:
        raise UserError(str(error), FAILED) from None
    with writing(register, begins=True) as file:
        chips = file.chips()
        for chip in found:
            known = chips.get(chip.uid)
            if known is not None and known.chip_type != chip.chip_type:
                raise UserError(f"{known.title} is {chip.chip_type} in {source}: mend one of the two.", FAILED)
        new = [chip for chip in found if chip.uid not in chips]
        file.apply(list(enrolled(chips, new, now_ms(), by or login())))
    typer.echo(f"{len(new)} chips brought in, {len(found) - len(new)} were there already")


@app.command()
def audit(register: RegisterOption = None, json: JsonOption = False) -> None:
    """Check that the register is what its history makes of it; exit status 1 where somebody changed it otherwise.

    Example: betline chips audit
    """
    count = len(the_chips(register))
    try:
        wrong = differences(register_path(register))
    except RegisterError as error:
        raise UserError(str(error), FAILED) from None
    if json:
        typer.echo(json_text.dumps({"ok": not wrong, "chips": count, "differences": list(wrong)}))
    elif not wrong:
        typer.echo(f"{count} chips, each as its history says.")
    else:
        named = ", ".join(wrong[:5])
        raise UserError(f"{len(wrong)} chips are not what their history says ({named}): ask who changed them.", FAILED)
    if wrong:
        raise typer.Exit(FAILED)


def _set_state(state: str, uids: list[str], reason: str, register: Path | None, by: str | None) -> None:

    if not reason.strip():
        raise UserError("Say why with --reason: it stands in the history.")
    with writing(register) as file:
        found, user, at_ms = _known(file.chips(), uids), by or login(), now_ms()
        file.apply(
            change for chip in found for change in set_state(chip, ChipState(state), reason.strip(), at_ms, user)
        )
        now = file.chips()
    for chip in found:
        typer.echo(f"{chip.title} is {now[chip.uid].state.value}")


def _known(chips: dict[str, Chip], uids: list[str]) -> list[Chip]:
    for uid in uids:
        if uid.upper() not in chips:
            raise UserError(f"{uid} is not in the register: see betline chips export for all that are.", FAILED)
    return [chips[uid] for uid in dict.fromkeys(uid.upper() for uid in uids)]
