"""The verbs of the journal: its hands, who owes whom, whether it is whole, and names that are taken out."""

from __future__ import annotations

import json as json_text
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from betline.options import (
    FAILED,
    SITE_DEFAULT,
    TABLE_DEFAULT,
    IdOption,
    JournalOption,
    JsonOption,
    SiteOption,
    TableOption,
    UserError,
    default_journal,
)

if TYPE_CHECKING:
    from table_controller.accounts.ledger import Ledger
    from table_controller.journal.store import JournalReader
    from table_controller.session.replay import Difference

AllOption = Annotated[bool, typer.Option("--all", help="The whole journal, not only its last evening.")]

journal_app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Hands of a journal, its ledger, who pays whom; verify, erase."
)


@journal_app.command("list")
def journal_list(
    table: TableOption = TABLE_DEFAULT,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    journal: JournalOption = None,
    json: JsonOption = False,
) -> None:
    """List the hands of a journal: time, seats, pot, winners.

    Example: betline journal list --table home-six
    """
    from table_controller.accounts.read import hands

    with _reading(table, site, table_id, journal) as reader:
        found = hands(reader.entries())
    if json:
        typer.echo(json_text.dumps([hand.as_json() for hand in found]))
        return
    for hand in found:
        typer.echo(hand.line())
    if not found:
        typer.echo("No hand has been played in this journal yet.", err=True)


@journal_app.command("show")
def journal_show(
    hand: Annotated[int, typer.Argument(metavar="HAND", min=1, help="Number of the hand, as the list shows it.")],
    seat: Annotated[
        int | None, typer.Option("--seat", metavar="SEAT", min=1, max=10, help="Only what concerns one seat.")
    ] = None,
    table: TableOption = TABLE_DEFAULT,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    journal: JournalOption = None,
    json: JsonOption = False,
) -> None:
    """Show one hand in order: every act, words, chips, rulings with their rules; with --json one object a line.

    Below an act that the camera saw stands the command that shows its pictures, as long as they are kept; in JSON
    the act has "pictures", the ids of the camera's events.

    Example: betline journal show 12 --seat 3
    """
    from table_controller.accounts import pictures, read

    with _reading(table, site, table_id, journal) as reader:
        entries, names = read.hand(reader.entries(), hand), reader.names()
    seen = pictures.pictured(entries)
    where = _rings(table, site, table_id, journal)
    for entry in entries:
        if seat is not None and not pictures.about(entry, seat):
            continue
        ids = seen.get(entry.seq, ())
        if json:
            typer.echo(json_text.dumps(read.as_json(entry, ids)))
            continue
        typer.echo(read.line(entry, names))
        if ids:
            typer.echo(f"{'':>8}Pictures: {pictures.SHOW} {ids[-1]}{where}")


@journal_app.command("verify")
def journal_verify(
    table: TableOption = TABLE_DEFAULT,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    journal: JournalOption = None,
    rule_again: Annotated[
        bool, typer.Option("--rule-again", help="Also name the recorded rulings that today's rules make otherwise.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Check that no entry of a journal was changed, removed or put in between; exit status 1 when one was.

    With --rule-again every hand is ruled on again from the checkpoint before it. What differs from the record is a
    report and no error: recorded rulings stand. With --json "rule_again" has one object for each, with seq, hand, act,
    seat, street, step, recorded, today, refused.

    Example: betline journal verify --journal evening.journal --rule-again
    """
    with _reading(table, site, table_id, journal) as reader:
        verdict = reader.verify()
        found = _ruled_again(reader, verdict.entries) if rule_again and verdict.ok else []
    if json:
        document: dict[str, Any] = {
            "ok": verdict.ok,
            "entries": verdict.entries,
            "head": verdict.head.hash,
            "broken": verdict.broken_seq,
            "sentence": verdict.sentence,
        }
        if rule_again:
            document["rule_again"] = [one.as_json() for one in found]
        typer.echo(json_text.dumps(document))
    elif verdict.ok:
        typer.echo(f"{verdict.entries} entries hold. {verdict.sentence}")
        for one in found:
            typer.echo(one.sentence)
        if rule_again:
            rulings = f"{len(found)} recorded ruling{'' if len(found) == 1 else 's'}"
            differ = (
                f"Today's rules would change {rulings}." if found else "Today's rules agree with every recorded ruling."
            )
            typer.echo(differ)
    else:
        what = f"{verdict.sentence[:1].lower()}{verdict.sentence[1:].rstrip('.')}"
        raise UserError(f"The journal was changed after it was written: {what}; keep it for an inquiry.", FAILED)
    if not verdict.ok:
        raise typer.Exit(FAILED)


def _ruled_again(reader: JournalReader, entries: int) -> list[Difference]:
    """What today's rules rule otherwise, with a bar on a terminal while a long journal is gone through."""
    from betline.bench import Progress
    from table_controller.session.replay import ruled_again

    if not sys.stderr.isatty():
        return list(ruled_again(reader.entries()))
    bar = Progress("rule again", sys.stderr)
    try:
        return list(ruled_again(reader.entries(), lambda seq: bar.at(seq, entries, f"entry {seq} of {entries}")))
    finally:
        bar.end()


@journal_app.command("ledger")
def journal_ledger(
    table: TableOption = TABLE_DEFAULT,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    journal: JournalOption = None,
    whole: AllOption = False,
    json: JsonOption = False,
) -> None:
    """Show what every player bought, cashed out, borrowed and won, and what went to the house.

    On table is what lies there now; a hand that goes on counts as if its chips were their players' still. Results and
    the house make 0. Another evening begins with who comes to a table without chips after six quiet hours.

    With --json one document: from, to, hands [first, last], in_hand; players, each with id, name (null without one),
    seats [{seat, from, to, from_hand, to_hand}], bought, cashed_out, on_table, borrowed, lent, received (from other
    players outside betting), given (tips), charged (time), result; house, an object of places and amounts.

    Example: betline journal ledger --table home-six
    """
    from table_controller.accounts import statement

    with _reading(table, site, table_id, journal) as reader:
        found, names = _ledger(reader, whole=whole), reader.names()
    typer.echo(json_text.dumps(statement.as_json(found, names)) if json else statement.text_of(found, names))


@journal_app.command("settle")
def journal_settle(
    table: TableOption = TABLE_DEFAULT,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    journal: JournalOption = None,
    bank: Annotated[
        bool, typer.Option("--bank", help="Chips were paid for when they were bought: the bank pays out what is left.")
    ] = False,
    whole: AllOption = False,
    json: JsonOption = False,
) -> None:
    """Show who pays whom at the end of the evening, with the fewest payments.

    Without --bank nobody has paid for anything yet: players settle their results among each other, and rake, kitty,
    time charge and tips get theirs. Markers are part of it. What a player paid another for chips hand to hand is not.

    With --json one document: from, to, hands, in_hand, house as in the ledger; bank, what the bank keeps, null without
    one; payments [{from, from_id, to, to_id, amount}], where an id is a player's, a place of the house, or bank.

    Example: betline journal settle --bank
    """
    from table_controller.accounts import settle, statement

    with _reading(table, site, table_id, journal) as reader:
        found, names = _ledger(reader, whole=whole), reader.names()
    payments = settle.with_bank(found) if bank else settle.between_players(found)
    if json:
        typer.echo(json_text.dumps(statement.payments_as_json(found, names, payments, bank=bank)))
    else:
        typer.echo(statement.payments_text(found, names, payments, bank=bank))


@journal_app.command("erase")
def journal_erase(
    who: Annotated[str, typer.Argument(metavar="NAME|ID", help="A name as the ledger shows it, or a player's id.")],
    table: TableOption = TABLE_DEFAULT,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    journal: JournalOption = None,
) -> None:
    """Take a name out of a journal for good; hands and amounts stay, under an id that says nothing.

    A controller that is running forgets it within a few seconds. Exit status 1 where the journal has no such name.

    Example: betline journal erase "Ann B."
    """
    from table_controller.accounts import erasure

    path = _path(table, site, table_id, journal)
    with _sentences():
        typer.echo(erasure.erase(path, who))


def _ledger(reader: JournalReader, *, whole: bool) -> Ledger:
    from table_controller.accounts.ledger import ledger_of

    return ledger_of(reader.entries(), whole=whole)


def _rings(table: str, site: str, table_id: str | None, journal: Path | None) -> str:
    """The options by which the camera's program finds the pictures that lie beside a journal."""
    if journal is not None:
        return f" --rings {shlex.quote(str(journal.with_suffix('.rings')))}"
    given = (("--table", table, TABLE_DEFAULT), ("--site", site, SITE_DEFAULT), ("--id", table_id, None))
    return "".join(f" {name} {shlex.quote(value)}" for name, value, usual in given if value and value != usual)


def _path(table: str, site: str, table_id: str | None, journal: Path | None) -> Path:
    from betline.settings import load_table

    return journal or default_journal(site, table_id or load_table(table).name)


@contextmanager
def _reading(table: str, site: str, table_id: str | None, journal: Path | None) -> Iterator[JournalReader]:
    """The journal that the options name, opened to be read; its errors become the user's."""
    from table_controller.journal.store import JournalReader

    path = _path(table, site, table_id, journal)
    with _sentences(), JournalReader(path) as reader:
        yield reader


@contextmanager
def _sentences() -> Iterator[None]:
    from table_controller.journal.entries import JournalError

    try:
        yield
    except JournalError as error:
        raise UserError(str(error), FAILED) from None
