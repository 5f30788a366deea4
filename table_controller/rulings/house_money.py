"""What the house takes out of the pots: a rake, a drop, a chip for the kitty (R-284, R-285)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from table_controller.betting import Hand, Payout
from table_controller.betting.pots import PayoutKind
from table_controller.rulings.state import State


def out_of_pots(state: State, hand: Hand) -> tuple[int, ...]:
    """What is taken out of each pot that is awarded now, main pot first; empty where the house takes nothing."""
    if not _takes(state):
        return ()
    return _taken(state, hand, [pot.amount for pot in hand.pots], already=0)


def out_of_what_was_paid_at_once(before: State, after: State, *, awarded: bool) -> State:
    """The hand is over: the house takes its part of pots that one player alone could win (R-262).

    They went to their winner without an award. Where other pots were `awarded` in the step from `before` to `after`,
    those came first.
    """
    hand = after.hand
    if hand is None or before.hand is None or not _takes(after):
        return after
    at_once = _won(before.hand if awarded else hand)
    already = sum(out_of_pots(before, before.hand)) if awarded else 0
    amounts = _taken(after, hand, [payout.amount for payout in at_once], already=already)
    for payout, amount in zip(at_once, amounts, strict=True):
        hand = hand.recounted(payout.seat, hand.stack(payout.seat) - amount)
    return replace(after, hand=hand)


def _takes(state: State) -> bool:
    rake = state.house.rake
    return state.house.kitty is not None or (rake is not None and rake.time is None)


def _won(hand: Hand) -> list[Payout]:
    """Pots that have been paid, main pot first."""
    return sorted([payout for payout in hand.payouts if payout.kind is PayoutKind.POT], key=lambda won: won.pot or 0)


def _taken(state: State, hand: Hand, pots: Sequence[int], *, already: int) -> tuple[int, ...]:
    """What leaves each of some pots: up to the cap, rounded down to the betting unit; of the kitty one unit a pot."""
    kitty = 0 if state.house.kitty is None else state.structure.unit
    taken = []
    for number, pot in enumerate(pots):
        rake = _rake(state, hand, pot, already=already, first=number == 0 and not already)
        already += rake
        taken.append(min(rake + kitty, pot))
    return tuple(taken)


def _rake(state: State, hand: Hand, pot: int, *, already: int, first: bool) -> int:
    rake = state.house.rake
    if rake is None:
        return 0
    if rake.drop is not None:
        return min(rake.drop, pot) if first else 0
    if rake.no_flop_no_drop and hand.street == state.structure.streets[0]:
        return 0
    unit = state.structure.unit
    share = int(pot * Fraction(str(rake.percent)) / 100) // unit * unit
    cap = rake.cap
    if rake.cap_big_blinds is not None:
        cap = int(Fraction(str(rake.cap_big_blinds)) * state.structure.big_blind)
    return share if cap is None else min(share, max(cap - already, 0))
