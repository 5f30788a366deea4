"""Frames of the UHFReader18 protocol, both ways, and the decoders for either end.

    LEN | ADR | CMD | [STATUS] | DATA | CRC_LO CRC_HI           LEN counts the bytes after itself

The CRC is FEIG's, and CRC and layout alone cannot tell the two apart: FEIG's LEN counts itself, so a FEIG frame with a
stray 00 behind it has a CRC that holds here too, and a frame of ours whose CRC_HI is 00 has one that holds there.
The third byte tells them apart: no command below is a CTRL of FEIG's.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from firmware_bridge.protocols.crc16 import append_crc, crc_holds
from firmware_bridge.protocols.frame_error import FrameError
from firmware_bridge.protocols.sliding import NEED_MORE, NO_FRAME, SlidingDecoder

ANY_READER: Final = 0xFF
"""ADR that every reader obeys; it answers with its own."""
MAX_REPLY_DATA: Final = 250
_MAX_LEN: Final = 255
_MIN_REQUEST: Final = 4
_MIN_REPLY: Final = 5
_HEADER: Final = 3


class Command(IntEnum):
    """CMD: what is asked; a reply echoes it. These are the documented ones that a frame may carry here."""

    INVENTORY = 0x01
    READER_INFO = 0x21
    SET_FREQUENCY = 0x22
    SET_ADDRESS = 0x24
    SET_SCAN_TIME = 0x25
    SET_BAUD = 0x28
    SET_POWER = 0x2F
    SET_WORK_MODE = 0x35
    SERIAL_NUMBER = 0x4C
    """Four bytes; the older readers do not know it."""
    ACTIVE = 0xEE
    """Never asked: what a reader in active mode reports by itself."""


_COMMANDS: Final = frozenset(int(command) for command in Command)


@dataclass(frozen=True, slots=True)
class Request:
    """A frame to the reader."""

    command: int
    data: bytes = b""
    address: int = ANY_READER

    def to_bytes(self) -> bytes:
        """The frame with its CRC. Raises FrameError (`too_long`)."""
        return _wrap(bytes((self.address, self.command)) + self.data)

    @classmethod
    def from_bytes(cls, raw: bytes) -> Request:
        """Read one whole frame. Raises FrameError (`length`, `crc`)."""
        body = _unwrap(raw, _MIN_REQUEST)
        return cls(body[1], body[2:], body[0])


@dataclass(frozen=True, slots=True)
class Reply:
    """A frame from the reader."""

    command: int
    status: int
    data: bytes = b""
    address: int = 0

    def to_bytes(self) -> bytes:
        """The frame with its CRC. Raises FrameError (`too_long`)."""
        return _wrap(bytes((self.address, self.command, self.status)) + self.data)

    @classmethod
    def from_bytes(cls, raw: bytes) -> Reply:
        """Read one whole frame. Raises FrameError (`length`, `crc`)."""
        body = _unwrap(raw, _MIN_REPLY)
        return cls(body[1], body[2], body[3:], body[0])


def reply_decoder() -> SlidingDecoder[Reply]:
    """A decoder for the host: what readers say."""
    return SlidingDecoder(_measure_reply, _parse_reply, capacity=4 * _MAX_LEN)


def request_decoder() -> SlidingDecoder[Request]:
    """A decoder for a (virtual) reader: what the host says."""
    return SlidingDecoder(_measure_request, _parse_request, capacity=4 * _MAX_LEN)


def _wrap(body: bytes) -> bytes:
    length = len(body) + 2
    if length > _MAX_LEN:
        raise FrameError("too_long", f"a frame of {length} bytes after its first does not fit; at most {_MAX_LEN} do")
    return append_crc(bytes((length,)) + body)


def _unwrap(raw: bytes, minimum: int) -> bytes:
    if len(raw) <= minimum or raw[0] != len(raw) - 1:
        raise FrameError("length", f"the frame's length does not fit its {len(raw)} bytes")
    if not crc_holds(raw):
        raise FrameError("crc", "the frame's CRC does not hold: it was damaged on the line")
    return raw[1:-2]


def _measure(buffer: bytearray, at: int, minimum: int) -> int:
    """The length that a frame beginning at `at` claims. Noise seldom has a known CMD, and is unmasked by that."""
    if buffer[at] < minimum:
        return NO_FRAME
    if len(buffer) - at < _HEADER:
        return NEED_MORE
    return buffer[at] + 1 if buffer[at + 2] in _COMMANDS else NO_FRAME


def _measure_reply(buffer: bytearray, at: int) -> int:
    """As `_measure`. No reader answers as ANY_READER: such a frame is our own request, which a bad line echoes."""
    if len(buffer) - at > 1 and buffer[at + 1] == ANY_READER:
        return NO_FRAME
    return _measure(buffer, at, _MIN_REPLY)


def _measure_request(buffer: bytearray, at: int) -> int:
    return _measure(buffer, at, _MIN_REQUEST)


def _parse_reply(raw: bytes) -> Reply | None:
    return Reply.from_bytes(raw) if crc_holds(raw) else None


def _parse_request(raw: bytes) -> Request | None:
    return Request.from_bytes(raw) if crc_holds(raw) else None
