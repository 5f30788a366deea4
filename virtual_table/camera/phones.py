"""Drawing phones: a dark slab with a screen that is black or lit."""

from __future__ import annotations

import math

import numpy as np

from virtual_table.camera.canvas import Bgr, Canvas, Rect, mix
from virtual_table.camera.optics import Floats, View
from virtual_table.table.layout import PHONE_MM
from virtual_table.table.things import SeenPhone

_BODY: Bgr = (34.0, 32.0, 32.0)
_OFF: Bgr = (22.0, 20.0, 20.0)
_WHITE: Bgr = (252.0, 246.0, 240.0)
_THICK_MM = 8.5
_FRAME_MM = 3.0


class PhoneArtist:
    """Draws phones."""

    def __init__(self, view: View) -> None:
        self._view = view

    def rect(self, phone: SeenPhone) -> Rect:
        """The part of the picture that a phone and its shadow may change."""
        return Rect.around(np.concatenate((self._outline(phone, 0.0, 0.0), self._outline(phone, 0.0, _THICK_MM))), 12.0)

    def cast(self, phone: SeenPhone, mask: Canvas) -> None:
        """Draws the shadow around a phone into a mask."""
        mask.polygon(self._outline(phone, -4.0, 0.0), 190.0)

    def draw(self, phone: SeenPhone, canvas: Canvas) -> None:
        """Draws the body and over it the screen."""
        canvas.polygon(self._outline(phone, 0.0, 0.0), _BODY)
        canvas.polygon(self._outline(phone, 0.0, _THICK_MM), _BODY)
        canvas.polygon(self._outline(phone, _FRAME_MM, _THICK_MM), mix(_OFF, _WHITE, phone.level))

    def _outline(self, phone: SeenPhone, inset_mm: float, height_mm: float) -> Floats:
        wide, long = PHONE_MM[0] / 2 - inset_mm, PHONE_MM[1] / 2 - inset_mm
        cos, sin = math.cos(phone.turn_rad), math.sin(phone.turn_rad)
        corners = [
            (phone.x_mm + x * cos - y * sin, phone.y_mm + x * sin + y * cos, phone.z_mm + height_mm)
            for x, y in ((-wide, -long), (wide, -long), (wide, long), (-wide, long))
        ]
        return self._view.project(corners)
