"""Cards are laid face up: a street of the board, or the hand that a seat shows or mucks at the showdown (R-296)."""

from __future__ import annotations

from betline.steps import LayCards
from table_controller.betting import Hand, Illegal
from table_controller.rulings.acts import acts
from table_controller.rulings.values.lying import Laid, streets_on_the_board
from table_controller.rulings.values.state import Effect, State


def lays(state: State, step: LayCards) -> Effect:
    """The cards lie there; where cards lay at the same place before, these are the right ones."""
    hand = acts.hand_of(state)
    if state.house.cards == "off":
        raise Illegal("not-open", "Award with W: this house keeps no cards.")
    if hand.hand_over:
        raise Illegal("too-late", "Take the award back first (U): the pots are paid.")
    if step.seat is None:
        _check_board(state, hand, step)
    else:
        check_shown(state, hand, step.seat)
    laid = Laid(step.seat, step.street or "", step.board, step.count, step.seal)
    kept = tuple([one for one in state.cards if one.place != laid.place])
    return Effect(state=state._replace(cards=(*kept, laid)))


def _check_board(state: State, hand: Hand, step: LayCards) -> None:
    place = next(
        (one for one in streets_on_the_board(hand, state.runs) if (one.street, one.board) == (step.street, step.board)),
        None,
    )
    if place is None:
        which = f" of board {step.board}" if step.board else ""
        raise Illegal("not-open", f"Deal the {step.street}{which} first.")
    if step.count != place.count:
        cards = "1 card" if place.count == 1 else f"{place.count} cards"
        raise Illegal("not-open", f"Key {cards}: the {step.street} has {cards}, not {step.count}.")


def check_shown(state: State, hand: Hand, seat: int) -> None:
    """Raises Illegal where a seat has no hand to show now."""
    if state.house.cards != "board-and-shown":
        raise Illegal("not-open", "Award with W: this house keeps the board, and no hands.")
    if seat not in hand.in_hand:
        raise Illegal("not-open", f"Name a seat that is in the hand: seat {seat} is not.")
    if not hand.betting_over:
        raise Illegal("action-pending", "Finish the betting first: hands are shown when it is over (R-296).")
