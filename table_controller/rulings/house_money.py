"""What the house takes when a pot is awarded (R-284, R-285) and what a won pot leads to (R-127): not honoured yet."""

from __future__ import annotations

from table_controller.betting.pots import PayoutKind
from table_controller.positions import Unsupported
from table_controller.rulings.state import State


def refuse_where_the_house_takes(before: State, after: State) -> None:
    """Raises Unsupported where a step paid a pot of which the house would take a part, or that starts a kill."""
    if after.hand is None or after.hand is before.hand:
        return
    known = 0 if before.hand is None or before.between_hands else len(before.hand.payouts)
    if not any(payout.kind is PayoutKind.POT for payout in after.hand.payouts[known:]):
        return
    house = after.house
    if house.rake is not None:
        raise Unsupported("rake", "a pot is awarded.")
    if house.kitty is not None:
        raise Unsupported("kitty", "a pot is awarded.")
    if house.kill is not None and house.kill_trigger is not None:
        raise Unsupported("kill", "a pot is awarded that may start one.")
    if house.rock:
        raise Unsupported("rock", "the rock goes with the pot.")
