"""Drawing cards: white borders with rounded corners, backs, and the faces of the board."""

from __future__ import annotations

import math

import cv2
import numpy as np

from virtual_table.camera.canvas import Bgr, Canvas, Rect, mix
from virtual_table.camera.optics import Floats, Image, View
from virtual_table.table.layout import CARD_MM
from virtual_table.table.things import SeenCard

_BACKS: tuple[Bgr, Bgr] = ((54.0, 38.0, 168.0), (140.0, 62.0, 34.0))
_PAPER: Bgr = (232.0, 236.0, 238.0)
_SUIT_COLOURS: dict[str, Bgr] = {
    "h": (40.0, 30.0, 190.0),
    "d": (40.0, 30.0, 190.0),
    "s": (30.0, 28.0, 28.0),
    "c": (30.0, 28.0, 28.0),
    "?": (90.0, 80.0, 80.0),
}
_CORNER_MM = 4.0


class CardArtist:
    """Draws cards of one deck."""

    def __init__(self, view: View, deck: int, photo: Image | None = None) -> None:
        """With a ``photo``, (H, W, 3) uint8 BGR, every card that lies face up is that one."""
        self._photo = photo
        self._view = view
        self._back = _BACKS[deck % len(_BACKS)]

    def rect(self, card: SeenCard) -> Rect:
        """The part of the picture that a card may change."""
        return Rect.around(self._view.project(_turned(card, _box(1.0))), 6.0)

    def cast(self, card: SeenCard, mask: Canvas) -> None:
        """Draws the thin shadow around a card into a mask."""
        mask.polygon(self._view.project(_turned(card, _box(1.03))), 150.0)

    def draw(self, card: SeenCard, canvas: Canvas) -> None:
        canvas.polygon(self._view.project(_turned(card, _rounded())), _PAPER)
        if card.face is None:
            inner = self._view.project(_turned(card, _box(0.84)))
            canvas.polygon(inner, self._back)
            canvas.polygon(self._view.project(_turned(card, _diamond(0.62))), mix(self._back, _PAPER, 0.35))
            canvas.polygon(self._view.project(_turned(card, _diamond(0.36))), self._back)
            return
        if self._photo is not None:
            height, width = self._photo.shape[:2]
            corners = np.array(((0.0, 0.0), (width, 0.0), (0.0, height)))
            canvas.photo(self._photo, corners, self._view.project(_turned(card, _box(1.0)[[3, 2, 0]])))
            return
        self._face(card, card.face, canvas)

    def _face(self, card: SeenCard, face: str, canvas: Canvas) -> None:
        colour = _SUIT_COLOURS.get(face[-1], _SUIT_COLOURS["?"])
        suit = face[-1]
        pip = {
            "d": _diamond(0.42),
            "h": _heart(11.0),
            "s": -_heart(11.0),
            "c": _clover(10.0),
        }.get(suit, _diamond(0.2))
        shift = np.array((8.0, -12.0))
        canvas.polygon(self._view.project(_turned(card, pip + shift)), colour)
        self._letter(card, face[:-1], colour, canvas)

    def _letter(self, card: SeenCard, rank: str, colour: Bgr, canvas: Canvas) -> None:
        """The rank in the corner, as strokes of a Hershey letter turned with the card."""
        size = 64
        stencil = np.zeros((size, size), dtype=np.uint8)
        cv2.putText(stencil, rank[:1], (10, 52), cv2.FONT_HERSHEY_DUPLEX, 2.0, (255.0,), 6)
        contours, _ = cv2.findContours(stencil, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            points = contour.reshape(-1, 2).astype(float)
            flat = np.stack((points[:, 0] - size / 2, size / 2 - points[:, 1]), axis=1) * 0.55 + (-14.0, 24.0)
            canvas.polygon(self._view.project(_turned(card, flat)), colour)


def _turned(card: SeenCard, flat: Floats) -> Floats:
    cos, sin = math.cos(card.turn_rad), math.sin(card.turn_rad)
    x = card.x_mm + flat[:, 0] * cos - flat[:, 1] * sin
    y = card.y_mm + flat[:, 0] * sin + flat[:, 1] * cos
    return np.stack((x, y, np.full_like(x, 0.5)), axis=1)


def _box(share: float) -> Floats:
    w, h = CARD_MM[0] / 2 - (1 - share) * 24.0, CARD_MM[1] / 2 - (1 - share) * 24.0
    return np.array([(-w, -h), (w, -h), (w, h), (-w, h)])


def _rounded() -> Floats:
    w, h = CARD_MM[0] / 2 - _CORNER_MM, CARD_MM[1] / 2 - _CORNER_MM
    points = []
    for x, y, start in ((w, h, 0.0), (-w, h, 0.5), (-w, -h, 1.0), (w, -h, 1.5)):
        for step in (0.0, 0.25, 0.5):
            angle = math.pi * (start + step)
            points.append((x + _CORNER_MM * math.cos(angle), y + _CORNER_MM * math.sin(angle)))
    return np.array(points)


def _diamond(share: float) -> Floats:
    w, h = CARD_MM[0] / 2 * share, CARD_MM[1] / 2 * share
    return np.array([(0.0, -h), (w, 0.0), (0.0, h), (-w, 0.0)])


def _heart(size: float) -> Floats:
    t = np.linspace(0.0, math.tau, 24, endpoint=False)
    x = 16 * np.sin(t) ** 3
    y = 13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)
    heart: Floats = np.stack((x, y), axis=1) * (size / 15.0)
    return heart


def _clover(size: float) -> Floats:
    t = np.linspace(0.0, math.tau, 36, endpoint=False)
    r = size * (0.75 + 0.35 * np.cos(3 * (t - math.pi / 2)))
    return np.stack((r * np.cos(t), r * np.sin(t)), axis=1)
