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
from table_controller.levels.clock import ClockAction, LevelClock, Mark, Period

NEAR_MS = 2_000
"""A table whose clock was started and differs by less follows."""


def clock_of(game: Game, periods: tuple[Period, ...], now_ms: int) -> LevelClock:
    """The clock as it stands; raises RoomError (`no-levels`) for a game that has none.

    Hand for hand a level stands, since each hand takes its time off it. A break runs, and what follows it stands at its
    beginning.
    """
    if not periods:
        raise RoomError("no-levels", f"{game.name} has no levels: add the game with --levels TABLE.")
    clock = LevelClock.of(periods, game.mark)
    mark = clock.mark
    if not game.hand_for_hand or mark.since_ms is None:
        return clock
    if not periods[mark.period].is_break:
        return replace(clock, mark=replace(mark, since_ms=None))
    if clock.at(now_ms).period == mark.period:
        return clock
    return replace(clock, mark=Mark(mark.period + 1, periods[mark.period + 1].length_ms))


def setting(
    game: Game, periods: tuple[Period, ...], now_ms: int, action: ClockAction, level: int | None, left_ms: int | None
) -> e.ClockSet:
    """What the staff does to the clock; raises RoomError with the clock's own sentence.

    Raises RoomError (`hand-for-hand`) where it would run while each hand takes its time off it.
    """
    clock = clock_of(game, periods, now_ms)
    if game.hand_for_hand and action in ("start", "resume") and not clock.at(now_ms).in_break:
        raise RoomError(
            "hand-for-hand",
            "Play is hand for hand: its hands take their time off the clock. betline room hand-for-hand off ends it.",
        )
    try:
        moved = clock.adjusted(action, now_ms, level, left_ms)
    except Illegal as refusal:
        raise RoomError(refusal.code, refusal.sentence) from None
    return _event(game, moved)


def level_now(game: Game, periods: tuple[Period, ...], now_ms: int) -> int | None:
    """The level in which an entry would be bought, in a break the one before it; None before play has begun."""
    if not periods or game.mark is None:
        return None
    return clock_of(game, periods, now_ms).at(now_ms).level


def commands_for(
    game: Game, periods: tuple[Period, ...], now_ms: int, there: LevelState | None
) -> tuple[Clock, ...]:  # fmt: skip
    """What brings a table's clock to the room's; none where it follows already. One that is to stand is stopped first.

    A table that knows of no clock yet is told one that stands, however near its first level is to it. Raises RoomError
    (`no-levels`) for a table without levels.
    """
    if there is None:
        raise RoomError("no-levels", "its table file has no levels")
    clock = clock_of(game, periods, now_ms)
    reading = clock.at(now_ms)
    runs = there.ends_ms is not None
    found = [Clock(action="pause")] if runs and not reading.running else []
    if not _follows(clock, now_ms, there):
        same = (there.number, there.in_break) == (reading.level, reading.in_break)
        left_s = -(-reading.left_ms // 1000)
        found.append(
            Clock(action="set", left_s=left_s)
            if same
            else Clock(action="set", level=reading.level, left_s=left_s, in_break=reading.in_break)
        )
    if reading.running and not runs:
        found.append(Clock(action="resume" if there.started else "start"))
    return tuple(found)


def _follows(clock: LevelClock, now_ms: int, there: LevelState) -> bool:
    """Whether a table's clock is so near that only running and standing may differ.

    Two that run are compared on the time line of the evening: at the end of a level one walks on a moment earlier.
    """
    reading, period = clock.at(now_ms), clock.place_of(there.number, in_break=there.in_break)
    left_ms = there.left_ms if there.ends_ms is None else there.ends_ms - now_ms
    if period is None or left_ms is None or not (there.started or reading.running):
        return False
    if period == len(clock.periods) - 1:
        left_ms = max(0, left_ms)
    if there.ends_ms is None or not reading.running:
        return period == reading.period and abs(left_ms - reading.left_ms) <= NEAR_MS
    return abs(_gone_ms(clock, period, left_ms) - _gone_ms(clock, reading.period, reading.left_ms)) <= NEAR_MS


def _gone_ms(clock: LevelClock, period: int, left_ms: int) -> int:
    """How much of an evening without pauses is gone."""
    return clock.starts_ms()[period] + clock.periods[period].length_ms - left_ms


def hand_for_hand(
    game: Game, periods: tuple[Period, ...], now_ms: int, *, on: bool
) -> tuple[e.HandForHand | e.ClockSet, ...]:  # fmt: skip
    """All tables deal together from now on, and the clock stands meanwhile; or no longer, and it goes on if it ran.

    A break that runs goes on. Raises RoomError (`as-it-is`).
    """
    if game.hand_for_hand == on:
        raise RoomError("as-it-is", "It plays hand for hand already." if on else "It does not play hand for hand.")
    event = e.HandForHand(game=game.name, on=on)
    if not periods or game.mark is None:
        return (event,)
    clock = clock_of(game, periods, now_ms)
    reading = clock.at(now_ms)
    if not reading.in_break:
        if on and reading.running:
            clock = clock.paused(now_ms)
        elif not on and game.ran:
            clock = clock.started(now_ms)
    return (event, *_changed(game, clock))


def hand_ended(
    room: Room, game: Game, table: str, periods: tuple[Period, ...], rules: RoomRules, now_ms: int
) -> tuple[e.HandEnded | e.ClockSet, ...]:
    """A table has ended its hand; when all have, the house's time for a hand goes off the clock.

    Raises RoomError (`not-so`, `waits`).
    """
    tables = room.dealing(game.name)
    if not game.hand_for_hand or table not in tables:
        raise RoomError("not-so", f"Table {table} does not play hand for hand in {game.name}.")
    if table in game.waits:
        rest = ", ".join(sorted(tables - game.waits))
        raise RoomError("waits", f"Table {table} has ended its hand already and waits for {rest}.")
    return hands_over(room, game, table, periods, rules, now_ms)


def hands_over(
    room: Room, game: Game, table: str, periods: tuple[Period, ...], rules: RoomRules, now_ms: int
) -> tuple[e.HandEnded | e.ClockSet, ...]:
    """A hand has ended there, and its time goes off the clock where all others have ended theirs."""
    event = e.HandEnded(game=game.name, table=table)
    if not game.waits | {table} >= room.dealing(game.name) or not periods or game.mark is None:
        return (event,)
    clock = clock_of(game, periods, now_ms)
    if clock.mark.since_ms is None and not periods[clock.mark.period].is_break:
        clock = replace(clock, mark=_shortened(clock, rules.hand_for_hand_s * 1000, now_ms))
    return (event, *_changed(game, clock))


def _shortened(clock: LevelClock, by_ms: int, now_ms: int) -> Mark:
    """A clock that stands, as though so much time had passed; a break that it comes to begins now and is whole."""
    period, left_ms = clock.mark.period, clock.mark.left_ms
    while by_ms >= left_ms and period + 1 < len(clock.periods):
        by_ms -= left_ms
        period += 1
        left_ms = clock.periods[period].length_ms
        if clock.periods[period].is_break:
            return Mark(period, left_ms, now_ms)
    return Mark(period, max(0, left_ms - by_ms))


def _changed(game: Game, clock: LevelClock) -> tuple[e.ClockSet, ...]:
    return () if clock.mark == game.mark else (_event(game, clock),)


def _event(game: Game, clock: LevelClock) -> e.ClockSet:
    mark = clock.mark
    return e.ClockSet(game=game.name, period=mark.period, left_ms=mark.left_ms, since_ms=mark.since_ms)
