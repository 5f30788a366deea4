"""Cards that have come to an antenna: a street or a hand is laid once all of its cards were read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from betline.cards import Card, Cards, written
from betline.messages.table import Alert
from betline.steps import BoardCards, ShownCards
from table_controller.betting import Hand
from table_controller.cards.ranking import ranking_of
from table_controller.rulings.values.lying import Laid, streets_on_the_board
from table_controller.rulings.values.ruling import Refusal
from table_controller.rulings.values.state import State
from table_controller.session.cards import asked_place, board, lying, shown
from table_controller.session.draft import Draft
from table_controller.session.inputs import CardsRead


@dataclass(frozen=True, slots=True)
class Begun:
    """Cards that were read of what is not complete yet, by seat, None the board; of one hand only."""

    hand_no: int = 0
    cards: Mapping[int | None, Cards] = field(default_factory=dict)


def read(draft: Draft, came: CardsRead, begun: Begun) -> Begun:
    """Cards that have come to an antenna: a street or a hand is laid once it is complete. What is begun after it.

    A reader of this kind sees two tags at most, so cards come one after the other. Cards before the betting is over are
    no street (R-046), and of a hand nothing is kept before it may be shown.
    """
    hand_no = draft.book.hand_no
    if begun.hand_no != hand_no:
        begun = Begun(hand_no)
    state = None if draft.table is None else draft.table.state
    if state is None or state.hand is None or state.house.cards == "off":
        return begun
    if came.strange:
        tags = "A tag" if came.strange == 1 else f"{came.strange} tags"
        _tell(draft, "strange-card", f"{tags} {_at_antenna(came)} is no card of the house: enrol it (betline cards).")
    wanted = _board_wanted(draft, state, state.hand, came) if came.seat is None else _hand_wanted(state, came.seat)
    if wanted is None:
        return Begun(hand_no, {seat: cards for seat, cards in begun.cards.items() if seat != came.seat})
    cards = begun.cards.get(came.seat, ())
    for card in came.cards:
        if card not in cards and not _lies_elsewhere(draft, came, wanted, card):
            cards = (*cards, card)
    if len(cards) < wanted.count:
        return Begun(hand_no, {**begun.cards, came.seat: cards})
    text = written(cards[: wanted.count])
    draft.command = f"cards-{hand_no}-{wanted.seat or wanted.street}-{wanted.board}"
    if came.seat is None:
        done = board(draft, BoardCards(cards=text), "inferred")
    else:
        done = shown(draft, ShownCards(seat=came.seat, cards=text), "inferred")
    draft.command = ""
    if isinstance(done, Refusal):
        _tell(draft, done.code, "Look at the cards: what was read cannot lie there.")
    return Begun(hand_no, {seat: cards for seat, cards in begun.cards.items() if seat != came.seat})


def _board_wanted(draft: Draft, state: State, hand: Hand, came: CardsRead) -> Laid | None:
    """The street that waits for cards; where none does, what to do with those that came is said."""
    place = asked_place(state, hand, BoardCards(cards=""))
    there = {card for one in lying(draft.book, draft.secrets) for card in one.cards or ()}
    if not set(came.cards) - there:
        return None
    if isinstance(place, Refusal):
        _tell(draft, "card-too-many", "Take it away: a card was read on the board, and the whole board lies there.")
        return None
    if place in streets_on_the_board(hand, state.runs) or (hand.round_over and not hand.awaiting_bring_in):
        return place
    _tell(
        draft, "premature-street",
        "Put it aside: a card was read on the board before the betting is over. The action goes on (R-046).",
    )  # fmt: skip
    return None


def _hand_wanted(state: State, seat: int) -> Laid | None:
    """The hand of a seat, where it may be shown and was not; what is read before stays unknown."""
    hand = state.hand
    if hand is None or state.house.cards != "board-and-shown" or hand.hand_over or not hand.betting_over:
        return None
    if seat not in hand.in_hand or any(one.seat == seat for one in state.cards):
        return None
    return Laid(seat, "", 0, ranking_of(state.game).hole_cards, "")


def _lies_elsewhere(draft: Draft, came: CardsRead, wanted: Laid, card: Card) -> bool:
    """Whether a card lies at another place of the hand; a card of the board that is heard again is no news."""
    for one in lying(draft.book, draft.secrets):
        if card in (one.cards or ()):
            if one.laid.seat != wanted.seat:
                _tell(draft, "card-twice", f"Lay the right card: one {_at_antenna(came)} lies elsewhere already.")
            return True
    return False


def _at_antenna(came: CardsRead) -> str:
    return "on the board" if came.seat is None else f"before seat {came.seat}"


def _tell(draft: Draft, code: str, sentence: str) -> None:
    """Without the card: whoever hears alerts may not know it yet."""
    draft.alert(Alert(severity="warning", code=code, sentence=sentence))
