"""What is open to the position whose turn it is, how much, and why not: questions to a `State`.

All but `why_not` and `why_nobody_acts` ask for somebody to be to act.
"""

from __future__ import annotations

from table_controller.betting import sizes, turns
from table_controller.betting.acts import ALL_IN, BET, COMPLETE, RAISE, Action, ActionKind, Illegal
from table_controller.betting.state import Setup, State
from table_controller.betting.structure import (
    Limit,
    PotBelowMinimum,
    PotLimitPreflop,
    PotLimitSmallBlind,
    ShortBlindPot,
)

Reason = tuple[str, str]
"""A code and a sentence."""


def owed(state: State) -> int:
    """What a call takes, whatever the stack; 0 or less where there is nothing to call."""
    turn = state.turn
    if state.able & ~(1 << turn):
        return state.level - state.wagers[turn]
    level = turns.matching(turn, state.able, state.live, state.level, state.wagers, state.aggressor)
    return level - state.wagers[turn]


def raise_range(state: State) -> tuple[int, int]:
    """The least and the most that the stack and the structure allow to make it, were raising open.

    Only what a player chooses must fit the betting unit: in fixed limit an all-in of 33 is raised to 53 (R-072, R-120).
    """
    setup, turn = state.setup, state.turn
    structure = setup.structure
    everything = state.wagers[turn] + state.behind[turn]
    least = least_wager(setup, state.street, state.level, state.full, state.last_raise)
    if setup.big_bet:
        most = _pot_limit_maximum(state) if setup.pot_limit else everything
    else:
        most = sizes.limit_size(state.full, setup.bet_ranges[state.street][1])
    if structure.unit > 1 and structure.limit is not Limit.FIXED_LIMIT:
        least = sizes.up_to_unit(least, structure.unit)
        if setup.pot_limit or not setup.big_bet:
            most = sizes.to_unit(most, structure.unit)
    most = max(most, least)
    return (least if least < everything else everything), (most if most < everything else everything)


def least_wager(setup: Setup, street: int, level: int, full: int, last_raise: int) -> int:
    """The least that a bet or raise may make it, whatever the stack and the betting unit."""
    if not setup.big_bet:
        return sizes.limit_size(full, last_raise)
    smallest = setup.bet_ranges[street][0]
    return sizes.no_limit_minimum(level, last_raise, smallest, short_open_to_minimum=setup.short_open_to_minimum)


def pot_bet(state: State) -> sizes.PotBet:
    """The reckoning of the pot-limit maximum of the position to act, before its stack bounds it (R-150)."""
    own = state.wagers[state.turn]
    call = max(owed(state), 0)
    round_total = sum(state.wagers)
    start = state.pot - round_total + _assumed_in_pot(state)
    maximum = _pot_limit_maximum(state)
    return sizes.PotBet(
        last_wager=own + call,
        trail=round_total - own - (own + call),
        start=start,
        call=call,
        rounded=maximum - (own + call) - (start + round_total + call),
        maximum=maximum,
    )


def _pot_limit_maximum(state: State) -> int:
    call = max(owed(state), 0)
    level = state.wagers[state.turn] + call
    return sizes.pot_limit_maximum(level, call, state.pot + _assumed_in_pot(state), state.setup.options.pot_round_to)


def _assumed_in_pot(state: State) -> int:
    """What counts as in the pot before the flop although it is not, less what does not count (R-155 to R-157)."""
    setup, turn, wagers = state.setup, state.turn, state.wagers
    if state.street:
        return 0
    if setup.big_blind < 0:
        return -setup.uncounted_ante
    options = setup.options
    in_full = options.short_blind_pot is ShortBlindPot.FULL
    assumed = (setup.missing_blinds if in_full else 0) - setup.uncounted_ante
    big_blind = setup.structure.big_blind
    if options.pot_limit_preflop is PotLimitPreflop.ASSUMED_CALL and not _big_blind_is_through(state):
        assumed += sum(
            [
                max(big_blind - max(wagers[p], blind), 0)
                for p, blind in setup.small_blinds
                if p != turn and (in_full or wagers[p] >= blind)
            ]
        )
        assumed += sum([big_blind - blind for blind in setup.vacant_blinds if in_full])
    if (
        options.pot_limit_small_blind is PotLimitSmallBlind.AS_POT
        and any(turn == p for p, _ in setup.small_blinds)
        and state.level == big_blind
        and state.live == 1 << turn | 1 << setup.big_blind
    ):
        assumed += wagers[turn]
    return assumed


def _big_blind_is_through(state: State) -> bool:
    """The big blind has acted or folded, or is all-in and the action has gone past it (R-155)."""
    big_blind = state.setup.big_blind
    if state.acted[big_blind] >= 0 or not state.live >> big_blind & 1:
        return True
    return not state.able >> big_blind & 1 and state.acted[state.turn] >= 0


def wager_kind(state: State) -> ActionKind:
    """What more chips than the call would be: a bet, a raise, or the completion of an incomplete bet (R-104, R-105)."""
    if not state.level:
        return BET
    if state.setup.big_bet or state.level == state.full:
        return RAISE
    return COMPLETE


def why_no_raise(state: State) -> Reason | None:
    """Why the position to act may neither bet nor raise; None where it may."""
    setup, turn, level = state.setup, state.turn, state.level
    if state.behind[turn] <= owed(state):
        return "not-open", "The stack covers no more than the call."
    if not _others_can_answer(state):
        return "not-open", "Nobody else has chips left to call (R-106)."
    memory = state.acted[turn]
    if memory >= state.proper and not sizes.is_full(level - memory, state.last_raise, half_counts=setup.half_counts):
        return "not-open", _no_full_raise(state, level - memory)
    if state.capped:
        return "not-open", f"The cap of {setup.options.max_raises} raises is reached (TDA 48)."
    if (
        not level
        and setup.pot_limit
        and setup.options.pot_below_minimum is PotBelowMinimum.NO_BET
        and _pot_limit_maximum(state) < state.last_raise
    ):
        return "not-open", f"The pot is smaller than the minimum bet of {state.last_raise} (R-151)."
    return None


def _no_full_raise(state: State, more: int) -> str:
    setup = state.setup
    if more <= 0:
        return f"There has been no raise since seat {setup.seats[state.turn]} acted (TDA 47)."
    full = (
        f"half of the full raise of {state.last_raise}"
        if setup.half_counts
        else f"the full raise of {state.last_raise}"
    )
    return f"{more} more is less than {full} (TDA 47)."


def _others_can_answer(state: State) -> bool:
    able, level, turn, behind = state.able, state.level, state.turn, state.behind
    for position, wager in enumerate(state.wagers):
        if wager + behind[position] > level and able >> position & 1 and position != turn:
            return True
    return False


def wager(state: State, action: Action, *, accepted: bool) -> tuple[int, ActionKind]:
    """What a bet, raise, completion or all-in above the call makes it, and what it is.

    `accepted`: the size may be illegal. Raises Illegal: `not-open`, `below-minimum`, `above-maximum`.
    """
    refusal = why_no_raise(state)
    if refusal is not None:
        raise Illegal(*refusal)
    kind = wager_kind(state)
    everything = state.wagers[state.turn] + state.behind[state.turn]
    least, most = raise_range(state)
    to = action.to
    if action.kind is ALL_IN:
        to = everything
    elif action.kind is not kind:
        raise Illegal("not-open", f"Make it a {kind}: there is no {action.kind} here.")
    elif to is None:
        if least != most:
            raise Illegal("not-open", f"Say how much: {least} to {most}.")
        to = least
    if to > everything:
        raise Illegal("above-maximum", f"Make it at most {everything}, the whole stack, not {to}.")
    unit = state.setup.structure.unit
    if unit > 1 and to != everything and state.setup.structure.limit is not Limit.FIXED_LIMIT:
        to = min(sizes.to_unit(to, unit), everything)
    if not (accepted and to > state.level):
        if to < least:
            raise Illegal("below-minimum", f"Make it at least {least}, not {to}.")
        if to > most:
            raise Illegal("above-maximum", f"Make it at most {most}, not {to}.")
        if least < to < most and state.setup.doubled_street == state.street and to != everything:
            raise Illegal("below-minimum", f"Make it {least} or {most}, not {to}.")
    if kind is COMPLETE and to < sizes.limit_size(state.full, state.last_raise):
        kind = RAISE
    return to, kind


def why_not(state: State, kind: ActionKind) -> Reason | None:
    """Why an action is not open; None where it is."""
    if state.turn < 0:
        return why_nobody_acts(state)
    facing = owed(state)
    match kind:
        case ActionKind.FOLD | ActionKind.ALL_IN:
            return None
        case ActionKind.CHECK:
            return ("not-open", f"There is a bet of {state.level}: call or fold.") if facing > 0 else None
        case ActionKind.CALL:
            return ("not-open", "There is nothing to call: check.") if facing <= 0 else None
    refusal = why_no_raise(state)
    if refusal is not None:
        return refusal
    proper = wager_kind(state)
    return None if proper is kind else ("not-open", f"This would be a {proper}, not a {kind}.")


def why_nobody_acts(state: State) -> Reason:
    """What has to happen before anybody can act."""
    if state.hand_over:
        return "too-late", "The hand is over."
    if state.awaiting_bring_in:
        return "action-pending", "Name the seat that brings it in first."
    if state.betting_over:
        return "not-open", "The betting of the hand is over: deal what is left, or award the pots."
    return "not-open", "The betting round is over: deal the next street."
