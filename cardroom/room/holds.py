"""Which tables the room holds between two hands, and by what they are told so: hand for hand, and tables that are too
short (TDA 11-D). Pure.

A table is told up to which hand it may play, so saying the same twice changes nothing. It plays on by itself when the
room says nothing any more, and is held again when the room is back. The floor may let it go there by name: then the
room holds it again for the next hand of all, or when it has become shorter still, and not before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from betline.messages.table import TableState
from betline.steps import Hold, LetGo
from cardroom.room import clock as clocks
from cardroom.room import events as e
from cardroom.room import tournament
from cardroom.room.room import Game, Room, Table
from cardroom.room.rules import RoomRules
from table_controller.levels.clock import Period

BETWEEN: Final = frozenset({"idle", "hand-over"})
Events = Iterable[e.Event]
States = Mapping[str, TableState]
"""What each table on the bus says of itself; one that is away is missing."""


def beginning(
    room: Room, game: Game, periods: tuple[Period, ...], now_ms: int, states: States
) -> tuple[e.HandForHand | e.ClockSet | e.HandAllowed, ...]:
    """All tables deal together from now on: each ends the hand that it plays, or plays one more. Raises RoomError."""
    return (*clocks.hand_for_hand(game, periods, now_ms, on=True), *allowing(room, game, states))


def allowing(room: Room, game: Game, states: States) -> tuple[e.HandAllowed, ...]:
    """Each table on the bus may play one hand: that of now, or between two hands the next one.

    One that does not answer and was told of no hand yet is told when it does.
    """
    found = []
    for table in _dealing(room, game):
        state = states.get(table.name)
        if state is None and table.name not in room.allowed:
            continue  # which hand it plays is known when it answers
        known = room.allowed.get(table.name, 0) + 1
        last = known if state is None else state.hand_no + (state.phase in BETWEEN)
        found.append(e.HandAllowed(game=game.name, table=table.name, after_hand=last))
    return tuple(found)


def at_the_end(room: Room, game: Game, states: States) -> tuple[str, ...]:
    """Tables on the bus that have ended their hand of now and were not counted yet."""
    if not game.hand_for_hand:
        return ()
    found = []
    for table in _dealing(room, game):
        state, last = states.get(table.name), room.allowed.get(table.name)
        if table.name in game.waits or state is None or last is None:
            continue
        if state.hand_no > last or (state.hand_no == last and state.phase in BETWEEN):
            found.append(table.name)
    return tuple(found)


def hand_ended(
    room: Room, game: Game, table: str, periods: tuple[Period, ...], rules: RoomRules, states: States, now_ms: int
) -> tuple[e.HandEnded | e.ClockSet | e.HandAllowed, ...]:
    """A table has ended its hand; when all have, its time goes off the clock and each may play the next one.

    Raises RoomError (`not-so`, `waits`).
    """
    ended = clocks.hand_ended(room, game, table, periods, rules, now_ms)
    over = game.waits | {table} >= room.dealing(game.name)
    return (*ended, *allowing(room, game, states)) if over else ended


def none_to_wait_for(
    room: Room, game: Game, periods: tuple[Period, ...], rules: RoomRules, states: States, now_ms: int
) -> tuple[e.HandEnded | e.ClockSet | e.HandAllowed, ...]:
    """The same where the tables that were waited for are closed or empty: all others have ended their hand."""
    if not game.hand_for_hand or not game.waits or not game.waits >= room.dealing(game.name):
        return ()
    ended = clocks.hands_over(room, game, min(game.waits), periods, rules, now_ms)
    return (*ended, *allowing(room, game, states))


def _dealing(room: Room, game: Game) -> list[Table]:
    """The tables on the bus that are waited for."""
    dealing = room.dealing(game.name)
    return [table for table in room.tables_of(game.name) if table.name in dealing and not table.by_hand]


def halting(room: Room, rules: RoomRules) -> tuple[e.TableHalted | e.HaltEnded, ...]:
    """Which tables play halts at from now on because they are too short, and which are so no longer (TDA 11-D).

    One that is cut off stays as it is, and none is held to be short of it: nobody can be moved from it.
    """
    short: dict[str, e.TableHalted] = {}
    for game in room.games.values():
        if game.terms.kind == "tournament":
            counts = tournament.counts_of(room, game.name)
            most = max(counts.values(), default=0)
            for table in tournament.halted(room, game.name, rules):
                if counts[table]:
                    by = most - counts[table]
                    why = f"{counts[table]} players, {by} short of the fullest table"
                    short[table] = e.TableHalted(table=table, why=why, short=by)
    begun = [halted for table, halted in short.items() if room.halts.get(table) != halted.why]
    over = [table for table in room.halts if table not in short and table not in room.cut]
    return (*begun, *(e.HaltEnded(table=table) for table in over))


def command_for(
    room: Room, table: str, state: TableState, rules: RoomRules, now_ms: int, told_s: float | None = None
) -> Hold | LetGo | None:
    """What a table must be told, so that it is held as the room wants it; None where nothing is to be said.

    A hold is said again in half its time. ``told_s``: how long ago that was; None where it is not known, and the two
    wall clocks are compared.
    """
    wanted = wanted_of(room, table, rules)
    told = room.told.get(table)
    if wanted is None:
        return LetGo() if told is not None and state.hold is not None else None
    if told != (wanted.why, wanted.after_hand):
        return wanted
    if state.hold is None:  # let go there by name: left alone; ended by time: the room was away, and is here again
        return wanted if state.hold_ended == "time" else None
    gone_s = rules.hold_s - (state.hold.until_ms - now_ms) / 1000 if told_s is None else told_s
    return wanted if gone_s > rules.hold_s / 2 else None


def wanted_of(room: Room, table: str, rules: RoomRules) -> Hold | None:
    """How the room wants a table to be held; one that was closed meanwhile not at all."""
    if table not in room.tables:
        return None
    if table in room.halts:
        return Hold(why="short", after_hand=0, for_s=rules.hold_s)
    last = room.allowed.get(table)
    game = room.games[room.tables[table].game]
    if last is None or not game.hand_for_hand:
        return None
    return Hold(why="hand-for-hand", after_hand=last, for_s=rules.hold_s)


def last_two_at(room: Room, game: Game) -> str | None:
    """The table on the bus at which a tournament's last two players sit, and that was not told so yet."""
    if game.terms.kind != "tournament" or game.last_two_told == "" or len(game.alive) != 2 or not game.out:
        return None
    tables = {place.table for player in game.alive if (place := room.where.get(player)) is not None}
    seated = all(player in room.where for player in game.alive)
    if not seated or len(tables) != 1 or room.tables[min(tables)].by_hand:
        return None
    return None if tables == {game.last_two_told} else min(tables)


def plays_on(room: Room, table: str, state: TableState, rules: RoomRules) -> bool:
    """Whether a table that was told to wait is held no longer, and is left alone: the floor has let it go there."""
    wanted = wanted_of(room, table, rules)
    told = room.told.get(table)
    if wanted is None or told != (wanted.why, wanted.after_hand):
        return False
    return state.hold is None and state.hold_ended != "time"


def lines_of(room: Room, states: States, rules: RoomRules, tables: Iterable[str]) -> tuple[str, ...]:
    """How the tables stand, one a line."""
    found = []
    for table in tables:
        state = states.get(table)
        why = f"halted: {room.halts[table]}" if table in room.halts else ""
        if room.tables[table].by_hand:
            line = f"{why}, by hand: tell its dealer" if why else "by hand"
        elif table in room.cut:
            game = room.games[room.tables[table].game]
            waits = "; hand for hand waits for it" if game.hand_for_hand and table not in game.waits else ""
            line = f"cut off with its pit {room.cut[table]}, plays on by itself{waits}"
        elif state is None:
            line = f"{why}; does not answer" if why else "does not answer"
        elif plays_on(room, table, state, rules):
            line = "was let go at the table and plays on"
        elif state.hold is not None:
            line = why or (f"waits after hand {state.hand_no}" if state.hold.waits else f"plays hand {state.hand_no}")
        else:
            line = why or "plays"
        found.append(f"{table}: {line}")
    return tuple(found)
