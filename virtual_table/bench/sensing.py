"""The suite `sensing`: tables played in simulated time through readers, camera, sensing and rulings.

Trials of some 60 acts each: a trial's number decides its table, mode, noise, habits and troubles
(`virtual_table.laboratory.trial`). **The default run plays held-out trials**, from number 1,000,000 on: no threshold
may be chosen on them. Whoever tunes sensing takes other numbers (`--seed 1`). A trial ends with the first thing that is
wrong in it.

- wrong: a ruling, the blinds or the books at a hand's end that are not what the players meant, an act on which nothing
  was ruled and nothing was said, or a program that failed, where the controller had not asked.
- asked: questions that the dealer had to answer, keys that were refused, and acts that he had to key because an alert
  said so; not the keys for words, checks, folds, streets and awards, which no sensor tells.
- inferred_wrong: folds and checks that the controller took for granted and that nobody had made; by_false_mucks has
  them, and how many folds were inferred, where the camera takes 2, 10 and 30 % of the hands that leave for mucks.
- ready is the later of the chips at rest and the fingers behind the line again. Acts of 1 to 8 chips are timed.

`--waits` plays trials with 15 or 20 % missed or 15 % neighbour reads under five ways to wait, and nothing else.

`--occasions N`: so many per cent of the trials have each of late antes, dead blinds, bomb pots and players who toy with
their chips, 0 none; the same number goes with `--seed` and `--hand`.

`--faults PLAN`: a plan of faults (docs/faults.md) besides what the trials have themselves; where it says how readers
read, that holds instead. What a trial has no sensor for does not happen there.

`--seed S --hand H` plays trial S to the end of its hand H and tells that hand, act by act and reading by reading.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from typing import Final, NamedTuple

from betline.bench import Progress, Report
from betline.settings import load_table
from betline.supervise import as_worker
from table_controller.sensing import Thresholds
from virtual_table.bench.sensing_report import Policy, report, report_of_waits
from virtual_table.faults.plan import NO_FAULTS, TablePlan, load_plan, naming
from virtual_table.laboratory.faults import refuse_lines
from virtual_table.laboratory.story import tell
from virtual_table.laboratory.trial import ACTS_EACH, ADVERSE, TABLES, Outcome, plan_of, run

TAKES: Final = ("acts", "seed", "hand", "waits", "occasions", "faults")
ACTS: Final = 10_000
FULL_ACTS: Final = 100_000
POLICY_ACTS: Final = 600
FULL_POLICY_ACTS: Final = 5_000
HELD_OUT: Final = 1_000_000
"""The number of the first held-out trial."""
POLICIES: Final[tuple[tuple[str, Thresholds | None], ...]] = (
    ("as shipped", None),
    ("settled after 3 rounds", Thresholds(settle_rounds=3)),
    ("settled after 4 rounds", Thresholds(settle_rounds=4)),
    ("settled after 7 rounds", Thresholds(settle_rounds=7)),
)
"""Ways to wait that are compared on the same trials."""
WAITS: Final[tuple[tuple[str, Thresholds | None], ...]] = (
    ("the first hit, 1 round", Thresholds(present_hits=1, contested_hits=1, settle_rounds=1)),
    ("2 hits, 2 rounds", Thresholds(present_hits=2, contested_hits=2, settle_rounds=2)),
    ("3 rounds", Thresholds(settle_rounds=3)),
    ("as shipped, 5 rounds", None),
    ("8 rounds", Thresholds(settle_rounds=8)),
)
"""Waits from far too short to longer than needed: hits until a chip is believed, rounds until a set is whole."""
HARD: Final = 0.15
"""Where an antenna misses so much, or hears so much of its neighbours, waits make a difference."""
FALSE_MUCKS: Final = (0.02, 0.10, 0.30)
"""Shares of the hands that leave which the camera takes for mucks, on the same trials, each with a camera."""


class Task(NamedTuple):
    """One trial under one policy."""

    seed: int
    policy: str
    thresholds: Thresholds | None
    acts: int
    false_mucks: float = 0.0
    occasions: float = ADVERSE
    faults: TablePlan = NO_FAULTS


def play(task: Task) -> Outcome:
    """Plays a trial, in a process of its own."""
    plan = plan_of(task.seed, task.occasions)
    if task.false_mucks:
        mode = "readers+camera" if plan.mode == "readers" else plan.mode
        plan = replace(plan, mode=mode, false_mucks=task.false_mucks)
    return run(plan, task.thresholds, task.faults, acts=task.acts)[1]


def measure(
    progress: Progress,
    *,
    full: bool = False,
    acts: int | None = None,
    seed: int = HELD_OUT,
    hand: int | None = None,
    waits: bool = False,
    occasions: int | None = None,
    faults: Path | None = None,
) -> Report:
    """Measures all, tells one hand of one trial, or compares waits; ``occasions``: per cent of trials with each.

    Raises SettingsError for a plan of ``faults`` that does not fit the tables of the trials.
    """
    share = ADVERSE if occasions is None else occasions / 100
    besides = _plan(faults)
    if hand is not None:
        outcome, lines = tell(plan_of(seed, share), hand, faults=besides)
        return report([outcome], (), lines)
    if waits:
        return _compare_waits(progress, seed, acts or (FULL_POLICY_ACTS if full else POLICY_ACTS))
    wanted = acts or (FULL_ACTS if full else ACTS)
    each = min(wanted, FULL_POLICY_ACTS if full else POLICY_ACTS)
    rounds = [
        (
            name,
            wanted if thresholds is None else each,
            Task(seed, name, thresholds, min(wanted, ACTS_EACH), occasions=share, faults=besides),
        )
        for name, thresholds in POLICIES
    ]
    rounds += [
        (_mucks(mucked), each, Task(seed, _mucks(mucked), None, min(wanted, ACTS_EACH), mucked, share, besides))
        for mucked in FALSE_MUCKS
    ]
    total = sum(enough for _, enough, _ in rounds)
    played: dict[str, list[Outcome]] = {}
    done = 0
    workers = min(2, len(os.sched_getaffinity(0)))
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), as_worker) as pool:
        for name, enough, task in rounds:
            outcomes = played[name] = []
            for outcome in _in_order(pool, task, 2 * workers):
                outcomes.append(outcome)
                so_far = sum(one.acts for one in outcomes)
                progress.at(min(total, done + so_far), total, f"{name}, trial {outcome.plan.seed}")
                if so_far >= enough:
                    break
            done += enough
    policies = [Policy(name, _first(played[name], each)) for name, _ in POLICIES]
    mucks = {mucked: played[_mucks(mucked)] for mucked in FALSE_MUCKS}
    return report(played[POLICIES[0][0]], policies, mucks=mucks)


def _plan(faults: Path | None) -> TablePlan:
    plan = NO_FAULTS if faults is None else load_plan(faults)
    with naming(faults):
        refuse_lines(plan)
        for name in sorted(set(TABLES)):
            plan.check(load_table(name))
    return plan


def _compare_waits(progress: Progress, seed: int, acts: int) -> Report:
    """Each wait on the same trials with readers that miss or overhear much, as many as have so many acts as shipped."""
    workers = min(2, len(os.sched_getaffinity(0)))
    each = min(acts, ACTS_EACH)
    trials = [trial for trial in islice(count(seed), 40 * (acts // each + 1)) if is_hard(trial)][: -(-acts // each)]
    tasks = [Task(trial, name, thresholds, each) for trial in trials for name, thresholds in WAITS]
    played: dict[str, list[Outcome]] = {name: [] for name, _ in WAITS}
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), as_worker) as pool:
        for done, (task, outcome) in enumerate(zip(tasks, pool.map(play, tasks), strict=True), 1):
            played[task.policy].append(outcome)
            progress.at(done, len(tasks), f"{task.policy}, trial {task.seed}")
    return report_of_waits([Policy(name, played[name]) for name, _ in WAITS])


def is_hard(trial: int) -> bool:
    """Whether a trial has readers that miss much or hear much of their neighbours."""
    plan = plan_of(trial)
    return plan.mode != "camera" and max(plan.missed, plan.neighbour) >= HARD


def _mucks(share: float) -> str:
    return f"{share:.0%} false mucks"


def _in_order(pool: ProcessPoolExecutor, first: Task, ahead: int) -> Iterator[Outcome]:
    """The outcomes of this trial and those after it, in order, some of them played ahead."""
    waiting: list[Future[Outcome]] = []
    number = first.seed
    try:
        while True:
            while len(waiting) < ahead:
                waiting.append(pool.submit(play, first._replace(seed=number)))
                number += 1
            yield waiting.pop(0).result()
    finally:
        for future in waiting:
            future.cancel()


def _first(outcomes: Sequence[Outcome], acts: int) -> list[Outcome]:
    """The first trials that have so many acts together."""
    found: list[Outcome] = []
    for outcome in outcomes:
        if sum(one.acts for one in found) >= acts:
            break
        found.append(outcome)
    return found
