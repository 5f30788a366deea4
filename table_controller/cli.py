"""The verbs of the table controller: the service itself, the console, cases, hand histories and the journal."""

from __future__ import annotations

import json as json_text
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from betline.options import (
    BROKER_DEFAULT,
    FAILED,
    SITE_DEFAULT,
    TABLE_DEFAULT,
    Address,
    BrokerOption,
    IdOption,
    JournalOption,
    JsonOption,
    SiteOption,
    TableOption,
    UserError,
    default_journal,
    namespace,
)

if TYPE_CHECKING:
    from table_controller.journal.store import JournalReader

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)
journal_app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="List, show and verify journalled hands.")
app.add_typer(journal_app, name="journal")


@app.callback()
def _controller_room() -> None:
    """The table controller: rulings, journal and console."""


@app.command()
def controller(
    table: TableOption = TABLE_DEFAULT,
    broker: BrokerOption = BROKER_DEFAULT,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    journal: JournalOption = None,
) -> None:
    """Run the table controller until interrupted: sensors and dealer in, rulings out.

    Example: betline controller --table home-six --broker 127.0.0.1:1883
    """
    from betline.settings import load_table
    from table_controller.journal.entry import JournalError
    from table_controller.service import run_controller

    settings = load_table(table)
    name = table_id or settings.name
    space = namespace(site, name)
    try:
        status = run_controller(settings, Address.parse(broker), space, journal or default_journal(site, name))
    except JournalError as error:
        raise UserError(str(error), FAILED) from None
    raise typer.Exit(status)


@app.command()
def console(
    table: TableOption = TABLE_DEFAULT,
    broker: BrokerOption = BROKER_DEFAULT,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
) -> None:
    """Open the dealer's console; it is a client of the bus like any other.

    Example: betline console --table home-six
    """
    from betline.settings import load_table
    from table_controller.console.app import run_console

    settings = load_table(table)
    raise typer.Exit(run_console(settings, Address.parse(broker), namespace(site, table_id or settings.name)))


@app.command()
def cases(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Case files or folders of them.")],
    through: Annotated[
        str | None, typer.Option("--through", metavar="hil", help="Through virtual readers, bus and controller.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Run case files against the rules; exit status 1 when any fails, 2 when a file is not valid.

    Example: betline cases tests/cases
    """
    from table_controller.cases import run_cases

    if through is not None:
        raise UserError(f"--through {through} is not supported yet; leave it out to run the cases on the rules alone.")
    raise typer.Exit(run_cases(paths, json=json))


@app.command()
def replay(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Hand histories in the PHH format.")],
    json: JsonOption = False,
) -> None:
    """Play hand histories through the engine to their finishing stacks, in every variant of the PHH format.

    Hold'em, short deck, Omaha, stud, razz, draw and badugi; high-low split among them.

    Example: betline replay hand.phh --json
    """
    from table_controller.replay import replay_files

    raise typer.Exit(replay_files(files, json=json))


@app.command()
def levels(
    table: TableOption = TABLE_DEFAULT,
    players: Annotated[
        int | None, typer.Option("--players", min=2, max=10, metavar="N", help="Players; default every seat.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Print the levels of a table: times, blinds, antes, and the least and the most that may be bet at each.

    Example: betline levels --table tournament
    """
    from betline.settings import load_house_rules, load_table
    from table_controller import sheet

    settings = load_table(table)
    house = load_house_rules(settings.house.profile, settings.house.options)
    number = players or len(settings.seats)
    pages = sheet.pages_of(settings, house, number)
    typer.echo((sheet.as_json if json else sheet.as_text)(settings, pages, number))


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
    from table_controller.journal.read import hands

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
    table: TableOption = TABLE_DEFAULT,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    journal: JournalOption = None,
    json: JsonOption = False,
) -> None:
    """Show one hand in order: every act, words, chips, rulings with their rules; with --json one object a line.

    Example: betline journal show 12
    """
    from table_controller.journal import read

    with _reading(table, site, table_id, journal) as reader:
        entries = read.hand(reader.entries(), hand)
    for entry in entries:
        typer.echo(json_text.dumps(read.as_json(entry)) if json else read.line(entry))


@journal_app.command("verify")
def journal_verify(
    table: TableOption = TABLE_DEFAULT,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    journal: JournalOption = None,
    json: JsonOption = False,
) -> None:
    """Check that no entry of a journal was changed, removed or put in between; exit status 1 when one was.

    Example: betline journal verify --journal evening.journal
    """
    with _reading(table, site, table_id, journal) as reader:
        verdict = reader.verify()
    if json:
        typer.echo(
            json_text.dumps(
                {
                    "ok": verdict.ok,
                    "entries": verdict.entries,
                    "head": verdict.head.hash,
                    "broken": verdict.broken_seq,
                    "sentence": verdict.sentence,
                }
            )
        )
    elif verdict.ok:
        typer.echo(f"{verdict.entries} entries hold. {verdict.sentence}")
    else:
        what = f"{verdict.sentence[:1].lower()}{verdict.sentence[1:].rstrip('.')}"
        raise UserError(f"The journal was changed after it was written: {what}; keep it for an inquiry.", FAILED)
    if not verdict.ok:
        raise typer.Exit(FAILED)


@contextmanager
def _reading(table: str, site: str, table_id: str | None, journal: Path | None) -> Iterator[JournalReader]:
    """The journal that the options name, opened to be read; its errors become the user's."""
    from betline.settings import load_table
    from table_controller.journal.entry import JournalError
    from table_controller.journal.store import JournalReader

    path = journal or default_journal(site, table_id or load_table(table).name)
    try:
        with JournalReader(path) as reader:
            yield reader
    except JournalError as error:
        raise UserError(str(error), FAILED) from None
