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

from betline.counting import counted
from betline.settings import SettingsError
from betline.supervise import as_worker
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
    shrunk: bool = True
    """Whether nothing more can be left out; False where it was stopped before that was known."""


@dataclass(slots=True)
class Hunt:
    """What was played and found."""

    cases: int = 0
    hands: int = 0
    acts: int = 0
    findings: list[Finding] = field(default_factory=list)
    again: int = 0
    """How many cases broke as one that was found before."""
    stopped: bool = False
    """Whether Ctrl-C ended it."""


def workers() -> int:
    """How many processors there are for this process."""
    return len(os.sched_getaffinity(0))


@contextmanager
def player(jobs: int) -> Iterator[Player]:
    """Plays cases in so many processes; with one job in this process."""
    if jobs == 1:
        yield _one_by_one
        return
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), as_worker) as pool:

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


def hunt(
    plays: Player,
    seed: int,
    minutes: float,
    table: str | None,
    tell: Tell,
    *,
    most: int | None = None,
    into: Hunt | None = None,
    keep: Callable[[Finding], None] = lambda _: None,
) -> Hunt:
    """Plays the cases from ``seed`` on for so many minutes, or ``most`` of them; then shrinks all that broke.

    Each finding goes to ``keep`` as soon as it is shrunk. Ctrl-C ends it; what fails besides is raised. Either way what
    broke until then is in the hunt that is given, ``into``, and has gone to ``keep``, as far as it was shrunk.
    """
    found = Hunt() if into is None else into
    broke: list[Finding] = []
    shapes: set[tuple[str, ...]] = set()
    try:
        _play_drawn(found, broke, plays, islice((draw(number, table) for number in count(seed)), most), minutes, tell)
        while broke:
            finding = _shrunk(broke, plays, tell)
            del broke[0]
            if shape(finding.case, finding.broken) in shapes:
                found.again += 1
                continue
            shapes.add(shape(finding.case, finding.broken))
            found.findings.append(finding)
            keep(finding)
    except KeyboardInterrupt:
        found.stopped = True
    finally:
        found.findings += broke
        for finding in broke:
            keep(finding)
    return found


def _play_drawn(
    found: Hunt, broke: list[Finding], plays: Player, drawn: Iterable[ChaosCase], minutes: float, tell: Tell
) -> None:
    began_s = told_s = time.monotonic()
    for case, played in plays(drawn):
        found.cases, found.hands, found.acts = found.cases + 1, found.hands + played.hands, found.acts + played.acts
        now_s = time.monotonic()
        if played.broken is not None:
            broke.append(Finding(case, case, played.broken, 0, shrunk=False))
            tell(f"case {case.seed} broke: {played.broken.sentence}")
        if now_s - told_s >= TOLD_EVERY_S:
            told_s = now_s
            tell(f"{(now_s - began_s) / 60:.1f} of {minutes:g} minutes: {played_so_far(found)}, {len(broke)} broke")
        if now_s - began_s >= minutes * 60:
            break


def played_so_far(found: Hunt) -> str:
    """How much was played, in words."""
    return f"{counted(found.cases, 'case')}, {counted(found.hands, 'hand')}, {counted(found.acts, 'act')}"


def _shrunk(broke: list[Finding], plays: Player, tell: Tell) -> Finding:
    """The first of these with the simplest case that breaks in the same way; the simplest so far is in its place until
    then. No case is tried twice.
    """
    drawn, broken = broke[0].drawn, broke[0].broken
    tried: set[str] = set()

    def first_broken(candidates: Sequence[ChaosCase]) -> tuple[int, Broken] | None:
        fresh = [one for one in candidates if one.as_toml() not in tried]
        for candidate, played in plays(fresh):
            tried.add(candidate.as_toml())
            if played.broken is not None and played.broken.alike(broken):
                broke[0] = Finding(drawn, candidate, played.broken, len(tried), shrunk=False)
                tell(
                    f"case {drawn.seed} still breaks with {counted(len(candidate.faults.events), 'event')} and "
                    f"{counted(candidate.hands, 'hand')} (try {len(tried)})"
                )
                return candidates.index(candidate), played.broken
        return None

    least, how = shrink(drawn, broken, first_broken)
    return Finding(drawn, least, how, len(tried))
