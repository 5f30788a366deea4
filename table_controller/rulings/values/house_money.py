"""What the house takes out of the pots: a rake, a drop, a chip for the kitty (R-284, R-285)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from table_controller.betting import Hand
from table_controller.betting.pots import PayoutKind
from table_controller.rulings.values.state import State, Taking


def booked(state: State, place: str, amount: int) -> State:
    """So much has gone from the table to a place of the house, or come from it where it is less than 0."""
    if not amount:
        return state
    return state._replace(house_money={**state.house_money, place: state.house_money.get(place, 0) + amount})


def out_of_pots(state: State, hand: Hand) -> tuple[Taking, ...]:
    """What is taken out of each pot that is awarded now, main pot first; empty where the house takes nothing."""
    return _taken(state, hand, list(enumerate([pot.amount for pot in hand.pots])))


def hand_over(state: State, awarded: Sequence[Taking]) -> State:
    """The hand is over, `awarded` went out of its awarded pots: pots that one player alone could win pay as well.

    They went to their winner without an award (R-262), and come after those that were awarded.
    """
    hand = state.hand
    if hand is None or not _takes(state):
        return state
    known = {taking.pot for taking in awarded}
    at_once = [
        (payout.pot or 0, payout.amount) for payout in hand.payouts
        if payout.kind is PayoutKind.POT and (payout.pot or 0) not in known
    ]  # fmt: skip
    later = _taken(state, hand, sorted(at_once), already=awarded)
    takings = (*awarded, *later)
    state = state._replace(hand=hand.raked({taking.pot: taking.amount for taking in later}), takings=takings)
    state = booked(state, "rake", sum(taking.rake for taking in takings))
    return booked(state, "kitty", sum(taking.kitty for taking in takings))


def _takes(state: State) -> bool:
    rake = state.house.rake
    return state.house.kitty is not None or (rake is not None and rake.time is None)


def _taken(
    state: State, hand: Hand, pots: Sequence[tuple[int, int]], already: Sequence[Taking] = ()
) -> tuple[Taking, ...]:  # fmt: skip
    """What leaves each of some pots: up to the cap, rounded down to the betting unit; of the kitty one unit a pot."""
    if not _takes(state):
        return ()
    taken = list(already)
    for number, pot in pots:
        rake = _rake(state, hand, pot, already=sum(taking.rake for taking in taken), first=not taken)
        kitty = 0 if state.house.kitty is None else min(state.structure.unit, pot - rake)
        taken.append(Taking(number, rake, kitty))
    return tuple(taken[len(already) :])


def _rake(state: State, hand: Hand, pot: int, *, already: int, first: bool) -> int:
    rake = state.house.rake
    if rake is None or rake.time is not None:
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
