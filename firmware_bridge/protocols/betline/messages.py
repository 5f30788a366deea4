"""What frames say: four messages of the reader, six commands of the host. Payloads are read strictly.

The reader sends state, not events: a snapshot holds the whole set of an antenna, in parts where it is large.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from types import MappingProxyType
from typing import ClassVar, Final

from firmware_bridge.protocols.frame_error import FrameError

RECORDS_PER_FRAME: Final = 120
SERIAL_BYTES: Final = 32
UID_BYTES: Final = 8
TEMPERATURE_UNKNOWN: Final = 0x7FFF
ALL_ANTENNAS: Final = 0
PACE_OFF: Final = 0xFFFF
SLOWEST_PACE_MS: Final = 500
"""A reader that reads at all reports each antenna at least this often, and takes no slower pace."""


class Board(IntEnum):
    """What the firmware runs on."""

    HOST = 0
    RP2040 = 1
    ESP32 = 2


class Capability(IntFlag):
    """What a reader can do."""

    ISO15693 = 0x01
    RSSI = 0x02
    LED = 0x04


class SnapshotFlag(IntFlag):
    """What a snapshot is, and what makes it doubtful."""

    MORE = 0x01
    """Further parts with the same number follow."""
    RF_WARNING = 0x02
    OVERFLOW = 0x04
    """More tags answered than the reader can hold, or than it could tell apart in its time."""
    FIELD_OFF = 0x08
    READ = 0x10
    """It answers a READ command."""


class Result(IntEnum):
    """How a command ended."""

    OK = 0
    UNKNOWN_COMMAND = 1
    BAD_PARAMETER = 2
    BUSY = 3
    HARDWARE_FAULT = 4


@dataclass(frozen=True, slots=True)
class Hello:
    """Who the reader is; at boot and after IDENTIFY."""

    TYPE: ClassVar[int] = 0x01
    _LAYOUT: ClassVar[struct.Struct] = struct.Struct("<BBBBBBHB")

    fw_major: int
    fw_minor: int
    board: int
    seat: int
    """From straps or EEPROM; 0 none."""
    antennas: int
    max_tags: int
    """How many tags of one cycle it can hold; 255: so many or more."""
    capabilities: Capability
    serial: str
    """At most 32 characters of printable ASCII."""

    def to_payload(self) -> bytes:
        if len(self.serial) > SERIAL_BYTES or not self.serial.isascii():
            raise FrameError("serial", f"a serial number is at most {SERIAL_BYTES} characters of ASCII")
        raw = self.serial.encode("ascii")
        numbers = (self.fw_major, self.fw_minor, self.board, self.seat, self.antennas, self.max_tags)
        return self._LAYOUT.pack(*numbers, self.capabilities, len(raw)) + raw

    @classmethod
    def from_payload(cls, payload: bytes) -> Hello:
        major, minor, board, seat, antennas, max_tags, capabilities, length = cls._LAYOUT.unpack_from(payload)
        raw = payload[cls._LAYOUT.size :]
        if length != len(raw) or not all(0x20 <= byte <= 0x7E for byte in raw):
            raise FrameError("payload", "the serial number in HELLO is no text of the length that it says")
        can, serial = Capability(capabilities), raw.decode("ascii")
        return cls(major, minor, board, seat, antennas, max_tags, can, serial)


@dataclass(frozen=True, slots=True)
class Record:
    """One tag of a snapshot."""

    uid: bytes
    rssi: int
    hits: int
    """In how many of the last eight cycles of the antenna it answered."""
    age_ms: int
    """Since it last answered: 0 in this cycle, and only then."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The tags of one antenna, or a part of them."""

    TYPE: ClassVar[int] = 0x02
    _LAYOUT: ClassVar[struct.Struct] = struct.Struct("<IBBHB")
    _RECORD: ClassVar[struct.Struct] = struct.Struct("<B8sBBH")

    number: int
    """Rises with each snapshot of the reader; the parts of one share it."""
    antenna: int
    flags: SnapshotFlag
    cycle_ms: int
    records: tuple[Record, ...] = ()

    def to_payload(self) -> bytes:
        if len(self.records) > RECORDS_PER_FRAME:
            raise FrameError("too_long", f"a snapshot has at most {RECORDS_PER_FRAME} records a frame")
        head = self._LAYOUT.pack(self.number, self.antenna, self.flags, self.cycle_ms, len(self.records))
        pack = self._RECORD.pack
        return head + b"".join(pack(UID_BYTES, one.uid, one.rssi, one.hits, one.age_ms) for one in self.records)

    @classmethod
    def from_payload(cls, payload: bytes) -> Snapshot:
        number, antenna, flags, cycle_ms, count = cls._LAYOUT.unpack_from(payload)
        rest = payload[cls._LAYOUT.size :]
        if len(rest) != count * cls._RECORD.size:
            raise FrameError("payload", f"a snapshot of {count} records does not have {len(rest)} bytes of them")
        records = []
        for length, uid, rssi, hits, age_ms in cls._RECORD.iter_unpack(rest):
            if length != UID_BYTES:
                raise FrameError("payload", f"a UID of {length} bytes is not one of ISO 15693")
            records.append(Record(uid, rssi, hits, age_ms))
        return cls(number, antenna, SnapshotFlag(flags), cycle_ms, tuple(records))


@dataclass(frozen=True, slots=True)
class Health:
    """The heartbeat, every 500 ms."""

    TYPE: ClassVar[int] = 0x03
    _LAYOUT: ClassVar[struct.Struct] = struct.Struct("<IIIIIIHh")

    uptime_ms: int
    cycles: int
    rf_errors: int
    collisions: int
    crc_errors: int
    """Frames from the host that were dropped."""
    overruns: int
    watchdog_resets: int
    temperature: int = TEMPERATURE_UNKNOWN
    """In 0.1 degrees Celsius."""

    @property
    def counters(self) -> dict[str, float]:
        """The same by name and unit; no temperature where the board measures none."""
        counters = {
            "uptime_s": self.uptime_ms / 1000.0,
            "cycles": float(self.cycles),
            "rf_errors": float(self.rf_errors),
            "collisions": float(self.collisions),
            "crc_errors": float(self.crc_errors),
            "overruns": float(self.overruns),
            "watchdog_resets": float(self.watchdog_resets),
        }
        return (
            counters
            if self.temperature == TEMPERATURE_UNKNOWN
            else counters | {"temperature_c": self.temperature / 10.0}
        )

    def to_payload(self) -> bytes:
        counts = (self.uptime_ms, self.cycles, self.rf_errors, self.collisions, self.crc_errors, self.overruns)
        return self._LAYOUT.pack(*counts, self.watchdog_resets, self.temperature)

    @classmethod
    def from_payload(cls, payload: bytes) -> Health:
        return cls(*cls._LAYOUT.unpack(payload))


@dataclass(frozen=True, slots=True)
class Ack:
    """How the command with this number ended."""

    TYPE: ClassVar[int] = 0x04
    _LAYOUT: ClassVar[struct.Struct] = struct.Struct("<HB")

    command_id: int
    result: int

    def to_payload(self) -> bytes:
        return self._LAYOUT.pack(self.command_id, self.result)

    @classmethod
    def from_payload(cls, payload: bytes) -> Ack:
        return cls(*cls._LAYOUT.unpack(payload))


@dataclass(frozen=True, slots=True)
class Identify:
    """Answered by HELLO. It begins a host's talk: the reader forgets the command numbers that it has seen."""

    TYPE: ClassVar[int] = 0x81
    _LAYOUT: ClassVar[struct.Struct] = struct.Struct("<H")

    command_id: int

    def to_payload(self) -> bytes:
        return self._LAYOUT.pack(self.command_id)

    @classmethod
    def from_payload(cls, payload: bytes) -> Identify:
        return cls(*cls._LAYOUT.unpack(payload))


@dataclass(frozen=True, slots=True)
class Read:
    """A fresh inventory of one antenna, or of all."""

    TYPE: ClassVar[int] = 0x82
    _LAYOUT: ClassVar[struct.Struct] = struct.Struct("<HB")

    command_id: int
    antenna: int = ALL_ANTENNAS

    def to_payload(self) -> bytes:
        return self._LAYOUT.pack(self.command_id, self.antenna)

    @classmethod
    def from_payload(cls, payload: bytes) -> Read:
        return cls(*cls._LAYOUT.unpack(payload))


@dataclass(frozen=True, slots=True)
class Pace:
    """How often the reader reads by itself: 0 as fast as it can, `PACE_OFF` not at all."""

    TYPE: ClassVar[int] = 0x83
    _LAYOUT: ClassVar[struct.Struct] = struct.Struct("<HBH")

    command_id: int
    antenna: int
    cycle_ms: int

    def to_payload(self) -> bytes:
        return self._LAYOUT.pack(self.command_id, self.antenna, self.cycle_ms)

    @classmethod
    def from_payload(cls, payload: bytes) -> Pace:
        return cls(*cls._LAYOUT.unpack(payload))


@dataclass(frozen=True, slots=True)
class Field:
    """The field on or off; while it is off no antenna is read."""

    TYPE: ClassVar[int] = 0x84
    _LAYOUT: ClassVar[struct.Struct] = struct.Struct("<HB")

    command_id: int
    on: bool

    def to_payload(self) -> bytes:
        return self._LAYOUT.pack(self.command_id, self.on)

    @classmethod
    def from_payload(cls, payload: bytes) -> Field:
        command_id, on = cls._LAYOUT.unpack(payload)
        if on > 1:
            raise FrameError("payload", f"the field is off (0) or on (1), not {on}")
        return cls(command_id, bool(on))


@dataclass(frozen=True, slots=True)
class Led:
    """The reader's light."""

    TYPE: ClassVar[int] = 0x85
    _LAYOUT: ClassVar[struct.Struct] = struct.Struct("<HBBB")

    command_id: int
    red: int
    green: int
    blue: int

    def to_payload(self) -> bytes:
        return self._LAYOUT.pack(self.command_id, self.red, self.green, self.blue)

    @classmethod
    def from_payload(cls, payload: bytes) -> Led:
        return cls(*cls._LAYOUT.unpack(payload))


@dataclass(frozen=True, slots=True)
class Reboot:
    """Acknowledged, then done."""

    TYPE: ClassVar[int] = 0x86
    _LAYOUT: ClassVar[struct.Struct] = struct.Struct("<H")

    command_id: int

    def to_payload(self) -> bytes:
        return self._LAYOUT.pack(self.command_id)

    @classmethod
    def from_payload(cls, payload: bytes) -> Reboot:
        return cls(*cls._LAYOUT.unpack(payload))


Command = Identify | Read | Pace | Field | Led | Reboot
Message = Hello | Snapshot | Health | Ack | Command

_READERS: Final[Mapping[int, Callable[[bytes], Message]]] = MappingProxyType(
    {
        Hello.TYPE: Hello.from_payload,
        Snapshot.TYPE: Snapshot.from_payload,
        Health.TYPE: Health.from_payload,
        Ack.TYPE: Ack.from_payload,
        Identify.TYPE: Identify.from_payload,
        Read.TYPE: Read.from_payload,
        Pace.TYPE: Pace.from_payload,
        Field.TYPE: Field.from_payload,
        Led.TYPE: Led.from_payload,
        Reboot.TYPE: Reboot.from_payload,
    }
)


LENGTHS: Final[Mapping[int, range]] = MappingProxyType(
    {
        Hello.TYPE: range(9, 9 + SERIAL_BYTES + 1),
        Snapshot.TYPE: range(9, 9 + 13 * RECORDS_PER_FRAME + 1, 13),
        Health.TYPE: range(28, 29),
        Ack.TYPE: range(3, 4),
        Identify.TYPE: range(2, 3),
        Read.TYPE: range(3, 4),
        Pace.TYPE: range(5, 6),
        Field.TYPE: range(3, 4),
        Led.TYPE: range(5, 6),
        Reboot.TYPE: range(2, 3),
    }
)
"""The lengths that the payload of a message can have."""


def read_message(type_: int, payload: bytes) -> Message:
    """The message of a frame. Raises FrameError (`type`, `payload`)."""
    reader = _READERS.get(type_)
    if reader is None:
        raise FrameError("type", f"there is no message of the type {type_:02X}")
    if len(payload) not in LENGTHS[type_]:
        raise FrameError("payload", f"a message of the type {type_:02X} has no {len(payload)} bytes")
    return reader(payload)
