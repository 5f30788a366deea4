"""One seat as the camera sees it: from its crop of each frame to an observation for the seat's state machine."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from betline.units import NS_PER_MS
from vision.frame import blobs, reference
from vision.frame.rail import DEALER, NOBODY
from vision.frame.reference import Colour, Gain, Reference
from vision.frame.zones import Indices, SeatZones
from vision.imaging.pictures import (
    Mask,
    Picture,
    above,
    all_of,
    any_of,
    blurred,
    difference,
    grown,
    none_of,
    smaller,
    without_shadow,
)
from vision.seats.cards_in_zone import ZoneCards
from vision.seats.slab import slab_mm2
from vision.seats.state import NEVER_NS, ChipsSeen, Observation, SeatState, Settled, Sight, Stranger
from vision.seats.under_arm import Beneath
from vision.seats.zone_frame import ZoneFrame
from vision.tuning.thresholds import Thresholds

LEFT_SHARE: Final = 0.7
"""A loose thing was left behind if this share of it lay there before, or was under the arm that has withdrawn."""
LEFT_NS: Final = 500_000_000
"""What an arm leaves behind shows within this time after it covered most."""
WITHDRAWN_SHARE: Final = 0.8
"""An arm has withdrawn when at most this share of its largest reach is left."""
LEAVING_FRAMES: Final = 3
"""A hand that leaves moves behind the line for so many frames after nothing has moved near the zone any more."""
LOOK_AGAIN_MS: Final = 3000
"""What has not moved for so long is looked at again: whether it is an arm at all."""
PART_SHARE: Final = 0.3
"""Two arms over one zone are both there if each has this share of what is covered there."""

WhosePixels = Callable[[Indices, Indices], npt.NDArray[np.int64]]
"""How many pixels, given by row and column of the picture, belong to each owner."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What the gate and the light say of a frame for one seat; ``gain`` is (3,) float64, by channel."""

    t_ns: int
    frame: int
    sector_moves: bool
    sector_still_ms: float
    zone_moves: bool
    gain: Gain
    shadowed: bool = False
    """Whether an arm is near enough to throw its shadow into the zone."""
    reaches: bool = False
    """Whether the own arm, over the line already, covers felt beyond the zone."""
    about: bool = False
    """Whether the own arm is over the sector."""
    leaving_frames: int = 0
    """In how many frames since something last moved near the zone something moved behind it."""
    onward_ns: int = NEVER_NS
    """When the dealer's arm last came on from the zone to the seat's stacks."""
    hid_ns: int = NEVER_NS
    """Until when that arm hid the zone."""


@dataclass(frozen=True, slots=True, eq=False)
class _Reach:
    """Arms over the zone at a moment."""

    t_ns: int
    near_mm2: float
    mask: Mask


class SeatEye:
    """Holds a seat's reference and the last masks; says what lies and who reaches in."""

    def __init__(self, zones: SeatZones, thresholds: Thresholds) -> None:
        self.zones = zones
        self._thresholds = thresholds
        self._quiet: list[Picture] = []
        self._reference: Reference | None = None
        self._masks: deque[tuple[int, Mask]] = deque()
        self._picture: Picture | None = None
        self._mask: Mask = np.zeros_like(zones.bets.zone)
        self._settled_mask: Mask = self._mask
        self._arm: Mask | None = None
        self._most: _Reach | None = None
        self._uncovered = True
        self._cards = ZoneCards(zones, thresholds)
        self._known_arm = False
        self._last_whose: tuple[bool, Stranger] | None = None
        self._clear: Picture | None = None
        self.covered: tuple[Indices, Indices] = (np.zeros(0, np.intp), np.zeros(0, np.intp))
        """Rows and columns, in the whole picture, of the zone and its margin under the arms of the last frame."""

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
        """The felt's colour in this zone, (3,) float64 BGR; None where it is not known."""
        if self._reference is None or self._reference.empty is None:
            return None
        return reference.felt_colour(self._reference.empty, self.zones)

    @property
    def lying(self) -> Mask:
        """What was last seen lying in the zone: (H, W) uint8, 0 or 255, cut to ``zones.bets``."""
        return self._mask

    def slab_mm2(self, frame: Picture) -> float:
        """The area of a smooth slab in the zone, 0 where there is none; ``frame`` is (H, W, 3) uint8 BGR."""
        return slab_mm2(self.zones, self._mask, frame, self._thresholds)

    @property
    def shows_cards(self) -> bool:
        """Whether a card or more lies in the zone, as far as chips and arms leave it to see."""
        return self._cards.show

    @property
    def arm(self) -> Mask | None:
        """The arms of the last frame that was looked at, (H, W) uint8, 0 or 255, over the seat's crop; None where there
        was none.
        """
        return self._arm

    # --- start-up -------------------------------------------------------------------------------------------------

    def collect(self, frame: Picture, quiet: bool) -> bool:
        """Gathers quiet frames, (H, W, 3) uint8 BGR, before there is a reference; True when there are enough."""
        if not quiet:
            self._quiet.clear()
        else:
            self._quiet = [*self._quiet[1 - reference.QUIET_FRAMES :], blurred(self.zones.crop(frame))]
        return len(self._quiet) == reference.QUIET_FRAMES

    def begin(self, elsewhere: Colour | None, moment: Moment) -> SeatState:
        """Takes the reference from the quiet frames; what already lies there counts as settled.

        ``elsewhere`` is the felt's colour at the other seats, (3,) float64 BGR.
        """
        picture = reference.median_picture(self._quiet)
        self._quiet.clear()
        self._reference = reference.first_reference(picture, self.zones, elsewhere, moment.gain, self._thresholds)
        self._picture = picture
        return self._state_at_rest()

    def _state_at_rest(self) -> SeatState:
        """The seat's state when what is in the settled picture is all there is."""
        assert self._reference is not None
        held, bets = self._reference, self.zones.bets
        if held.empty is None:
            return SeatState()
        levels = bets.of(difference(held.settled, held.empty))
        lies = blobs.lying(blobs.objects(levels, bets.zone, self._thresholds), levels, bets, self._thresholds)
        self._mask = self._settled_mask = lies.mask
        settled = Settled(area_mm2=lies.area_mm2, footprints=lies.footprints)
        return SeatState(settled=settled, sight=Sight(area_mm2=lies.area_mm2))

    def tune(self, zones: SeatZones, thresholds: Thresholds) -> SeatState | None:
        """Goes on with other numbers and the zones by them; the state at rest by them where the felt is known."""
        self.zones = zones
        self._thresholds = thresholds
        self._masks.clear()
        self._mask = self._settled_mask = np.zeros_like(zones.bets.zone)
        self._cards = ZoneCards(zones, thresholds)
        return self._state_at_rest() if self.knows_empty else None

    # --- every frame in which something moves -----------------------------------------------------------------------

    def observe(self, frame: Picture, moment: Moment, whose: WhosePixels) -> Observation:
        """What this frame, (H, W, 3) uint8 BGR, shows; ``whose`` is asked only when an arm is there."""
        held = self._reference
        assert held is not None
        thresholds = self._thresholds
        picture = self._picture = blurred(self.zones.crop(frame))
        last_settled = held.now(held.settled, moment.gain)
        from_settled = difference(picture, last_settled)
        bets = self.zones.bets
        felt = bets.of(last_settled) if held.empty is None else held.now(bets.of(held.empty), moment.gain)
        zone = ZoneFrame(bets.of(picture), bets.of(last_settled), felt, bets.of(from_settled))
        # An object of the zone differs from both layers: what was lying there does not, nor does the felt below it.
        objects_level = from_settled.copy()
        both = np.where(bets.zone > 0, smaller(zone.from_settled, zone.from_empty), zone.from_settled)
        objects_level[bets.rows, bets.columns] = both
        objects_level = cards_level = without_shadow(objects_level, picture, last_settled, thresholds.weak_level)
        if not (moment.shadowed or moment.about):  # light that comes back is no arm either
            objects_level = without_shadow(objects_level, last_settled, picture, thresholds.weak_level)
        objects_level = blobs.joined_over_line(objects_level, from_settled, self.zones, thresholds)
        found = blobs.objects(objects_level, self.zones.sector, thresholds)
        arms = blobs.arms(
            found,
            self.zones,
            thresholds,
            moving=moment.sector_still_ms < thresholds.hand_pause_ms,
            zone_moves=moment.zone_moves,
            loose_ones=moment.sector_still_ms < thresholds.hand_pause_ms or self._known_arm,
            resting=self._arm if self._known_arm else None,
        )
        if arms.loose_mask is not None and not arms.stays and self._was_left(arms.loose_mask, arms.near_mm2, moment):
            arms = blobs.arms(found, self.zones, thresholds, loose_ones=False)
        if arms.near and moment.sector_still_ms >= LOOK_AGAIN_MS and self._is_ghost(zone, arms):
            self._reference = reference.settled_around(held, picture, self.zones, moment.gain)
            arms = blobs.arms(blobs.nothing(found), self.zones, thresholds)
        self._arm = arms.mask if arms.any else None
        self._remember(arms, moment.t_ns)
        own, stranger = self._whose(arms, whose) if arms.near else (False, Stranger.NOBODY)
        self._last_whose = (own, stranger) if arms.near else None
        self._known_arm = arms.near and (self._known_arm or own or stranger is Stranger.DEALER)
        return Observation(
            seat=self.zones.seat,
            t_ns=moment.t_ns,
            frame=moment.frame,
            own_in_zone=own and arms.at_line,
            own_near=own or moment.reaches,
            own_about=own or moment.about,
            own_mm2=arms.near_mm2 if own else 0.0,
            own_broad=own and arms.at_line and arms.is_broad(self.zones, thresholds),
            own_rooted=own and arms.at_line and arms.rooted,
            withdraws=moment.sector_moves and not moment.zone_moves,
            own_to_pot=moment.reaches or (own and stranger is Stranger.NOBODY and arms.to_pot),
            stranger=stranger,
            moving=moment.zone_moves,
            chips=None if arms.near else self._chips(zone, cards_level, arms, moment),
            beneath=self._beneath(zone, arms) if arms.near else None,
            onward_ns=moment.onward_ns,
            hid_ns=moment.hid_ns,
        )

    def _is_ghost(self, seen: ZoneFrame, arms: blobs.Arms) -> bool:
        """Whether nothing is over the zone where an arm should be: it lay in the picture that the frame is compared
        with, and has gone.
        """
        bets, thresholds = self.zones.bets, self._thresholds
        there = all_of(all_of(bets.of(arms.mask), bets.zone), above(seen.from_empty, thresholds.weak_level))
        least_px = thresholds.hand_in_zone_chips * thresholds.chip_mm2 / bets.mm2_per_px
        return cv2.countNonZero(there) < least_px

    def _was_left(self, loose: Mask, near_mm2: float, moment: Moment) -> bool:
        """Whether a loose thing is no hand: it lay there uncovered a frame ago, or an arm has left it and withdrawn."""
        least_px = LEFT_SHARE * cv2.countNonZero(loose)
        if self._uncovered:
            bets = self.zones.bets
            if cv2.countNonZero(all_of(bets.of(loose), any_of(self._mask, self._cards.mask))) >= least_px:
                return True
        if not moment.zone_moves and moment.leaving_frames >= LEAVING_FRAMES:
            return True
        if self._most is None or moment.zone_moves or moment.t_ns - self._most.t_ns > LEFT_NS:
            return False
        if blobs.is_bulky(loose, self.zones, self._thresholds):
            return False  # a hand that was further away rests there now
        withdrawn = near_mm2 <= WITHDRAWN_SHARE * self._most.near_mm2
        return withdrawn and cv2.countNonZero(all_of(self._most.mask, loose)) >= least_px

    def _remember(self, arms: blobs.Arms, t_ns: int) -> None:
        """Keeps the arms of the last moments where they covered most."""
        most = self._most
        if arms.near and (most is None or arms.near_mm2 >= most.near_mm2 or t_ns - most.t_ns > LEFT_NS):
            self._most = _Reach(t_ns, arms.near_mm2, arms.mask)
        self._uncovered = not arms.near

    def _beneath(self, seen: ZoneFrame, arms: blobs.Arms) -> Beneath | None:
        """What can be seen beside the arms of what had settled in the zone, where it stands out against the felt."""
        bets, thresholds = self.zones.bets, self._thresholds
        plain = all_of(self._settled_mask, above(difference(seen.settled, seen.empty), thresholds.strong_level))
        visible = all_of(plain, none_of(grown(bets.of(arms.mask))))
        visible_px = cv2.countNonZero(visible)
        if visible_px == 0:
            return None if not self._settled_mask.any() else Beneath(0.0, 0.0, 0.0)
        altered = all_of(visible, above(seen.changes(thresholds), thresholds.strong_level))
        altered_px = cv2.countNonZero(altered)
        bare_px = cv2.countNonZero(all_of(altered, none_of(above(seen.from_empty, thresholds.weak_level))))
        return Beneath(
            (visible_px - altered_px) * bets.mm2_per_px, altered_px * bets.mm2_per_px, bare_px * bets.mm2_per_px
        )

    def _whose(self, arms: blobs.Arms, whose: WhosePixels) -> tuple[bool, Stranger]:
        """Whether the own hand is over the zone, and which other; by where it comes from if nobody followed it."""
        near_at = self.zones.near_at[arms.mask.reshape(-1)[self.zones.near_at] > 0]
        self.covered = self._in_picture(near_at, arms)
        pixels = whose(*self.covered)
        pixels[NOBODY] = 0
        known = int(pixels.sum())
        if known < PART_SHARE * len(near_at):  # the tip of a fast hand; the arm behind it may be known
            arm_at = np.flatnonzero(arms.mask)
            pixels = whose(*self._in_picture(arm_at, arms))
            pixels[NOBODY] = 0
            known = int(pixels.sum()) if pixels.sum() >= PART_SHARE * len(arm_at) else 0
        if known == 0:
            if self._last_whose is not None and not arms.rooted:  # a hand that rests is nobody's after a while
                return self._last_whose
            strange = (arms.entering or arms.loose) and not arms.rooted
            return arms.rooted, Stranger.OTHER if strange else Stranger.NOBODY
        least = PART_SHARE * known
        own, dealer = int(pixels[self.zones.seat]), int(pixels[DEALER])
        if dealer >= least:
            return own >= least, Stranger.DEALER
        return own >= least, Stranger.OTHER if known - own >= least else Stranger.NOBODY

    def _in_picture(self, at: Indices, arms: blobs.Arms) -> tuple[Indices, Indices]:
        """Rows and columns of the whole picture of pixels of the seat's crop."""
        rows, columns = np.divmod(at, arms.mask.shape[1])
        return rows + self.zones.y0, columns + self.zones.x0

    def _chips(self, seen: ZoneFrame, levels: Mask, arms: blobs.Arms, moment: Moment) -> ChipsSeen:
        """What lies in the zone; ``levels``, (H, W) uint8, are the crop's differences from both layers."""
        thresholds, bets = self._thresholds, self.zones.bets
        self._clear = self._picture
        from_settled, from_empty = seen.from_settled, seen.from_empty
        if arms.any or moment.shadowed:
            from_empty = without_shadow(from_empty, seen.picture, seen.empty, thresholds.weak_level)
            from_settled = seen.changes(thresholds)
        self._cards.note(seen, levels, arms.mask, self._settled_mask)
        within = all_of(bets.zone, none_of(any_of(bets.of(arms.mask), self._cards.mask)))
        lies = blobs.lying(blobs.objects(from_empty, within, thresholds), from_empty, bets, thresholds)
        self._mask = lies.mask
        # A change counts where something lies now or lay when the zone settled: light that moves over felt does not.
        placed = any_of(all_of(within, any_of(lies.mask, self._settled_mask)), self._cards.bared)
        # Cards where a pale chip lay look like that chip in a shadow.
        cv2.copyTo(seen.from_settled, self._cards.bared, from_settled)
        changed = blobs.objects(from_settled, placed, thresholds)
        changed_px = solid_px = int(changed.of(bets.zone_at).sum())
        if not (arms.any or moment.shadowed or moment.about) and changed_px * bets.mm2_per_px >= thresholds.chip_mm2:
            solid = blobs.objects(seen.solid_changes(thresholds), placed, thresholds)
            solid_px = int(solid.of(bets.zone_at).sum())
        firm_mm2 = lies.area_mm2
        if not (arms.any or moment.shadowed) and lies.area_mm2 > 0:
            unshaded = without_shadow(from_empty, seen.picture, seen.empty, thresholds.weak_level)
            firm_mm2 = blobs.lying(blobs.objects(unshaded, within, thresholds), unshaded, bets, thresholds).area_mm2
        return ChipsSeen(
            area_mm2=lies.area_mm2,
            firm_mm2=firm_mm2,
            changed_mm2=changed_px * bets.mm2_per_px,
            solid_mm2=solid_px * bets.mm2_per_px,
            footprints=lies.footprints,
            steady=self._steady(lies.mask, moment.t_ns),
            against_cards=bool(all_of(grown(self._settled_mask), self._cards.mask).any()),
            new_mm2=cv2.countNonZero(all_of(lies.mask, none_of(grown(self._settled_mask)))) * bets.mm2_per_px,
        )

    def _steady(self, mask: Mask, t_ns: int) -> bool:
        """Whether the mask of a while ago agrees with this one."""
        self._masks.append((t_ns, mask))
        before_ns = t_ns - self._thresholds.steady_ms * NS_PER_MS
        while len(self._masks) > 1 and self._masks[1][0] <= before_ns:
            self._masks.popleft()
        then_ns, then = self._masks[0]
        return then_ns <= before_ns and blobs.overlap(then, mask) >= self._thresholds.steady_iou

    # --- renewing the reference -------------------------------------------------------------------------------------

    def adopt(self, gain: Gain, elsewhere: Colour | None, *, empty: bool, whole: bool) -> SeatState | None:
        """Takes the last observed picture as the settled one, and as the empty felt where nothing lies there.

        ``whole`` is the sector at rest; else it is only the zone that has settled. ``gain`` and ``elsewhere`` are (3,)
        float64 BGR: the light's gain, and the felt's colour at the other seats.

        Returns the state to go on from where this picture showed for the first time how the empty zone looks.
        """
        assert self._reference is not None
        assert self._picture is not None
        self._reference = reference.settled(self._reference, self._picture, self.zones, gain, empty=empty, whole=whole)
        if not whole:
            self._settled_mask = self._mask
        if self._reference.empty is None:
            self._reference = reference.learnt(self._reference, self.zones, elsewhere, self._thresholds)
            return self._state_at_rest() if self._reference.empty is not None else None
        return None

    def recall(self) -> None:
        """Goes back to the last picture in which no arm covered the zone, for ``adopt``."""
        assert self._clear is not None
        self._picture = self._clear

    def look(self, frame: Picture) -> None:
        """Takes a frame at rest, (H, W, 3) uint8 BGR, for ``adopt``."""
        self._picture = blurred(self.zones.crop(frame))
