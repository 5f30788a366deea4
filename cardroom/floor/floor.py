"""The floor as one value: every table that was heard of, and what is between them and this program. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from betline.messages.common import Body, Envelope
from cardroom.floor.table import FloorTable

MOST: Final = 500
"""So many tables are kept in mind; others are counted."""


@dataclass(frozen=True, slots=True)
class Link:
    """The bridge between a pit's broker and the site's, as the site's broker has told of it."""

    pit: str
    stands: bool
    since_s: float
    longer: bool
    """It was so before this program listened, so longer than since then."""


@dataclass(frozen=True, slots=True)
class Floor:
    """What was heard of a site until now. Times are seconds that only rise."""

    site: str
    tables: Mapping[str, FloorTable] = field(default_factory=lambda: MappingProxyType({}))
    lost_s: float | None = None
    """Since when there is no broker; None while there is one."""
    links: Mapping[str, Link] = field(default_factory=lambda: MappingProxyType({}))
    """By the pits' names; none where this is not a site's broker."""
    pits: Mapping[str, tuple[str, ...]] | None = None
    """The site's pits and their tables by its file; None where no file was read. Then others do not concern it."""
    beyond: int = 0
    """Messages of tables that are too many."""

    def heard(self, table: str, envelope: Envelope, body: Body, at_s: float, *, retained: bool) -> Floor:
        """After one message of a table's controller."""
        known = self.tables.get(table) or FloorTable(table, at_s)
        return self._with(known, known.heard(envelope, body, at_s, retained=retained))

    def not_read(self, table: str, why: str, at_s: float) -> Floor:
        """After a message of a table that could not be read."""
        known = self.tables.get(table) or FloorTable(table, at_s)
        return self._with(known, known.not_read(why, at_s))

    def connected(self, there: bool, at_s: float) -> Floor:
        """The broker came or went."""
        if there:
            return replace(self, lost_s=None)
        return self if self.lost_s is not None else replace(self, lost_s=at_s)

    def linked(self, pit: str, at_s: float, *, stands: bool, retained: bool) -> Floor:
        """The site's broker told whether a pit's bridge stands; again the same changes nothing."""
        if self.pits is not None and pit not in self.pits:
            return self
        before = self.links.get(pit)
        if before is not None and before.stands == stands:
            return self
        if before is None and len(self.links) >= MOST:
            return self
        now = Link(pit, stands, at_s, longer=retained)
        return replace(self, links=MappingProxyType({**self.links, pit: now}))

    def unlinked(self, pit: str) -> Floor:
        """The site's broker keeps nothing of a pit any more."""
        return replace(self, links=MappingProxyType({name: link for name, link in self.links.items() if name != pit}))

    def tables_of(self, pit: str) -> tuple[str, ...]:
        """The tables of a pit; none where no site file says so."""
        return (self.pits or {}).get(pit, ())

    def pit_of(self, table: str) -> str:
        """The pit of a table; empty where no site file says so."""
        return next((pit for pit, tables in (self.pits or {}).items() if table in tables), "")

    def _with(self, before: FloorTable, now: FloorTable) -> Floor:
        if now is before and now.name in self.tables:
            return self
        if now.name not in self.tables and len(self.tables) >= MOST:
            return replace(self, beyond=self.beyond + 1)
        return replace(self, tables=MappingProxyType({**self.tables, now.name: now}))
