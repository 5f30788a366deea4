"""`betline room lead`: stays and leads the tables, hand for hand and where play halts."""

from __future__ import annotations

import json as json_text
import math
import time
from dataclasses import dataclass, field
from typing import Final

import typer

from betline.options import FAILED, MetricsOption, MetricsTargetsOption, UserError
from betline.stopping import stopping
from cardroom.room import holds
from cardroom.room.errors import RoomError
from cardroom.room.journal import BUSY
from cardroom.room.metrics import shown
from cardroom.room.room import Room
from cardroom.room.verbs.desk import Desk, time_of
from cardroom.room.verbs.following import AGAIN_S, Following
from cardroom.room.verbs.holding import hold_tables, tell_last_two
from cardroom.room.verbs.options import at_desk

LOOK_S: Final = 0.25


@at_desk
def lead(desk: Desk, metrics: MetricsOption = None, metrics_targets: MetricsTargetsOption = None) -> None:
    """Lead the tables until Ctrl-C: hand for hand each plays one hand and waits for all; play halts (TDA 11-D).

    Tables that wait are told so again in time; when this program is away for longer than the house's hold_s they play
    on by themselves. The floor can let a table go at its console (M, then H), by name. Several may lead at once.

    A journal in which somebody else writes for long is waited for: it says so, counts it, and goes on.

    Says what changes, one line each; with --json one object a line.

    Example: betline room lead --by Ann

    Example: betline room lead --metrics 9482
    """
    desk.signed_by("floor")
    leader = Leader(desk)
    with stopping() as stopped, shown(desk, metrics, metrics_targets) as figures:
        while not stopped():
            leader.look()
            figures.look(leader.busy)
            time.sleep(LOOK_S)


@dataclass
class Leader:
    """Who leads the tables from one desk, look by look."""

    desk: Desk
    busy: int = 0
    """How often the journal was busy for too long."""
    _said: dict[str, str] = field(default_factory=dict)
    _deaf_until_s: dict[str, float] = field(default_factory=dict)
    _told_s: dict[str, float] = field(default_factory=dict)
    """When each table was last told that it is held."""
    _head: tuple[int, str] = (-1, "")
    _clocks: Following = field(default_factory=Following)
    _has_looked: bool = False
    _problem: str = ""

    def look(self) -> None:
        """Does what is due at the tables now; where the journal is busy it says so, and the next look does it.

        So it does where the broker is away; raises UserError only where it has not been there yet.
        """
        try:
            self._look()
            self._has_looked, self._problem = True, ""
        except UserError as error:
            if not self._has_looked:
                raise
            if self._problem != str(error):
                self._problem = str(error)
                _say_problem(self.desk, self._problem)
        except RoomError as error:
            if error.code != BUSY:
                raise
            self.busy += 1
            _say_busy(self.desk, self.busy, str(error))

    def _look(self) -> None:
        desk = self.desk
        room = desk.room()
        _join(desk, room)
        room = self._clocks.look(desk, self._hold(_count(desk, room)))
        with desk.journal() as journal:
            if journal.head() != self._head:
                self._head = journal.head()
                desk.tell_head()
        names = sorted(room.tables)
        lines = holds.lines_of(room, desk.tables.states_now(_on_bus(room)), desk.rules, names)
        _say(desk, dict(zip(names, lines, strict=True)), self._said)

    def _hold(self, room: Room) -> Room:
        """Tells each table what it does not know of its hold; one that did not answer comes last, and not at once."""
        desk, now_s, deaf = self.desk, time.monotonic(), self._deaf_until_s

        def complain(table: str, _why: str) -> None:
            if desk.tables.table(table).now() is not None:
                deaf[table] = time.monotonic() + AGAIN_S

        def told_s(table: str) -> float:
            return now_s - self._told_s.get(table, -math.inf)

        hear = [name for name in room.tables if name not in deaf]
        hear += [name for name in deaf if name in room.tables and deaf[name] <= now_s][:1]
        states = desk.tables.states_now
        return tell_last_two(desk, hold_tables(desk, room, hear, states, complain, told_s, self._note))

    def _note(self, table: str) -> None:
        self._told_s[table] = time.monotonic()
        self._deaf_until_s.pop(table, None)


def _count(desk: Desk, room: Room) -> Room:
    """Counts the hands that ended, lets the next ones begin, and notes where play halts."""
    room = desk.hands_now(room)
    states = desk.tables.states_now(_on_bus(room))
    for game in tuple(room.games.values()):
        if game.hand_for_hand:
            dealing = room.dealing(game.name)
            reached = [one.name for one in room.reached(game.name) if not one.by_hand]
            if any(one in dealing and one in states and one not in room.allowed for one in reached):
                room = desk.decide(
                    lambda now, game=game: [  # type: ignore[misc]
                        one for one in holds.allowing(now, now.game(game.name), states) if one.table not in now.allowed
                    ]
                )
            for table in holds.at_the_end(room, room.game(game.name), states):
                room = _ended(desk, game.name, table)
    return desk.halts_now(room)


def _ended(desk: Desk, game: str, table: str) -> Room:
    """A table's hand is over; when all are, each may play the next one."""
    states = desk.tables.states_now(_on_bus(desk.room()))

    def decision(now: Room) -> holds.Events:
        of = now.game(game)
        if table not in holds.at_the_end(now, of, states):  # somebody else was quicker
            return ()
        return holds.hand_ended(now, of, table, desk.periods(of), desk.rules, states, desk.now_ms())

    return desk.decide(decision)


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


def _say_problem(desk: Desk, sentence: str) -> None:
    at_ms = desk.now_ms()
    told = {"at_ms": at_ms, "problem": sentence}
    goes_on = f"{sentence} It tries again until it is there."
    typer.echo(json_text.dumps(told, ensure_ascii=False) if desk.as_json else f"{time_of(at_ms)}  {goes_on}")


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
