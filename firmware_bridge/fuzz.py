"""Feeds every decoder and every dialogue of the catalogue noise and damaged frames: `python -m firmware_bridge.fuzz`.

The bytes come in bursts of random bytes, truncated, spliced and bit-flipped frames, false headers and undamaged frames,
cut anywhere, in a time that the fuzzer makes pass. It holds that

- nothing raises, and no burst takes longer than `HANG_S`;
- a decoder holds back no more than `MAX_PENDING` bytes, and the process does not grow by more than `MAX_GROWTH_MB`;
- each undamaged frame is delivered by the next gap of 20 ms, where the family says so with its own last byte;
- after a false header, none of the next 200 frames is lost.

A damaged frame may become another valid one by chance, which swallows what it overlaps: with a checksum of one byte
once in some thousand bursts. A lost frame is only forgiven, and counted, if another valid one overlaps it.
Everything is drawn from `--seed`, so a failure can be had again.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Any, Final

from firmware_bridge.fuzz_subjects import Subject, subjects
from firmware_bridge.protocols.catalogue import FAMILIES
from firmware_bridge.protocols.family import Ask, Family, Inventory, Listen, Refused

GAP_MS: Final = 20.0
HANG_S: Final = 10
MAX_PENDING: Final = 2 * 65_536
MAX_GROWTH_MB: Final = 48
FRAMES_AFTER_A_STRAY: Final = 200
_REMEMBERED: Final = 700
"""Bytes of earlier bursts that an overlapping frame may begin in."""
_HEAD: Final = 8
"""What a decoder drops of so many bytes begins no frame."""
_MAX_BY_CHANCE: Final = 300


class FuzzError(AssertionError):
    """A decoder broke a promise; the text says which, and with which bytes."""


@dataclass(slots=True)
class Tally:
    """What one subject was fed, and how fast it took it."""

    name: str
    fed: int = 0
    frames: int = 0
    by_chance: int = 0
    """Frames lost to a valid one that damage made by chance."""
    seconds: float = 0.0
    spent_s: float = 0.0
    """Of that, what the processor spent."""

    def add(self, began: tuple[float, float]) -> None:
        """Count the time since `began`: by the wall's clock, and by this thread's."""
        self.seconds += time.perf_counter() - began[0]
        self.spent_s += time.thread_time() - began[1]

    @property
    def mb_a_second(self) -> float:
        return self.fed / 1e6 / self.spent_s if self.spent_s else 0.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Fuzz as the command line says; 0 if every promise held, 1 with a sentence for each that did not."""
    parser = argparse.ArgumentParser(prog="python -m firmware_bridge.fuzz", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0, help="for all together (60)")
    parser.add_argument("--bytes", type=int, help="feed each so many bytes instead, however long it takes")
    parser.add_argument("--seed", type=int, default=1, help="of all that is drawn (1)")
    parser.add_argument("--family", help="only this family")
    given = parser.parse_args(arguments)
    runs = list(_runs(given.family))
    if not runs:
        print(f"There is no family {given.family}; the names are: {', '.join(FAMILIES)}.", file=sys.stderr)
        return 2
    failed = 0
    for name, run in runs:
        rng = random.Random(f"{given.seed}:{name}")
        stop = _Stop(given.bytes, None if given.bytes else given.seconds / len(runs))
        tally = Tally(name)
        try:
            run(rng, stop, tally)
        except FuzzError as error:
            failed += 1
            print(f"{name}, seed {given.seed}: {error}", file=sys.stderr)
        chance = f", {tally.by_chance} lost to chance" if tally.by_chance else ""
        print(
            f"{name:<26} {tally.fed / 1e6:7.2f} MB, {tally.frames:>8} undamaged frames delivered{chance}, "
            f"{tally.mb_a_second:.2f} MB/s",
            flush=True,
        )
    print("all promises held" if not failed else f"{failed} of {len(runs)} broke a promise", flush=True)
    return 1 if failed else 0


@dataclass(frozen=True, slots=True)
class _Stop:
    """After so many bytes, or so many seconds."""

    bytes: int | None
    seconds: float | None

    def reached(self, tally: Tally) -> bool:
        if self.bytes is not None:
            return tally.fed >= self.bytes
        return tally.seconds >= (self.seconds or 0.0)


Run = Callable[[random.Random, _Stop, Tally], None]


def _runs(family: str | None) -> Iterator[tuple[str, Run]]:
    chosen = [one for one in subjects() if family in (None, one.family)]
    for subject in chosen:
        yield subject.name, _decoder_run(subject)
    for name, wire in FAMILIES.items():
        if family in (None, name):
            frames = tuple(frame for one in chosen if one.family == name for frame in one.frames)
            yield f"{name} dialogue", _dialogue_run(wire, frames)


def _decoder_run(subject: Subject) -> Run:
    return lambda rng, stop, tally: fuzz_decoder(subject, rng, stop.reached, tally)


def _dialogue_run(wire: Family, frames: tuple[bytes, ...]) -> Run:
    return lambda rng, stop, tally: fuzz_dialogue(wire, frames, rng, stop.reached, tally)


def fuzz_decoder(subject: Subject, rng: random.Random, done: Callable[[Tally], bool], tally: Tally) -> None:
    """Bursts until `done`. Raises FuzzError."""
    for stray in subject.strays:
        _after_a_stray(subject, stray)
    whole = {frame: _read_alone(subject, frame) for frame in subject.frames}
    decoder, now_ms, before_mb, before = subject.make(), 0.0, _resident_mb(), b""
    while not done(tally):
        parts = list(draw_burst(rng, subject.frames, subject.strays))
        sent = [whole[part] for part, undamaged in parts if undamaged]
        began = time.perf_counter(), time.thread_time()
        due = list(sent)
        burst = b"".join(part for part, _ in parts)
        with _within_time():
            for piece in cut(rng, burst):
                now_ms += 0.5
                _tick_off(due, _feed(decoder, piece, now_ms, burst))
            late = list(due) if subject.own_last_byte else []
            now_ms += GAP_MS
            _tick_off(due, _feed(decoder, b"", now_ms, burst))
        tally.add(began)
        for lost, when in ((late, "with their last byte"), (due, "by the next gap")):
            faults = lost and _not_by_chance(subject, whole, before, burst, lost)
            if faults:
                raise FuzzError(f"{faults} undamaged frames were not delivered {when}: {before.hex()} {burst.hex()}")
        before = (before + burst)[-_REMEMBERED:]
        tally.by_chance += len(due)
        tally.frames += len(sent) - len(due)
        tally.fed += len(burst)
        if decoder.pending > MAX_PENDING or _resident_mb() - before_mb > MAX_GROWTH_MB:
            raise FuzzError(f"it grew to {decoder.pending} bytes held back, and by {_resident_mb() - before_mb:.0f} MB")
        if rng.random() < 0.1:
            _call(burst, decoder.end_of_request)


def fuzz_dialogue(
    wire: Family, frames: Sequence[bytes], rng: random.Random, done: Callable[[Tally], bool], tally: Tally
) -> None:
    """A host that asks and asks, and a line that says anything. Raises FuzzError."""
    dialogue, now_ms, before_mb = wire.dialogue(), 0.0, _resident_mb()
    while not done(tally):
        burst = b"".join(part for part, _ in draw_burst(rng, frames))
        began = time.perf_counter(), time.thread_time()
        with _within_time():
            step: Any = _call(burst, dialogue.inventory, rng.choice((None, 1, wire.traits.antennas)))
            for piece in cut(rng, burst):
                now_ms += 0.5
                step = _call(burst, dialogue.feed, piece, now_ms) or step
                if isinstance(step, (Inventory, Refused)) and rng.random() < 0.5:
                    step = _call(burst, dialogue.inventory, None)
            now_ms += GAP_MS
            step = _call(burst, dialogue.feed, b"", now_ms) or step
            if rng.random() < 0.7:
                step = _call(burst, dialogue.silence) or step
        tally.add(began)
        tally.fed += len(burst)
        tally.frames = dialogue.counters.frames
        if not isinstance(step, (Ask, Listen, Inventory, Refused)):
            raise FuzzError(f"it answered {step!r}, which is no step, to {burst.hex()}")
        if _resident_mb() - before_mb > MAX_GROWTH_MB:
            raise FuzzError(f"it grew by {_resident_mb() - before_mb:.0f} MB")


def draw_burst(
    rng: random.Random, frames: Sequence[bytes], strays: Sequence[bytes] = ()
) -> Iterator[tuple[bytes, bool]]:
    """Pieces of one burst, and whether each is an undamaged frame."""
    for _ in range(rng.randint(1, 6)):
        what = rng.random()
        one, other = rng.choice(frames), rng.choice(frames)
        if what < 0.35:
            yield one, True
            continue
        if what < 0.55:
            noise = rng.randbytes(rng.randint(1, 4000 if rng.random() < 0.02 else 80))
        elif what < 0.65:
            noise = one[: rng.randrange(len(one))]
        elif what < 0.75:
            noise = one[: rng.randrange(len(one))] + other[rng.randrange(len(other)) :]
        elif what < 0.9:
            broken = bytearray(one)
            for _ in range(rng.randint(1, 3)):
                broken[rng.randrange(len(broken))] ^= 1 << rng.randrange(8)
            noise = bytes(broken)
        else:
            noise = rng.choice(strays) if strays else one[1:]
        yield noise, False
    yield rng.choice(frames), True


def cut(rng: random.Random, data: bytes) -> Iterator[bytes]:
    """The data as reads of a port give them."""
    longest = rng.choice((1, 7, 64, 4096))
    at = 0
    while at < len(data):
        size = rng.randint(1, longest)
        yield data[at : at + size]
        at += size


def _after_a_stray(subject: Subject, stray: bytes) -> None:
    """200 frames behind a false header, without a gap between them and with one: none is lost."""
    for pause_ms in (1.0, GAP_MS):
        decoder, found, now_ms = subject.make(), 0, 0.0
        frame = subject.frames[0]
        wanted = _read_alone(subject, frame)
        found += _feed(decoder, stray, now_ms, stray).count(wanted)
        for _ in range(FRAMES_AFTER_A_STRAY):
            now_ms += pause_ms
            found += _feed(decoder, frame, now_ms, stray).count(wanted)
        found += _feed(decoder, b"", now_ms + GAP_MS, stray).count(wanted)
        found += _call(stray, decoder.end_of_request).count(wanted)
        if found != FRAMES_AFTER_A_STRAY:
            raise FuzzError(f"after the stray {stray.hex()} only {found} of {FRAMES_AFTER_A_STRAY} frames came")


def _read_alone(subject: Subject, frame: bytes) -> Any:
    decoder = subject.make()
    found = [*decoder.feed(frame, 0.0), *decoder.feed(b"", GAP_MS), *decoder.end_of_request()]
    if len(found) != 1:
        raise FuzzError(f"{frame.hex()} alone gives {len(found)} frames")
    return found[0]


def _tick_off(due: list[Any], found: list[Any]) -> None:
    """Take what was found from what is due."""
    for frame in found:
        if frame in due:
            due.remove(frame)


def _not_by_chance(subject: Subject, whole: dict[bytes, Any], before: bytes, burst: bytes, lost: list[Any]) -> int:
    """How many of the lost frames no other valid frame overlaps."""
    line = before + burst
    spans = list(_valid_spans(subject, line))
    faults = 0
    for raw, frame in whole.items():
        overlapped, at = 0, line.find(raw, max(0, len(before) - len(raw) + 1))
        while at >= 0:
            end = at + len(raw)
            overlapped += any(begin < end and over > at and not at <= begin < over <= end for begin, over in spans)
            at = line.find(raw, at + 1)
        faults += max(0, lost.count(frame) - overlapped)
    return faults


def _valid_spans(subject: Subject, line: bytes) -> Iterator[tuple[int, int]]:
    """Where in the bytes a fresh decoder finds a frame that begins right there and ends right there."""
    for begin in range(len(line)):
        decoder = subject.make()
        head = line[begin : begin + _HEAD]
        if not decoder.feed(head, 0.0) and decoder.pending < len(head):
            continue
        for end in range(begin + 1, min(len(line), begin + _MAX_BY_CHANCE) + 1):
            frame = _first_frame(subject, line[begin:end])
            if frame is not None and frame != _first_frame(subject, line[begin + 1 : end]):
                yield begin, end
                break


def _first_frame(subject: Subject, line: bytes) -> Any:
    """What a fresh decoder finds first, if that needs the last of these bytes; else None."""
    found = subject.make().feed(line, 0.0)[:1]
    return found[0] if found and found != subject.make().feed(line[:-1], 0.0)[:1] else None


def _feed(decoder: Any, piece: bytes, now_ms: float, burst: bytes) -> list[Any]:
    return list(_call(burst, decoder.feed, piece, now_ms))


def _call(burst: bytes, what: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return what(*arguments)
    except Exception as error:
        raise FuzzError(f"it raised {type(error).__name__} ({error}) at {burst.hex()}") from error


def _resident_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


@contextlib.contextmanager
def _within_time() -> Iterator[None]:
    """Ends what hangs: the alarm raises in the middle of it."""

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"no end within {HANG_S} s")

    before = signal.signal(signal.SIGALRM, ring)
    left_s, _ = signal.setitimer(signal.ITIMER_REAL, HANG_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, left_s)
        signal.signal(signal.SIGALRM, before)


if __name__ == "__main__":
    sys.exit(main())
