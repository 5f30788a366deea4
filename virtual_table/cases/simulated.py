"""A case in simulated time: a laboratory of its own for each, so that no case depends on those before it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

from betline.cases import Case, Result
from betline.supervise import as_worker
from virtual_table.cases.acted import acted_out, excused
from virtual_table.cases.chip_set import case_table, denominations, seats_of, write_chip_set
from virtual_table.cases.listening import CaseLink
from virtual_table.cases.plans import of_case
from virtual_table.cases.player import CasePlayer
from virtual_table.cases.skipping import why_not
from virtual_table.faults.plan import NO_FAULTS, TablePlan
from virtual_table.laboratory.camera import Eyes
from virtual_table.laboratory.faults import refuse_lines
from virtual_table.laboratory.laboratory import Conditions, Laboratory
from virtual_table.play.pace import Pauses

PERFECT = Conditions(
    missed=0.0,
    neighbour=0.0,
    eyes=Eyes(missed={}, false_per_minute=0.0, board_missed=0.0, board_miscounted=0.0),
    spare_chips=120,
    pauses=Pauses((0.0, 0.0), (0.1, 0.1), 0.0, 0.0, 4.0),
)
"""Readers and a camera without a fault, and a dealer who is quick."""
SEED = 1
CHUNK = 4
"""So many cases a process takes at once."""


def check_plan(plan: TablePlan) -> None:
    """Raises SettingsError for what cannot be played in simulated time."""
    refuse_lines(plan)


def act_out_all(cases: Sequence[Case], jobs: int, faults: TablePlan = NO_FAULTS) -> Iterator[Result]:
    """Acts cases out in so many processes, under faults; the results come in the order of the cases."""
    with tempfile.TemporaryDirectory(prefix="betline-cases-") as folder:
        act = partial(act_out, folder=Path(folder), faults=faults)
        if jobs == 1 or len(cases) == 1:
            yield from map(act, cases)
            return
        with ProcessPoolExecutor(jobs, initializer=as_worker) as workers:
            yield from workers.map(act, cases, chunksize=CHUNK)


def act_out(case: Case, folder: Path, faults: TablePlan = NO_FAULTS) -> Result:
    """Acts a case out in simulated time; its chip set is written to the folder. Of the faults those strike that the
    seats of the case have readers for.
    """
    skip = why_not(case)
    if skip is not None:
        return Result(case, (), skip)
    chip_set = folder / f"{case.id}.toml"
    write_chip_set(denominations([case]), chip_set)
    table = case_table(chip_set, seats_of(case))
    lab = Laboratory(table, SEED, replace(PERFECT, faults=of_case(faults, case).fitted(table)))
    link = CaseLink(lab.console, lab.agenda, _numbers())
    player = CasePlayer(lab.world, link, lab.agenda, None if faults == NO_FAULTS else table)
    return excused(acted_out(case, player), lambda: act_out(case, folder))


def _numbers() -> Callable[[], str]:
    chance = Random("cases")
    return lambda: f"case-{chance.getrandbits(64):016x}"
