"""Lines of words beside a place in the picture, on the side of it where they cover the least."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

import numpy as np

from vision.calibration.annotate import Bgr, word_size, worded
from vision.calibration.calibration import Floats
from vision.imaging.pictures import Picture

Side = Literal["above", "below", "left", "right"]
Line = tuple[str, Bgr]

ROW_PX: Final = 14
GAP_PX: Final = 5
STEEP: Final = 0.5
"""A place belongs to the left or right end of the table if the way to its middle rises less than this."""


def inwards(outline: Floats, middle: Floats) -> Side:
    """The side of an outline, (N, 2) float64 pixels, that faces the table's middle, (2,) float64 pixels."""
    x, y = middle - (outline.min(axis=0) + outline.max(axis=0)) / 2
    if abs(y) > STEEP * abs(x):
        return "below" if y > 0 else "above"
    return "right" if x > 0 else "left"


def outwards(outline: Floats, middle: Floats) -> Side:
    """The side of an outline that faces the rail; arguments as of `inwards`, float64 pixels."""
    opposite: dict[Side, Side] = {"below": "above", "above": "below", "right": "left", "left": "right"}
    return opposite[inwards(outline, middle)]


def captioned(picture: Picture, lines: Sequence[Line], outline: Floats, side: Side) -> None:
    """Writes lines into a (H, W, 3) uint8 BGR, on a side of an outline, (N, 2) float64, within the picture."""
    lines = [line for line in lines if line[0]]
    (x0, y0), (x1, y1) = outline.min(axis=0), outline.max(axis=0)
    height, width = picture.shape[:2]
    high = ROW_PX * len(lines)
    first = {"above": y0 - GAP_PX - high, "below": y1 + GAP_PX}.get(side, (y0 + y1 - high) / 2)
    first = max(GAP_PX, min(float(first), height - GAP_PX - high))
    for row, (text, colour) in enumerate(lines):
        wide, tall = word_size(text)
        left = {"left": x0 - GAP_PX - wide, "right": x1 + GAP_PX}.get(side, x0)
        left = max(GAP_PX, min(float(left), width - GAP_PX - wide))
        worded(picture, text, np.array([left, first + row * ROW_PX + tall]), colour)
