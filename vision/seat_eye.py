"""One seat as the camera sees it: from its crop of each frame to an observation for the seat's state machine."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vision import blobs, reference
from vision.pictures import Mask, Picture, all_of, any_of, blurred, difference, none_of, smaller
from vision.reference import Colour, Gain, Reference
from vision.seat_watch import ChipsSeen, Observation, SeatState, Stranger
from vision.thresholds import Thresholds
from vision.zones import SeatZones


@dataclass(frozen=True, slots=True)
class Moment:
    """What the gate and the light say of a frame for one seat."""

    t_ns: int
    frame: int
    sector_moves: bool
    zone_moves: bool
    gain: Gain


class SeatEye:
    """Holds a seat's reference and the last masks; says what lies and who reaches in."""

    def __init__(self, zones: SeatZones, thresholds: Thresholds) -> None:
        self.zones = zones
        self._thresholds = thresholds
        self._quiet: list[Picture] = []
        self._reference: Reference | None = None
        self._masks: deque[tuple[int, Mask]] = deque()
        self._picture: Picture | None = None
        self._mask: Mask = np.zeros_like(zones.zone)
        self._settled_mask: Mask = self._mask

    @property
    def ready(self) -> bool:
        """Whether the reference has been taken."""
        return self._reference is not None

    @property
    def knows_empty(self) -> bool:
        """Whether it is known how the empty zone looks; without that nothing is said of what lies there."""
        return self._reference is not None and self._reference.empty is not None

    @property
    def colour(self) -> Colour | None:
        """The felt's colour in this zone, None where it is not known."""
        if self._reference is None or self._reference.empty is None:
            return None
        return reference.felt_colour(self._reference.empty, self.zones)

    # --- start-up -------------------------------------------------------------------------------------------------

    def collect(self, frame: Picture, quiet: bool) -> bool:
        """Gathers quiet frames before there is a reference; True when there are enough."""
        if not quiet:
            self._quiet.clear()
        else:
            self._quiet.append(blurred(self.zones.crop(frame)))
        return len(self._quiet) >= reference.QUIET_FRAMES

    def begin(self, elsewhere: Colour | None, moment: Moment) -> SeatState:
        """Takes the reference from the quiet frames; what already lies there counts as settled."""
        picture = reference.median_picture(self._quiet)
        self._quiet.clear()
        self._reference = reference.first_reference(picture, self.zones, elsewhere, moment.gain, self._thresholds)
        self._picture = picture
        if self._reference.empty is None:
            return SeatState()
        levels = difference(picture, self._reference.empty)
        lies = blobs.lying(blobs.objects(levels, self.zones.zone, self._thresholds), self.zones, self._thresholds)
        self._mask = self._settled_mask = lies.mask
        return SeatState(settled_mm2=lies.area_mm2, settled_footprints=lies.footprints, visible_mm2=lies.area_mm2)

    # --- every frame in which something moves -----------------------------------------------------------------------

    def observe(self, frame: Picture, moment: Moment, whose: Callable[[], set[int]], dealer: int) -> Observation:
        """What this frame shows; ``whose`` is asked only when an arm reaches in from elsewhere."""
        held = self._reference
        assert held is not None
        limits = self._thresholds
        picture = self._picture = blurred(self.zones.crop(frame))
        last_settled = held.now(held.settled, moment.gain)
        empty = last_settled if held.empty is None else held.now(held.empty, moment.gain)
        from_settled = difference(picture, last_settled)
        from_empty = from_settled if held.empty is None else difference(picture, empty)
        # An object of the zone differs from both layers: what was lying there does not, nor does the felt below it.
        both = smaller(from_settled, from_empty)
        objects_level: Mask = np.where(self.zones.zone > 0, both, from_settled)
        objects_level = blobs.without_shadow(objects_level, picture, last_settled, limits)
        found = blobs.objects(objects_level, self.zones.sector, limits)
        arms = blobs.arms(found, self.zones, moment.sector_moves, limits)
        covered = arms.own_near or arms.foreign_in_zone
        return Observation(
            t_ns=moment.t_ns,
            frame=moment.frame,
            own_in_zone=arms.own_in_zone,
            own_near=arms.own_near,
            stranger=self._stranger(arms, whose, dealer),
            moving=moment.zone_moves,
            chips=None if covered else self._chips(picture, from_settled, empty, last_settled, arms, moment.t_ns),
        )

    def _stranger(self, arms: blobs.Arms, whose: Callable[[], set[int]], dealer: int) -> Stranger:
        if not arms.foreign_in_zone:
            return Stranger.NOBODY
        return Stranger.DEALER if dealer in whose() else Stranger.OTHER

    def _chips(
        self, picture: Picture, from_settled: Mask, empty: Picture, last_settled: Picture, arms: blobs.Arms, t_ns: int
    ) -> ChipsSeen:
        limits = self._thresholds
        from_empty = difference(picture, empty)
        if arms.caster:
            from_empty = blobs.without_shadow(from_empty, picture, empty, limits)
            from_settled = blobs.without_shadow(from_settled, picture, last_settled, limits)
        within = all_of(self.zones.zone, none_of(arms.mask))
        lies = blobs.lying(blobs.objects(from_empty, within, limits), self.zones, limits)
        self._mask = lies.mask
        # A change counts where something lies now or lay when the zone settled: light that moves over felt is none.
        placed = all_of(within, any_of(lies.mask, self._settled_mask))
        changed = blobs.objects(from_settled, placed, limits)
        changed_px = int(changed.of(self.zones.zone_at).sum())
        return ChipsSeen(
            area_mm2=lies.area_mm2,
            changed_mm2=changed_px * self.zones.mm2_per_px,
            footprints=lies.footprints,
            steady=self._steady(lies.mask, t_ns),
        )

    def _steady(self, mask: Mask, t_ns: int) -> bool:
        """Whether the mask of a while ago agrees with this one."""
        self._masks.append((t_ns, mask))
        before_ns = t_ns - self._thresholds.steady_ms * 1_000_000
        while len(self._masks) > 1 and self._masks[1][0] <= before_ns:
            self._masks.popleft()
        then_ns, then = self._masks[0]
        return then_ns <= before_ns and blobs.overlap(then, mask) >= self._thresholds.steady_iou

    # --- renewing the reference -------------------------------------------------------------------------------------

    def adopt(self, gain: Gain, empty: bool, elsewhere: Colour | None) -> None:
        """Takes the last observed picture as the settled one, and as the empty felt where nothing lies there."""
        assert self._reference is not None
        assert self._picture is not None
        self._reference = reference.settled(self._reference, self._picture, gain, empty)
        self._settled_mask = self._mask
        if self._reference.empty is None:
            self._reference = reference.learnt(self._reference, self.zones, elsewhere, self._thresholds)

    def look(self, frame: Picture) -> None:
        """Takes a picture at rest, for ``adopt``."""
        self._picture = blurred(self.zones.crop(frame))
