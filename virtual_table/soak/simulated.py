"""A soak in simulated time: the laboratory with a journal in a real file, for as many hours as are asked for.

Readers, camera and bus are the laboratory's models, session and journal the controller's own. The memory and the open
files are those of this one process, which holds them all.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from betline import topics
from betline.counting import counted
from betline.settings import TableSettings
from virtual_table.faults.plan import TablePlan
from virtual_table.laboratory.journal_file import JournalFile
from virtual_table.laboratory.laboratory import Conditions, Laboratory
from virtual_table.play.acknowledged import ACKNOWLEDGED, Acknowledged, held_against
from virtual_table.play.report import quantiles
from virtual_table.soak.outcome import Outcome, Sample
from virtual_table.soak.processes import handles, memory_mb

SAMPLES: Final = 240
LEAST_S: Final = 20.0
HOUR_S: Final = 3600.0
ALL: Final = "all"


def play(
    table: TableSettings,
    plan: TablePlan,
    hours: float,
    seed: int,
    folder: Path,
    *,
    speed: float = 1.0,
    shown: Callable[[float, str], None] = lambda _share, _what: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Outcome:
    """Plays hands until the hours are over, or it is ``stopped``; the journal is left in ``folder``.

    ``shown`` is told now and then how far it is, from 0 to 1, and what there was. Raises SettingsError for a plan that
    does not fit.
    """
    begun = time.monotonic()
    journal, key = folder / "soak.journal", folder / "soak.key"
    lab = Laboratory(
        table, seed, Conditions(0.05, 0.01, faults=plan, speed=speed),
        pages=JournalFile(journal, f"home/{table.name}", key),
    )  # fmt: skip
    said = Acknowledged(folder / ACKNOWLEDGED)
    for kind in (topics.REPLY, topics.STATE):
        lab.console.subscribe(kind, said.heard)
    began_s, until_s = lab.agenda.now_s(), lab.agenda.now_s() + hours * HOUR_S
    samples: list[Sample] = []

    def take() -> None:
        at_h, report = (lab.agenda.now_s() - began_s) / HOUR_S, lab.report
        waited = [one.ready_ms for one in report.waited]
        samples.append(
            Sample(
                at_h, report.hands, report.acts, report.wrong, report.asked, lab.faults.struck["kill"],
                {ALL: memory_mb(os.getpid())}, {ALL: handles(os.getpid())}, quantiles(waited)["p95"],
            )
        )  # fmt: skip
        for told in (lab.messages, report.performed, report.waited, report.kinds_by_hand):
            told.clear()  # what people remember must not look like what the programs keep
        kills = counted(samples[-1].kills, "kill")
        shown(min(1.0, at_h / hours), f"{counted(report.acts, 'act')}, {report.wrong} wrong, {kills}")

    take()
    lab.agenda.every(max(LEAST_S, hours * HOUR_S / SAMPLES), take)
    faults: list[str] = []
    while lab.agenda.now_s() < until_s and not stopped():
        try:
            lab.play(1)
        except Exception as error:
            faults.append(f"After {samples[-1].at_h:.2f} hours a program failed: {type(error).__name__}: {error}")
            break
    take()
    entries = len(lab.controller.pages) if lab.controller.running else 0
    lab.controller.pages.stop()
    kept = held_against(said.said(), journal, f"seed {seed}", key)
    faults += lab.report.faults
    how = f"a simulated table {table.name}, seed {seed}"
    return Outcome(
        how, samples[-1].at_h, tuple(samples), kept, dict(lab.faults.struck), tuple(faults), entries,
        time.monotonic() - begun,
    )  # fmt: skip
