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
from typing import Literal

from vision.seats import taps, under_arm
from vision.seats.state import (
    ChipsSeen,
    Mean,
    Observation,
    SeatEvent,
    SeatState,
    Stranger,
    Visit,
    differs,
    ns,
)
from vision.seats.verdict import decided_by
from vision.tuning.thresholds import Thresholds

STACKED_FRAMES = 4
"""So many frames must show chips that came to rest on others, where the area hardly grows."""
SHALLOW_CHIPS = 1.2
SHALLOW_MORE_FRAMES = 3
"""A hand that was seen so little at the line, a knocking one, has left only after so many frames more."""


@dataclass(frozen=True, slots=True)
class Watched:
    """The result of one observation; ``adopt`` says which picture is the settled one from here on, if another."""

    state: SeatState
    events: tuple[SeatEvent, ...] = ()
    adopt: Literal["now", "last clear"] | None = None


def watch(state: SeatState, seen: Observation, thresholds: Thresholds) -> Watched:
    """One step of a seat's machine."""
    if _is_interrupted(state, seen, thresholds):
        state, told = decided_by(state, _as_last_seen(state, seen), thresholds)
        rest = watch(state, seen, thresholds)
        return Watched(rest.state, told + rest.events, adopt="last clear")
    state, events = _hand(state, seen, thresholds)
    state, occluded = _covered(state, seen, thresholds)
    state, crossing = _crossing(state, seen, thresholds)
    state = _traces(state, seen, thresholds)
    events += occluded + crossing
    if not _is_settled(state, seen, thresholds):
        return Watched(state, events)
    decided, verdict = decided_by(state, seen, thresholds)
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


def _hand(state: SeatState, seen: Observation, thresholds: Thresholds) -> tuple[SeatState, tuple[SeatEvent, ...]]:
    """Believes that the hand came or left when K of the last N frames say so."""
    needed, of = (
        (thresholds.leave_confirm, thresholds.leave_confirm_of)
        if state.hand
        else (thresholds.confirm, thresholds.confirm_of)
    )
    if state.hand and all(area < SHALLOW_CHIPS * thresholds.chip_mm2 for _, area in state.reach):
        needed, of = needed + SHALLOW_MORE_FRAMES, of + SHALLOW_MORE_FRAMES
    present = seen.own_near if state.hand else seen.own_in_zone
    votes = (*state.votes, (seen.t_ns, present))[-of:]
    against = [t_ns for t_ns, vote in votes if vote != state.hand]
    own_ns = seen.t_ns if seen.own_near else state.own_ns
    if len(against) < needed:
        return replace(state, votes=votes, own_ns=own_ns), ()
    first_ns = against[0]
    if not state.hand:
        goes_on = state.motions > 0 and first_ns - state.motion_ns <= ns(thresholds.same_act_ms)
        entered = replace(
            state,
            hand=True,
            votes=(),
            own_ns=own_ns,
            own_came=True,
            visit=Visit(first_ns, state.before.mm2(state.visible_mm2), state.visible_changed_mm2),
            motions=state.motions if goes_on else 0,
            growing=Mean(),
        )
        return entered, (SeatEvent("hand_entered", first_ns, seen.t_ns, seen.frame, 0.95),)
    left = replace(state, hand=False, votes=(), own_ns=own_ns, left_ns=first_ns)
    return left, (SeatEvent("hand_left", first_ns, seen.t_ns, seen.frame, 0.95),)


def _covered(state: SeatState, seen: Observation, thresholds: Thresholds) -> tuple[SeatState, tuple[SeatEvent, ...]]:
    if seen.chips is not None:
        return replace(state, covered_ns=None, occlusion_told=False), ()
    since_ns = seen.t_ns if state.covered_ns is None else state.covered_ns
    if state.occlusion_told or seen.t_ns - since_ns < ns(thresholds.occluded_ms):
        return replace(state, covered_ns=since_ns), ()
    told = SeatEvent("zone_occluded", since_ns, seen.t_ns, seen.frame, 0.9)
    return replace(state, covered_ns=since_ns, occlusion_told=True), (told,)


def _crossing(state: SeatState, seen: Observation, thresholds: Thresholds) -> tuple[SeatState, tuple[SeatEvent, ...]]:
    """Chips of a visit are told once they lie there uncovered in two frames: one motion more."""
    visit = state.visit
    if visit is None or seen.chips is None or state.hand or seen.own_near:
        return state, ()
    least_mm2 = thresholds.occupied_chips * thresholds.chip_mm2
    rise_mm2 = thresholds.lower_chips * thresholds.chip_mm2
    grown_mm2 = seen.chips.area_mm2 - visit.area_mm2
    changed_mm2 = seen.chips.changed_mm2 - visit.changed_mm2
    if grown_mm2 < least_mm2 and not (changed_mm2 >= least_mm2 and grown_mm2 > -rise_mm2):
        return replace(state, growing=Mean()), ()
    state = replace(state, growing=state.growing.and_(seen.chips.area_mm2))
    beside = grown_mm2 >= least_mm2 and state.growing.frames >= thresholds.confirm
    on_top = state.growing.frames >= STACKED_FRAMES and state.growing.mm2(0.0) - visit.area_mm2 >= rise_mm2
    if not (beside or on_top):
        return state, ()
    told = _crossed(state, visit, seen)
    conf = 0.95 if beside else 0.7
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


def _crossed(state: SeatState, visit: Visit, seen: Observation) -> SeatState:
    """The state with one motion more, which began with that visit."""
    return replace(
        state,
        visit=None,
        growing=Mean(),
        before=Mean(),
        crossed_ns=visit.t_first_ns if state.crossed_ns is None else state.crossed_ns,
        motions=state.motions + 1,
        motion_ns=seen.t_ns,
    )


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
        stays = seen.t_ns - state.stranger_ns <= ns(thresholds.hand_pause_ms)
        state = replace(
            state,
            last_stranger=Stranger.DEALER if dealer else Stranger.OTHER,
            stranger_came_ns=state.stranger_came_ns if stays else seen.t_ns,
            stranger_ns=seen.t_ns,
        )
    if seen.chips is None:
        return _beneath(replace(state, quiet_ns=None, since_quiet=Mean()), seen, thresholds)
    state = replace(
        state,
        under=replace(state.under, takes=False),
        visible_mm2=seen.chips.area_mm2,
        visible_changed_mm2=seen.chips.changed_mm2,
        visible_footprints=seen.chips.footprints,
    )
    if differs(state, seen.chips, thresholds):
        state = replace(state, change_ns=seen.t_ns if state.change_ns is None else state.change_ns)
    else:
        state = replace(state, change_ns=None, under=state.under.unaltered)
    loud = seen.moving or seen.own_near or state.hand or state.votes_open or seen.stranger is not Stranger.NOBODY
    if loud:
        return replace(state, quiet_ns=None, since_quiet=Mean())
    somebody = state.own_came or state.last_stranger is not Stranger.NOBODY
    lay = state.at_rest_mm2.and_(seen.chips.area_mm2)
    return replace(
        state,
        quiet_ns=seen.t_ns if state.quiet_ns is None else state.quiet_ns,
        since_quiet=state.since_quiet.and_(seen.chips.area_mm2),
        before=state.before.and_(seen.chips.area_mm2),
        at_rest_mm2=state.at_rest_mm2 if somebody or state.change_ns is not None else lay,
    )


def _beneath(state: SeatState, seen: Observation, thresholds: Thresholds) -> SeatState:
    """Notes what is seen of settled chips beside the arm that is over them."""
    if seen.beneath is None:
        return state
    came_ns = state.stranger_came_ns if state.visit is None else state.visit.t_first_ns
    stranger = seen.stranger is not Stranger.NOBODY and not seen.own_near
    under = under_arm.beside(
        state.under, seen.beneath, seen.t_ns, came_ns, state.settled_mm2, thresholds, stranger=stranger
    )
    return replace(state, under=under)


def _is_settled(state: SeatState, seen: Observation, thresholds: Thresholds) -> bool:
    something_open = state.own_came or state.last_stranger is not Stranger.NOBODY or state.change_ns is not None
    return (
        something_open
        and state.quiet_ns is not None
        and seen.t_ns - state.quiet_ns >= ns(thresholds.quiet_ms)
        and seen.chips is not None
        and seen.chips.steady
    )
