"""The truth of a film: what happened, named as the camera does, and what lies in each zone, frame by frame."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from betline.geometry import contains
from betline.settings import TableSettings
from virtual_table.camera.optics import Image
from virtual_table.table.people import fingertips
from virtual_table.table.things import Scene, SeenArm, SeenChip, Stroke, TruthEvent

SETTLED_S = 0.45
"""Chips that lie this long without fingers past the line have settled, between the motions of a string too."""
_ONE_PILE_MM = 10.0

Strokes = Mapping[tuple[tuple[str, ...], float], tuple[Stroke, ...]]
"""The forward motions of each bet, by its chips and the time of its first crossing."""


@dataclass(frozen=True, slots=True)
class TrueEvent:
    """What really happened, named as the camera names its events; times in seconds of the film.

    ``seat`` is None for what concerns the whole picture; ``motions`` counts the forward motions of a bet; ``judged`` is
    False for what may be reported or not.
    """

    t_s: float
    done_s: float
    seat: int | None
    event: str
    uids: tuple[str, ...] = ()
    by_dealer: bool = False
    motions: int = 0
    judged: bool = True

    def line(self) -> dict[str, Any]:
        """The object of the truth file."""
        return {
            "t_ms": round(self.t_s * 1000),
            "t_done_ms": round(self.done_s * 1000),
            "seat": self.seat,
            "event": self.event,
            "uids": list(self.uids),
            "by_dealer": self.by_dealer,
            "motions": self.motions,
            "judged": self.judged,
        }


@dataclass(frozen=True, slots=True)
class SeatTruth:
    """A seat's bet zone in one frame: the felt that chips cover, how many, and whose fingers are over it."""

    chips: int
    area_mm2: float
    hands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shot:
    """One frame: ``picture`` is (H, W, 3) uint8 BGR, ``seats`` holds those with chips or fingers in the zone.

    ``t_s`` is when it was taken, ``stamp_s`` the time stamp that it came with.
    """

    number: int
    t_s: float
    picture: Image
    seats: Mapping[int, SeatTruth]
    stamp_s: float = 0.0

    def line(self) -> dict[str, Any]:
        """The object of the truth file."""
        seats = {
            str(seat): {"chips": one.chips, "area_mm2": round(one.area_mm2), "hands": list(one.hands)}
            for seat, one in self.seats.items()
        }
        times = {"t_ms": round(self.t_s * 1000), "stamp_ms": round(self.stamp_s * 1000, 1)}
        return {"frame": self.number, **times, "seats": seats}


def events_of(event: TruthEvent, strokes: Strokes) -> list[TrueEvent]:
    """An event of the world as events of a film: a bet settles each time its chips come to rest."""
    if event.type == "bet_settled" and (parts := strokes.get((event.uids, event.t_first))):
        return _settlings(event, parts)
    # A dealer who gives chips back amends the bet; only its player takes chips back.
    kind = "bet_amended" if event.type == "chips_retracted" and event.by_dealer else event.type
    return [
        TrueEvent(
            event.t_first, event.t_done, event.seat or None, kind, event.uids, event.by_dealer, judged=event.judged
        )
    ]


class ZoneTruth:
    """What lies in each zone, frame by frame; chips at rest are looked up once."""

    def __init__(self, table: TableSettings, chip_radius_mm: float) -> None:
        self._table = table
        self._chip_mm2 = math.pi * chip_radius_mm**2
        self._settled: tuple[SeenChip, ...] | None = None
        self._lying: dict[int, list[SeenChip]] = {}

    def seats(self, scene: Scene) -> dict[int, SeatTruth]:
        """The seats with chips in the zone or fingers over it at that moment."""
        if scene.settled is not self._settled:
            self._settled, self._lying = scene.settled, self._inside(scene.settled)
        moving = self._inside(scene.moving)
        truths = {}
        for place in self._table.seats:
            chips = self._lying[place.number] + moving[place.number]
            hands = tuple(arm.owner for arm in scene.arms if _over(self._table, place.number, arm))
            if chips or hands:
                truths[place.number] = SeatTruth(len(chips), self._chip_mm2 * _piles(chips), hands)
        return truths

    def _inside(self, chips: Sequence[SeenChip]) -> dict[int, list[SeenChip]]:
        return {
            place.number: [chip for chip in chips if contains(place.bet_zone_mm, (chip.x_mm, chip.y_mm))]
            for place in self._table.seats
        }


def _over(table: TableSettings, seat: int, arm: SeenArm) -> bool:
    """Whether the fingers of an arm are over a seat's zone: past the line for its own, inside the zone otherwise."""
    own = arm.owner == f"seat-{seat}"
    area = table.felt.betting_line_mm if own else table.seat(seat).bet_zone_mm
    return any(contains(area, tip[:2]) for tip in fingertips(arm)) or contains(area, arm.grip_mm[:2])


def _settlings(bet: TruthEvent, strokes: Sequence[Stroke]) -> list[TrueEvent]:
    """A bet settles after its last motion, and earlier if chips lay there long enough; motions count from the start."""
    settled: list[TrueEvent] = []
    cross_s, uids = strokes[0].cross_s, tuple[str, ...]()
    for number, stroke in enumerate(strokes, 1):
        uids += tuple(chip.uid for chip in stroke.chips)
        if number == len(strokes) or strokes[number].cross_s - stroke.back_s >= SETTLED_S:
            settled.append(TrueEvent(cross_s, stroke.rest_s, bet.seat, "bet_settled", uids, motions=number))
            cross_s, uids = strokes[min(number, len(strokes) - 1)].cross_s, ()
    return settled


def _piles(chips: Sequence[SeenChip]) -> int:
    middles: list[tuple[float, float]] = []
    for chip in chips:
        if all(math.hypot(chip.x_mm - x, chip.y_mm - y) >= _ONE_PILE_MM for x, y in middles):
            middles.append((chip.x_mm, chip.y_mm))
    return len(middles)
