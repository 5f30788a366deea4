"""What happened in the middle of the felt: a pure state machine over who reached in and what lies there at rest.

Chips that came to rest there while one seat's hand was over its line, and no dealer's, were splashed. Chips that left
the pot under the dealer's arm and an arm of the dealer that then is over a seat's stacks are the pot pushed there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from betline.units import NS_PER_MS
from vision.seats.state import SeatEvent
from vision.tuning.thresholds import Thresholds

BEFORE_NS: Final = 500_000_000
REACHED_CELLS: Final = 6


@dataclass(frozen=True, slots=True)
class MiddleSeen:
    """One frame: ``seats`` have a hand over their line, ``reached`` are cells of each seat's stacks below the dealer's
    arm.
    """

    t_ns: int
    frame: int
    moving: bool
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
        return self.moving or self.dealer or bool(self.players)


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
    seats_ns: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """First and last time that each seat's hand was over its line, lately."""
    reached: Mapping[int, int] = field(default_factory=dict)
    """Cells of each seat's stacks that the dealer's arm covered since it took from the pot, summed over frames."""
    reached_ns: int = 0
    taken: tuple[int, int, float] | None = None
    """Chips that left the pot and have not arrived: since when, found when, and their area."""
    splash: tuple[int, SeatEvent] | None = None
    """Chips that a seat brought to the middle, while it is not known whether they were its bet."""

    @property
    def at_rest(self) -> bool:
        """Whether nothing is open."""
        return not self.open and self.taken is None and self.splash is None and not self.seats_ns


@dataclass(frozen=True, slots=True)
class Told:
    """The state, and events each with its seat."""

    state: MiddleState
    events: tuple[tuple[int, SeatEvent], ...] = ()
    mucked: tuple[int, int] | None = None
    """Something that no dealer's arm brought came to rest in the muck: the span (from, to) in which it came."""


def trace(state: MiddleState, seen: MiddleSeen, thresholds: Thresholds) -> MiddleState:
    """Notes who is there."""
    visit_ns = thresholds.splash_visit_ms * NS_PER_MS
    seats = {seat: span for seat, span in state.seats_ns.items() if state.open or seen.t_ns - span[1] <= visit_ns}
    for seat in seen.seats:
        first_ns, last_ns = seats.get(seat, (seen.t_ns, seen.t_ns))
        seats[seat] = (first_ns if seen.t_ns - last_ns <= visit_ns else seen.t_ns, seen.t_ns)
    state = replace(state, seats_ns=seats)
    if state.open or state.taken is not None or seen.dealer_at_pot:
        state = _reach(state, seen)
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


def _reach(state: MiddleState, seen: MiddleSeen) -> MiddleState:
    if state.pot_ns is None and state.taken is None:
        return state
    there = {seat: cells for seat, cells in seen.reached.items() if cells >= REACHED_CELLS}
    if not there:
        return state
    reached = dict(state.reached)
    for seat, cells in there.items():
        reached[seat] = reached.get(seat, 0) + cells
    return replace(state, reached=reached, reached_ns=seen.t_ns)


def due(state: MiddleState, t_ns: int, thresholds: Thresholds) -> bool:
    """Whether the middle has been still for long enough to be looked at."""
    return state.open and t_ns - state.loud_ns >= thresholds.place_quiet_ms * NS_PER_MS


def judge(state: MiddleState, found: MiddleFound, t_ns: int, frame: int, thresholds: Thresholds) -> Told:
    """What a look at the resting middle means."""
    events: tuple[tuple[int, SeatEvent], ...] = ()
    least_mm2 = thresholds.occupied_chips * thresholds.chip_mm2
    taken, splash = state.taken, state.splash
    if state.pot_ns is not None and found.pot_lost_mm2 - found.pot_grew_mm2 >= least_mm2:
        taken = (found.pot_ns or state.pot_ns, t_ns, found.pot_lost_mm2)
    elif found.chips and not state.dealer_came:
        splash = _splash(state, found, t_ns, frame, thresholds) or splash
    if found.strange is not None and not state.dealer_came and state.seats_ns:
        seat, area_mm2 = found.strange
        events += ((seat, SeatEvent("unknown_object", state.began_ns, t_ns, frame, 0.6, area_mm2)),)
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
    )
    return Told(closed, events, mucked)


def _splash(
    state: MiddleState, found: MiddleFound, t_ns: int, frame: int, thresholds: Thresholds
) -> tuple[int, SeatEvent] | None:
    flight_ns = thresholds.splash_flight_ms * NS_PER_MS
    lay_ns = state.loud_ns if found.pot_ns is None else found.pot_ns
    near = {seat: span for seat, span in state.seats_ns.items() if span[0] <= lay_ns and span[1] >= lay_ns - flight_ns}
    if not near:
        return None
    seat = min(near, key=lambda one: abs(near[one][1] - lay_ns))
    conf = 0.85 if len(near) == 1 else 0.5
    event = SeatEvent("splash", near[seat][0], t_ns, frame, conf, found.chips_mm2, found.chips)
    return seat, event


def thrown(state: MiddleState, lost_ns: Mapping[int, int], t_ns: int, thresholds: Thresholds) -> Told:
    """Tells of a splash when the seat's own zone has had the time to tell that its bet was pushed in.

    ``lost_ns`` is when each seat's zone last lost chips.
    """
    if state.splash is None:
        return Told(state)
    seat, event = state.splash
    if seat in lost_ns and lost_ns[seat] >= event.t_first_ns - BEFORE_NS:
        return Told(replace(state, splash=None))
    if t_ns - event.t_confirm_ns < thresholds.splash_wait_ms * NS_PER_MS:
        return Told(state)
    return Told(replace(state, splash=None), ((seat, replace(event, t_confirm_ns=t_ns)),))


def arrive(state: MiddleState, seen: MiddleSeen, thresholds: Thresholds) -> Told:
    """Tells of a pot that was taken as soon as the dealer's arm has been over a seat's stacks and left them."""
    if state.taken is None:
        return Told(state)
    first_ns, found_ns, area_mm2 = state.taken
    if state.reached and not any(cells >= REACHED_CELLS for cells in seen.reached.values()):
        # An arm on its way lies over the stacks of seats that are nearer to the dealer.
        seat = max(state.reached, key=lambda one: seen.away_mm[one])
        conf = 0.9 if len(state.reached) == 1 else 0.75
        event = SeatEvent("pot_pushed", first_ns, seen.t_ns, seen.frame, conf, area_mm2)
        return Told(replace(state, taken=None, reached={}), ((seat, event),))
    if seen.t_ns - max(found_ns, state.reached_ns) > thresholds.push_wait_ms * NS_PER_MS:
        return Told(replace(state, taken=None, reached={}))
    return Told(state)
