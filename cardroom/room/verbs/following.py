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

    _has: dict[str, Mark] = field(default_factory=dict)
    _due_s: dict[str, float] = field(default_factory=dict)

    def look(self, desk: Desk, room: Room) -> Room:
        """Tells the tables that have not got the clock, and the room afterwards. Raises RoomError."""
        for name in [game.name for game in room.games.values() if game.mark is not None]:
            periods = desk.periods(room.games[name])
            for table in [one.name for one in room.tables_of(name) if not one.by_hand] if periods else ():
                now_s = time.monotonic()
                if table in room.cut or desk.tables.table(table).now() is None:
                    self._has.pop(table, None)
                    self._due_s[table] = now_s + BACK_S
                    continue
                mark = clocks.clock_of(room.games[name], periods, desk.now_ms()).mark
                if self._has.get(table) == mark or self._due_s.get(table, 0.0) > now_s:
                    continue
                room = tell_clock(desk, room, name, {table})
                if room.games[name].unlike.get(table):
                    self._due_s[table] = now_s + AGAIN_S
                else:
                    self._has[table] = mark
        return room
