"""What the dealer's hands said of the hand becomes steps: passes, a street, the next hand; the pots are asked about.

Each is one inference with an id of its own, so that one key takes all of it back, and is refused whole where the hand
on the table contradicts it. What it rests on stands in the journal before it (`Observed`).
"""

from __future__ import annotations

from betline.messages.table import Alert
from betline.steps import Award, Deal, NextHand
from table_controller.rulings.values.ruling import Refusal
from table_controller.sensing.observations import HandBegun, Implied, StreetDealt
from table_controller.session import inferred, next_hand
from table_controller.session.draft import Draft

_SEEN = "inferred"


def infer(draft: Draft, seen: Implied | StreetDealt | HandBegun) -> None:
    """Takes the steps of what was seen, all under one id."""
    key = draft.command
    draft.command = f"{_SEEN}-{draft.book.hand_no}-{draft.book.street}-{type(seen).__name__.lower()}"
    match seen:
        case Implied():
            inferred.take(draft, seen.seats, seen.mucked, seen.seen)
        case StreetDealt():
            _street(draft, seen)
        case HandBegun():
            _hand(draft, seen)
    draft.command = key


def awarded(draft: Draft, question: str) -> Award:
    """The award that the dealer confirms: each pot to the seats that the question names."""
    asked = draft.sensing.questions[question]
    return Award(pots=tuple((asked.seats,) for _ in draft.sensing.hand.contested))


def _street(draft: Draft, seen: StreetDealt) -> None:
    hand = None if draft.table is None else draft.table.state.hand
    if hand is None or hand.street != seen.after:
        return
    names = hand.structure.streets
    street = names[names.index(seen.after) + 1]
    _tell(
        draft,
        draft.apply(Deal(street=street), "inferred"),
        "street-seen",
        f"The {street} is dealt: {seen.board} cards lie on the board and no bet before a seat. U takes it back.",
    )


def _hand(draft: Draft, seen: HandBegun) -> None:
    """Begins the next hand, where it begins with just what lies there."""
    if draft.terms is None or draft.table is None:
        return
    step, _ = next_hand.settled(draft, NextHand(), draft.terms)
    begun = draft.table.apply(step)
    hand = None if begun.error is not None else begun.table.state.hand
    if hand is None or any(seat not in hand.seats or hand.bet(seat) != value for seat, value in seen.posts):
        return
    refusal = next_hand.begin(draft, NextHand(), draft.terms, "inferred")
    what = "the blinds are posted" if seen.posts else "cards are dealt"
    sentence = f"Hand {draft.book.hand_no} is on: the pot has gone and {what}. U takes it back."
    _tell(draft, refusal, "hand-seen", sentence)


def _tell(draft: Draft, refusal: Refusal | None, code: str, sentence: str) -> None:
    """What was inferred is shown; what the table refuses is an error that says why."""
    if refusal is not None:
        draft.alert(Alert(severity="error", code=refusal.code, sentence=refusal.sentence))
        return
    draft.alert(Alert(severity="info", code=code, sentence=sentence))
