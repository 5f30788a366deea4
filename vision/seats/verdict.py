"""What a settled zone means: who had a hand in it, and how what lies there differs from what lay there before.

Where a stack grew or shrank by a chip the areas of many frames are compared; a single one is noisier than that chip.
"""

from __future__ import annotations

from dataclasses import replace

from betline.messages.devices import SeatEventType
from vision.seats import taps
from vision.seats.state import (
    ChipsSeen,
    Mean,
    Observation,
    SeatEvent,
    SeatState,
    Stranger,
    differs,
    ns,
)
from vision.tuning.thresholds import Thresholds

BROUGHT_CHIPS = 0.4
"""So much where nothing lay was brought there; chips that are only moved a little show less."""
UNSURE_CONF = 0.4
"""Of a picture that differs where no more and no less lies there."""


def decided_by(state: SeatState, seen: Observation, thresholds: Thresholds) -> tuple[SeatState, tuple[SeatEvent, ...]]:
    """The state with everything closed that was open, and what is told of it; ``seen.chips`` is what lies there now."""
    chips = seen.chips
    assert chips is not None
    changed = differs(state, chips, thresholds)
    name, conf = _meaning(state, chips, seen, thresholds) if changed else (None, 0.0)
    closed = replace(
        state,
        visit=None,
        own_came=False,
        last_stranger=Stranger.NOBODY,
        crossed_ns=None,
        growing=Mean(),
        before=state.since_quiet,
        at_rest_mm2=state.since_quiet,
        since_quiet=Mean(),
        visible_changed_mm2=0.0,
        change_ns=None,
        under=state.under.unaltered,
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
    before: tuple[SeatEvent, ...] = ()
    if state.own_came and state.visit is not None and conf > UNSURE_CONF:  # on top of others: no single frame showed it
        motions = state.motions + 1
        told = replace(told, motions=motions)
        before = (replace(told, event="chips_crossing"),)
    if motions < 2:
        return replace(closed, motions=motions, motion_ns=max(state.motion_ns, state.own_ns)), (*before, told)
    suspect = replace(told, event="string_suspect", conf=round(conf * 0.9, 3))
    return replace(closed, motion_ns=max(state.motion_ns, state.own_ns)), (*before, suspect, told)


def _began_ns(
    name: SeatEventType, state: SeatState, chips: ChipsSeen, seen: Observation, thresholds: Thresholds
) -> int:
    """When that began which the settled zone shows."""
    if name == "bet_pushed_in" and state.under.altered_ns is not None:
        return state.under.altered_ns
    if name == "chips_retracted" and state.own_came:
        return state.left_ns
    if state.crossed_ns is not None:
        return state.crossed_ns
    if state.visit is not None:
        return state.visit.t_first_ns
    if state.last_stranger is not Stranger.NOBODY:
        rise_mm2 = thresholds.lower_chips * thresholds.chip_mm2
        grown = state.under.altered_ns is None and _grown_mm2(state, chips) >= rise_mm2
        if grown or chips.new_mm2 >= BROUGHT_CHIPS * thresholds.chip_mm2:
            return state.stranger_came_ns  # what another brings comes in with the arm
        if state.under.altered_ns is not None:
            return state.under.altered_ns
    return seen.t_ns if state.change_ns is None else state.change_ns


def _grown_mm2(state: SeatState, chips: ChipsSeen) -> float:
    """By how much more lies there than before, from the means of many frames."""
    return state.since_quiet.mm2(chips.area_mm2) - state.at_rest_mm2.mm2(state.settled_mm2)


def _meaning(
    state: SeatState, chips: ChipsSeen, seen: Observation, thresholds: Thresholds
) -> tuple[SeatEventType, float]:
    least_mm2 = thresholds.occupied_chips * thresholds.chip_mm2
    grown_mm2 = _grown_mm2(state, chips)
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
        if fewer and state.to_pot and state.under.altered_ns is not None:
            return "bet_pushed_in", 0.8
        if fewer:
            return "chips_retracted", 0.95
        if grown_mm2 >= least_mm2:
            return "bet_settled", 0.95
        rise_mm2 = thresholds.lower_chips * thresholds.chip_mm2
        if state.crossed_ns is None and grown_mm2 < 0:
            return "chips_retracted", 0.6 if grown_mm2 <= -rise_mm2 else UNSURE_CONF
        return "bet_settled", 0.7 if grown_mm2 >= rise_mm2 else UNSURE_CONF
    if by_stranger:
        if emptied:
            return "pot_swept", 0.95 if stranger is Stranger.DEALER else 0.6
        return "bet_amended", 0.6
    soon = state.settled_ns is not None and seen.t_ns - state.settled_ns <= ns(thresholds.amend_ms)
    if emptied and not soon:
        return "pot_swept", 0.4
    if grown_mm2 >= least_mm2 and not soon:
        return "bet_settled", 0.5
    return "bet_amended", 0.8 if soon else 0.4
