"""The verb `home`."""

from __future__ import annotations

import typer

from betline.joining import BrokerChoice, takes_broker
from betline.options import SITE_DEFAULT, IdOption, SiteOption, ThereOption

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
) -> None:
    """Show the table in Home Assistant: one device with its entities, events and device triggers, by MQTT discovery.

    It tells what the board may show. Home Assistant must use the same broker, or one that is bridged to it.

    Example: betline home --table home-six

    Example: betline home --table home-six --broker mqtts://broker.lan:8883 --login logins
    """
    from betline.tables_there import chosen_table
    from table_controller.home.service import run_home

    chosen = chosen_table(broker, table, site, table_id, "home")
    where = broker.with_settings(chosen.settings).address("home", "display")
    raise typer.Exit(run_home(chosen.settings, where, chosen.names))
