"""The middle of the felt in the running detector: its eye, its state, and what was found there by where it lies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from betline.geometry import Point, contains, distance_mm
from betline.settings import TableSettings
from betline.units import NS_PER_MS
from vision.calibration.calibration import Calibration
from vision.frame.events import CameraEvent
from vision.frame.zones import Indices
from vision.imaging.pictures import Mask, all_of
from vision.places import board_watch, card_watch, pot_watch
from vision.places.board_watch import Row
from vision.places.card_eye import Look, PlaceEye, Thing
from vision.places.card_history import History
from vision.places.card_places import Place, muck_mm, pot_mm, whole
from vision.places.pot_watch import MiddleFound, MiddleSeen, MiddleState
from vision.places.snapshot import MiddleSnapshot, found_words, hindrance, middle_explained
from vision.places.table_frame import Lately, TableFrame
from vision.tuning.thresholds import Thresholds

REMEMBERED_NS: Final = 8_000_000_000
"""How long it is remembered that something came to rest in the muck: as long as cards are looked for there at most."""

Events = tuple[CameraEvent, ...]


class MiddleWatch:
    """Watches pot, board and muck; ``cells`` are the whole middle's in the gate's picture, and the pot's."""

    def __init__(
        self,
        table: TableSettings,
        calibration: Calibration,
        place: Place,
        cells: tuple[Indices, Indices],
        thresholds: Thresholds,
    ) -> None:
        self.at_ns = 0
        """When its picture was last taken."""
        self.mucked: tuple[tuple[int, int], ...] = ()
        """The spans in which, lately, something came to rest in the muck."""
        self._table = table
        self._calibration = calibration
        self._eye = PlaceEye(place, thresholds)
        self._state = MiddleState()
        self._seen: MiddleSeen | None = None
        self._last: tuple[int, MiddleFound] | None = None
        self._blind = False
        self._row = Row()
        self._thresholds = thresholds
        self.redraw(thresholds, cells)

    @property
    def at_rest(self) -> bool:
        """Whether nothing is open there."""
        return self._eye.ready and self._state.at_rest

    def tune(self, thresholds: Thresholds) -> None:
        """Goes on with other numbers; what the pot and the muck reach to, stays."""
        self._thresholds = thresholds
        self._eye.tune(thresholds)

    def redraw(self, thresholds: Thresholds, cells: tuple[Indices, Indices]) -> None:
        """The pot and the muck reach as these numbers have it; ``cells``, (N,) intp, are the middle's and the pot's."""
        self._pot_mm, self._muck_mm = pot_mm(self._table, thresholds), muck_mm(self._table, thresholds)
        self._pot = self._eye.place.crop(whole(self._pot_mm, self._calibration))
        self._muck: Mask = all_of(self._eye.place.crop(whole(self._muck_mm, self._calibration)), self._eye.place.mask)
        self._history, self._pot_history = (History(those) for those in cells)
        self.at_ns = 0

    def interrupt(self) -> None:
        """What happened meanwhile was not seen, and is never reported."""
        self._state, self.mucked, self._last = MiddleState(), (), None
        self.at_ns, self._blind = 0, True

    def see(self, now: TableFrame, seen: MiddleSeen, lately: Lately, *, arms_over: bool, arms_near: bool) -> Events:
        """Takes a frame and who is there, any part of an arm over the middle, and over any watched place."""
        self._seen = seen
        if not self._eye.ready:
            if self._eye.collect(now.picture, quiet=not seen.moving and not arms_over, gain=now.gain):
                self._settle(now)
            return ()
        state = self._state
        if not seen.moving and state.at_rest and not arms_near and not self._is_old(now):
            return ()
        state = pot_watch.trace(state, seen, self._thresholds)
        events: Events = ()
        if state.open:
            for history in (self._history, self._pot_history):
                history.add(now.t_ns, now.small)
            if pot_watch.due(state, now.t_ns, self._thresholds) and now.looks():
                state, events = self._judge(state, now, lately, seen.away_mm)
        elif self._is_old(now) and now.looks():
            self._refresh(now)
        arrived = pot_watch.arrive(state, seen, self._thresholds)
        thrown = pot_watch.thrown(arrived.state, lately.lost_ns, now.t_ns, self._thresholds)
        self._state = thrown.state
        return events + arrived.events + thrown.events

    def snapshot(self, t_ns: int, frozen: str | None) -> MiddleSnapshot:
        """What is believed after the frame of ``t_ns``."""
        seen = self._seen if self._seen is not None and self._seen.t_ns == t_ns else None
        hindered = hindrance(frozen, ready=self._eye.ready, blind=self._blind)
        phase, reason = hindered or middle_explained(self._state, seen, t_ns, self._thresholds)
        found_ns, found = self._last or (None, None)
        return MiddleSnapshot(
            self._eye.place,
            self._pot,
            self._muck,
            self._state,
            self._eye.lying,
            phase,
            reason,
            "" if found is None else found_words(found),
            found_ns,
        )

    def _is_old(self, now: TableFrame) -> bool:
        """Whether its picture is to be taken anew: it follows slow drifts of light."""
        return now.t_ns - self.at_ns >= self._thresholds.refresh_ms * NS_PER_MS

    def _judge(
        self, state: MiddleState, now: TableFrame, lately: Lately, away_mm: Mapping[int, float]
    ) -> tuple[MiddleState, Events]:
        shadows = now.shadows(self._eye.place)
        look = self._eye.look(now.picture, now.gain, shadows)
        if look.covered:
            return replace(state, loud_ns=now.t_ns), ()
        found = self._found(look, now)
        judged = pot_watch.judge(state, found, now.t_ns, now.frame, self._thresholds, lately.swept_ns, away_mm)
        laid: Events = ()
        if state.dealer_came:
            self._row, laid = board_watch.judge(
                self._row,
                self._beside(look),
                lambda cards: self._lies_ns(cards, now, state.loud_ns),
                (now.t_ns, now.frame),
                self._thresholds,
            )
        blind, self._blind = self._blind, False
        self._adopt(now, shadows)
        if blind:
            return MiddleState(), ()
        self._last = (now.t_ns, found)
        if judged.mucked is not None:
            recent = [span for span in self.mucked if span[1] >= now.t_ns - REMEMBERED_NS]
            self.mucked = (*recent, judged.mucked)
        return judged.state, judged.events + laid

    def _refresh(self, now: TableFrame) -> None:
        shadows = now.shadows(self._eye.place)
        look = self._eye.look(now.picture, now.gain, shadows)
        self.at_ns = now.t_ns
        if not look.covered and (self._blind or not look.fresh):
            self._blind = False
            self._adopt(now, shadows)

    def _adopt(self, now: TableFrame, shadows: bool) -> None:
        self._eye.adopt(now.gain, shadows)
        self._settle(now)

    def _settle(self, now: TableFrame) -> None:
        for history in (self._history, self._pot_history):
            history.settle(now.small)
        self.at_ns = now.t_ns

    def _lies_ns(self, things: Sequence[Thing], now: TableFrame, otherwise_ns: int) -> int:
        """Since when the first of new things lies there."""
        within = np.zeros(now.small.shape[:2], np.bool_)
        for left, top, right, bottom in (thing.box_px for thing in things):
            within[top // now.scale : bottom // now.scale + 1, left // now.scale : right // now.scale + 1] = True
        return self._history.since(now.small, within) or otherwise_ns

    def _found(self, look: Look, now: TableFrame) -> MiddleFound:
        """What a look at the middle shows, by where on the felt it lies."""
        at_mm = [self._mm(thing) for thing in look.fresh]
        placed = [(thing, at, contains(self._muck_mm, at)) for thing, at in zip(look.fresh, at_mm, strict=True)]
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
        mucked_mm2 = self._thresholds.mucked_cards * self._thresholds.card_mm2
        return MiddleFound(
            chips=sum(thing.chips for thing, _ in chips),
            chips_mm2=sum(thing.area_mm2 for thing, _ in chips),
            pot_lost_mm2=cv2.countNonZero(all_of(look.gone, self._pot)) * self._eye.place.mm2_per_px,
            pot_grew_mm2=sum(thing.area_mm2 for thing, at, _ in placed if contains(self._pot_mm, at)),
            pot_ns=self._pot_history.since(now.small),
            in_muck=any(muck and thing.kind != "chips" and thing.area_mm2 >= mucked_mm2 for thing, _, muck in placed),
            strange=strange,
        )

    def _beside(self, look: Look) -> list[tuple[Thing, Point]]:
        """What is new beside the pot and the muck, whole."""
        placed = [(thing, self._mm(thing)) for thing in look.fresh if not thing.cut]
        beside = (self._muck_mm, self._pot_mm)
        return [(thing, at) for thing, at in placed if not any(contains(area, at) for area in beside)]

    def _mm(self, thing: Thing) -> Point:
        x, y = self._calibration.to_mm([thing.at_px])[0]
        return float(x), float(y)

    def _nearest(self, at: Point) -> int:
        return min(self._table.seats, key=lambda seat: distance_mm(seat.cards_mm, at)).number
