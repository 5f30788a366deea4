"""The suite `readers`: how fast the codecs are, how long rounds take, and what nine readers cost.

- Decoding: the host's whole work on rounds over 20 tags, from bytes to tags, with a virtual reader at the far end of a
  line in memory; the bytes from the reader a second of that work, over what the family's fastest line carries.
- Rounds: the real bridge in a process of its own, virtual readers in real time on pseudo-terminals at 115200 baud,
  every zone wanted, so that each reader reads as fast as it can (a zone not more often than every 70 ms).
- Processor: the time of the bridge's process, bus client included, while nine FEIG readers are read at full rate; of
  the numbers of chips the one that costs most.
"""

from __future__ import annotations

import statistics
import time
from typing import Final, NamedTuple

from betline.bench import Figure, Progress, Report
from firmware_bridge.protocols.catalogue import FAMILIES
from firmware_bridge.protocols.family import Ask, Family, Inventory, LineSettings, Listen, Step
from virtual_table.bench.bridge_lab import BAUD, Lab, Measured, Reader, lab
from virtual_table.readers.catalogue import virtual_reader
from virtual_table.readers.memory import MemoryLine

SEATS: Final = tuple(f"seat-{number}" for number in range(1, 10))
PROTOCOL: Final = "feig"
TAGS_DECODED: Final = 20
READ_SIZE: Final = 64
_IDENTIFIERS: Final = {"pn532": "04%012X", "bb": "E2%022X", "m6e": "E2%022X", "chafon": "E2%022X"}


class Effort(NamedTuple):
    """How much is measured."""

    decode_s: float
    """Of the host's work, for each family."""
    settle_s: float
    measure_s: float
    """For each number of chips."""
    one: tuple[int, ...]
    """Numbers of chips over one reader."""
    nine: tuple[int, ...]
    """Over each of nine readers."""
    eight: tuple[int, ...]
    """Over each of the eight antennas of one reader."""
    families: tuple[int, ...]
    """Over one reader of each other family."""


USUAL: Final = Effort(1.0, 1.5, 6.0, (0, 1, 8, 20, 40, 100), (0, 8, 20, 40), (0, 8, 20), (1, 8, 20))
FULL: Final = Effort(
    5.0, 3.0, 30.0, (0, 1, 5, 8, 10, 20, 40, 60, 100), (0, 1, 8, 20, 40), (0, 8, 20, 40), (0, 1, 8, 20)
)


class Decoded(NamedTuple):
    """What the host's side of one family made of a second of its work."""

    bytes_per_second: float
    to_line_rate: float
    rounds: int


def measure(progress: Progress, *, full: bool = False) -> Report:
    """Measures all; `full`: longer, and more numbers of chips. Raises UserError where a part does not start."""
    effort = FULL if full else USUAL
    others = tuple(name for name in FAMILIES if name != PROTOCOL)
    total = len(FAMILIES) + len(effort.one) + len(effort.nine) + len(effort.eight) + len(effort.families)
    steps = iter(range(total + 1))
    decoded: dict[str, Decoded] = {}
    for name, wire in FAMILIES.items():
        progress.at(next(steps), total, f"decoding {name}")
        decoded[name] = decode(wire, effort.decode_s)

    def runs(what: str, readers: list[Reader], counts: tuple[int, ...]) -> dict[int, Measured]:
        with lab(readers) as bench:
            return {chips: _run(bench, chips, what) for chips in counts}

    def _run(bench: Lab, chips: int, what: str) -> Measured:
        progress.at(next(steps), total, f"{what}, {chips} chips")
        return bench.measure(chips, effort.settle_s, effort.measure_s)

    one = runs("one reader", [Reader(PROTOCOL, SEATS[:1])], effort.one)
    nine = runs("nine readers", [Reader(PROTOCOL, (seat,)) for seat in SEATS], effort.nine)
    eight = runs("eight antennas", [Reader(PROTOCOL, SEATS[:8])], effort.eight)
    each = runs(
        "other families", [Reader(name, (seat,)) for name, seat in zip(others, SEATS, strict=False)], effort.families
    )
    return _report(decoded, one, nine, eight, others, each, effort)


def decode(wire: Family, for_s: float) -> Decoded:
    """Rounds over 20 tags until the host has worked for `for_s`; the virtual reader's own work is not counted."""
    name = wire.traits.name
    tags = [(_IDENTIFIERS.get(name, "E00401%010X") % (number * 7919), 1, 1.0) for number in range(1, TAGS_DECODED + 1)]
    fastest = LineSettings(max(wire.traits.bauds), wire.traits.line.parity)
    line = MemoryLine(virtual_reader(name, lambda: tags), fastest, bytes_per_read=READ_SIZE)
    dialogue, now_ms, until_ms, heard, rounds, spent_s = wire.dialogue(), 0.0, 0.0, 0, 0, 0.0
    step: Step | None = Inventory(())
    while spent_s < for_s:
        if isinstance(step, Ask):
            line.write(step.data, now_ms)
        if isinstance(step, (Ask, Listen)):
            until_ms = now_ms + step.timeout_ms
        data = b""
        if step is None or isinstance(step, (Ask, Listen)):
            coming_ms = line.next_ms
            now_ms = max(now_ms, until_ms if coming_ms is None else min(coming_ms, until_ms))
            data = line.read(now_ms)
        began = time.thread_time()
        if data:
            step = dialogue.feed(data, now_ms)
        elif now_ms >= until_ms or not (step is None or isinstance(step, (Ask, Listen))):
            silent = step is None or isinstance(step, (Ask, Listen))
            step = (dialogue.silence() if silent else None) or dialogue.inventory(None)
        else:
            step = None
        spent_s += time.thread_time() - began
        heard += len(data)
        rounds += isinstance(step, Inventory) and len({tag.uid for tag in step.tags}) == TAGS_DECODED
    rate = heard / spent_s
    return Decoded(rate, rate / (1000.0 / fastest.byte_ms), rounds)


def _report(
    decoded: dict[str, Decoded],
    one: dict[int, Measured],
    nine: dict[int, Measured],
    eight: dict[int, Measured],
    others: tuple[str, ...],
    each: dict[int, Measured],
    effort: Effort,
) -> Report:
    shares = {chips: run.core_share for chips, run in nine.items()}
    by_family = {
        name: {chips: run.round_ms[f"reader-{number}"] for chips, run in each.items()}
        for number, name in enumerate(others)
    }
    sweeps = {chips: statistics.mean(run.period_ms.values()) for chips, run in eight.items()}
    figures = [
        Figure(f"decoding, {name}", f"{one_.bytes_per_second / 1e6:.2f} MB/s = {one_.to_line_rate:.0f} x its line rate")
        for name, one_ in decoded.items()
    ]
    figures += [Figure(f"a round, one reader, {chips} chips", _ms(_round_ms(run))) for chips, run in one.items()]
    figures += [
        Figure(f"a round, nine readers, {chips} chips each", f"{_ms(_round_ms(run))}, every {_ms(_period_ms(run))}")
        for chips, run in nine.items()
    ]
    figures += [Figure(f"a sweep of eight antennas, {chips} chips each", _ms(ms)) for chips, ms in sweeps.items()]
    figures += [
        Figure(f"a round, {name}, {chips} chips", _ms(ms))
        for name, found in by_family.items()
        for chips, ms in found.items()
    ]
    figures += [
        Figure(f"bridge with nine readers, {chips} chips each", f"{100 * share:.1f} % of a core")
        for chips, share in shares.items()
    ]
    json = {
        "decode_to_line_rate": {name: found.to_line_rate for name, found in decoded.items()},
        "decode_mb_per_s": {name: found.bytes_per_second / 1e6 for name, found in decoded.items()},
        "core_share_nine_readers": max(shares.values()),
        "core_share_by_chips": _keyed(shares),
        "round_ms": {
            "one_reader": _keyed({chips: _round_ms(run) for chips, run in one.items()}),
            "nine_readers": _keyed({chips: _round_ms(run) for chips, run in nine.items()}),
            **{name: _keyed(found) for name, found in by_family.items()},
        },
        "sweep_ms_eight_antennas": _keyed(sweeps),
    }
    rounds = sum(run.rounds for runs in (one, nine, eight, each) for run in runs.values())
    measured = (
        f"Decoding: {effort.decode_s:g} s of the host's work for each family, "
        f"{sum(found.rounds for found in decoded.values())} rounds that found all of {TAGS_DECODED} tags.",
        f"Rounds: {rounds} in real time, {PROTOCOL} but where another family is named, at {BAUD} baud on "
        f"pseudo-terminals, each number of chips for {effort.measure_s:g} s.",
    )
    return Report(json, tuple(figures), measured)


def _round_ms(run: Measured) -> float:
    return statistics.median(run.round_ms.values())


def _period_ms(run: Measured) -> float:
    return statistics.mean(run.period_ms.values())


def _keyed(found: dict[int, float]) -> dict[str, float]:
    return {str(chips): value for chips, value in found.items()}


def _ms(value: float) -> str:
    return f"{value:.0f} ms"
