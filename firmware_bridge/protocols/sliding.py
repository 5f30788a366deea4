"""Frames out of a byte stream that has lengths and checksums, but no delimiter.

Such a stream can only be resynchronised by time and by trial. The decoder

- drops one byte after a checksum failure and tries again one byte later;
- takes a silence of `gap_ms` between two characters as a hint that a frame may begin after it, and looks for whole
  frames in what it holds: a length that was noise swallows nothing beyond the next gap;
- does not throw an unfinished frame away at the first gap, since on a busy host the gap may be the host's own delay;
  it gives it up after `MAX_GAPS` of them, or at the end of the request;
- where all frames end with the same byte, delivers a whole frame with that byte of its own, also within what claims to
  be a longer one: such a family need not wait for a gap.

Time comes in with the bytes. The buffer never holds more than `capacity` bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, TypeVar

from firmware_bridge.protocols.family import LineCounters

GAP_MS: Final = 20.0
MAX_GAPS: Final = 3
NEED_MORE: Final = 0
NO_FRAME: Final = -1

FrameT = TypeVar("FrameT")


class SlidingDecoder(Generic[FrameT]):
    """An incremental decoder of length-framed messages.

    `measure(buffer, at)` is the length of the frame that may begin at `at`, `NEED_MORE` if that is not known yet, or
    `NO_FRAME` if none begins there. `parse(raw)` is the frame, or None if its checksum does not hold; neither raises.
    """

    def __init__(
        self,
        measure: Callable[[bytearray, int], int],
        parse: Callable[[bytes], FrameT | None],
        *,
        capacity: int,
        gap_ms: float = GAP_MS,
        ends_with: int | None = None,
    ) -> None:
        self._measure = measure
        self._parse = parse
        self._capacity = capacity
        self._gap_ms = gap_ms
        self._ends_with = ends_with
        self._buffer = bytearray()
        self._marks: list[int] = []
        self._last_byte_ms = 0.0
        self._gap_seen = False
        self._in_step = True
        self._frames = self._crc_errors = self._resyncs = self._dropped = 0

    @property
    def counters(self) -> LineCounters:
        return LineCounters(self._frames, self._crc_errors, self._resyncs, self._dropped)

    @property
    def pending(self) -> int:
        """How many bytes wait for the rest of their frame."""
        return len(self._buffer)

    def feed(self, data: bytes, now_ms: float) -> list[FrameT]:
        """Take `data`, which came at `now_ms`; the frames that are complete now. Never raises.

        Empty `data` means that nothing came until `now_ms`.
        """
        frames: list[FrameT] = []
        if self._buffer and not self._gap_seen and now_ms - self._last_byte_ms >= self._gap_ms:
            frames += self._gap()
        if data:
            self._gap_seen = False
            self._last_byte_ms = now_ms
            for start in range(0, len(data), self._capacity):
                frames += self._take(data[start : start + self._capacity])
        return frames

    def end_of_request(self) -> list[FrameT]:
        """The request is over: the whole frames still hidden in the buffer; the rest is dropped."""
        frames = self._sweep()
        self._lose(len(self._buffer))
        self._discard(len(self._buffer))
        return frames

    def _take(self, data: bytes) -> list[FrameT]:
        self._buffer += data
        frames = self._advance()
        if self._buffer and self._ends_with is not None and self._ends_with in data:
            frames += self._sweep()
        if len(self._buffer) > self._capacity:
            frames += self.end_of_request()
        return frames

    def _gap(self) -> list[FrameT]:
        self._gap_seen = True
        frames = self._sweep()
        if len(self._marks) == MAX_GAPS:
            self._lose(len(self._buffer))
            self._discard(len(self._buffer))
        elif self._buffer:
            self._marks.append(len(self._buffer))
        return frames

    def _advance(self) -> list[FrameT]:
        """Decode from the front; stop where a frame is still incomplete."""
        frames: list[FrameT] = []
        buffer, at = self._buffer, 0
        while at < len(buffer):
            length = self._measure(buffer, at)
            frame: FrameT | None = None
            if length == NEED_MORE or at + length > len(buffer):
                found = self._frame_after_gap(at)
                if found is None:
                    break
                begin, length, frame = found
                self._lose(begin - at)
                at = begin
            elif length != NO_FRAME:
                frame = self._parse(bytes(buffer[at : at + length]))
                self._crc_errors += frame is None and self._in_step
            if frame is None:
                self._lose(1)
                at += 1
            else:
                frames.append(frame)
                self._deliver()
                at += length
        self._discard(at)
        return frames

    def _frame_after_gap(self, at: int) -> tuple[int, int, FrameT] | None:
        """The whole frame that begins where the line had been silent, if there is one beyond `at`."""
        for begin in self._marks:
            if at < begin < len(self._buffer):
                length = self._measure(self._buffer, begin)
                if length > 0 and begin + length <= len(self._buffer):
                    frame = self._parse(bytes(self._buffer[begin : begin + length]))
                    if frame is not None:
                        return begin, length, frame
        return None

    def _sweep(self) -> list[FrameT]:
        """Take every whole frame, wherever it begins; keep what may be the beginning of an unfinished one."""
        frames: list[FrameT] = []
        buffer, at, taken = self._buffer, 0, 0
        unfinished: int | None = None
        while at < len(buffer):
            length = self._measure(buffer, at)
            if length == NEED_MORE or at + length > len(buffer):
                unfinished = at if unfinished is None else unfinished
            elif length != NO_FRAME:
                frame = self._parse(bytes(buffer[at : at + length]))
                if frame is not None:
                    if at > taken:
                        self._lose(at - taken)
                    frames.append(frame)
                    self._deliver()
                    at += length
                    taken, unfinished = at, None
                    continue
            at += 1
        keep = len(buffer) if unfinished is None else unfinished
        if keep > taken:
            self._lose(keep - taken)
        self._discard(keep)
        return frames

    def _deliver(self) -> None:
        self._frames += 1
        self._in_step = True

    def _lose(self, count: int) -> None:
        if count and self._in_step:
            self._resyncs += 1
            self._in_step = False
        self._dropped += count

    def _discard(self, count: int) -> None:
        """Forget the first `count` bytes, which were delivered or lost."""
        if not count:
            return
        del self._buffer[:count]
        self._marks = [mark - count for mark in self._marks if mark > count]
        if not self._buffer:
            self._in_step = True
