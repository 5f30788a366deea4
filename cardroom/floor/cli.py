"""The verb `floor`."""

from __future__ import annotations

import json as json_text
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from betline.joining import BrokerChoice, takes_broker
from betline.options import SITE_DEFAULT, JsonOption, MetricsOption, MetricsTargetsOption, namespace

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)


class ThemeName(StrEnum):
    """The colours of the screen."""

    DARK = "dark"
    LIGHT = "light"
    COLOUR_BLIND = "colour-blind"
    CONTRAST = "contrast"


@app.callback()
def _the_floor() -> None:
    """All tables of a site."""


@app.command()
@takes_broker
def floor(
    broker: BrokerChoice,
    site: Annotated[
        str | None, typer.Option("--site", metavar="NAME", help="Name of the site. Default: the only one there.")
    ] = None,
    table: Annotated[
        list[str] | None,
        typer.Option("--table", metavar="FILE", help="A table's file, for how its board is drawn; once a table."),
    ] = None,
    site_file: Annotated[
        Path | None,
        typer.Option("--site-file", metavar="FILE", help="The file of the whole site: which tables are in which pit."),
    ] = None,
    theme: Annotated[
        ThemeName, typer.Option("--theme", help="The colours; F5 changes them, NO_COLOR takes them away.")
    ] = ThemeName.DARK,
    json: JsonOption = False,
    metrics: MetricsOption = None,
    metrics_targets: MetricsTargetsOption = None,
) -> None:
    """Show all tables of a site on one screen: state, pace, alerts, sensors, and the rulings that wait for the floor.

    It listens at the site's broker, or at any broker with tables. A ruling that waits is taken from here with Y, by
    whoever has the right to it. With the file of the site a pit that is cut off has its tables named, and a pit that is
    not in the file any more is left out. With --json it listens for some seconds, prints what it knows, and ends.

    Example: betline floor

    Example: betline floor --site grand --broker site.lan --login logins

    Example: betline floor --site-file site.toml --broker site.lan --login site-files/site

    Example: betline floor --json

    Example: betline floor --metrics 9481
    """
    from betline.metrics.places import read_address, tell_of_site
    from betline.settings.site import site_of_file
    from cardroom.floor.desk import TableFiles, known_tables, tables_of_site
    from cardroom.floor.running import floor_now, run_floor, site_there

    whole = None if site_file is None else site_of_file(site_file, site)
    address = broker.with_settings(None).address("floor", "console")
    named = site if whole is None else whole.name
    name = namespace(site_there(address, named, SITE_DEFAULT), "site").site
    pits = None if whole is None else whole.tables_of_pits
    if json:
        typer.echo(json_text.dumps(floor_now(address, name, pits), ensure_ascii=False))
        return
    from table_controller.console.palette import THEMES

    figures_at = None if metrics is None else read_address(metrics)
    tell_of_site("floor", figures_at, name, metrics_targets)
    of_site = {} if whole is None else tables_of_site(whole)
    files = TableFiles({**known_tables(tuple(table or ())), **of_site})
    raise typer.Exit(run_floor(address, name, files, THEMES[theme.value], figures_at, pits))
