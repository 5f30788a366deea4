"""Every number by which the detector decides, in millimetres, chips and milliseconds."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The detector's numbers; grey levels are of 255, after a blur of 5 px."""

    chip_diameter_mm: float = 39.0

    weak_level: int = 13
    """From this difference on a pixel may belong to an object ..."""
    strong_level: int = 24
    """... if it touches one that differs this much (largest of the three channels)."""
    motion_level: int = 5
    """Frame-to-frame difference of a square of 24 mm, in its mean, from which on something moves."""

    line_dead_band_mm: float = 8.0
    """The first millimetres beyond the drawn betting line where nothing is decided."""
    hand_margin_mm: float = 12.0
    """A hand has left when it is this far behind the line."""
    arm_chips: float = 6.0
    """An object at the rail is an arm from this many chip areas on."""
    foreign_chips: float = 2.5
    """An object that reaches in from another side is an arm from this many chip areas on."""
    hand_in_zone_chips: float = 0.3
    """A hand is in the zone when it covers this many chip areas beyond the line."""

    occupied_chips: float = 0.5
    """Something lies in a zone from this area on."""
    changed_chips: float = 0.35
    """A zone's picture has changed from this area on."""

    lower_chips: float = 0.03
    """A changed stack whose area has shrunk by this is lower: one chip less leans about 50 mm2 less outwards."""

    confirm: int = 2
    """A hand is believed after this many ..."""
    confirm_of: int = 3
    """... of this many frames."""
    leave_confirm: int = 3
    leave_confirm_of: int = 4

    hand_pause_ms: int = 300
    """A large thing without visible arm is a hand while something moves there, and for so long after."""
    quiet_ms: int = 270
    """A zone without hand and motion for this long is settled."""
    steady_ms: int = 200
    """Two masks this far apart must agree before a zone is settled ..."""
    steady_iou: float = 0.9
    """... in this share of their pixels."""
    amend_ms: int = 2000
    """A change without a hand this soon after settling is the same bet, amended (a stack that toppled)."""
    same_act_ms: int = 2500
    """Motions that follow each other sooner belong to one act."""
    occluded_ms: int = 5000
    rest_ms: int = 900
    """A sector without motion for this long is at rest: its picture is taken as the new one."""

    light_step: float = 0.12
    """A change of brightness by this share within a second freezes betting events."""
    light_calm_ms: int = 500

    @property
    def chip_mm2(self) -> float:
        """The area of one chip."""
        return math.pi * self.chip_diameter_mm**2 / 4
