"""The verb `home`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from betline.joining import BrokerChoice, takes_broker
from betline.options import SITE_DEFAULT, IdOption, MetricsOption, SiteOption, ThereOption, UserError

if TYPE_CHECKING:
    from table_controller.home.person import Person

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)


@app.callback()
def _home_assistant() -> None:
    """The table in Home Assistant."""


@app.command()
@takes_broker
def home(
    broker: BrokerChoice,
    table: ThereOption = None,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    person: Annotated[
        str | None,
        typer.Option(
            "--person", metavar="NAME", help="In whose name the buttons are pressed, where staff are enrolled."
        ),
    ] = None,
    pin_file: Annotated[
        Path | None, typer.Option("--pin-file", metavar="FILE", help="File of mode 600 with that person's PIN.")
    ] = None,
    metrics: MetricsOption = None,
) -> None:
    """Show the table in Home Assistant: one device with its entities, events and device triggers, by MQTT discovery.

    It tells what the board may show. Home Assistant must use the same broker, or one that is bridged to it. The table
    file says which buttons there are, under [home_assistant]; without it there are none.

    Example: betline home --table home-six

    Example: betline home --table home-six --broker mqtts://broker.lan:8883 --login logins

    Example: betline home --table my-table.toml --login logins --person "The house" --pin-file house.pin
    """
    from betline.metrics.places import address_of
    from betline.tables_there import chosen_table
    from table_controller.home.person import Person
    from table_controller.home.service import run_home

    if (person is None) != (pin_file is None):
        raise UserError("--person and --pin-file go together: who presses the buttons, and the file with that PIN.")
    chosen = chosen_table(broker, table, site, table_id, "home")
    presses = None if person is None or pin_file is None else Person(person, pin_file)
    if presses is not None and not chosen.settings.home_assistant.buttons:
        raise UserError("The table file allows no buttons: name them under [home_assistant], or leave --person out.")
    _check(presses)
    where = broker.with_settings(chosen.settings).address("home", "display")
    figures_at = address_of("home", metrics, chosen.settings)
    raise typer.Exit(run_home(chosen.settings, where, chosen.names, presses, figures_at))


def _check(person: Person | None) -> None:
    from table_controller.home.person import PinError

    try:
        if person is not None:
            person.pin()
    except PinError as error:
        raise UserError(str(error)) from None
