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
from vision.seats.phases import Phase
from vision.seats.state import Observation, SeatState, Stranger
from vision.tuning.thresholds import Thresholds

SeatShown = Phase | Literal["learning", "unknown", "frozen"]
"""The phase of a seat's machine, or why it does not run."""


@dataclass(frozen=True, slots=True, eq=False)
class SeatSnapshot:
    """One seat: its masks, its state, and why it is in it.

    ``observation`` is None where this frame needed no closer look. Masks are (H, W) uint8, 0 or 255: ``lying`` is cut
    to the seat's ``zones.bets``, ``arm`` is over the seat's whole crop, None where no arm is there.
    """

    zones: SeatZones
    state: SeatState
    observation: Observation | None
    lying: Mask
    arm: Mask | None
    phase: SeatShown
    reason: str

    @property
    def phase_words(self) -> str:
        """The phase as people read it."""
        return self.phase.value if isinstance(self.phase, Phase) else self.phase


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """The whole table at one frame."""

    t_ns: int
    frozen: str | None
    gain: tuple[float, float, float]
    seats: tuple[SeatSnapshot, ...]
    spots: tuple[SpotSnapshot, ...]
    middle: MiddleSnapshot

    @property
    def no_bets(self) -> frozenset[int]:
        """Seats in whose bet zone a strange thing lies, and no bet."""
        return frozenset(seat.zones.seat for seat in self.seats if seat.state.settled.slab)


def waits_for(state: SeatState, observation: Observation | None, t_ns: int, thresholds: Thresholds) -> str:
    """Why a seat with known felt is in its phase, and what it waits for, in a few words."""
    if state.occluded and state.covered_ns is not None:
        return f"covered for {(t_ns - state.covered_ns) / NS_PER_S:.0f} s"
    if state.phase is Phase.HAND_IN:
        return "the player's hand is in"
    if observation is None or state.phase is Phase.REST:
        return _lies(state)
    if observation.stranger is not Stranger.NOBODY:
        return f"{'the dealer' if observation.stranger is Stranger.DEALER else 'another'}'s arm is in"
    if observation.own_near:
        return "the player's hand is at the line"
    if observation.chips is None:
        return "covered by an arm"
    if observation.moving:
        return "something moves in the zone"
    if state.votes_open:
        return "a hand is neither believed nor ruled out"
    quiet_ns = state.sight.quiet_ns
    if quiet_ns is None or t_ns - quiet_ns < thresholds.quiet_ms * NS_PER_MS:
        return f"quiet for less than {thresholds.quiet_ms} ms"
    if not observation.chips.steady:
        return "its shape still changes"
    return _lies(state)


def _lies(state: SeatState) -> str:
    settled = state.settled
    if settled.area_mm2 <= 0:
        return "empty"
    footprints = f"{settled.footprints} footprint{'' if settled.footprints == 1 else 's'}"
    return f"{footprints}, {settled.area_mm2:.0f} mm2"
