"""Drawing heads that lean into the picture: a shoulder in its cloth and a head of hair, high above the rail."""

from __future__ import annotations

import numpy as np

from virtual_table.camera.canvas import Canvas, Rect, bgr, limb_outlines, shade
from virtual_table.camera.optics import Floats, View
from virtual_table.table.things import SeenHead

_HEAD_MM, _HEAD_HEIGHT_MM = 92.0, 380.0
_SHOULDER_MM, _SHOULDER_HEIGHT_MM = 105.0, 260.0
_BANDS = ((1.0, 0.75), (0.85, 0.95), (0.55, 1.08), (0.25, 1.18))  # share of the width and its brightness there


class HeadArtist:
    """Draws heads as the camera sees them from above."""

    def __init__(self, view: View) -> None:
        self._view = view

    def rect(self, head: SeenHead) -> Rect:
        """The part of the picture that the head may change."""
        ends, radii = self._placed(head)
        return Rect.around(ends, float(radii.max()) + 4.0)

    def draw(self, head: SeenHead, canvas: Canvas) -> None:
        """Draws the shoulder and over it the head."""
        ends, radii = self._placed(head)
        for share, gain in _BANDS:
            canvas.each(
                limb_outlines(ends[:1], share * radii[:1], ends[1:2], share * radii[1:2]),
                [shade(bgr(head.cloth), gain)],
            )
        for share, gain in _BANDS:
            canvas.each(
                limb_outlines(ends[2:], share * radii[2:], ends[2:], share * radii[2:]), [shade(bgr(head.hair), gain)]
            )

    def _placed(self, head: SeenHead) -> tuple[Floats, Floats]:
        points = np.array(
            [
                (*head.shoulder_mm, _SHOULDER_HEIGHT_MM),
                (*head.at_mm, _SHOULDER_HEIGHT_MM),
                (*head.at_mm, _HEAD_HEIGHT_MM),
            ]
        )
        widths = np.array([_SHOULDER_MM * 1.2, _SHOULDER_MM, _HEAD_MM])
        return self._view.project(points), widths * self._view.scale(points)
