"""Drawing chips: piles of discs with edge spots and an inlay, seen a little from the side."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from betline.settings import ChipSet
from virtual_table.camera.canvas import Bgr, Canvas, Rect, bgr, mix, shade
from virtual_table.camera.cutouts import mean_colour
from virtual_table.camera.optics import Floats, Image, View
from virtual_table.table.things import SeenChip

_CORNERS = 26
_SPOTS = 6
_SPOT_HALF_RAD = 0.21
_SAME_PILE_MM = 8.0


@dataclass(frozen=True, slots=True)
class _Paint:
    """The colours of a chip type."""

    face: Bgr
    side: Bgr
    spot: Bgr
    spot_side: Bgr
    ring: Bgr
    inlay: Bgr
    mark: Bgr
    photo: Image | None = None


class ChipArtist:
    """Draws the chips of a set."""

    def __init__(self, chip_set: ChipSet, view: View, *, plain: bool = False, photos: Sequence[Image] = ()) -> None:
        """With ``photos``, (H, W, 4) uint8 BGRA, each type is a photographed chip, by turns."""
        self._view = view
        self._radius_mm = chip_set.diameter_mm / 2
        self._thickness_mm = chip_set.thickness_mm
        self._paint = {}
        for number, kind in enumerate(chip_set.chips):
            photo = photos[number % len(photos)] if photos else None
            face = bgr(kind.colour) if photo is None else mean_colour(photo)
            spot = face if plain else bgr(kind.edge_colour)
            self._paint[kind.key] = _Paint(
                face,
                shade(face, 0.62),
                spot,
                shade(spot, 0.66),
                mix(face, spot, 0.45),
                face if plain else mix(face, (236.0, 240.0, 242.0), 0.78),
                face if plain else mix(face, (20.0, 20.0, 20.0), 0.35),
                photo,
            )
        around = np.linspace(0.0, math.tau, _CORNERS, endpoint=False)
        self._circle: Floats = self._radius_mm * np.stack((np.cos(around), np.sin(around)), axis=1)

    def rect(self, chip: SeenChip, shadow_mm: tuple[float, float]) -> Rect:
        """The part of the picture that a chip and its shadow may change."""
        top = chip.z_mm + self._thickness_mm
        radius = self._radius_mm
        points = [
            (chip.x_mm + dx, chip.y_mm + dy, z)
            for dx in (-radius, radius)
            for dy in (-radius, radius)
            for z in (0.0, top)
        ]
        points += [(chip.x_mm + shadow_mm[0] * top, chip.y_mm + shadow_mm[1] * top, 0.0)]
        return Rect.around(self._view.project(points), 14.0)

    def cast(self, chips: Sequence[SeenChip], mask: Canvas, shadow_mm: tuple[float, float]) -> None:
        """Draws the shadows of chips on the felt into a mask."""
        for chip in chips:
            rings = []
            for height in (chip.z_mm, chip.z_mm + self._thickness_mm):
                x, y = chip.x_mm + shadow_mm[0] * height, chip.y_mm + shadow_mm[1] * height
                rings += [(x + dx, y + dy, 0.0) for dx, dy in self._circle[::2]]
            mask.polygon(_hull(self._view.project(rings)), 255.0)

    def draw(self, chips: Sequence[SeenChip], canvas: Canvas) -> None:
        """Draws chips, far ones first, each pile from the bottom."""
        piles = self._piles(chips)
        if not piles:
            return
        ordered = [(chip, chip is pile[-1]) for pile in piles for chip in pile]
        low = np.array([(chip.x_mm, chip.y_mm, chip.z_mm) for chip, _ in ordered])
        high = low + np.array((0.0, 0.0, self._thickness_mm))
        ends = np.stack((self._view.project(low), self._view.project(high)), axis=1)
        jacobians = np.stack((self._view.jacobians(low), self._view.jacobians(high)), axis=1)
        for (chip, on_top), centres, stretch in zip(ordered, ends, jacobians, strict=True):
            self._one(canvas, chip, centres, stretch, on_top)

    def _one(self, canvas: Canvas, chip: SeenChip, centres: Floats, stretch: Floats, on_top: bool) -> None:
        paint = self._paint[chip.key]
        tint = 0.96 + 0.08 * (int(chip.uid[-2:], 16) / 255.0)
        bottom, top = self._circle @ stretch[0].T, self._circle @ stretch[1].T
        canvas.polygon(_hull(np.concatenate((centres[0] + bottom, centres[1] + top))), shade(paint.side, tint))
        angles = chip.turn_rad + np.arange(_SPOTS) * (math.tau / _SPOTS)
        rim = self._radius_mm * np.stack(
            [
                np.stack((np.cos(angles + side), np.sin(angles + side)), axis=1)
                for side in (-_SPOT_HALF_RAD, 0.0, _SPOT_HALF_RAD)
            ],
            axis=1,
        )
        outer = centres[1] + rim @ stretch[1].T
        lower = centres[0] + rim @ stretch[0].T
        canvas.polygons(list(np.concatenate((outer, lower[:, ::-1]), axis=1)), shade(paint.spot_side, tint))
        if not on_top:
            canvas.outline(centres[1] + top, shade(paint.side, 0.7 * tint), 1)
            return
        if paint.photo is not None:
            self._lay(canvas, paint.photo, chip, centres[1], stretch[1])
            return
        canvas.polygon(centres[1] + top, shade(paint.face, tint))
        inner = centres[1] + 0.70 * (rim[:, ::-1] @ stretch[1].T)
        canvas.polygons(list(np.concatenate((outer, inner), axis=1)), shade(paint.spot, tint))
        canvas.polygon(centres[1] + 0.60 * top, paint.ring)
        canvas.polygon(centres[1] + 0.52 * top, paint.inlay)
        across = chip.turn_rad + 0.5
        bar = (
            0.30
            * self._radius_mm
            * np.array(
                [(math.cos(across + a), math.sin(across + a)) for a in (-0.5, 0.5, math.pi - 0.5, math.pi + 0.5)]
            )
        )
        canvas.polygon(centres[1] + bar @ stretch[1].T, paint.mark)

    def _lay(self, canvas: Canvas, photo: Image, chip: SeenChip, centre: Floats, stretch: Floats) -> None:
        height, width = photo.shape[:2]
        middle = np.array((width / 2.0, height / 2.0))
        corners = np.stack((middle, (width, height / 2.0), (width / 2.0, height)))
        cos, sin = math.cos(chip.turn_rad), math.sin(chip.turn_rad)
        rim = self._radius_mm * np.array(((0.0, 0.0), (cos, sin), (-sin, cos)))
        canvas.photo(photo, corners, centre + rim @ stretch.T)

    def _piles(self, chips: Sequence[SeenChip]) -> list[list[SeenChip]]:
        """Chips by the pile that they are in, piles far from the camera first."""
        piles: list[list[SeenChip]] = []
        for chip in sorted(chips, key=lambda chip: chip.z_mm):
            for pile in piles:
                below = pile[-1]
                if (
                    math.hypot(below.x_mm - chip.x_mm, below.y_mm - chip.y_mm) < _SAME_PILE_MM
                    and chip.z_mm - below.z_mm < 2 * self._thickness_mm
                ):
                    pile.append(chip)
                    break
            else:
                piles.append([chip])
        eye = self._view.eye
        return sorted(piles, key=lambda pile: -math.hypot(pile[0].x_mm - eye[0], pile[0].y_mm - eye[1]))


def _hull(points: Floats) -> Floats:
    hull: Floats = cv2.convexHull(points.astype(np.float32)).reshape(-1, 2).astype(float)
    return hull
