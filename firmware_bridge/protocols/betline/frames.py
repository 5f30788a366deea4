"""Frames of the wire format, both ways, and the decoder that finds them in a stream of bytes.

    COBS(body) 00
    body = ver u8 | type u8 | seq u16 | boot_id u32 | t_ms u32 | payload | crc32 u32      little-endian

The CRC-32 is that of IEEE 802.3. The C core (`firmware/core/bl_frame.c`) is the same decoder; a test holds them to one
another, counters included.
"""

from __future__ import annotations

import struct
from binascii import crc32
from dataclasses import dataclass
from typing import Final

from firmware_bridge.protocols.betline import cobs
from firmware_bridge.protocols.betline.messages import LENGTHS
from firmware_bridge.protocols.family import LineCounters
from firmware_bridge.protocols.frame_error import FrameError

VERSION: Final = 1
MAX_BODY: Final = 1600
MAX_ENCODED: Final = cobs.longest(MAX_BODY)
_HEADER: Final = struct.Struct("<BBHII")
_CRC: Final = struct.Struct("<I")
MIN_BODY: Final = _HEADER.size + _CRC.size
MAX_PAYLOAD: Final = MAX_BODY - MIN_BODY
_MIN_FIRST_CODE: Final = 3
"""Neither the version nor the type is ever 00: the first block of a frame holds at least those two bytes."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame. `seq` rises by one with each frame of its sender, `t_ms` is the sender's clock and only orders."""

    type: int
    payload: bytes = b""
    seq: int = 0
    boot_id: int = 0
    t_ms: int = 0

    def to_bytes(self) -> bytes:
        """The frame with the 00 that ends it. Raises FrameError (`too_long`)."""
        if len(self.payload) > MAX_PAYLOAD:
            raise FrameError("too_long", f"a payload of {len(self.payload)} bytes does not fit; {MAX_PAYLOAD} do")
        body = _HEADER.pack(VERSION, self.type, self.seq, self.boot_id, self.t_ms) + self.payload
        return cobs.encode(body + _CRC.pack(crc32(body))) + b"\0"

    @classmethod
    def from_bytes(cls, raw: bytes) -> Frame:
        """Read one whole frame, with or without its 00. Raises FrameError (`damaged`, `version`)."""
        body = _body(raw.removesuffix(b"\0"))
        if body is None:
            raise FrameError("damaged", "the frame's encoding or its CRC does not hold: it was damaged on the line")
        return _frame(body)


@dataclass(frozen=True, slots=True)
class DecoderCounters:
    """What a decoder has seen since it began; the C core counts the same."""

    frames: int = 0
    damaged: int = 0
    """Delimited bytes in which there was no whole frame."""
    versions: int = 0
    """Whole frames of another version of the format."""
    overruns: int = 0
    """More bytes than the longest frame without a delimiter."""
    resyncs: int = 0
    """How often bytes were thrown away."""
    dropped: int = 0
    """Bytes thrown away, without the delimiters."""


class FrameDecoder:
    """Bytes in, frames out. It never raises, and holds no more than two longest frames.

    A frame is delivered with its own last byte, also when noise without a delimiter came right before it: the
    beginning of a message is then searched for.
    """

    def __init__(self) -> None:
        self._held = bytearray()
        self._passed = 0
        self._frames = self._damaged = self._versions = self._overruns = self._resyncs = self._dropped = 0

    @property
    def counters(self) -> DecoderCounters:
        return DecoderCounters(
            self._frames, self._damaged, self._versions, self._overruns, self._resyncs, self._dropped
        )

    @property
    def line(self) -> LineCounters:
        """The same in the terms of all families."""
        lost = self._damaged + self._versions + self._overruns
        return LineCounters(self._frames, lost, self._resyncs, self._dropped)

    @property
    def pending(self) -> int:
        """How many bytes wait for the rest of their frame."""
        return len(self._held)

    def feed(self, data: bytes) -> list[Frame]:
        """The frames that end within `data`."""
        frames: list[Frame] = []
        *ended, rest = data.split(b"\0")
        for piece in ended:
            self._hold(piece)
            if self._held:
                frame = self._end_of_frame()
                if frame is not None:
                    frames.append(frame)
            self._held.clear()
            self._passed = 0
        self._hold(rest)
        return frames

    def _hold(self, piece: bytes) -> None:
        self._held += piece
        excess = len(self._held) - 2 * MAX_ENCODED
        if excess > 0:
            del self._held[:excess]
            self._passed += excess

    def _end_of_frame(self) -> Frame | None:
        total = self._passed + len(self._held)
        overrun = total > MAX_ENCODED
        if overrun:
            self._overruns += 1
            del self._held[:-MAX_ENCODED]
        else:
            body = _body(self._held)
            if body is not None:
                return self._whole(body, total)
        found = _search(self._held)
        if found is None:
            self._damaged += not overrun
            self._lose(total)
            return None
        at, body = found
        self._lose(total - (len(self._held) - at))
        self._frames += 1
        return _frame(body)

    def _whole(self, body: bytes, total: int) -> Frame | None:
        if body[0] != VERSION:
            self._versions += 1
            self._lose(total)
            return None
        self._frames += 1
        return _frame(body)

    def _lose(self, count: int) -> None:
        self._resyncs += 1
        self._dropped += count


def _search(held: bytearray) -> tuple[int, bytes] | None:
    """The message that ends what is held, and where it begins behind noise: no message fills the window."""
    at = held.find(VERSION, 2)
    while at >= 0 and at - 1 + MIN_BODY < len(held):
        if held[at - 1] >= _MIN_FIRST_CODE and _could_be(held[at + 1], len(held) - (at - 1)):
            body = _body(held, at - 1)
            if body is not None:
                return at - 1, body
        at = held.find(VERSION, at + 1)
    return None


def _could_be(type_: int, encoded: int) -> bool:
    """Whether a message of this type can have an encoding of this length: COBS adds 1 to 1 + length / 254."""
    lengths = LENGTHS.get(type_, range(0))
    return any(encoded - MIN_BODY - added in lengths for added in range(1, 2 + encoded // 254))


def _body(raw: bytes | bytearray, start: int = 0) -> bytes | None:
    """The body that `raw` encodes from `start` on, if its length and its CRC hold."""
    body = cobs.decode(raw, start)
    if body is None or not MIN_BODY <= len(body) <= MAX_BODY:
        return None
    return body if crc32(body[: -_CRC.size]) == _CRC.unpack_from(body, len(body) - _CRC.size)[0] else None


def _frame(body: bytes) -> Frame:
    version, type_, seq, boot_id, t_ms = _HEADER.unpack_from(body)
    if version != VERSION:
        raise FrameError("version", f"the frame is of version {version} of the format; this is version {VERSION}")
    return Frame(type_, body[_HEADER.size : -_CRC.size], seq, boot_id, t_ms)
