"""What is believed of one seat between two frames, what a frame shows of it, and what is told of it: plain values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from betline.messages.devices import SeatEventType
from betline.units import NS_PER_MS
from vision.seats.under_arm import UNSEEN, Beneath, UnderArm
from vision.tuning.thresholds import Thresholds

MEAN_FRAMES = 20
NEVER_NS = -3_600_000_000_000


class Stranger(Enum):
    """Whose arm, not the player's own, covers part of the zone."""

    NOBODY = "nobody"
    DEALER = "dealer"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class ChipsSeen:
    """What lies in a zone that no arm covers.

    ``changed_mm2`` is the area that differs from the last settled picture, ``new_mm2`` what lies where nothing lay
    then; ``steady`` says that what lies there has kept its shape for a while.
    """

    area_mm2: float
    changed_mm2: float
    footprints: int
    steady: bool
    new_mm2: float = 0.0


@dataclass(frozen=True, slots=True)
class Observation:
    """One frame at one seat; ``chips`` is None while an arm covers the zone, ``beneath`` where nothing had settled."""

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


@dataclass(frozen=True, slots=True)
class SeatEvent:
    """Something certain; ``t_first_ns`` is dated back, ``t_confirm_ns`` is the frame that made it certain."""

    event: SeatEventType
    t_first_ns: int
    t_confirm_ns: int
    frame: int
    conf: float
    area_mm2: float = 0.0
    footprints: int = 0
    motions: int = 0


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of an area over some frames: one chip more on a stack is less than a frame's noise."""

    frames: int = 0
    sum_mm2: float = 0.0

    def and_(self, area_mm2: float) -> Mean:
        """With one frame more; of old frames the share fades."""
        if self.frames >= MEAN_FRAMES:
            return Mean(self.frames, self.sum_mm2 * (1 - 1 / MEAN_FRAMES) + area_mm2)
        return Mean(self.frames + 1, self.sum_mm2 + area_mm2)

    def mm2(self, otherwise: float) -> float:
        """The mean, or what is given where nothing was seen."""
        return self.sum_mm2 / self.frames if self.frames else otherwise


@dataclass(frozen=True, slots=True)
class Visit:
    """A hand's stay beyond the line; ``area_mm2`` and ``changed_mm2`` are what was seen before it came."""

    t_first_ns: int
    area_mm2: float
    changed_mm2: float


@dataclass(frozen=True, slots=True)
class SeatState:
    """What is believed of one seat between two frames."""

    settled_mm2: float = 0.0
    settled_footprints: int = 0
    settled_ns: int | None = None
    hand: bool = False
    votes: tuple[tuple[int, bool], ...] = ()
    visit: Visit | None = None
    """The newest stay of the own hand whose chips are not told yet."""
    own_came: bool = False
    last_stranger: Stranger = Stranger.NOBODY
    stranger_came_ns: int = NEVER_NS
    stranger_ns: int = NEVER_NS
    own_ns: int = 0
    left_ns: int = 0
    """When the own hand had left, dated back: chips that it took cross the line then."""
    crossed_ns: int | None = None
    """When chips first crossed since the zone last settled."""
    motions: int = 0
    motion_ns: int = 0
    """When the hand of the newest motion had left."""
    visible_mm2: float = 0.0
    visible_changed_mm2: float = 0.0
    before: Mean = Mean()
    """What lay there before the own hand came, of frames without motion."""
    at_rest_mm2: Mean = Mean()
    """What lay there when it last settled, of all frames in which nothing was open."""
    since_quiet: Mean = Mean()
    """What lies there since it is quiet."""
    growing: Mean = Mean()
    """What was seen of a hand's chips since they lie there, frames in a row."""
    quiet_ns: int | None = None
    covered_ns: int | None = None
    occlusion_told: bool = False
    change_ns: int | None = None
    under: UnderArm = UNSEEN
    reach: tuple[tuple[int, float], ...] = ()
    """How much the own hand covered, frame by frame, since the zone last settled; of its last two seconds."""
    to_pot: bool = False
    """Whether the own hand has reached beyond the zone since the zone last settled."""
    visible_footprints: int = 0

    @property
    def at_rest(self) -> bool:
        """Whether nothing is open: the seat needs no closer look until something moves."""
        return not (self.hand or self.own_came or self.visit or self.votes_open or self.change_ns) and (
            self.last_stranger is Stranger.NOBODY and self.covered_ns is None
        )

    @property
    def votes_open(self) -> bool:
        """Whether a hand is neither believed nor ruled out."""
        return any(seen != self.hand for _, seen in self.votes)


def differs(state: SeatState, chips: ChipsSeen, thresholds: Thresholds) -> bool:
    """Whether the picture is another than it settled; a change in which nobody had a hand must be a whole chip's.

    The area alone does not tell: it wavers where a passing arm's shadow is taken out.
    """
    if state.own_came:
        changed_chips = thresholds.changed_chips
    else:
        changed_chips = 1.0 if state.last_stranger is Stranger.NOBODY else thresholds.passing_chips
    return chips.changed_mm2 >= changed_chips * thresholds.chip_mm2


def ns(milliseconds: int) -> int:
    """Milliseconds in nanoseconds."""
    return milliseconds * NS_PER_MS
