"""What the house takes out of the pots: a rake, a drop, a chip for the kitty (R-284, R-285)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from betline.settings.house_rules import PotRake
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
    if hand is None or not _takes(state, hand):
        return state
    known = {taking.pot for taking in awarded}
    at_once = [
        (payout.pot or 0, payout.amount) for payout in hand.payouts
        if payout.kind is PayoutKind.POT and (payout.pot or 0) not in known
    ]  # fmt: skip
    later = _taken(state, hand, sorted(at_once), already=awarded, in_them=_awarded_pots(hand, awarded))
    takings = (*awarded, *later)
    state = state._replace(hand=hand.raked({taking.pot: taking.amount for taking in later}), takings=takings)
    state = booked(state, "rake", sum(taking.rake for taking in takings))
    return booked(state, "kitty", sum(taking.kitty for taking in takings))


def _awarded_pots(hand: Hand, awarded: Sequence[Taking]) -> int:
    """What the awarded pots held: what their winners got and what the house took."""
    known = {taking.pot for taking in awarded}
    won = sum(payout.amount for payout in hand.payouts if payout.kind is PayoutKind.POT and payout.pot in known)
    return won + sum(taking.amount for taking in awarded)


def _takes(state: State, hand: Hand) -> bool:
    return state.house.kitty is not None or _rake_of(state, hand) is not None


def _rake_of(state: State, hand: Hand) -> PotRake | None:
    """What the house takes out of the pots of this hand: none before the flop where that is the rule (R-285)."""
    rake = None if state.house.rake is None else state.house.rake.of_pots(len(hand.seats))
    if rake is not None and rake.no_flop_no_drop and hand.street == state.structure.streets[0]:
        return None
    return rake


def _taken(
    state: State, hand: Hand, pots: Sequence[tuple[int, int]], already: Sequence[Taking] = (), in_them: int = 0
) -> tuple[Taking, ...]:  # fmt: skip
    """What leaves each of some pots: the rake, the drop once a hand out of the first, one unit a pot for the kitty.

    `already` is what was taken out of pots before these, which held `in_them`.
    """
    if not _takes(state, hand):
        return ()
    rake = _rake_of(state, hand)
    taken, total = list(already), in_them
    raked = sum(taking.rake - taking.drop for taking in taken)
    for number, pot in pots:
        total += pot
        share = 0 if rake is None else min(_rake(state, rake, pot, total, raked), pot)
        raked += share
        drop = 0 if rake is None or rake.drop is None or taken else min(rake.drop, pot - share)
        kitty = 0 if state.house.kitty is None else min(state.structure.unit, pot - share - drop)
        taken.append(Taking(number, share + drop, kitty, drop))
    return tuple(taken[len(already) :])


def _rake(state: State, rake: PotRake, pot: int, total: int, already: int) -> int:
    """The rake of a pot; `total` is in the pots up to it, `already` was raked out of those before it."""
    if rake.steps is not None:
        due = max([amount for least, amount in rake.steps if least <= total], default=0)
        return max(due - already, 0)
    if rake.percent is None:
        return 0
    unit = state.structure.unit
    share = int(pot * Fraction(str(rake.percent)) / 100) // unit * unit
    cap = rake.cap
    if rake.cap_big_blinds is not None:
        cap = int(Fraction(str(rake.cap_big_blinds)) * state.structure.big_blind)
    return share if cap is None else min(share, max(cap - already, 0))
