"""The imperative shell of one session: the bridge's own link, driven on an open place, with everything on a tape.

It is what `firmware_bridge.driver` does, without a thread and on a clock that a test may own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from betline.units import NS_PER_MS, NS_PER_S
from firmware_bridge.conform.evidence import Entry, Failure, RoundSeen, Session
from firmware_bridge.conform.place import Place, Wire
from firmware_bridge.effects import ClosePort, Effect, OpenPort, RoundOver, Send
from firmware_bridge.evidence import stronger
from firmware_bridge.link import ReaderLink
from firmware_bridge.protocols.family import Family
from firmware_bridge.schedule import Channel
from firmware_bridge.serial_line import LineError

_MAX_WAIT_S: Final = 0.25


class Drive:
    """One reader, read as the acting seat is, on the outputs `antennas` (None: without choosing one)."""

    def __init__(self, place: Place, family: Family, antennas: Sequence[int | None], *, keeps_all: bool = True) -> None:
        """`keeps_all`: bytes and tags are kept too, and not only the times of the rounds; not for hours."""
        self._place = place
        self._link = ReaderLink(family, [Channel(f"antenna-{one}", one) for one in antennas], looks_again=False)
        self._began_ns = place.now_ns()
        self._link.attend(frozenset(f"antenna-{one}" for one in antennas), self._began_ns)
        self._wire: Wire | None = None
        self._keeps_all = keeps_all
        self._was_lost = False
        self._returned_ms: float | None = None
        self.rounds: list[RoundSeen] = []
        self.failures: list[Failure] = []
        self._entries: list[Entry] = []

    @property
    def lost(self) -> bool:
        """Whether the port was not there at some time of the session."""
        return self._was_lost

    @property
    def is_back(self) -> bool:
        """Whether a round was complete after the port had been lost and opened again."""
        returned_ms = self._returned_ms
        return returned_ms is not None and any(one.ended_ms > returned_ms for one in self.rounds)

    def run(self, enough: Callable[[Drive], bool], within_s: float) -> None:
        """Read until `enough` says so, or the time is up."""
        until_ns = self._place.now_ns() + int(within_s * NS_PER_S)
        while not enough(self) and self._place.now_ns() < until_ns:
            self._obey(self._next(until_ns))

    def over(self) -> Session:
        """Close the port; what was seen."""
        self._close()
        return Session(
            began_ms=self._began_ns / NS_PER_MS,
            ended_ms=self._place.now_ns() / NS_PER_MS,
            rounds=tuple(self.rounds),
            failures=tuple(self.failures),
            health=self._link.health,
            entries=tuple(self._entries),
            identity=self._link.identity,
            returned_ms=self._returned_ms,
        )

    def _next(self, until_ns: int) -> list[Effect]:
        now = self._place.now_ns()
        if now >= self._link.wake_ns:
            return self._link.tick(now)
        wait_s = min((min(self._link.wake_ns, until_ns) - now) / NS_PER_S, _MAX_WAIT_S)
        if self._wire is None:
            self._place.pause(wait_s)
            return []
        try:
            data = self._wire.read(wait_s)
        except LineError as error:
            return self._gone(error)
        if not data:
            return []
        self._note(is_request=False, data=data)
        return self._link.received(self._place.now_ns(), data)

    def _obey(self, effects: list[Effect]) -> None:
        waiting = list(effects)
        while waiting:
            effect = waiting.pop(0)
            if isinstance(effect, OpenPort):
                waiting += self._open()
            elif isinstance(effect, ClosePort):
                self._close()
            elif isinstance(effect, Send):
                waiting += self._send(effect.data)
            elif isinstance(effect, RoundOver):
                self.rounds.append(_seen(effect, with_tags=self._keeps_all))
            else:
                self.failures.append(Failure(self._now_ms, effect.code, effect.sentence))

    def _open(self) -> list[Effect]:
        try:
            self._wire = self._place.open()
        except LineError as error:
            self._was_lost = True
            return self._link.open_failed(self._place.now_ns(), error.code, str(error))
        if self._was_lost:
            self._returned_ms = self._now_ms
        return self._link.opened(self._place.now_ns())

    def _send(self, data: bytes) -> list[Effect]:
        if self._wire is None:
            return []
        self._note(is_request=True, data=data)
        try:
            self._wire.write(data)
        except LineError as error:
            return self._gone(error)
        return []

    def _gone(self, error: LineError) -> list[Effect]:
        self._was_lost = True
        return self._link.lost(self._place.now_ns(), str(error))

    def _close(self) -> None:
        wire, self._wire = self._wire, None
        if wire is not None:
            wire.close()

    def _note(self, *, is_request: bool, data: bytes) -> None:
        if self._keeps_all:
            self._entries.append(Entry(self._now_ms, is_request, data))

    @property
    def _now_ms(self) -> float:
        return self._place.now_ns() / NS_PER_MS


def _seen(over: RoundOver, *, with_tags: bool) -> RoundSeen:
    strengths: dict[str, int | None] = {}
    for tag in over.tags if with_tags else ():
        strengths[tag.uid] = stronger(strengths.get(tag.uid), tag.rssi)
    ended_ms = over.last_byte_ns / NS_PER_MS
    return RoundSeen(over.channel.antenna, ended_ms, over.cycle_ms, strengths, over.warnings)
