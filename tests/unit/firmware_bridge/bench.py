"""A link and a virtual reader of any family on a line in memory, with a clock that jumps to whatever happens next."""

from __future__ import annotations

from dataclasses import dataclass, field

from firmware_bridge.effects import ClosePort, OpenPort, RoundOver, Send, Trouble
from firmware_bridge.link import ReaderLink
from firmware_bridge.protocols.family import Family
from firmware_bridge.schedule import Channel
from virtual_table.readers.device import SerialDevice
from virtual_table.readers.memory import MemoryLine

NS = 1_000_000


@dataclass
class Bench:
    """What a driver would do, without port and without sleep."""

    link: ReaderLink
    line: MemoryLine
    now_ms: float = 0.0
    rounds: list[RoundOver] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)
    sent: list[bytes] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        family: Family,
        device: SerialDevice,
        *,
        antenna: int | None = None,
        bytes_per_read: int = 64,
        looks_again: bool = True,
    ) -> Bench:
        """One reader over one zone, in which an act is awaited."""
        link = ReaderLink(family, [Channel("seat-1", antenna)], looks_again=looks_again)
        link.attend(frozenset({"seat-1"}), 0)
        return cls(link, MemoryLine(device, family.traits.line, bytes_per_read=bytes_per_read))

    def run(self, until_ms: float) -> None:
        while self.now_ms < until_ms:
            self._obey(self.link.tick(self._now_ns))
            coming = self.line.next_ms
            wake_ms = self.link.wake_ns / NS
            if coming is not None and coming <= wake_ms:
                self.now_ms = max(self.now_ms, coming)
                data = self.line.read(self.now_ms)
                if data:
                    self._obey(self.link.received(self._now_ns, data))
            else:
                self.now_ms = max(self.now_ms + 0.01, min(wake_ms, until_ms))

    @property
    def heard(self) -> list[set[str]]:
        """The tags of each round, second looks apart."""
        return [{tag.uid for tag in over.tags} for over in self.rounds if not over.quiet]

    @property
    def _now_ns(self) -> int:
        return int(self.now_ms * NS) + 1

    def _obey(self, effects: list) -> None:
        for effect in effects:
            if isinstance(effect, OpenPort):
                self._obey(self.link.opened(self._now_ns))
            elif isinstance(effect, Send):
                self.sent.append(effect.data)
                self.line.write(effect.data, self.now_ms)
            elif isinstance(effect, RoundOver):
                self.rounds.append(effect)
            elif isinstance(effect, Trouble):
                self.troubles.append(effect)
            else:
                assert isinstance(effect, ClosePort)
