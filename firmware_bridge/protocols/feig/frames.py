"""Frames of the ISO host protocol, both ways: requests to the reader, replies from it.

    standard   LEN                 | COM-ADR | CTRL | [STATUS] | DATA | CRC_LO CRC_HI     LEN counts the whole frame
    advanced   02 | LEN_HI LEN_LO  | COM-ADR | CTRL | [STATUS] | DATA | CRC_LO CRC_HI

Only replies carry a STATUS. No standard frame is two bytes long, so a first byte 02 means an advanced frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from firmware_bridge.protocols.crc16 import append_crc, crc_holds
from firmware_bridge.protocols.frame_error import FrameError
from firmware_bridge.protocols.sliding import NEED_MORE, NO_FRAME, SlidingDecoder

ANY_READER: Final = 0xFF
"""COM-ADR that every reader obeys; it answers with its own."""
MAX_STANDARD: Final = 255
MAX_ADVANCED: Final = 65_535
_ADVANCED: Final = 0x02
_ADVANCED_HEADER: Final = 5
_MIN_REQUEST: Final = 5
_MIN_REPLY: Final = 6


class Control(IntEnum):
    """CTRL: what is asked; a reply echoes it."""

    BAUD_DETECTION = 0x52
    CPU_RESET = 0x63
    SOFTWARE_VERSION = 0x65
    READER_INFO = 0x66
    RF_RESET = 0x69
    RF_ON_OFF = 0x6A
    DIAGNOSTIC = 0x6E
    SET_OUTPUT = 0x72
    READ_CONFIGURATION = 0x80
    WRITE_CONFIGURATION = 0x81
    SAVE_CONFIGURATION = 0x82
    RESET_CONFIGURATION = 0x83
    LOGIN = 0xA0
    ISO_HOST_COMMAND = 0xB0


_CONTROLS: Final = frozenset(int(control) for control in Control)


@dataclass(frozen=True, slots=True)
class Request:
    """A frame to the reader."""

    control: int
    data: bytes = b""
    address: int = ANY_READER
    advanced: bool = False

    def to_bytes(self) -> bytes:
        """The frame with its CRC. Raises FrameError (`too_long`)."""
        return _wrap(bytes((self.address, self.control)) + self.data, self.advanced)

    @classmethod
    def from_bytes(cls, raw: bytes) -> Request:
        """Read one whole frame. Raises FrameError (`length`, `crc`)."""
        body, advanced = _unwrap(raw, _MIN_REQUEST)
        return cls(control=body[1], data=body[2:], address=body[0], advanced=advanced)


@dataclass(frozen=True, slots=True)
class Reply:
    """A frame from the reader."""

    control: int
    status: int
    data: bytes = b""
    address: int = 0
    advanced: bool = False

    def to_bytes(self) -> bytes:
        """The frame with its CRC. Raises FrameError (`too_long`)."""
        return _wrap(bytes((self.address, self.control, self.status)) + self.data, self.advanced)

    @classmethod
    def from_bytes(cls, raw: bytes) -> Reply:
        """Read one whole frame. Raises FrameError (`length`, `crc`)."""
        body, advanced = _unwrap(raw, _MIN_REPLY)
        return cls(control=body[1], status=body[2], data=body[3:], address=body[0], advanced=advanced)

    @property
    def fits_standard(self) -> bool:
        return _MIN_REPLY + len(self.data) <= MAX_STANDARD


def reply_decoder() -> SlidingDecoder[Reply]:
    """A decoder for the host: what readers say."""
    return SlidingDecoder(_measure_reply, _parse_reply, capacity=MAX_ADVANCED)


def request_decoder() -> SlidingDecoder[Request]:
    """A decoder for a (virtual) reader: what the host says."""
    return SlidingDecoder(_measure_request, _parse_request, capacity=MAX_ADVANCED)


def _wrap(body: bytes, advanced: bool) -> bytes:
    length = len(body) + (5 if advanced else 3)
    limit = MAX_ADVANCED if advanced else MAX_STANDARD
    if length > limit:
        raise FrameError("too_long", f"a frame of {length} bytes does not fit; the longest here is {limit}")
    header = bytes((_ADVANCED,)) + length.to_bytes(2, "big") if advanced else bytes((length,))
    return append_crc(header + body)


def _unwrap(raw: bytes, minimum: int) -> tuple[bytes, bool]:
    advanced = raw[:1] == bytes((_ADVANCED,))
    declared = int.from_bytes(raw[1:3], "big") if advanced else int.from_bytes(raw[:1], "big")
    if declared != len(raw) or len(raw) < minimum + 2 * advanced:
        raise FrameError("length", f"the frame says it has {declared} bytes, but {len(raw)} are there")
    if not crc_holds(raw):
        raise FrameError("crc", "the frame's CRC does not hold: it was damaged on the line")
    return raw[3 if advanced else 1 : -2], advanced


def _measure(buffer: bytearray, at: int, minimum: int) -> int:
    """The length that a frame beginning at `at` claims. Noise seldom has a known CTRL, and is unmasked by that."""
    at_hand = len(buffer) - at
    first = buffer[at]
    if first == _ADVANCED:
        if at_hand < _ADVANCED_HEADER:
            return NEED_MORE
        claimed = buffer[at + 1] << 8 | buffer[at + 2]
        plausible = claimed >= minimum + 2 and buffer[at + 4] in _CONTROLS
        return claimed if plausible else NO_FRAME
    if first < minimum:
        return NO_FRAME
    if at_hand < 3:
        return NEED_MORE
    return first if buffer[at + 2] in _CONTROLS else NO_FRAME


def _measure_reply(buffer: bytearray, at: int) -> int:
    """As `_measure`. No reader answers as ANY_READER: such a frame is our own request, which a bad line echoes."""
    address_at = at + (3 if buffer[at] == _ADVANCED else 1)
    if address_at < len(buffer) and buffer[address_at] == ANY_READER:
        return NO_FRAME
    return _measure(buffer, at, _MIN_REPLY)


def _measure_request(buffer: bytearray, at: int) -> int:
    return _measure(buffer, at, _MIN_REQUEST)


def _parse_reply(raw: bytes) -> Reply | None:
    return Reply.from_bytes(raw) if crc_holds(raw) else None


def _parse_request(raw: bytes) -> Request | None:
    return Request.from_bytes(raw) if crc_holds(raw) else None
