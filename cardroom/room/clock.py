"""One clock for all tables of a tournament, breaks and pauses, and hand for hand. Pure: time comes in.

The room's clock leads. Each table has its own, of the same levels, that walks from the same mark; so a level begins
everywhere at once, and what is sent to a table is only the mark: set to this level with so much left, run or stand.
"""

from __future__ import annotations

from dataclasses import replace

from betline.messages.table import LevelState
from betline.steps.commands import Clock
from cardroom.room import events as e
from cardroom.room.errors import RoomError
from cardroom.room.room import Game, Room
from cardroom.room.rules import RoomRules
from table_controller.betting import Illegal
from table_controller.levels.clock import ClockAction, LevelClock, Period

NEAR_MS = 2_000
"""A table whose clock was started and differs by less follows."""


def clock_of(game: Game, periods: tuple[Period, ...]) -> LevelClock:
    """The clock as it stands; raises RoomError (`no-levels`) for a game that has none."""
    if not periods:
        raise RoomError("no-levels", f"{game.name} has no levels: add the game with --levels TABLE.")
    return LevelClock.of(periods, game.mark)


def setting(
    game: Game, periods: tuple[Period, ...], now_ms: int, action: ClockAction, level: int | None, left_ms: int | None
) -> e.ClockSet:
    """What the staff does to the clock; raises RoomError with the clock's own sentence."""
    clock = clock_of(game, periods)
    try:
        moved = clock.adjusted(action, now_ms, level, left_ms)
    except Illegal as refusal:
        raise RoomError(refusal.code, refusal.sentence) from None
    return _event(game, moved)


def level_now(game: Game, periods: tuple[Period, ...], now_ms: int) -> int | None:
    """The level in which an entry would be bought, in a break the one before it; None before play has begun."""
    if not periods or game.mark is None:
        return None
    return clock_of(game, periods).at(now_ms).level


def commands_for(
    game: Game, periods: tuple[Period, ...], now_ms: int, there: LevelState | None
) -> tuple[Clock, ...]:  # fmt: skip
    """What brings a table's clock to the room's; none where it follows already.

    A table that knows of no clock yet is told one that stands, however near its first level is to it.

    Raises RoomError (`no-levels`) for a table without levels, `other-break` where the room has a break and it has not:
    no command leads into a break.
    """
    if there is None:
        raise RoomError("no-levels", "its table file has no levels")
    clock = clock_of(game, periods)
    reading = clock.at(now_ms)
    left_there = there.left_ms if there.ends_ms is None else max(0, there.ends_ms - now_ms)
    same = there.number == reading.level and there.in_break == reading.in_break
    found = []
    if not same and reading.in_break:
        raise RoomError("other-break", "it is not in the break; set it by hand when the break is over")
    if not same:
        found.append(Clock(action="set", level=reading.level, left_s=reading.left_ms // 1000))
    elif left_there is None or abs(left_there - reading.left_ms) > NEAR_MS or not (there.started or reading.running):
        found.append(Clock(action="set", left_s=reading.left_ms // 1000))
    runs = there.ends_ms is not None
    if reading.running and not runs:
        found.append(Clock(action="resume" if there.started else "start"))
    elif runs and not reading.running:
        found.append(Clock(action="pause"))
    return tuple(found)


def hand_for_hand(
    game: Game, periods: tuple[Period, ...], now_ms: int, *, on: bool
) -> tuple[e.HandForHand | e.ClockSet, ...]:  # fmt: skip
    """All tables deal together from now on, and the clock stands meanwhile; or no longer, and it goes on.

    Raises RoomError (`as-it-is`).
    """
    if game.hand_for_hand == on:
        raise RoomError("as-it-is", "It plays hand for hand already." if on else "It does not play hand for hand.")
    event = e.HandForHand(game=game.name, on=on)
    if not periods or game.mark is None:
        return (event,)
    clock = clock_of(game, periods)
    if clock.at(now_ms).running != on:
        return (event,)
    return event, _event(game, clock.paused(now_ms) if on else clock.started(now_ms))


def hand_ended(
    room: Room, game: Game, table: str, periods: tuple[Period, ...], rules: RoomRules
) -> tuple[e.HandEnded | e.ClockSet, ...]:
    """A table has ended its hand; when all have, the house's time for a hand goes off the clock.

    Raises RoomError (`not-so`, `waits`).
    """
    tables = {one.name for one in room.tables_of(game.name)}
    if not game.hand_for_hand or table not in tables:
        raise RoomError("not-so", f"Table {table} does not play hand for hand in {game.name}.")
    if table in game.waits:
        rest = ", ".join(sorted(tables - game.waits))
        raise RoomError("waits", f"Table {table} has ended its hand already and waits for {rest}.")
    event = e.HandEnded(game=game.name, table=table)
    if game.waits | {table} != tables or not periods or game.mark is None:
        return (event,)
    return event, _event(game, _shortened(clock_of(game, periods), rules.hand_for_hand_s * 1000))


def _shortened(clock: LevelClock, by_ms: int) -> LevelClock:
    """A clock that stands, as though so much time had passed."""
    return replace(clock, mark=replace(clock.mark, since_ms=0)).paused(by_ms)


def _event(game: Game, clock: LevelClock) -> e.ClockSet:
    mark = clock.mark
    return e.ClockSet(game=game.name, period=mark.period, left_ms=mark.left_ms, since_ms=mark.since_ms)
