"""What is known of settled chips while an arm lies over them: since when they are seen to be taken, or altered.

Pure values; the seat's machine dates sweeps and change by them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from vision.tuning.thresholds import Thresholds

HINT_CHIPS: Final = 0.07
"""From so little of an altered place on a change is dated, once there is enough of it to be certain."""
KEPT_CHIPS: Final = 0.15
"""So much must be seen of a chip beside an arm; less may be a sleeve of the chip's colour."""
LIFTING_NS: Final = 150_000_000
"""A hand that takes chips has lifted them so long before their place comes to light, where nothing else is known."""


@dataclass(frozen=True, slots=True)
class Beneath:
    """What an arm over the zone leaves to see of what had settled there.

    Area as it was, area that is altered, and of that the area where the bare felt is seen.
    """

    kept_mm2: float
    altered_mm2: float
    bare_mm2: float


@dataclass(frozen=True, slots=True)
class UnderArm:
    """What was seen beside arms since the zone last settled."""

    kept_ns: int = 0
    """When something that had settled was last seen lying as it was."""
    hint_ns: int | None = None
    """Since when a little of it looks altered."""
    altered_ns: int | None = None
    """Since when it is certain to be altered, dated back to when it was last seen whole."""
    takes: bool = False
    """Whether chips are seen to be gone beside an arm that is not the player's."""

    @property
    def unaltered(self) -> UnderArm:
        """With nothing altered: the zone has settled, or is seen whole."""
        return replace(self, hint_ns=None, altered_ns=None)


UNSEEN: Final = UnderArm()
"""Nothing was seen beside an arm yet."""


def beside(
    under: UnderArm,
    beneath: Beneath,
    t_ns: int,
    came_ns: int,
    settled_mm2: float,
    thresholds: Thresholds,
    *,
    stranger: bool,
) -> UnderArm:
    """With one frame more: what is seen beside an arm that came at ``came_ns``, a ``stranger``'s alone or not.

    ``settled_mm2`` is what had settled there.
    """
    least_mm2 = thresholds.changed_chips * thresholds.chip_mm2
    hint_mm2 = HINT_CHIPS * thresholds.chip_mm2
    hint_ns, altered_ns = under.hint_ns, under.altered_ns
    if beneath.altered_mm2 >= hint_mm2:
        hint_ns = hint_ns or t_ns
    elif beneath.kept_mm2 > hint_mm2:
        hint_ns = None
    if beneath.altered_mm2 >= least_mm2:
        between_ns = (_last_whole_ns(under, came_ns, t_ns) + t_ns) // 2
        altered_ns = altered_ns or min(between_ns, hint_ns or between_ns)
    elif beneath.kept_mm2 + least_mm2 >= settled_mm2:
        altered_ns = None
    kept = beneath.kept_mm2 >= KEPT_CHIPS * thresholds.chip_mm2
    return UnderArm(
        kept_ns=t_ns if kept else under.kept_ns,
        hint_ns=hint_ns,
        altered_ns=altered_ns,
        takes=stranger and beneath.bare_mm2 >= least_mm2,
    )


def _last_whole_ns(under: UnderArm, came_ns: int, t_ns: int) -> int:
    """When the chips were last known to lie there: seen, or still without an arm over them."""
    known_ns = max(under.kept_ns, came_ns)
    return known_ns if known_ns > 0 else t_ns - LIFTING_NS
