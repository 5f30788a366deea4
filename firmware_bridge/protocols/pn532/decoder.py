"""Frames out of the PN532's byte stream, each with its own last byte, whatever was on the line before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from firmware_bridge.protocols.family import LineCounters
from firmware_bridge.protocols.pn532.frames import (
    NEED_MORE,
    NO_FRAME,
    START,
    Command,
    Frame,
    Response,
    Signal,
    measure,
    parse,
)

GAP_MS: Final = 20.0
_CHUNK: Final = 1024


@dataclass(frozen=True, slots=True)
class Located:
    """A frame, and where in the stream it lies: from its START to behind its DCS."""

    begin: int
    end: int
    frame: Frame


class FrameDecoder:
    """Looks for a frame at every 00 FF, also within one that is not over yet.

    So a header that was noise delays nothing: the frame behind it is delivered while the false one still waits for its
    end. The price is that a frame may be delivered that was data of a longer one; that longer one is then delivered
    too, and lies around it. `SettledDecoder` waits for that. The sums have eight bits: noise passes for a frame, and
    takes what it overlaps with it, once in 256 times that its header was right. The buffer never holds more than some
    frames.
    """

    def __init__(self, echo: type[Command] | type[Response]) -> None:
        """`echo` are the frames of one's own that a bad line gives back: they are no frames here."""
        self._echo = echo
        self._own_signal = Signal.NACK if echo is Command else Signal.ERROR
        self._buffer = bytearray()
        self._base = 0
        self._scan = 0
        self._open: list[tuple[int, int]] = []
        self._delivered: list[tuple[int, int]] = []
        self._in_step = True
        self._frames = self._damaged = self._resyncs = self._dropped = 0

    @property
    def counters(self) -> LineCounters:
        return LineCounters(self._frames, self._damaged, self._resyncs, self._dropped)

    @property
    def pending(self) -> int:
        """How many bytes wait for the rest of their frame."""
        return len(self._buffer)

    def is_within_another(self, one: Located) -> bool:
        """Whether a frame that is not over yet began before `one`, and will end behind it."""
        return any(begin < one.begin and one.end < end for begin, end in self._open)

    def feed(self, data: bytes, now_ms: float) -> list[Frame]:  # noqa: ARG002 -- as the decoders of other families
        """Take `data`; the frames that are complete now. Time does not matter to it. Never raises."""
        return [one.frame for one in self.locate(data)]

    def locate(self, data: bytes) -> list[Located]:
        """As `feed`, with the frames' places."""
        found: list[Located] = []
        for start in range(0, len(data), _CHUNK):
            self._buffer += data[start : start + _CHUNK]
            self._look_for_headers()
            found += self._complete()
            self._forget(min([begin for begin, _ in self._open] + [self._scan]))
        return found

    def end_of_request(self) -> list[Frame]:
        """Give up what is not complete; no whole frame was kept back."""
        self._open.clear()
        self._scan = self._base + len(self._buffer)
        self._forget(self._scan)
        return []

    def _look_for_headers(self) -> None:
        end = self._base + len(self._buffer)
        while True:
            at = self._buffer.find(START, self._scan - self._base)
            if at < 0:
                self._scan = max(self._scan, end - self._buffer.endswith(START[:1]))
                return
            length = measure(self._buffer, at)
            self._scan = self._base + at
            if length == NEED_MORE:
                return
            self._scan += 1
            if length != NO_FRAME:
                self._open.append((self._base + at, self._base + at + length))

    def _complete(self) -> list[Located]:
        """Deliver what is whole, the outermost first; what lies within a delivered frame is its data."""
        found: list[Located] = []
        end = self._base + len(self._buffer)
        unfinished: list[tuple[int, int]] = []
        for begin, over in self._open:
            if any(outer < begin < behind for outer, behind in self._delivered):
                continue
            if over > end:
                unfinished.append((begin, over))
                continue
            frame = parse(bytes(self._buffer[begin - self._base : over - self._base]))
            if frame is not None and not isinstance(frame, self._echo) and frame is not self._own_signal:
                found.append(Located(begin, over, frame))
                self._delivered.append((begin, over))
        self._open = unfinished
        self._scan = max([self._scan, *(over for _, over in self._delivered)])
        self._frames += len(found)
        return found

    def _forget(self, until: int) -> None:
        """Drop the bytes before `until`, and count those that were neither a frame nor the 00 around one."""
        at = self._base
        for begin, over in sorted(self._delivered):
            if begin >= until:
                break
            self._lose(at, begin)
            self._in_step = True
            at = max(at, over)
        self._lose(at, until)
        self._delivered = [one for one in self._delivered if one[0] >= until]
        del self._buffer[: until - self._base]
        self._base = until

    def _lose(self, begin: int, over: int) -> None:
        lost = bytes(self._buffer[begin - self._base : max(begin, over) - self._base])
        noise = lost.strip(b"\x00")
        if noise and self._in_step:
            self._resyncs += 1
            self._damaged += START in lost
            self._in_step = False
        self._dropped += len(noise)


class SettledDecoder:
    """A `FrameDecoder` for who must not take a tag's data for a frame: a tag may choose what its identifier says.

    A frame within one that is not over yet is kept back until that one is over, or the line was silent for `GAP_MS`.
    """

    def __init__(self, echo: type[Command] | type[Response]) -> None:
        self._decoder = FrameDecoder(echo)
        self._held: list[Located] = []
        self._last_byte_ms = 0.0

    @property
    def counters(self) -> LineCounters:
        return self._decoder.counters

    @property
    def pending(self) -> int:
        return self._decoder.pending

    def feed(self, data: bytes, now_ms: float) -> list[Frame]:
        """Take `data`, which came at `now_ms`; the frames that are settled now. Empty `data` says that nothing came."""
        silent = now_ms - self._last_byte_ms >= GAP_MS
        if data:
            self._last_byte_ms = now_ms
        for found in self._decoder.locate(data):
            self._held = [one for one in self._held if not found.begin < one.begin < found.end]
            self._held.append(found)
        if not silent and any(self._decoder.is_within_another(one) for one in self._held):
            return []
        return self._let_go()

    def end_of_request(self) -> list[Frame]:
        """The request is over: the frames kept back."""
        self._decoder.end_of_request()
        return self._let_go()

    def _let_go(self) -> list[Frame]:
        held, self._held = self._held, []
        return [one.frame for one in held]


def reply_decoder() -> FrameDecoder:
    """A decoder for the host: what the chip says."""
    return FrameDecoder(echo=Command)


def command_decoder() -> FrameDecoder:
    """A decoder for a (virtual) chip: what the host says."""
    return FrameDecoder(echo=Response)
