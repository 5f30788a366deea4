"""The next hand begins: the minutes pass, the game and house rules in force now hold for it."""

from __future__ import annotations

from dataclasses import replace

from betline.steps import NextHand
from table_controller.journal.entries import Source
from table_controller.levels import Turn
from table_controller.rulings.values.ruling import Refusal
from table_controller.session import held, minutes
from table_controller.session import levels as evening
from table_controller.session.draft import NO_TABLE, Draft
from table_controller.session.terms import Terms


def begin(draft: Draft, step: NextHand, terms: Terms, source: Source) -> Refusal | None:
    """Begins it under the settings in force now; a button that is named is put there instead of moved.

    Before a hand that is dealt again begins it is that hand, and its limits stay the same (R-292).
    """
    waits = held.refused(draft.book, (step,))
    if waits is not None:
        return waits
    minutes.pass_to_the_hand(draft)
    if draft.table is None:
        return NO_TABLE
    whole, turn = settled(draft, step, terms)
    refusal = draft.apply(whole, source)
    if refusal is None and turn is not None:
        evening.note_turn(draft, terms, turn)
    return refusal


def settled(draft: Draft, step: NextHand, terms: Terms) -> tuple[NextHand, Turn | None]:
    """The step with the game and the house rules that differ from those of the last hand, and the rotation's turn."""
    state = None if draft.table is None else draft.table.state
    if state is None or state.may_be_redealt or not draft.book.from_file:
        return step, None
    game, turn = evening.next_game(draft, terms, step.button)
    game_now, house_now = (None if game == state.game else game), (None if terms.house == state.house else terms.house)
    return replace(step, game=game_now, house=house_now), turn
