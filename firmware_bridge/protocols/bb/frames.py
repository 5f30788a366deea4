"""Frames of the BB..7E protocol, both ways, and the decoders for either end.

    BB | TYPE | CMD | PL_HI PL_LO | PARAMETERS | CS | 7E        CS = sum of TYPE to the last parameter, modulo 256

Nothing is escaped: BB and 7E may stand anywhere within. So a frame is taken by its length, and only if the checksum
and the last byte hold. A sum of eight bits lets one damaged frame in 256 through; the tag's own CRC-16 is the second
check of a tag notice.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from firmware_bridge.protocols.frame_error import FrameError
from firmware_bridge.protocols.gen2 import MAX_EPC, epc_length, pc_of, tag_crc16
from firmware_bridge.protocols.sliding import NEED_MORE, NO_FRAME, SlidingDecoder

HEAD: Final = 0xBB
TAIL: Final = 0x7E
MAX_PARAMETERS: Final = 255
"""The longest documented reply has 129; PL_HI of a frame is always 00."""
_OVERHEAD: Final = 7
_HEADER: Final = 5


class FrameType(IntEnum):
    """TYPE: who speaks, and why."""

    COMMAND = 0x00
    RESPONSE = 0x01
    NOTICE = 0x02


class Command(IntEnum):
    """CMD of the commands that Betline sends, and of the responses to them."""

    MODULE_INFO = 0x03
    SINGLE_POLL = 0x22
    MULTIPLE_POLL = 0x27
    STOP = 0x28
    SET_POWER = 0xB6
    GET_POWER = 0xB7
    ERROR = 0xFF
    """Never sent: the response to any command that failed, with one code as its parameter."""


_POLLS: Final = frozenset({int(Command.SINGLE_POLL), int(Command.MULTIPLE_POLL)})


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame, either way."""

    type: int
    command: int
    parameters: bytes = b""

    def to_bytes(self) -> bytes:
        """The frame with its checksum. Raises FrameError (`too_long`)."""
        if len(self.parameters) > MAX_PARAMETERS:
            raise FrameError("too_long", f"a frame carries at most {MAX_PARAMETERS} bytes of parameters")
        body = bytes((self.type, self.command)) + len(self.parameters).to_bytes(2, "big") + self.parameters
        return bytes((HEAD,)) + body + bytes((sum(body) & 0xFF, TAIL))

    @classmethod
    def from_bytes(cls, raw: bytes) -> Frame:
        """Read one whole frame. Raises FrameError (`head`, `length`, `tail`, `checksum`)."""
        if raw[:1] != bytes((HEAD,)):
            raise FrameError("head", "the frame does not begin with BB")
        if len(raw) < _OVERHEAD or int.from_bytes(raw[3:5], "big") != len(raw) - _OVERHEAD:
            raise FrameError("length", f"the frame's length does not fit its {len(raw)} bytes")
        if raw[-1] != TAIL:
            raise FrameError("tail", "the frame does not end with 7E")
        if sum(raw[1:-2]) & 0xFF != raw[-2]:
            raise FrameError("checksum", "the frame's checksum does not hold: it was damaged on the line")
        return cls(raw[1], raw[2], raw[_HEADER:-2])


@dataclass(frozen=True, slots=True)
class TagNotice:
    """A tag that a poll has heard."""

    epc: bytes
    rssi: int
    """dBm at the chip of the reader, signed."""
    pc: int

    @classmethod
    def of(cls, epc: bytes, rssi: int) -> TagNotice:
        """The notice of a tag with a plain protocol control word."""
        return cls(epc, rssi, pc_of(epc))

    def to_frame(self) -> Frame:
        """The notice as modules send it in a multiple poll too. Raises FrameError (`epc`)."""
        coded = self.pc.to_bytes(2, "big") + self.epc
        if epc_length(self.pc) != len(self.epc):
            raise FrameError("epc", "the protocol control word does not fit the EPC")
        parameters = self.rssi.to_bytes(1, "big", signed=True) + coded + tag_crc16(coded).to_bytes(2, "big")
        return Frame(FrameType.NOTICE, Command.SINGLE_POLL, parameters)

    @classmethod
    def from_frame(cls, frame: Frame) -> TagNotice:
        """Read a notice. Raises FrameError (`not_notice`, `epc`, `tag_crc`)."""
        if not is_notice(frame):
            raise FrameError("not_notice", "the frame reports no tag")
        coded, crc = frame.parameters[1:-2], frame.parameters[-2:]
        pc = int.from_bytes(coded[:2], "big")
        if len(coded) < 2 or epc_length(pc) != len(coded) - 2:
            raise FrameError("epc", "the length of the tag's EPC is not the one that it announces")
        if tag_crc16(coded) != int.from_bytes(crc, "big"):
            raise FrameError("tag_crc", "the tag's own CRC does not hold: it was damaged on the air or on the line")
        return cls(coded[2:], int.from_bytes(frame.parameters[:1], "big", signed=True), pc)


def is_notice(frame: Frame) -> bool:
    """Whether the frame reports a tag; one manual gives notices of a multiple poll its own command code."""
    return frame.type == FrameType.NOTICE and frame.command in _POLLS


def reply_decoder() -> SlidingDecoder[Frame]:
    """A decoder for the host: what readers say. A notice with a damaged EPC is no frame."""
    return SlidingDecoder(_measure_reply, _parse_reply, capacity=_CAPACITY, ends_with=TAIL)


def command_decoder() -> SlidingDecoder[Frame]:
    """A decoder for a (virtual) reader: what the host says."""
    return SlidingDecoder(_measure_command, _parse, capacity=_CAPACITY, ends_with=TAIL)


_CAPACITY: Final = 4 * (MAX_PARAMETERS + _OVERHEAD)
_MAX_NOTICE: Final = MAX_EPC + 5


def _measure(buffer: bytearray, at: int) -> int:
    at_hand = len(buffer) - at
    if at_hand < _HEADER:
        return NEED_MORE
    parameters = buffer[at + 3] << 8 | buffer[at + 4]
    return parameters + _OVERHEAD if parameters <= MAX_PARAMETERS else NO_FRAME


def _measure_reply(buffer: bytearray, at: int) -> int:
    """The length that a reply beginning at `at` claims; our own command, which a bad line echoes, is none."""
    if buffer[at] != HEAD:
        return NO_FRAME
    if len(buffer) - at > 1 and buffer[at + 1] not in (FrameType.RESPONSE, FrameType.NOTICE):
        return NO_FRAME
    length = _measure(buffer, at)
    too_long = length > _MAX_NOTICE + _OVERHEAD and buffer[at + 1] == FrameType.NOTICE
    return NO_FRAME if too_long else length


def _measure_command(buffer: bytearray, at: int) -> int:
    if buffer[at] != HEAD:
        return NO_FRAME
    if len(buffer) - at > 1 and buffer[at + 1] != FrameType.COMMAND:
        return NO_FRAME
    return _measure(buffer, at)


def _parse(raw: bytes) -> Frame | None:
    try:
        return Frame.from_bytes(raw)
    except FrameError:
        return None


def _parse_reply(raw: bytes) -> Frame | None:
    frame = _parse(raw)
    if frame is None or not is_notice(frame):
        return frame
    try:
        TagNotice.from_frame(frame)
    except FrameError:
        return None
    return frame
