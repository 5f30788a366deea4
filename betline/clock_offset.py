"""How far another program's monotonic clock is from ours, learned from its messages alone. Pure.

A message says when it was sent, on its sender's clock, and we know when it arrived, on ours. The difference is the
offset of the two clocks and the message's delay; delays are never negative, so each message bounds the offset from
above, and the quickest one bounds it best. A message that waited in a queue bounds it badly and changes nothing.

The bound grows with its age by `DRIFT_PPM`, as the two clocks may drift apart. After `WINDOW_NS` without a message as
quick, the quickest since then takes over: a sender whose clock stood still (a laptop that slept) is believed again.

So a time that is translated is never earlier than it was, as long as the clocks drift by no more than assumed, and
later by at most the delay of the quickest message of the last window and twice the drift over its age. The uncertainty
counts `MAX_DELAY_NS` for that delay: one-way messages cannot tell it from an offset.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from betline.units import NS_PER_MS, NS_PER_S

DRIFT_PPM: Final = 1000
"""How fast two clocks may drift apart: 100 for two cheap crystals, and 500 for NTP slewing one, with room to spare."""
WINDOW_NS: Final = 20 * NS_PER_S
MAX_DELAY_NS: Final = 20 * NS_PER_MS
"""How long the quickest message of a window may take: 1 ms on one host, a few on a switch, 10 on a poor Wi-Fi."""


@dataclass(frozen=True, slots=True)
class Bound:
    """What one message says: at `at_ns` our clock was ahead of the sender's by `offset_ns` at most."""

    offset_ns: int
    at_ns: int

    def by(self, now_ns: int) -> int:
        """What it says of a later moment."""
        return self.offset_ns + (now_ns - self.at_ns) * DRIFT_PPM // 1_000_000


@dataclass(frozen=True, slots=True)
class ClockOffset:
    """The offset of one sender's clock. `of(sent, arrived)` makes the first from one message."""

    quickest: Bound
    """The quickest message of this window or the one before."""
    window_ns: int
    """When this window began."""
    runner_up: Bound | None = None
    """The quickest message since, where none was quicker than `quickest`."""

    @classmethod
    def of(cls, sent_ns: int, arrived_ns: int) -> ClockOffset:
        """The offset by the first message, sent at a time of its sender's clock and arrived at a time of ours."""
        return cls(Bound(arrived_ns - sent_ns, arrived_ns), arrived_ns)

    def after(self, sent_ns: int, arrived_ns: int) -> ClockOffset:
        """The offset after one more message; in which order they were sent does not matter."""
        bound = Bound(arrived_ns - sent_ns, arrived_ns)
        if bound.offset_ns <= self.quickest.by(arrived_ns):
            return ClockOffset(bound, arrived_ns)
        runner_up = self.runner_up
        if runner_up is None:
            return ClockOffset(self.quickest, arrived_ns, bound)
        if bound.offset_ns <= runner_up.by(arrived_ns):
            runner_up = bound
        if arrived_ns - self.window_ns >= WINDOW_NS:
            return ClockOffset(runner_up, arrived_ns)
        return ClockOffset(self.quickest, self.window_ns, runner_up)

    def at(self, now_ns: int) -> int:
        """What to add to a time of the sender's clock to have it on ours."""
        return self.quickest.by(now_ns)

    def uncertainty_ns(self, now_ns: int) -> int:
        """By how much a translated time may be too late."""
        return MAX_DELAY_NS + 2 * max(0, now_ns - self.quickest.at_ns) * DRIFT_PPM // 1_000_000
