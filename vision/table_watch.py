"""What happens beside the bet lines: cards at the seats, and pot, muck and thrown chips in the middle of the felt.

Motion and arms come from the gate's picture, for all places at once. A place is looked at closely once it has come to
rest again, never while it moves, and one place a frame: stillness and play elsewhere cost nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from betline.geometry import Point, contains, distance_mm
from betline.settings import TableSettings
from vision import card_watch, pot_watch
from vision.calibration import Calibration
from vision.card_bets import Bets, BetSeen
from vision.card_eye import Look, PlaceEye, Thing
from vision.card_history import History
from vision.card_places import (
    Cells,
    card_spot,
    in_whole,
    middle_of_felt,
    muck_mm,
    pot_mm,
    spot_mm,
    whole,
    whole_zone_mm,
)
from vision.card_watch import Presence, SpotState
from vision.owners import DEALER
from vision.pictures import Mask, Picture, all_of
from vision.pot_watch import MiddleFound, MiddleSeen, MiddleState
from vision.reference import Gain
from vision.seat_state import SeatEvent
from vision.thresholds import Thresholds

CODES: Final = DEALER + 1
ARM_CELLS: Final = 4
"""An arm is over a place from this many cells of 8 mm on; so many must move for a place to move."""
MOVING_CELLS: Final = 2
NEAR_CELLS: Final = 14
"""An arm this far from a place, about 11 cm, may throw a shadow on it."""
REFRESH_NS: Final = 8_000_000_000
REMEMBERED_NS: Final = 8_000_000_000

Told = tuple[tuple[int, SeatEvent], ...]


class TableWatch:
    """All card spots of one table and its middle; not thread-safe."""

    def __init__(
        self, table: TableSettings, calibration: Calibration, thresholds: Thresholds, size: tuple[int, int], scale: int
    ) -> None:
        self._thresholds = thresholds
        self._calibration = calibration
        self._table = table
        self._scale = scale
        self._seats = tuple(seat.number for seat in table.seats)
        middle = middle_of_felt(table, calibration)
        self._middle = PlaceEye(middle, thresholds)
        self._middle_state = MiddleState()
        self._middle_at_ns = 0
        self._middle_blind = False
        pot = whole(pot_mm(table, thresholds), calibration)
        muck = all_of(whole(muck_mm(table, thresholds), calibration), in_whole(middle, calibration))
        seats = table.seats
        disjoint = [
            *(whole(spot_mm(seat, thresholds), calibration) for seat in seats),
            *(whole(seat.stack_zone_mm, calibration) for seat in seats),
            *(whole(whole_zone_mm(seat), calibration) for seat in seats),
            in_whole(middle, calibration),
        ]
        self._cells = Cells([disjoint, [pot, muck]], size)
        self._spots = [
            _Spot(PlaceEye(card_spot(seat, table, calibration, thresholds), thresholds), History(at))
            for seat, at in zip(table.seats, self._cells.of, strict=False)
        ]
        self._pot = middle.crop(pot)
        self._pot_history = History(self._cells.of[3 * len(self._seats) + 1])
        self._away_mm = {seat.number: distance_mm(table.dealer_mm, seat.rail_mm) for seat in table.seats}
        self._mucked: tuple[tuple[int, int], ...] = ()
        self._stale = False
        self._bets = Bets()

    @property
    def no_bets(self) -> set[int]:
        """Seats in whose bet zone a strange thing lies, and no bet."""
        return self._bets.strange

    def tune(self, thresholds: Thresholds) -> None:
        """Goes on with other numbers."""
        self._thresholds = thresholds
        for eye in (self._middle, *(spot.eye for spot in self._spots)):
            eye.tune(thresholds)

    def interrupt(self) -> None:
        """What happens from here to the next frame is not seen: places are then taken as they are."""
        self._stale = True

    def see(
        self,
        picture: Picture,
        small: Picture,
        moving: Mask,
        owner_of: Mask,
        gain: Gain,
        t_ns: int,
        frame: int,
        bets: Sequence[BetSeen] = (),
    ) -> Told:
        """Takes a frame, the gate's picture of it, its moving cells, whose arm is over each cell, and what the seats
        told of their bets.
        """
        if self._stale:
            self._stale = False
            self._forget()
        strange = self._bets.see(bets, picture, self._thresholds)
        alive = cv2.countNonZero(moving) > 0 or cv2.countNonZero(owner_of) > 0
        if not alive and self._at_rest and t_ns - self._oldest_ns < REFRESH_NS:
            return strange
        counts = self._cells.moving(moving)
        owned = self._cells.owned(owner_of, CODES)
        frame_of = _Frame(picture, small, owner_of, gain, t_ns, frame)
        told = strange + self._see_middle(frame_of, counts, owned)
        for number in range(len(self._spots)):
            told += self._see_spot(number, frame_of, counts, owned)
        return told

    @property
    def _at_rest(self) -> bool:
        return self._middle.ready and self._middle_state.at_rest and all(spot.at_rest for spot in self._spots)

    @property
    def _oldest_ns(self) -> int:
        return min(self._middle_at_ns, *(spot.at_ns for spot in self._spots))

    def _forget(self) -> None:
        """Nothing is told of what changed meanwhile."""
        self._middle_state, self._mucked = MiddleState(), ()
        self._middle_at_ns, self._middle_blind = 0, True
        for spot in self._spots:
            spot.state, spot.at_ns, spot.blind = SpotState(), 0, True

    # --- the card spots ---------------------------------------------------------------------------------------------

    def _see_spot(self, number: int, now: _Frame, counts: Counts, owned: Counts) -> Told:
        spot, seat = self._spots[number], self._seats[number]
        row, moves = owned[number], bool(counts[number] >= MOVING_CELLS)
        if not moves and spot.at_rest and now.t_ns - spot.at_ns < REFRESH_NS:
            return ()
        if not spot.eye.ready:
            if spot.eye.collect(now.picture, quiet=not moves and not row.any(), gain=now.gain):
                self._know(spot, now)
            return ()
        own, dealer = int(row[seat]), int(row[DEALER])
        seen = Presence(
            now.t_ns,
            now.frame,
            moves,
            own >= ARM_CELLS,
            bool(owned[2 * len(self._seats) + number][seat] >= ARM_CELLS),
            dealer >= ARM_CELLS,
            int(row.sum()) - own - dealer >= ARM_CELLS,
        )
        spot.state = card_watch.trace(spot.state, seen)
        told: tuple[SeatEvent, ...] = ()
        if spot.state.open:
            spot.history.add(now.t_ns, now.small)
            if card_watch.due(spot.state, now.t_ns, self._thresholds) and now.looks():
                told = self._judge(spot, now)
        elif spot.state.throw is None and now.t_ns - spot.at_ns >= REFRESH_NS and now.looks():
            self._refresh(spot, now)
        if spot.state.throw is not None:
            judged = card_watch.muck_found(spot.state, self._mucked, now.t_ns, now.frame, self._thresholds)
            spot.state = judged.state
            told += judged.events
        return tuple((seat, event) for event in told)

    def _judge(self, spot: _Spot, now: _Frame) -> tuple[SeatEvent, ...]:
        shadows = self._shadows(spot.eye, now)
        look = spot.eye.look(now.picture, now.gain, shadows)
        if spot.blind:
            spot.blind = look.covered
            spot.state = card_watch.known(look, self._thresholds)
            if not look.covered:
                self._adopt(spot, now, shadows)
            return ()
        judged = card_watch.judge(
            spot.state, look, spot.history.since(now.small), now.t_ns, now.frame, self._thresholds
        )
        spot.state = judged.state
        if judged.adopt:
            self._adopt(spot, now, shadows)
        return judged.events

    def _refresh(self, spot: _Spot, now: _Frame) -> None:
        """Takes the picture of a spot at rest from time to time: it follows slow drifts of light."""
        shadows = self._shadows(spot.eye, now)
        look = spot.eye.look(now.picture, now.gain, shadows)
        if spot.blind and not look.covered:
            spot.blind, spot.state = False, card_watch.known(look, self._thresholds)
        spot.at_ns = now.t_ns
        if not look.covered and not look.fresh:
            self._adopt(spot, now, shadows)

    def _adopt(self, spot: _Spot, now: _Frame, shadows: bool) -> None:
        spot.eye.adopt(now.gain, shadows)
        spot.at_ns = now.t_ns
        spot.history.settle(now.small)

    def _know(self, spot: _Spot, now: _Frame) -> None:
        """The first picture of a spot: what already lies there is no event."""
        look = spot.eye.look(now.picture, now.gain, shadows=False)
        spot.state = card_watch.known(look, self._thresholds)
        self._adopt(spot, now, shadows=False)

    def _shadows(self, eye: PlaceEye, now: _Frame) -> bool:
        """Whether an arm is near enough to a place to throw a shadow on it."""
        place, scale = eye.place, self._scale
        rows = slice(max(0, place.y0 // scale - NEAR_CELLS), place.y1 // scale + NEAR_CELLS)
        columns = slice(max(0, place.x0 // scale - NEAR_CELLS), place.x1 // scale + NEAR_CELLS)
        return bool(now.owner_of[rows, columns].any())

    # --- the middle -------------------------------------------------------------------------------------------------

    def _see_middle(self, now: _Frame, counts: Counts, owned: Counts) -> Told:
        count, eye = len(self._seats), self._middle
        moves = bool(counts[3 * count] >= MOVING_CELLS)
        if not eye.ready:
            if eye.collect(now.picture, quiet=not moves and not owned[3 * count].any(), gain=now.gain):
                self._pot_history.settle(now.small)
                self._middle_at_ns = now.t_ns
            return ()
        state = self._middle_state
        if not moves and state.at_rest and not owned.any() and now.t_ns - self._middle_at_ns < REFRESH_NS:
            return ()
        seen = self._middle_seen(now, moves, owned)
        state = pot_watch.trace(state, seen, self._thresholds)
        told: Told = ()
        if state.open:
            self._pot_history.add(now.t_ns, now.small)
            if pot_watch.due(state, now.t_ns, self._thresholds) and now.looks():
                state, told = self._judge_middle(state, now)
        elif now.t_ns - self._middle_at_ns >= REFRESH_NS and now.looks():
            self._refresh_middle(now)
        arrived = pot_watch.arrive(state, seen, self._thresholds)
        thrown = pot_watch.thrown(arrived.state, self._bets.lost_ns, now.t_ns, self._thresholds)
        self._middle_state = thrown.state
        return told + arrived.events + thrown.events

    def _middle_seen(self, now: _Frame, moves: bool, owned: Counts) -> MiddleSeen:
        count = len(self._seats)
        middle, pot, muck = owned[3 * count], owned[3 * count + 1], owned[3 * count + 2]
        over_line = owned[2 * count : 3 * count]
        return MiddleSeen(
            now.t_ns,
            now.frame,
            moves,
            dealer=bool(middle[DEALER] >= ARM_CELLS),
            dealer_at_pot=bool(pot[DEALER] >= ARM_CELLS),
            dealer_at_muck=bool(muck[DEALER] >= ARM_CELLS),
            players=frozenset(seat for seat in self._seats if middle[seat] >= ARM_CELLS),
            seats=frozenset(seat for at, seat in enumerate(self._seats) if over_line[at][seat] >= ARM_CELLS),
            reached=dict(zip(self._seats, owned[count : 2 * count, DEALER].tolist(), strict=True)),
            away_mm=self._away_mm,
        )

    def _judge_middle(self, state: MiddleState, now: _Frame) -> tuple[MiddleState, Told]:
        shadows = self._shadows(self._middle, now)
        look = self._middle.look(now.picture, now.gain, shadows)
        if look.covered:
            return replace(state, loud_ns=now.t_ns), ()
        told = pot_watch.judge(state, self._found(look, now), now.t_ns, now.frame, self._thresholds)
        blind, self._middle_blind = self._middle_blind, False
        self._adopt_middle(now, shadows)
        if blind:
            return MiddleState(), ()
        if told.mucked is not None:
            recent = [span for span in self._mucked if span[1] >= now.t_ns - REMEMBERED_NS]
            self._mucked = (*recent, told.mucked)
        return told.state, told.events

    def _refresh_middle(self, now: _Frame) -> None:
        shadows = self._shadows(self._middle, now)
        look = self._middle.look(now.picture, now.gain, shadows)
        self._middle_at_ns = now.t_ns
        if not look.covered and (self._middle_blind or not look.fresh):
            self._middle_blind = False
            self._adopt_middle(now, shadows)

    def _adopt_middle(self, now: _Frame, shadows: bool) -> None:
        self._middle.adopt(now.gain, shadows)
        self._pot_history.settle(now.small)
        self._middle_at_ns = now.t_ns

    def _found(self, look: Look, now: _Frame) -> MiddleFound:
        """What a look at the middle shows, by where on the felt it lies."""
        at_mm = [self._mm(thing) for thing in look.fresh]
        muck, pot = muck_mm(self._table, self._thresholds), pot_mm(self._table, self._thresholds)
        placed = [(thing, at, contains(muck, at)) for thing, at in zip(look.fresh, at_mm, strict=True)]
        # Cards that overlap askew show strips and corners: what is new in the muck is a card, never a chip.
        chips = [(thing, at) for thing, at, muck in placed if thing.kind == "chips" and not thing.cut and not muck]
        strange = next(
            (
                (self._nearest(at), thing.area_mm2)
                for thing, at, muck in placed
                if card_watch.is_strange(thing) and not muck
            ),
            None,
        )
        return MiddleFound(
            chips=sum(thing.chips for thing, _ in chips),
            chips_mm2=sum(thing.area_mm2 for thing, _ in chips),
            pot_lost_mm2=cv2.countNonZero(all_of(look.gone, self._pot)) * self._middle.place.mm2_per_px,
            pot_grew_mm2=sum(thing.area_mm2 for thing, at, _ in placed if contains(pot, at)),
            pot_ns=self._pot_history.since(now.small),
            in_muck=any(
                muck and thing.kind != "chips" and thing.area_mm2 >= 0.3 * self._thresholds.card_mm2
                for thing, _, muck in placed
            ),
            strange=strange,
        )

    def _mm(self, thing: Thing) -> Point:
        x, y = self._calibration.to_mm([thing.at_px])[0]
        return float(x), float(y)

    def _nearest(self, at: Point) -> int:
        return min(self._table.seats, key=lambda seat: distance_mm(seat.cards_mm, at)).number


Counts = npt.NDArray[np.intp]


class _Spot:
    """One seat's spot: its eye, its state, how it looked lately, and when its picture was taken."""

    __slots__ = ("at_ns", "blind", "eye", "history", "state")

    def __init__(self, eye: PlaceEye, history: History) -> None:
        self.eye = eye
        self.history = history
        self.state = SpotState()
        self.at_ns = 0
        self.blind = False

    @property
    def at_rest(self) -> bool:
        """Whether nothing is open there."""
        return self.eye.ready and self.state.at_rest


class _Frame:
    """One frame; one place may be looked at closely in it."""

    __slots__ = ("_looks", "frame", "gain", "owner_of", "picture", "small", "t_ns")

    def __init__(self, picture: Picture, small: Picture, owner_of: Mask, gain: Gain, t_ns: int, frame: int) -> None:
        self.picture, self.small, self.owner_of, self.gain = picture, small, owner_of, gain
        self.t_ns, self.frame = t_ns, frame
        self._looks = 1

    def looks(self) -> bool:
        """Whether there is still a look in this frame; takes it."""
        self._looks -= 1
        return self._looks >= 0
