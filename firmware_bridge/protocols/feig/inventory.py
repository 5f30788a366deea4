"""The commands B0 to tags: the inventory 01 with its MODE and the data sets of its replies, and Stay Quiet 02.

What a data set says depends on the tag's air interface: the UID of ISO 15693 (ISO/IEC 15693-3), the EPC and protocol
control words of ISO 18000-3M3 (ISO/IEC 18000-3 mode 3) and of EPC Gen2, the UID of ISO 14443-3.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final

from firmware_bridge.protocols.family import TagKind, TagRead
from firmware_bridge.protocols.feig.frames import Control, Request
from firmware_bridge.protocols.frame_error import FrameError
from firmware_bridge.protocols.gen2 import pc_of

INVENTORY: Final = 0x01
STAY_QUIET: Final = 0x02
MAX_ANTENNAS: Final = 8
"""ANT_SEL has a bit for each output."""
_MORE: Final = 0x80
_NOTIFY: Final = 0x40
_ANT: Final = 0x10
_TAG_FIELDS: Final = 0x01
_ANTENNA_FIELDS: Final = 0x10
_ANTENNA_RECORD: Final = 7
_LONG_UID: Final = 0x04
_ADDRESSED: Final = 0x01
_ISO15693_UID: Final = 8
_HAS_XPC: Final = 0x02
_XPC_BYTES: Final = 2
_MAX_SETS: Final = 255


class TransponderType(IntEnum):
    """TR-TYPE, the first byte of a data set."""

    I_CODE_1 = 0x00
    TAG_IT = 0x01
    ISO15693 = 0x03
    ISO14443A = 0x04
    ISO14443B = 0x05
    ISO18000_3M3 = 0x09
    EPC_C1G2 = 0x84


_KINDS: Final = {
    TransponderType.ISO15693: TagKind.ISO15693,
    TransponderType.ISO14443A: TagKind.ISO14443A,
    TransponderType.ISO14443B: TagKind.ISO14443B,
    TransponderType.ISO18000_3M3: TagKind.ISO18000_3M3,
    TransponderType.EPC_C1G2: TagKind.EPC,
}
_EPC_TYPES: Final = frozenset({TransponderType.ISO18000_3M3, TransponderType.EPC_C1G2})


@dataclass(frozen=True, slots=True)
class InventoryMode:
    """What an inventory request asks for. Notification is always off: the host asks."""

    more: bool = False
    """Fetch the rest of the last inventory rather than begin a new one."""
    antennas: int | None = None
    """ANT_SEL, bit 0 is output 1; None for a request without antenna selection."""

    def to_request(self, *, advanced: bool = False) -> Request:
        mode = (_MORE if self.more else 0) | (0 if self.antennas is None else _ANT)
        data = bytes((INVENTORY, mode)) + (b"" if self.antennas is None else bytes((self.antennas,)))
        return Request(Control.ISO_HOST_COMMAND, data, advanced=advanced)

    @classmethod
    def from_request(cls, request: Request) -> InventoryMode:
        """Read the MODE of a B0 01 request. Raises FrameError (`not_inventory`, `length`)."""
        data = request.data
        if request.control != Control.ISO_HOST_COMMAND or data[:1] != bytes((INVENTORY,)):
            raise FrameError("not_inventory", "the request is no inventory")
        mode = data[1] if len(data) > 1 else -1
        wanted = 2 + bool(mode & _NOTIFY) + bool(mode & _ANT)
        if mode < 0 or len(data) != wanted:
            raise FrameError("length", f"an inventory request of mode {mode:02X} has {wanted} bytes, not {len(data)}")
        return cls(more=bool(mode & _MORE), antennas=data[-1] if mode & _ANT else None)


@dataclass(frozen=True, slots=True)
class StayQuiet:
    """Mute one ISO 15693 tag until the field has been off. A reader does the same with each tag that it has read."""

    uid: bytes

    def to_request(self) -> Request:
        return Request(Control.ISO_HOST_COMMAND, bytes((STAY_QUIET, _ADDRESSED)) + self.uid)

    @classmethod
    def from_request(cls, request: Request) -> StayQuiet:
        """Raises FrameError (`not_stay_quiet`, `length`); a tag is always named."""
        data = request.data
        if request.control != Control.ISO_HOST_COMMAND or data[:1] != bytes((STAY_QUIET,)):
            raise FrameError("not_stay_quiet", "the request mutes no tag")
        if len(data) != 2 + _ISO15693_UID or data[1] != _ADDRESSED:
            raise FrameError("length", "a request to mute a tag names it by its UID")
        return cls(data[2:])


@dataclass(frozen=True, slots=True)
class AntennaReading:
    """How one antenna output heard a tag."""

    antenna: int
    status: int
    rssi: int


@dataclass(frozen=True, slots=True)
class DataSet:
    """One tag of an inventory reply.

    `info` are the type's own bytes between TR-TYPE and UID: DSFID, TR-INFO and OPT-INFO, PROTO-INFO, or IDDT.
    """

    transponder_type: int
    uid: bytes
    info: bytes = b"\x00"
    antennas: tuple[AntennaReading, ...] = ()
    xpc: bytes = b""
    """XPC_W1, the extended protocol control word that some tags with an EPC send between PC and EPC."""

    @property
    def kind(self) -> TagKind | None:
        """The air interface; None for I-Code 1 and Tag-it, which have no ISO name."""
        return _KINDS.get(TransponderType(self.transponder_type))

    def to_tag_reads(self) -> tuple[TagRead, ...]:
        """One read for each antenna that heard the tag, or one without antenna if the reader names none."""
        uid = self.uid.hex().upper()
        heard = tuple(TagRead(uid, self.kind, a.antenna, a.rssi) for a in self.antennas if a.status == 0)
        return heard or (TagRead(uid, self.kind),)


def encode_data_sets(sets: Iterable[DataSet], *, antenna_records: bool) -> bytes:
    """The DATA of an inventory reply. Raises FrameError (`too_many`, `uid`, `epc`)."""
    encoded = [_encode_with_antennas(one) if antenna_records else _encode(one) for one in sets]
    if len(encoded) > _MAX_SETS:
        raise FrameError("too_many", f"{len(encoded)} data sets do not fit in one reply")
    return bytes((len(encoded),)) + b"".join(encoded)


def decode_data_sets(data: bytes, *, antenna_records: bool) -> tuple[DataSet, ...]:
    """Read the DATA of an inventory reply. Raises FrameError (`truncated`, `tr_type`)."""
    if not data:
        return ()
    cursor = _Cursor(data, 1)
    read = _decode_with_antennas if antenna_records else _decode
    sets = (read(cursor) for _ in range(data[0]))
    return tuple(one for one in sets if one is not None)


class _Cursor:
    """Reads on through the data of one reply."""

    __slots__ = ("_at", "_data")

    def __init__(self, data: bytes, at: int) -> None:
        self._data = data
        self._at = at

    def take(self, count: int) -> bytes:
        end = self._at + count
        if end > len(self._data):
            raise FrameError("truncated", "the reader's inventory reply ends within a tag")
        piece = self._data[self._at : end]
        self._at = end
        return piece

    def byte(self) -> int:
        return self.take(1)[0]


def _known_type(number: int) -> TransponderType:
    try:
        return TransponderType(number)
    except ValueError:
        raise FrameError("tr_type", f"the reader reports a tag of unknown type {number:02X}") from None


def _decode(cursor: _Cursor) -> DataSet:
    kind = _known_type(cursor.byte())
    if kind is TransponderType.ISO14443A:
        info = cursor.take(2)
        return DataSet(kind, cursor.take(_uid_bytes(kind, info)), info)
    info = cursor.take(1)
    if kind in _EPC_TYPES:
        epc, xpc = _epc(cursor.take(cursor.byte()))
        return DataSet(kind, epc, info, xpc=xpc)
    return DataSet(kind, cursor.take(_uid_bytes(kind, info)), info)


def _decode_with_antennas(cursor: _Cursor) -> DataSet | None:
    flags = cursor.byte()
    one: DataSet | None = None
    if flags & _TAG_FIELDS:
        kind = _known_type(cursor.byte())
        info = cursor.take(1)
        uid = cursor.take(cursor.byte())
        epc, xpc = _epc(uid) if kind in _EPC_TYPES else (uid, b"")
        one = DataSet(kind, epc, info, xpc=xpc)
    if flags & _ANTENNA_FIELDS:
        records = [cursor.take(_ANTENNA_RECORD) for _ in range(cursor.byte())]
        if one is not None:
            heard = tuple(AntennaReading(record[0], record[1], record[2]) for record in records)
            one = replace(one, antennas=heard)
    return one


def _uid_bytes(kind: TransponderType, info: bytes) -> int:
    """How long the UID of a data set is, for the types that have no length byte."""
    if kind is not TransponderType.ISO14443A:
        return 8
    return 10 if info[0] & _LONG_UID else 7


def _epc(identifier: bytes) -> tuple[bytes, bytes]:
    """EPC and XPC_W1 of an identifier: it begins with the protocol control word, which says if there is an XPC_W1."""
    begin = 2 + (_XPC_BYTES if identifier[:1] and identifier[0] & _HAS_XPC else 0)
    if len(identifier) < begin:
        raise FrameError("truncated", "the reader's inventory reply has an EPC without its protocol control words")
    return identifier[begin:], identifier[2:begin]


def _encode(one: DataSet) -> bytes:
    kind = _known_type(one.transponder_type)
    head = bytes((kind,)) + one.info
    if kind in _EPC_TYPES:
        return head + _with_length(_identifier(one))
    if len(one.uid) != _uid_bytes(kind, one.info):
        raise FrameError("uid", f"a tag of type {kind:02X} has no UID of {len(one.uid)} bytes")
    return head + one.uid


def _encode_with_antennas(one: DataSet) -> bytes:
    kind = _known_type(one.transponder_type)
    flags = _TAG_FIELDS | (_ANTENNA_FIELDS if one.antennas else 0)
    uid = _identifier(one) if kind in _EPC_TYPES else one.uid
    head = bytes((flags, kind)) + one.info[:1] + _with_length(uid)
    if not one.antennas:
        return head
    records = b"".join(bytes((a.antenna, a.status, a.rssi)) + bytes(4) for a in one.antennas)
    return head + bytes((len(one.antennas),)) + records


def _identifier(one: DataSet) -> bytes:
    """The EPC behind its protocol control words, of which the first counts the words of the EPC."""
    pc = pc_of(one.uid) | (_HAS_XPC << 8 if one.xpc else 0)
    return pc.to_bytes(2, "big") + one.xpc + one.uid


def _with_length(piece: bytes) -> bytes:
    return bytes((len(piece),)) + piece
