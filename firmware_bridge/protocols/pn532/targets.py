"""InListPassiveTarget: what is asked for, and the targets in its response, read and written.

The fields of a target are those of ISO 14443-3 (ISO/IEC 14443-3: ATQA, SAK and UID of type A, ATQB of type B) and of
FeliCa (JIS X 6319-4; 212 and 424 kbit/s of ISO/IEC 18092).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from firmware_bridge.protocols.family import TagKind
from firmware_bridge.protocols.frame_error import FrameError
from firmware_bridge.protocols.pn532.frames import Code, Command

MAX_TARGETS: Final = 2
"""The chip holds no more targets than this at a time."""
_ISO14443_4: Final = 0x20
_ATQB: Final = 12
_PUPI: Final = slice(1, 5)
_ATQB_TAG: Final = 0x50
_POL_RES: Final = 0x01
_ID_LENGTHS: Final = (4, 7, 10)


class Modulation(IntEnum):
    """BrTy: bit rate and type of the targets that are looked for."""

    A_106 = 0x00
    FELICA_212 = 0x01
    FELICA_424 = 0x02
    B_106 = 0x03


_KINDS: Final = {
    Modulation.A_106: TagKind.ISO14443A,
    Modulation.FELICA_212: TagKind.FELICA,
    Modulation.FELICA_424: TagKind.FELICA,
    Modulation.B_106: TagKind.ISO14443B,
}
_POLLING: Final = bytes.fromhex("00 FF FF 01 03")
"""FeliCa polling: any system, report the system code, four time slots."""
_INITIATOR_DATA: Final = {
    Modulation.A_106: b"",
    Modulation.FELICA_212: _POLLING,
    Modulation.FELICA_424: _POLLING,
    Modulation.B_106: b"\x00",
}


@dataclass(frozen=True, slots=True)
class ListTargets:
    """Look for at most `most` targets of one modulation."""

    modulation: Modulation
    most: int = MAX_TARGETS

    def to_command(self) -> Command:
        data = bytes((self.most, self.modulation)) + _INITIATOR_DATA[self.modulation]
        return Command(Code.IN_LIST_PASSIVE_TARGET, data)

    @classmethod
    def from_command(cls, command: Command) -> ListTargets:
        """Read the request. Raises FrameError (`not_list`, `targets`, `modulation`)."""
        if command.code != Code.IN_LIST_PASSIVE_TARGET or len(command.data) < 2:
            raise FrameError("not_list", "the command does not list targets")
        most, modulation = command.data[:2]
        if not 0 < most <= MAX_TARGETS:
            raise FrameError("targets", f"the PN532 looks for 1 or {MAX_TARGETS} targets at a time, not {most}")
        if modulation not in _KINDS:
            raise FrameError("modulation", f"there is no modulation {modulation:02X}")
        return cls(Modulation(modulation), most)


@dataclass(frozen=True, slots=True)
class Target:
    """One card in the response. Whatever else the card sends is kept unread."""

    modulation: Modulation
    uid: bytes
    """NFCID1 of ISO 14443A, NFCID2 of FeliCa, PUPI of ISO 14443B."""
    sens_res: int = 0x0004
    sel_res: int = 0x08
    rest: bytes = b""
    """ATS of ISO 14443A; PAD and system code of FeliCa; application data, protocol info and ATTRIB response of B."""

    @property
    def kind(self) -> TagKind:
        return _KINDS[self.modulation]


def encode_targets(targets: Iterable[Target]) -> bytes:
    """The data of the response: NbTg, then each target with its number."""
    encoded = [bytes((number,)) + _encode(one) for number, one in enumerate(targets, 1)]
    return bytes((len(encoded),)) + b"".join(encoded)


def decode_targets(data: bytes, modulation: Modulation) -> tuple[Target, ...]:
    """Read the data of the response. Raises FrameError (`truncated`, `surplus`, `targets`, `target`)."""
    cursor = _Cursor(data)
    count = cursor.byte()
    if count > MAX_TARGETS:
        raise FrameError("targets", f"the PN532 reports {count} targets at once, more than it can hold")
    targets: list[Target] = []
    for number in range(1, count + 1):
        if cursor.byte() != number:
            raise FrameError("target", "the PN532 did not number its targets as it should")
        targets.append(_DECODERS[modulation](cursor, modulation))
    if cursor.left:
        raise FrameError("surplus", f"the PN532's list of targets has {cursor.left} bytes too many")
    return tuple(targets)


class _Cursor:
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
            raise FrameError("truncated", "the PN532's list of targets ends within a target")
        piece = self._data[self._at : self._at + count]
        self._at += count
        return piece

    def byte(self) -> int:
        return self.take(1)[0]

    def sized(self) -> bytes:
        """A piece that begins with its own length, which counts itself."""
        length = self.byte()
        if not length:
            raise FrameError("target", "a target in the PN532's list has a part of length 0")
        return self.take(length - 1)


def _decode_a(cursor: _Cursor, modulation: Modulation) -> Target:
    sens_res = int.from_bytes(cursor.take(2), "big")
    sel_res = cursor.byte()
    length = cursor.byte()
    if length not in _ID_LENGTHS:
        raise FrameError("target", f"a card of ISO 14443A has no identifier of {length} bytes")
    uid = cursor.take(length)
    ats = cursor.sized() if sel_res & _ISO14443_4 and cursor.left else b""
    return Target(modulation, uid, sens_res, sel_res, ats)


def _decode_felica(cursor: _Cursor, modulation: Modulation) -> Target:
    answer = cursor.sized()
    if len(answer) not in (17, 19) or answer[0] != _POL_RES:
        raise FrameError("target", "a FeliCa card's answer to the polling has neither 18 nor 20 bytes")
    return Target(modulation, answer[1:9], rest=answer[9:])


def _decode_b(cursor: _Cursor, modulation: Modulation) -> Target:
    atqb = cursor.take(_ATQB)
    if atqb[0] != _ATQB_TAG:
        raise FrameError("target", "a card of ISO 14443B did not answer with an ATQB")
    attrib = cursor.take(cursor.byte())
    return Target(modulation, atqb[_PUPI], rest=atqb[_PUPI.stop :] + attrib)


_DECODERS: Final = {
    Modulation.A_106: _decode_a,
    Modulation.FELICA_212: _decode_felica,
    Modulation.FELICA_424: _decode_felica,
    Modulation.B_106: _decode_b,
}


def _encode(one: Target) -> bytes:
    if one.modulation is Modulation.A_106:
        ats = bytes((len(one.rest) + 1,)) + one.rest if one.sel_res & _ISO14443_4 else b""
        return one.sens_res.to_bytes(2, "big") + bytes((one.sel_res, len(one.uid))) + one.uid + ats
    if one.modulation is Modulation.B_106:
        info, attrib = one.rest[: _ATQB - _PUPI.stop], one.rest[_ATQB - _PUPI.stop :]
        return bytes((_ATQB_TAG,)) + one.uid + info + bytes((len(attrib),)) + attrib
    answer = bytes((_POL_RES,)) + one.uid + one.rest
    return bytes((len(answer) + 1,)) + answer
