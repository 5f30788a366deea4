"""What a tape says of a line: whole, split and damaged frames, noise, times of answers, repeated tags, speed. Pure.

Frames are told from noise by the family's own decoder. Where it lost bytes between two requests, a frame that failed
its checksum is damage; so are bytes in place of an answer that did not come. All other lost bytes are noise.

The silence within a frame is the time between two reads less the line's time of the bytes that the later one brought:
what a busy host or the timer of a USB adapter held back is not the reader's silence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from firmware_bridge.conform.evidence import Entry
from firmware_bridge.conform.heard import Ear, Heard

QUIET_MS: Final = 60.0
"""A frame that has not gone on for so long will not be finished (`polling.QUIET_MS`)."""
LONG_FRAME: Final = 40
"""Bytes behind its first read from which on a frame says how fast the line is."""


@dataclass(frozen=True, slots=True)
class FrameSeen:
    """One undamaged frame, and how it came in."""

    length: int
    reads: int
    """In how many reads of the host it came."""
    silence_ms: float
    """The longest silence within it."""
    bytes_per_s: float | None
    """How fast its bytes came in; None for a short one, or one that came in one read."""


@dataclass(frozen=True, slots=True)
class LineSeen:
    """What one or more tapes say."""

    frames: tuple[FrameSeen, ...] = ()
    damaged: int = 0
    noise_bytes: int = 0
    noise_runs: int = 0
    answer_ms: tuple[float, ...] = ()
    """From each request to the first byte of its answer."""
    unanswered: int = 0
    told: int = 0
    """How many tags were reported, repetitions counted."""
    repeated: int = 0
    """How many of them had been reported in the same inventory before."""
    read_sizes: tuple[int, ...] = ()

    def __add__(self, other: LineSeen) -> LineSeen:
        return LineSeen(
            self.frames + other.frames,
            self.damaged + other.damaged,
            self.noise_bytes + other.noise_bytes,
            self.noise_runs + other.noise_runs,
            self.answer_ms + other.answer_ms,
            self.unanswered + other.unanswered,
            self.told + other.told,
            self.repeated + other.repeated,
            self.read_sizes + other.read_sizes,
        )


@dataclass(slots=True)
class LineWatch:
    """Puts what is read into frames, with their places in the stream and the times of their bytes."""

    ear: Ear
    byte_ms: float
    frames: list[FrameSeen] = field(default_factory=list)
    stray_bytes: int = 0
    stray_runs: int = 0
    _held: bytes = b""
    _byte_ms: float = 0.0
    """When the last byte came."""
    _reads: list[tuple[int, float, int]] = field(default_factory=list)
    """Where each read begins in what is held, when it came, and its length."""

    def read(self, data: bytes, at_ms: float) -> list[Heard]:
        """`data` was read at `at_ms`; empty: nothing came until then."""
        if data:
            self._reads.append((len(self._held), at_ms, len(data)))
            self._held += data
            self._byte_ms = at_ms
        return self._place(self.ear.feed(data, at_ms))

    def asks(self, request: bytes, at_ms: float) -> list[Heard]:
        """`request` goes out at `at_ms`; it may do so in the middle of a frame, to stop a reader that talks on."""
        heard = self.read(b"", at_ms)
        if at_ms - self._byte_ms >= QUIET_MS:
            heard += self.end()
        self.ear.asked(request)
        return heard

    def end(self) -> list[Heard]:
        """Nothing follows: what is not in a frame by now never will be."""
        heard = self._place(self.ear.end())
        self._stray(self._held)
        self._held, self._reads = b"", []
        return heard

    def _place(self, heard: list[Heard]) -> list[Heard]:
        for one in heard:
            begin = self._held.find(one.raw)
            if begin < 0:
                continue
            self._stray(self._held[:begin])
            self.frames.append(self._seen(begin, len(one.raw)))
            self._forget(begin + len(one.raw))
        return heard

    def _stray(self, lost: bytes) -> None:
        """Bytes in no frame; 00 around frames is none of them."""
        noise = lost.strip(b"\0")
        self.stray_bytes += len(noise)
        self.stray_runs += bool(noise)

    def _seen(self, begin: int, length: int) -> FrameSeen:
        end = begin + length
        reads = [one for one in self._reads if one[0] < end and one[0] + one[2] > begin]
        silence_ms = 0.0
        for before, after in pairwise(reads):
            silence_ms = max(silence_ms, after[1] - before[1] - after[2] * self.byte_ms)
        behind = end - reads[1][0] if len(reads) > 1 else 0
        took_s = (reads[-1][1] - reads[0][1]) / 1000
        whole = reads[-1][0] + reads[-1][2] <= end
        fast = behind / took_s if behind >= LONG_FRAME and took_s > 0 and whole else None
        return FrameSeen(length, len(reads), silence_ms, fast)

    def _forget(self, count: int) -> None:
        self._held = self._held[count:]
        self._reads = [(at - count, ms, size) for at, ms, size in self._reads if at + size > count]


def line_seen(
    entries: Sequence[Entry], ear: Ear, byte_ms: float, begins: Callable[[bytes], bool], *, skip_ms: float = 0.0
) -> LineSeen:
    """What a tape says. Repeated tags are looked for from `skip_ms` on: the first round may read twice."""
    watch = LineWatch(ear, byte_ms)
    tally = _Tally(watch)
    for entry in entries:
        if entry.is_request:
            tally.close(tally.watch.asks(entry.data, entry.at_ms))
            if begins(entry.data):
                tally.told.clear()
            tally.open(entry.at_ms)
        else:
            tally.hear(entry, counts=entry.at_ms >= skip_ms)
    tally.close(watch.end())
    sizes = tuple(len(entry.data) for entry in entries if not entry.is_request)
    return LineSeen(
        tuple(watch.frames),
        tally.damaged,
        tally.noise_bytes,
        tally.noise_runs,
        tuple(tally.answer_ms),
        tally.unanswered,
        tally.count,
        tally.repeated,
        sizes,
    )


@dataclass(slots=True)
class _Tally:
    """Counts from request to request."""

    watch: LineWatch
    told: Counter[str] = field(default_factory=Counter)
    damaged: int = 0
    noise_bytes: int = 0
    noise_runs: int = 0
    unanswered: int = 0
    count: int = 0
    repeated: int = 0
    answer_ms: list[float] = field(default_factory=list)
    _asked_ms: float | None = None
    _answered: bool = False
    _answers: int = 0
    _before: tuple[int, int, int] = (0, 0, 0)

    def open(self, at_ms: float) -> None:
        """A request goes out."""
        self._asked_ms, self._answered, self._answers = at_ms, False, 0
        self._before = (self.watch.stray_bytes, self.watch.stray_runs, self.watch.ear.damaged)

    def hear(self, entry: Entry, *, counts: bool) -> None:
        if self._asked_ms is not None and not self._answered:
            self.answer_ms.append(entry.at_ms - self._asked_ms)
            self._answered = True
        self._take(self.watch.read(entry.data, entry.at_ms), counts=counts)

    def close(self, heard: list[Heard]) -> None:
        """Nothing more belongs to the last request but `heard`."""
        self._take(heard, counts=True)
        strays, runs, damaged = self._before
        lost, lost_runs = self.watch.stray_bytes - strays, self.watch.stray_runs - runs
        broken = self.watch.ear.damaged - damaged
        if broken or (lost and not self._answers):
            self.damaged += max(broken, 1)
        elif lost:
            self.noise_bytes += lost
            self.noise_runs += lost_runs
        self.unanswered += self._asked_ms is not None and not self._answers
        self._before = (self.watch.stray_bytes, self.watch.stray_runs, self.watch.ear.damaged)

    def _take(self, heard: list[Heard], *, counts: bool) -> None:
        for one in heard:
            self._answers += not one.unasked
            for tag in one.tags if counts else ():
                self.count += 1
                self.repeated += bool(self.told[tag])
                self.told[tag] += 1
