"""The figures of the suite `vision` and its JSON object, from the scenes played and the cost measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from betline.bench import Figure, Report
from virtual_table.bench import scoring
from virtual_table.bench.scoring import LINE_EVENTS, OF_THE_PICTURE, SUSPECTS, TIMED_MS, Matched, Said, Score
from virtual_table.films import habits

OF_HABITS = ("chips_crossing", "bet_settled", "string_suspect", "chips_retracted", "bet_pushed_in", "pot_swept")
"""The classes that the scenes of habits are about."""


class Played(NamedTuple):
    """A scene as the detector saw it; ``quiet_ms`` is how long nothing happened at its end (stillness only)."""

    kind: str
    number: int
    true: tuple[Said, ...]
    reported: tuple[Said, ...]
    frames: int
    quiet_ms: float
    false_in_quiet: int


def report(all_played: Sequence[Played], cost: dict[str, Any]) -> Report:
    """The figures of the scenes played, and of the cost; scenes of habits are counted by themselves."""
    played = [one for one in all_played if one.kind not in habits.KINDS]
    of_habits = [one for one in all_played if one.kind in habits.KINDS]
    scenes = [scoring.match(one.true, one.reported) for one in played]
    timed = [scoring.match(one.true, one.reported, TIMED_MS) for one in played]
    classes = scoring.by_class(scenes)
    all_ = scoring.total(classes)
    errors = {name: _errors(timed, (name,)) for name in classes}
    every = _errors(timed, LINE_EVENTS)
    by_scene = {kind: _of_kind(played, kind) for kind in sorted({one.kind for one in played})}
    judged = {name: score for name, score in classes.items() if name in LINE_EVENTS}
    worst_class, worst_scene = scoring.worst(judged), scoring.worst(by_scene)
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
        "by_scene": {kind: scoring.as_json(score) for kind, score in by_scene.items()},
        "habits": _habits(of_habits),
        "worst": {"class": worst_class, "scene": worst_scene},
        "detector_ms": cost["detector_ms"],
        "wall_ms": cost["wall_ms"],
        "mog2_frame_ms": cost["mog2_frame_ms"],
        "rss_mb": cost["rss_mb"],
    }
    p99, ratio = cost["frame_ms"]["p99"], cost["mog2_ratio"]
    right, reported, there = all_.right, all_.right + all_.invented, all_.right + all_.missed
    still_said = (
        f"{false} in {hours * 60:.0f} min, at most {_at_most(false) / hours:.0f} an hour (95 %)" if hours else "-"
    )
    worst = (("class", worst_class, classes), ("kind of scene", worst_scene, by_scene))
    figures = [
        Figure("a frame with its decoding, p50", f"{cost['frame_ms']['p50']:.1f} ms"),
        Figure("a frame with its decoding, p99", f"{p99:.1f} ms", "under 33 ms", p99 < 33),
        Figure("over a typical hand", f"{100 * share:.0f} % of a core", "under 50 %", share < 0.5),
        Figure("MOG2 on the whole picture, times the detector", f"{ratio:.1f} x", "at least 3 x", ratio >= 3),
        Figure("memory", f"{cost['rss_mb']:.0f} MB"),
        Figure("precision", _share(right, reported), "at least 99 %", right >= 0.99 * reported),
        Figure("recall", _share(right, there), "at least 99 %", right >= 0.99 * there),
        *(Figure(f"  {name.replace('_', ' ')}: precision, recall", _both(score)) for name, score in classes.items()),
        *(Figure(f"worst {what}", _named(name, of)) for what, name, of in worst),
        *(Figure(f"  in scenes of {kind}: precision, recall", _both(score)) for kind, score in by_scene.items()),
        *_habit_figures(of_habits),
        Figure("time error, p50", _ms(scoring.quantile(every, 0.5))),
        Figure("time error, p95", _ms(p95), "under 150 ms", p95 is not None and p95 < 150),
        Figure("retractions reported", _share(retracted.right, retracted.right + retracted.missed)),
        Figure("bets with the exact number of motions", _share(motions, bets)),
        Figure("false events in stillness", still_said, "none in an hour", _none_in_an_hour(false, hours)),
    ]
    frames = sum(one.frames for one in played)
    measured = (
        f"Events: {all_.right + all_.missed} true ones in {len(played)} held-out scenes, {frames} frames; "
        f"right is the same seat and type within {scoring.TOLERANCE_MS:.0f} ms.",
        f"Not in the total, because nothing is ruled on them until somebody confirms: {', '.join(SUSPECTS)}.",
        f"Cost: {cost['frames']} frames of a hand at 1280x720, one thread, processor time.",
    )
    return Report(json_, tuple(figures), measured)


def _habits(played: Sequence[Played]) -> dict[str, Any]:
    """Scenes of habits: in total, by class, and by kind of scene with its classes."""
    classes = _classes(played)
    return {
        "scenes": len(played),
        "total": scoring.as_json(scoring.total(classes)),
        "per_class": {name: scoring.as_json(score) for name, score in classes.items()},
        "by_scene": {
            kind: {
                "total": scoring.as_json(scoring.total(of)),
                "per_class": {name: scoring.as_json(score) for name, score in of.items()},
            }
            for kind, of in _classes_by_kind(played).items()
        },
    }


def _habit_figures(played: Sequence[Played]) -> list[Figure]:
    if not played:
        return []
    classes = _classes(played)
    all_ = scoring.total(classes)
    right, reported, there = all_.right, all_.right + all_.invented, all_.right + all_.missed
    acts = {name: score for name, score in classes.items() if name in OF_HABITS}
    return [
        Figure("habits: precision", _share(right, reported), "at least 97 %", right >= 0.97 * reported),
        Figure("habits: recall", _share(right, there), "at least 97 %", right >= 0.97 * there),
        *(Figure(f"  {name.replace('_', ' ')}: precision, recall", _both(score)) for name, score in acts.items()),
        *(
            Figure(f"  in scenes of {kind.replace('_', ' ')}: precision, recall", _both(scoring.total(of)))
            for kind, of in _classes_by_kind(played).items()
        ),
    ]


def _classes(played: Sequence[Played]) -> dict[str, Score]:
    return scoring.by_class(scoring.match(one.true, one.reported) for one in played)


def _classes_by_kind(played: Sequence[Played]) -> dict[str, dict[str, Score]]:
    kinds = sorted({one.kind for one in played})
    return {kind: _classes([one for one in played if one.kind == kind]) for kind in kinds}


def _errors(timed: Sequence[Matched], names: Sequence[str]) -> list[float]:
    return [abs(pair.off_ms) for scene in timed for pair in scene.pairs if pair.true.event in names]


def _delays(timed: Sequence[Matched], name: str) -> dict[str, float | None]:
    """From the change in the room to the frame that confirmed it."""
    found = [p.reported.confirm_ms - p.true.t_ms for scene in timed for p in scene.pairs if p.true.event == name]
    return {"p50": scoring.quantile(found, 0.5), "most": max(found, default=None)}


def _at(played: Sequence[Played], ms: float) -> dict[str, float | None]:
    score = scoring.total(scoring.by_class(scoring.match(one.true, one.reported, ms) for one in played))
    return {"precision": score.precision, "recall": score.recall}


def _of_kind(played: Sequence[Played], kind: str) -> Score:
    return scoring.total(scoring.by_class(scoring.match(one.true, one.reported) for one in played if one.kind == kind))


def _none_in_an_hour(false: int, hours: float) -> bool | None:
    """Whether the target is met; under an hour without an event proves nothing."""
    if false:
        return False
    return True if hours >= 0.99 else None


def _at_most(count: int) -> float:
    """The 95 % upper bound of a Poisson mean after that many events (3.0 for none)."""
    return 3.0 if count == 0 else count + 1.645 * count**0.5 + 1.92


def _share(right: int, of: int) -> str:
    low, high = scoring.wilson(right, of)
    return f"{_percent(right / of if of else None)} of {of} ({100 * low:.1f} to {100 * high:.1f} %)"


def _both(score: Score) -> str:
    return f"{_percent(score.precision)} {_percent(score.recall)} of {score.right + score.missed}"


def _named(name: str | None, scores: Mapping[str, Score]) -> str:
    return "-" if name is None else f"{name.replace('_', ' ')}, {_both(scores[name])}"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"


def _ms(value: float | None) -> str:
    return "-" if value is None else f"{value:.0f} ms"
