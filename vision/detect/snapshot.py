"""What the detector believes at one frame, to be looked at: taken only when somebody wants to see it.

A snapshot copies no picture: it holds the masks that the detector has drawn, which are replaced and never written to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from betline.units import NS_PER_MS, NS_PER_S
from vision.frame.zones import SeatZones
from vision.imaging.pictures import Mask
from vision.places.snapshot import MiddleSnapshot, SpotSnapshot
from vision.seats.state import Observation, SeatState, Stranger
from vision.tuning.thresholds import Thresholds

Phase = Literal["learning", "unknown", "rest", "open", "hand", "occluded", "frozen"]


@dataclass(frozen=True, slots=True, eq=False)
class SeatSnapshot:
    """One seat: its masks, its state, and why it is in it.

    ``observation`` is None where this frame needed no closer look. ``lying`` is cut to the seat's ``zones.bets``,
    ``arm`` is a mask of the seat's whole crop, None where no arm is there.
    """

    zones: SeatZones
    state: SeatState
    observation: Observation | None
    lying: Mask
    arm: Mask | None
    phase: Phase
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """The whole table at one frame."""

    t_ns: int
    frozen: str | None
    gain: tuple[float, float, float]
    seats: tuple[SeatSnapshot, ...]
    spots: tuple[SpotSnapshot, ...]
    middle: MiddleSnapshot
    no_bets: frozenset[int]
    """Seats in whose bet zone a strange thing lies, and no bet."""


def explained(
    state: SeatState, observation: Observation | None, t_ns: int, thresholds: Thresholds
) -> tuple[Phase, str]:
    """The phase of a seat with known felt, and what it waits for, in a few words."""
    if state.occlusion_told and state.covered_ns is not None:
        return "occluded", f"covered for {(t_ns - state.covered_ns) / NS_PER_S:.0f} s"
    if state.hand:
        return "hand", "the player's hand is in"
    if observation is None or state.at_rest:
        return "rest", _lies(state)
    if observation.stranger is not Stranger.NOBODY:
        whose = "the dealer's arm" if observation.stranger is Stranger.DEALER else "another's arm"
        return "open", f"{whose} is in"
    if observation.own_near:
        return "open", "the player's hand is at the line"
    if observation.chips is None:
        return "open", "covered by an arm"
    if observation.moving:
        return "open", "something moves in the zone"
    if state.votes_open:
        return "open", "a hand is neither believed nor ruled out"
    if state.quiet_ns is None or t_ns - state.quiet_ns < thresholds.quiet_ms * NS_PER_MS:
        return "open", f"quiet for less than {thresholds.quiet_ms} ms"
    if not observation.chips.steady:
        return "open", "its shape still changes"
    return "open", _lies(state)


def _lies(state: SeatState) -> str:
    if state.settled_mm2 <= 0:
        return "empty"
    footprints = f"{state.settled_footprints} footprint{'' if state.settled_footprints == 1 else 's'}"
    return f"{footprints}, {state.settled_mm2:.0f} mm2"
