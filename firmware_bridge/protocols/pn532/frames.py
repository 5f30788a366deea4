"""Frames of the PN532's HSU, both ways.

    normal     00 FF | LEN | LCS | TFI | PD0 .. PDn | DCS                LEN counts TFI and PD
    extended   00 FF | FF FF | LENM LENL LCS | TFI | PD0 .. PDn | DCS
    ACK        00 FF 00 FF        NACK  00 FF FF 00        ERROR  00 FF 01 FF 7F 81

LEN and LCS add up to 00, TFI to DCS too. Any number of 00 may stand before and behind a frame; one of each is usual.
The frame ends with DCS: nobody waits for the 00 behind it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import ClassVar, Final

from firmware_bridge.protocols.frame_error import FrameError

START: Final = b"\x00\xff"
NEED_MORE: Final = 0
NO_FRAME: Final = -1
MAX_PACKET: Final = 265
"""TFI and 264 data bytes: the longest packet that the chip sends or takes."""
_MAX_NORMAL: Final = 255
_EXTENDED: Final = b"\xff\xff"
_ERROR_TFI: Final = 0x7F


class Code(IntEnum):
    """PD0 of a command; the response has the next number."""

    GET_FIRMWARE_VERSION = 0x02
    SAM_CONFIGURATION = 0x14
    RF_CONFIGURATION = 0x32
    IN_DATA_EXCHANGE = 0x40
    IN_DESELECT = 0x44
    IN_LIST_PASSIVE_TARGET = 0x4A


@dataclass(frozen=True, slots=True)
class _Packet:
    """A frame with TFI, code and data. `code` is the command's in both directions."""

    code: int
    data: bytes = b""

    tfi: ClassVar[int]
    above: ClassVar[int]

    def to_bytes(self, *, extended: bool = False) -> bytes:
        """The frame with one 00 on each side; extended if asked for or needed. Raises FrameError (`too_long`)."""
        body = bytes((self.tfi, self.code + self.above)) + self.data
        if len(body) > MAX_PACKET:
            raise FrameError("too_long", f"a packet of {len(body)} bytes does not fit; the longest has {MAX_PACKET}")
        if extended or len(body) > _MAX_NORMAL:
            length = len(body).to_bytes(2, "big")
            head = _EXTENDED + length + bytes((-sum(length) & 0xFF,))
        else:
            head = bytes((len(body), -len(body) & 0xFF))
        return b"\x00" + START + head + body + bytes((-sum(body) & 0xFF,)) + b"\x00"


@dataclass(frozen=True, slots=True)
class Command(_Packet):
    """From the host."""

    tfi: ClassVar[int] = 0xD4
    above: ClassVar[int] = 0


@dataclass(frozen=True, slots=True)
class Response(_Packet):
    """From the PN532; `code` is the command that it answers."""

    tfi: ClassVar[int] = 0xD5
    above: ClassVar[int] = 1


class Signal(Enum):
    """Frames without data."""

    ACK = bytes.fromhex("00 00 FF 00 FF 00")
    NACK = bytes.fromhex("00 00 FF FF 00 00")
    """From the host only: send the last response again."""
    ERROR = bytes.fromhex("00 00 FF 01 FF 7F 81 00")
    """From the PN532: it did not understand the last command."""

    def to_bytes(self) -> bytes:
        return bytes(self.value)


Frame = Command | Response | Signal
WAKE: Final = bytes.fromhex("55 55") + bytes(12)
"""Edges that wake the chip, and time for it to start. It hunts over them."""


def from_bytes(raw: bytes) -> Frame:
    """Read one whole frame with any number of 00 around it. Raises FrameError (`start`, `length`, `lcs`, `dcs`)."""
    at = raw.find(START)
    if at < 0 or any(raw[:at]):
        raise FrameError("start", "the bytes do not begin with 00 FF, behind any number of 00")
    length = measure(raw, at)
    if length == NO_FRAME:
        raise FrameError("lcs", "the frame's length does not agree with its checksum, or no PN532 sends it")
    end = at + length
    if length == NEED_MORE or end > len(raw) or any(raw[end:]):
        raise FrameError("length", f"the frame says it has {length} bytes, but {len(raw) - at} are there")
    frame = parse(raw[at:end])
    if frame is None:
        raise FrameError("dcs", "the frame's data do not agree with their checksum: it was damaged on the line")
    return frame


def measure(buffer: bytes | bytearray, at: int) -> int:
    """The length of the frame whose START is at `at`, up to its DCS; NEED_MORE, or NO_FRAME. Never raises."""
    at_hand = len(buffer) - at
    if at_hand < 4:
        return NEED_MORE
    length, check = buffer[at + 2], buffer[at + 3]
    if length + check == 0xFF and length in (0x00, 0xFF):
        return 4
    head = 4
    if length == check == 0xFF:
        head = 7
        if at_hand < head:
            return NEED_MORE
        length = buffer[at + 4] << 8 | buffer[at + 5]
        check = buffer[at + 4] + buffer[at + 5] + buffer[at + 6] - length
    if (length + check) & 0xFF or not 0 < length <= MAX_PACKET:
        return NO_FRAME
    if at_hand <= head:
        return NEED_MORE
    return head + length + 1 if _is_plausible(buffer[at + head], length) else NO_FRAME


def parse(raw: bytes) -> Frame | None:
    """The frame in `raw`, which `measure` measured; None if its data do not agree with their checksum."""
    if len(raw) == 4:
        return Signal.ACK if raw[2] == 0 else Signal.NACK
    body = raw[7 if raw[2:4] == _EXTENDED else 4 :]
    if sum(body) & 0xFF:
        return None
    if body[0] == _ERROR_TFI:
        return Signal.ERROR
    kind = Command if body[0] == Command.tfi else Response
    return kind(body[1] - kind.above, body[2:-1]) if body[1] >= kind.above else None


def _is_plausible(tfi: int, length: int) -> bool:
    return length == 1 if tfi == _ERROR_TFI else length >= 2 and tfi in (Command.tfi, Response.tfi)
