"""What happened at one seat's line: a pure state machine over what was seen in each frame.

``watch(state, seen, thresholds)`` gives the next state, the events that are now certain, and whether the picture of
this frame is to be taken as the settled one. Time comes in with each observation; events are dated back to the frame
that first showed what a later one confirmed.

A seat is at rest, or something is open; the phases and the ways between them are a table (`phases`). What is open is
decided when the zone has settled: no hand, no motion and no change of what lies there for a while. Who had reached in
decides what a change means: the player's own hand bets or takes back, the dealer's sweeps the pot or makes change, and
what moved by itself soon after settling is the same bet, amended.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from vision.frame.events import CameraEvent
from vision.seats import taps, under_arm
from vision.seats.phases import Phase, Trigger
from vision.seats.state import (
    ChipsSeen,
    Mean,
    Observation,
    Open,
    OtherTrace,
    OwnHand,
    SeatState,
    Stranger,
    Visit,
    differs,
    ns,
)
from vision.seats.verdict import SlabSeen, classify_settled_change, with_slab
from vision.tuning.thresholds import Thresholds

SHALLOW_CHIPS: Final = 1.2
"""Chip areas: a hand that was never seen larger at the line may be a knocking one."""
SHALLOW_MORE_FRAMES: Final = 3
"""Such a hand has left only after so many frames more: between two knocks it may be out of sight."""
WITHDRAWN_FRAMES: Final = 2
"""A hand has left after so few frames in a row where the zone is still and something moves behind the line."""
NARROW_MORE_FRAMES: Final = 3
"""What is no broader than chips is a hand only after so many frames more: chips have left the fingers by then."""
ROOTED_FRAMES: Final = 2
"""What hangs together with the own rail is a hand after so few frames in a row: no chip that flies does."""
CROSSING_FRAMES: Final = 2
"""Chips beside others are believed after so many frames in which no hand is over them."""
HAND_CONF: Final = 0.95
"""Confidence in a hand that several frames showed."""
OCCLUDED_CONF: Final = 0.9
"""Confidence in a cover that has lasted for seconds."""
BESIDE_CONF, ON_TOP_CONF = 0.95, 0.7
"""Confidence in chips that lie beside others, and in those on top of others, where the area hardly grows."""

Events = tuple[CameraEvent, ...]


@dataclass(frozen=True, slots=True)
class Watched:
    """The result of one observation; ``adopt`` says which picture is the settled one from here on, if another."""

    state: SeatState
    events: Events = ()
    adopt: Literal["now", "last clear"] | None = None


def watch(state: SeatState, seen: Observation, thresholds: Thresholds, slab_mm2: SlabSeen = lambda: 0.0) -> Watched:
    """One step of a seat's machine; ``slab_mm2`` is asked only when something is about to be said of chips."""
    if _is_interrupted(state, seen, thresholds):
        state, change = classify_settled_change(state, _as_last_seen(state, seen), thresholds, slab_mm2)
        rest = watch(state, seen, thresholds, slab_mm2)
        return Watched(rest.state, change + rest.events, adopt="last clear")
    state = _leave_rest(state, seen, thresholds)
    state, hand = _hand(state, seen, thresholds)
    state, occluded = _covered(state, seen, thresholds)
    state, crossing = _crossing(state, seen, thresholds, slab_mm2)
    state = _note_visible(_note_other(_note_own(state, seen), seen, thresholds), seen, thresholds)
    events = hand + occluded + crossing
    if not _is_settled(state, seen, thresholds):
        return Watched(state.cleared(), events)
    state, change = classify_settled_change(state, seen, thresholds, slab_mm2)
    return Watched(state, events + change, adopt="now")


def was_dealers(state: SeatState, t_ns: int) -> SeatState:
    """The state where the arm that was taken for the player's has proved at ``t_ns`` to be the dealer's."""
    if state.open is None or state.own is None:
        return state
    account = replace(state.open, stranger=Stranger.DEALER)
    return replace(state, open=account, other_trace=OtherTrace(state.own_trace.entered_ns, t_ns))


def _is_interrupted(state: SeatState, seen: Observation, thresholds: Thresholds) -> bool:
    """Whether another's arm comes over chips that the player has left there, before they have settled for certain."""
    return (
        state.phase is Phase.HAND_GONE
        and state.own is not None
        and state.own.crossed_ns is not None
        and state.stranger is Stranger.NOBODY
        and state.covered_ns is None
        and state.sight.quiet_ns is not None
        and state.sight.changed_mm2 >= thresholds.changed_chips * thresholds.chip_mm2
        and seen.chips is None
        and seen.stranger is not Stranger.NOBODY
        and not seen.own_near
    )


def _as_last_seen(state: SeatState, seen: Observation) -> Observation:
    """The zone as it was before the arm came over it."""
    sight = state.sight
    chips = ChipsSeen(sight.area_mm2, sight.changed_mm2, sight.footprints, steady=True)
    return replace(seen, stranger=Stranger.NOBODY, chips=chips, beneath=None)


def _leave_rest(state: SeatState, seen: Observation, thresholds: Thresholds) -> SeatState:
    """Leaves rest where anything but rest is seen."""
    if state.phase is not Phase.REST:
        return state
    somebody = seen.own_in_zone or seen.stranger is not Stranger.NOBODY
    if somebody or seen.chips is None or differs(state, seen.chips, thresholds):
        return state.after(Trigger.DISTURBANCE, open=Open(), own=None)
    return state


def _hand(state: SeatState, seen: Observation, thresholds: Thresholds) -> tuple[SeatState, Events]:
    """Believes that the hand came or left when K of the last N frames say so."""
    inside, trace = state.phase is Phase.HAND_IN, state.own_trace
    needed, of = thresholds.confirm, thresholds.confirm_of
    shallow = False
    if inside:
        needed, of = thresholds.leave_confirm, thresholds.leave_confirm_of
        shallow = all(area_mm2 < SHALLOW_CHIPS * thresholds.chip_mm2 for _, area_mm2 in trace.reach)
        if shallow:
            needed, of = needed + SHALLOW_MORE_FRAMES, of + SHALLOW_MORE_FRAMES
    trace = replace(
        trace,
        near_ns=seen.t_ns if seen.own_near else trace.near_ns,
        broad_ns=seen.t_ns if seen.own_in_zone and seen.own_broad else trace.broad_ns,
        rooted_frames=trace.rooted_frames + 1 if seen.own_rooted else 0,
    )
    votes = (*trace.votes, (seen.t_ns, seen.own_near if inside else seen.own_in_zone))
    if not inside and trace.broad_ns < votes[0][0]:  # what was never broad must be there in frame after frame
        needed, of = needed + NARROW_MORE_FRAMES, of + NARROW_MORE_FRAMES
        votes = votes if seen.own_in_zone else ()
    if not inside and trace.rooted_frames >= ROOTED_FRAMES:
        needed = min(needed, ROOTED_FRAMES)
    votes = votes[-of:]
    against = [t_ns for t_ns, vote in votes if vote != inside]
    trace = replace(trace, votes=votes)
    withdrawn = inside and seen.withdraws and not shallow and len(against) >= WITHDRAWN_FRAMES
    withdrawn = withdrawn and not any(vote for _, vote in votes[-WITHDRAWN_FRAMES:])
    if len(against) < needed and not withdrawn:
        return replace(state, own_trace=trace), ()
    first_ns = against[0]
    event = CameraEvent(
        kind="hand_left" if inside else "hand_entered",
        seat=seen.seat,
        t_first_ns=first_ns,
        t_confirm_ns=seen.t_ns,
        frame=seen.frame,
        conf=HAND_CONF,
    )
    if inside:
        state = replace(state, own_trace=replace(trace, votes=(), left_ns=first_ns))
        return state.after(Trigger.HAND_LEFT, open=state.open, own=state.own), (event,)
    state = replace(state, own_trace=replace(trace, votes=(), entered_ns=first_ns))
    return _entered(state, first_ns, thresholds), (event,)


def _entered(state: SeatState, first_ns: int, thresholds: Thresholds) -> SeatState:
    """A new stay of the hand: its motion belongs to the same act as the one before, or begins another."""
    sight, act = state.sight, state.act
    goes_on = act.motions > 0 and first_ns - act.last_ns <= ns(thresholds.same_act_ms)
    visit = Visit(first_ns, sight.before.mm2(sight.area_mm2), sight.changed_mm2)
    own = OwnHand(visit, None if state.own is None else state.own.crossed_ns)
    state = state if goes_on else replace(state, act=replace(act, motions=0))
    return state.after(Trigger.HAND_ENTERED, open=state.open, own=own)


def _covered(state: SeatState, seen: Observation, thresholds: Thresholds) -> tuple[SeatState, Events]:
    """Since when an arm covers the zone; reported once, when it has for long."""
    account = state.open
    if account is None:
        return state, ()
    if seen.chips is not None:
        return replace(state, open=replace(account, covered_ns=None, occlusion_reported=False)), ()
    since_ns = seen.t_ns if account.covered_ns is None else account.covered_ns
    if account.occlusion_reported or seen.t_ns - since_ns < ns(thresholds.occluded_ms):
        return replace(state, open=replace(account, covered_ns=since_ns)), ()
    event = CameraEvent(
        kind="zone_occluded",
        seat=seen.seat,
        t_first_ns=since_ns,
        t_confirm_ns=seen.t_ns,
        frame=seen.frame,
        conf=OCCLUDED_CONF,
    )
    return replace(state, open=replace(account, covered_ns=since_ns, occlusion_reported=True)), (event,)


def _crossing(
    state: SeatState, seen: Observation, thresholds: Thresholds, slab_mm2: SlabSeen
) -> tuple[SeatState, Events]:
    """Chips of a visit are certain once they lie there uncovered in two frames: one motion more."""
    own, chips = state.own, seen.chips
    if own is None or own.visit is None or chips is None or state.phase is Phase.HAND_IN or seen.own_near:
        return state, ()
    visit = own.visit
    least_mm2 = thresholds.occupied_chips * thresholds.chip_mm2
    rise_mm2 = thresholds.lower_chips * thresholds.chip_mm2
    grown_mm2 = chips.compared_mm2 - visit.area_mm2
    changed_mm2 = chips.changed_mm2 - visit.changed_mm2
    if chips.changed_mm2 < thresholds.changed_chips * thresholds.chip_mm2:
        return replace(state, own=replace(own, growing=Mean())), ()  # the area wavers with the shadow of the arm
    if grown_mm2 < least_mm2 and not (changed_mm2 >= least_mm2 and grown_mm2 > -rise_mm2):
        return replace(state, own=replace(own, growing=Mean())), ()
    own = replace(own, growing=own.growing.updated(chips.compared_mm2))
    beside = grown_mm2 >= least_mm2 and own.growing.frames >= CROSSING_FRAMES
    on_top = own.growing.frames >= thresholds.stacked_frames and own.growing.mm2(0.0) - visit.area_mm2 >= rise_mm2
    if not (beside or on_top):
        return replace(state, own=own), ()
    crossed_ns = visit.t_first_ns if own.crossed_ns is None else own.crossed_ns
    motions = state.act.motions + 1
    state = replace(
        state,
        own=OwnHand(None, crossed_ns),
        sight=replace(state.sight, before=Mean()),
        act=replace(state.act, motions=motions, last_ns=seen.t_ns),
    )
    state, slab = with_slab(state, seen, visit.t_first_ns, slab_mm2)
    if state.settled.slab:
        return state, slab
    event = CameraEvent(
        kind="chips_crossing",
        seat=seen.seat,
        t_first_ns=visit.t_first_ns,
        t_confirm_ns=seen.t_ns,
        frame=seen.frame,
        conf=BESIDE_CONF if beside else ON_TOP_CONF,
        area_mm2=chips.area_mm2,
        footprints=chips.footprints,
        motions=motions,
    )
    return state, (event,)


def _note_own(state: SeatState, seen: Observation) -> SeatState:
    """Notes how far the own hand reaches."""
    trace = state.own_trace
    if seen.own_near or state.own is not None:
        reach = (*trace.reach, (seen.t_ns, seen.own_mm2))[-taps.FRAMES :]
        trace = replace(trace, reach=reach, to_pot_ns=seen.t_ns if seen.own_to_pot else trace.to_pot_ns)
    elif trace.reach:
        trace = replace(trace, reach=())
    if seen.own_about:
        trace = replace(trace, about_ns=seen.t_ns)
    return replace(state, own_trace=trace)


def _note_other(state: SeatState, seen: Observation, thresholds: Thresholds) -> SeatState:
    """Notes another's arm; the dealer's may lose its root for a moment among others, and stays the dealer's."""
    if state.open is None or seen.stranger is Stranger.NOBODY:
        return state
    dealer = Stranger.DEALER in (seen.stranger, state.stranger)
    stays = seen.t_ns - state.other_trace.seen_ns <= ns(thresholds.hand_pause_ms)
    account = replace(state.open, stranger=Stranger.DEALER if dealer else Stranger.OTHER)
    state = replace(state, other_trace=OtherTrace(state.other_trace.came_ns if stays else seen.t_ns, seen.t_ns))
    return state.after(Trigger.OTHER_SEEN, open=account, own=state.own)


def _note_visible(state: SeatState, seen: Observation, thresholds: Thresholds) -> SeatState:
    """Notes what lies there, since when it differs, and since when it is quiet."""
    if seen.chips is None:
        loud = replace(state.sight, quiet_ns=None, since_quiet=Mean())
        return _note_beneath(replace(state, sight=loud), seen, thresholds)
    chips = seen.chips
    sight = replace(state.sight, area_mm2=chips.area_mm2, changed_mm2=chips.changed_mm2, footprints=chips.footprints)
    state = _note_change(replace(state, under=replace(state.under, takes=False)), seen, chips, thresholds)
    hand = seen.own_near or state.phase is Phase.HAND_IN or state.votes_open
    if seen.moving or hand or seen.stranger is not Stranger.NOBODY or _in_odd_light(state, chips, thresholds):
        return replace(state, sight=replace(sight, quiet_ns=None, since_quiet=Mean()))
    sight = replace(
        sight,
        quiet_ns=seen.t_ns if sight.quiet_ns is None else sight.quiet_ns,
        since_quiet=sight.since_quiet.updated(chips.compared_mm2),
        before=sight.before.updated(chips.compared_mm2),
    )
    if state.phase in (Phase.REST, Phase.DISTURBED) and state.change_ns is None:
        mean = state.settled.mean.updated(chips.compared_mm2)
        return replace(state, sight=sight, settled=replace(state.settled, mean=mean))
    return replace(state, sight=sight)


def _in_odd_light(state: SeatState, chips: ChipsSeen, thresholds: Thresholds) -> bool:
    """Whether the zone looks different though nothing came or went: what seems to lie there may be a shadow."""
    nobody = state.own is None and state.stranger is Stranger.NOBODY and state.change_ns is None
    return nobody and chips.changed_mm2 >= thresholds.changed_chips * thresholds.chip_mm2


def _note_change(state: SeatState, seen: Observation, chips: ChipsSeen, thresholds: Thresholds) -> SeatState:
    """Notes since when something lies differently than it settled."""
    if not differs(state, chips, thresholds):
        account = None if state.open is None else replace(state.open, change_ns=None)
        return replace(state, open=account, under=state.under.unaltered)
    if state.open is None or state.open.change_ns is not None:
        return state
    return replace(state, open=replace(state.open, change_ns=seen.t_ns))


def _note_beneath(state: SeatState, seen: Observation, thresholds: Thresholds) -> SeatState:
    """Notes what is seen of settled chips beside the arm that is over them."""
    if seen.beneath is None:
        return state
    visit = None if state.own is None else state.own.visit
    came_ns = state.other_trace.came_ns if visit is None else visit.t_first_ns
    stranger = seen.stranger is not Stranger.NOBODY and not seen.own_near
    under = under_arm.beside(
        state.under, seen.beneath, seen.t_ns, came_ns, state.settled.area_mm2, thresholds, stranger=stranger
    )
    return replace(state, under=under)


def _is_settled(state: SeatState, seen: Observation, thresholds: Thresholds) -> bool:
    """Whether what is open can be decided now."""
    something_open = state.phase in (Phase.HAND_GONE, Phase.OTHERS_ARM) or state.change_ns is not None
    quiet_ns = state.sight.quiet_ns
    return (
        something_open
        and quiet_ns is not None
        and seen.t_ns - quiet_ns >= ns(thresholds.quiet_ms)
        and seen.chips is not None
        and seen.chips.steady
    )
