"""Draws and plays cases on all processors for some minutes, and shrinks what broke."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count, islice
from typing import Final

from betline.settings import SettingsError
from virtual_table.chaos.case import ChaosCase
from virtual_table.chaos.draw import draw
from virtual_table.chaos.play import Broken, Played, play
from virtual_table.chaos.shrink import shape, shrink

Tell = Callable[[str], None]
Player = Callable[[Iterable[ChaosCase]], Iterator[tuple[ChaosCase, Played]]]
"""Plays cases, some of them at once, and gives what came of them in their order."""
TOLD_EVERY_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class Finding:
    """What broke: the case that was drawn, and the simplest that was found."""

    drawn: ChaosCase
    case: ChaosCase
    broken: Broken
    tries: int


@dataclass(slots=True)
class Hunt:
    """What was played and found."""

    cases: int = 0
    hands: int = 0
    acts: int = 0
    findings: list[Finding] = field(default_factory=list)
    again: int = 0
    """How many cases broke as one that was found before."""


def workers() -> int:
    """How many processors there are for this process."""
    return len(os.sched_getaffinity(0))


@contextmanager
def player(jobs: int) -> Iterator[Player]:
    """Plays cases in so many processes; with one job in this process."""
    if jobs == 1:
        yield _one_by_one
        return
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:

        def at_once(cases: Iterable[ChaosCase]) -> Iterator[tuple[ChaosCase, Played]]:
            waiting: list[tuple[ChaosCase, Future[Played]]] = []
            coming = iter(cases)
            try:
                while True:
                    for case in islice(coming, jobs - len(waiting)):
                        waiting.append((case, pool.submit(try_out, case)))
                    if not waiting:
                        return
                    case, future = waiting.pop(0)
                    yield case, future.result()
            finally:
                for _, future in waiting:
                    future.cancel()

        yield at_once


def _one_by_one(cases: Iterable[ChaosCase]) -> Iterator[tuple[ChaosCase, Played]]:
    for case in cases:
        yield case, try_out(case)


def try_out(case: ChaosCase) -> Played:
    """Plays a case; one whose plan does not fit its table breaks nothing."""
    try:
        return play(case)
    except SettingsError:
        return Played(0, 0)


def hunt(plays: Player, seed: int, minutes: float, table: str | None, tell: Tell, most: int | None = None) -> Hunt:
    """Plays the cases from ``seed`` on for so many minutes, or ``most`` of them; then shrinks all that broke."""
    found = Hunt()
    broke: list[tuple[ChaosCase, Broken]] = []
    began_s = told_s = time.monotonic()
    drawn = (draw(number, table) for number in count(seed))
    for case, played in plays(islice(drawn, most)):
        found.cases, found.hands, found.acts = found.cases + 1, found.hands + played.hands, found.acts + played.acts
        now_s = time.monotonic()
        if played.broken is not None:
            broke.append((case, played.broken))
            tell(f"case {case.seed} broke: {played.broken.sentence}")
        if now_s - told_s >= TOLD_EVERY_S:
            told_s = now_s
            tell(
                f"{(now_s - began_s) / 60:.1f} of {minutes:g} minutes: {found.cases} cases, {found.hands} hands, "
                f"{found.acts} acts, {len(broke)} broke"
            )
        if now_s - began_s >= minutes * 60:
            break
    shapes: set[tuple[str, ...]] = set()
    for case, broken in broke:
        finding = shrunk(case, broken, plays, tell)
        if shape(finding.case, finding.broken) in shapes:
            found.again += 1
        else:
            shapes.add(shape(finding.case, finding.broken))
            found.findings.append(finding)
    return found


def shrunk(case: ChaosCase, broken: Broken, plays: Player, tell: Tell) -> Finding:
    """The simplest case that breaks in the same way; no case is tried twice."""
    tried: set[str] = set()

    def first_broken(candidates: Sequence[ChaosCase]) -> tuple[int, Broken] | None:
        fresh = [one for one in candidates if one.as_toml() not in tried]
        for candidate, played in plays(fresh):
            tried.add(candidate.as_toml())
            if played.broken is not None and played.broken.alike(broken):
                events = len(candidate.faults.events)
                tell(
                    f"case {case.seed} still breaks with {events} events and {candidate.hands} hands "
                    f"({len(tried)} tries)"
                )
                return candidates.index(candidate), played.broken
        return None

    least, how = shrink(case, broken, first_broken)
    return Finding(case, least, how, len(tried))
