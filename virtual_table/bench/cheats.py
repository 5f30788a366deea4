"""The suite `cheats`: how soon the controller says what is wrong, and how often it says so of honest play.

Each cheat of `virtual_table.laboratory.cheats` is acted out in hands of several seeds, with a camera and with readers
alone, at 5 % missed reads, 1 % neighbour reads and the camera's measured errors. It counts as raised when one of its
alerts or questions comes within `WAIT_S`; the time runs from when it is done, chips at rest. Honest play is random
hands without a pause between them; every alert that accuses the felt counts.

`--stack-readers` plays honest evenings at a table with antennas under the stacks, and nothing else.

**The default run plays held-out numbers**, from 880,000 on: no threshold may be chosen on them. Whoever tunes alerts
takes others (`--seed 5000`).
"""

from __future__ import annotations

import multiprocessing
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from betline.bench import Figure, Progress, Report
from betline.messages.table import Alert, Ruling
from betline.settings import TableSettings, load_table
from betline.supervise import as_worker
from virtual_table.laboratory.cheats.catalogue import CHEATS, ENROLLED, Cheat
from virtual_table.laboratory.laboratory import Conditions, Laboratory, with_stack_readers, without_camera
from virtual_table.laboratory.stage import HandSpoilt, NoSuchMoment, Stage

TAKES: Final = ("seed", "stack_readers")
TABLE: Final = "home-six"
HELD_OUT: Final = 880_000
WAIT_S: Final = 8.0
THINKS_S: Final = (0.2, 4.0)
"""People look round before they cheat."""
EVENINGS_TRIED: Final = 10
TARGET_MS: Final = 2_000
TARGET_PER_HOUR: Final = 1.0
PEOPLE: Final = frozenset(
    {"fold-without-bet", "out-of-turn", "pick-up", "level", "level-ending", "break", "time-due", "ruled-otherwise"}
)
"""Alerts about what the dealer keyed and about the evening, which say nothing of the chips."""
USUAL_MISSED: Final = 0.05
OTHER_MISSED: Final = (0.02, 0.10)


class Effort(NamedTuple):
    """How much is measured."""

    runs: int
    """Of each cheat, with a camera and without one each."""
    evenings: int
    """Of honest play at the usual share of missed reads, with a camera and without one each."""
    others: int
    """At each of the other shares."""
    hands: int
    """In each evening."""


USUAL: Final = Effort(3, 4, 1, 45)
FULL: Final = Effort(20, 40, 10, 100)


class Acted(NamedTuple):
    """One cheat, done."""

    raised_ms: float | None
    """From chips at rest to the alert."""
    told_ms: float | None
    """The same to the first word of it, a notice or the alert."""
    misread: bool
    """Whether the table ruled anything while everybody waited."""


@dataclass(slots=True)
class Honest:
    """What was said of honest play."""

    hours: float = 0.0
    hands: int = 0
    notices: Counter[str] = field(default_factory=Counter)
    """Alerts of the kind info: nobody did wrong."""
    false: Counter[str] = field(default_factory=Counter)

    @property
    def per_hour(self) -> float:
        return sum(self.false.values()) / self.hours if self.hours else 0.0

    def add(self, other: Honest) -> None:
        """With what was said in another evening."""
        self.hours += other.hours
        self.hands += other.hands
        self.notices += other.notices
        self.false += other.false


class Task(NamedTuple):
    """One cheat on one table, or one honest evening where no cheat is named."""

    cheat: str
    camera: bool
    seed: int
    missed: float = USUAL_MISSED
    hands: int = 0
    stacks: bool = False
    """Whether there are antennas under the stacks in honest play."""


def measure(
    progress: Progress, *, full: bool = False, seed: int = HELD_OUT, stack_readers: bool = False
) -> Report:  # fmt: skip
    """Acts all cheats out and lets people play honestly, in two processes; with ``stack_readers`` the latter alone."""
    effort = FULL if full else USUAL
    cheating = () if stack_readers else tuple(_cheating(effort, seed))
    tasks = [*cheating, *(task._replace(stacks=stack_readers) for task in _honest(effort, seed))]
    found: dict[str, list[Acted]] = {task.cheat: [] for task in cheating}
    untried: Counter[str] = Counter()
    honest = {missed: Honest() for missed in (USUAL_MISSED, *OTHER_MISSED)}
    workers = min(2, len(os.sched_getaffinity(0)))
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), as_worker) as pool:
        for number, (task, outcome) in enumerate(zip(tasks, pool.map(_done, tasks), strict=True), start=1):
            if isinstance(outcome, Honest):
                honest[task.missed].add(outcome)
            elif outcome is not None:
                found[task.cheat].append(outcome)
            else:
                untried[task.cheat] += 1
            progress.at(number, len(tasks), task.cheat or f"honest play, {task.missed:.0%} missed")
    return _report(found, honest, untried)


def _cheating(effort: Effort, seed: int) -> Iterator[Task]:
    for cheat in CHEATS:
        for camera in (True, False):
            if cheat.camera in (None, camera):
                yield from (Task(cheat.name, camera, seed + 1000 * (not camera) + run) for run in range(effort.runs))


def _honest(effort: Effort, seed: int) -> Iterator[Task]:
    for missed in (USUAL_MISSED, *OTHER_MISSED):
        for number in range(effort.evenings if missed == USUAL_MISSED else effort.others):
            for camera in (True, False):
                yield Task("", camera, seed + number, missed, effort.hands)


def _done(task: Task) -> Acted | Honest | None:
    table = table_of(camera=task.camera)
    if not task.cheat:
        table = with_stack_readers(table) if task.stacks else table
        return play_honestly(table, task.seed, task.hands, task.missed)
    cheat = next(cheat for cheat in CHEATS if cheat.name == task.cheat)
    return act_out(cheat, with_stack_readers(table) if cheat.stacks else table, task.seed)


def table_of(*, camera: bool) -> TableSettings:
    """The table that is played on."""
    table = load_table(TABLE)
    return table if camera else without_camera(table)


def act_out(cheat: Cheat, table: TableSettings, seed: int) -> Acted | None:
    """One evening up to the cheat, and some seconds more; None where no hand of `EVENINGS_TRIED` evenings allows it."""
    for attempt in range(EVENINGS_TRIED):
        stage = Stage(Laboratory(table, seed + 10_000 * attempt, Conditions(enrolled=ENROLLED)))
        done = _done_at(cheat, stage)
        if done is not None:
            began_s, done_s = done
            stage.lab.let(done_s + WAIT_S - stage.now_s)
            return _heard(cheat, stage, began_s, done_s)
    return None


def _done_at(cheat: Cheat, stage: Stage) -> tuple[float, float] | None:
    """Acts a cheat out at the first moment of an evening that allows it; when that began and was done."""
    while True:
        try:
            stage.play_until(cheat.when)
        except NoSuchMoment:
            return None
        stage.lab.let(stage.chance.uniform(*THINKS_S))
        began_s = stage.now_s
        try:
            return began_s, cheat.act(stage)
        except HandSpoilt:
            return None
        except NoSuchMoment:
            continue


def _heard(cheat: Cheat, stage: Stage, began_s: float, done_s: float) -> Acted:
    told = [one for one in stage.lab.messages if one.at_s > began_s]
    alerts = [(one.at_s, one.body.code) for one in told if isinstance(one.body, Alert) and one.body.active]
    raised = [at_s for at_s, code in alerts if code in cheat.codes] + stage.asked_s(began_s, cheat.codes)
    noticed = raised + [at_s for at_s, code in alerts if code in cheat.notices]
    ruled = any(isinstance(one.body, Ruling) for one in told if one.at_s > done_s)

    def ms(times_s: list[float]) -> float | None:
        return max(0.0, min(times_s) - done_s) * 1000 if times_s else None

    return Acted(ms(raised), ms(noticed), ruled)


def play_honestly(table: TableSettings, seed: int, hands: int, missed: float = USUAL_MISSED) -> Honest:
    """An evening of honest play."""
    lab = Laboratory(table, seed, Conditions(missed))
    began_s = lab.agenda.now_s()
    played = lab.play(hands).hands
    return said_of(lab, began_s, played)


def said_of(lab: Laboratory, began_s: float, hands: int) -> Honest:
    """What was said since then of people who are taken for honest."""
    honest = Honest((lab.agenda.now_s() - began_s) / 3600, hands)
    for told in lab.messages:
        if isinstance(told.body, Alert) and told.body.active and told.body.code not in PEOPLE:
            (honest.notices if told.body.severity == "info" else honest.false)[told.body.code] += 1
    return honest


def _report(found: dict[str, list[Acted]], honest: dict[float, Honest], untried: Mapping[str, int]) -> Report:
    due = {cheat.name: cheat.due_ms for cheat in CHEATS}
    rows = {name: _row(acted, due[name]) for name, acted in found.items()}
    figures = [
        Figure(
            name,
            f"{row['raised']} of {row['of']}" + _times(row),
            f"all, {TARGET_MS} ms",
            row["raised"] == row["of"] and row["ms_p95_from_due"] <= TARGET_MS if row["of"] else None,
        )
        for name, row in rows.items()
    ]
    per_hour = {missed: round(one.per_hour, 2) for missed, one in honest.items()}
    for missed, figure in per_hour.items():
        target, met = "", None
        if missed == USUAL_MISSED:
            target, met = f"< {TARGET_PER_HOUR:.0f}", figure < TARGET_PER_HOUR
        figures.append(Figure(f"false alerts an hour, {missed:.0%} missed", f"{figure}", target, met))
    measured = tuple(_in_words(missed, one) for missed, one in honest.items())
    by_missed = {f"{missed:.2f}": figure for missed, figure in per_hour.items()}
    beside = {"false_per_hour": per_hour[USUAL_MISSED], "false_per_hour_by_missed": by_missed}
    return Report(rows, tuple(figures), measured, beside, _not_tried(untried, rows))


def _not_tried(untried: Mapping[str, int], rows: Mapping[str, Any]) -> str:
    """The sentence about cheats for which no hand was found; empty where there are none."""
    if not untried:
        return ""
    named = ", ".join(f"{name} ({missed} of {missed + rows[name]['of']})" for name, missed in untried.items())
    return f"Not tried, since no hand of {EVENINGS_TRIED} evenings allowed it: {named}. Try another --seed."


def _in_words(missed: float, honest: Honest) -> str:
    said = ", ".join(f"{code} {count}" for code, count in honest.false.most_common()) or "none"
    notices = ", ".join(f"{code} {count}" for code, count in honest.notices.most_common()) or "none"
    return (
        f"Honest play, {missed:.0%} missed: {honest.hands} hands in {honest.hours:.2f} simulated hours; "
        f"alerts: {said}; notices: {notices}."
    )


def _times(row: dict[str, Any]) -> str:
    """`, 412 ms p95`, and where they differ when the first word came and how long after the alert was due."""
    if not row["raised"]:
        return "" if row["of"] else ", not tried"
    said = f", {row['ms_p95']} ms p95"
    if row["told_ms_p95"] != row["ms_p95"]:
        said += f" ({row['told_ms_p95']} ms to a notice)"
    return said + (f", {row['ms_p95_from_due']} ms from due" if row["due_ms"] else "")


def _row(acted: Sequence[Acted], due_ms: int) -> dict[str, Any]:
    raised = [one.raised_ms for one in acted if one.raised_ms is not None]
    p95 = _p95(raised)
    return {
        "raised": len(raised),
        "of": len(acted),
        "ms_p95": p95,
        "due_ms": due_ms,
        "ms_p95_from_due": None if p95 is None else max(0, p95 - due_ms),
        "told_ms_p95": _p95([one.told_ms for one in acted if one.told_ms is not None]),
        "ruled": sum(one.misread for one in acted),
    }


def _p95(times_ms: list[float]) -> int | None:
    times_ms = sorted(times_ms)
    return round(times_ms[min(len(times_ms) - 1, int(len(times_ms) * 0.95))]) if times_ms else None
