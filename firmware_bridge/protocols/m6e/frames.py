"""Frames of the ThingMagic serial protocol, both ways.

    command     FF | LEN | OPCODE | DATA                          | CRC_HI CRC_LO      LEN counts DATA only
    response    FF | LEN | OPCODE | STATUS_HI STATUS_LO | DATA    | CRC_HI CRC_LO

The CRC covers all but the FF.
"""

from __future__ import annotations

from binascii import crc_hqx
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from firmware_bridge.protocols.frame_error import FrameError
from firmware_bridge.protocols.sliding import NEED_MORE, NO_FRAME, SlidingDecoder

HEADER: Final = 0xFF
MAX_DATA: Final = 248
"""A response has 255 bytes at most."""
_COMMAND_OVERHEAD: Final = 5
_RESPONSE_OVERHEAD: Final = 7
_CAPACITY: Final = 4 * (MAX_DATA + _RESPONSE_OVERHEAD)
_CRC_SEED: Final = crc_hqx(b"\x00\x00", 0xFFFF)


class Opcode(IntEnum):
    """What is asked; a response echoes it, and a tag that is pushed bears READ_MULTIPLE."""

    VERSION = 0x03
    BOOT = 0x04
    SET_BAUD = 0x06
    CURRENT_PROGRAM = 0x0C
    HARDWARE_VERSION = 0x10
    READ_SINGLE = 0x21
    READ_MULTIPLE = 0x22
    WRITE_TAG_DATA = 0x24
    READ_DATA = 0x28
    GET_TAG_BUFFER = 0x29
    CLEAR_TAG_BUFFER = 0x2A
    CONTINUOUS = 0x2F
    GET_ANTENNA = 0x61
    GET_POWER = 0x62
    GET_REGION = 0x67
    SET_ANTENNA = 0x91
    SET_POWER = 0x92
    SET_PROTOCOL = 0x93
    SET_REGION = 0x97
    SET_PARAMETER = 0x9A


_OPCODES: Final = frozenset(int(one) for one in Opcode)


def message_crc(message: bytes) -> int:
    """The CRC from LEN to the last byte of DATA: polynomial 1021, initial FFFF (hardware_docs/protocols/m6e.md).

    Its bits are shifted in at the low end and nothing is appended, so it is not CCITT-FALSE: the last two bytes never
    reach the feedback. What the standard library computes over the others therefore only has to begin two bytes later.
    """
    return crc_hqx(message[:-2], _CRC_SEED) ^ int.from_bytes(message[-2:], "big")


@dataclass(frozen=True, slots=True)
class Command:
    """From the host."""

    opcode: int
    data: bytes = b""

    def to_bytes(self) -> bytes:
        """The frame with its CRC. Raises FrameError (`too_long`)."""
        return _wrap(self.opcode, b"", self.data)

    @classmethod
    def from_bytes(cls, raw: bytes) -> Command:
        """Read one whole frame. Raises FrameError (`header`, `length`, `crc`)."""
        body = _unwrap(raw, _COMMAND_OVERHEAD)
        return cls(body[0], body[1:])


@dataclass(frozen=True, slots=True)
class Response:
    """From the module."""

    opcode: int
    status: int = 0
    data: bytes = b""

    def to_bytes(self) -> bytes:
        """The frame with its CRC. Raises FrameError (`too_long`)."""
        return _wrap(self.opcode, self.status.to_bytes(2, "big"), self.data)

    @classmethod
    def from_bytes(cls, raw: bytes) -> Response:
        """Read one whole frame. Raises FrameError (`header`, `length`, `crc`)."""
        body = _unwrap(raw, _RESPONSE_OVERHEAD)
        return cls(body[0], int.from_bytes(body[1:3], "big"), body[3:])


def reply_decoder() -> SlidingDecoder[Response]:
    """A decoder for the host: what modules say."""
    return SlidingDecoder(_measure_response, _parse_response, capacity=_CAPACITY)


def command_decoder() -> SlidingDecoder[Command]:
    """A decoder for a (virtual) module: what the host says."""
    return SlidingDecoder(_measure_command, _parse_command, capacity=_CAPACITY)


def _wrap(opcode: int, status: bytes, data: bytes) -> bytes:
    if len(data) > MAX_DATA:
        raise FrameError("too_long", f"a message carries at most {MAX_DATA} bytes of data, not {len(data)}")
    message = bytes((len(data), opcode)) + status + data
    return bytes((HEADER,)) + message + message_crc(message).to_bytes(2, "big")


def _unwrap(raw: bytes, overhead: int) -> bytes:
    if raw[:1] != bytes((HEADER,)):
        raise FrameError("header", "the frame does not begin with FF")
    if len(raw) < overhead or raw[1] + overhead != len(raw):
        raise FrameError("length", f"the frame's length does not fit its {len(raw)} bytes")
    if not _crc_holds(raw):
        raise FrameError("crc", "the frame's CRC does not hold: it was damaged on the line")
    return raw[2:-2]


def _crc_holds(raw: bytes) -> bool:
    return message_crc(raw[1:-2]) == int.from_bytes(raw[-2:], "big")


def _measure(buffer: bytearray, at: int, overhead: int) -> int:
    """The length that a frame beginning at `at` claims. Noise seldom has a known opcode, and is unmasked by that."""
    if buffer[at] != HEADER:
        return NO_FRAME
    at_hand = len(buffer) - at
    if at_hand > 1 and buffer[at + 1] > MAX_DATA:
        return NO_FRAME
    if at_hand < 3:
        return NEED_MORE
    return buffer[at + 1] + overhead if buffer[at + 2] in _OPCODES else NO_FRAME


def _measure_response(buffer: bytearray, at: int) -> int:
    return _measure(buffer, at, _RESPONSE_OVERHEAD)


def _measure_command(buffer: bytearray, at: int) -> int:
    return _measure(buffer, at, _COMMAND_OVERHEAD)


def _parse_response(raw: bytes) -> Response | None:
    return Response.from_bytes(raw) if _crc_holds(raw) else None


def _parse_command(raw: bytes) -> Command | None:
    return Command.from_bytes(raw) if _crc_holds(raw) else None
