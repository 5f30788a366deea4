"""Objects on the felt: where a picture differs from its reference, connected, and which are arms and which chips.

All functions work on one seat's small crop, already blurred, and return masks or numbers; none keeps anything. Masks
and differences are (H, W) uint8 of that crop; a mask is 0 or 255.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame.shapes import CORE_SHARE, cores, is_card_in_zone, is_cut_card, shows_cards
from vision.frame.zones import BetCrop, SeatZones
from vision.imaging.pictures import Mask, above, all_of, any_of, closed, grown, none_of, opened
from vision.tuning.thresholds import Thresholds

Flags = npt.NDArray[np.bool_]

RIM_PX: Final = 2
"""An edge is compared with what is this near to it: beyond lies the next spot of a chip's rim."""
MIN_CHIPS: Final = 0.25
"""Chip areas from which an object in a zone may be a chip: the line's dead band hides the rest of one."""
BULKY_SHARE: Final = 0.92
"""Chip diameters from a thing's edge to its middle: a fist has more, a card and six stacks side by side have less."""
WRIST_CHIPS: Final = 4.0
"""A thing over the line with so many chip areas behind it is a hand with its wrist: chips do not lie like that."""
SAME_SHARE: Final = 0.8
"""A thing that was an arm a frame ago and shares so much of that arm's place has not moved."""
JOIN_PX: Final = 3
"""Noise at its edges makes the gap that the drawn line cuts into a hand so much wider."""
CUT_PX: Final = 5
"""Gaps up to this at the line's edges are its blur, which runs 2 px to each side."""
INSIDE_SHARE: Final = 0.5
"""What goes on beyond the sector on the pot's side, and has less than this share of what is seen in the zone, lies
outside."""
CARD_LEAST: Final = 0.8
"""Card areas from which an object may be a card."""
HALF: Final = 0.5
"""A thing ends where the difference has this share of what is usual in it."""
SHARP_EDGE_PX: Final = 3
"""So far beyond that its blur is seen."""
EDGE_SHARE: Final = 0.5
"""Of the height of an edge the middle part by which a pixel at it is divided."""
INSET_PX: Final = 3
"""So far within the mask all is inside, felt-coloured inlays too."""


@dataclass(frozen=True, slots=True, eq=False)
class Objects:
    """Connected objects of a crop: ``labels``, (H, W) int32, where 0 is felt.

    For each label whether it is an object, ``real``, (N,) bool, and its size, ``area_px``, (N,) int64.
    """

    labels: npt.NDArray[np.int32]
    real: Flags
    area_px: npt.NDArray[np.int64]

    def of(self, at: npt.NDArray[np.intp]) -> npt.NDArray[np.int64]:
        """How many of the given pixels, (M,) intp into the flattened crop, belong to each label: (N,) int64."""
        if len(self.real) == 1:
            return np.zeros(1, np.int64)
        counts = np.bincount(self.labels.reshape(-1)[at], minlength=len(self.real))
        return np.where(self.real, counts, 0)

    def mask(self, chosen: Flags) -> Mask:
        """The pixels of the chosen labels, (N,) bool: a mask, (H, W) uint8."""
        levels = np.where(chosen & self.real, np.uint8(255), np.uint8(0))
        return np.zeros(self.labels.shape, np.uint8) if not levels.any() else levels.take(self.labels)


def objects(levels: Mask, within: Mask, thresholds: Thresholds) -> Objects:
    """Objects by hysteresis: weak differences, (H, W) uint8, that touch a strong one, opened by 3 px, inside a mask."""
    strong_mask = all_of(above(levels, thresholds.strong_level), within)
    if cv2.countNonZero(strong_mask) == 0:
        return Objects(np.zeros(levels.shape, np.int32), np.zeros(1, np.bool_), np.zeros(1, np.int64))
    weak = opened(all_of(above(levels, thresholds.weak_level), within))
    count, found = cv2.connectedComponents(weak, connectivity=8)  # with statistics it takes six times as long
    labels = np.asarray(found, dtype=np.int32)
    area_px = np.bincount(labels.reshape(-1), minlength=count)
    real = np.zeros(count, np.bool_)
    if count > 1:
        strong = np.bincount(labels[strong_mask != 0], minlength=count)
        real = strong > 0
        real[0] = False
    return Objects(labels, real, area_px)


def joined_over_line(levels: Mask, raw: Mask, zones: SeatZones, thresholds: Thresholds) -> Mask:
    """The differences, (H, W) uint8, with those of ``raw`` on the drawn line where an object is on both its sides.

    In ``levels`` shadows are left out, and skin on a pale line looks like a shadow: it would part hand and fingers.
    The blurred edge of the line passes through the colour of skin too: a cut that is no wider than that blur is closed.
    """
    weak = above(levels, thresholds.weak_level)
    at = all_of(closed(weak, zones.line_px + JOIN_PX), zones.line)
    joined = levels.copy()
    np.maximum(levels, raw, out=joined, where=at > 0)
    weak = above(joined, thresholds.weak_level)
    cut = all_of(all_of(closed(weak, CUT_PX), none_of(weak)), zones.line_edges)
    joined[cut > 0] = thresholds.weak_level + 1
    return joined


def nothing(like: Objects) -> Objects:
    """No objects in a crop of the same size."""
    return Objects(np.zeros_like(like.labels), np.zeros(1, np.bool_), np.zeros(1, np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class Arms:
    """The arms in a seat's sector and where they reach.

    ``rooted`` says that one over the zone is connected to the seat's own rail; ``entering`` that one comes in from
    another side; ``loose`` that it is a large thing in motion that touches no side (a hand whose sleeve has the colour
    of the felt, or cards that are gathered). ``at_line`` asks for twice as much of an arm as ``near``;
    ``near_mm2`` is what all cover, ``to_pot`` says that one reaches the pot side; ``stays`` that a loose one
    shows its wrist behind the line and has not moved. The masks are (H, W) uint8.
    """

    at_line: bool
    near: bool
    rooted: bool
    entering: bool
    loose: bool
    any: bool
    near_mm2: float
    to_pot: bool
    mask: Mask
    loose_mask: Mask | None
    stays: bool

    def is_broad(self, zones: SeatZones, thresholds: Thresholds) -> bool:
        """Whether what is over the line is broader than chips that leave the fingers, beside each other, can be."""
        deep_px = np.asarray(cv2.distanceTransform(self.mask, cv2.DIST_L2, 3)).reshape(-1)[zones.near_at].max(initial=0)
        return bool(deep_px >= BULKY_SHARE * thresholds.chip_diameter_mm / zones.mm2_per_px**0.5)


def arms(
    found: Objects,
    zones: SeatZones,
    thresholds: Thresholds,
    *,
    moving: bool = False,
    zone_moves: bool = False,
    loose_ones: bool = True,
    resting: Mask | None = None,
) -> Arms:
    """Finds which of the objects are arms.

    One that is not rooted at the seat's own rail must be in a sector that is ``moving``, or be as bulky as no chips
    are: a hand that rests on its bet, whose sleeve has the colour of the felt. A slender one is known by its wrist
    behind the line and by where it was a frame ago, ``resting``, (H, W) uint8. Without ``loose_ones`` what touches no
    side is none. Cards that are gone leave their shape behind the line, so a loose thing is beyond it, or moves.
    """
    chip_px = thresholds.chip_mm2 / zones.mm2_per_px
    in_zone, near = found.of(zones.zone_at), found.of(zones.near_at)
    at_root, at_border = found.of(zones.root_at), found.of(zones.border_at)
    large = found.real & (found.area_px >= thresholds.arm_chips * chip_px)
    rooted = large & (at_root > 0)
    enough_px = thresholds.hand_in_zone_chips * chip_px
    there = (near if zone_moves else in_zone) >= enough_px
    loose = large & ~rooted & (at_border == 0) & there & loose_ones
    entering = found.real & ~rooted & (at_border > 0) & (found.area_px >= thresholds.foreign_chips * chip_px)
    wrist = found.area_px - near >= WRIST_CHIPS * chip_px
    stays = _stays(found, loose & wrist, resting)
    bulky = _bulky(found, loose | entering if not moving else loose & ~wrist, zones, thresholds)
    if moving:
        loose &= wrist | bulky  # what has no wrist and is no broader than chips beside each other are chips that fly
    else:
        loose, entering = loose & (bulky | stays), entering & bulky
    arm = rooted | entering | loose
    return Arms(
        at_line=bool((arm & (near >= enough_px)).any()),
        near=bool((arm & (near >= enough_px / 2)).any()),
        rooted=bool((rooted & (near >= enough_px / 2)).any()),
        entering=bool((entering & (near >= enough_px / 2)).any()),
        loose=bool(loose.any()),
        any=bool(arm.any()),
        near_mm2=float(near[arm].sum()) * zones.mm2_per_px,
        to_pot=bool((arm & (found.of(zones.far_at) > 0)).any()),
        mask=found.mask(arm),
        loose_mask=found.mask(loose) if loose.any() else None,
        stays=bool((loose & stays).any()),
    )


def _bulky(found: Objects, asked: Flags, zones: SeatZones, thresholds: Thresholds) -> Flags:
    """Which of the asked labels, (N,) bool, have room for a circle that chips beside each other leave none for."""
    bulky = np.zeros_like(asked)
    for label in np.flatnonzero(asked):
        bulky[label] = is_bulky(found.mask(np.arange(len(asked)) == label), zones, thresholds)
    return bulky


def _stays(found: Objects, asked: Flags, resting: Mask | None) -> Flags:
    """Which of the asked labels, (N,) bool, are where something rested a frame ago."""
    if resting is None:
        return np.zeros_like(asked)
    there = np.bincount(found.labels[resting > 0], minlength=len(asked))
    return asked & (there >= SAME_SHARE * found.area_px)


def is_bulky(piece: Mask, zones: SeatZones, thresholds: Thresholds) -> bool:
    """Whether a mask, (H, W) uint8, has room for a circle that chips leave no room for; cards have none."""
    mm_per_px = zones.mm2_per_px**0.5
    deep_px = float(np.max(cv2.distanceTransform(piece, cv2.DIST_L2, 3)))
    deep = deep_px >= BULKY_SHARE * thresholds.chip_diameter_mm / mm_per_px
    return deep and not shows_cards(piece, mm_per_px, thresholds)


def cards(
    found: Objects, levels: Mask, without: Mask, known: Mask, chips: Mask, zones: SeatZones, thresholds: Thresholds
) -> Mask:
    """The objects that are cards, whole as they lie, in the zone or only with a part in it: (H, W) uint8.

    ``levels``, (H, W) uint8, are the differences in which they were found: at half of their height cards have straight
    edges, though a shadow or a pale line beside them makes the weak outline ragged. What overlaps ``without``, (H, W)
    uint8, is none. What is as large as a card and lies where cards are ``known``, (H, W) uint8 of the zone's crop, is
    still those cards, though noise has made its outline ragged. A card that goes on beyond the sector on the pot's side
    (one of the board, a burn card) shows only a piece with straight edges, or lies mostly outside. ``chips``, of the
    same size as ``known``, lay there before and may hide a corner of cards, or touch them.
    """
    least_px = CARD_LEAST * thresholds.card_mm2 / zones.mm2_per_px
    taken = np.bincount(found.labels[without > 0], minlength=len(found.real)) > 0
    in_zone, at_far_side = found.of(zones.zone_at), found.of(zones.far_at) > 0
    cut = at_far_side & (found.area_px >= thresholds.chip_mm2 / zones.mm2_per_px)
    outside = at_far_side & (in_zone < INSIDE_SHARE * found.area_px)
    asked = found.real & (outside | cut | (found.area_px >= least_px)) & (in_zone > 0) & ~taken
    chosen = np.zeros_like(asked)
    mm_per_px = zones.mm2_per_px**0.5
    for label in np.flatnonzero(asked):
        one = found.mask(np.arange(len(asked)) == label)
        here = all_of(zones.bets.of(one), zones.bets.zone)
        there_px, here_px = cv2.countNonZero(all_of(here, known)), cv2.countNonZero(here)
        still = there_px > 0 and here_px - there_px < MIN_CHIPS * thresholds.chip_mm2 / zones.mm2_per_px
        pieces = [one, _sharp(one, levels, MIN_CHIPS * thresholds.chip_mm2 / zones.mm2_per_px)]
        hidden = all_of(zones.bets.of(rectangles(one)), chips)
        if hidden.any():  # chips may hide a corner of the cards, or only touch them
            pieces += [_with(piece, hidden, zones.bets) for piece in pieces]
        chosen[label] = (
            still
            or outside[label]
            or any(
                shows_cards(piece, mm_per_px, thresholds) or (cut[label] and is_cut_card(piece, mm_per_px, thresholds))
                for piece in pieces
            )
        )
    return found.mask(chosen)


def _with(thing: Mask, also: Mask, bets: BetCrop) -> Mask:
    """The thing, (H, W) uint8, and what is marked besides in the zone's crop."""
    both = thing.copy()
    both[bets.rows, bets.columns] |= also
    return both


def _sharp(thing: Mask, levels: Mask, most_beside_px: float) -> Mask:
    """The thing, (H, W) uint8, as far as ``levels`` reach half of their height in it; nothing where that leaves out
    more than ``most_beside_px`` that is not its own edge: another thing lies beside it.
    """
    high = all_of(thing, above(levels, HALF * float(np.median(levels[thing > 0]))))
    outlines, _ = cv2.findContours(high, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    sharp = np.zeros_like(thing)
    cv2.drawContours(sharp, [max(outlines, key=cv2.contourArea)], -1, 255, cv2.FILLED)
    beside = all_of(thing, none_of(grown(sharp, SHARP_EDGE_PX)))
    return sharp if cv2.countNonZero(opened(beside)) <= most_beside_px else np.zeros_like(thing)


def rectangles(mask: Mask) -> Mask:
    """The smallest rectangle around each connected thing of a mask, (H, W) uint8."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros_like(mask)
    for outline in outlines:
        cv2.fillConvexPoly(filled, np.round(cv2.boxPoints(cv2.minAreaRect(outline))).astype(np.int32), 255)
    return filled


@dataclass(frozen=True, slots=True, eq=False)
class Lying:
    """What lies in a zone: area, how many chip footprints, and how far its pot-side edge is beyond the line.

    ``mask`` is (H, W) uint8 of the zone's crop.
    """

    area_mm2: float
    footprints: int
    inner_edge_mm: float
    mask: Mask


def lying(found: Objects, levels: Mask, zones: BetCrop, thresholds: Thresholds) -> Lying:
    """The objects of a zone as chips, cards left out: each a quarter of a chip or more, clear of the dead band.

    ``levels``, (H, W) uint8, are the differences in which they were found.
    """
    chip_px = thresholds.chip_mm2 / zones.mm2_per_px
    in_zone = found.of(zones.zone_at)
    chosen = found.real & (in_zone >= MIN_CHIPS * chip_px)
    mask = _without_cards(all_of(found.mask(chosen), zones.zone), thresholds, zones.mm2_per_px)
    if cv2.countNonZero(mask) == 0:
        return Lying(0.0, 0, 0.0, mask)
    return Lying(
        area_mm2=_area_px(mask, levels) * zones.mm2_per_px,
        footprints=_footprints(mask, thresholds.chip_diameter_mm / 2 / zones.mm2_per_px**0.5),
        inner_edge_mm=float(zones.beyond_line_mm[mask > 0].max()),
        mask=mask,
    )


def _area_px(mask: Mask, levels: Mask) -> float:
    """The area within outlines that run where the difference is half of what it is inside, whatever the colours.

    The mask runs outside of them, the more the more a chip stands out: by its area alone the chip below another of a
    brighter colour would be the smaller one.
    """
    x, y, width, height = cv2.boundingRect(mask)
    rows, columns = slice(max(0, y - RIM_PX), y + height + RIM_PX), slice(max(0, x - RIM_PX), x + width + RIM_PX)
    piece, level = mask[rows, columns], levels[rows, columns].astype(np.float32)
    highest = np.asarray(cv2.dilate(level, np.ones((2 * RIM_PX + 1,) * 2, np.uint8)))
    share = np.clip((level / np.maximum(highest, 1.0) - 0.5) / EDGE_SHARE + 0.5, 0.0, 1.0)
    outlines, _ = cv2.findContours(piece, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros_like(piece)
    cv2.drawContours(filled, outlines, -1, 255, cv2.FILLED)
    inset = np.ones((2 * INSET_PX + 1,) * 2, np.uint8)
    inside = np.asarray(cv2.erode(filled, inset, borderType=cv2.BORDER_CONSTANT, borderValue=0))
    share[inside > 0] = 1.0
    return float(share[filled > 0].sum())


def _without_cards(mask: Mask, thresholds: Thresholds, mm2_per_px: float) -> Mask:
    """The mask without cards: they fill their rectangle, which no number of round chips does."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    flat = [one for one in outlines if is_card_in_zone(one, thresholds, mm2_per_px)]
    if not flat:
        return mask
    cards: Mask = np.zeros_like(mask)
    cv2.drawContours(cards, flat, -1, 255, cv2.FILLED)
    return all_of(mask, none_of(cards))


def _footprints(mask: Mask, chip_radius_px: float) -> int:
    """How many chips or stacks the mask shows; touching ones are told apart, overlapping ones are not."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    filled = np.zeros_like(mask)
    cv2.drawContours(filled, outlines, -1, 255, cv2.FILLED)
    return max(1, cores(filled, CORE_SHARE * chip_radius_px))


def overlap(a: Mask, b: Mask) -> float:
    """Intersection over union of two masks, (H, W) uint8; two empty ones agree."""
    union = cv2.countNonZero(any_of(a, b))
    return 1.0 if union == 0 else cv2.countNonZero(all_of(a, b)) / union
