"""Who is polled next: the acting seat every cycle, the others in turn, tray and pot slower.

Pure. A reader that serves one zone just gets that zone's pace; a reader that switches between antennas shares its
time by the same rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum


class Need(Enum):
    """How soon a change in a zone matters."""

    SEAT = "seat"
    SLOW = "slow"
    """Tray, pot, muck: nobody waits for them."""


@dataclass(frozen=True, slots=True)
class Channel:
    """One antenna zone as a reader sees it. `antenna` is None for a reader that does not switch antennas."""

    zone: str
    antenna: int | None = None
    need: Need = Need.SEAT


@dataclass(frozen=True, slots=True)
class Pace:
    """The shortest time from the start of one round of a zone to the start of its next, in milliseconds."""

    acting_ms: float = 35.0
    seat_ms: float = 240.0
    slow_ms: float = 480.0
    patience_ms: float = 720.0
    """A zone where no act is awaited is read after so long even while chips move elsewhere on its reader."""

    def of(self, channel: Channel, acting: frozenset[str]) -> float:
        if channel.zone in acting:
            return self.acting_ms
        return self.seat_ms if channel.need is Need.SEAT else self.slow_ms


@dataclass(frozen=True, slots=True)
class Poll:
    """Read `channel`, not before `at_ms`."""

    channel: Channel
    at_ms: float


def next_poll(
    channels: Sequence[Channel],
    begun_ms: Mapping[Channel, float],
    acting: frozenset[str],
    now_ms: float,
    pace: Pace,
    urgent: frozenset[str] = frozenset(),
) -> Poll:
    """The next round of a reader that serves `channels`, of which there is at least one.

    `begun_ms` says when the last round of each channel began; one that is missing was never read and goes first.
    `acting` are the zones where an act is awaited or that somebody wants to know. If their rounds and the others'
    compete, they alternate. While one of them is `urgent`, since chips move there, the reader's time is that zone's:
    the others of `acting` keep their usual pace, and the rest are left out for as long as `Pace.patience_ms` allows.
    """
    never = float("-inf")
    if any(channel.zone in urgent for channel in channels):
        overdue_ms = now_ms - pace.patience_ms
        channels = [one for one in channels if one.zone in acting or begun_ms.get(one, never) <= overdue_ms]
        acting = urgent

    def due(channel: Channel) -> float:
        return begun_ms.get(channel, never) + pace.of(channel, acting)

    def lateness(channel: Channel) -> float:
        return (now_ms - begun_ms.get(channel, never)) / pace.of(channel, acting)

    ready = [channel for channel in channels if due(channel) <= now_ms]
    if not ready:
        first = min(channels, key=due)
        return Poll(first, due(first))
    wanted = [channel for channel in ready if channel.zone in acting]
    others = [channel for channel in ready if channel.zone not in acting]
    last = max(channels, key=lambda channel: begun_ms.get(channel, never))
    acting_had_its_turn = last.zone in acting and last in begun_ms
    chosen = others if others and (acting_had_its_turn or not wanted) else wanted
    return Poll(max(chosen, key=lateness), now_ms)
