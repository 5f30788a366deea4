"""The detector: frames in, bet-line events and a view of all seats out; it knows no source and no bus.

Each frame passes the motion gate. Where a seat's sector moves, or something is still open there, its crop is looked at
and its state machine takes a step; a seat at rest costs nothing. While the light changes or the camera has moved,
no seat is looked at and no event is reported.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from betline.messages.devices import LineEventType, PictureEventType, SeatView
from betline.settings import SettingsError, TableSettings, load_chip_set
from betline.units import NS_PER_MS
from vision.calibration.calibration import Calibration, calibrate
from vision.detect.snapshot import SeatShown, SeatSnapshot, Snapshot, waits_for
from vision.frame.dealers_way import BelowDealer, DealersWay
from vision.frame.events import CameraEvent
from vision.frame.gate import MIN_CELLS, SCALE, Gate, moves_behind
from vision.frame.light import Light
from vision.frame.owners import Owners
from vision.frame.pose import PoseCheck
from vision.frame.reference import Colour
from vision.frame.zones import seat_zones
from vision.imaging.pictures import Picture, resized
from vision.places.card_places import in_whole, middle_of_felt
from vision.places.table_frame import Lately
from vision.places.table_watch import TableWatch
from vision.seats import watch as seat_watch
from vision.seats.eye import Moment, SeatEye
from vision.seats.phases import Phase
from vision.seats.state import NEVER_NS, Observation, SeatState, Stranger, ns
from vision.tuning.thresholds import Thresholds

REACH_CELLS: Final = 6
"""An arm reaches beyond its zone from this many cells of 8 mm on: two fingers."""
PICTURE_CONF: Final = 0.9
"""Confidence in an event of the whole picture: several frames have shown it."""


@dataclass(slots=True)
class Counters:
    """What the detector has done since it was made."""

    frames: int = 0
    seats_looked_at: int = 0
    frozen_frames: int = 0
    unreported: int = 0
    """Events of chips at seats whose empty felt is not known yet."""


class Detector:
    """All seats of one table; not thread-safe."""

    def __init__(self, table: TableSettings, calibration: Calibration, thresholds: Thresholds) -> None:
        self.calibration = calibration
        self.counters = Counters()
        self._table = table
        self._thresholds = thresholds
        zones = seat_zones(table, calibration, thresholds)
        self._gate = Gate(zones, calibration.width_px, calibration.height_px, thresholds.motion_level)
        self._owners = Owners(table, calibration, self._gate.size, SCALE, thresholds)
        middle = in_whole(middle_of_felt(table, calibration), calibration)
        self._middle = resized(middle, self._gate.size)
        self._light = Light(table, calibration, thresholds)
        self._pose = PoseCheck(calibration, thresholds)
        self._table_watch = TableWatch(table, calibration, thresholds, self._gate.size, SCALE)
        self._watches = [_Watch(SeatEye(seat, thresholds)) for seat in zones]
        self._size = (calibration.width_px, calibration.height_px)
        self._swept_ns: Mapping[int, tuple[int, int]] = {}
        self._t_ns = 0
        self._began = False

    @property
    def thresholds(self) -> Thresholds:
        """The numbers by which it decides now."""
        return self._thresholds

    def tune(self, thresholds: Thresholds) -> None:
        """Decides by other numbers from the next frame on; what was learnt of the felt stays.

        What lies in each zone is measured again from its settled picture. Raises CalibrationError where no zone would
        be left.
        """
        zones = tuple(watch.eye.zones for watch in self._watches)
        if _bounds(thresholds) != _bounds(self._thresholds):  # drawing them again takes a quarter of a second
            zones = seat_zones(self._table, self.calibration, thresholds)
        self._thresholds = thresholds
        self._gate.tune(zones, thresholds.motion_level)
        self._light.tune(thresholds)
        self._owners.tune(thresholds)
        self._pose.tune(thresholds)
        self._table_watch.tune(thresholds)
        for watch, seat in zip(self._watches, zones, strict=True):
            at_rest = watch.eye.tune(seat, thresholds)
            if at_rest is not None:
                watch.state = watch.state.measured_again(at_rest.settled.area_mm2, at_rest.settled.footprints)

    @property
    def frozen(self) -> PictureEventType | None:
        """Why no betting events are reported at the moment, None while they are."""
        if self._pose.moved:
            return "camera_moved"
        return "light_changed" if self._light.changing else None

    @property
    def markers_said(self) -> str:
        """What the markers say of the camera or of themselves, a sentence; empty where all is as it was."""
        return self._pose.said

    @property
    def ready(self) -> bool:
        """Whether every seat has a reference."""
        return all(watch.eye.ready for watch in self._watches)

    def view(self) -> tuple[SeatView, ...]:
        """What lies in each zone; a seat whose empty felt is not known yet is left out."""
        return tuple(watch.view(self._t_ns, self._thresholds) for watch in self._watches if watch.eye.knows_empty)

    def snapshot(self) -> Snapshot:
        """What is believed after the last frame, to be drawn."""
        frozen = self.frozen
        seats = tuple(watch.snapshot(self._t_ns, self._thresholds, frozen) for watch in self._watches)
        blue, green, red = (float(share) for share in self._light.gain)
        spots = self._table_watch.spots(self._t_ns, frozen)
        middle = self._table_watch.middle(self._t_ns, frozen)
        return Snapshot(self._t_ns, frozen, (blue, green, red), seats, spots, middle)

    def process(self, picture: Picture, t_ns: int, frame: int) -> tuple[CameraEvent, ...]:
        """Takes the next frame, (H, W, 3) uint8 BGR, shown at ``t_ns`` (monotonic); returns what it made certain."""
        if (picture.shape[1], picture.shape[0]) != self._size:
            picture = resized(picture, self._size)
        self.counters.frames += 1
        self._t_ns = t_ns
        small = self._gate.shrink(picture)
        was_frozen = self.frozen
        self._light.see(small, t_ns)
        moving = self._gate.moving(small)
        self._owners.see(small, moving, self._light.gain)
        sectors, zones, near = self._gate.by_seat(moving)
        if self.ready:
            self._pose.feel(small, float((sectors >= MIN_CELLS).mean()))
            self._pose.see(small, picture, t_ns, still=int(sectors.sum()) == 0)
        if self.frozen is not None:
            self.counters.frozen_frames += 1
            self._table_watch.interrupt()
            if was_frozen == self.frozen:
                return ()
            event = CameraEvent(
                kind=self.frozen, seat=None, t_first_ns=t_ns, t_confirm_ns=t_ns, frame=frame, conf=PICTURE_CONF
            )
            return (event,)
        if self._pose.doubtful:
            self.counters.frozen_frames += 1
            for watch in self._watches:  # what moves meanwhile is looked at afterwards
                watch.moved_ns = watch.near_moved_ns = t_ns
            return ()
        self._began = False
        reaches = self._reaches()
        events: list[CameraEvent] = []
        arms = self._owners.arms
        below_dealer = self._table_watch.below_dealer(arms)
        for at, watch in enumerate(self._watches):
            watch.dealer.note(t_ns, below_dealer[at], ns(self._thresholds.hand_pause_ms))
            sector_moves = bool(sectors[at] >= MIN_CELLS)
            if sector_moves or was_frozen is not None:
                watch.moved_ns = t_ns
            if near[at] or was_frozen is not None:
                watch.near_moved_ns, watch.leaving_frames = t_ns, 0
            elif sector_moves and moves_behind(moving, self._gate.cells[at]):
                watch.leaving_frames += 1
            moment = Moment(
                t_ns=t_ns,
                frame=frame,
                sector_moves=sector_moves,
                sector_still_ms=watch.still_ms(t_ns),
                zone_moves=bool(zones[at] >= MIN_CELLS),
                gain=self._light.gain,
                shadowed=self._owners.casts(self._gate.cells[at].window),
                reaches=watch.eye.zones.seat in reaches,
                about=self._owners.is_over(watch.eye.zones.seat, self._gate.cells[at]),
                leaving_frames=watch.leaving_frames,
                onward_ns=_or_never(watch.dealer.onward_ns),
                hid_ns=_or_never(watch.dealer.hid_ns),
            )
            events += self._seat(watch, picture, moment)
        swept = {
            event.seat: (event.t_first_ns, t_ns)
            for event in events
            if event.kind == "pot_swept" and event.seat is not None
        }
        self._swept_ns = {**self._swept_ns, **swept}
        shown_ns = {watch.eye.zones.seat: watch.shown_ns for watch in self._watches}
        beside = self._table_watch.see(
            picture,
            small,
            moving,
            self._owners.cells,
            arms,
            self._light.gain,
            t_ns,
            frame,
            Lately(self._lost_ns(), self._swept_ns, shown_ns),
        )
        return (*events, *beside)

    def _reaches(self) -> frozenset[int]:
        """The seats whose hands are over the line and whose arms reach beyond their zones: those have not left."""
        hands = [watch.eye.zones.seat for watch in self._watches if watch.state.phase is Phase.HAND_IN]
        if not hands:
            return frozenset()
        covered = self._owners.arms_over(self._middle)
        return frozenset(seat for seat in hands if covered[seat] >= REACH_CELLS)

    def _lost_ns(self) -> dict[int, int]:
        """When each zone last lost chips, where its empty felt is known."""
        lost = {watch.eye.zones.seat: watch.state.settled.lost_ns for watch in self._watches if watch.eye.knows_empty}
        return {seat: t_ns for seat, t_ns in lost.items() if t_ns is not None}

    def _seat(self, watch: _Watch, picture: Picture, moment: Moment) -> list[CameraEvent]:
        eye, thresholds = watch.eye, self._thresholds
        if not eye.ready:
            if eye.collect(picture, quiet=not moment.sector_moves) and not self._began:
                self._began = True  # the median costs as much as several frames: one seat a frame
                watch.state = eye.begin(self._colour_elsewhere(eye), moment)
                watch.adopted_ns = moment.t_ns
            return []
        still = moment.sector_still_ms >= thresholds.rest_ms
        # Where it is not known how the empty zone looks, an arm looks like what has been lying there.
        at_rest = watch.state.phase is Phase.REST
        if still and (at_rest or not eye.knows_empty):
            self._rest(watch, picture, moment)
            return []
        if at_rest and eye.knows_empty and watch.near_still_ms(moment.t_ns) >= thresholds.near_rest_ms:
            return []  # hands are busy behind the line
        self.counters.seats_looked_at += 1
        if eye.zones.seat in self._owners.turned_out_dealers:
            watch.state = seat_watch.was_dealers(watch.state, moment.t_ns)
        changed_ns = watch.state.settled.changed_ns
        observation = watch.observation = eye.observe(picture, moment, self._owners.of)
        watched = seat_watch.watch(watch.state, observation, thresholds, lambda: self._slab_mm2(eye, picture))
        watch.state = watched.state
        if observation.stranger is Stranger.OTHER and watch.state.under.takes:
            self._owners.give_to_dealer(*eye.covered)
            watch.dealer.note(moment.t_ns, BelowDealer(zone=True), ns(thresholds.hand_pause_ms))
        watch.fresh = False
        events = [event for event in watched.events if eye.knows_empty or event.kind in _HAND_EVENTS]
        if watched.adopt is not None and eye.shows_cards:
            watch.shown_ns = moment.t_ns
        if watched.adopt is not None and not (moment.shadowed and watch.state.settled.changed_ns == changed_ns):
            if watched.adopt == "last clear":
                eye.recall()
            self._adopt(watch, moment, whole=False)
        self.counters.unreported += len(watched.events) - len(events)
        return events

    def _slab_mm2(self, eye: SeatEye, picture: Picture) -> float:
        """The area of a slab in a seat's zone; nothing is known of one on felt that is not known."""
        return eye.slab_mm2(picture) if eye.knows_empty else 0.0

    def _rest(self, watch: _Watch, picture: Picture, moment: Moment) -> None:
        """Takes the picture of a seat that came to rest, and of one at rest from time to time."""
        recent = moment.t_ns - watch.adopted_ns < self._thresholds.refresh_ms * NS_PER_MS
        if recent and (watch.fresh or moment.shadowed or watch.in_odd_light(self._thresholds)):
            return
        watch.eye.look(picture)
        self._adopt(watch, moment, whole=True)
        watch.fresh, watch.adopted_ns = True, moment.t_ns

    def _adopt(self, watch: _Watch, moment: Moment, *, whole: bool) -> None:
        elsewhere = None if watch.eye.knows_empty else self._colour_elsewhere(watch.eye)
        bare = watch.state.settled.area_mm2 == 0 and (whole or not moment.shadowed)
        begun = watch.eye.adopt(moment.gain, elsewhere, empty=bare, whole=whole)
        watch.state = begun or watch.state

    def _colour_elsewhere(self, eye: SeatEye) -> Colour | None:
        """The felt's colour at the other seats, None before any of them has a reference."""
        colours = [watch.eye.colour for watch in self._watches if watch.eye is not eye]
        known = [colour for colour in colours if colour is not None]
        return np.median(known, axis=0) if known else None


_HAND_EVENTS: Final[frozenset[LineEventType]] = frozenset({"hand_entered", "hand_left", "zone_occluded"})


class _Watch:
    """One seat's eye, its state, and when it last moved and was last taken as reference."""

    __slots__ = (
        "adopted_ns",
        "dealer",
        "eye",
        "fresh",
        "leaving_frames",
        "moved_ns",
        "near_moved_ns",
        "observation",
        "shown_ns",
        "state",
    )

    def __init__(self, eye: SeatEye) -> None:
        self.eye = eye
        self.state = SeatState()
        self.moved_ns: int | None = None
        self.near_moved_ns = 0
        self.leaving_frames = 0
        self.shown_ns = 0
        self.dealer = DealersWay()
        self.adopted_ns = 0
        self.fresh = True
        self.observation: Observation | None = None

    def in_odd_light(self, thresholds: Thresholds) -> bool:
        """Whether more differed when the zone was last looked at than is open: a shadow lay over it."""
        chips = None if self.observation is None else self.observation.chips
        return (
            self.state.phase is Phase.REST
            and chips is not None
            and chips.changed_mm2 - chips.solid_mm2 > thresholds.chip_mm2
        )

    def near_still_ms(self, t_ns: int) -> float:
        """For how long nothing has moved in or near the zone."""
        return (t_ns - self.near_moved_ns) / NS_PER_MS

    def still_ms(self, t_ns: int) -> float:
        """For how long nothing has moved in the sector."""
        return math.inf if self.moved_ns is None else (t_ns - self.moved_ns) / NS_PER_MS

    def view(self, t_ns: int, thresholds: Thresholds) -> SeatView:
        settled, covered_ns = self.state.settled, self.state.covered_ns
        return SeatView(
            seat=self.eye.zones.seat,
            occupied=settled.area_mm2 >= thresholds.occupied_chips * thresholds.chip_mm2,
            hand=self.state.phase is Phase.HAND_IN,
            area_mm2=round(settled.area_mm2, 1),
            footprints=settled.footprints,
            occluded_ms=0 if covered_ns is None else (t_ns - covered_ns) // NS_PER_MS,
        )

    def snapshot(self, t_ns: int, thresholds: Thresholds, frozen: str | None) -> SeatSnapshot:
        """The seat after the frame of ``t_ns``; an observation of an earlier frame is not of it."""
        eye = self.eye
        seen = self.observation if self.observation is not None and self.observation.t_ns == t_ns else None
        phase: SeatShown = self.state.phase
        reason = waits_for(self.state, seen, t_ns, thresholds)
        if frozen is not None:
            phase, reason = "frozen", frozen.replace("_", " ")
        elif not eye.ready:
            phase, reason = "learning", "waits for stillness"
        elif not eye.knows_empty:
            phase, reason = "unknown", "its empty felt is not known yet"
        return SeatSnapshot(
            eye.zones, self.state, seen, eye.lying, eye.arm if seen is not None else None, phase, reason
        )


def _or_never(t_ns: int | None) -> int:
    return NEVER_NS if t_ns is None else t_ns


def _bounds(thresholds: Thresholds) -> tuple[float, float]:
    """The numbers by which zones are drawn."""
    return thresholds.line_dead_band_mm, thresholds.hand_margin_mm


def make_detector(table: TableSettings, calibration: Calibration | None = None) -> Detector:
    """The detector of a table's camera, by default calibrated as the table file has it.

    Raises SettingsError where the table has no camera, CalibrationError.
    """
    if not table.cameras:
        raise SettingsError(f"Table {table.name} has no camera; add a [[cameras]] section to its file.")
    thresholds = Thresholds(chip_diameter_mm=load_chip_set(table.chip_set).diameter_mm)
    return Detector(table, calibration or calibrate(table.cameras[0]), thresholds)
