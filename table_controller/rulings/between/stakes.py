"""Buying in: how much may come to the table, and when (R-280, R-281)."""

from __future__ import annotations

from dataclasses import replace

from betline.steps import MoneyBehind, Rebuy
from table_controller.betting import Illegal
from table_controller.positions import Player
from table_controller.rulings.acts import acts
from table_controller.rulings.acts.dealer import gathered
from table_controller.rulings.between.stacks import is_playing, seated, with_player, with_stack
from table_controller.rulings.values.state import Effect, State


def adds(state: State, step: Rebuy) -> Effect:
    """A player buys more chips: between hands, at open stakes in a hand too (R-280, R-283)."""
    state = gathered(state) if state.between_hands else state
    seated(state, step.seat)
    if is_playing(state, step.seat) and state.house.stakes == "table":
        raise Illegal(
            "table-stakes", "Wait for the end of the hand: chips are added between hands only (table stakes)."
        )
    player, stack = state.players[step.seat], state.stacks[step.seat]
    bought = _bought(state, player, step.amount, stack, step.seat)
    return acts.settle(Effect(state=with_stack(with_player(state, step.seat, bought), step.seat, stack + step.amount)))


def behind(state: State, step: MoneyBehind) -> Effect:
    """Money behind plays as if it lay there, announced before the hand (R-298).

    It was bought before, so the buy-in range does not bind it; who won short all-in adds a full buy-in at least
    (R-283). Cash on the table plays where the house lets it (R-286), and counts as bought.
    """
    seated(state, step.seat)
    if step.cash and not state.house.cash_plays:
        raise Illegal("not-open", "Buy chips for it: cash does not play here (R-286).")
    if not state.between_hands:
        raise Illegal(
            "table-stakes", "Let it play from the next hand on: money behind is announced before a hand (table stakes)."
        )
    state = gathered(state)
    player = seated(state, step.seat)
    counts_as_bought = step.cash or player.won_short
    after = replace(player, must_rebuy=False)
    if counts_as_bought:
        after = _bought(state, player, step.amount, player.stack, step.seat)
    return Effect(state=with_player(state, step.seat, replace(after, stack=player.stack + step.amount)))


def least_and_most(state: State) -> tuple[int, int] | None:
    """The house's buy-in in chips, counted in big blinds, without blinds in small bets; None where it sets none.

    Where the house says so the most is the biggest stack at the table, if that is more (R-281).
    """
    if state.house.buy_in is None:
        return None
    unit = state.structure.big_blind or state.structure.bet_ranges[0][0]
    least, most = state.house.buy_in
    if state.house.buy_in_most == "range":
        return least * unit, most * unit
    return least * unit, max(most * unit, _biggest_stack(state))


def _biggest_stack(state: State) -> int:
    """The most that a seat has, in a hand with what it had when that began."""
    stacks = dict(state.stacks)
    if state.hand is not None and not state.between_hands:
        stacks.update(state.hand.starting_stacks)
    return max(stacks.values(), default=0)


def check_buy_in(state: State, stack: int, *, returns_with: int) -> None:
    """Who sits down brings a full buy-in, and who comes back inside the lockout what it took away (R-281, R-282)."""
    if stack < returns_with:
        why = f"{returns_with} left the table within {state.house.lockout_minutes} minutes"
        raise Illegal("buy-in-range", f"{why}: bring that much back, or wait.")
    if (limits := least_and_most(state)) is None:
        return
    least, most = limits
    if stack < least:
        raise Illegal("buy-in-range", f"Buy in for at least {least}, not {stack}.")
    _check_most(stack, max(most, returns_with))


def _bought(state: State, player: Player, amount: int, stack: int, seat: int) -> Player:
    """The player with the chips bought: any number to a stack, a full buy-in or a short one to none (R-281).

    In the middle of a hand at open stakes only the betting limits what may be bought (R-283).
    """
    bought = replace(player, must_rebuy=False, won_short=False)
    if (limits := least_and_most(state)) is None:
        return bought
    least, most = limits
    if not is_playing(state, seat):
        _check_most(stack + amount, most)
    if player.won_short and stack + amount < least:
        raise Illegal("buy-in-range", f"Seat {seat} won less than {least} all-in: make it that much at least (R-283).")
    anew = not _has_chips(state, seat, stack) or player.must_rebuy
    if not anew or stack + amount >= least or state.house.short_buys == "any":
        return bought
    if state.house.short_buys == "none" or player.short_bought:
        raise Illegal("buy-in-range", f"Buy in for at least {least}, not {amount}: {_why_no_short_buy(state)}.")
    return replace(bought, short_bought=True)


def _has_chips(state: State, seat: int, stack: int) -> bool:
    """A stack, or an all-in in the hand: who still may win it has not lost the buy-in."""
    if stack or state.hand is None or state.between_hands:
        return stack > 0
    return seat in state.hand.in_hand


def _why_no_short_buy(state: State) -> str:
    return "no short buy here" if state.house.short_buys == "none" else "one short buy is all that a player has"


def _check_most(total: int, most: int) -> None:
    if total > most:
        raise Illegal("buy-in-range", f"At most {most} may be in front of a seat, not {total}.")
