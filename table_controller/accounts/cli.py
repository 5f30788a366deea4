"""The verbs of the journal: its hands, who owes whom; those that keep it safe are in `accounts.keeping`."""

from __future__ import annotations

import json as json_text
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from betline.options import (
    FAILED,
    SITE_DEFAULT,
    WRONG_USAGE,
    IdOption,
    JournalOption,
    JsonOption,
    SiteOption,
    TableOption,
    UserError,
)
from table_controller.accounts import keeping
from table_controller.accounts.opened import journal_path, reading

if TYPE_CHECKING:
    from table_controller.accounts.ledger import Ledger
    from table_controller.journal.reader import JournalReader

AllOption = Annotated[bool, typer.Option("--all", help="The whole journal, not only its last evening.")]

journal_app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Hands of a journal, export, ledger, who pays whom; verify, backup, restore, prune, erase.",
)


@journal_app.command("list")
def journal_list(
    table: TableOption = None,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    journal: JournalOption = None,
    json: JsonOption = False,
) -> None:
    """List the hands of a journal: time, seats, pot, winners, and where a reader was exchanged.

    With --json each hand has "readers" {reader: {serial, firmware}} and "exchanged" [{reader, serial, firmware,
    before: {serial, firmware}}].

    Example: betline journal list --table home-six
    """
    from table_controller.accounts.read import hands

    with reading(table, site, table_id, journal) as reader:
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
    table: TableOption = None,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    journal: JournalOption = None,
    json: JsonOption = False,
) -> None:
    """Show one hand in order: every act, words, chips, rulings with their rules; with --json one object a line.

    Below an act that the camera saw stands the command that shows its pictures, as long as they are kept; in JSON
    the act has "pictures", the ids of the camera's events. Above the hand stand the readers that read it.

    Example: betline journal show 12 --seat 3
    """
    from table_controller.accounts import pictures, read, readers

    with reading(table, site, table_id, journal) as reader:
        entries, names = read.hand(reader.entries(), hand), reader.names()
        above = () if json else readers.of_hand(reader.entries(), hand)
    for text in above:
        typer.echo(text)
    seen, keyed_by = pictures.pictured(entries), read.authors(entries, names)
    where = _rings(table, site, table_id, journal)
    for entry in entries:
        if seat is not None and not pictures.about(entry, seat):
            continue
        ids = seen.get(entry.seq, ())
        if json:
            typer.echo(json_text.dumps(read.as_json(entry, ids)))
            continue
        typer.echo(f"{read.line(entry, names)}{read.by_whom(entry, keyed_by)}")
        if ids:
            typer.echo(f"{'':>8}Pictures: {pictures.SHOW} {ids[-1]}{where}")


@journal_app.command("recall")
def journal_recall(
    hands: Annotated[int, typer.Option("--hands", metavar="N", min=1, help="How many.")] = 10,
    table: TableOption = None,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    journal: JournalOption = None,
    json: JsonOption = False,
) -> None:
    """Show the last hands for a dispute: every act with its ruling and rules, alerts, pots, winners, pictures.

    The newest hand comes last. With --json one object a line: the hand as in the list, and acts [{seq, at, text,
    source, rulings, alert, pictures}]. The command `recall` on the bus answers with the same.

    Example: betline journal recall --hands 3 --table home-six
    """
    from table_controller.accounts.recall import recall

    with reading(table, site, table_id, journal) as reader:
        found, names = recall(reader, hands), reader.names()
    where = _rings(table, site, table_id, journal)
    for hand in found:
        if json:
            typer.echo(json_text.dumps(hand.as_json(names)))
            continue
        for text in hand.lines(names, where):
            typer.echo(text)
    if not found and not json:
        typer.echo("No hand has been played in this journal yet.", err=True)


@journal_app.command("export")
def journal_export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file that ends in .phh, .phhs or .csv.")],
    hand: Annotated[
        int | None, typer.Option("--hand", metavar="HAND", min=1, help="Only this hand; .phh without it: the last.")
    ] = None,
    table: TableOption = None,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    journal: JournalOption = None,
) -> None:
    """Write hands that are over into a file for other programs: .phh has one hand, .phhs and .csv have all.

    PHH tells games of hold'em and Omaha; of a board that was run again it tells the first one, and _run_it, _boards and
    _award say the rest. Hands that it cannot tell are named and left out; .csv has every hand.

    Example: betline journal export evening.phhs --table home-six
    """
    from table_controller.accounts.histories import formats
    from table_controller.accounts.histories.source import nothing_to_export
    from table_controller.accounts.histories.told import told_hands

    write = formats.SUFFIXES.get(file.suffix)
    if write is None:
        raise UserError(f"Name a file that ends in {', '.join(formats.SUFFIXES)}, not {file}.", WRONG_USAGE)
    if file.exists():
        raise UserError(f"Name another file: {file} is there already.", FAILED)
    with reading(table, site, table_id, journal) as reader:
        found, names = tuple(told_hands(reader, hand)), reader.names()
    if not found:
        raise nothing_to_export(hand)
    text, left_out = write(found, names)
    for reason in left_out:
        typer.echo(reason, err=True)
    if not text:
        raise UserError(f"Export to a .csv file instead: {file} would be empty.", FAILED)
    file.write_text(text, encoding="utf-8")
    typer.echo(f"Written: {file}.")


@journal_app.command("ledger")
def journal_ledger(
    table: TableOption = None,
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

    with reading(table, site, table_id, journal) as reader:
        found, names = _ledger(reader, whole=whole), reader.names()
    typer.echo(json_text.dumps(statement.as_json(found, names)) if json else statement.text_of(found, names))


@journal_app.command("settle")
def journal_settle(
    table: TableOption = None,
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

    with reading(table, site, table_id, journal) as reader:
        found, names = _ledger(reader, whole=whole), reader.names()
    payments = settle.with_bank(found) if bank else settle.between_players(found)
    if json:
        typer.echo(json_text.dumps(statement.payments_as_json(found, names, payments, bank=bank)))
    else:
        typer.echo(statement.payments_text(found, names, payments, bank=bank))


def _ledger(reader: JournalReader, *, whole: bool) -> Ledger:
    from table_controller.accounts.ledger import ledger_of

    return ledger_of(reader.entries(), whole=whole)


def _rings(table: str | None, site: str, table_id: str | None, journal: Path | None) -> str:
    """The options by which the camera's program finds the pictures that lie beside a journal."""
    if table is None and table_id is None:
        journal = journal_path(table, site, table_id, journal)
    if journal is not None:
        return f" --rings {shlex.quote(str(journal.with_suffix('.rings')))}"
    given = (("--table", table, None), ("--site", site, SITE_DEFAULT), ("--id", table_id, None))
    return "".join(f" {name} {shlex.quote(value)}" for name, value, usual in given if value and value != usual)


journal_app.command("verify", context_settings={"allow_extra_args": True})(keeping.journal_verify)
for _name, _verb in (
    ("backup", keeping.journal_backup),
    ("restore", keeping.journal_restore),
    ("go-on", keeping.journal_go_on),
    ("prune", keeping.journal_prune),
    ("erase", keeping.journal_erase),
):
    journal_app.command(_name)(_verb)
