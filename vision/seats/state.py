"""What is believed of one seat between two frames, grouped by phase, and what one frame shows of it: plain values."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from betline.units import NS_PER_MS
from vision.seats.phases import MACHINE, Phase, Trigger
from vision.seats.under_arm import UNSEEN, Beneath, UnderArm
from vision.tuning.thresholds import Thresholds

MEAN_FRAMES: Final = 20
"""Frames in a mean: two thirds of a second, in which the noise of a zone's area shrinks below one chip's on a stack."""
NEVER_NS: Final = -3_600_000_000_000
"""An hour before the clock began: longer ago than anything that counts."""


class Stranger(Enum):
    """Whose arm, not the player's own, covers part of the zone."""

    NOBODY = "nobody"
    DEALER = "dealer"
    OTHER = "other"


# --- what one frame shows ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ChipsSeen:
    """What lies in a zone that no arm covers.

    ``changed_mm2`` is the area that differs from the last settled picture, ``new_mm2`` what lies where nothing lay
    then; ``steady`` says that what lies there has kept its shape for a while. ``solid_mm2`` is the changed area without
    places that are only brighter or darker than before, where nobody's arm is near; light may have changed them.
    ``firm_mm2`` is the area with shadows left out in every frame: in ``area_mm2`` they are only while an arm is near.
    ``against_cards`` says that cards lie against the chips that had settled, so that their rim looks different.
    """

    area_mm2: float
    changed_mm2: float
    footprints: int
    steady: bool
    new_mm2: float = 0.0
    solid_mm2: float = math.inf
    firm_mm2: float = math.nan
    against_cards: bool = False

    @property
    def compared_mm2(self) -> float:
        """The area by which frames are compared: without the shadows that chips throw, whoever is near."""
        return self.area_mm2 if math.isnan(self.firm_mm2) else self.firm_mm2


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One frame at one seat; ``chips`` is None while an arm covers the zone, ``beneath`` where nothing had settled."""

    seat: int
    t_ns: int
    frame: int
    own_in_zone: bool
    own_near: bool
    stranger: Stranger
    moving: bool
    chips: ChipsSeen | None
    beneath: Beneath | None = None
    own_mm2: float = 0.0
    """What the own hand covers of the zone and its margin."""
    own_to_pot: bool = False
    """Whether the own hand reaches beyond the zone, towards the pot."""
    own_about: bool = False
    """Whether the own arm is over the seat's sector at all."""
    own_broad: bool = True
    """Whether what is over the line is broader than chips that leave the fingers."""
    own_rooted: bool = False
    """Whether what is over the line hangs together with the own rail: no chips that fly."""
    withdraws: bool = False
    """Whether something moves in the sector and nothing in the zone: the arm of a hand that has left."""
    onward_ns: int = NEVER_NS
    """When the dealer's arm last came on from the zone to the seat's stacks."""
    hid_ns: int = NEVER_NS
    """Until when that arm hid the zone."""


# --- what is known in every phase -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of an area over some frames: one chip more on a stack is less than a frame's noise."""

    frames: int = 0
    sum_mm2: float = 0.0

    def updated(self, area_mm2: float) -> Mean:
        """With one frame more; a moving average from `MEAN_FRAMES` frames on: old samples decay."""
        if self.frames >= MEAN_FRAMES:
            return Mean(self.frames, self.sum_mm2 * (1 - 1 / MEAN_FRAMES) + area_mm2)
        return Mean(self.frames + 1, self.sum_mm2 + area_mm2)

    def mm2(self, otherwise: float) -> float:
        """The mean, or what is given where nothing was seen."""
        return self.sum_mm2 / self.frames if self.frames else otherwise


@dataclass(frozen=True, slots=True)
class Settled:
    """The zone as it last settled."""

    area_mm2: float = 0.0
    footprints: int = 0
    changed_ns: int | None = None
    """When it last settled differently than before."""
    lost_ns: int | None = None
    """When it last settled with less than before."""
    mean: Mean = Mean()
    """What lay there, over all frames since in which nothing was open."""
    slab: bool = False
    """Whether what lies there is a strange thing, a phone, and no bet."""


@dataclass(frozen=True, slots=True)
class Act:
    """Motions of chips over the line that follow each other: more than one are perhaps a string bet."""

    motions: int = 0
    last_ns: int = 0
    """When the hand of the newest motion had left."""


@dataclass(frozen=True, slots=True)
class Sight:
    """The zone as it was last seen without an arm over it."""

    area_mm2: float = 0.0
    changed_mm2: float = 0.0
    footprints: int = 0
    quiet_ns: int | None = None
    """Since when nothing has moved there and nobody was near."""
    since_quiet: Mean = Mean()
    """What lies there since."""
    before: Mean = Mean()
    """What lay there before the own hand came, of frames without motion."""


@dataclass(frozen=True, slots=True)
class OwnTrace:
    """Traces of the own hand, also while it is only near."""

    votes: tuple[tuple[int, bool], ...] = ()
    """The last frames: when, and whether the hand was seen."""
    reach: tuple[tuple[int, float], ...] = ()
    """How much of it was seen, frame by frame, since the zone last settled: (time in ns, area in mm2)."""
    to_pot_ns: int = NEVER_NS
    """When it was last beyond the zone."""
    about_ns: int = NEVER_NS
    """When it was last over the seat's sector."""
    near_ns: int = 0
    """When it was last near."""
    rooted_frames: int = 0
    """In how many frames in a row it was over the line and hung together with its own rail."""
    broad_ns: int = NEVER_NS
    """When it was last over the line and broader than chips."""
    entered_ns: int = 0
    """When it last came over the line, dated back."""
    left_ns: int = 0
    """When it had last left, dated back: chips that it took cross the line then."""


@dataclass(frozen=True, slots=True)
class OtherTrace:
    """When another's arm, the last that was seen, came and was last there."""

    came_ns: int = NEVER_NS
    seen_ns: int = NEVER_NS


# --- what is known only in some phases --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Open:
    """What is known in every phase but rest: what has happened since the zone last settled."""

    stranger: Stranger = Stranger.NOBODY
    """Who else has reached in."""
    change_ns: int | None = None
    """Since when something lies differently."""
    covered_ns: int | None = None
    """Since when an arm covers the zone."""
    occlusion_reported: bool = False


@dataclass(frozen=True, slots=True)
class Visit:
    """A hand's stay beyond the line; ``area_mm2`` and ``changed_mm2`` are what was seen before it came."""

    t_first_ns: int
    area_mm2: float
    changed_mm2: float


@dataclass(frozen=True, slots=True)
class OwnHand:
    """What is known while the own hand is in, and after it has left: its stays since the zone last settled."""

    visit: Visit | None
    """The newest stay, until its chips are reported."""
    crossed_ns: int | None = None
    """When chips first crossed."""
    growing: Mean = Mean()
    """What is seen of the newest stay's chips since they lie there, frames in a row."""


_OWN_PHASES: Final = (Phase.HAND_IN, Phase.HAND_GONE)


@dataclass(frozen=True, slots=True)
class SeatState:
    """What is believed of one seat between two frames; ``open`` and ``own`` are there in their phases alone."""

    phase: Phase = Phase.REST
    settled: Settled = Settled()
    act: Act = Act()
    sight: Sight = Sight()
    own_trace: OwnTrace = OwnTrace()
    other_trace: OtherTrace = OtherTrace()
    under: UnderArm = UNSEEN
    open: Open | None = None
    own: OwnHand | None = None

    def __post_init__(self) -> None:
        if (self.open is None) != (self.phase is Phase.REST) or (self.own is None) == (self.phase in _OWN_PHASES):
            raise ValueError(f"a seat in the phase {self.phase.value} cannot know {self.open} and {self.own}")

    @property
    def stranger(self) -> Stranger:
        """Who else has reached in since the zone last settled."""
        return Stranger.NOBODY if self.open is None else self.open.stranger

    @property
    def change_ns(self) -> int | None:
        """Since when something lies differently than it settled."""
        return None if self.open is None else self.open.change_ns

    @property
    def covered_ns(self) -> int | None:
        """Since when an arm covers the zone."""
        return None if self.open is None else self.open.covered_ns

    @property
    def occluded(self) -> bool:
        """Whether an arm has covered the zone for so long that it was reported."""
        return self.open is not None and self.open.occlusion_reported

    @property
    def votes_open(self) -> bool:
        """Whether a hand is neither believed nor ruled out."""
        hand = self.phase is Phase.HAND_IN
        return any(seen != hand for _, seen in self.own_trace.votes)

    @property
    def disturbed(self) -> bool:
        """Whether something is open even if nobody is known to have reached in."""
        return self.votes_open or self.change_ns is not None or self.covered_ns is not None

    def after(self, trigger: Trigger, *, open: Open | None, own: OwnHand | None) -> SeatState:
        """The state in the phase that a trigger leads to, with what is known in it; raises UnknownTransitionError."""
        return replace(self, phase=MACHINE.after(self.phase, trigger), open=open, own=own)

    def measured_again(self, area_mm2: float, footprints: int) -> SeatState:
        """The state after the thresholds have changed: what lies there by the new ones, and no hand half believed."""
        state = replace(
            self,
            settled=replace(self.settled, area_mm2=area_mm2, footprints=footprints),
            own_trace=replace(self.own_trace, votes=()),
        )
        return state.cleared()

    def cleared(self) -> SeatState:
        """At rest where nothing is open any more that nobody had a hand in."""
        if self.phase is Phase.DISTURBED and not self.disturbed:
            return self.after(Trigger.ALL_CLEAR, open=None, own=None)
        return self


def differs(state: SeatState, chips: ChipsSeen, thresholds: Thresholds) -> bool:
    """Whether the picture is another than it settled; a change in which nobody had a hand must be a whole chip's.

    The area alone does not show it: it wavers where a passing arm's shadow is taken out.
    """
    if state.own is not None:
        changed_chips = thresholds.changed_chips
    elif state.stranger is not Stranger.NOBODY:
        changed_chips = thresholds.passing_chips
    else:
        return min(chips.changed_mm2, chips.solid_mm2) >= thresholds.chip_mm2
    return chips.changed_mm2 >= changed_chips * thresholds.chip_mm2


def ns(milliseconds: int) -> int:
    """Milliseconds in nanoseconds."""
    return milliseconds * NS_PER_MS
