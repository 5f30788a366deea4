"""What a settled zone means: who had a hand in it, and how what lies there differs from what lay there before.

Where a stack grew or shrank by a chip the areas of many frames are compared; a single one is noisier than that chip.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from betline.messages.devices import SeatEventType
from vision.frame.events import CameraEvent
from vision.seats import taps
from vision.seats.phases import Trigger
from vision.seats.state import Act, ChipsSeen, Mean, Observation, SeatState, Stranger, differs, ns
from vision.tuning.thresholds import Thresholds

BROUGHT_CHIPS: Final = 0.4
"""Chip areas where nothing lay: so much was brought there; chips that are only moved a little show less."""
ONE_CHIP_RIM: Final = 0.05
"""Chip areas that look different where a stack of one colour is a chip higher or lower; a hand above it changes 0."""
ONE_CHIP_GROWS: Final = 0.02
"""And by so many chip areas it is larger or smaller, which no mean of frames without a change has shown."""
ONE_CHIP_FRAMES: Final = 8
"""Frames before and after of which means can be compared so finely."""
SURE_CONF: Final = 0.95
"""Confidence where half a chip or more came or went, and only one can have done it."""
PUSHED_CONF: Final = 0.8
"""Chips left with the own hand, which went on to the pot."""
SOON_CONF: Final = 0.8
"""What moved by itself soon after settling is a stack that toppled."""
STACKED_CONF: Final = 0.7
"""A stack grew by a chip."""
SHARED_CONF: Final = 0.7
"""The player was there and another too; what lies there hardly leaves a doubt who did it."""
DOUBTFUL_CONF: Final = 0.6
"""A stack shrank by a chip, or it is open which of two did it, or why."""
TOSSED_CONF: Final = 0.8
"""Chips came by themselves while the player's arm was over the stacks: they were tossed."""
TOSS_NS: Final = 1_000_000_000
"""Whose arm was there so short a time before chips came has tossed them."""
FLIGHT_NS: Final = 500_000_000
"""Chips that are tossed onto a fresh bet come while the arm is there, or so soon after: later the stack has toppled."""
NOBODY_MOST_CHIPS: Final = 12.0
"""Chip areas that come or go without a hand at most: more is light, or somebody who leans over."""
NOBODY_CONF: Final = 0.5
"""Chips came that nobody was seen to bring."""
UNSURE_CONF: Final = 0.4
"""The picture differs where no more and no less lies there, or nobody was seen to take what is gone."""
STRING_SHARE: Final = 0.9
"""A string is a little less sure than the bet that completes it."""
SLAB_CONF: Final = 0.8
"""Confidence that a smooth slab is no bet."""
LAID_NS: Final = 250_000_000
"""A hand covers what it lays down; by then, after it has come, a thing lies there."""

GIVEN_BACK_NS: Final = 400_000_000
"""The dealer's arm that goes on from a bet to its player's stacks so soon gives it back; the pot lies elsewhere."""
UNCOVERED_NS: Final = 300_000_000
"""So long after the arm has come to the stacks, or no longer hides the zone, it is seen that the chips are gone."""

SlabSeen = Callable[[], float]
"""The area in mm2 of a smooth slab, a phone, that is most of what lies in the zone now; 0 where there is none."""

_BETS: Final[frozenset[SeatEventType]] = frozenset({"bet_settled", "bet_amended"})
_TAKEN: Final[frozenset[SeatEventType]] = frozenset({"chips_retracted", "pot_swept"})
_LOST: Final[frozenset[SeatEventType]] = _TAKEN | {"bet_pushed_in"}


def classify_settled_change(
    state: SeatState, seen: Observation, thresholds: Thresholds, slab_mm2: SlabSeen
) -> tuple[SeatState, tuple[CameraEvent, ...]]:
    """The state at rest, and what has happened since the zone last settled; ``seen.chips`` is what lies there now."""
    chips = seen.chips
    assert chips is not None
    if not differs(state, chips, thresholds) and not _by_one_chip(state, chips, thresholds):
        return _at_rest(state, chips), _tap(state, seen, thresholds)
    kind, conf = _kind(state, chips, seen, thresholds)
    if kind is None:
        return _at_rest(state, chips), ()
    first_ns = _onset_ns(kind, state, chips, seen, thresholds)
    if kind == "pot_swept" and _is_given_back(seen, first_ns):
        kind, conf, first_ns = "bet_amended", DOUBTFUL_CONF, min(first_ns, seen.onward_ns)
    closed = _at_rest(state, chips)
    lost_ns = seen.t_ns if kind in _LOST else closed.settled.lost_ns
    closed = replace(closed, settled=replace(closed.settled, changed_ns=seen.t_ns, lost_ns=lost_ns))
    closed, slab = with_slab(closed, seen, first_ns, slab_mm2)
    event = CameraEvent(
        kind=kind,
        seat=seen.seat,
        t_first_ns=first_ns,
        t_confirm_ns=seen.t_ns,
        frame=seen.frame,
        conf=conf,
        area_mm2=chips.area_mm2,
        footprints=chips.footprints,
    )
    if kind == "bet_settled":
        closed, bet = _settled_bet(state, closed, event, thresholds)
    else:
        closed, bet = replace(closed, act=replace(closed.act, motions=0)), (event,)
    if (kind in _BETS and closed.settled.slab) or (kind in _TAKEN and state.settled.slab):
        return closed, slab
    return closed, (*bet, *slab)


def _is_given_back(seen: Observation, first_ns: int) -> bool:
    """Whether the dealer's arm took a bet, seen to be gone at ``first_ns``, on to its player's stacks."""
    seen_ns = max(seen.onward_ns, seen.hid_ns) + UNCOVERED_NS
    return seen.onward_ns - GIVEN_BACK_NS <= first_ns <= seen_ns


def with_slab(
    state: SeatState, seen: Observation, first_ns: int, slab_mm2: SlabSeen
) -> tuple[SeatState, tuple[CameraEvent, ...]]:
    """The state with what is known of a slab in the zone, and the strange thing that is new there.

    To be asked before anything is said of chips; ``first_ns`` is when what lies there came.
    """
    area_mm2 = slab_mm2()
    known = state.settled.slab
    state = replace(state, settled=replace(state.settled, slab=area_mm2 > 0))
    if known or not state.settled.slab:
        return state, ()
    event = CameraEvent(
        kind="unknown_object",
        seat=seen.seat,
        t_first_ns=_laid_ns(state, first_ns),
        t_confirm_ns=seen.t_ns,
        frame=seen.frame,
        conf=SLAB_CONF,
        area_mm2=area_mm2,
    )
    return state, (event,)


def _laid_ns(state: SeatState, first_ns: int) -> int:
    """A little after the hand had come over the line; it covers what it lays down."""
    entered_ns, left_ns = state.own_trace.entered_ns, state.own_trace.left_ns
    if first_ns > entered_ns or left_ns <= entered_ns:
        return first_ns
    return min(entered_ns + LAID_NS, (entered_ns + left_ns) // 2)


def _at_rest(state: SeatState, chips: ChipsSeen) -> SeatState:
    """The state with everything closed that was open."""
    lies = state.sight.since_quiet
    closed = replace(
        state,
        settled=replace(state.settled, area_mm2=chips.area_mm2, footprints=chips.footprints, mean=lies),
        sight=replace(state.sight, changed_mm2=0.0, since_quiet=Mean(), before=lies),
        own_trace=replace(state.own_trace, reach=()),
        under=state.under.unaltered,
    )
    return closed.after(Trigger.SETTLED, open=None, own=None)


def _tap(state: SeatState, seen: Observation, thresholds: Thresholds) -> tuple[CameraEvent, ...]:
    """The knocks of a hand that has brought and taken nothing."""
    tap = taps.tapped(state.own_trace.reach, thresholds) if state.own is not None else None
    if tap is None:
        return ()
    event = CameraEvent(
        kind="tap_suspect",
        seat=seen.seat,
        t_first_ns=tap.t_first_ns,
        t_confirm_ns=seen.t_ns,
        frame=seen.frame,
        conf=tap.conf,
        motions=tap.touches,
    )
    return (event,)


def _settled_bet(
    state: SeatState, closed: SeatState, event: CameraEvent, thresholds: Thresholds
) -> tuple[SeatState, tuple[CameraEvent, ...]]:
    """A bet with its motions; before it a crossing that no single frame showed, and the string that it may be."""
    own = state.own
    motions = 0 if own is None else max(1, state.act.motions)
    crossing: tuple[CameraEvent, ...] = ()
    if own is not None and own.visit is not None and event.conf > UNSURE_CONF:  # on top of others
        motions = state.act.motions + 1
        crossing = (replace(event, kind="chips_crossing", motions=motions),)
    last_ns = max(state.act.last_ns, state.own_trace.near_ns)
    if _tossed(state) and event.conf == TOSSED_CONF:
        goes_on = event.t_first_ns - state.act.last_ns <= ns(thresholds.same_act_ms)
        motions, last_ns = (state.act.motions if goes_on else 0) + 1, event.t_confirm_ns
        crossing = (replace(event, kind="chips_crossing", motions=motions),)
    bet = replace(event, motions=motions)
    if motions < 2:
        return replace(closed, act=Act(motions, last_ns)), (*crossing, bet)
    suspect = replace(bet, kind="string_suspect", conf=round(bet.conf * STRING_SHARE, 3))
    return replace(closed, act=replace(closed.act, last_ns=last_ns)), (*crossing, suspect, bet)


def _onset_ns(
    kind: SeatEventType, state: SeatState, chips: ChipsSeen, seen: Observation, thresholds: Thresholds
) -> int:
    """Onset of the change now visible."""
    if kind in ("bet_pushed_in", "pot_swept") and state.own is not None and state.under.altered_ns is not None:
        return state.under.altered_ns
    if state.own is not None:
        if kind == "chips_retracted":
            return state.own_trace.left_ns
        if state.own.crossed_ns is not None:
            return state.own.crossed_ns
        if state.own.visit is not None:
            return state.own.visit.t_first_ns
    if state.stranger is not Stranger.NOBODY:
        rise_mm2 = thresholds.lower_chips * thresholds.chip_mm2
        grown = state.under.altered_ns is None and _grown_mm2(state, chips) >= rise_mm2
        if grown or chips.new_mm2 >= BROUGHT_CHIPS * thresholds.chip_mm2:
            return state.other_trace.came_ns  # what another brings comes in with the arm
        if state.under.altered_ns is not None:
            return state.under.altered_ns
    return seen.t_ns if state.change_ns is None else state.change_ns


def _grown_mm2(state: SeatState, chips: ChipsSeen) -> float:
    """By how much more lies there than before, from the means of many frames."""
    return state.sight.since_quiet.mm2(chips.compared_mm2) - state.settled.mean.mm2(state.settled.area_mm2)


def _by_one_chip(state: SeatState, chips: ChipsSeen, thresholds: Thresholds) -> bool:
    """Whether the player, alone there, changed the height of a stack of one colour: only its rim looks different."""
    if state.own is None or state.stranger is not Stranger.NOBODY or chips.against_cards:
        return False
    if state.settled.mean.frames < ONE_CHIP_FRAMES:
        return False
    rim = chips.changed_mm2 >= ONE_CHIP_RIM * thresholds.chip_mm2
    return rim and abs(_grown_mm2(state, chips)) >= ONE_CHIP_GROWS * thresholds.chip_mm2


def _kind(
    state: SeatState, chips: ChipsSeen, seen: Observation, thresholds: Thresholds
) -> tuple[SeatEventType | None, float]:
    """What a change means, and how sure that is, by who had a hand in it; None of what cannot be chips."""
    grown_mm2 = _grown_mm2(state, chips)
    fewer = grown_mm2 <= -thresholds.occupied_chips * thresholds.chip_mm2
    emptied = fewer and chips.area_mm2 < thresholds.occupied_chips * thresholds.chip_mm2
    if state.own is None:
        if state.stranger is Stranger.NOBODY and _is_light(state, chips, thresholds):
            return None, UNSURE_CONF
        return _by_others(state, seen, thresholds, grown_mm2, emptied=emptied)
    if state.stranger is Stranger.NOBODY:
        return _by_the_player(state, thresholds, grown_mm2, fewer=fewer)
    if not fewer:
        return "bet_settled", SHARED_CONF
    dealer_last = state.stranger is Stranger.DEALER and state.other_trace.seen_ns >= state.own_trace.near_ns
    return ("pot_swept", SHARED_CONF) if emptied and dealer_last else ("chips_retracted", DOUBTFUL_CONF)


def _by_the_player(
    state: SeatState, thresholds: Thresholds, grown_mm2: float, *, fewer: bool
) -> tuple[SeatEventType, float]:
    """Only the own hand was there."""
    altered_ns = state.under.altered_ns
    if fewer and altered_ns is not None and state.own_trace.to_pot_ns >= altered_ns:
        return "bet_pushed_in", PUSHED_CONF
    if fewer:
        return "chips_retracted", SURE_CONF
    if grown_mm2 >= thresholds.occupied_chips * thresholds.chip_mm2:
        return "bet_settled", SURE_CONF
    rise_mm2 = thresholds.lower_chips * thresholds.chip_mm2
    crossed = state.own is not None and state.own.crossed_ns is not None
    if not crossed and grown_mm2 < 0:
        return "chips_retracted", DOUBTFUL_CONF if grown_mm2 <= -rise_mm2 else UNSURE_CONF
    return "bet_settled", STACKED_CONF if grown_mm2 >= rise_mm2 else UNSURE_CONF


def _tossed(state: SeatState) -> bool:
    """Whether chips that came by themselves came from the player's arm, which was over the stacks just then."""
    change_ns = state.change_ns
    return state.own is None and change_ns is not None and state.own_trace.about_ns >= change_ns - TOSS_NS


def _tossed_again(state: SeatState) -> bool:
    """Whether tossed chips came long after the hand was at what lies there, and soon after its arm was about: what
    lies there has not toppled.
    """
    change_ns, trace = state.change_ns, state.own_trace
    if change_ns is None or not _tossed(state):
        return False
    return trace.near_ns < change_ns - TOSS_NS and trace.about_ns >= change_ns - FLIGHT_NS


def _is_light(state: SeatState, chips: ChipsSeen, thresholds: Thresholds) -> bool:
    """Whether more has changed by itself than chips can."""
    most_mm2 = NOBODY_MOST_CHIPS * thresholds.chip_mm2
    return max(chips.changed_mm2, abs(chips.area_mm2 - state.settled.area_mm2)) > most_mm2


def _by_others(
    state: SeatState, seen: Observation, thresholds: Thresholds, grown_mm2: float, *, emptied: bool
) -> tuple[SeatEventType, float]:
    """The own hand was not there: the dealer, another player, or nobody."""
    if state.stranger is not Stranger.NOBODY:
        if emptied:
            return "pot_swept", SURE_CONF if state.stranger is Stranger.DEALER else DOUBTFUL_CONF
        return "bet_amended", DOUBTFUL_CONF
    changed_ns = state.settled.changed_ns
    soon = changed_ns is not None and seen.t_ns - changed_ns <= ns(thresholds.amend_ms) and not _tossed_again(state)
    if emptied and not soon:
        return "pot_swept", UNSURE_CONF
    if grown_mm2 >= thresholds.occupied_chips * thresholds.chip_mm2 and not soon:
        return "bet_settled", TOSSED_CONF if _tossed(state) else NOBODY_CONF
    return "bet_amended", SOON_CONF if soon else UNSURE_CONF
