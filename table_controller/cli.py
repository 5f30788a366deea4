"""The verbs of the table controller: the service itself, the console, cases, hand histories and the journal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

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
from table_controller.journal.cli import journal_app

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)
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
