"""What the books say of the hand in a word or two: where it is, who has the button, which game it is."""

from __future__ import annotations

from table_controller.positions import Positions
from table_controller.sensing.view import Phase
from table_controller.session.book import Book

LIMIT_NAMES = {
    "no-limit": "No-limit",
    "pot-limit": "Pot-limit",
    "fixed-limit": "Fixed-limit",
    "spread-limit": "Spread-limit",
}
GAME_NAMES = {"holdem": "hold'em", "omaha": "Omaha", "stud": "stud", "draw": "draw", "triple-draw": "triple draw"}


def phase(book: Book) -> Phase:
    """Where the hand is."""
    hand = None if book.table is None else book.table.state.hand
    if book.table is None or hand is None:
        return "idle"
    if hand.hand_over:
        return "hand-over"
    if not book.cards_out:
        return "posting"
    if book.table.state.next_seat is not None or not hand.round_over:
        return "betting"
    return "showdown" if hand.betting_over else "round-over"


def positions(book: Book) -> Positions | None:
    """Button and blinds of the hand, or of the last one between two."""
    if book.table is None:
        return None
    return book.table.state.placed or book.table.state.last


def game_name(book: Book) -> str:
    """The game for people: `Pot-limit Omaha 1/2`."""
    if book.table is None:
        return ""
    game = book.table.state.game
    stakes = game.bets[:1] + game.bets[-1:] if game.bets else game.blinds
    return f"{LIMIT_NAMES[game.limit]} {GAME_NAMES[game.streets]} {'/'.join(map(str, stakes))}".rstrip()


def may_be_straddled(book: Book) -> bool:
    """Whether nobody has acted yet, so that chips before the cards may still be a straddle."""
    hand = None if book.table is None else book.table.state.hand
    return hand is not None and not hand.hand_over and not hand.acts
