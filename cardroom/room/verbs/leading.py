"""`betline room lead`: stays and leads the tables, hand for hand and where play halts."""

from __future__ import annotations

import json as json_text
import time
from dataclasses import dataclass, field
from typing import Final

import typer

from betline.options import FAILED, UserError
from betline.stopping import stopping
from cardroom.room import holds
from cardroom.room.errors import RoomError
from cardroom.room.journal import BUSY
from cardroom.room.room import Room
from cardroom.room.verbs.desk import Desk, time_of
from cardroom.room.verbs.holding import hold_tables, tell_last_two
from cardroom.room.verbs.options import at_desk
from cardroom.room.verbs.timing import tell_clock

LOOK_S: Final = 0.25
BACK_S: Final = 2.0
"""A bridge that is back tells first what its broker has kept; a table's clock is compared after so long."""
AGAIN_S: Final = 5.0
"""A table that has refused, or not answered, is told again after so long."""


@at_desk
def lead(desk: Desk) -> None:
    """Lead the tables until Ctrl-C: hand for hand each plays one hand and waits for all; play halts (TDA 11-D).

    Tables that wait are told so again in time; when this program is away for longer than the house's hold_s they play
    on by themselves. The floor can let a table go at its console (M, then H), by name. Several may lead at once.

    A journal in which somebody else writes for long is waited for: it says so, counts it, and goes on.

    Says what changes, one line each; with --json one object a line.

    Example: betline room lead --by Ann
    """
    desk.signed_by("floor")
    leader = Leader(desk)
    with stopping() as stopped:
        while not stopped():
            leader.look()
            time.sleep(LOOK_S)


@dataclass
class Leader:
    """Who leads the tables from one desk, look by look."""

    desk: Desk
    busy: int = 0
    """How often the journal was busy for too long."""
    _said: dict[str, str] = field(default_factory=dict)
    _deaf_until_s: dict[str, float] = field(default_factory=dict)
    _head: tuple[int, str] = (-1, "")
    _missed: bool = False
    """The last look broke off: a clock may not have been told."""
    _cut: frozenset[str] = frozenset()
    _back_s: dict[str, float] = field(default_factory=dict)
    """Tables whose line is back, and when they are told what they missed."""

    def look(self) -> None:
        """Does what is due at the tables now; where the journal is busy it says so, and the next look does it."""
        try:
            self._look()
            self._missed = False
        except RoomError as error:
            if error.code != BUSY:
                raise
            self.busy += 1
            self._missed = True
            _say_busy(self.desk, self.busy, str(error))

    def _look(self) -> None:
        desk = self.desk
        room = desk.room()
        _join(desk, room)
        if self._missed:
            for game in [one.name for one in room.games.values() if one.hand_for_hand and one.mark is not None]:
                room = tell_clock(desk, room, game)
        room = self._welcome(_step(desk, room, self._deaf_until_s))
        with desk.journal() as journal:
            if journal.head() != self._head:
                self._head = journal.head()
                desk.tell_head()
        names = sorted(room.tables)
        lines = holds.lines_of(room, desk.tables.states_now(_on_bus(room)), desk.rules, names)
        _say(desk, dict(zip(names, lines, strict=True)), self._said)

    def _welcome(self, room: Room) -> Room:
        """Tells the clock to tables that were cut off and are not so any more."""
        now_s = time.monotonic()
        self._back_s |= dict.fromkeys(self._cut - room.cut.keys(), now_s + BACK_S)
        self._cut = frozenset(room.cut)
        due = {name for name, at_s in self._back_s.items() if at_s <= now_s}
        for name in due:
            del self._back_s[name]
            table = room.tables.get(name)
            if table is not None and name not in room.cut and room.games[table.game].mark is not None:
                room = tell_clock(self.desk, room, table.game, {name})
        return room


def _step(desk: Desk, room: Room, deaf_until_s: dict[str, float]) -> Room:
    """Counts the hands that ended, lets the next ones begin, and tells each table what it does not know."""
    states = desk.tables.states_now(_on_bus(room))
    for game in tuple(room.games.values()):
        if game.hand_for_hand:
            missing = [one for one in room.reached(game.name) if not one.by_hand and one.name not in room.allowed]
            if missing:
                room = desk.decide(
                    lambda now, game=game: [  # type: ignore[misc]
                        one for one in holds.allowing(now, now.game(game.name), states) if one.table not in now.allowed
                    ]
                )
            for table in holds.at_the_end(room, room.game(game.name), states):
                room = _ended(desk, game.name, table)
    room = desk.halts_now(room)

    def complain(table: str, _why: str) -> None:
        if desk.tables.table(table).now() is not None:
            deaf_until_s[table] = time.monotonic() + AGAIN_S

    hear = [name for name in room.tables if deaf_until_s.get(name, 0.0) <= time.monotonic()]
    return tell_last_two(desk, hold_tables(desk, room, hear, desk.tables.states_now, complain))


def _ended(desk: Desk, game: str, table: str) -> Room:
    """A table's hand is over; when all are, the clock of all tables is told."""
    states = desk.tables.states_now(_on_bus(desk.room()))

    def decision(now: Room) -> holds.Events:
        of = now.game(game)
        if not of.hand_for_hand or table in of.waits:  # somebody else was quicker
            return ()
        return holds.hand_ended(now, of, table, desk.periods(of), desk.rules, states)

    room = desk.decide(decision)
    of = room.game(game)
    return tell_clock(desk, room, game) if not of.waits and of.mark is not None else room


def _join(desk: Desk, room: Room) -> None:
    for name in _on_bus(room):
        desk.tables.table(name)


def _on_bus(room: Room) -> list[str]:
    return sorted(name for name, table in room.tables.items() if not table.by_hand)


def _say(desk: Desk, now: dict[str, str], said: dict[str, str]) -> None:
    at_ms = desk.now_ms()
    for table, line in now.items():
        if said.get(table) != line:
            said[table] = line
            told = {"at_ms": at_ms, "table": table, "stands": line.partition(": ")[2]}
            typer.echo(json_text.dumps(told, ensure_ascii=False) if desk.as_json else f"{time_of(at_ms)}  {line}")


def _say_busy(desk: Desk, times: int, sentence: str) -> None:
    at_ms = desk.now_ms()
    told = {"at_ms": at_ms, "journal_busy": times, "sentence": sentence}
    counted = f"{sentence} It goes on. So far: {times}."
    typer.echo(json_text.dumps(told, ensure_ascii=False) if desk.as_json else f"{time_of(at_ms)}  {counted}")


@at_desk
def halt(desk: Desk) -> None:
    """Show at which tables play halts because they are too short (TDA 11-D), and tell these tables.

    A table that is told waits after its hand; it plays on by itself after the house's hold_s unless betline room lead
    runs. Every verb that moves players does the same.

    Example: betline room halt
    """
    room = desk.room()
    room = desk.halts_now(room)
    deaf: dict[str, str] = {}
    room = hold_tables(desk, room, room.tables, complain=deaf.__setitem__)
    lines = [f"Play halts at table {table}: {why}." for table, why in sorted(room.halts.items())]
    desk.tell({"halted": dict(room.halts), "not_told": deaf}, lines or ["Play halts at no table."])
    if deaf:
        table, why = next(iter(deaf.items()))
        raise UserError(f"Tell the dealer of table {table} yourself: {why}", FAILED)
