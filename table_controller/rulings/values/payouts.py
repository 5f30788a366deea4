"""Who gets what out of which pot, once a hand is over (R-264, R-285, R-305)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from table_controller.betting import Payout
from table_controller.betting.pots import PayoutKind
from table_controller.rulings.values.state import State

To: TypeAlias = int | Literal["rake", "kitty"]


@dataclass(frozen=True, slots=True)
class Push:
    """Chips that the dealer pushes to a seat or to the house; `pot` is 0 for the main pot, None for an uncalled bet."""

    to: To
    pot: int | None
    amount: int


def payout_plan(state: State) -> tuple[Push, ...]:
    """Every chip of the hand that has just ended, in the order in which it is pushed; empty while it is played.

    Uncalled bets come first, then the pots from the last side pot to the main pot, of each the part of the house
    before the winners. What was carried to the next hand is pushed to nobody (R-307).
    """
    hand = state.hand
    if hand is None or not hand.hand_over:
        return ()
    plan = [Push(payout.seat, None, payout.amount) for payout in hand.payouts if payout.kind is PayoutKind.UNCALLED]
    won = [payout for payout in hand.payouts if payout.kind is PayoutKind.POT]
    for number in sorted({payout.pot or 0 for payout in won} | {taking.pot for taking in state.takings}, reverse=True):
        for taking in state.takings:
            if taking.pot == number:
                plan += [Push("rake", number, taking.rake), Push("kitty", number, taking.kitty)]
        plan += [_push(payout) for payout in won if (payout.pot or 0) == number]
    return tuple([push for push in plan if push.amount])


def _push(payout: Payout) -> Push:
    return Push(payout.seat, payout.pot or 0, payout.amount)
