"""Dealer rotation: dealers work through a string of tables, one push at a time, and rest when they leave the last one.

Pure. At a push everybody goes one table on; who has rested longest takes the first table.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from cardroom.room import events as e
from cardroom.room.errors import RoomError
from cardroom.room.events import Happened
from cardroom.room.rules import RoomRules

MINUTE_MS = 60_000


@dataclass(frozen=True, slots=True, kw_only=True)
class String:
    """One string of tables and its dealers."""

    tables: tuple[str, ...] = ()
    at: Mapping[str, str] = field(default_factory=dict)
    """Table: dealer."""
    resting: tuple[str, ...] = ()
    """The longest first."""
    pushed_ms: int | None = None
    pushes: Mapping[str, int] = field(default_factory=dict)
    """Dealer: tables since the last break."""

    @property
    def dealers(self) -> tuple[str, ...]:
        """All who work here."""
        return (*(self.at[table] for table in self.tables if table in self.at), *self.resting)

    def due_ms(self, rules: RoomRules) -> int | None:
        """When the next push is due; None before the first one."""
        return None if self.pushed_ms is None else self.pushed_ms + rules.push_minutes * MINUTE_MS

    def overdue(self, rules: RoomRules) -> tuple[str, ...]:
        """Dealers who are at a table and should have had a break."""
        return tuple(one for one in self.at.values() if self.pushes.get(one, 0) > rules.most_pushes)


@dataclass(frozen=True, slots=True)
class Strings:
    """All strings by name."""

    by_name: Mapping[str, String] = field(default_factory=dict)

    def after(self, one: Happened) -> Strings:
        """The strings after an event."""
        match one.event:
            case e.StringSet(string=name, tables=tables):
                old = self.by_name.get(name, String())
                kept = {table: dealer for table, dealer in old.at.items() if table in tables}
                freed = tuple(dealer for table, dealer in old.at.items() if table not in tables)
                return self._with(name, replace(old, tables=tables, at=kept, resting=(*old.resting, *freed)))
            case e.DealerOn(dealer=dealer, string=name):
                string = self.by_name[name]
                return self._with(name, replace(string, resting=(*string.resting, dealer)))
            case e.DealerOff(dealer=dealer):
                return Strings({name: _without(string, dealer) for name, string in self.by_name.items()})
            case e.Pushed(string=name, at=at, resting=resting):
                string = self.by_name[name]
                pushes = {dealer: string.pushes.get(dealer, 0) + 1 for _, dealer in at}
                changed = replace(string, at=dict(at), resting=resting, pushed_ms=one.at_ms, pushes=pushes)
                return self._with(name, changed)
        return self

    def string_of(self, dealer: str) -> str | None:
        """On which string a dealer works; None: on none."""
        return next((name for name, string in self.by_name.items() if dealer in string.dealers), None)

    def named(self, name: str) -> String:
        """A string; raises RoomError."""
        if name not in self.by_name:
            raise RoomError("unknown", f"There is no string {name}; make one with betline room rotation string.")
        return self.by_name[name]

    def _with(self, name: str, string: String) -> Strings:
        return Strings({**self.by_name, name: string})


def setting(strings: Strings, name: str, tables: tuple[str, ...]) -> e.StringSet:
    """A string gets these tables; raises RoomError for a table that stands twice, or in another string."""
    if len(set(tables)) < len(tables) or not tables:
        raise RoomError("tables", "Name each table of the string once, and at least one.")
    for other, string in strings.by_name.items():
        if other != name and (both := set(tables) & set(string.tables)):
            raise RoomError("tables", f"Table {min(both)} is in the string {other}; take it out there first.")
    return e.StringSet(string=name, tables=tables)


def coming(strings: Strings, dealer: str, name: str) -> e.DealerOn:
    """A dealer begins on a string; raises RoomError (`unknown`, `works`)."""
    strings.named(name)
    there = strings.string_of(dealer)
    if there is not None:
        raise RoomError("works", f"That dealer works on the string {there} already.")
    return e.DealerOn(dealer=dealer, string=name)


def going(strings: Strings, dealer: str) -> e.DealerOff:
    """A dealer goes home; raises RoomError (`not-here`)."""
    if strings.string_of(dealer) is None:
        raise RoomError("not-here", "That dealer works on no string.")
    return e.DealerOff(dealer=dealer)


def pushing(strings: Strings, name: str, closed: Collection[str] = ()) -> e.Pushed:
    """Everybody goes one table on, who left the last one rests.

    The row is: those who rest, the longest first, then the tables from the first to the last. After the push each table
    has who stood just before it in that row; a table that had nobody is filled by who rests. Tables that are closed are
    left out: who dealt there rests, after those who rest already.

    Raises RoomError: `few-dealers`, and `closed` where no table of the string is open.
    """
    string = strings.named(name)
    tables = tuple(table for table in string.tables if table not in closed)
    if not tables:
        raise RoomError("closed", f"All tables of the string {name} are closed; open one with betline room table.")
    if len(string.dealers) < len(tables):
        few, need = len(string.dealers), len(tables)
        raise RoomError("few-dealers", f"The string {name} has {few} dealers for {need} tables; sign one on.")
    freed = (string.at[table] for table in string.tables if table in string.at and table not in tables)
    waiting = [*string.resting, *freed]
    at: dict[str, str] = {}
    for before, table in zip((None, *tables), tables, strict=False):
        dealer = string.at.get(before) if before is not None else None
        at[table] = dealer if dealer is not None else (waiting.pop(0) if waiting else string.at[tables[-1]])
    last = string.at.get(tables[-1])
    rests = (*waiting, last) if last is not None and last not in at.values() else tuple(waiting)
    return e.Pushed(string=name, at=tuple((table, at[table]) for table in tables), resting=rests)


def _without(string: String, dealer: str) -> String:
    return replace(
        string,
        at={table: one for table, one in string.at.items() if one != dealer},
        resting=tuple(one for one in string.resting if one != dealer),
        pushes={one: count for one, count in string.pushes.items() if one != dealer},
    )
