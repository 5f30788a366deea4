"""The inventory 01 in its two layouts, the reader's description of itself, and what an active reader reports.

older   request without data; reply NUM | (LEN | EPC) x NUM
newer   request Q | SESSION | TARGET | ANT | TIME; reply ANT | NUM | (LEN | EPC | RSSI) x NUM
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from firmware_bridge.protocols.chafon.frames import Command, Reply, Request
from firmware_bridge.protocols.family import TagKind, TagRead
from firmware_bridge.protocols.frame_error import FrameError

ANTENNAS: Final = 8
_FIRST_ANTENNA: Final = 0x80
_SHORT: Final = 5
_WITH_MASK: Final = 9
_Q: Final = 0x0F
_OLDER_INFO: Final = 8


class Layout(Enum):
    """Which of the two inventories a reader speaks."""

    OLDER = auto()
    NEWER = auto()


@dataclass(frozen=True, slots=True)
class InventoryRequest:
    """What an inventory of the newer layout asks for."""

    antenna: int = 1
    scan_time: int = 20
    """In units of 100 ms."""
    q: int = 4
    """The reader begins with 2^q slots, which should be near the number of tags."""
    session: int = 0
    """S0: a tag that was read answers again in the next inventory."""
    target: int = 0

    def to_request(self) -> Request:
        """Raises FrameError (`antenna`)."""
        if not 1 <= self.antenna <= ANTENNAS:
            raise FrameError("antenna", f"no reader of this family has an antenna {self.antenna}")
        antenna = _FIRST_ANTENNA + self.antenna - 1
        return Request(Command.INVENTORY, bytes((self.q, self.session, self.target, antenna, self.scan_time)))

    @classmethod
    def from_request(cls, request: Request) -> InventoryRequest:
        """Read a request, with or without a mask between SESSION and TARGET. Raises FrameError."""
        data = request.data
        if request.command != Command.INVENTORY:
            raise FrameError("not_inventory", "the request is no inventory")
        if len(data) not in (_SHORT, _WITH_MASK):
            raise FrameError("length", f"an inventory request has {_SHORT} or {_WITH_MASK} bytes, not {len(data)}")
        target, antenna, scan_time = data[-3:]
        if not _FIRST_ANTENNA <= antenna < _FIRST_ANTENNA + ANTENNAS:
            raise FrameError("antenna", f"there is no antenna {antenna:02X}")
        return cls(antenna - _FIRST_ANTENNA + 1, scan_time, data[0] & _Q, data[1], target)


@dataclass(frozen=True, slots=True)
class TagRecord:
    """One tag of a reply. `antennas` is a set of bits, bit 0 for the first; both are None in the older layout."""

    epc: bytes
    antennas: int | None = None
    rssi: int | None = None

    def to_tag_reads(self) -> tuple[TagRead, ...]:
        """One read for each antenna that heard the tag, or one without antenna if the reader names none."""
        uid = self.epc.hex().upper()
        if not self.antennas:
            return (TagRead(uid, TagKind.EPC, rssi=self.rssi),)
        heard = (number for number in range(1, ANTENNAS + 1) if self.antennas >> (number - 1) & 1)
        return tuple(TagRead(uid, TagKind.EPC, number, self.rssi) for number in heard)


def encode_records(records: Iterable[TagRecord], layout: Layout, antenna: int = 1) -> bytes:
    """The DATA of an inventory reply."""
    tags = tuple(records)
    if layout is Layout.OLDER:
        return bytes((len(tags),)) + b"".join(bytes((len(one.epc),)) + one.epc for one in tags)
    each = (bytes((len(one.epc),)) + one.epc + bytes((one.rssi or 0,)) for one in tags)
    return bytes((1 << (antenna - 1), len(tags))) + b"".join(each)


def decode_records(data: bytes, layout: Layout) -> tuple[TagRecord, ...]:
    """Read the DATA of an inventory reply. Raises FrameError (`layout`) if it is not of this layout."""
    if not data:
        return ()
    newer = layout is Layout.NEWER
    head = data[:2] if newer else data[:1]
    antennas = head[0] if newer else None
    records: list[TagRecord] = []
    at = len(head)
    for _ in range(head[-1]):
        length = data[at] if at < len(data) else 0
        end = at + 1 + length + newer
        if not length or end > len(data):
            raise FrameError("layout", "the reader's inventory reply ends within a tag")
        epc = data[at + 1 : at + 1 + length]
        records.append(TagRecord(epc, antennas, data[end - 1] if newer else None))
        at = end
    if at != len(data):
        raise FrameError("layout", f"the reader's inventory reply goes on for {len(data) - at} bytes after its tags")
    return tuple(records)


def encode_active(record: TagRecord, layout: Layout) -> Reply:
    """What a reader in active mode says of a tag."""
    data = record.epc
    if layout is Layout.NEWER:
        data = bytes((record.antennas or 1, len(record.epc))) + record.epc + bytes((record.rssi or 0,))
    return Reply(Command.ACTIVE, 0x00, data)


def decode_active(reply: Reply) -> TagRecord:
    """Read what an active reader said of a tag. Raises FrameError (`layout`).

    An EPC has whole words. So the older report, which is nothing but the EPC, has an even length, and the newer one,
    which adds three bytes, an odd one.
    """
    data = reply.data
    if data and len(data) % 2 == 0:
        return TagRecord(data)
    if len(data) > 3 and data[1] == len(data) - 3:
        return TagRecord(data[2:-1], data[0], data[-1])
    raise FrameError("layout", "the reader in active mode reported something that is no tag")


@dataclass(frozen=True, slots=True)
class ReaderInfo:
    """What a reader says of itself."""

    version: tuple[int, int]
    model: int
    scan_time: int
    """How long an inventory of the older layout may take, in units of 100 ms."""
    layout: Layout
    power: int = 30
    """dBm."""

    def to_data(self) -> bytes:
        """The DATA of the reply."""
        older = bytes((*self.version, self.model, 0x03, 0x4E, 0x00, self.power, self.scan_time))
        return older if self.layout is Layout.OLDER else older + bytes((0x01, 0x00, 0x00, 0x00))

    @classmethod
    def from_data(cls, data: bytes) -> ReaderInfo:
        """Read the DATA of a reply; a newer reader adds its antennas to it. Raises FrameError (`length`)."""
        if len(data) < _OLDER_INFO:
            raise FrameError("length", f"a reader describes itself in {_OLDER_INFO} bytes or more, not {len(data)}")
        layout = Layout.OLDER if len(data) == _OLDER_INFO else Layout.NEWER
        return cls((data[0], data[1]), data[2], data[7], layout, data[6])
