"""What players and dealer may do to a hand, checked and then done: a state in, the state after it out.

Each raises Illegal where it is not open, with a code and a sentence; the state that came in is as it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from table_controller.betting import moves, pots, rights
from table_controller.betting.acts import ALL_IN, CALL, CHECK, COMPLETE, FOLD, RAISE, Action, ActionKind, Illegal
from table_controller.betting.pots import Parts, Payout, Pot
from table_controller.betting.state import NOBODY, State
from table_controller.betting.structure import BringInEqual, Limit, OddChip


def act(state: State, action: Action, seat: int | None, *, accepted: bool) -> State:
    """The seat to act takes an action; see `Hand.act`."""
    if seat is not None:
        state = _turned_to(state, seat, action.kind)
    if state.turn < 0:
        raise Illegal(*rights.why_nobody_acts(state))
    kind = action.kind
    if kind is FOLD:
        return moves.fold(state, state.turn)
    owed, behind = rights.owed(state), state.behind[state.turn]
    if kind is CHECK or kind is CALL:
        if (owed > 0) is (kind is CHECK):
            raise Illegal(*(rights.why_not(state, kind) or ("not-open", f"A {kind} is not open.")))
        called = behind if behind < owed else owed
        return moves.put(state, called if kind is CALL else 0, kind)
    if kind is ALL_IN and behind <= owed:
        return moves.put(state, behind, CALL)
    to, kind = rights.wager(state, action, accepted=accepted)
    return moves.put(state, to - state.wagers[state.turn], kind)


def fold(state: State, seat: int) -> State:
    """A seat's hand is out, in turn or not (R-221)."""
    position = state.setup.position_of.get(seat, NOBODY)
    if state.hand_over:
        raise Illegal("too-late", "The hand is over.")
    if position < 0 or not state.live >> position & 1:
        raise Illegal("not-open", f"Name a seat with cards: seat {seat} has no live hand to fold.")
    return moves.fold(state, position)


def forfeit(state: State, chips: int) -> State:
    """The seat to act folds and leaves chips in the pot that it may not take back (TDA 51-B)."""
    turn = state.turn
    if turn < 0:
        raise Illegal(*rights.why_nobody_acts(state))
    to_call = max(0, min(rights.owed(state), state.behind[turn]))
    if not 0 <= chips <= to_call:
        raise Illegal("above-maximum", f"At most the call of {to_call} can be forfeited, not {chips}.")
    behind, wagers = list(state.behind), list(state.wagers)
    behind[turn] -= chips
    wagers[turn] += chips
    return moves.fold(state._replace(behind=tuple(behind), wagers=tuple(wagers), pot=state.pot + chips), turn)


def bring_in(state: State, seat: int) -> State:
    """Stud: the seat posts the bring-in, or it is moved there while nobody else has acted (R-202)."""
    if not state.setup.structure.bring_in or state.street:
        raise Illegal("not-open", "Go on without it: there is no bring-in to post here.")
    if state.acts and not state.awaiting_bring_in:
        raise Illegal("too-late", "Leave the bring-in where it is: the next hand has acted.")
    position = state.setup.position_of.get(seat, NOBODY)
    if position < 0 or not state.live >> position & 1:
        raise Illegal("not-open", f"Seat {seat} is not in the hand.")
    return moves.bring_in(state, position)


def deal(state: State, street: str, first: int | None, *, doubled: bool) -> State:
    """The round's bets are gathered and the next street begins; see `Hand.deal`."""
    if not state.round_over:
        raise Illegal("action-pending", f"The next street must wait: {_whom_it_waits_for(state)}.")
    structure = state.setup.structure
    following = state.street + 1
    if state.hand_over or following == len(structure.streets):
        raise Illegal("too-late", "Award the pots: there is no street left to deal.")
    if street != structure.streets[following]:
        raise Illegal("not-open", f"The next street is {structure.streets[following]}, not {street}.")
    if doubled and structure.limit is Limit.FIXED_LIMIT:
        state = state._replace(setup=replace(state.setup, doubled_street=following))
    return moves.open_street(state, following, first_position(state, first))


def award(state: State, here: Sequence[Pot], winners: Sequence[Sequence[int] | Parts], taken: Sequence[int]) -> State:
    """Pay every pot of `here`, from the last side pot to the main pot (R-264); see `Hand.award`."""
    if state.hand_over:
        raise Illegal("too-late", "Begin the next hand: the pots have been paid.")
    if not state.betting_over:
        raise Illegal("action-pending", f"The award must wait: {_whom_it_waits_for(state)}.")
    if len(winners) != len(here):
        raise Illegal("not-open", f"Name the winners of {len(here)} pots, not of {len(winners)}.")
    setup = state.setup
    payouts: list[Payout] = []
    for number in reversed(range(len(here))):
        pot = here[number]
        payouts += pots.award(
            number,
            Pot(pot.amount - taken[number], pot.seats) if taken else pot,
            winners[number],
            order=setup.seats,
            unit=setup.structure.unit,
            odd_to_first_name=setup.options.odd_chip is OddChip.HIGH_CARD_SUIT,
        )
    return moves.paid_out(state, tuple(payouts))


def pass_out(state: State) -> State:
    """Nobody has opened, and nobody wins: the pot is carried to the next hand (R-307)."""
    if state.hand_over:
        raise Illegal("too-late", "The hand is over.")
    if not state.round_over:
        raise Illegal("action-pending", f"Passing out must wait: {_whom_it_waits_for(state)}.")
    if state.street or state.level:
        raise Illegal("not-open", "Play it on: only a hand that nobody has opened on its first street is passed out.")
    return moves.passed_out(state)


def first_position(state: State, first: int | None) -> int:
    """Where the next street begins: left of the button, in stud at the seat that the dealer names (R-002, R-003)."""
    setup = state.setup
    if not setup.structure.opener_named or not state.able & (state.able - 1):
        return 0
    if first is None:
        raise Illegal("not-open", "Name the seat that is first on this street (`first`).")
    position = setup.position_of.get(first, NOBODY)
    if position < 0 or not state.live >> position & 1:
        raise Illegal("not-open", f"Name a seat with cards: seat {first} has no live hand and cannot be first.")
    return position


def _turned_to(state: State, seat: int, kind: ActionKind) -> State:
    """The state with the seat to act; its poster may make the bring-in a full bet until another acts (R-202)."""
    seats = state.setup.seats
    if state.turn >= 0 and seats[state.turn] != seat:
        poster = state.bring_in
        if not state.acts and poster >= 0 and seats[poster] == seat and kind is _over_own_bring_in(state):
            return state._replace(turn=poster)
        raise Illegal("not-your-turn", f"Wait for seat {seats[state.turn]}: it is its turn, not seat {seat}'s.")
    return state


def _over_own_bring_in(state: State) -> ActionKind:
    """What the poster of the bring-in may still make of it: where it equals the bet, a raise if the house says."""
    big_bet = state.setup.big_bet and not state.full
    raises = big_bet or (state.full and state.setup.options.bring_in_equal is BringInEqual.MAY_RAISE)
    return RAISE if raises else COMPLETE


def _whom_it_waits_for(state: State) -> str:
    if state.turn >= 0:
        return f"seat {state.setup.seats[state.turn]} is to act"
    if state.awaiting_bring_in:
        return "name the seat that brings it in"
    return "streets with betting are still to be dealt"
