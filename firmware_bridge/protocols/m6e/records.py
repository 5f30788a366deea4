"""Tags as the module reports them: one record a tag, with the metadata that were asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntFlag
from typing import Final

from firmware_bridge.protocols.family import TagKind, TagRead
from firmware_bridge.protocols.frame_error import FrameError
from firmware_bridge.protocols.gen2 import pc_of, tag_crc16

GEN2: Final = 0x05
"""The protocol number of EPC Class 1 Gen 2."""
_FREQUENCY_BYTES: Final = 3
_TIMESTAMP_BYTES: Final = 4
_PHASE_BYTES: Final = 2
_XPC: Final = 0x02
_XPC_GOES_ON: Final = 0x80
_WORD: Final = 2


class Metadata(IntFlag):
    """Which fields a record has, in this order; then come the length in bits, PC, EPC and the tag's CRC."""

    READ_COUNT = 0x0001
    RSSI = 0x0002
    ANTENNA = 0x0004
    FREQUENCY = 0x0008
    TIMESTAMP = 0x0010
    PHASE = 0x0020
    PROTOCOL = 0x0040
    DATA = 0x0080
    GPIO = 0x0100
    GEN2_Q = 0x0200
    GEN2_LINK = 0x0400
    GEN2_TARGET = 0x0800


WANTED: Final = Metadata.READ_COUNT | Metadata.RSSI | Metadata.ANTENNA | Metadata.PROTOCOL
PUSHED: Final = Metadata(0x01FF)
"""What records of the continuous reading carry: all up to the state of the inputs."""
_KNOWN: Final = int(Metadata(0x0FFF))


@dataclass(frozen=True, slots=True)
class TagRecord:
    """One tag."""

    epc: bytes
    rssi: int | None = None
    """dBm, signed."""
    antenna: int | None = None
    """Output that sent, counted from 1."""
    read_count: int = 1
    """How often it was heard in one search, as far as the module counts."""
    frequency_khz: int = 0
    timestamp_ms: int = 0
    """Since the search began."""
    phase: int = 0
    protocol: int = GEN2
    data: bytes = b""
    gpio: int = 0

    def to_tag_read(self, antenna: int | None) -> TagRead:
        """The tag as the bridge knows it; `antenna` as it was asked for."""
        return TagRead(self.epc.hex().upper(), TagKind.EPC, antenna, self.rssi)


class Cursor:
    """Reads on through the data of one response."""

    __slots__ = ("_at", "_data")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def left(self) -> int:
        return len(self._data) - self._at

    def take(self, count: int) -> bytes:
        if count > self.left:
            raise FrameError("truncated", "the reader's answer ends within a tag")
        piece = self._data[self._at : self._at + count]
        self._at += count
        return piece

    def number(self, count: int = 1) -> int:
        return int.from_bytes(self.take(count), "big")


def decode_records(cursor: Cursor, flags: int, count: int) -> tuple[TagRecord, ...]:
    """Read `count` records; nothing may be left behind them. Raises FrameError (`truncated`, `metadata`, `surplus`)."""
    if flags & ~_KNOWN:
        raise FrameError("metadata", f"the reader reports tags with unknown fields ({flags:04X})")
    records = tuple(_decode(cursor, flags) for _ in range(count))
    if cursor.left:
        raise FrameError("surplus", f"the reader's list of tags has {cursor.left} bytes too many")
    return records


def encode_records(records: Iterable[TagRecord], flags: int) -> bytes:
    """Write records. Raises FrameError (`epc`)."""
    return b"".join(_encode(one, flags) for one in records)


def _decode(cursor: Cursor, flags: int) -> TagRecord:
    def field(flag: Metadata, length: int = 1) -> int:
        return cursor.number(length) if flags & flag else 0

    read_count = field(Metadata.READ_COUNT)
    rssi = int.from_bytes(cursor.take(1), "big", signed=True) if flags & Metadata.RSSI else None
    antenna = cursor.number() >> 4 if flags & Metadata.ANTENNA else None
    frequency = field(Metadata.FREQUENCY, _FREQUENCY_BYTES)
    timestamp = field(Metadata.TIMESTAMP, _TIMESTAMP_BYTES)
    phase = field(Metadata.PHASE, _PHASE_BYTES)
    protocol = cursor.number() if flags & Metadata.PROTOCOL else GEN2
    data = cursor.take(_bytes_of(cursor.number(2))) if flags & Metadata.DATA else b""
    gpio = field(Metadata.GPIO)
    for flag in (Metadata.GEN2_Q, Metadata.GEN2_LINK, Metadata.GEN2_TARGET):
        if flags & flag and protocol == GEN2:
            cursor.take(1)
    epc = _epc(cursor.take(_bytes_of(cursor.number(2))), protocol)
    return TagRecord(epc, rssi, antenna, read_count, frequency, timestamp, phase, protocol, data, gpio)


def _bytes_of(bits: int) -> int:
    return (bits + 7) // 8


def _epc(field: bytes, protocol: int) -> bytes:
    """The EPC between its protocol control words and the tag's CRC."""
    control = 0
    if protocol == GEN2:
        control = _WORD
        if field[:1] and field[0] & _XPC:
            control += _WORD
            if field[2:3] and field[2] & _XPC_GOES_ON:
                control += _WORD
    if len(field) <= control + _WORD:
        raise FrameError("truncated", "the reader reports a tag without an EPC")
    return field[control:-_WORD]


def _encode(one: TagRecord, flags: int) -> bytes:
    if not one.epc:
        raise FrameError("epc", "a tag without an EPC cannot be reported")
    try:
        field = pc_of(one.epc).to_bytes(2, "big") + one.epc
    except ValueError as error:
        raise FrameError("epc", str(error)) from None
    field += tag_crc16(field).to_bytes(2, "big")
    antenna = one.antenna or 1
    fields = {
        Metadata.READ_COUNT: bytes((min(one.read_count, 0xFF),)),
        Metadata.RSSI: (one.rssi or 0).to_bytes(1, "big", signed=True),
        Metadata.ANTENNA: bytes((antenna << 4 & 0xF0 | antenna & 0x0F,)),
        Metadata.FREQUENCY: one.frequency_khz.to_bytes(_FREQUENCY_BYTES, "big"),
        Metadata.TIMESTAMP: one.timestamp_ms.to_bytes(_TIMESTAMP_BYTES, "big"),
        Metadata.PHASE: one.phase.to_bytes(_PHASE_BYTES, "big"),
        Metadata.PROTOCOL: bytes((one.protocol,)),
        Metadata.DATA: (8 * len(one.data)).to_bytes(2, "big") + one.data,
        Metadata.GPIO: bytes((one.gpio,)),
        Metadata.GEN2_Q: b"\x02",
        Metadata.GEN2_LINK: b"\x00",
        Metadata.GEN2_TARGET: b"\x00",
    }
    chosen = b"".join(field for flag, field in fields.items() if flags & flag)
    return chosen + (8 * len(field)).to_bytes(2, "big") + field
