"""What the camera misses: measured points, and what they say of any colour on any felt.

The points come from `python -m virtual_table.bench.visibility --write`, on the virtual camera, with their date; nothing
is looked up by name. A chip colour is given by how far it is from the felt, in levels; the curves through the points
only ever rise with that distance.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

MEASURED: Final = Path(__file__).with_name("measured.json")
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Point:
    """Single chips of one type on one felt: how many of them were reported, and the share of their area that was seen.

    ``plain`` chips have neither inlay nor edge spots. ``levels`` is how far their body is from the felt in the channel
    where that is most, of 255.
    """

    felt: str
    chip: str
    plain: bool
    levels: int
    chips: int
    told: int
    area: float


@dataclass(frozen=True, slots=True)
class Case:
    """Something else that was tried ``of`` times, and how often it came out as the name says."""

    name: str
    of: int
    those: int


@dataclass(frozen=True, slots=True)
class Expected:
    """What is to be expected of single chips of a colour."""

    missed_of_100: int
    area: float


@dataclass(frozen=True, slots=True)
class Measured:
    """All points and the day of their measurement."""

    date: str
    points: tuple[Point, ...]
    cases: tuple[Case, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """As it is kept in the file."""
        return {
            "date": self.date,
            "points": [asdict(point) for point in self.points],
            "cases": [asdict(case) for case in self.cases],
        }

    def expected(self, levels: float, *, plain: bool) -> Expected:
        """What is to be expected at a distance from the felt."""
        known = sorted((point for point in self.points if point.plain == plain), key=lambda point: point.levels)
        at = np.array([point.levels for point in known], np.float64)
        weights = [float(point.chips) for point in known]
        told = float(np.interp(levels, at, rising([point.told / point.chips for point in known], weights)))
        area = float(np.interp(levels, at, rising([point.area for point in known], weights)))
        return Expected(round(100 * (1 - told)), area)

    def sentences(self) -> tuple[str, ...]:
        """What no calibration mends, in sentences for a person."""
        known = {case.name: case for case in self.cases}

        def share(name: str) -> str:
            return f"{known[name].those} of {known[name].of}"

        def rest(name: str) -> str:
            return f"{known[name].of - known[name].those} of {known[name].of}"

        return (
            f"What else lies in a bet zone may be taken for a bet: a card was in {share('card-told-as-bet')}, a phone "
            f"in {share('phone-told-as-bet')}. The readers say otherwise.",
            f"Two chips that overlap count as one footprint: by a quarter in {rest('overlap-25-counted-as-two')}, by "
            f"half in {rest('overlap-50-counted-as-two')}.",
            f"On a printed felt single red chips were reported in {share('printed-felt-red-5-told')}, black ones in "
            f"{share('printed-felt-black-100-told')}; print in a bet zone is taken for chips at the start.",
            f"Taps are a suspicion only, {share('taps-told')} were reported: the dealer keys a check.",
            "A stack cannot be counted from above: amounts come from the readers.",
            f"Measured on {self.date} with the virtual camera and these chips alone; yours may be worse.",
        )


@functools.cache
def measured() -> Measured:
    """The points of the file that comes with the program."""
    data = json.loads(MEASURED.read_text(encoding="utf-8"))
    points, cases = data["points"], data["cases"]
    return Measured(data["date"], tuple(Point(**point) for point in points), tuple(Case(**case) for case in cases))


def rising(values: Sequence[float], weights: Sequence[float]) -> Floats:
    """The values, (N,) float64, nearest to those given, by least squares, that never fall."""
    runs: list[tuple[float, float, int]] = []
    for value, weight in zip(values, weights, strict=True):
        runs.append((value, weight, 1))
        while len(runs) > 1 and runs[-2][0] > runs[-1][0]:
            (a, a_weight, a_count), (b, b_weight, b_count) = runs[-2:]
            both = a_weight + b_weight
            runs[-2:] = [((a * a_weight + b * b_weight) / both, both, a_count + b_count)]
    return np.concatenate([np.full(count, value) for value, _, count in runs])
