"""A virtual reader with Betline's firmware: the compiled core if there is a C compiler, else its twin in Python.

The field's random stream decides which tags answer in an inventory; what follows from that (anticollision, air time,
snapshots, answers) is up to the firmware.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from virtual_table.readers.air import ISO15693
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.betline_c import FirmwareCore, has_firmware
from virtual_table.readers.betline_core import Answering, CoreSetup, Listener, ReaderCore, Said
from virtual_table.readers.betline_twin import TwinCore
from virtual_table.readers.faults import Piece
from virtual_table.readers.field import TagsInField
from virtual_table.readers.reader import VirtualReader

CoreMaker = Callable[[CoreSetup, Listener], ReaderCore]
_STRONGEST: Final = 255


@dataclass(frozen=True, slots=True)
class BetlineSetup:
    """What the straps of a board set, and the core that it runs."""

    seat: int = 0
    serial: str | None = None
    """Default: made from the seed."""
    core: CoreMaker | None = None
    """Default: the compiled firmware if it is available."""


class VirtualBetlineReader(VirtualReader):
    """One reader, of ISO 15693 tags."""

    airs = (ISO15693,)

    def __init__(
        self,
        tags_in_field: TagsInField,
        behaviour: Behaviour | None = None,
        seed: int = 0,
        setup: BetlineSetup | None = None,
    ) -> None:
        behaviour, setup = behaviour or Behaviour(), setup or BetlineSetup()
        serial = f"SIM{seed:06d}" if setup.serial is None else setup.serial
        make_core: CoreMaker = setup.core or (FirmwareCore if has_firmware() else TwinCore)
        self._core = make_core(
            CoreSetup(behaviour.antennas, setup.seat, serial, round(behaviour.air_factor * 1000)), self._listen
        )
        self._boots = random.Random(f"{seed}:boots")
        self._on_ms = 0.0
        self._hello: list[Said] = []
        super().__init__(tags_in_field, behaviour, seed)

    def power_on(self, now_ms: float) -> None:
        """The reader boots; its clock begins at 0."""
        self._on_ms = now_ms
        self._hello = self._core.power_on(self._boots.getrandbits(32), 0)

    def answer(self, data: bytes, now_ms: float) -> list[Piece]:
        """What the reader sends in reply to the host."""
        return self._pieces(self._core.receive(data, self._us(now_ms)), now_ms)

    @property
    def due_ms(self) -> float | None:
        """When the reader next sends HELLO or its health, starts a cycle or goes on with one."""
        return self._on_ms if self._hello else self._on_ms + self._core.next_us / 1000.0

    def push(self, now_ms: float) -> list[Piece]:
        """What the reader sends unasked."""
        return self._pieces(self._core.speak(self._us(now_ms)), now_ms)

    def _us(self, now_ms: float) -> int:
        return round((now_ms - self._on_ms) * 1000.0)

    def _pieces(self, said: list[Said], now_ms: float) -> list[Piece]:
        hello, self._hello = self._hello, []
        return [(max(0.0, self._on_ms + at_us / 1000.0 - now_ms), frame) for at_us, frame in (*hello, *said)]

    def _listen(self, antenna: int) -> Answering:
        sweep = self.antennas.sweep((antenna,))
        tags = [(int(tag.uid, 16), round(tag.signal * _STRONGEST)) for tag in sweep.heard]
        return Answering(tags, sweep.warned)
