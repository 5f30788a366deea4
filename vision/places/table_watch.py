"""What happens beside the bet lines: cards at the seats, and pot, muck and thrown chips in the middle of the felt.

Motion and arms come from the gate's picture, for all places at once. A place is looked at closely once it has come to
rest again, never while it moves, and one place a frame: stillness and play elsewhere cost nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import cv2

from betline.geometry import Point, centroid, distance_mm
from betline.settings import Seat, TableSettings
from betline.units import NS_PER_MS
from vision.calibration.calibration import Calibration
from vision.frame.dealers_way import BelowDealer
from vision.frame.events import CameraEvent
from vision.frame.rail import DEALER
from vision.frame.reference import Gain
from vision.frame.zones import Indices
from vision.imaging.pictures import Mask, Picture, all_of
from vision.places.card_places import (
    Cells,
    Place,
    card_spot,
    in_whole,
    middle_of_felt,
    muck_mm,
    pot_mm,
    spot_mm,
    whole,
    whole_zone_mm,
)
from vision.places.card_watch import Presence
from vision.places.middle_watch import MiddleWatch
from vision.places.pot_watch import REACHED_CELLS, MiddleSeen
from vision.places.snapshot import MiddleSnapshot, SpotSnapshot
from vision.places.spot_watch import SpotWatch
from vision.places.table_frame import Lately, TableFrame
from vision.tuning.thresholds import Thresholds

CODES: Final = DEALER + 1
ARM_CELLS: Final = 4
"""An arm is over a place from this many cells of 8 mm on; so many must move for a place to move."""
MOVING_CELLS: Final = 2
MIDDLE_MOVING_CELLS: Final = 16
"""Less than half of a chip's way in a frame; of the thousands of cells of the middle some flicker with noise."""

Events = tuple[CameraEvent, ...]


class TableWatch:
    """All card spots of one table and its middle; not thread-safe."""

    def __init__(
        self, table: TableSettings, calibration: Calibration, thresholds: Thresholds, size: tuple[int, int], scale: int
    ) -> None:
        self._thresholds = thresholds
        self._calibration = calibration
        self._table = table
        self._size = size
        self._scale = scale
        self._seats = tuple(seat.number for seat in table.seats)
        place = middle_of_felt(table, calibration)
        self._cells = _cells(table, calibration, thresholds, place, size)
        self._middle_place = place
        self._middle = MiddleWatch(table, calibration, place, self._middle_cells(), thresholds)
        self._spots = self._new_spots()
        self._away_mm = {seat.number: distance_mm(table.dealer_mm, seat.rail_mm) for seat in table.seats}
        self._beyond = tuple(_stacks_lie_beyond(seat, table.dealer_mm) for seat in table.seats)
        self._stale = False

    def tune(self, thresholds: Thresholds) -> None:
        """Goes on with other numbers; card spots that reach otherwise learn their felt anew."""
        before, self._thresholds = self._thresholds, thresholds
        self._middle.tune(thresholds)
        for spot in self._spots:
            spot.tune(thresholds)
        if _reach(before) == _reach(thresholds):
            return
        self._cells = _cells(self._table, self._calibration, thresholds, self._middle_place, self._size)
        if _reach(before)[:2] != _reach(thresholds)[:2]:
            self._spots = self._new_spots()
        self._middle.redraw(thresholds, self._middle_cells())

    def interrupt(self) -> None:
        """What happens from here to the next frame is not seen: places are then taken as they are."""
        self._stale = True

    def spots(self, t_ns: int, frozen: str | None) -> tuple[SpotSnapshot, ...]:
        """The card spots after the frame of ``t_ns``."""
        return tuple(spot.snapshot(t_ns, frozen) for spot in self._spots)

    def middle(self, t_ns: int, frozen: str | None) -> MiddleSnapshot:
        """The middle of the felt after the frame of ``t_ns``."""
        return self._middle.snapshot(t_ns, frozen)

    def see(
        self,
        picture: Picture,
        small: Picture,
        moving: Mask,
        owner_of: Mask,
        arm_of: Mask,
        gain: Gain,
        t_ns: int,
        frame: int,
        lately: Lately,
    ) -> Events:
        """Takes a frame, (H, W, 3) uint8 BGR, and of the gate's cells their picture, (h, w, 3) uint8 BGR, which of them
        move, (h, w) uint8, 0 or 255, and whose arm is over them, (h, w) uint8 codes of `owners`, with what it has left
        there just now and without.

        ``gain`` is the light's, (3,) float64.
        """
        if self._stale:
            self._stale = False
            self._middle.interrupt()
            for spot in self._spots:
                spot.interrupt()
        alive = cv2.countNonZero(moving) > 0 or cv2.countNonZero(owner_of) > 0
        fresh = t_ns - self._oldest_ns < self._thresholds.refresh_ms * NS_PER_MS
        if not alive and self._at_rest and fresh:
            return ()
        counts = self._cells.moving(moving)
        owned = self._cells.owned(owner_of, CODES)
        now = TableFrame(picture, small, owner_of, gain, t_ns, frame, self._scale)
        arms = self._cells.owned(arm_of, CODES)[3 * len(self._seats)]
        events = self._see_middle(now, counts, owned, arms, lately)
        for number in range(len(self._spots)):
            events += self._see_spot(number, now, counts, owned, lately.shown_ns)
        return events

    def below_dealer(self, arm_of: Mask) -> list[BelowDealer]:
        """By seat, in their order, where the dealer's arm is; ``arm_of``, (h, w) uint8, are codes of `owners` without
        what arms have left there.

        Over stacks that lie on its way, at the seats beside the dealer, it gives chips back only where it is over no
        bet zone and not over the middle: it has drawn back.
        """
        count = len(self._seats)
        if not bool((arm_of == DEALER).any()):
            return [BelowDealer()] * count
        cells = self._cells.owned(arm_of, CODES)[:, DEALER].tolist()
        over = [one >= ARM_CELLS for one in cells[2 * count : 3 * count + 1]]  # the zones, and the middle
        seats = zip(over, cells[count : 2 * count], self._beyond, strict=False)
        return [
            BelowDealer(
                zone,
                stacks >= REACHED_CELLS and (beyond or not any(over)),
                not beyond and sum(over) > zone,
            )
            for zone, stacks, beyond in seats
        ]

    @property
    def _at_rest(self) -> bool:
        return self._middle.at_rest and all(spot.at_rest for spot in self._spots)

    @property
    def _oldest_ns(self) -> int:
        return min(self._middle.at_ns, *(spot.at_ns for spot in self._spots))

    def _middle_cells(self) -> tuple[Indices, Indices]:
        """The middle's cells and the pot's."""
        first = 3 * len(self._seats)
        return self._cells.of[first], self._cells.of[first + 1]

    def _new_spots(self) -> tuple[SpotWatch, ...]:
        thresholds = self._thresholds
        return tuple(
            SpotWatch(seat.number, card_spot(seat, self._table, self._calibration, thresholds), cells, thresholds)
            for seat, cells in zip(self._table.seats, self._cells.of, strict=False)
        )

    def _see_spot(
        self, number: int, now: TableFrame, counts: Indices, owned: Indices, shown_ns: Mapping[int, int]
    ) -> Events:
        spot, row = self._spots[number], owned[number]
        moves = bool(counts[number] >= MOVING_CELLS)
        if not moves and spot.rests(now.t_ns):
            return ()
        own, dealer = int(row[spot.seat]), int(row[DEALER])
        seen = Presence(
            now.t_ns,
            now.frame,
            moves,
            own >= ARM_CELLS,
            bool(owned[2 * len(self._seats) + number][spot.seat] >= ARM_CELLS),
            dealer >= ARM_CELLS,
            int(row.sum()) - own - dealer >= ARM_CELLS,
            shown_ns.get(spot.seat, 0),
        )
        return spot.see(now, seen, self._middle.mucked, arms_over=bool(row.any()))

    def _see_middle(self, now: TableFrame, counts: Indices, owned: Indices, arms: Indices, lately: Lately) -> Events:
        count = len(self._seats)
        middle, pot, muck = owned[3 * count], owned[3 * count + 1], owned[3 * count + 2]
        over_line = owned[2 * count : 3 * count]
        seen = MiddleSeen(
            now.t_ns,
            now.frame,
            bool(counts[3 * count] >= MIDDLE_MOVING_CELLS),
            arms_over=bool((arms >= ARM_CELLS).any()),
            dealer=bool(middle[DEALER] >= ARM_CELLS),
            dealer_at_pot=bool(pot[DEALER] >= ARM_CELLS),
            dealer_at_muck=bool(muck[DEALER] >= ARM_CELLS),
            players=frozenset(seat for seat in self._seats if middle[seat] >= ARM_CELLS),
            seats=frozenset(seat for at, seat in enumerate(self._seats) if over_line[at][seat] >= ARM_CELLS),
            reached=dict(zip(self._seats, owned[count : 2 * count, DEALER].tolist(), strict=True)),
            away_mm=self._away_mm,
        )
        return self._middle.see(now, seen, lately, arms_over=bool(middle.any()), arms_near=bool(owned.any()))


def _stacks_lie_beyond(seat: Seat, dealer_mm: Point) -> bool:
    """Whether a seat's stacks are farther from the dealer than its bets."""
    return distance_mm(dealer_mm, centroid(seat.stack_zone_mm)) > distance_mm(dealer_mm, centroid(whole_zone_mm(seat)))


def _reach(thresholds: Thresholds) -> tuple[float, ...]:
    """The numbers by which places are drawn, those of the card spots first."""
    return (
        thresholds.card_spot_side_mm,
        thresholds.card_spot_deep_mm,
        thresholds.pot_margin_mm,
        thresholds.muck_reach_mm,
    )


def _cells(
    table: TableSettings, calibration: Calibration, thresholds: Thresholds, middle: Place, size: tuple[int, int]
) -> Cells:
    """By seat the card spots, the stacks and the bet zones, then the middle; over those the pot and the muck."""
    within = in_whole(middle, calibration)
    pot = whole(pot_mm(table, thresholds), calibration)
    muck = all_of(whole(muck_mm(table, thresholds), calibration), within)
    seats = table.seats
    disjoint = [
        *(whole(spot_mm(seat, thresholds), calibration) for seat in seats),
        *(whole(seat.stack_zone_mm, calibration) for seat in seats),
        *(whole(whole_zone_mm(seat), calibration) for seat in seats),
        within,
    ]
    return Cells([disjoint, [pot, muck]], size)
