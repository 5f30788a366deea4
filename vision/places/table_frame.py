"""One frame before the places beside the bet lines; one of them may be looked at closely in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from vision.frame.reference import Gain
from vision.imaging.pictures import Mask, Picture
from vision.places.card_places import Place
from vision.places.card_watch import SpotMoment

NEAR_CELLS: Final = 14
"""An arm this far from a place, about 11 cm, may throw a shadow on it."""


@dataclass(frozen=True, slots=True)
class Lately:
    """What the seats' zones last did, by seat: when they lost chips, when the last sweep of these began and was told,
    and when they came to rest with cards in them.
    """

    lost_ns: Mapping[int, int]
    swept_ns: Mapping[int, tuple[int, int]]
    shown_ns: Mapping[int, int]


class TableFrame:
    """A picture, (H, W, 3) uint8 BGR, the gate's picture of it, (h, w, 3), and whose arm is over each of the gate's
    cells, (h, w) uint8 codes; ``gain`` is the light's, (3,) float64, ``scale`` how many pixels a cell is wide.
    """

    __slots__ = ("_looks", "frame", "gain", "owner_of", "picture", "scale", "small", "t_ns")

    def __init__(
        self, picture: Picture, small: Picture, owner_of: Mask, gain: Gain, t_ns: int, frame: int, scale: int
    ) -> None:
        self.picture, self.small, self.owner_of, self.gain = picture, small, owner_of, gain
        self.t_ns, self.frame = t_ns, frame
        self.scale = scale
        self._looks = 1

    def moment(self, seat: int) -> SpotMoment:
        """The frame, for a seat's card spot."""
        return SpotMoment(seat, self.t_ns, self.frame)

    def looks(self) -> bool:
        """Whether there is still a look in this frame; takes it."""
        self._looks -= 1
        return self._looks >= 0

    def shadows(self, place: Place) -> bool:
        """Whether an arm is near enough to a place to throw a shadow on it."""
        scale = self.scale
        rows = slice(max(0, place.y0 // scale - NEAR_CELLS), place.y1 // scale + NEAR_CELLS)
        columns = slice(max(0, place.x0 // scale - NEAR_CELLS), place.x1 // scale + NEAR_CELLS)
        return bool(self.owner_of[rows, columns].any())
