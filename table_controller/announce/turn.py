"""What the player to act is told, taken from the table."""

from __future__ import annotations

from table_controller.announce.phrases import Turn
from table_controller.betting.structure import Limit
from table_controller.rulings.values.state import State


def turn_of(state: State) -> Turn | None:
    """The seat to act with what it may do; None where nobody is to act or the floor must decide first."""
    hand = state.hand
    if hand is None or hand.next_seat is None or state.floor is not None:
        return None
    least, most = state.raise_range or (None, None)
    return Turn(
        seat=hand.next_seat,
        call=hand.to_call or 0,
        least=least,
        most=most,
        opened=hand.level > 0,
        option=hand.option,
        pot_bet=most if hand.pot_bet is not None else None,
        in_the_middle=hand.pot if _size_is_told(state) else None,
    )


def _size_is_told(state: State) -> bool:
    """Whether the size of the pot is told unasked, and may be counted in this game (R-160)."""
    counted = state.house.pot_count == "always" or state.structure.limit is Limit.POT_LIMIT
    return counted and state.house.pot_announcement == "always"
