"""The suite `vision`: the detector's events on held-out virtual scenes, and what it costs over a typical hand.

- Events: rounds with all that seats and dealer do, short streets on speed cloth and with a calibration that is askew,
  lamps that change, bumped cameras, stillness; the detector of the table file's camera sees each picture, its events
  are matched with the truth (`virtual_table.bench.scoring`).
- Habits: tosses, hands that rest or hover, top-ups, cards among the bets, soft shadows, restless arms, with cut-outs of
  real arms, chips, cards and felt that no number was chosen on; reported beside the other scenes.
- Cost: one round as a film, seen by a process of its own, in turns with MOG2 on the whole picture.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any, Final, NamedTuple

from betline.bench import Progress, Report
from betline.options import UserError
from betline.supervise import as_worker
from betline.units import NS_PER_MS, NS_PER_S
from virtual_table.bench import scoring
from virtual_table.bench.calibration_error import imperfect_calibration
from virtual_table.bench.scoring import Said
from virtual_table.bench.vision_report import Played, report
from virtual_table.films import habits, held_out
from virtual_table.films.film import Film
from virtual_table.films.film_script import FilmScript
from virtual_table.films.render import render
from vision.detect.detector import make_detector

TABLE: Final = "casino-oval"


class Effort(NamedTuple):
    """How many scenes of each kind; stillness in seconds, in scenes of so many seconds each."""

    rounds: int
    others: int
    habits: int
    still_s: float
    each_still_s: float


USUAL: Final = Effort(6, 2, 1, 120.0, 60.0)
FULL: Final = Effort(42, 12, 6, 3600.0, 300.0)
SCENES: Final[dict[str, tuple[int, Callable[[int], FilmScript]]]] = {
    "round": (0, held_out.round_of_play),
    "lamps": (100, held_out.lamps),
    "bump": (200, held_out.bump),
    "pattern": (400, held_out.patterned),
    "askew": (500, held_out.street),
}
"""The kinds of scenes beside stillness: the number of the first, and its script."""
_FIRST_STILL: Final = 300
_FIRST_HABIT: Final = 900


class Task(NamedTuple):
    """One scene to play and score."""

    kind: str
    number: int
    seconds: float = 0.0


def measure(progress: Progress, *, full: bool = False) -> Report:
    """Measures all; `full`: more than five times as many scenes and an hour of stillness. Raises UserError."""
    effort = FULL if full else USUAL
    still = round(effort.still_s / effort.each_still_s)
    tasks = [Task("still", _FIRST_STILL + i, effort.each_still_s) for i in range(still)]
    for kind, (first, _) in SCENES.items():
        tasks += [Task(kind, first + i) for i in range(effort.rounds if kind == "round" else effort.others)]
    tasks += [Task(kind, _FIRST_HABIT + i) for kind in habits.KINDS for i in range(effort.habits)]
    total = len(tasks) + 2
    progress.at(0, total, "cost: filming a hand")
    cost = _cost(lambda: progress.at(1, total, "cost: beside MOG2"))
    workers = min(2, len(os.sched_getaffinity(0)))
    played: list[Played] = []
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), as_worker) as pool:
        for done in as_completed([pool.submit(play, task) for task in tasks]):
            played.append(done.result())
            progress.at(2 + len(played), total, f"scene {played[-1].kind} {played[-1].number}")
    return report(sorted(played, key=lambda one: (one.kind, one.number)), cost)


def play(task: Task) -> Played:
    """Plays one scene before the detector."""
    still = task.kind == "still"
    script = _script(task)
    chips = held_out.chip_set(held_out.CHIP_SETS[task.number // 2 % len(held_out.CHIP_SETS)])
    film = Film(script, chips, lenient=True)
    detector = make_detector(
        film.table, imperfect_calibration(film.table, script.seed) if task.kind == "askew" else None
    )
    told: list[Said] = []
    frames = 0
    for shot in film.shots():
        for one in detector.process(shot.picture, round(shot.stamp_s * NS_PER_S), shot.number):
            first_ms, confirm_ms = one.t_first_ns / NS_PER_MS, one.t_confirm_ns / NS_PER_MS
            told.append(Said(one.seat, one.kind, first_ms, confirm_ms, one.motions, one.conf))
        frames = shot.number + 1
    spans = [(seat, from_s * 1e3 - 300.0, to_s * 1e3 + 300.0) for seat, from_s, to_s in film.unjudged]
    events = (
        Said(one.seat, one.event, one.t_s * 1e3, one.done_s * 1e3, one.motions, judged=one.judged)
        for one in film.events
    )
    true, heard = scoring.judged(events, told, spans)
    quiet_from = max((one.confirm_ms for one in true), default=0.0) + 2000.0
    quiet = frames / film.fps * 1e3 - quiet_from if still else 0.0
    false = sum(one.confirm_ms >= quiet_from for one in told) if still else 0
    return Played(task.kind, task.number, true, heard, frames, quiet, false)


def _script(task: Task) -> FilmScript:
    if task.kind == "still":
        return held_out.stillness(task.number, task.seconds)
    if task.kind in habits.KINDS:
        return habits.KINDS[task.kind](task.number, habits.HELD_OUT)
    return SCENES[task.kind][1](task.number)


def _cost(filmed: Callable[[], None]) -> dict[str, Any]:
    """Films a hand and has a process of its own look at it."""
    with tempfile.TemporaryDirectory(prefix="betline-bench-") as folder:
        path = Path(folder) / "hand.avi"
        chips = held_out.chip_set(held_out.CHIP_SETS[0])
        film = Film(held_out.round_of_play(0), chips, lenient=True)
        render(film, path, path.with_suffix(".jsonl"), lambda *_: None)
        filmed()
        line = [sys.executable, "-m", "virtual_table.bench.vision_cost", str(path), TABLE]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode:
        said = done.stderr.strip().splitlines()[-1:] or ["nothing said"]
        raise UserError(f"The process that measures the detector's cost failed ({said[0]}).", 1)
    found: dict[str, Any] = json.loads(done.stdout)
    return found
