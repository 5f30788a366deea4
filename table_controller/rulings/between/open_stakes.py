"""Open stakes: chips borrowed in the middle of a hand, against a marker (R-283)."""

from __future__ import annotations

from betline.steps import Borrow
from table_controller.betting import Hand, Illegal
from table_controller.rulings.acts import acts
from table_controller.rulings.between.stacks import seated, with_stack
from table_controller.rulings.values.state import Effect, State


def borrows(state: State, step: Borrow) -> Effect:
    """A marker to a seat that is out of the hand, or to the pot if all in it accept; the stack grows immediately.

    Below the house's least marker nobody may decline.
    """
    player = seated(state, step.seat)
    hand = state.hand
    if state.house.stakes == "table":
        raise Illegal("table-stakes", "Call all-in or fold: no chips are borrowed at table stakes.")
    if hand is None or state.between_hands or step.seat not in hand.in_hand:
        raise Illegal("not-open", f"Let it buy chips between hands: seat {step.seat} borrows only while it is in one.")
    if not hand.stack(step.seat):
        raise Illegal("not-open", f"Seat {step.seat} is all-in and plays for what it has put in.")
    if player.won_short:
        raise Illegal("not-open", f"Let seat {step.seat} buy in first: it won less than a buy-in all-in.")
    if step.source == "pot":
        _check_consent(state, hand, step)
    else:
        state = _lent(state, hand, step, step.source)
    state = with_stack(state, step.seat, state.stacks[step.seat] + step.amount)
    amount = state.borrowed.get(step.seat, 0) + step.amount
    return acts.settle(Effect(state=state._replace(borrowed={**state.borrowed, step.seat: amount})))


def _check_consent(state: State, hand: Hand, step: Borrow) -> None:
    strangers = sorted(set(step.declined) - (hand.in_hand - {step.seat}))
    if strangers:
        raise Illegal("not-open", f"Seat {strangers[0]} is not asked: it has no hand to win the marker with.")
    if step.declined and step.amount >= state.house.marker_least:
        raise Illegal(
            "not-open", f"Seat {step.declined[0]} does not accept the marker: borrow from a seat that is out, or fold."
        )  # fmt: skip


def _lent(state: State, hand: Hand, step: Borrow, lender: int) -> State:
    seated(state, lender)
    if step.declined:
        raise Illegal("not-open", "A marker to a seat asks nobody else: only one to the pot can be declined.")
    if lender in hand.in_hand:
        raise Illegal("not-open", f"Let the marker go to the pot: seat {lender} is in the hand and lends nothing.")
    has = state.stacks[lender]
    if step.amount > has:
        raise Illegal("above-maximum", f"Seat {lender} cannot lend {step.amount}: it has {has} behind.")
    return with_stack(state, lender, has - step.amount)
