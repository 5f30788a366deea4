"""Cards that lie in the hand: sealed in the journal, known to the session alone until the hand is over, then opened.

Which cards lie where is a secret of the session (`Secret`), as names are: entries and messages that others read have
seals only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from betline.cards import Cards, deck, parse_cards, sentence_of
from betline.steps import BoardCards, Deal, LayCards, ShownCards, Step
from table_controller.betting import Hand
from table_controller.cards.ranking import ranking_of
from table_controller.cards.seals import Place, Secret, opens, seal_of
from table_controller.journal.entries import CardsOpened, OpenedCards, Source
from table_controller.rulings.values.lying import Laid, next_on_the_board, streets_on_the_board
from table_controller.rulings.values.ruling import Refusal
from table_controller.rulings.values.run_out import BOARD
from table_controller.rulings.values.state import State
from table_controller.session.book import Book
from table_controller.session.draft import NO_TABLE, Draft

Secrets = Mapping[str, Secret]
"""What opens the seals of the present hand, by seal."""


@dataclass(frozen=True, slots=True)
class Lying:
    """What lies at a place; ``cards`` is None where nobody knows it any more."""

    laid: Laid
    cards: Cards | None


def are_kept(book: Book) -> bool:
    """Whether the house keeps cards."""
    return book.table is not None and book.table.state.house.cards != "off"


def lying(book: Book, secrets: Secrets) -> tuple[Lying, ...]:
    """What lies face up in the hand, in the order in which it came."""
    if book.table is None:
        return ()
    return tuple([Lying(laid, _cards_under(laid.seal, book, secrets)) for laid in book.table.state.cards])


def _cards_under(seal: str, book: Book, secrets: Secrets) -> Cards | None:
    if not seal:
        return ()
    secret = secrets.get(seal)
    text = secret.cards if secret is not None else book.opened.get(seal)
    return None if text is None else parse_cards(text)


# --- cards come


def board(draft: Draft, asked: BoardCards, source: Source = "keyed") -> Refusal | Step:
    """Cards come to the board; where no dealt street waits for cards, the next one is dealt with them."""
    if draft.table is None or draft.table.state.hand is None:
        return NO_TABLE
    place = asked_place(draft.table.state, draft.table.state.hand, asked)
    if isinstance(place, Refusal):
        return place
    cards = parse_cards(asked.cards)
    if refusal := _not_so_many(place, len(cards)) or _not_free(draft, place, cards):
        return refusal
    if place not in streets_on_the_board(draft.table.state.hand, draft.table.state.runs):
        refused = draft.apply(Deal(street=place.street), source)
        if refused is not None:
            return refused
    return _lay(draft, place, cards, source)


def shown(draft: Draft, asked: ShownCards, source: Source = "keyed") -> Refusal | Step:
    """A seat shows its hand, or with no card mucks it unseen."""
    if draft.table is None or draft.table.state.hand is None:
        return NO_TABLE
    cards = parse_cards(asked.cards)
    count = ranking_of(draft.table.state.game).hole_cards
    if cards and len(cards) != count:
        return Refusal("not-open", f"Key {count} cards: a hand of this game has {count}, not {len(cards)}.")
    place = Laid(asked.seat, "", 0, len(cards), "")
    return _not_free(draft, place, cards) or _lay(draft, place, cards, source)


def asked_place(state: State, hand: Hand, asked: BoardCards) -> Laid | Refusal:
    """The place that is named, or the first street that waits for its cards."""
    if BOARD not in state.structure.streets:
        return Refusal("not-open", "Key the hands when they are shown: this game has no board.")
    dealt, following = streets_on_the_board(hand, state.runs), next_on_the_board(hand, state.runs)
    if asked.street is not None:
        named = next((one for one in dealt if (one.street, one.board) == (asked.street, asked.board)), None)
        return named or Refusal("not-open", f"Deal the {asked.street} first.")
    there = {one.place for one in state.cards}
    waits = next((one for one in dealt if one.place not in there), following)
    return waits or Refusal("too-late", "The whole board lies there: name the street to correct its cards.")


def _not_so_many(place: Laid, count: int) -> Refusal | None:
    if count == place.count:
        return None
    cards = "1 card" if place.count == 1 else f"{place.count} cards"
    return Refusal("not-open", f"Key {cards}: the {place.street} has {cards}, not {count}.")


def _not_free(draft: Draft, place: Laid, cards: Cards) -> Refusal | None:
    """Why a card cannot lie there: it lies elsewhere, or is in no deck of this game."""
    assert draft.table is not None
    game = draft.table.state.game
    strange = next((card for card in cards if card not in deck(short=ranking_of(game).short_deck)), None)
    if strange is not None:
        return Refusal("no-such-card", f"Key it again: {strange.name} is not in a short deck.")
    for there in lying(draft.book, draft.secrets):
        if there.laid.place == place.place:
            continue
        twice = next((card for card in cards if card in (there.cards or ())), None)
        if twice is not None:
            return Refusal("card-twice", f"{sentence_of(twice)} lies {_where(there.laid)} already: key the right card.")
    return None


def _lay(draft: Draft, place: Laid, cards: Cards, source: Source) -> Refusal | Step:
    secret = Secret(draft.salt, "".join(map(str, cards)))
    seal = seal_of(_place(draft.book.hand_no, place), secret) if cards else ""
    step = LayCards(seat=place.seat, street=place.street or None, board=place.board, count=len(cards), seal=seal)
    if cards:
        draft.secrets = {**draft.secrets, seal: secret}
    return draft.apply(step, source) or step


def _place(hand_no: int, laid: Laid) -> Place:
    return Place(hand_no, laid.seat, laid.street, laid.board)


def _where(laid: Laid) -> str:
    if laid.seat is not None:
        return f"before seat {laid.seat}"
    return f"on the {laid.street}" + (f" of board {laid.board}" if laid.board else "")


# --- the end of the hand


def open_seals(draft: Draft) -> None:
    """Journals which cards lay under the seals, once the hand is over."""
    state = None if draft.table is None else draft.table.state
    if state is None or not state.cards or state.hand is None or not state.hand.hand_over:
        return
    found = [
        OpenedCards(
            seat=laid.seat, street=laid.street, board=laid.board, seal=laid.seal, salt=secret.salt, cards=secret.cards
        )
        for laid in state.cards
        if laid.seal not in draft.book.opened and (secret := draft.secrets.get(laid.seal)) is not None
    ]  # fmt: skip
    if found:
        draft.note(CardsOpened(hand_no=draft.book.hand_no, cards=tuple(found)))


def fitting(book: Book, secrets: Secrets) -> dict[str, Secret]:
    """Of some secrets those that open a seal of the hand: a file that was changed opens none."""
    if book.table is None:
        return {}
    return {
        laid.seal: secret
        for laid in book.table.state.cards
        if (secret := secrets.get(laid.seal)) is not None and opens(_place(book.hand_no, laid), secret, laid.seal)
    }
