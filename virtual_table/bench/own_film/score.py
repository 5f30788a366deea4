"""Scores the detector on a film of real hands: what it reports in the clips that a person answered.

The detector sees every picture of the film, as at the table. Counted is what was asked about (`vision.film.labels`),
in clips that have an answer; clips of which the person could not tell, and all other kinds of events, are not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2

from betline.units import NS_PER_MS
from virtual_table.bench import scoring
from virtual_table.bench.scoring import TOLERANCE_MS, Matched, Said, Score
from vision.film.labels import ASKED, Label, truth_lines
from vision.film.store import Film, FilmError
from vision.imaging.encoded import PictureError, decode

WIDE_MS: Final = 500.0
"""Twice the usual tolerance: a person's mark may be some pictures off."""

At = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class FilmScore:
    """What came out."""

    classes: dict[str, Score]
    wide: dict[str, Score]
    motions: tuple[int, int]
    clips: dict[str, int]
    """Clips by what was answered."""
    seconds: float
    """Length of the clips that count."""
    found_in_quiet: int
    """Acts that a person saw where nothing had moved and no reader had changed."""
    not_asked: int
    """Events that were reported of kinds that nobody was asked about."""
    damaged: int
    """Pictures that cannot be decoded."""

    def as_json(self) -> dict[str, Any]:
        """The object of ``betline film score --json``."""
        right, bets = self.motions
        return {
            "per_class": {name: scoring.as_json(score) for name, score in self.classes.items()},
            "total": scoring.as_json(summed(self.classes)),
            "tolerance_ms": TOLERANCE_MS,
            "at_tolerance_ms": {str(int(WIDE_MS)): {n: scoring.as_json(s) for n, s in self.wide.items()}},
            "motions_exact": {"right": right, "of": bets, "share_95": scoring.wilson(right, bets)},
            "clips": self.clips,
            "counted_s": self.seconds,
            "acts_in_quiet_clips": self.found_in_quiet,
            "reported_not_asked": self.not_asked,
            "damaged_pictures": self.damaged,
        }


def reported(film: Film, at: At) -> tuple[tuple[Said, ...], int]:
    """What the detector reports of a film, in its milliseconds, and how many pictures are damaged.

    ``at`` gets the pictures done and all. Raises FilmError.
    """
    detector = film.head.detector()
    cv2.setNumThreads(1)
    said: list[Said] = []
    damaged = 0
    for done, frame in enumerate(film.frames):
        try:
            picture = decode(film.jpeg(frame))
        except PictureError as error:
            raise FilmError(f"A picture of {film.folder} cannot be used: {error}.") from None
        if picture is None:
            damaged += 1
            continue
        for one in detector.process(picture, round(frame.t_ms * NS_PER_MS), frame.number):
            first_ms, confirm_ms = one.t_first_ns / NS_PER_MS, one.t_confirm_ns / NS_PER_MS
            said.append(Said(one.seat, one.kind, first_ms, confirm_ms, one.motions, one.conf))
        at(done + 1, len(film.frames))
    return tuple(said), damaged


def score(clips: Sequence[Label], said: Iterable[Said], damaged: int = 0) -> FilmScore:
    """Holds what was reported against what a person saw."""
    counted = [clip for clip in clips if clip.answer != "unsure"]
    truth = [_true(line) for line in truth_lines(counted)]
    all_said = tuple(said)
    asked = [one for one in all_said if one.event in ASKED]
    spans = _spans(counted)
    near, wide = (_within(scoring.match(truth, asked, ms), spans) for ms in (TOLERANCE_MS, WIDE_MS))
    answers = {name: sum(clip.answer == name for clip in clips) for name in ("acts", "nothing", "unsure")}
    quiet = [clip for clip in counted if clip.kind == "quiet"]
    return FilmScore(
        classes=scoring.by_class([near]),
        wide=scoring.by_class([wide]),
        motions=scoring.motions_exact([wide]),
        clips={**answers, "quiet": len(quiet)},
        seconds=round(sum(clip.to_ms - clip.from_ms for clip in counted) / 1000, 1),
        found_in_quiet=len(truth_lines(quiet)),
        not_asked=sum(one.event not in ASKED and _inside(one.t_ms, spans) for one in all_said),
        damaged=damaged,
    )


def summed(classes: dict[str, Score]) -> Score:
    """All that was asked about, together."""
    columns = zip(*classes.values(), strict=True) if classes else ((0,), (0,), (0,))
    right, missed, invented = (sum(column) for column in columns)
    return Score(right, missed, invented)


def _true(line: dict[str, Any]) -> Said:
    return Said(line["seat"], line["event"], line["t_ms"], line["t_done_ms"], line["motions"])


def _spans(clips: Iterable[Label]) -> list[tuple[float, float]]:
    """Where a report without an act is false: in the clips, not so near to an edge that the act may lie beyond."""
    joined: list[tuple[float, float]] = []
    for clip in sorted(clips, key=lambda one: one.from_ms):
        if joined and clip.from_ms <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], clip.to_ms))
        else:
            joined.append((clip.from_ms, clip.to_ms))
    return [(a + TOLERANCE_MS if a else 0.0, b - TOLERANCE_MS) for a, b in joined]


def _inside(t_ms: float, spans: Iterable[tuple[float, float]]) -> bool:
    return any(a <= t_ms <= b for a, b in spans)


def _within(found: Matched, spans: Sequence[tuple[float, float]]) -> Matched:
    return found._replace(invented=tuple(one for one in found.invented if _inside(one.t_ms, spans)))
