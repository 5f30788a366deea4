"""Which of the five layouts a screen of so many cells gets. Pure."""

from __future__ import annotations

from typing import Literal, get_args

Layout = Literal["small", "medium", "touch", "wide", "large"]
"""80x24, 100x30, a touch screen of ten inches (about 106x33), 120x40, 200x50: each from about that size on."""
LOW: tuple[Layout, ...] = ("small", "medium")
"""Those that list the pots below the table and have the level in the head."""
LAYOUTS: tuple[Layout, ...] = get_args(Layout)


def layout_of(width: int, height: int) -> Layout:
    """The layout for a size in cells."""
    if width >= 180 and height >= 44:
        return "large"
    if width >= 110 and height >= 36:
        return "wide"
    if height >= 32:
        return "touch"
    return "medium" if width >= 100 else "small"
