"""What happened at one seat's card spot: a pure state machine over who was there and what lies there at rest.

``trace`` takes each frame in which something is open: whether the spot moves, whose arms are over it, and whether it
looks different. ``due`` says when it has come to rest and is worth a look; ``judge`` says what that look means. Cards
come from the dealer, through the air or by the dealer's hand; cards that the own hand took are mucked if the hand went
over the line with them, or something came to rest in the muck just then (``muck_found``), else the player holds them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from betline.units import NS_PER_MS
from vision.frame.events import CameraEvent
from vision.places.card_eye import Look, Thing
from vision.tuning.thresholds import Thresholds

MAX_CARDS: Final = 4.5
"""More card areas than this are no cards that were just dealt."""
BOTH_SEEN_CONF: Final = 0.95
"""Both cards of a hand were seen to come."""
AT_ONCE_CONF: Final = 0.85
"""Two cards lie there, and were not seen one by one."""
WITH_HAND_CONF: Final = 0.6
"""A hand was there too, or only one card is seen of two."""
PROTECTOR_CONF: Final = 0.8
"""One round footprint on cards, after the own hand."""
STRANGE_CONF: Final = 0.7
"""A rigid thing that is neither chips nor cards."""
MUCKED_BOTH_CONF, MUCK_CONF, OVER_LINE_CONF = 0.95, 0.8, 0.5
"""The hand went over the line and something came to rest in the muck; only the muck; only the line."""
STRANGE_ON_TOP: Final = 0.3
"""A strange thing lies on what was there before by less than this share; more is a card that was moved."""


@dataclass(frozen=True, slots=True)
class SpotMoment:
    """Which seat's spot is judged, and the frame in which it is."""

    seat: int
    t_ns: int
    frame: int


@dataclass(frozen=True, slots=True)
class Presence:
    """One frame at one spot; ``own_over_line`` is the own hand over the own bet zone, wherever the cards are, and
    ``shown_ns`` is when that zone last came to rest with cards in it.
    """

    t_ns: int
    frame: int
    moving: bool
    own: bool
    own_over_line: bool
    dealer: bool
    other: bool
    shown_ns: int = 0

    @property
    def arms(self) -> bool:
        """Whether an arm is over the spot, or was half a second ago."""
        return self.own or self.dealer or self.other


@dataclass(frozen=True, slots=True)
class Throw:
    """Cards that the own hand took from the spot and that may have been thrown away."""

    t_first_ns: int
    gone_ns: int
    over_line: bool
    area_mm2: float
    cards: int


@dataclass(frozen=True, slots=True)
class SpotState:
    """What is believed of one spot between two frames; times are None where it did not happen since it settled."""

    cards: int = 0
    """How many cards lie there, as far as can be seen: 2 means two or more."""
    clean: bool = False
    """Whether a card of these came without the own hand."""
    dealt: bool = False
    held: bool = False
    """Whether the player may have the cards in the hand."""
    cards_mm2: float = 0.0
    arrived_ns: int = 0
    protected: bool = False
    """Whether no protector is reported of these cards any more: one was, or they may have had one before they were
    seen.
    """
    protector: bool = False
    """Whether one was reported."""
    strange: bool = False
    open: bool = False
    loud_ns: int = 0
    """When it last moved."""
    arms: bool = False
    own_ns: int | None = None
    line_ns: int | None = None
    dealer_ns: int | None = None
    other_ns: int | None = None
    throw: Throw | None = None

    @property
    def at_rest(self) -> bool:
        """Whether nothing is open."""
        return not self.open and self.throw is None


@dataclass(frozen=True, slots=True)
class Judged:
    """The state after a look, the events that are certain, and whether the place has settled so."""

    state: SpotState
    events: tuple[CameraEvent, ...] = ()
    adopt: bool = True


def known(look: Look, thresholds: Thresholds) -> SpotState:
    """The state where a look shows all there is: cards that lie there already were dealt before, perhaps with a chip
    on them.
    """
    area_mm2 = _cards_mm2(look)
    cards = _cards(area_mm2, thresholds)
    strange = any(thing.kind == "unknown" for thing in look.lying)
    return SpotState(cards=cards, dealt=cards > 0, cards_mm2=area_mm2, protected=cards > 0, strange=strange)


def _cards(area_mm2: float, thresholds: Thresholds) -> int:
    areas = area_mm2 / thresholds.card_mm2
    return 2 if areas >= thresholds.pair_cards else 1 if areas >= thresholds.lying_cards else 0


def trace(state: SpotState, seen: Presence) -> SpotState:
    """Notes who is there."""
    if not state.open and not seen.moving:
        return state
    return replace(
        state,
        open=True,
        loud_ns=seen.t_ns if seen.moving or not state.open else state.loud_ns,
        arms=seen.arms,
        own_ns=_since(state.own_ns, seen.own, seen.t_ns),
        line_ns=_since(state.line_ns, seen.own_over_line, seen.t_ns),
        dealer_ns=_since(state.dealer_ns, seen.dealer, seen.t_ns),
        other_ns=_since(state.other_ns, seen.other, seen.t_ns),
    )


def _since(since_ns: int | None, present: bool, t_ns: int) -> int | None:
    return t_ns if present and since_ns is None else since_ns


def due(state: SpotState, t_ns: int, thresholds: Thresholds) -> bool:
    """Whether the spot has been still for long enough to be looked at."""
    return state.open and t_ns - state.loud_ns >= thresholds.place_quiet_ms * NS_PER_MS


def judge(state: SpotState, look: Look, since_ns: int | None, now: SpotMoment, thresholds: Thresholds) -> Judged:
    """What a look at the resting spot means; a covered spot stays open.

    ``since_ns`` is when the spot began to look as it does, None where it looks as it did when it settled.
    """
    unclear = look.covered or (state.arms and any(thing.kind in ("ragged", "unknown") for thing in look.lying))
    if unclear:
        return Judged(replace(state, loud_ns=now.t_ns), adopt=False)
    area_mm2 = _cards_mm2(look)
    closed = replace(state, open=False, own_ns=None, line_ns=None, dealer_ns=None, other_ns=None, cards_mm2=area_mm2)
    none_mm2 = thresholds.gone_cards * thresholds.card_mm2
    if state.cards and area_mm2 < none_mm2:
        if look.gone_mm2 < none_mm2:  # cards with chips on them may look like chips
            return Judged(replace(closed, cards_mm2=state.cards_mm2))
        return Judged(_emptied(state, closed))
    if area_mm2 >= thresholds.lying_cards * thresholds.card_mm2:
        grown = area_mm2 - (state.cards_mm2 if state.cards else 0.0)
        by_hand_only_chips = state.own_ns is not None and all(thing.kind == "chips" for thing in look.fresh)
        fresh_mm2 = sum(thing.area_mm2 for thing in look.fresh)
        if min(grown, fresh_mm2) >= thresholds.more_cards * thresholds.card_mm2 and not by_hand_only_chips:
            return _more(state, closed, look, since_ns, now, thresholds)
    if state.own_ns is None and state.other_ns is None:
        return Judged(closed)
    return _put_down(state, closed, look, since_ns, now, thresholds)


def _cards_mm2(look: Look) -> float:
    return look.lying_mm2("card", "cards", "ragged")


def _emptied(state: SpotState, closed: SpotState) -> SpotState:
    gone = replace(
        closed, cards=0, clean=False, dealt=False, protected=False, protector=False, held=False, cards_mm2=0.0
    )
    own_last = state.own_ns is not None and (state.dealer_ns is None or state.own_ns > state.dealer_ns)
    came = state.dealt or state.clean  # what only the own hand brought may have been the hand itself
    if not (own_last and came) or state.own_ns is None:
        return gone
    first_ns = state.own_ns if state.line_ns is None else state.line_ns
    throw = Throw(first_ns, state.loud_ns, state.line_ns is not None, state.cards_mm2, state.cards)
    return replace(gone, held=True, throw=throw)


def _more(
    state: SpotState, closed: SpotState, look: Look, since_ns: int | None, now: SpotMoment, thresholds: Thresholds
) -> Judged:
    """Cards came: from the dealer, or back from the player's hand."""
    area_mm2 = closed.cards_mm2
    lie = max(1, _cards(area_mm2, thresholds))
    if state.own_ns is not None:
        if state.held:
            return Judged(replace(closed, cards=lie, held=False, throw=None, dealt=True))
        if state.cards == 0 and not any(thing.kind in ("card", "cards") for thing in look.fresh):
            return _put_down(state, closed, look, since_ns, now, thresholds)
    clean = state.clean or state.own_ns is None
    cards = max(lie, min(2, state.cards + 1))
    arrived_ns = state.arrived_ns if state.cards else state.loud_ns if since_ns is None else since_ns
    there = replace(closed, cards=cards, clean=clean, arrived_ns=arrived_ns, held=False)
    plausible = area_mm2 <= MAX_CARDS * thresholds.card_mm2 and any(
        thing.kind in ("card", "cards") for thing in look.lying
    )
    if cards < 2 or state.dealt or not clean or not plausible:
        return Judged(there)
    one_by_one = state.cards == 1
    conf = WITH_HAND_CONF if lie < 2 else BOTH_SEEN_CONF if one_by_one else AT_ONCE_CONF
    if state.own_ns is not None or state.other_ns is not None:
        conf = WITH_HAND_CONF
    event = CameraEvent(
        kind="cards_dealt",
        seat=now.seat,
        t_first_ns=arrived_ns,
        t_confirm_ns=now.t_ns,
        frame=now.frame,
        conf=conf,
        area_mm2=area_mm2,
        footprints=cards,
    )
    return Judged(replace(there, dealt=True), (event,))


def _put_down(
    state: SpotState, closed: SpotState, look: Look, since_ns: int | None, now: SpotMoment, thresholds: Thresholds
) -> Judged:
    """What the player put down, or somebody else: a chip on the cards, or a strange thing."""
    first_ns = min(ns for ns in (state.own_ns, state.other_ns, now.t_ns) if ns is not None)
    events: list[CameraEvent] = []
    chip = next((thing for thing in look.fresh if _is_chip_on_cards(thing, thresholds)), None)
    if chip is not None and state.cards and not state.protected and state.own_ns is not None:
        lies_ns = first_ns if since_ns is None else max(first_ns, since_ns)
        event = CameraEvent(
            kind="protector",
            seat=now.seat,
            t_first_ns=lies_ns,
            t_confirm_ns=now.t_ns,
            frame=now.frame,
            conf=PROTECTOR_CONF,
            area_mm2=chip.area_mm2,
            footprints=1,
        )
        events.append(event)
        closed = replace(closed, protected=True, protector=True)
    strange = next((thing for thing in look.fresh if is_strange(thing)), None)
    if strange is not None and not state.strange:
        event = CameraEvent(
            kind="unknown_object",
            seat=now.seat,
            t_first_ns=first_ns,
            t_confirm_ns=now.t_ns,
            frame=now.frame,
            conf=STRANGE_CONF,
            area_mm2=strange.area_mm2,
        )
        events.append(event)
        closed = replace(closed, strange=True)
    if not any(thing.kind == "unknown" for thing in look.lying):
        closed = replace(closed, strange=False)
    return Judged(closed, tuple(events))


def _is_chip_on_cards(thing: Thing, thresholds: Thresholds) -> bool:
    small = thing.area_mm2 <= thresholds.protector_chips * thresholds.chip_mm2
    return thing.kind == "chips" and small and thing.on_top >= thresholds.protector_share


def is_strange(thing: Thing) -> bool:
    """Whether a new thing is neither chip nor card, and the whole of it is seen."""
    return thing.kind == "unknown" and not thing.cut and thing.on_top < STRANGE_ON_TOP


def muck_found(
    state: SpotState,
    arrivals: tuple[tuple[int, int], ...],
    now: SpotMoment,
    thresholds: Thresholds,
    *,
    shown_ns: int = 0,
) -> Judged:
    """Decides on cards that were thrown: when something came to rest in the muck, or when it did not for a while.

    Each arrival is the span (from, to) in which the muck was not at rest before it lay there. Cards were not
    thrown if the seat's own bet zone has come to rest with cards in it since, at ``shown_ns``.
    """
    throw = state.throw
    if throw is None:
        return Judged(state, adopt=False)
    if shown_ns > throw.t_first_ns:
        return Judged(replace(state, throw=None), adopt=False)
    wait_ns = thresholds.muck_wait_ms * NS_PER_MS
    arrived = any(from_ns <= throw.gone_ns + wait_ns and to_ns >= throw.t_first_ns for from_ns, to_ns in arrivals)
    if not arrived and now.t_ns - throw.gone_ns < wait_ns:
        return Judged(state, adopt=False)
    decided = replace(state, throw=None)
    if not arrived and not throw.over_line:
        return Judged(decided, adopt=False)
    conf = OVER_LINE_CONF if not arrived else MUCKED_BOTH_CONF if throw.over_line else MUCK_CONF
    event = CameraEvent(
        kind="cards_mucked",
        seat=now.seat,
        t_first_ns=throw.t_first_ns,
        t_confirm_ns=now.t_ns,
        frame=now.frame,
        conf=conf,
        area_mm2=throw.area_mm2,
        footprints=throw.cards,
    )
    return Judged(replace(decided, held=False), (event,), adopt=False)
