"""A virtual FEIG OBID i-scan reader: the host's bytes in, its own bytes and their delays out. Pure but for its dice.

It is built from the codec that the driver uses, seen from the other end: it reads requests and writes replies. What
makes it a reader rather than an echo: reading takes air time that grows with the number of tags; some tags are missed
and some of a neighbour's are read; a tag that was read is muted until the RF reset; long answers come in chains, or as
advanced frames; a damaged request gets no answer at all.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from firmware_bridge.protocols.feig.family import DEVICE
from firmware_bridge.protocols.feig.frames import Control, Reply, Request, request_decoder
from firmware_bridge.protocols.feig.inventory import (
    STAY_QUIET,
    AntennaReading,
    DataSet,
    InventoryMode,
    StayQuiet,
    TransponderType,
    encode_data_sets,
)
from firmware_bridge.protocols.feig.status import Status
from firmware_bridge.protocols.frame_error import FrameError
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.faults import Piece
from virtual_table.readers.field import FieldTag, TagsInField
from virtual_table.readers.reader import VirtualReader

COMMAND_MS: Final = 1.0
"""How long the reader thinks about a command that uses no air."""
RF_RESET_MS: Final = 12.0
"""Field off, field on, settled (hardware_docs/readers.md: 10 to 30 ms)."""
STAY_QUIET_MS: Final = 4.1
"""Time on the air (hardware_docs/readers.md)."""
BOOT_MS: Final = 400.0
"""How long the reader is deaf after a CPU reset."""
SOFTWARE_VERSION: Final = bytes.fromhex("02 00 00 00 1E 00 01 18")
_LICENCE_BYTES: Final = 10
"""What the reader is licensed for, behind its serial number."""
_ISO15693_DIGITS: Final = 16


@dataclass(frozen=True, slots=True)
class FeigSetup:
    """How a FEIG reader is configured."""

    address: int = 0
    only_new: bool = True
    """A tag that was read stays mute until the RF reset (CFG5 ONT=1); else each inventory resets the field itself."""
    sets_per_reply: int = 24
    """More tags than this come as a chain of replies; with more than 24 a standard request gets advanced replies."""
    scan_mode: bool = False
    """It was left in scan, buffered-read or notification mode, in which it refuses inventories."""
    collision: float = 0.0
    """Probability that an inventory ends with a collision that the reader could not resolve, and no tags."""


class VirtualFeigReader(VirtualReader):
    """One reader, of ISO 15693 and ISO 18000-3M3 tags."""

    def __init__(
        self,
        tags_in_field: TagsInField,
        behaviour: Behaviour | None = None,
        seed: int = 0,
        setup: FeigSetup | None = None,
    ) -> None:
        self._setup = setup or FeigSetup()
        self._answers: dict[int, Callable[[Request], tuple[float, int, bytes]]] = {
            Control.BAUD_DETECTION: lambda _: (COMMAND_MS, Status.OK, b""),
            Control.CPU_RESET: self._cpu_reset,
            Control.SOFTWARE_VERSION: lambda _: (COMMAND_MS, Status.OK, SOFTWARE_VERSION),
            Control.READER_INFO: self._reader_info,
            Control.RF_RESET: self._rf_reset,
            Control.RF_ON_OFF: self._rf_on_off,
            Control.ISO_HOST_COMMAND: self._iso_host_command,
        }
        self._collision_dice = random.Random(f"{seed}:collision")
        super().__init__(tags_in_field, behaviour, seed)

    def power_on(self, now_ms: float) -> None:
        """Field on, no tag muted, nothing kept for a further reply."""
        self._decoder = request_decoder()
        self._muted: set[tuple[str, int]] = set()
        self._selected = 1
        self._field_on = True
        self._pending: deque[DataSet] = deque()
        self._busy_until_ms = now_ms
        self._boots = False

    def answer(self, data: bytes, now_ms: float) -> list[Piece]:
        """The replies to what the host sent, one at a time."""
        pieces: list[Piece] = []
        for request in self._decoder.feed(data, now_ms):
            if self._boots and now_ms < self._busy_until_ms:
                continue
            self._boots = False
            if request.address not in (self._setup.address, 0xFF):
                continue
            duration_ms, reply = self._reply(request)
            self._busy_until_ms = max(now_ms, self._busy_until_ms) + duration_ms
            pieces.append((self._busy_until_ms - now_ms, reply.to_bytes()))
            if request.control == Control.CPU_RESET:
                self.power_on(self._busy_until_ms + BOOT_MS)
                self._boots = True
        return pieces

    def _reply(self, request: Request) -> tuple[float, Reply]:
        answer = self._answers.get(request.control)
        if answer is None:
            duration_ms, status, data = COMMAND_MS, int(Status.UNKNOWN_COMMAND), b""
        else:
            duration_ms, status, data = answer(request)
        reply = Reply(request.control, status, data, self._setup.address, request.advanced)
        if not reply.advanced and not reply.fits_standard:
            reply = Reply(request.control, status, data, self._setup.address, advanced=True)
        return duration_ms, reply

    def _rf_reset(self, _: Request) -> tuple[float, int, bytes]:
        self._muted.clear()
        self._pending.clear()
        self._field_on = True
        return RF_RESET_MS, Status.OK, b""

    def _reader_info(self, request: Request) -> tuple[float, int, bytes]:
        if request.data != DEVICE:
            return COMMAND_MS, Status.UNKNOWN_COMMAND, b""
        return COMMAND_MS, Status.OK, self.number.to_bytes(4, "big") + bytes(_LICENCE_BYTES)

    def _cpu_reset(self, _: Request) -> tuple[float, int, bytes]:
        """Acknowledged before it is done."""
        return COMMAND_MS, Status.OK, b""

    def _rf_on_off(self, request: Request) -> tuple[float, int, bytes]:
        if len(request.data) != 1:
            return COMMAND_MS, Status.LENGTH_ERROR, b""
        self._field_on = request.data != b"\x00"
        if not self._field_on:
            self._muted.clear()
        return RF_RESET_MS, Status.OK, b""

    def _iso_host_command(self, request: Request) -> tuple[float, int, bytes]:
        if self._setup.scan_mode:
            return COMMAND_MS, Status.COMMAND_NOT_AVAILABLE, b""
        if request.data[:1] == bytes((STAY_QUIET,)):
            return self._stay_quiet(request)
        try:
            mode = InventoryMode.from_request(request)
        except FrameError as error:
            status = Status.LENGTH_ERROR if error.code == "length" else Status.COMMAND_NOT_AVAILABLE
            return COMMAND_MS, status, b""
        if mode.antennas is not None and not 0 < mode.antennas < 1 << self.behaviour.antennas:
            return COMMAND_MS, Status.PARAMETER_RANGE, b""
        duration_ms = COMMAND_MS
        if not mode.more:
            air_ms, warned = self._inventory(mode.antennas)
            duration_ms += air_ms
            if warned:
                return duration_ms, Status.RF_WARNING, b""
            if self._collision_dice.random() < self._setup.collision:
                self._pending.clear()
                return duration_ms, Status.COLLISION, b""
        return self._report(duration_ms, antenna_records=mode.antennas is not None)

    def _stay_quiet(self, request: Request) -> tuple[float, int, bytes]:
        """Mute one tag; a tag never answers that command, so the reader cannot tell whether it heard."""
        try:
            uid = StayQuiet.from_request(request).uid.hex().upper()
        except FrameError:
            return COMMAND_MS, Status.LENGTH_ERROR, b""
        self._muted.update((uid, number) for number in range(1, self.behaviour.antennas + 1))
        return STAY_QUIET_MS, Status.OK, b""

    def _inventory(self, antennas: int | None) -> tuple[float, bool]:
        """Read the tags of the selected antennas into `_pending`; the time on the air, and whether the RF warned."""
        only_new = self._setup.only_new
        self._pending.clear()
        selected = 1 if antennas is None else antennas
        if selected != self._selected or not only_new:
            self._muted.clear()
        self._selected = selected
        if not self._field_on:
            return 0.0, False
        outputs = [number for number in range(1, self.behaviour.antennas + 1) if selected >> (number - 1) & 1]
        sweep = self.antennas.sweep(outputs, self._muted)
        self._muted &= sweep.present
        self._muted.update((tag.uid, tag.antenna) for tag in sweep.heard)
        self._pending.extend(_data_set(tag, records=antennas is not None) for tag in sweep.heard)
        return sweep.air_ms + (0.0 if only_new else RF_RESET_MS), sweep.warned

    def _report(self, duration_ms: float, *, antenna_records: bool) -> tuple[float, int, bytes]:
        if not self._pending:
            return duration_ms, Status.NO_TRANSPONDER, b""
        count = min(len(self._pending), self._setup.sets_per_reply)
        sets = [self._pending.popleft() for _ in range(count)]
        status = Status.MORE_DATA if self._pending else Status.OK
        return duration_ms, status, encode_data_sets(sets, antenna_records=antenna_records)


def _data_set(tag: FieldTag, *, records: bool) -> DataSet:
    kind = TransponderType.ISO15693 if len(tag.uid) == _ISO15693_DIGITS else TransponderType.ISO18000_3M3
    rssi = max(0, min(255, round(tag.signal * 255)))
    heard_by = (AntennaReading(tag.antenna, 0, rssi),) if records else ()
    return DataSet(kind, bytes.fromhex(tag.uid), antennas=heard_by)
