"""`betline journal serve`: a table's journals, told to the site that asks."""

from __future__ import annotations

import contextlib
import os
from typing import Annotated

import typer

from betline.joining import BrokerChoice, takes_broker
from betline.options import (
    SITE_DEFAULT,
    IdOption,
    JournalOption,
    KeyOption,
    MetricsOption,
    SiteOption,
    TableOption,
    default_journal,
)

NICE = 10
"""It gives way to the controller on a machine with little to spare."""


@takes_broker
def journal_serve(
    broker: BrokerChoice,
    table: TableOption = None,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    journal: JournalOption = None,
    key: KeyOption = None,
    metrics: MetricsOption = None,
    may_erase: Annotated[
        bool, typer.Option("--may-erase", help="Take names out of the journals when the site asks for it.")
    ] = False,
) -> None:
    """Answer a site that asks for this table's journals (betline site record), until interrupted.

    It runs beside the controller and reads the journal's file, and those of earlier evenings in the same folder. It
    never writes, but for names that a site wants erased, and only with --may-erase.

    Example: betline journal serve --table home-six --broker mqtts://site.lan:8883 --login logins
    """
    from betline.joining import join
    from betline.known_tables import the_table
    from betline.metrics.places import address_of
    from betline.metrics.serving import served
    from betline.options import namespace
    from betline.settings import load_table
    from betline.stopping import stopping
    from betline.watchdog import Watchdog
    from table_controller.history.serving import HistoryServer
    from table_controller.history.shelf import Shelf

    settings = load_table(the_table(table))
    names = namespace(site, table_id or settings.name)
    figures_at = address_of("history", metrics, settings)
    address = broker.with_settings(settings).address("controller")
    shelf = Shelf(journal or default_journal(names.site, names.table), f"{names.site}/{names.table}")
    bus = join(address, names, "history", waits=True)
    with contextlib.suppress(OSError):  # a service's sandbox does not let it; its unit says Nice= then
        os.nice(NICE)
    server, dog = HistoryServer(bus, shelf, may_erase=may_erase, key=key), Watchdog()
    server.start()
    try:
        with served(figures_at, bus), stopping() as stop:
            while not stop():
                server.pump()
                dog.serves()
    finally:
        bus.close()
        shelf.close()
