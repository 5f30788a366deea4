"""Speaking with one table: the connection on which a ruling of it is taken, and the table's file where it is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from betline import topics
from betline.bus import Bus
from betline.joining import join
from betline.messages.table import TableState
from betline.options import Address
from betline.settings import FloorSettings, TableSettings, load_table, shipped
from betline.settings.site import Site
from betline.topics import Namespace, topic

SENDER: Final = "floor"
"""Whose commands they are."""
_USUAL: Final = ("home-six",)
"""Tables that are drawn where a table's own file is not known, by their seats; else the usual one of ten."""

OpensDesk = Callable[[str], Bus]
"""Opens the bus at a table; raises UserError where it cannot be."""


def desks_at(address: Address, site: str) -> OpensDesk:
    """Opens the bus at the tables of a site by this broker, which is not waited for."""

    def opens(table: str) -> Bus:
        names = Namespace(site, table)
        presence = topic(topics.DEVICE_STATUS, SENDER)
        return join(address, names, SENDER, presence=presence, patience_s=0.0, waits=True)

    return opens


class TableFiles:
    """What is known of the tables' files: how each is drawn, and what its floor lists."""

    def __init__(self, known: Mapping[str, TableSettings]) -> None:
        """By the tables' names on the bus."""
        self._known = known

    def of(self, name: str, state: TableState | None) -> TableSettings:
        """The table's own file; where it is not known, one with its seats, and nothing of the house's in it."""
        if name in self._known:
            return self._known[name]
        seats = None if state is None else {one.seat for one in state.seats}
        for one in _USUAL:
            settings = load_table(one)
            if seats == {seat.number for seat in settings.seats}:
                return _drawn_as(settings, name)
        return _drawn_as(load_table(), name)


def known_tables(files: tuple[str, ...]) -> dict[str, TableSettings]:
    """The tables that are named, and those that come with Betline, by name; raises SettingsError."""
    named = [load_table(one) for one in (*shipped("tables"), *files)]
    return {one.name: one for one in named}


def tables_of_site(site: Site) -> dict[str, TableSettings]:
    """The tables of a site's file by their names on the bus; raises SettingsError."""
    return {one.name: load_table(one.file) for one in site.tables}


def _drawn_as(settings: TableSettings, name: str) -> TableSettings:
    return settings.model_copy(update={"name": name, "title": name, "cameras": (), "floor": FloorSettings()})
