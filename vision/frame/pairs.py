"""The dealer's two hands: of arms that come in over the edges of the dealer's piece of the rail, which are a pair.

A dealer who gathers leans far over and comes in over the rail of the seats beside, where a player's arm comes in too.
But both hands come at once, and they are of one person: skin and sleeves look the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from vision.frame.rail import DEALER, NOBODY

Flags = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.int64]
Colour = npt.NDArray[np.float64]

TOGETHER_FRAMES: Final = 6
"""Both arms of a dealer who gathers come in within so many frames, a fifth of a second."""
EDGE_CELLS: Final = 12
"""An arm comes in over the edge of the dealer's piece where so many of its cells behind the rail (8 cm2) are there."""
ALIKE_LEVELS: Final = 24.0
"""Mean colours of the two arms behind the rail are as near as this in every channel: sleeves of one cloth in one light,
a hand's width deeper or less deep.
"""
ALIKE_FRAMES: Final = 2
"""For so many frames in a row: first the hands are there, then the sleeves."""


class Pairs:
    """Watches arms, by code, from when they come in."""

    def __init__(self, codes: int) -> None:
        self._at_edge: Flags = np.zeros(codes, np.bool_)
        self._alike: Counts = np.zeros(codes, np.int64)

    def dealers(
        self, frame: int, there: Flags, came: Counts, edge: Counts, colour_of: Callable[[int], Colour]
    ) -> set[int]:
        """The seats whose arms turn out in this frame to be the dealer's.

        By code, (12,) each: which arms are ``there``, in which frame they ``came``, and how many of their cells behind
        the rail are at the ``edge``, on the dealer's piece; ``colour_of`` is the mean colour behind the rail, (3,) BGR.
        """
        new = there & (frame - came <= TOGETHER_FRAMES)
        self._at_edge &= new & (came < frame)
        self._alike[came == frame] = 0
        self._at_edge |= new & (edge >= EDGE_CELLS)
        seats = [int(code) for code in np.flatnonzero(new & self._at_edge) if code not in (NOBODY, DEALER)]
        found: set[int] = set()
        for seat in seats:
            other = DEALER if new[DEALER] else next((one for one in seats if one != seat), NOBODY)
            if other == NOBODY:
                continue
            alike = np.abs(colour_of(seat) - colour_of(other)).max() <= ALIKE_LEVELS
            self._alike[seat] = self._alike[seat] + 1 if alike else 0
            if self._alike[seat] >= ALIKE_FRAMES:
                found.add(seat)
        return found
