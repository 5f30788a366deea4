"""Single requests on an open port, and what comes back: for all that is not a round."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Final

from betline.units import NS_PER_MS, NS_PER_S
from firmware_bridge.conform.evidence import Exchange, Idle
from firmware_bridge.conform.heard import Ear, Heard
from firmware_bridge.conform.kit import Kit
from firmware_bridge.conform.line import LineWatch
from firmware_bridge.conform.place import Place

QUIET_MS: Final = 200.0
"""A reader with our firmware acknowledges between two rounds on the air, which take 140 ms at most."""
GAP_MS: Final = 25.0
"""After so long without a byte the ear is told that nothing comes: frames may end by a gap."""
LEFTOVERS_MS: Final = 600.0


class Talk:
    """A session of single requests, to be used as a context. Each may raise LineError."""

    def __init__(self, place: Place, kit: Kit) -> None:
        self._place = place
        self._kit = kit
        self._wire = place.open()
        self.parity_refused = self._wire.parity_refused

    def __enter__(self) -> Talk:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._wire.close()

    def settle(self) -> None:
        """Take what is still coming of the session before, until the line is quiet."""
        until_ns = self._place.now_ns() + int(LEFTOVERS_MS * NS_PER_MS)
        while self._place.now_ns() < until_ns and self._wire.read(QUIET_MS / 1000):
            pass

    def send(self, data: bytes) -> None:
        """Send bytes, and wait for nothing."""
        self._wire.write(data)

    def ask(self, request: bytes, is_answered: Callable[[bytes], bool], within_ms: float) -> Exchange:
        """Send `request`, and listen until `is_answered` by all that came since, or the time is up."""
        ear = self._kit.ear()
        ear.asked(request)
        began_ns = self._place.now_ns()
        self._wire.write(request)
        answer, heard, took_ms = b"", list[Heard](), None
        while took_ms is None and (spent_ms := (self._place.now_ns() - began_ns) / NS_PER_MS) < within_ms:
            new = self._wire.read(min(within_ms - spent_ms, GAP_MS) / 1000)
            answer += new
            heard += ear.feed(new, self._place.now_ns() / NS_PER_MS)
            if new and is_answered(answer):
                took_ms = (self._place.now_ns() - began_ns) / NS_PER_MS
        return Exchange(request, answer, took_ms, (*heard, *ear.end()))

    def listen(self, seconds: float) -> Idle:
        """Ask nothing for so long."""
        ear: Ear = self._kit.ear()
        watch = LineWatch(ear, self._place.line.byte_ms)
        began_ns = self._place.now_ns()
        heard: list[Heard] = []
        until_ns = began_ns + int(seconds * NS_PER_S)
        while (now_ns := self._place.now_ns()) < until_ns:
            data = self._wire.read(min((until_ns - now_ns) / NS_PER_S, GAP_MS / 1000))
            heard += watch.read(data, self._place.now_ns() / NS_PER_MS)
        heard += watch.end()
        return Idle((self._place.now_ns() - began_ns) / NS_PER_MS, tuple(heard), watch.stray_bytes)
