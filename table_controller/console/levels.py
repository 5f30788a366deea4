"""The clocks as lines: level and game in turn, and the player's clock; time left is reckoned from when it ends."""

from __future__ import annotations

from betline.messages.table import LevelState, RotationState, TableState
from table_controller.console.view import Line

LAST_MINUTE_MS = 60_000
LAST_SECONDS_MS = 10_000


def evening_line(state: TableState | None, now_ms: int) -> Line | None:
    """What is shown at a moment of the wall clock; None at a table with neither levels nor several games."""
    if state is None or (state.level is None and state.rotation is None):
        return None
    parts = []
    tone = False
    if state.level is not None:
        left_ms = _left_ms(state.level, now_ms)
        parts.append("  ".join(_level(state.level, left_ms)))
        standing = state.level.ends_ms is None and state.level.started
        tone = standing or (state.level.started and left_ms <= LAST_MINUTE_MS)
    if state.rotation is not None:
        parts.append(_rotation(state.rotation))
    return Line("", " · ".join(parts), "warn" if tone else "plain")


def level_line(state: TableState | None, now_ms: int) -> Line | None:
    """The level and its time as short as the head of a small screen needs them; None at a table without levels."""
    if state is None or (level := state.level) is None:
        return None
    left_ms = _left_ms(level, now_ms)
    standing = level.started and level.ends_ms is None
    name = "break" if level.in_break else f"L{level.number}"
    note = " paused" if standing else "" if level.started else " not started"
    urgent = standing or (level.started and left_ms <= LAST_MINUTE_MS)
    return Line("", f"{name} {_time(left_ms)}{note}", "warn" if urgent else "plain")


def players_left(state: TableState | None) -> str:
    """Who is left at a table with levels, and what they have on the average; empty at one without."""
    if state is None or state.level is None:
        return ""
    alive = [seat for seat in state.seats if seat.stack or seat.status in ("in", "all-in")]
    if not alive:
        return ""
    total = sum(seat.stack for seat in state.seats) + (state.pot if state.phase != "hand-over" else 0)
    return f"{len(alive)} players left, {total // len(alive):,} on the average"


def turn_line(state: TableState | None, now_ms: int) -> Line | None:
    """How long the seat to act still has; None while no clock runs."""
    clock = None if state is None else state.player_clock
    if clock is None:
        return None
    left_ms = max(0, clock.ends_ms - now_ms)
    time = f"seat {clock.seat} {_time(left_ms)}" if left_ms else f"seat {clock.seat} TIME UP"
    banks = f" +{clock.time_banks}" if clock.time_banks else ""
    return Line("", f"{time}{banks}", "warn" if left_ms <= LAST_SECONDS_MS else "plain")


def _left_ms(level: LevelState, now_ms: int) -> int:
    return max(0, level.ends_ms - now_ms) if level.ends_ms is not None else level.left_ms or 0


def _level(level: LevelState, left_ms: int) -> tuple[str, ...]:
    if not level.started:
        time = f"{_time(left_ms)}, the clock is not started"
    elif level.ends_ms is None:
        time = f"Paused, {_time(left_ms)} left"
    elif not left_ms and level.next_number is None:
        time = "time is up"
    else:
        time = f"{_time(left_ms)} left"
    raced = () if level.colour_up is None else (f"colour up the {level.colour_up}s",)
    if level.in_break:
        pause = "Break" if level.ends_ms is not None else "Break, paused"
        return (f"{pause} {_time(left_ms)}", f"then level {level.next_number}", level.next_stakes, *raced)
    following = () if level.next_number is None else (f"next {level.next_stakes}", *raced)
    return (f"Level {level.number}", level.stakes, time, *following)


def _rotation(rotation: RotationState) -> str:
    if rotation.chosen:
        return f"{rotation.game}, next hand {rotation.next_game}"
    if not rotation.next_game:
        return f"{rotation.game}, the dealer chooses"
    if rotation.hands_left is None:
        return f"{rotation.game}, then {rotation.next_game}"
    if not rotation.hands_left:
        return f"{rotation.game}, next hand {rotation.next_game}"
    more = "1 more hand" if rotation.hands_left == 1 else f"{rotation.hands_left} more hands"
    return f"{rotation.game}, {rotation.next_game} after {more}"


def _time(milliseconds: int) -> str:
    """Minutes and seconds, a second that has begun counted whole."""
    seconds = -(-milliseconds // 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
