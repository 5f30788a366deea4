"""The camera's picture of the world, kept in layers so that only what changed is drawn.

The empty table is drawn once. Chips and cards at rest are drawn into a copy of it when they change; a frame copies
that, draws moving things into the rectangles they move in, and adds the sensor's noise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TypeVar

import cv2
import numpy as np

from betline.settings import Camera, ChipSet, TableSettings
from virtual_table.camera.arms import ArmArtist, PosedArm
from virtual_table.camera.backdrop import FULL_LIGHT, backdrop, light_map
from virtual_table.camera.canvas import Bgr, Canvas, Rect, merged
from virtual_table.camera.cards import CardArtist
from virtual_table.camera.chips import ChipArtist
from virtual_table.camera.cutouts import Collection, cutouts
from virtual_table.camera.heads import HeadArtist
from virtual_table.camera.optics import Image, View
from virtual_table.camera.phones import PhoneArtist
from virtual_table.camera.sensor import WHITE_K, Light, NoisePool, lit, tint
from virtual_table.camera.shutter import Exposure, Moving
from virtual_table.table.things import Scene, SeenCard, SeenChip, SeenPhone

_MARGIN_PX = 12  # around what is redrawn: as far as blurred shadows and the lens spread a pixel
_LENS_SIGMA_PX = 0.55
_SHADOW_SOFT_PX = (9, 9)  # run twice, which looks like a lamp of some size
_SHADOW_STRENGTH = 0.5

_Seen = TypeVar("_Seen", SeenChip, SeenCard)


@dataclass(frozen=True, slots=True)
class Room:
    """What differs from cardroom to cardroom: the number of lamps that throw shadows, the lens's vignette, a printed
    felt.

    ``vignette`` is the share of light that the corners lack, None for one drawn by the seed; ``kelvin`` is the colour
    temperature of the lamps. Plain chips have neither inlay nor edge spots. With ``photos`` arms, chips, cards and the
    felt's weave are those of a collection of cut-outs.
    """

    lamps: int = 1
    vignette: float | None = None
    patterned: bool = False
    kelvin: float = WHITE_K
    plain_chips: bool = False
    photos: Collection | None = None


class Renderer:
    """Draws scenes of one table through its camera; scenes may skip ahead in time."""

    def __init__(
        self,
        table: TableSettings,
        chip_set: ChipSet,
        camera: Camera,
        seed: int = 0,
        light: Light | None = None,
        room: Room | None = None,
    ) -> None:
        room = room or Room()
        rng = np.random.default_rng([seed, 0xCA])
        self._view = view = View(camera.pinhole())
        self.width_px, self.height_px = view.width_px, view.height_px
        self.light = light or Light()
        real = None if room.photos is None else cutouts(room.photos)
        self._chips = ChipArtist(chip_set, view, plain=room.plain_chips, photos=() if real is None else real.chips)
        self._cards = CardArtist(view, deck=seed, photo=None if real is None else real.card)
        first = (float(rng.uniform(-0.45, 0.45)), float(rng.uniform(-0.55, -0.25)))
        self._shadows_mm = (first, *_more_shadows(first, room.lamps, seed))
        self._arms = ArmArtist(view, self._shadows_mm, None if real is None else real.arm)
        self._heads = HeadArtist(view)
        self._phones = PhoneArtist(view)
        self._empty = backdrop(table, view, rng, patterned=room.patterned, weave=None if real is None else real.weave)
        self._light_map = light_map(view, rng, room.vignette, tint(room.kelvin))
        self._room_tint = tint(room.kelvin)
        self._still = self._empty.copy()
        self._lit_still = self._developed(self._still, self._everything())
        self._lit = self._lit_still.copy()
        self._noise = NoisePool(view.width_px, view.height_px, rng)
        self._strength_still = self._noise.strength(self._lit_still)
        self._strength = self._strength_still.copy()
        self._settled: tuple[SeenChip, ...] = ()
        self._lying: tuple[SeenCard, ...] = ()
        self._chip_rects: dict[SeenChip, Rect] = {}
        self._card_rects: dict[SeenCard, Rect] = {}
        self._moved_in: list[Rect] = []
        self._gains: Bgr = (1.0, 1.0, 1.0)
        self.changed = True

    def frame(self, scene: Scene, exposure: Exposure | None = None) -> Image:
        """The picture of a scene with noise: (H, W, 3) uint8 BGR.

        Afterwards ``changed`` says whether anything but the noise differs from the frame before.
        """
        return self.noisy(self.clean_frame(scene, exposure))

    def noisy(self, picture: Image) -> Image:
        """The picture of the last scene, possibly altered since, with new noise; (H, W, 3) uint8 BGR."""
        return self._noise.add(picture, self._strength, sum(self._gains) / 3)

    def clean_frame(self, scene: Scene, exposure: Exposure | None = None) -> Image:
        """The picture of a scene before the sensor's noise, (H, W, 3) uint8 BGR; valid until the next call.

        With an ``exposure`` fast things are skewed and smeared.
        """
        redrawn = self._settle(scene)
        if exposure is None or not (scene.moving or scene.cards_moving or scene.arms):
            moments = [Moving(scene.moving, scene.cards_moving, tuple(self.poses(scene).values()))]
        else:
            moments = exposure.moments(self._view, scene, self.poses)
        moving = self._moving_rects(scene, moments)
        for rect in (*self._moved_in, *redrawn):
            rect.of(self._lit)[:] = rect.of(self._lit_still)
            rect.of(self._strength)[:] = rect.of(self._strength_still)
        for rect in moving:
            self._draw_moving(scene, moments, rect)
        gains = self._gains_at(scene.t_s)
        self.changed = bool(redrawn or moving or self._moved_in or gains != self._gains)
        self._moved_in = moving
        self._gains = gains
        return self._lit if gains == (1.0, 1.0, 1.0) else lit(self._lit, gains)

    def poses(self, scene: Scene) -> dict[object, PosedArm]:
        """The arms of a scene, by their owner."""
        return {(arm.owner, arm.right_hand): self._arms.pose(arm) for arm in scene.arms}

    def _gains_at(self, t_s: float) -> Bgr:
        """Rounded, so that a slow drift does not change every picture."""
        drawn_with = self._room_tint if self.light.kelvins else (1.0, 1.0, 1.0)
        gains = zip(self.light.gains(t_s), drawn_with, strict=True)
        blue, green, red = (round(now / drawn * 256) / 256 for now, drawn in gains)
        return (blue, green, red)

    def _everything(self) -> Rect:
        return Rect(0, 0, self.width_px, self.height_px)

    def _settle(self, scene: Scene) -> list[Rect]:
        """Brings the layer of things at rest up to date; returns where it changed."""
        if scene.settled is self._settled and scene.cards_lying is self._lying:
            return []
        chips = _changed(self._settled, scene.settled)
        cards = _changed(self._lying, scene.cards_lying)
        self._settled, self._lying = scene.settled, scene.cards_lying
        for chip in scene.settled:
            if chip not in self._chip_rects:
                self._chip_rects[chip] = self._chip_rect(chip)
        for card in scene.cards_lying:
            if card not in self._card_rects:
                self._card_rects[card] = self._cards.rect(card)
        dirty = self._cropped([self._chip_rects[chip] for chip in chips] + [self._card_rects[card] for card in cards])
        self._chip_rects = {chip: self._chip_rects[chip] for chip in scene.settled}
        self._card_rects = {card: self._card_rects[card] for card in scene.cards_lying}
        for rect in dirty:
            self._draw_still(rect)
        return dirty

    def _draw_still(self, rect: Rect) -> None:
        around = rect.grown(_MARGIN_PX).within(self.width_px, self.height_px)
        patch = around.of(self._empty).copy()
        chips = [chip for chip, its in self._chip_rects.items() if its.touches(around)]
        cards = [card for card, its in self._card_rects.items() if its.touches(around)]
        self._draw(patch, around, chips, cards)
        rect.of(self._still)[:] = _part(patch, around, rect)
        rect.of(self._lit_still)[:] = _part(self._developed(patch, around), around, rect)
        rect.of(self._strength_still)[:] = self._noise.strength(rect.of(self._lit_still))

    def _moving_rects(self, scene: Scene, moments: Sequence[Moving]) -> list[Rect]:
        ends = (moments[0], moments[-1]) if len(moments) > 1 else moments
        return self._cropped(
            [
                *(self._chip_rect(chip) for moment in ends for chip in moment.chips),
                *(self._cards.rect(card) for moment in ends for card in moment.cards),
                *(arm.rect() for moment in ends for arm in moment.arms),
                *(self._phones.rect(phone) for phone in scene.phones),
                *(self._heads.rect(head) for head in scene.heads),
            ]
        )

    def _chip_rect(self, chip: SeenChip) -> Rect:
        first, *others = (self._chips.rect(chip, shadow) for shadow in self._shadows_mm)
        return reduce(Rect.joined, others, first)

    def _cropped(self, rects: Iterable[Rect]) -> list[Rect]:
        return merged([rect.within(self.width_px, self.height_px) for rect in rects])

    def _draw_moving(self, scene: Scene, moments: Sequence[Moving], rect: Rect) -> None:
        around = rect.grown(_MARGIN_PX).within(self.width_px, self.height_px)
        patches = []
        for moment in moments:
            patch = around.of(self._still).copy()
            self._draw(patch, around, moment.chips, moment.cards, moment.arms, scene.phones)
            patches.append(patch)
        patch = _mean(patches)
        canvas = Canvas(patch, around.left, around.top)
        for head in scene.heads:
            self._heads.draw(head, canvas)
        rect.of(self._lit)[:] = _part(self._developed(patch, around), around, rect)
        rect.of(self._strength)[:] = self._noise.strength(rect.of(self._lit), edges=False)

    def _draw(
        self,
        patch: Image,
        at: Rect,
        chips: Sequence[SeenChip],
        cards: Sequence[SeenCard],
        arms: Sequence[PosedArm] = (),
        phones: Sequence[SeenPhone] = (),
    ) -> None:
        canvas = Canvas(patch, at.left, at.top)
        for card in cards:
            self._cards.draw(card, canvas)
        for lamp, shadow_mm in enumerate(self._shadows_mm):
            mask: Image = np.zeros(patch.shape[:2], dtype=np.uint8)
            shadows = Canvas(mask, at.left, at.top)
            for card in cards:
                self._cards.cast(card, shadows)
            for phone in phones:
                self._phones.cast(phone, shadows)
            self._chips.cast(chips, shadows, shadow_mm)
            for arm in arms:
                arm.cast(shadows, lamp)
            _darken(patch, mask, _SHADOW_STRENGTH / len(self._shadows_mm) ** 0.6)
        for phone in phones:
            self._phones.draw(phone, canvas)
        self._chips.draw(chips, canvas)
        for arm in arms:
            arm.draw(canvas)

    def _developed(self, patch: Image, at: Rect) -> Image:
        """The patch as lamp and lens show it."""
        lit = cv2.multiply(patch, at.of(self._light_map), scale=1.0 / FULL_LIGHT)
        return np.asarray(cv2.GaussianBlur(lit, (3, 3), _LENS_SIGMA_PX), dtype=np.uint8)


def _part(patch: Image, at: Rect, part: Rect) -> Image:
    """The part ``part`` of a patch that was cut out ``at`` a place."""
    top, left = part.top - at.top, part.left - at.left
    return patch[top : top + part.bottom - part.top, left : left + part.right - part.left]


def _mean(patches: Sequence[Image]) -> Image:
    if len(patches) == 1:
        return patches[0]
    light = np.zeros(patches[0].shape, dtype=np.float32)
    for patch in patches:
        cv2.accumulate(patch, light)
    return np.asarray(cv2.convertScaleAbs(light, alpha=1.0 / len(patches)), dtype=np.uint8)


def _more_shadows(first: tuple[float, float], lamps: int, seed: int) -> list[tuple[float, float]]:
    """The shadows of the other lamps, well away from the first and from each other."""
    rng = np.random.default_rng([seed, 0xCB])
    length, angle = float(np.hypot(*first)), float(np.arctan2(first[1], first[0]))
    turns = [2 * np.pi * lamp / max(lamps, 2) + rng.uniform(-0.4, 0.4) for lamp in range(1, lamps)]
    return [(float(length * np.cos(angle + turn)), float(length * np.sin(angle + turn))) for turn in turns]


def _darken(patch: Image, mask: Image, strength: float) -> None:
    soft = cv2.blur(cv2.blur(mask, _SHADOW_SOFT_PX), _SHADOW_SOFT_PX)
    left = cv2.convertScaleAbs(soft, alpha=strength)
    cv2.bitwise_not(left, dst=left)
    cv2.multiply(patch, cv2.merge((left, left, left)), dst=patch, scale=1.0 / 255.0)


def _changed(before: Sequence[_Seen], after: Sequence[_Seen]) -> set[_Seen]:
    return set(before) ^ set(after)
