"""Drawing arms: an upper arm and a forearm in a sleeve, bare skin to the wrist, a palm and five fingers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from virtual_table.camera.canvas import Bgr, Canvas, Rect, bgr, limb_outlines, mix, shade
from virtual_table.camera.cutouts import ArmPhoto
from virtual_table.camera.optics import Floats, Image, View
from virtual_table.table.people import FINGERS, PALM_BEHIND_GRIP_MM, TIP_RADIUS_MM, joints
from virtual_table.table.things import SeenArm

_SHADOW = 220.0
_SHINE: Bgr = (250.0, 252.0, 255.0)

_SLEEVE_LIMBS = 2
"""The first pieces of an arm are its sleeve above the elbow, which no photo shows."""
_BANDS = ((1.0, 0.72), (0.8, 0.9), (0.5, 1.04), (0.22, 1.14))  # share of a limb's width and its brightness there


class Limb(NamedTuple):
    """A tapered piece between two points of the room, with its radii and its colour."""

    a: Floats
    a_mm: float
    b: Floats
    b_mm: float
    colour: Bgr


@dataclass(frozen=True, slots=True)
class PosedArm:
    """An arm's pieces in the picture, all float64: ends (2, n, 2) and radii (2, n) in pixels.

    ``fallen_ends`` (lamps, 2, n, 2) and ``fallen_radii`` (lamps, 2, n) are their shadows on the felt. A photographed
    arm is drawn instead of the last pieces: its ``photo``, three points of it and where they are in the picture.
    """

    ends: Floats
    radii: Floats
    fallen_ends: Floats
    fallen_radii: Floats
    colours: tuple[Bgr, ...]
    photo: Image | None = None
    photo_points: Floats | None = None
    photo_at: Floats | None = None

    def rect(self) -> Rect:
        """The part of the picture that the arm and its shadow may change."""
        margin = float(max(self.radii.max(), self.fallen_radii.max()))
        points = np.concatenate((self.ends.reshape(-1, 2), self.fallen_ends.reshape(-1, 2)))
        return Rect.around(points, margin + 12.0)

    def towards(self, later: PosedArm, share_at: Callable[[Floats], Floats]) -> PosedArm:
        """Each point moved towards where it is later, by a share that depends on its row in the picture.

        ``share_at`` takes and gives float64 of any shape: rows in pixels to shares.
        """
        share = share_at(self.ends[..., 1])
        fallen = share_at(self.fallen_ends[..., 1])
        return replace(
            self,
            ends=self.ends + (later.ends - self.ends) * share[..., None],
            fallen_ends=self.fallen_ends + (later.fallen_ends - self.fallen_ends) * fallen[..., None],
            photo_at=self._photo_towards(later, share_at),
        )

    def _photo_towards(self, later: PosedArm, share_at: Callable[[Floats], Floats]) -> Floats | None:
        if self.photo_at is None or later.photo_at is None:
            return self.photo_at
        share = share_at(self.photo_at[:1, 1])  # the same for all its points: it must not bend
        moved: Floats = self.photo_at + (later.photo_at - self.photo_at) * share[..., None]
        return moved

    def cast(self, mask: Canvas, lamp: int = 0) -> None:
        """Draws the arm's shadow on the felt, as one of the lamps throws it, into a mask."""
        ends, radii = self.fallen_ends[lamp], self.fallen_radii[lamp]
        outlines = limb_outlines(ends[0], radii[0], ends[1], radii[1])
        mask.each(outlines, [_SHADOW] * len(outlines))

    def draw(self, canvas: Canvas) -> None:
        count = len(self.colours) if self.photo is None else _SLEEVE_LIMBS
        for share, gain in _BANDS:
            radii = self.radii[:, :count] * share
            ends = self.ends[:, :count] - (0.25 * (1.0 - share) * radii)[..., None]
            colours = [shade(colour, gain) for colour in self.colours[:count]]
            canvas.each(limb_outlines(ends[0], radii[0], ends[1], radii[1]), colours)
        if self.photo is not None and self.photo_points is not None and self.photo_at is not None:
            canvas.photo(self.photo, self.photo_points, self.photo_at)


class ArmArtist:
    """Poses arms over the table for drawing."""

    def __init__(self, view: View, shadows_mm: tuple[tuple[float, float], ...], photo: ArmPhoto | None = None) -> None:
        """With a ``photo`` all arms are photographed ones, each in its own sleeve."""
        self._view = view
        self._shadows_mm = shadows_mm
        self._photo = photo
        self._dyed: dict[str, ArmPhoto] = {}

    def pose(self, arm: SeenArm) -> PosedArm:
        """Where the pieces of the arm are in the picture."""
        limbs = self.limbs(arm)
        posed = self._posed(limbs)
        return posed if self._photo is None else self._photographed(arm, posed, limbs)

    def _photographed(self, arm: SeenArm, posed: PosedArm, limbs: list[Limb]) -> PosedArm:
        assert self._photo is not None
        sleeve = arm.looks.sleeve
        photo = self._dyed.setdefault(sleeve, self._photo.in_sleeve(bgr(sleeve)))
        front, elbow = np.array(joints(arm).hand), limbs[1].b
        away = _unit(elbow - front) * photo.length_mm * arm.looks.girth
        aside = np.array((-away[1], away[0], 0.0)) * (1.0 if arm.right_hand else -1.0)
        points = np.stack((front, front + away, front + aside))
        along_px = photo.back_px - photo.front_px
        aside_px = np.array((-along_px[1], along_px[0]))
        corners = np.stack((photo.front_px, photo.back_px, photo.front_px + aside_px))
        return replace(posed, photo=photo.picture, photo_points=corners, photo_at=self._view.project(points))

    def _posed(self, limbs: list[Limb]) -> PosedArm:
        ends = np.array([[limb.a for limb in limbs], [limb.b for limb in limbs]])
        widths = np.array([[limb.a_mm for limb in limbs], [limb.b_mm for limb in limbs]])
        fallen = np.stack(
            [
                np.stack(
                    (ends[..., 0] + x * ends[..., 2], ends[..., 1] + y * ends[..., 2], 0.0 * ends[..., 2]), axis=-1
                )
                for x, y in self._shadows_mm
            ]
        )
        return PosedArm(
            self._view.project(ends),
            widths * self._view.scale(ends),
            self._view.project(fallen),
            widths * self._view.scale(fallen),
            tuple(limb.colour for limb in limbs),
        )

    def limbs(self, arm: SeenArm) -> list[Limb]:
        """The pieces of an arm, in millimetres, from its body to its fingers."""
        looks = arm.looks
        girth = looks.girth
        side = 1.0 if arm.right_hand else -1.0
        body, shoulder, elbow, wrist, grip = (np.array(joint) for joint in joints(arm))
        ahead = _unit(grip[:2] - body[:2])
        forearm = _unit(elbow - wrist)
        cuff = wrist + forearm * min(looks.bare_mm, _length(elbow - wrist))
        sleeve, skin = bgr(looks.sleeve), bgr(looks.skin)
        bare = _length(cuff - wrist)
        cuff_mm = girth * (29.0 + 14.0 * min(1.0, bare / 250.0))
        limbs = [
            Limb(body, 80.0 * girth, shoulder, 62.0 * girth, sleeve),
            Limb(shoulder, 62.0 * girth, elbow, 52.0 * girth, sleeve),
            Limb(wrist, 25.0 * girth, cuff, cuff_mm - 3.0, skin),
            Limb(elbow, 52.0 * girth, cuff, cuff_mm + 5.0, sleeve),
            Limb(cuff - forearm * 5.0, cuff_mm + 6.0, cuff + forearm * 5.0, cuff_mm + 7.0, shade(sleeve, 0.85)),
        ]
        limbs += _hand(arm, grip, wrist, side, skin)
        return limbs + (_watch(wrist, forearm, girth, bgr(looks.watch), self._gleam(ahead)) if looks.watch else [])

    def _gleam(self, ahead: Floats) -> float:
        """How strongly metal on a hand that points that way mirrors the first lamp, 0 to 1: it flashes as the hand
        turns.
        """
        x, y = self._shadows_mm[0]
        return abs(float(ahead[0] * y - ahead[1] * x) / max(1e-9, math.hypot(x, y))) ** 8


def _hand(arm: SeenArm, grip: Floats, wrist: Floats, side: float, skin: Bgr) -> list[Limb]:
    girth = arm.looks.girth
    ahead = _unit(grip[:2] - wrist[:2])
    right = np.array((ahead[1], -ahead[0]))
    palm = _beside(grip, ahead, right, -PALM_BEHIND_GRIP_MM, 0.0, 10.0)
    shut = arm.grip_closed
    limbs = [
        Limb(_beside(palm, ahead, right, -22.0, -side * 2.0, 2.0), 33.0 * girth, wrist, 27.0 * girth, skin),
        Limb(palm, 38.0 * girth, _beside(palm, ahead, right, -26.0, 0.0, 0.0), 34.0 * girth, skin),
    ]
    for finger in FINGERS:
        root = _beside(palm, ahead, right, finger.ahead_mm, finger.aside_mm * girth, 0.0)
        tip = _beside(root, ahead, right, *finger.tip_mm(shut, girth), -14.0)
        limbs.append(Limb(root, 10.5 * girth, tip, TIP_RADIUS_MM * girth, skin))
        limbs.append(Limb(tip, 5.5 * girth, tip, 5.5 * girth, mix(skin, (190.0, 195.0, 235.0), 0.35)))
    if arm.looks.ring:
        limbs += _ring(palm, ahead, right, girth, bgr(arm.looks.ring))
    thumb_root = _beside(palm, ahead, right, -16.0, -side * 32.0 * girth, 0.0)
    thumb_tip = _beside(palm, ahead, right, 34.0, -side * (52.0 - 22.0 * shut) * girth, -10.0)
    limbs.append(Limb(thumb_root, 14.0 * girth, thumb_tip, 9.5 * girth, skin))
    return limbs


def _ring(palm: Floats, ahead: Floats, right: Floats, girth: float, metal: Bgr) -> list[Limb]:
    """On the ring finger, with a stone that always shines a little."""
    finger = FINGERS[2]
    a, b = (_beside(palm, ahead, right, finger.ahead_mm + by, finger.aside_mm * girth, 1.0) for by in (13.0, 16.0))
    stone = _beside(palm, ahead, right, finger.ahead_mm + 15.0, finger.aside_mm * girth, 8.0)
    return [
        Limb(a, 11.5 * girth, b, 11.5 * girth, metal),
        Limb(stone, 3.0, stone, 3.0, mix(metal, _SHINE, 0.9)),
    ]


def _watch(wrist: Floats, forearm: Floats, girth: float, metal: Bgr, gleam: float) -> list[Limb]:
    """A band around the wrist and a glass that flashes."""
    at = wrist + forearm * 16.0
    glass = at + np.array((0.0, 0.0, 16.0))
    return [
        Limb(at - forearm * 4.0, 27.0 * girth, at + forearm * 4.0, 28.0 * girth, shade(metal, 0.8)),
        Limb(glass, 17.0, glass, 17.0, metal),
        Limb(glass, 13.5, glass, 13.5, mix((42.0, 36.0, 34.0), _SHINE, gleam)),
    ]


def _beside(point: Floats, ahead: Floats, right: Floats, ahead_mm: float, right_mm: float, up_mm: float) -> Floats:
    x, y = point[:2] + ahead * ahead_mm + right * right_mm
    return np.array((x, y, point[2] + up_mm))


def _unit(vector: Floats) -> Floats:
    unit: Floats = vector / max(1e-9, _length(vector))
    return unit


def _length(vector: Floats) -> float:
    return math.sqrt(float(vector @ vector))
