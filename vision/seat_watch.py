"""What happened at one seat's line: a pure state machine over what was seen in each frame.

``watch(state, seen, thresholds)`` gives the next state, the events that are now certain, and whether the picture of
this frame is to be taken as the settled one. Time comes in with each observation; events are dated back to the frame
that first showed what a later one confirmed.

A seat is at rest, or something is open: a hand is in the zone, somebody was there since the zone last settled, or
something lies differently. What is open is decided when the zone has settled: no hand, no motion and no change of what
lies there for a while. Who had reached in decides what a change means: the player's own hand bets or takes back, the
dealer's sweeps the pot or makes change, and what moved by itself soon after settling is the same bet, amended.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Literal

from vision import taps
from vision.thresholds import Thresholds

EventName = Literal[
    "hand_entered",
    "hand_left",
    "chips_crossing",
    "bet_settled",
    "bet_amended",
    "chips_retracted",
    "string_suspect",
    "pot_swept",
    "zone_occluded",
    "cards_dealt",
    "cards_mucked",
    "protector",
    "unknown_object",
    "splash",
    "pot_pushed",
    "tap_suspect",
    "bet_pushed_in",
]

LIFTING_MS = 150
"""A hand that takes chips has lifted them at most so long before their place comes to light."""


class Stranger(Enum):
    """Whose arm, not the player's own, covers part of the zone."""

    NOBODY = "nobody"
    DEALER = "dealer"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class ChipsSeen:
    """What lies in a zone that no arm covers.

    ``changed_mm2`` is the area that differs from the last settled picture; ``steady`` says that what lies there has
    kept its shape for a while.
    """

    area_mm2: float
    changed_mm2: float
    footprints: int
    steady: bool


@dataclass(frozen=True, slots=True)
class Beneath:
    """What an arm over the zone leaves to see of what had settled there.

    Area as it was, area that is altered, and of that the area where the bare felt is seen.
    """

    kept_mm2: float
    altered_mm2: float
    bare_mm2: float


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

    event: EventName
    t_first_ns: int
    t_confirm_ns: int
    frame: int
    conf: float
    area_mm2: float = 0.0
    footprints: int = 0
    motions: int = 0


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
    stranger_came_ns: int = 0
    stranger_ns: int = 0
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
    growing: int = 0
    """Frames in a row in which a hand's chips were seen lying there."""
    quiet_ns: int | None = None
    covered_ns: int | None = None
    occlusion_told: bool = False
    change_ns: int | None = None
    kept_ns: int = 0
    """When something that had settled was last seen lying as it was beside an arm over the zone."""
    altered_ns: int | None = None
    """Since when what had settled is seen to be altered beside the arm, dated back to when it was last seen whole."""
    reach: tuple[tuple[int, float], ...] = ()
    """How much the own hand covered, frame by frame, since the zone last settled; of its last two seconds."""
    to_pot: bool = False
    """Whether the own hand has reached beyond the zone since the zone last settled."""
    takes: bool = False
    """Whether chips are seen to be gone beside an arm that is not the player's."""
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


@dataclass(frozen=True, slots=True)
class Watched:
    """The result of one observation; ``adopt`` says which picture is the settled one from here on, if another."""

    state: SeatState
    events: tuple[SeatEvent, ...] = ()
    adopt: Literal["now", "last clear"] | None = None


def watch(state: SeatState, seen: Observation, thresholds: Thresholds) -> Watched:
    """One step of a seat's machine."""
    if _is_interrupted(state, seen, thresholds):
        state, told = _decide(state, _as_last_seen(state, seen), thresholds)
        rest = watch(state, seen, thresholds)
        return Watched(rest.state, told + rest.events, adopt="last clear")
    state, events = _hand(state, seen, thresholds)
    state, occluded = _covered(state, seen, thresholds)
    state, crossing = _crossing(state, seen, thresholds)
    state = _traces(state, seen, thresholds)
    events += occluded + crossing
    if not _is_settled(state, seen, thresholds):
        return Watched(state, events)
    decided, verdict = _decide(state, seen, thresholds)
    return Watched(decided, events + verdict, adopt="now")


def _is_interrupted(state: SeatState, seen: Observation, thresholds: Thresholds) -> bool:
    """Whether another's arm comes over chips that the player has left there, before they have settled for certain."""
    return (
        seen.chips is None
        and seen.stranger is not Stranger.NOBODY
        and not seen.own_near
        and not state.hand
        and state.own_came
        and state.crossed_ns is not None
        and state.quiet_ns is not None
        and state.covered_ns is None
        and state.last_stranger is Stranger.NOBODY
        and state.visible_changed_mm2 >= thresholds.changed_chips * thresholds.chip_mm2
    )


def _as_last_seen(state: SeatState, seen: Observation) -> Observation:
    """The zone as it was before the arm came over it."""
    chips = ChipsSeen(state.visible_mm2, state.visible_changed_mm2, state.visible_footprints, steady=True)
    return replace(seen, stranger=Stranger.NOBODY, chips=chips, beneath=None)


def _ms(milliseconds: int) -> int:
    return milliseconds * 1_000_000


def _hand(state: SeatState, seen: Observation, thresholds: Thresholds) -> tuple[SeatState, tuple[SeatEvent, ...]]:
    """Believes that the hand came or left when K of the last N frames say so."""
    needed, of = (
        (thresholds.leave_confirm, thresholds.leave_confirm_of)
        if state.hand
        else (thresholds.confirm, thresholds.confirm_of)
    )
    present = seen.own_near if state.hand else seen.own_in_zone
    votes = (*state.votes, (seen.t_ns, present))[-of:]
    against = [t_ns for t_ns, vote in votes if vote != state.hand]
    own_ns = seen.t_ns if seen.own_near else state.own_ns
    if len(against) < needed:
        return replace(state, votes=votes, own_ns=own_ns), ()
    first_ns = against[0]
    if not state.hand:
        goes_on = state.motions > 0 and first_ns - state.motion_ns <= _ms(thresholds.same_act_ms)
        entered = replace(
            state,
            hand=True,
            votes=(),
            own_ns=own_ns,
            own_came=True,
            visit=Visit(first_ns, state.visible_mm2, state.visible_changed_mm2),
            motions=state.motions if goes_on else 0,
            growing=0,
        )
        return entered, (SeatEvent("hand_entered", first_ns, seen.t_ns, seen.frame, 0.95),)
    left = replace(state, hand=False, votes=(), own_ns=own_ns, left_ns=first_ns)
    return left, (SeatEvent("hand_left", first_ns, seen.t_ns, seen.frame, 0.95),)


def _covered(state: SeatState, seen: Observation, thresholds: Thresholds) -> tuple[SeatState, tuple[SeatEvent, ...]]:
    if seen.chips is not None:
        return replace(state, covered_ns=None, occlusion_told=False), ()
    since_ns = seen.t_ns if state.covered_ns is None else state.covered_ns
    if state.occlusion_told or seen.t_ns - since_ns < _ms(thresholds.occluded_ms):
        return replace(state, covered_ns=since_ns), ()
    told = SeatEvent("zone_occluded", since_ns, seen.t_ns, seen.frame, 0.9)
    return replace(state, covered_ns=since_ns, occlusion_told=True), (told,)


def _crossing(state: SeatState, seen: Observation, thresholds: Thresholds) -> tuple[SeatState, tuple[SeatEvent, ...]]:
    """Chips of a visit are told once they lie there uncovered in two frames: one motion more."""
    visit = state.visit
    if visit is None or seen.chips is None or state.hand or seen.own_near:
        return state, ()
    least_mm2 = thresholds.occupied_chips * thresholds.chip_mm2
    grown = seen.chips.area_mm2 - visit.area_mm2
    changed = seen.chips.changed_mm2 - visit.changed_mm2
    if not (grown >= least_mm2 or (changed >= least_mm2 and grown > -thresholds.lower_chips * thresholds.chip_mm2)):
        return replace(state, growing=0), ()
    if state.growing + 1 < thresholds.confirm:
        return replace(state, growing=state.growing + 1), ()
    told = replace(
        state,
        visit=None,
        growing=0,
        crossed_ns=visit.t_first_ns if state.crossed_ns is None else state.crossed_ns,
        motions=state.motions + 1,
        motion_ns=seen.t_ns,
    )
    conf = 0.95 if grown >= least_mm2 else 0.7
    crossing = SeatEvent(
        "chips_crossing",
        visit.t_first_ns,
        seen.t_ns,
        seen.frame,
        conf,
        seen.chips.area_mm2,
        seen.chips.footprints,
        told.motions,
    )
    return told, (crossing,)


def _traces(state: SeatState, seen: Observation, thresholds: Thresholds) -> SeatState:
    """Notes who is there, what is visible, and since when it is quiet."""
    if seen.own_near or state.own_came:
        reach = (*state.reach, (seen.t_ns, seen.own_mm2))[-taps.FRAMES :]
        state = replace(state, reach=reach, to_pot=state.to_pot or seen.own_to_pot)
    elif state.reach:
        state = replace(state, reach=(), to_pot=False)
    if seen.stranger is not Stranger.NOBODY:
        # The dealer's arm may lose its root for a moment among others; what was known of it is kept.
        dealer = Stranger.DEALER in (seen.stranger, state.last_stranger)
        stays = seen.t_ns - state.stranger_ns <= _ms(thresholds.hand_pause_ms)
        state = replace(
            state,
            last_stranger=Stranger.DEALER if dealer else Stranger.OTHER,
            stranger_came_ns=state.stranger_came_ns if stays else seen.t_ns,
            stranger_ns=seen.t_ns,
        )
    if seen.chips is None:
        return _beneath(replace(state, quiet_ns=None), seen, thresholds)
    state = replace(
        state,
        takes=False,
        visible_mm2=seen.chips.area_mm2,
        visible_changed_mm2=seen.chips.changed_mm2,
        visible_footprints=seen.chips.footprints,
    )
    if _differs(state, seen.chips, thresholds):
        state = replace(state, change_ns=seen.t_ns if state.change_ns is None else state.change_ns)
    else:
        state = replace(state, change_ns=None, altered_ns=None)
    loud = seen.moving or seen.own_near or state.hand or state.votes_open or seen.stranger is not Stranger.NOBODY
    if loud:
        return replace(state, quiet_ns=None)
    return replace(state, quiet_ns=seen.t_ns if state.quiet_ns is None else state.quiet_ns)


def _beneath(state: SeatState, seen: Observation, thresholds: Thresholds) -> SeatState:
    """Notes since when chips are seen to be taken from beside the arm that is over them."""
    if seen.beneath is None:
        return state
    kept_mm2, altered_mm2 = seen.beneath.kept_mm2, seen.beneath.altered_mm2
    least_mm2 = thresholds.changed_chips * thresholds.chip_mm2
    if altered_mm2 >= least_mm2:
        if state.altered_ns is None:
            since_ns = max(state.kept_ns, seen.t_ns - _ms(LIFTING_MS))
            state = replace(state, altered_ns=since_ns)
    elif kept_mm2 + least_mm2 >= state.settled_mm2:
        state = replace(state, altered_ns=None)
    takes = seen.stranger is not Stranger.NOBODY and not seen.own_near and seen.beneath.bare_mm2 >= least_mm2
    return replace(state, takes=takes, kept_ns=seen.t_ns if kept_mm2 >= least_mm2 / 2 else state.kept_ns)


def _differs(state: SeatState, chips: ChipsSeen, thresholds: Thresholds) -> bool:
    """Whether the picture is another than it settled; a change in which nobody had a hand must be a whole chip's.

    The area alone does not tell: it wavers where a passing arm's shadow is taken out.
    """
    somebody = state.own_came or state.last_stranger is not Stranger.NOBODY
    changed_chips = thresholds.changed_chips if somebody else 1.0
    return chips.changed_mm2 >= changed_chips * thresholds.chip_mm2


def _is_settled(state: SeatState, seen: Observation, thresholds: Thresholds) -> bool:
    something_open = state.own_came or state.last_stranger is not Stranger.NOBODY or state.change_ns is not None
    return (
        something_open
        and state.quiet_ns is not None
        and seen.t_ns - state.quiet_ns >= _ms(thresholds.quiet_ms)
        and seen.chips is not None
        and seen.chips.steady
    )


def _decide(state: SeatState, seen: Observation, thresholds: Thresholds) -> tuple[SeatState, tuple[SeatEvent, ...]]:
    """Says what a settled zone means, and closes what was open."""
    chips = seen.chips
    assert chips is not None
    changed = _differs(state, chips, thresholds)
    name, conf = _meaning(state, chips, seen, thresholds) if changed else (None, 0.0)
    closed = replace(
        state,
        visit=None,
        own_came=False,
        last_stranger=Stranger.NOBODY,
        crossed_ns=None,
        growing=0,
        visible_changed_mm2=0.0,
        change_ns=None,
        altered_ns=None,
        reach=(),
        to_pot=False,
        settled_mm2=chips.area_mm2,
        settled_footprints=chips.footprints,
        settled_ns=seen.t_ns if changed else state.settled_ns,
    )
    if name is None:
        tap = taps.tapped(state.reach, thresholds) if state.own_came else None
        if tap is None:
            return closed, ()
        return closed, (SeatEvent("tap_suspect", tap.t_first_ns, seen.t_ns, seen.frame, tap.conf, motions=tap.touches),)
    motions = max(1, state.motions) if name == "bet_settled" and state.own_came else 0
    first_ns = _began_ns(name, state, chips, seen, thresholds)
    told = SeatEvent(name, first_ns, seen.t_ns, seen.frame, conf, chips.area_mm2, chips.footprints, motions)
    if name != "bet_settled":
        return replace(closed, motions=0), (told,)
    if motions < 2:
        return replace(closed, motions=motions, motion_ns=max(state.motion_ns, state.own_ns)), (told,)
    suspect = replace(told, event="string_suspect", conf=round(conf * 0.9, 3))
    return replace(closed, motion_ns=max(state.motion_ns, state.own_ns)), (suspect, told)


def _began_ns(name: EventName, state: SeatState, chips: ChipsSeen, seen: Observation, thresholds: Thresholds) -> int:
    """When that began which the settled zone shows."""
    if name == "bet_pushed_in" and state.altered_ns is not None:
        return state.altered_ns
    if name == "chips_retracted" and state.own_came:
        return state.left_ns
    if state.crossed_ns is not None:
        return state.crossed_ns
    if state.visit is not None:
        return state.visit.t_first_ns
    if state.last_stranger is not Stranger.NOBODY:
        if chips.area_mm2 - state.settled_mm2 >= thresholds.lower_chips * thresholds.chip_mm2:
            return state.stranger_came_ns  # what another brings comes in with the arm
        if state.altered_ns is not None:
            return state.altered_ns
    return seen.t_ns if state.change_ns is None else state.change_ns


def _meaning(state: SeatState, chips: ChipsSeen, seen: Observation, thresholds: Thresholds) -> tuple[EventName, float]:
    least_mm2 = thresholds.occupied_chips * thresholds.chip_mm2
    grown_mm2 = chips.area_mm2 - state.settled_mm2
    fewer = grown_mm2 <= -least_mm2
    emptied = fewer and chips.area_mm2 < least_mm2
    stranger = state.last_stranger
    by_stranger = stranger is not Stranger.NOBODY
    if state.own_came and by_stranger:
        if fewer:
            swept = emptied and stranger is Stranger.DEALER and state.stranger_ns >= state.own_ns
            return ("pot_swept", 0.7) if swept else ("chips_retracted", 0.6)
        return "bet_settled", 0.7
    if state.own_came:
        if fewer and state.to_pot and state.altered_ns is not None:
            return "bet_pushed_in", 0.8
        if fewer:
            return "chips_retracted", 0.95
        if grown_mm2 <= -thresholds.lower_chips * thresholds.chip_mm2:
            return "chips_retracted", 0.6
        return "bet_settled", 0.95 if grown_mm2 >= least_mm2 else 0.7
    if by_stranger:
        if emptied:
            return "pot_swept", 0.95 if stranger is Stranger.DEALER else 0.6
        return "bet_amended", 0.6
    soon = state.settled_ns is not None and seen.t_ns - state.settled_ns <= _ms(thresholds.amend_ms)
    if emptied and not soon:
        return "pot_swept", 0.4
    if grown_mm2 >= least_mm2 and not soon:
        return "bet_settled", 0.5
    return "bet_amended", 0.8 if soon else 0.4
