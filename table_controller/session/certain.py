"""What a pile that is still being counted surely is: the house's ruling on the chips that were heard so far.

More chips make more of it, never something else: each rule that takes a bet or a raise for less (R-040, R-041, R-046)
compares what lies there with a least.
"""

from __future__ import annotations

from betline.steps import Act
from table_controller.rulings.values.ruling import RulingKind
from table_controller.sensing.observations import Pile
from table_controller.session.book import Book

WAGERS = (RulingKind.BET, RulingKind.RAISE, RulingKind.COMPLETE)


def certain(book: Book, pile: Pile) -> str:
    """``all-in``, ``bet``, ``raise`` or ``complete``; empty where the rest of the pile may decide.

    Words said before bind, and more chips than the books have prove the books wrong, so then nothing is certain.
    """
    hand = None if book.table is None else book.table.state.hand
    if book.table is None or hand is None or hand.next_seat != pile.seat or pile.seat in book.words:
        return ""
    if sum(pile.pushed) > hand.stack(pile.seat):
        return ""
    outcome = book.table.apply(Act(seat=pile.seat, motions=(tuple(sorted(pile.pushed, reverse=True)),)))
    ruled = outcome.ruling
    if outcome.error is not None or ruled is None:
        return ""
    if ruled.all_in:
        return "all-in"
    return ruled.ruling.value if ruled.ruling in WAGERS else ""
