"""The clock at the tables, for who stays and leads them: each is told until it follows."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Final

from cardroom.room import clock as clocks
from cardroom.room.room import Room
from cardroom.room.verbs.desk import Desk
from cardroom.room.verbs.timing import tell_clock
from table_controller.levels.clock import Mark

BACK_S: Final = 2.0
"""A bridge that is back tells first what its broker has kept; a table's clock is compared after so long."""
AGAIN_S: Final = 5.0
"""A table that has refused, or not answered, is told again after so long."""


@dataclass
class Following:
    """Which tables have the clock as the room has it.

    A table is told once of each mark, since its own clock walks on from there, and once more when it was away: so staff
    who set a clock at their table are not overruled before the room's changes.
    """

    _has: dict[str, tuple[Mark, str] | None] = field(default_factory=dict)
    """Tables that were told: the mark and the life of the controller that has it; None while it is away."""
    _due_s: dict[str, float] = field(default_factory=dict)
    _deaf: set[str] = field(default_factory=set)
    """Tables that did not follow when they were told last: of these one is waited for a look."""

    def look(self, desk: Desk, room: Room) -> Room:
        """Tells the tables that have not got the clock; gives the room afterwards. Raises RoomError."""
        for table in self._has.keys() - room.tables.keys():
            del self._has[table]
        waited = False
        for game in [one.name for one in room.games.values() if desk.periods(one)]:
            for table in [one.name for one in room.tables_of(game) if not one.by_hand]:
                if not self._lacks(desk, room, game, table):
                    continue
                if table in self._deaf and waited:
                    continue
                waited |= table in self._deaf
                room = self._tell(desk, room, game, table)
        return room

    def _lacks(self, desk: Desk, room: Room, name: str, table: str) -> bool:
        """Whether a table is to be told now."""
        game, there = room.games[name], desk.tables.table(table)
        if game.mark is None and table not in game.unlike and table not in self._has:
            return False
        if table in room.cut or there.now() is None:
            self._due_s[table] = time.monotonic() + BACK_S
            if table in self._has:
                self._has[table] = None
            return False
        if self._due_s.get(table, 0.0) > time.monotonic():
            return False
        return self._has.get(table) != (_mark(desk, room, name), there.life) or table in game.unlike

    def _tell(self, desk: Desk, room: Room, name: str, table: str) -> Room:
        known = _mark(desk, room, name), desk.tables.table(table).life
        room = tell_clock(desk, room, name, {table})
        if room.games[name].unlike.get(table):
            self._due_s[table] = time.monotonic() + AGAIN_S
            self._deaf.add(table)
        else:
            self._has[table] = known
            self._deaf.discard(table)
        return room


def _mark(desk: Desk, room: Room, name: str) -> Mark:
    game = room.games[name]
    return clocks.clock_of(game, desk.periods(game), desk.now_ms()).mark
