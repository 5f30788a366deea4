"""Short stretches of pictures around every act, for a dispute: the ring that is kept in memory, without any thread.

Frames come in encoded; the last seconds of them are held. An act opens a stretch that begins with what is held and ends
some seconds after the last act in it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Final

from betline.messages.devices import ACT_EVENTS, LineEvent

BEFORE_NS: Final = 3_000_000_000
AFTER_NS: Final = 2_000_000_000
MAX_NS: Final = 20_000_000_000
"""A stretch is closed after this long; acts that follow open the next one."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One encoded frame, the monotonic time that it shows, and the wall clock then."""

    t_ns: int
    wall_ms: int
    jpeg: bytes


@dataclass(slots=True)
class Stretch:
    """Frames around one act or several that followed each other."""

    frames: list[Kept]
    events: list[LineEvent] = field(default_factory=list)


class Ring:
    """Holds the last frames and the open stretch."""

    def __init__(self) -> None:
        self._held: deque[Kept] = deque()
        self._open: Stretch | None = None
        self._until_ns = 0

    def take(self, frame: Kept) -> Stretch | None:
        """The next frame; the stretch that ended with it, if one did."""
        self._held.append(frame)
        while self._held[0].t_ns < frame.t_ns - BEFORE_NS:
            self._held.popleft()
        if self._open is None:
            return None
        self._open.frames.append(frame)
        return self.close() if frame.t_ns >= self._until_ns else None

    def act(self, event: LineEvent) -> None:
        """An act was reported: its stretch begins, or the open one goes on."""
        if event.kind not in ACT_EVENTS:
            return
        if self._open is None:
            self._open = Stretch(list(self._held))
        self._open.events.append(event)
        first_ns = self._open.frames[0].t_ns if self._open.frames else event.t_first_ns
        self._until_ns = min(event.t_confirm_ns + AFTER_NS, first_ns + MAX_NS)

    def close(self) -> Stretch | None:
        """The open stretch as it is."""
        ended, self._open = self._open, None
        return ended
