"""The clock of the levels: which level a moment has, what is left of it, and what the staff adjusts (R-293).

A clock is a mark (so much was left of a period, and since when it runs) over the periods of the table file. It walks
from there by the time that it is asked for, so nothing need happen for a level to end. Times are wall-clock
milliseconds, which go on while a program restarts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Literal

from betline.settings import Level
from table_controller.betting import Illegal

MINUTE_MS = 60_000
ClockAction = Literal["start", "pause", "resume", "next", "back", "set"]
"""What the staff does to a clock."""


@dataclass(frozen=True, slots=True)
class Period:
    """A level, or the break that follows the level of that number."""

    level: int
    is_break: bool
    length_ms: int

    @property
    def in_force(self) -> int:
        """The level of a hand that begins in it: in a break the one that follows."""
        return self.level + self.is_break


def periods_of(levels: Sequence[Level]) -> tuple[Period, ...]:
    """Levels and breaks in order."""
    found: list[Period] = []
    for number, level in enumerate(levels, 1):
        found.append(Period(number, False, level.minutes * MINUTE_MS))
        if level.break_minutes:
            found.append(Period(number, True, level.break_minutes * MINUTE_MS))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Mark:
    """What was left of a period (its place in the order) at `since_ms`; None: the clock stands."""

    period: int
    left_ms: int
    since_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """The clock at a moment: the level, in a break the one before it, and the time left of the level or the break."""

    period: int
    level: int
    next_level: int | None
    in_break: bool
    running: bool
    left_ms: int

    @property
    def in_force(self) -> int:
        """The level of a hand that begins now: in a break the one that follows."""
        return self.level + self.in_break


@dataclass(frozen=True, slots=True)
class LevelClock:
    """The levels of a table with their clock. It stands before the first level until it is started."""

    periods: tuple[Period, ...]
    mark: Mark

    @classmethod
    def of(cls, periods: tuple[Period, ...], mark: Mark | None = None) -> LevelClock:
        """The clock with that mark, or not yet started; a mark beyond the last period stands at that one's end."""
        if mark is None:
            return cls(periods, Mark(0, periods[0].length_ms))
        if mark.period >= len(periods):
            mark = Mark(len(periods) - 1, 0, mark.since_ms)
        return cls(periods, mark)

    def at(self, now_ms: int) -> Reading:
        """What the clock shows. The last level has no end: when its time is up nothing is left of it."""
        mark = self._walked(now_ms)
        period = self.periods[mark.period]
        following = period.level + 1 if period.level < self.periods[-1].level else None
        running = mark.since_ms is not None
        return Reading(mark.period, period.level, following, period.is_break, running, mark.left_ms)

    def ends_ms(self, period: int) -> int | None:
        """When a period that has not ended by the mark ends; None while the clock stands."""
        if self.mark.since_ms is None:
            return None
        later = [one.length_ms for one in self.periods[self.mark.period + 1 : period + 1]]
        return self.mark.since_ms + self.mark.left_ms + sum(later)

    def to_break_ms(self, period: int) -> int | None:
        """How long after the end of a period the next break begins; None where none is to come."""
        played = 0
        for one in self.periods[period + 1 :]:
            if one.is_break:
                return played
            played += one.length_ms
        return None

    def starts_ms(self) -> tuple[int, ...]:
        """When each period begins, counted from the start of an evening without pauses."""
        return (0, *accumulate(one.length_ms for one in self.periods[:-1]))

    def adjusted(
        self,
        action: ClockAction,
        now_ms: int,
        level: int | None = None,
        left_ms: int | None = None,
        *,
        in_break: bool = False,
    ) -> LevelClock:
        """The clock after what the staff does; `level`, `left_ms` and `in_break` are for "set". Raises Illegal."""
        match action:
            case "start" | "resume":
                return self.started(now_ms)
            case "pause":
                return self.paused(now_ms)
            case "next":
                return self.next(now_ms)
            case "back":
                return self.back(now_ms)
            case "set":
                return self.set_to(now_ms, level, left_ms, in_break=in_break)

    def started(self, now_ms: int) -> LevelClock:
        """The clock goes, for the first time or again; raises Illegal (`not-open`) where it goes already."""
        if self.mark.since_ms is not None:
            raise Illegal("not-open", "Let it run: the clock is running already.")
        return replace(self, mark=replace(self.mark, since_ms=now_ms))

    def paused(self, now_ms: int) -> LevelClock:
        """The clock stands, nothing of its time is lost; raises Illegal (`not-open`) where it stands already."""
        if self.mark.since_ms is None:
            raise Illegal("not-open", "Start it first: the clock is not running.")
        return replace(self, mark=replace(self._walked(now_ms), since_ms=None))

    def next(self, now_ms: int) -> LevelClock:
        """The level after the present one begins, in a break the one that follows it.

        Raises Illegal (`not-open`) at the last level.
        """
        reading = self.at(now_ms)
        if reading.next_level is None:
            raise Illegal("not-open", f"Stay on it: level {reading.level} is the last one.")
        return self.set_to(now_ms, reading.next_level)

    def back(self, now_ms: int) -> LevelClock:
        """The level before the present one begins again, in a break the one that it follows.

        Raises Illegal (`not-open`) at the first level.
        """
        reading = self.at(now_ms)
        level = reading.level if reading.in_break else reading.level - 1
        if not level:
            raise Illegal("not-open", "Stay on it: level 1 is the first one.")
        return self.set_to(now_ms, level)

    def set_to(
        self, now_ms: int, level: int | None = None, left_ms: int | None = None, *, in_break: bool = False
    ) -> LevelClock:
        """A level, or the break after it, with so much time left, by default its whole; without one what is left of the
        present period.

        The clock goes on or stands as before. Raises Illegal (`not-open`) where there is no such level or break.
        """
        walked = self._walked(now_ms)
        if level is None:
            return replace(self, mark=replace(walked, left_ms=walked.left_ms if left_ms is None else left_ms))
        if not 1 <= level <= self.periods[-1].level:
            raise Illegal("not-open", f"Name a level from 1 to {self.periods[-1].level}: there is no level {level}.")
        place = self.place_of(level, in_break=in_break)
        if place is None:
            raise Illegal("not-open", f"Name another level: there is no break after level {level}.")
        whole = self.periods[place].length_ms
        return replace(self, mark=Mark(place, whole if left_ms is None else left_ms, walked.since_ms))

    def place_of(self, level: int, *, in_break: bool) -> int | None:
        """The index of a level's period, or of that of the break after it; None where there is none."""
        sought = (level, in_break)
        return next((n for n, one in enumerate(self.periods) if (one.level, one.is_break) == sought), None)

    def _walked(self, now_ms: int) -> Mark:
        """The same clock with its mark at this moment; a wall clock that was set back does not turn it back."""
        mark = self.mark
        if mark.since_ms is None:
            return mark
        period, left, gone = mark.period, mark.left_ms, max(0, now_ms - mark.since_ms)
        while gone >= left and period + 1 < len(self.periods):
            gone -= left
            period += 1
            left = self.periods[period].length_ms
        return Mark(period, max(0, left - gone), max(now_ms, mark.since_ms))
