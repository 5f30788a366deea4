"""Whose arm covers a piece of the felt: arms are followed from where they first come over the rail.

Where an arm comes in shows whose it is only at first: a dealer who reaches to the next seat leans over that seat's
rail, and one who reaches far stands with the shoulder over the felt. So each connected object in motion is claimed
once, by the place whose rail it touches, and then keeps its owner from frame to frame by overlap with itself. Two arms
that touch keep a part each. All of it works in the gate's cells of 8 mm.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from betline.settings import TableSettings
from vision.calibration.calibration import Calibration
from vision.frame.gate import Cells
from vision.frame.pairs import TOGETHER_FRAMES, Pairs
from vision.frame.rail import DEALER, NOBODY, far_zones, felt_cells, rail_owners
from vision.frame.reference import Gain, with_gain
from vision.frame.zones import Indices
from vision.imaging.pictures import (
    Mask,
    Picture,
    above,
    aged,
    all_of,
    any_of,
    closed,
    difference,
    none_of,
    opened,
    without_shadow,
)
from vision.tuning.thresholds import Thresholds

_CODES = 12
INHERIT_CELLS: Final = 3
"""An object is the one of the frame before if this much of it was there: an arm that comes in grows fast."""
FADING_CELLS: Final = 12
"""What is left of an arm that goes is smaller: the next that comes there over the rail may be another's."""
LIFE_FRAMES: Final = 15
"""An object in which nothing has moved for so long is no arm, and nobody's: chips that were left behind."""
MERGED_SHARE, MERGED_CELLS = 0.25, 60
"""Two arms have merged where the smaller had this share and so many cells of 8 mm (38 cm2, a hand) before."""
NEIGHBOUR_CELLS: Final = 24
"""Of two that both come over their own rail, as neighbours who fold at once do, the smaller may have any share and as
few cells as this (15 cm2, fingers): one comes while the other goes, and hidden sleeves join them behind the rail.
"""
HAND_CELLS: Final = 170
"""A piece of so many cells (109 cm2) is a hand whose sleeve has the felt's colour, while its owner's arm is over the
rail; chips that it leaves lie in smaller pieces.
"""
HAND_FRAMES: Final = 6
"""Nor does such a hand lie still for longer: cards and large bets that were pushed there do."""
STAYS_SHARE: Final = 0.5
"""An arm stays where it is over the rail if this share of its cells there is still covered."""
SPECK_CELLS, GAP_CELLS = 2, 5
"""Objects smaller than this are noise; gaps up to that in an arm are a cuff or a ring."""
LIGHT_STEP: Final = 0.015
"""Share by which the light changes before the background is made brighter or darker: less is lost in rounding."""
SHADOW_CELLS: Final = 14
"""A forearm 20 cm above the felt throws its shadow some 11 cm aside."""
MAX_OF_PICTURE: Final = 0.35
"""What differs over more of the picture is no arm: the light has changed."""
LEANS_SHARE, LEANS_CELLS, LEANS_FRAMES = 0.8, 40, 3
"""A seat's arm leans on the dealer's piece where this share of its cells behind the rail, and so many (26 cm2, a
forearm), are there for so many frames in a row.
"""
FAR_CELLS, FAR_FRAMES = 12, 2
"""A seat's arm reaches as far as only the dealer does where it is over so many cells (8 cm2, some fingers) of the bet
zones of others than neighbours for so many frames in a row.
"""
_UNROOTED, _ROOTED, _TOUCHED = 0, 1, 255
"""What is known of an object: nothing, that it came over its owner's rail, or that another's arm has touched it.
Between the last two: for how many frames more it has leant on the dealer's piece.
"""
_NEAR = np.ones((9, 9), np.uint8)
"""A piece of arm that appears this near (in cells) to an arm belongs to it."""
_WIDE = np.ones((21, 21), np.uint8)
"""As near as this where the arm between may look like the rail."""
_SPREAD = np.ones((3, 3), np.uint8)


class Owners:
    """The map of owners; keeps a background in which nothing moves, and the last map."""

    def __init__(
        self,
        table: TableSettings,
        calibration: Calibration,
        size: tuple[int, int],
        scale: int,
        thresholds: Thresholds,
    ) -> None:
        self._scale = scale
        self._thresholds = thresholds
        self._rail = rail_owners(table, calibration, size, scale)
        self._felt = felt_cells(table, calibration, size, scale)
        self._far = far_zones(table, calibration, self._rail, scale)
        self._far_frames = np.zeros(_CODES, np.int64)
        self._map = np.zeros((size[1], size[0]), np.uint8)
        self._life = np.zeros((size[1], size[0]), np.uint8)
        self._label = np.zeros((size[1], size[0]), np.intp)
        self._root = np.zeros((size[1], size[0]), np.uint8)
        self._frame = 0
        self._pairs = Pairs(_CODES)
        self._there = np.zeros(_CODES, np.bool_)
        self._came = np.zeros(_CODES, np.int64)
        self._gain: Gain = np.ones(3)
        self._is_arm = np.zeros((size[1], size[0]), np.bool_)
        self._is_hand = np.zeros((size[1], size[0]), np.bool_)
        self._thrown = np.zeros((size[1], size[0]), np.bool_)
        self._background: Picture | None = None
        self._before: Picture | None = None
        self._covered = np.zeros((size[1], size[0]), np.uint8)
        self._still_frames = np.zeros((size[1], size[0]), np.uint8)
        self.turned_out_dealers: frozenset[int] = frozenset()
        """The seats whose arm, in this frame, proved to be the dealer's, and no arm of their own is there."""

    def tune(self, thresholds: Thresholds) -> None:
        """Goes on with other numbers."""
        self._thresholds = thresholds

    def see(self, small: Picture, moving: Mask, gain: Gain) -> None:
        """Takes the gate's picture of a frame, (h, w, 3) uint8 BGR in cells, the cells that move in it, (h, w) uint8,
        0 or 255, and the light's gain, (3,) float64.
        """
        self.turned_out_dealers = frozenset()
        if self._background is None:
            self._background, self._before, self._gain = small.copy(), small.copy(), gain
            return
        assert self._before is not None
        if np.abs(gain / self._gain - 1).max() > LIGHT_STEP:
            self._background = with_gain(self._background, gain / self._gain)
            self._before, self._gain = with_gain(self._before, gain / self._gain), gain
        if cv2.countNonZero(self._covered):
            self._uncover(small)
        if cv2.countNonZero(moving) > 1 or cv2.countNonZero(self._map):
            self._follow(small, moving)
        self._absorb(small, moving)

    @property
    def cells(self) -> Mask:
        """The code of the owner of each cell of the gate's picture: (h, w) uint8."""
        return self._map

    @property
    def arms(self) -> Mask:
        """The same of arms alone, without things that lie there: (h, w) uint8."""
        return np.where(self._is_arm | self._is_hand, self._map, np.uint8(NOBODY))

    def of(self, rows_px: Indices, columns_px: Indices) -> npt.NDArray[np.int64]:
        """How many of these pixels of the full picture, (N,) intp each, every code owns: (12,) int64."""
        return np.bincount(self._map[rows_px // self._scale, columns_px // self._scale], minlength=_CODES)

    def arms_over(self, cells: Mask) -> npt.NDArray[np.int64]:
        """How many of some cells, (h, w) uint8, each code's arms cover, things that lie there left out: (12,) int64."""
        return np.bincount(self._map[(cells > 0) & (self._is_arm | self._is_hand)], minlength=_CODES)

    def is_over(self, code: int, cells: Cells) -> bool:
        """Whether the arm of a seat is over its sector, which is known in cells of the gate's picture."""
        here = self._map[cells.window] == code
        return bool((here & (cells.sector > 0)).any())

    def casts(self, window: tuple[slice, slice]) -> bool:
        """Whether an arm is so near to a window of cells that its shadow may fall there."""
        rows, columns = (slice(max(0, at.start - SHADOW_CELLS), at.stop + SHADOW_CELLS) for at in window)
        return cv2.countNonZero(self._map[rows, columns]) > 0

    def give_to_dealer(self, rows_px: Indices, columns_px: Indices) -> None:
        """The arms over these pixels, (N,) intp each, are the dealer's: nobody else takes from another's zone."""
        labels = np.unique(self._label[rows_px // self._scale, columns_px // self._scale])
        cells = np.isin(self._label, labels[labels > 0]) & (self._map != NOBODY)
        self._map[cells] = DEALER

    def _follow(self, small: Picture, moving: Mask) -> None:
        assert self._background is not None
        arm_level = self._thresholds.arm_level
        levels = without_shadow(difference(small, self._background), small, self._background, arm_level)
        things = closed(opened(above(levels, arm_level), SPECK_CELLS), GAP_CELLS)
        count, found = cv2.connectedComponents(things, connectivity=8)
        at = np.flatnonzero(found)
        label = np.asarray(found).reshape(-1)[at].astype(np.intp)
        before = _by_label(label, self._map.reshape(-1)[at], count)
        arms: Mask = np.where(self._is_arm, self._map, np.uint8(NOBODY))
        close = np.asarray(cv2.dilate(arms, _NEAR), dtype=np.uint8)
        nearby = _by_label(label, close.reshape(-1)[at], count)
        rail = _by_label(label, self._rail.reshape(-1)[at], count)
        by_arm = _by_label(label, arms.reshape(-1)[at], count)
        before[:, NOBODY] = nearby[:, NOBODY] = rail[:, NOBODY] = by_arm[:, NOBODY] = 0
        at_rail = rail.max(axis=1) >= INHERIT_CELLS
        # An arm that comes for what another left lying is not the other's: over the rail only an arm is handed on.
        before[at_rail] = by_arm[at_rail]
        inherits = before.max(axis=1) >= INHERIT_CELLS
        cells = np.bincount(label, minlength=count)
        lost = ~inherits & (nearby.max(axis=1) < INHERIT_CELLS) & (2 * rail.sum(axis=1) < cells)
        if lost[1:].any():  # what did not come over the rail just now belongs to an arm that is hard to see there
            wide = _by_label(label, np.asarray(cv2.dilate(arms, _WIDE), dtype=np.uint8).reshape(-1)[at], count)
            wide[:, NOBODY] = 0
            nearby[lost] = wide[lost]
        joins = ~inherits & (nearby.max(axis=1) >= INHERIT_CELLS)
        owner = rail.argmax(axis=1)
        owner[inherits], owner[joins] = before.argmax(axis=1)[inherits], nearby.argmax(axis=1)[joins]
        owner[cells > MAX_OF_PICTURE * self._map.size] = NOBODY
        owner = owner.astype(np.uint8)
        root = self._rooted(label, at, owner, before, rail)
        kept = self._map.reshape(-1)[at]
        owned = owner[label]
        dealers = self._dealer_comes(label, at, owner, kept, close)
        kept = np.where(dealers, np.uint8(DEALER), kept)
        joined = np.bincount(label, dealers, count) > 0
        for merged in np.flatnonzero(joined | _merged(before, rail)):
            mine = label == merged
            owned[mine] = self._spread(kept[mine], at[mine])
        life = np.zeros(count, np.uint8)
        np.maximum.at(life, label, self._life.reshape(-1)[at])
        life = np.where(np.bincount(label, moving.reshape(-1)[at], count) > 0, LIFE_FRAMES, np.maximum(life, 1) - 1)
        self._life[:] = 0
        self._life.reshape(-1)[at] = life[label]
        self._map[:] = NOBODY
        self._map.reshape(-1)[at] = np.where(life[label] > 0, owned, NOBODY)
        self._root[:] = _UNROOTED
        self._root.reshape(-1)[at] = np.where(life > 0, root, np.uint8(_UNROOTED))[label]
        together = self._came_with_dealer(owner[at_rail & (life > 0)])
        leans = (root >= _ROOTED + LEANS_FRAMES) & (root < _TOUCHED) & together[owner]
        own_rail = rail[np.arange(count), owner] >= INHERIT_CELLS
        for seat in np.unique(owner[leans]):
            self._map.reshape(-1)[at[leans[label] & (owned == seat)]] = DEALER
            if not (own_rail & ~leans & (owner == seat)).any():
                self._map[self._map == seat] = DEALER  # a hand that is seen apart from its arm goes with it
                self.turned_out_dealers |= {int(seat)}
        self._see_far_reach(label, at, own_rail, owner)
        self._see_pair(small, label, at, at_rail)
        self._is_arm[:] = False
        hands_on = (at_rail & (cells >= FADING_CELLS)) | (joins & ~at_rail)
        self._is_arm.reshape(-1)[at] = hands_on[label]
        over_rail = np.bincount(owner[at_rail & hands_on & (life > 0)], minlength=_CODES) > 0
        on_felt = np.bincount(label, self._felt.reshape(-1)[at] > 0, count)
        whole = np.bincount(owner[at_rail & (on_felt >= HAND_CELLS)], minlength=_CODES) > 0
        whole[DEALER] = False  # one hand of the dealer's may be whole while the other's sleeve is not seen
        was_thrown = np.bincount(label, self._thrown.reshape(-1)[at], count) >= INHERIT_CELLS
        thrown = inherits & ~at_rail & (whole[owner] | was_thrown)
        self._thrown[:] = False
        self._thrown.reshape(-1)[at] = thrown[label]
        self._is_hand[:] = False
        is_hand = inherits & ~at_rail & (cells >= HAND_CELLS) & (life > LIFE_FRAMES - HAND_FRAMES) & over_rail[owner]
        self._is_hand.reshape(-1)[at] = (is_hand & ~thrown)[label]
        self._label[:] = 0
        self._label.reshape(-1)[at] = label

    def _rooted(
        self,
        label: Indices,
        at: npt.NDArray[np.intp],
        owner: Mask,
        before: npt.NDArray[np.int64],
        rail: npt.NDArray[np.int64],
    ) -> Mask:
        """What is known of each label's root, (N,) uint8: the dealer's second arm may come in over the rail of the seat
        beside, and leans on the dealer's own piece later.

        ``before`` and ``rail``, (N, 12) int64, are the labels' cells by owner in the frame before, and on each piece.
        """
        count = len(owner)
        root = np.zeros(count, np.uint8)
        np.maximum.at(root, label, np.where(self._is_arm, self._root, np.uint8(_UNROOTED)).reshape(-1)[at])
        others = before.sum(axis=1) - before[np.arange(count), owner]
        seats = (owner != NOBODY) & (owner != DEALER)
        dealers = rail[:, DEALER]
        leans = (dealers >= LEANS_CELLS) & (dealers >= LEANS_SHARE * rail.sum(axis=1)) & (root >= _ROOTED)
        over_own = (root >= _ROOTED) | (rail[np.arange(count), owner] >= INHERIT_CELLS)
        known = np.where(leans, np.minimum(root, _TOUCHED - 2) + 1, np.where(over_own, _ROOTED, _UNROOTED))
        known[(others >= INHERIT_CELLS) | (root == _TOUCHED)] = _TOUCHED
        return np.where(seats, known, _UNROOTED).astype(np.uint8)

    def _came_with_dealer(self, at_rail: Mask) -> npt.NDArray[np.bool_]:
        """Whose arms came in together with an arm of the dealer's, which is still there: (12,) bool.

        A player who leans across an empty dealer's place has the root there too. ``at_rail``, (N,) uint8, are the
        owners of what is over the rail in this frame and has moved of late.
        """
        self._frame += 1
        there = np.bincount(at_rail, minlength=_CODES) > 0
        self._came[there & ~self._there] = self._frame
        self._there = there
        return np.asarray(there & there[DEALER] & (np.abs(self._came - self._came[DEALER]) <= TOGETHER_FRAMES))

    def _see_far_reach(
        self, label: Indices, at: npt.NDArray[np.intp], own_rail: npt.NDArray[np.bool_], owner: Mask
    ) -> None:
        """Gives the dealer the arms that came over the rail beside him and reach past that seat's neighbours."""
        cells = self._map.reshape(-1)[at]
        for seat, zones in self._far.items():
            mine = cells == seat
            far = np.bincount(label[mine & (zones.reshape(-1)[at] > 0)], minlength=len(owner))
            reaching = (far >= FAR_CELLS) & own_rail
            self._far_frames[seat] = self._far_frames[seat] + 1 if reaching.any() else 0
            if self._far_frames[seat] < FAR_FRAMES:
                continue
            self._map.reshape(-1)[at[mine & reaching[label]]] = DEALER
            self._far_frames[seat] = 0
            if not (own_rail & ~reaching & (owner == seat)).any():
                self._map[self._map == seat] = DEALER
                self.turned_out_dealers |= {seat}

    def _dealer_comes(
        self, label: Indices, at: npt.NDArray[np.intp], owner: Mask, kept: Mask, close: Mask
    ) -> npt.NDArray[np.bool_]:
        """Which cells of players' arms are the dealer's, (N,) bool: an arm that comes in over the dealer's piece, apart
        from the player's, and touches that behind the rail.

        ``kept`` are the owners of the cells in the frame before, ``close``, (h, w) uint8, those of arms near to a cell.
        """
        behind = self._rail.reshape(-1)[at]
        new = np.isin(close.reshape(-1)[at], (NOBODY, DEALER)) & (kept == NOBODY) & (behind == DEALER)
        comes = (owner != NOBODY) & (owner != DEALER) & (np.bincount(label, new, len(owner)) >= NEIGHBOUR_CELLS)
        if comes.any():  # an arm that only moves along the rail leaves its place there
            before = np.bincount(self._map[self._rail != NOBODY], minlength=_CODES)[owner]
            stays = np.bincount(label, (kept == owner[label]) & (behind != NOBODY), len(owner))
            comes &= stays >= np.maximum(STAYS_SHARE * before, INHERIT_CELLS)
        return np.asarray(new & comes[label])

    def _see_pair(
        self,
        small: Picture,
        label: Indices,
        at: npt.NDArray[np.intp],
        at_rail: npt.NDArray[np.bool_],
    ) -> None:
        """Gives the dealer the arms beside the own piece that came in as a pair."""
        cells = np.where(at_rail[label], self._map.reshape(-1)[at], np.uint8(NOBODY))
        behind = self._rail.reshape(-1)[at]
        there = np.bincount(cells[behind != NOBODY], minlength=_CODES) > 0
        edge = np.bincount(cells[behind == DEALER], minlength=_CODES)

        def colour_of(code: int) -> npt.NDArray[np.float64]:
            return np.asarray(small.reshape(-1, 3)[at[(cells == code) & (behind != NOBODY)]].mean(axis=0))

        for seat in self._pairs.dealers(self._frame, there, self._came, edge, colour_of):
            self._map[self._map == seat] = DEALER
            self.turned_out_dealers |= {seat}

    def _spread(self, kept: Mask, at: npt.NDArray[np.intp]) -> Mask:
        """The owners of a merged object's cells: as before, and a new cell has that of the nearest one.

        A hand comes on by more than its own length where it is fast or was hard to see: however far its fingers are
        from what was known of it, they are no part of the larger arm that it touches.
        """
        plane = np.zeros_like(self._map)
        plane.reshape(-1)[at] = spread = kept
        while (spread == NOBODY).any():
            grown = cv2.dilate(plane, _SPREAD)
            np.copyto(plane, np.asarray(grown, dtype=np.uint8), where=plane == NOBODY)
            spread = plane.reshape(-1)[at]
        return spread

    def _absorb(self, small: Picture, moving: Mask) -> None:
        """Takes into the background what has not moved for ``arm_still_frames``.

        A sleeve that moves along itself looks still, so it must be longer than any reach. What was there before is kept
        until it is seen again.
        """
        assert self._background is not None
        assert self._before is not None
        self._still_frames = aged(self._still_frames)
        self._still_frames[moving > 0] = 0
        still = above(self._still_frames, self._thresholds.arm_still_frames)
        new = all_of(still, above(difference(small, self._background), self._thresholds.arm_level))
        cv2.copyTo(self._background, all_of(new, none_of(self._covered)), self._before)
        self._covered = any_of(self._covered, new)
        cv2.copyTo(small, still, self._background)

    def _uncover(self, small: Picture) -> None:
        """Takes back what was there before, where it is seen again: an arm that rested for long has gone."""
        assert self._background is not None
        assert self._before is not None
        level = self._thresholds.arm_level
        there = without_shadow(all_of(difference(small, self._before), self._covered), small, self._before, level)
        bare = all_of(self._covered, none_of(above(there, level)))
        cv2.copyTo(self._before, bare, self._background)
        self._covered = all_of(self._covered, none_of(bare))


def _by_label(label: Indices, code: Mask, count: int) -> npt.NDArray[np.int64]:
    """How many cells of each label have each code."""
    return np.bincount(label * _CODES + code, minlength=count * _CODES).reshape(count, _CODES)


def _merged(before: npt.NDArray[np.int64], rail: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Labels in which two owners had a large part each; both are (N, 12) int64, cells of each label by owner."""
    codes = np.argsort(before, axis=1)[:, -2:]
    second, first = np.take_along_axis(before, codes, axis=1).T
    over_own = np.take_along_axis(rail, codes, axis=1) >= INHERIT_CELLS
    large = (second >= MERGED_CELLS) & (second >= MERGED_SHARE * (first + second))
    return np.asarray(large | ((second >= NEIGHBOUR_CELLS) & over_own.all(axis=1)))
