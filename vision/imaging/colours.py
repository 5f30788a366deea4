"""What people call a colour: eleven names, by lightness, chroma and hue."""

from __future__ import annotations

import math
from typing import Final

BLACK_BELOW: Final = 22.0
WHITE_ABOVE: Final = 82.0
GREY_CHROMA: Final = 11.0
DARK_CHROMA: Final = 7.0
"""Near black little chroma is left of any colour."""
DARK_BELOW: Final = 40.0
_HUES: Final = (
    (50.0, "red"),
    (72.0, "orange"),
    (110.0, "yellow"),
    (195.0, "green"),
    (298.0, "blue"),
    (356.0, "purple"),
    (360.0, "red"),
)
"""Names by hue angle in CIE Lab, in degrees; each reaches to its angle."""
_BROWN_HUES: Final = (40.0, 85.0)
_BROWN_BELOW: Final = (45.0, 40.0)
"""Lightness and chroma below which an orange is a brown."""
_PINK_HUES: Final = (345.0, 25.0)
_PINK_FROM: Final = (52.0, 28.0)
"""Lightness and chroma from which a red is a pink."""


def colour_name(lightness: float, a: float, b: float) -> str:
    """The name of a colour in CIE Lab (lightness 0 to 100).

    One of black, grey, white, red, orange, brown, yellow, green, blue, purple,
    pink.
    """
    chroma = math.hypot(a, b)
    if chroma < (DARK_CHROMA if lightness < DARK_BELOW else GREY_CHROMA):
        return "black" if lightness < BLACK_BELOW else "white" if lightness > WHITE_ABOVE else "grey"
    hue = math.degrees(math.atan2(b, a)) % 360.0
    if (hue >= _PINK_HUES[0] or hue <= _PINK_HUES[1]) and lightness >= _PINK_FROM[0] and chroma >= _PINK_FROM[1]:
        return "pink"
    if _BROWN_HUES[0] <= hue <= _BROWN_HUES[1] and lightness < _BROWN_BELOW[0] and chroma < _BROWN_BELOW[1]:
        return "brown"
    return next(name for upper, name in _HUES if hue <= upper)
