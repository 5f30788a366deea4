"""Scores what a camera reported against what happened: one-to-one matches, Wilson intervals, times. Pure functions."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

TOLERANCE_MS: Final = 250.0
TIMED_MS: Final = 1000.0
"""Time errors are taken from pairs up to this far apart, so that the tolerance does not flatter them."""
UNJUDGED_MS: Final = 500.0
LINE_EVENTS: Final = (
    "hand_entered",
    "hand_left",
    "chips_crossing",
    "bet_settled",
    "bet_amended",
    "chips_retracted",
    "string_suspect",
    "splash",
    "pot_swept",
    "bet_pushed_in",
)
"""The events of the total; anything reported that is not a class of the truth counts in it too."""
SUSPECTS: Final = (
    "tap_suspect",
    "cards_mucked",
    "cards_dealt",
    "board_dealt",
    "chips_over_line_in_hand",
    "protector",
    "unknown_object",
    "pot_pushed",
)
"""Guesses: nothing is ruled on them until the dealer or a reader confirms. Scored by class, not in the total."""
OF_THE_PICTURE: Final = ("light_changed", "camera_moved")
PICTURE_TOLERANCE_MS: Final = 10_000.0


class Said(NamedTuple):
    """One event, true or reported; times in milliseconds of the film."""

    seat: int | None
    event: str
    t_ms: float
    confirm_ms: float = 0.0
    motions: int = 0
    conf: float = 1.0
    judged: bool = True
    """False of a true event that may be reported or not."""


class Pair(NamedTuple):
    """A true event and the report of it."""

    true: Said
    reported: Said

    @property
    def off_ms(self) -> float:
        return self.reported.t_ms - self.true.t_ms


class Matched(NamedTuple):
    """One scene: pairs, what was missed and what was invented."""

    pairs: tuple[Pair, ...]
    missed: tuple[Said, ...]
    invented: tuple[Said, ...]


class Score(NamedTuple):
    """How many were right, missed and invented."""

    right: int
    missed: int
    invented: int

    @property
    def precision(self) -> float | None:
        reported = self.right + self.invented
        return self.right / reported if reported else None

    @property
    def recall(self) -> float | None:
        there = self.right + self.missed
        return self.right / there if there else None

    @property
    def worse(self) -> float:
        """The smaller of precision and recall; 0 for what was reported and never happened."""
        return min(self.precision or 0.0, self.recall or 0.0)


def match(true: Sequence[Said], reported: Sequence[Said], within_ms: float = TOLERANCE_MS) -> Matched:
    """Pairs events of the same seat and type, nearest in time first, each at most once."""
    candidates = sorted(
        (abs(b.t_ms - a.t_ms), i, j)
        for i, a in enumerate(true)
        for j, b in enumerate(reported)
        if (a.seat, a.event) == (b.seat, b.event)
        and abs(b.t_ms - a.t_ms) <= (PICTURE_TOLERANCE_MS if a.event in OF_THE_PICTURE else within_ms)
    )
    of_true: dict[int, int] = {}
    used: set[int] = set()
    for _, i, j in candidates:
        if i not in of_true and j not in used:
            of_true[i] = j
            used.add(j)
    return Matched(
        tuple(Pair(true[i], reported[j]) for i, j in sorted(of_true.items())),
        tuple(one for i, one in enumerate(true) if i not in of_true),
        tuple(one for j, one in enumerate(reported) if j not in used),
    )


def judged(
    true: Iterable[Said], reported: Iterable[Said], spans: Iterable[tuple[int, float, float]] = ()
) -> tuple[tuple[Said, ...], tuple[Said, ...]]:
    """What is true and what was reported, without what may be reported or not.

    Left out are true events that are not judged, with the reports of them, and hands of a seat in a span (seat, from
    and to in ms).
    """
    true, spans = tuple(true), tuple(spans)
    heard = [
        one
        for one in reported
        if one.event not in ("hand_entered", "hand_left")
        or not any(seat == one.seat and from_ms <= one.t_ms <= to_ms for seat, from_ms, to_ms in spans)
    ]
    excused = [pair.reported for pair in match(true, heard, UNJUDGED_MS).pairs if not pair.true.judged]
    for one in excused:
        heard.remove(one)
    return tuple(one for one in true if one.judged), tuple(heard)


def by_class(scenes: Iterable[Matched]) -> dict[str, Score]:
    """The score of each class that is true or reported, those of the total first."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for scene in scenes:
        for pair in scene.pairs:
            counts[pair.true.event]["right"] += 1
        for one in scene.missed:
            counts[one.event]["missed"] += 1
        for one in scene.invented:
            counts[one.event]["invented"] += 1
    order = (*LINE_EVENTS, *SUSPECTS, *OF_THE_PICTURE)
    names = sorted(counts, key=lambda name: (order.index(name) if name in order else len(order), name))
    return {name: Score(counts[name]["right"], counts[name]["missed"], counts[name]["invented"]) for name in names}


def total(classes: Mapping[str, Score]) -> Score:
    """All events at the line; what is reported and never true counts as invented."""
    judged = [score for name, score in classes.items() if name not in SUSPECTS and name not in OF_THE_PICTURE]
    right, missed, invented = (sum(column) for column in zip(*judged, strict=True)) if judged else (0, 0, 0)
    return Score(right, missed, invented)


def worst(scores: Mapping[str, Score]) -> str | None:
    """The name with the smallest precision or recall; None if there are none."""
    return min(scores, key=lambda name: scores[name].worse, default=None)


def wilson(right: int, of: int, z: float = 1.96) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927); 0 to 1 where nothing was counted."""
    if not of:
        return (0.0, 1.0)
    share, square = right / of, z * z
    middle = (share + square / (2 * of)) / (1 + square / of)
    half = z / (1 + square / of) * math.sqrt(share * (1 - share) / of + square / (4 * of * of))
    return (max(0.0, middle - half), min(1.0, middle + half))


def quantile(values: Sequence[float], share: float) -> float | None:
    """The smallest value that at least this share of them does not exceed; None if there are none."""
    if not values:
        return None
    return sorted(values)[min(len(values) - 1, max(0, math.ceil(share * len(values)) - 1))]


def wrong_seats(scenes: Iterable[Matched]) -> int:
    """Events that were reported at the right time, but for another seat."""
    found = 0
    for scene in scenes:
        moved = [Said(0, one.event, one.t_ms) for one in scene.missed if one.seat is not None]
        reported = [Said(0, one.event, one.t_ms) for one in scene.invented if one.seat is not None]
        found += len(match(moved, reported).pairs)
    return found


def motions_exact(scenes: Iterable[Matched]) -> tuple[int, int]:
    """Bets whose forward motions were counted right, of all true bets."""
    right = of = 0
    for scene in scenes:
        bets = [pair for pair in scene.pairs if pair.true.event == "bet_settled"]
        right += sum(pair.true.motions == pair.reported.motions for pair in bets)
        of += len(bets) + sum(one.event == "bet_settled" for one in scene.missed)
    return right, of


def reliability(scenes: Iterable[Matched]) -> dict[str, dict[str, float]]:
    """How often events of the total were right, by the confidence that they were reported with."""
    bins: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for scene in scenes:
        reported = [(pair.reported, True) for pair in scene.pairs] + [(one, False) for one in scene.invented]
        for one, right in reported:
            if one.event in LINE_EVENTS:
                bins[f"{math.floor(min(one.conf, 0.999) * 10) / 10:.1f}"].append((one.conf, right))
    return {
        name: {
            "events": float(len(held)),
            "conf": sum(conf for conf, _ in held) / len(held),
            "right": sum(right for _, right in held) / len(held),
        }
        for name, held in sorted(bins.items())
    }


def as_json(score: Score) -> dict[str, Any]:
    """A score with its intervals."""
    return {
        "right": score.right,
        "missed": score.missed,
        "invented": score.invented,
        "precision": score.precision,
        "precision_95": wilson(score.right, score.right + score.invented),
        "recall": score.recall,
        "recall_95": wilson(score.right, score.right + score.missed),
    }
