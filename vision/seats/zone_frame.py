"""A bet zone's part of one frame, and how far it is from the zone as it settled and from the empty felt."""

from __future__ import annotations

from vision.imaging.pictures import Mask, Picture, above, all_of, any_of, difference, none_of, without_shadow
from vision.tuning.thresholds import Thresholds


class ZoneFrame:
    """The zone's part of a frame and of both layers, in the present light, and how far the frame is from each."""

    def __init__(self, picture: Picture, settled: Picture, empty: Picture, from_settled: Mask) -> None:
        self.picture, self.settled, self.empty = picture, settled, empty
        self.from_settled = from_settled
        self.from_empty = difference(picture, empty)

    def changes(self, thresholds: Thresholds) -> Mask:
        """How far the frame is from the settled picture, shadows left out.

        Grey felt where a white chip lay looks like that chip in a shadow; the felt itself is never taken for one.
        """
        levels = without_shadow(self.from_settled, self.picture, self.settled, thresholds.weak_level)
        bare = none_of(above(self.from_empty, thresholds.weak_level))
        return any_of(levels, all_of(self.from_settled, bare))

    def solid_changes(self, thresholds: Thresholds) -> Mask:
        """How far the frame is from the settled picture, with what is only brighter or darker left out."""
        darker = without_shadow(self.from_settled, self.picture, self.settled, thresholds.weak_level)
        return without_shadow(darker, self.settled, self.picture, thresholds.weak_level)
