"""What happened in the middle of the felt: a pure state machine over who reached in and what lies there at rest.

Chips that came to rest there while one seat's hand was over its line, and no dealer's, were splashed. Chips that left
the pot under the dealer's arm and an arm of the dealer that then is over a seat's stacks are the pot pushed there; so
are bets of others that were swept and lie nowhere, since a pot that is pushed on at once never comes to rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from betline.units import NS_PER_MS
from vision.frame.events import CameraEvent
from vision.tuning.thresholds import Thresholds

SPLASH_CONF, SHARED_SPLASH_CONF = 0.85, 0.5
"""One hand was over its line when chips flew; several were."""
PUSHED_CONF, PASSED_CONF = 0.9, 0.75
"""The dealer's arm came to one seat's stacks alone; it also lay over nearer ones."""
STRANGE_CONF: Final = 0.6
"""A thing in the middle may be a part of one that is covered."""
REACHED_CELLS: Final = 6
"""An arm is over a seat's stacks from this many cells of 8 mm on: two fingers."""


@dataclass(frozen=True, slots=True)
class MiddleSeen:
    """One frame: ``seats`` have a hand over their line, ``reached`` are cells of each seat's stacks below the dealer's
    arm.
    """

    t_ns: int
    frame: int
    moving: bool
    arms_over: bool
    """Whether an arm is over the middle, and not only what it has left there."""
    dealer: bool
    dealer_at_pot: bool
    dealer_at_muck: bool
    players: frozenset[int]
    """Seats whose arms are over the middle itself."""
    seats: frozenset[int]
    reached: Mapping[int, int]
    away_mm: Mapping[int, float]
    """How far each seat is from the dealer."""

    @property
    def loud(self) -> bool:
        """Whether the middle is not at rest."""
        return self.moving or self.arms_over


@dataclass(frozen=True, slots=True)
class MiddleFound:
    """What a look at the resting middle shows: new chips outside the zones, and the area that left the pot."""

    chips: int
    chips_mm2: float
    pot_lost_mm2: float
    pot_grew_mm2: float
    pot_ns: int | None = None
    """Since when the pot has looked as it does, None where it looks as it did when it settled."""
    in_muck: bool = False
    strange: tuple[int, float] | None = None
    """A new thing that is neither chip nor card: the seat that it lies nearest to, and its area."""


@dataclass(frozen=True, slots=True)
class MiddleState:
    """What is believed of the middle between two frames."""

    open: bool = False
    began_ns: int = 0
    loud_ns: int = 0
    dealer_came: bool = False
    dealer_mucked: bool = False
    pot_ns: int | None = None
    """When the dealer's arm first was over the pot since the middle settled."""
    at_pot_ns: int = 0
    """When it last was."""
    seats_ns: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """First and last time that each seat's hand was over its line, lately."""
    reached: Mapping[int, int] = field(default_factory=dict)
    """Cells of each seat's stacks that the dealer's arm covered when it last came there from the pot, summed over
    frames.
    """
    reached_from_ns: Mapping[int, int] = field(default_factory=dict)
    """When it left the pot before it last came to each of these seats' stacks."""
    reached_to_ns: Mapping[int, int] = field(default_factory=dict)
    """When it was last there."""
    reached_ns: int = 0
    taken: tuple[int, int, float] | None = None
    """Chips that left the pot and have not arrived: since when, found when, and their area."""
    splash: CameraEvent | None = None
    """Chips that a seat brought to the middle, while it is not known whether they were its bet."""

    @property
    def at_rest(self) -> bool:
        """Whether nothing is open."""
        return not self.open and self.taken is None and self.splash is None and not self.seats_ns


@dataclass(frozen=True, slots=True)
class MiddleStep:
    """The state, and the events that are certain."""

    state: MiddleState
    events: tuple[CameraEvent, ...] = ()
    mucked: tuple[int, int] | None = None
    """Something that no dealer's arm brought came to rest in the muck: the span (from, to) in which it came."""


def trace(state: MiddleState, seen: MiddleSeen, thresholds: Thresholds) -> MiddleState:
    """Notes who is there."""
    visit_ns = thresholds.splash_visit_ms * NS_PER_MS
    seats = {seat: span for seat, span in state.seats_ns.items() if state.open or seen.t_ns - span[1] <= visit_ns}
    for seat in seen.seats:
        first_ns, last_ns = seats.get(seat, (seen.t_ns, seen.t_ns))
        seats[seat] = (first_ns if seen.t_ns - last_ns <= visit_ns else seen.t_ns, seen.t_ns)
    before_ns = state.at_pot_ns
    state = replace(state, seats_ns=seats, at_pot_ns=seen.t_ns if seen.dealer_at_pot else before_ns)
    if state.open or state.taken is not None or seen.dealer_at_pot:
        state = _reach(state, seen, before_ns)
    if not state.open and not seen.loud:
        return state
    pot_ns = seen.t_ns if seen.dealer_at_pot and state.pot_ns is None else state.pot_ns
    return replace(
        state,
        open=True,
        began_ns=state.began_ns if state.open else seen.t_ns,
        loud_ns=seen.t_ns if seen.loud else state.loud_ns,
        dealer_came=state.dealer_came or seen.dealer,
        dealer_mucked=state.dealer_mucked or seen.dealer_at_muck,
        pot_ns=pot_ns,
    )


def _reach(state: MiddleState, seen: MiddleSeen, before_ns: int) -> MiddleState:
    """Notes where the dealer's arm is; ``before_ns`` is when it was at the pot before this frame."""
    if state.pot_ns is None and state.taken is None:
        return state
    there = {seat: cells for seat, cells in seen.reached.items() if cells >= REACHED_CELLS}
    if not there:
        return state
    reached, from_ns = dict(state.reached), dict(state.reached_from_ns)
    for seat, cells in there.items():
        # Where it was at the pot meanwhile it comes anew: over the stacks of near seats it goes to far seats' bets too.
        stays = seat in reached and before_ns <= state.reached_to_ns[seat]
        reached[seat] = cells + (reached[seat] if stays else 0)
        from_ns[seat] = from_ns[seat] if stays else state.at_pot_ns
    to_ns = {**state.reached_to_ns, **dict.fromkeys(there, seen.t_ns)}
    return replace(state, reached=reached, reached_from_ns=from_ns, reached_to_ns=to_ns, reached_ns=seen.t_ns)


def due(state: MiddleState, t_ns: int, thresholds: Thresholds) -> bool:
    """Whether the middle has been still for long enough to be looked at."""
    return state.open and t_ns - state.loud_ns >= thresholds.place_quiet_ms * NS_PER_MS


def judge(
    state: MiddleState,
    found: MiddleFound,
    t_ns: int,
    frame: int,
    thresholds: Thresholds,
    swept_ns: Mapping[int, tuple[int, int]] = MappingProxyType({}),
    away_mm: Mapping[int, float] = MappingProxyType({}),
) -> MiddleStep:
    """What a look at the resting middle means; ``swept_ns`` is when the last sweep of each seat's bet began and was
    told, ``away_mm`` how far the seats are from the dealer.
    """
    events: tuple[CameraEvent, ...] = ()
    least_mm2 = thresholds.occupied_chips * thresholds.chip_mm2
    taken, splash = state.taken, state.splash
    if state.pot_ns is not None and found.pot_lost_mm2 - found.pot_grew_mm2 >= least_mm2:
        taken = (found.pot_ns or state.pot_ns, t_ns, found.pot_lost_mm2)
    elif state.pot_ns is not None and found.pot_ns is None and found.pot_grew_mm2 < least_mm2:
        events = _passed_on(state, t_ns, frame, swept_ns, away_mm)
    elif found.chips and not state.dealer_came:
        splash = _splash(state, found, t_ns, frame, thresholds) or splash
    if found.strange is not None and not state.dealer_came and state.seats_ns:
        seat, area_mm2 = found.strange
        event = CameraEvent(
            kind="unknown_object",
            seat=seat,
            t_first_ns=state.began_ns,
            t_confirm_ns=t_ns,
            frame=frame,
            conf=STRANGE_CONF,
            area_mm2=area_mm2,
        )
        events = (*events, event)
    mucked = (state.began_ns, state.loud_ns) if found.in_muck and not state.dealer_mucked else None
    closed = replace(
        state,
        open=False,
        dealer_came=False,
        dealer_mucked=False,
        pot_ns=None,
        taken=taken,
        splash=splash,
        reached=state.reached if taken is not None else {},
        reached_from_ns=state.reached_from_ns if taken is not None else {},
        reached_to_ns=state.reached_to_ns if taken is not None else {},
    )
    return MiddleStep(closed, events, mucked)


def _passed_on(
    state: MiddleState,
    t_ns: int,
    frame: int,
    swept_ns: Mapping[int, tuple[int, int]],
    away_mm: Mapping[int, float],
) -> tuple[CameraEvent, ...]:
    """The pot that was pushed before it came to rest: the bets of others are gone, and nothing new lies there.

    A bet that goes back to its own player leaves no other seat's zone. An arm that is over stacks on its way to a bet,
    or back from there, pushes nothing: it leaves the pot with the chips once the last sweep has begun.
    """
    swept = {seat: began_ns for seat, (began_ns, told_ns) in swept_ns.items() if told_ns >= state.began_ns}

    def others_ns(seat: int) -> list[int]:
        return [began_ns for other, began_ns in swept.items() if other != seat]

    since = [seat for seat, from_ns in state.reached_from_ns.items() if from_ns >= max(others_ns(seat), default=0)]
    if not since:
        return ()
    seat = _reached_last(state, since, away_mm)
    if not others_ns(seat):
        return ()
    event = CameraEvent(
        kind="pot_pushed",
        seat=seat,
        t_first_ns=state.reached_from_ns[seat],
        t_confirm_ns=t_ns,
        frame=frame,
        conf=PASSED_CONF,
    )
    return (event,)


def _splash(
    state: MiddleState, found: MiddleFound, t_ns: int, frame: int, thresholds: Thresholds
) -> CameraEvent | None:
    flight_ns = thresholds.splash_flight_ms * NS_PER_MS
    lay_ns = state.loud_ns if found.pot_ns is None else found.pot_ns
    near = {seat: span for seat, span in state.seats_ns.items() if span[0] <= lay_ns and span[1] >= lay_ns - flight_ns}
    if not near:
        return None
    seat = min(near, key=lambda one: abs(near[one][1] - lay_ns))
    conf = SPLASH_CONF if len(near) == 1 else SHARED_SPLASH_CONF
    return CameraEvent(
        kind="splash",
        seat=seat,
        t_first_ns=near[seat][0],
        t_confirm_ns=t_ns,
        frame=frame,
        conf=conf,
        area_mm2=found.chips_mm2,
        footprints=found.chips,
    )


def thrown(state: MiddleState, lost_ns: Mapping[int, int], t_ns: int, thresholds: Thresholds) -> MiddleStep:
    """Reports a splash when the seat's own zone has had the time to report that its bet was pushed in.

    ``lost_ns`` is when each seat's zone last lost chips.
    """
    event = state.splash
    if event is None or event.seat is None:
        return MiddleStep(state)
    before_ns = thresholds.splash_loss_ms * NS_PER_MS
    if event.seat in lost_ns and lost_ns[event.seat] >= event.t_first_ns - before_ns:
        return MiddleStep(replace(state, splash=None))
    if t_ns - event.t_confirm_ns < thresholds.splash_wait_ms * NS_PER_MS:
        return MiddleStep(state)
    return MiddleStep(replace(state, splash=None), (replace(event, t_confirm_ns=t_ns),))


def _reached_last(state: MiddleState, seats: Iterable[int], away_mm: Mapping[int, float]) -> int:
    """Whose stacks the dealer's arm was on its way to: it lies over those of nearer seats too, and of two that are as
    far it covered the right ones more.
    """
    return max(seats, key=lambda one: (round(away_mm[one]), state.reached[one]))


def arrive(state: MiddleState, seen: MiddleSeen, thresholds: Thresholds) -> MiddleStep:
    """Reports a pot that was taken as soon as the dealer's arm has been over a seat's stacks and left them."""
    if state.taken is None:
        return MiddleStep(state)
    first_ns, found_ns, area_mm2 = state.taken
    if state.reached and not any(cells >= REACHED_CELLS for cells in seen.reached.values()):
        seat = _reached_last(state, state.reached, seen.away_mm)
        conf = PUSHED_CONF if len(state.reached) == 1 else PASSED_CONF
        event = CameraEvent(
            kind="pot_pushed",
            seat=seat,
            t_first_ns=first_ns,
            t_confirm_ns=seen.t_ns,
            frame=seen.frame,
            conf=conf,
            area_mm2=area_mm2,
        )
        return MiddleStep(replace(state, taken=None, reached={}, reached_from_ns={}, reached_to_ns={}), (event,))
    if seen.t_ns - max(found_ns, state.reached_ns) > thresholds.push_wait_ms * NS_PER_MS:
        return MiddleStep(replace(state, taken=None, reached={}, reached_from_ns={}, reached_to_ns={}))
    return MiddleStep(state)
