"""The suite `vision`: the detector's events on held-out virtual scenes, and what it costs over a typical hand.

- Events: rounds with all that seats and dealer do, lamps that change, bumped cameras, stillness; the detector of the
  table file's camera sees each picture, its events are matched with the truth (`virtual_table.bench.scoring`).
- Cost: one round as a film, seen by a process of its own, in turns with MOG2 on the whole picture.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any, Final, NamedTuple

from betline.bench import Figure, Progress, Report
from betline.options import UserError
from virtual_table.bench import scoring
from virtual_table.bench.scoring import LINE_EVENTS, OF_THE_PICTURE, TIMED_MS, Matched, Said
from virtual_table.films import held_out
from virtual_table.films.render import render
from virtual_table.films.staging import Film
from vision.detector import Seen, make_detector

TABLE: Final = "casino-oval"


class Effort(NamedTuple):
    """How many scenes of each kind; stillness in seconds, in scenes of so many seconds each."""

    rounds: int
    lamps: int
    bumps: int
    still_s: float
    each_still_s: float


USUAL: Final = Effort(6, 2, 2, 120.0, 60.0)
FULL: Final = Effort(40, 12, 12, 3600.0, 300.0)


class Task(NamedTuple):
    """One scene to play and score."""

    kind: str
    number: int
    seconds: float = 0.0


class Played(NamedTuple):
    """A scene as the detector saw it; ``quiet_ms`` is how long nothing happened at its end (stillness only)."""

    kind: str
    number: int
    true: tuple[Said, ...]
    told: tuple[Said, ...]
    frames: int
    quiet_ms: float
    false_in_quiet: int


def measure(progress: Progress, *, full: bool = False) -> Report:
    """Measures all; `full`: more than six times as many scenes and an hour of stillness. Raises UserError."""
    effort = FULL if full else USUAL
    tasks = [Task("still", 300 + i, effort.each_still_s) for i in range(round(effort.still_s / effort.each_still_s))]
    tasks += [Task("round", i) for i in range(effort.rounds)]
    tasks += [Task("lamps", 100 + i) for i in range(effort.lamps)]
    tasks += [Task("bump", 200 + i) for i in range(effort.bumps)]
    total = len(tasks) + 2
    progress.at(0, total, "cost: filming a hand")
    cost = _cost(lambda: progress.at(1, total, "cost: beside MOG2"))
    workers = min(2, len(os.sched_getaffinity(0)))
    played: list[Played] = []
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        for done in as_completed([pool.submit(play, task) for task in tasks]):
            played.append(done.result())
            progress.at(2 + len(played), total, f"scene {played[-1].kind} {played[-1].number}")
    return report(sorted(played, key=lambda one: (one.kind, one.number)), cost)


def play(task: Task) -> Played:
    """Plays one scene before the detector."""
    scripts = {"round": held_out.round_of_play, "lamps": held_out.lamps, "bump": held_out.bump}
    script = held_out.stillness(task.number, task.seconds) if task.kind == "still" else scripts[task.kind](task.number)
    chips = held_out.chip_set(held_out.CHIP_SETS[task.number // 2 % len(held_out.CHIP_SETS)])
    film = Film(script, chips, lenient=True)
    detector = make_detector(film.table)
    told: list[Said] = []
    frames = 0
    for shot in film.shots():
        for one in detector.process(shot.picture, round(shot.t_s * 1e9), shot.number):
            event = one.event if isinstance(one, Seen) else one
            told.append(
                Said(
                    one.seat if isinstance(one, Seen) else None,
                    event.event,
                    event.t_first_ns / 1e6,
                    event.t_confirm_ns / 1e6,
                    getattr(event, "motions", 0),
                    getattr(event, "conf", 1.0),
                )
            )
        frames += 1
    spans = [(seat, from_s * 1e3 - 300.0, to_s * 1e3 + 300.0) for seat, from_s, to_s in film.unjudged]
    events = (
        Said(one.seat, one.event, one.t_s * 1e3, one.done_s * 1e3, one.motions, judged=one.judged)
        for one in film.events
    )
    true, heard = scoring.judged(events, told, spans)
    quiet_from = max((one.confirm_ms for one in true), default=0.0) + 2000.0
    quiet = frames / film.fps * 1e3 - quiet_from if task.kind == "still" else 0.0
    false = sum(one.confirm_ms >= quiet_from for one in told) if task.kind == "still" else 0
    return Played(task.kind, task.number, true, heard, frames, quiet, false)


def report(played: Sequence[Played], cost: dict[str, Any]) -> Report:
    """The figures of scenes that were played, and of the cost."""
    scenes = [scoring.match(one.true, one.told) for one in played]
    timed = [scoring.match(one.true, one.told, TIMED_MS) for one in played]
    classes = scoring.by_class(scenes)
    all_ = scoring.total(classes)
    errors = {name: _errors(timed, (name,)) for name in classes}
    every = _errors(timed, LINE_EVENTS)
    hours = sum(one.quiet_ms for one in played) / 3.6e6
    false = sum(one.false_in_quiet for one in played)
    motions, bets = scoring.motions_exact(timed)
    p95 = scoring.quantile(every, 0.95)
    delays = {name: _delays(timed, name) for name in OF_THE_PICTURE}
    retracted = classes.get("chips_retracted", scoring.Score(0, 0, 0))
    share = cost["core_share"]
    json_ = {
        "frame_ms": cost["frame_ms"],
        "core_share": share,
        "mog2_ratio": cost["mog2_ratio"],
        "precision": all_.precision,
        "recall": all_.recall,
        "time_error_ms": {"p50": scoring.quantile(every, 0.5), "p95": p95},
        "false_events_per_hour": false / hours if hours else None,
        "total": scoring.as_json(all_),
        "at_tolerance_ms": {str(ms): _at(played, ms) for ms in (100, 250, 500)},
        "per_class": {
            name: {
                **scoring.as_json(score),
                "time_error_ms": {
                    "p50": scoring.quantile(errors[name], 0.5),
                    "p95": scoring.quantile(errors[name], 0.95),
                },
            }
            for name, score in classes.items()
        },
        "motions_exact": {"right": motions, "of": bets, "share_95": scoring.wilson(motions, bets)},
        "wrong_seat": scoring.wrong_seats(scenes),
        "delay_ms": delays,
        "reliability": scoring.reliability(scenes),
        "stillness": {
            "hours": hours,
            "false_events": false,
            "per_hour_at_most_95": _at_most(false) / hours if hours else None,
        },
        "by_scene": {kind: _by_kind(played, kind) for kind in sorted({one.kind for one in played})},
        "detector_ms": cost["detector_ms"],
        "wall_ms": cost["wall_ms"],
        "mog2_frame_ms": cost["mog2_frame_ms"],
        "rss_mb": cost["rss_mb"],
    }
    p99, ratio = cost["frame_ms"]["p99"], cost["mog2_ratio"]
    right, told, there = all_.right, all_.right + all_.invented, all_.right + all_.missed
    still_said = (
        f"{false} in {hours * 60:.0f} min, at most {_at_most(false) / hours:.0f} an hour (95 %)" if hours else "-"
    )
    figures = [
        Figure("a frame with its decoding, p50", f"{cost['frame_ms']['p50']:.1f} ms"),
        Figure("a frame with its decoding, p99", f"{p99:.1f} ms", "under 33 ms", p99 < 33),
        Figure("over a typical hand", f"{100 * share:.0f} % of a core", "under 50 %", share < 0.5),
        Figure("MOG2 on the whole picture, times the detector", f"{ratio:.1f} x", "at least 3 x", ratio >= 3),
        Figure("memory", f"{cost['rss_mb']:.0f} MB"),
        Figure("precision", _share(right, told), "at least 99 %", right >= 0.99 * told),
        Figure("recall", _share(right, there), "at least 99 %", right >= 0.99 * there),
        *(
            Figure(
                f"  {name.replace('_', ' ')}: precision, recall",
                f"{_percent(score.precision)} {_percent(score.recall)} of {score.right + score.missed}",
            )
            for name, score in classes.items()
        ),
        Figure("time error, p50", _ms(scoring.quantile(every, 0.5))),
        Figure("time error, p95", _ms(p95), "under 150 ms", p95 is not None and p95 < 150),
        Figure("retractions told", _share(retracted.right, retracted.right + retracted.missed)),
        Figure("bets with their motions exact", _share(motions, bets)),
        Figure("false events in stillness", still_said, "none in an hour", _none_in_an_hour(false, hours)),
    ]
    frames = sum(one.frames for one in played)
    measured = (
        f"Events: {all_.right + all_.missed} true ones in {len(played)} held-out scenes, {frames} frames; "
        f"right is the same seat and type within {scoring.TOLERANCE_MS:.0f} ms.",
        f"Cost: {cost['frames']} frames of a hand at 1280x720, one thread, processor time.",
    )
    return Report(json_, tuple(figures), measured)


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


def _errors(timed: Sequence[Matched], names: Sequence[str]) -> list[float]:
    return [abs(pair.off_ms) for scene in timed for pair in scene.pairs if pair.true.event in names]


def _delays(timed: Sequence[Matched], name: str) -> dict[str, float | None]:
    """From the change in the room to the frame that made it certain."""
    found = [p.told.confirm_ms - p.true.t_ms for scene in timed for p in scene.pairs if p.true.event == name]
    return {"p50": scoring.quantile(found, 0.5), "most": max(found, default=None)}


def _at(played: Sequence[Played], ms: float) -> dict[str, float | None]:
    score = scoring.total(scoring.by_class(scoring.match(one.true, one.told, ms) for one in played))
    return {"precision": score.precision, "recall": score.recall}


def _by_kind(played: Sequence[Played], kind: str) -> dict[str, Any]:
    return scoring.as_json(
        scoring.total(scoring.by_class(scoring.match(one.true, one.told) for one in played if one.kind == kind))
    )


def _none_in_an_hour(false: int, hours: float) -> bool | None:
    """Whether the target is met; less than an hour without an event says nothing."""
    if false:
        return False
    return True if hours >= 0.99 else None


def _at_most(count: int) -> float:
    """The 95 % upper bound of a Poisson mean when so many were seen (3.0 for none)."""
    return 3.0 if count == 0 else count + 1.645 * count**0.5 + 1.92


def _share(right: int, of: int) -> str:
    low, high = scoring.wilson(right, of)
    return f"{_percent(right / of if of else None)} of {of} ({100 * low:.1f} to {100 * high:.1f} %)"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"


def _ms(value: float | None) -> str:
    return "-" if value is None else f"{value:.0f} ms"
