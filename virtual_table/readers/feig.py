"""A virtual FEIG OBID i-scan reader: the host's bytes in, its own bytes and their delays out. Pure but for its dice.

It is built from the codec that the driver uses, seen from the other end: it reads requests and writes replies. What
makes it a reader rather than an echo: reading takes air time that grows with the number of tags; some tags are missed
and some of a neighbour's are read; a tag that was read is muted until the RF reset; long answers come in chains, or as
advanced frames; a damaged request gets no answer at all.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from firmware_bridge.protocols.feig.frames import Control, FrameError, Reply, Request, request_decoder
from firmware_bridge.protocols.feig.inventory import (
    AntennaReading,
    DataSet,
    InventoryMode,
    TransponderType,
    encode_data_sets,
)
from firmware_bridge.protocols.feig.status import Status
from virtual_table.readers.air import anticollision
from virtual_table.readers.faults import PERFECT, FaultPlan, Piece
from virtual_table.readers.field import NEIGHBOUR_SIGNAL, FieldTag, TagsInField

COMMAND_MS: Final = 1.0
"""How long the reader thinks about a command that uses no air."""
RF_RESET_MS: Final = 12.0
"""Field off, field on, settled (HARDWARE.md 1.3: 10 to 30 ms)."""
SOFTWARE_VERSION: Final = bytes.fromhex("02 00 00 00 1E 00 01 18")
_ISO15693_DIGITS: Final = 16


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How a virtual reader is set up, and how well it reads."""

    address: int = 0
    antennas: int = 1
    missed: float = 0.0
    """Probability that a tag does not answer in one inventory."""
    neighbour: float = 0.0
    """Probability that a tag beside the antenna is read all the same."""
    rf_warning: float = 0.0
    """Probability that an inventory ends with an RF warning and no tags."""
    only_new: bool = True
    """A tag that was read stays mute until the RF reset (CFG5 ONT=1); else each inventory resets the field itself."""
    sets_per_reply: int = 24
    """More tags than this come as a chain of replies; with more than 24 a standard request gets advanced replies."""
    air_factor: float = 1.0
    """Air time compared with the ideal of HARDWARE.md 1.3."""
    faults: FaultPlan = PERFECT


class VirtualFeigReader:
    """One reader. Not thread-safe: one server thread owns it."""

    def __init__(self, tags_in_field: TagsInField, behaviour: Behaviour | None = None, seed: int = 0) -> None:
        self._tags_in_field = tags_in_field
        self._behaviour = behaviour or Behaviour()
        self._rng = random.Random(seed)
        self._decoder = request_decoder()
        self._muted: set[tuple[str, int]] = set()
        self._selected: int | None = None
        self._field_on = True
        self._pending: deque[DataSet] = deque()
        self._busy_until_ms = 0.0
        self._answers: dict[int, Callable[[Request], tuple[float, int, bytes]]] = {
            Control.BAUD_DETECTION: lambda _: (COMMAND_MS, Status.OK, b""),
            Control.SOFTWARE_VERSION: lambda _: (COMMAND_MS, Status.OK, SOFTWARE_VERSION),
            Control.RF_RESET: self._rf_reset,
            Control.RF_ON_OFF: self._rf_on_off,
            Control.ISO_HOST_COMMAND: self._iso_host_command,
        }

    def receive(self, data: bytes, now_ms: float) -> list[Piece]:
        """Take what the host sent; what the reader sends, each piece with its delay from `now_ms`.

        The delays do not include the time of the bytes on the line, which is the line's business.
        """
        pieces: list[Piece] = []
        for request in self._decoder.feed(data, now_ms):
            if request.address not in (self._behaviour.address, 0xFF):
                continue
            begin_ms = max(now_ms, self._busy_until_ms)
            duration_ms, reply = self._answer(request)
            delay_ms = begin_ms + duration_ms - now_ms
            answer = self._behaviour.faults.strike(delay_ms, reply.to_bytes(), self._rng)
            self._busy_until_ms = now_ms + max((at_ms for at_ms, _ in answer), default=delay_ms)
            pieces += answer
        return pieces

    def _answer(self, request: Request) -> tuple[float, Reply]:
        answer = self._answers.get(request.control)
        if answer is None:
            duration_ms, status, data = COMMAND_MS, int(Status.UNKNOWN_COMMAND), b""
        else:
            duration_ms, status, data = answer(request)
        reply = Reply(request.control, status, data, self._behaviour.address, request.advanced)
        if not reply.advanced and not reply.fits_standard:
            reply = Reply(request.control, status, data, self._behaviour.address, advanced=True)
        return duration_ms, reply

    def _rf_reset(self, _: Request) -> tuple[float, int, bytes]:
        self._muted.clear()
        self._pending.clear()
        self._field_on = True
        return RF_RESET_MS, Status.OK, b""

    def _rf_on_off(self, request: Request) -> tuple[float, int, bytes]:
        if len(request.data) != 1:
            return COMMAND_MS, Status.LENGTH_ERROR, b""
        self._field_on = request.data != b"\x00"
        if not self._field_on:
            self._muted.clear()
        return RF_RESET_MS, Status.OK, b""

    def _iso_host_command(self, request: Request) -> tuple[float, int, bytes]:
        try:
            mode = InventoryMode.from_request(request)
        except FrameError as error:
            status = Status.LENGTH_ERROR if error.code == "length" else Status.COMMAND_NOT_AVAILABLE
            return COMMAND_MS, status, b""
        if mode.antennas is not None and not 0 < mode.antennas < 1 << self._behaviour.antennas:
            return COMMAND_MS, Status.PARAMETER_RANGE, b""
        duration_ms = COMMAND_MS
        if not mode.more:
            air_ms, warned = self._inventory(mode.antennas)
            duration_ms += air_ms
            if warned:
                return duration_ms, Status.RF_WARNING, b""
        return self._tell(duration_ms, antenna_records=mode.antennas is not None)

    def _inventory(self, antennas: int | None) -> tuple[float, bool]:
        """Read the tags of the selected antennas into `_pending`; the time on the air, and whether the RF warned."""
        behaviour, rng = self._behaviour, self._rng
        self._pending.clear()
        selected = 1 if antennas is None else antennas
        if selected != self._selected or not behaviour.only_new:
            self._muted.clear()
        self._selected = selected
        if not self._field_on:
            return 0.0, False
        present = [FieldTag(*tag) for tag in self._tags_in_field()]
        self._muted &= {(tag.uid, tag.antenna) for tag in present}
        air_ms = 0.0 if behaviour.only_new else RF_RESET_MS
        for antenna in range(1, behaviour.antennas + 1):
            if selected >> (antenna - 1) & 1:
                air_ms += self._read_antenna(antenna, present, records=antennas is not None)
        return air_ms, rng.random() < behaviour.rf_warning

    def _read_antenna(self, antenna: int, present: Iterable[FieldTag], *, records: bool) -> float:
        heard: dict[int, FieldTag] = {}
        for tag in present:
            if tag.antenna == antenna and (tag.uid, antenna) not in self._muted and self._answers_now(tag):
                heard[int(tag.uid, 16)] = tag
        air_ms, order = anticollision(heard)
        for number in order:
            tag = heard[number]
            self._muted.add((tag.uid, antenna))
            self._pending.append(_data_set(tag, records=records))
        return air_ms * self._behaviour.air_factor

    def _answers_now(self, tag: FieldTag) -> bool:
        if tag.signal <= 0:
            return False
        if tag.signal < NEIGHBOUR_SIGNAL:
            return self._rng.random() < self._behaviour.neighbour
        return self._rng.random() >= self._behaviour.missed

    def _tell(self, duration_ms: float, *, antenna_records: bool) -> tuple[float, int, bytes]:
        if not self._pending:
            return duration_ms, Status.NO_TRANSPONDER, b""
        count = min(len(self._pending), self._behaviour.sets_per_reply)
        sets = [self._pending.popleft() for _ in range(count)]
        status = Status.MORE_DATA if self._pending else Status.OK
        return duration_ms, status, encode_data_sets(sets, antenna_records=antenna_records)


def _data_set(tag: FieldTag, *, records: bool) -> DataSet:
    kind = TransponderType.ISO15693 if len(tag.uid) == _ISO15693_DIGITS else TransponderType.ISO18000_3M3
    rssi = max(0, min(255, round(tag.signal * 255)))
    heard_by = (AntennaReading(tag.antenna, 0, rssi),) if records else ()
    return DataSet(kind, bytes.fromhex(tag.uid), antennas=heard_by)
