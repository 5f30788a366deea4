"""The turn of the player to act, taken from the table."""

from __future__ import annotations

from table_controller.announce.phrases import Turn
from table_controller.betting import Hand
from table_controller.betting.structure import Limit
from table_controller.rulings.values.state import State


def turn_of(state: State) -> Turn | None:
    """The seat to act with what it may do; None where nobody is to act or the floor must decide first."""
    hand = state.hand
    if hand is None or hand.next_seat is None or state.floor is not None:
        return None
    least, most = state.raise_range or (None, None)
    to_call = hand.to_call or 0
    pot = hand.pot_bet
    short = to_call >= hand.stack(hand.next_seat)
    must_wager = state.standing.declared is not None and most is not None
    return Turn(
        seat=hand.next_seat,
        call=None if must_wager else to_call,
        least=least,
        most=most,
        wager=str(hand.wager_kind),
        option=hand.option,
        pot_bet=None if pot is None else most,
        most_is_pot=pot is not None and most == pot.maximum,
        in_the_middle=hand.pot if _is_counted(state) and state.house.pot_announcement == "always" else None,
        countable=hand.pot if _is_counted(state) else None,
        all_in_to_call=short,
        least_is_all_in=least is not None and least >= hand.bet(hand.next_seat) + hand.stack(hand.next_seat),
        facing_all_in=to_call > 0 and _is_all_in(hand),
        why_no_wager="" if short or most is not None else _why_no_wager(state),
    )


def _is_all_in(hand: Hand) -> bool:
    """Whether a bet or raise is to be matched that only seats without chips left have put out."""
    level = {seat for seat in hand.in_hand if hand.bet(seat) >= hand.level}
    return hand.aggressor is not None and bool(level) and level <= hand.all_in


def why_no_raise(state: State) -> str:
    """Why the seat to act may not bet or raise, as a sentence with its rule; empty where it may or nobody acts."""
    hand = state.hand
    if hand is None or state.next_seat is None or state.raise_range is not None:
        return ""
    standing = state.standing
    if standing.no_raise:
        return f"{standing.why_no_raise} ({standing.no_raise_by.replace('-', ' ')})."
    return (hand.why_not(hand.wager_kind) or ("", ""))[1]


def _why_no_wager(state: State) -> str:
    """The same without the rule's number, as the end of a sentence."""
    sentence = why_no_raise(state)
    reason = sentence.partition(" (")[0].rstrip(".")
    return reason[:1].lower() + reason[1:]


def _is_counted(state: State) -> bool:
    """Whether the pot may be counted in this game (R-160)."""
    return state.house.pot_count == "always" or state.structure.limit is Limit.POT_LIMIT
