"""Whom the cards make the winner: proposed for one key, never awarded by itself, and told once the hand is over."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache

from betline.cards import Card, Cards
from betline.messages.cards import CardsAt, CardsView, HandMade
from betline.messages.table import Question
from betline.settings import BOARD_CARDS, GameSettings
from betline.steps import Award, BoardCards
from table_controller.betting import PayoutKind
from table_controller.cards.names import hand_name
from table_controller.cards.ranking import ranking_of
from table_controller.cards.showdown import Missing, Proposal, Showdown, Won, propose
from table_controller.rulings.values.lying import Laid, next_on_the_board, streets_of_run, streets_on_the_board
from table_controller.sensing.progress import AWARD
from table_controller.session.book import Book
from table_controller.session.cards import Lying, Secrets, asked_place, lying

WHOLE_BOARD = sum(BOARD_CARDS.values())
UNKNOWN = "?"
_QUESTION = "cards"


def question(book: Book, secrets: Secrets) -> Question | None:
    """Whether the pots are awarded as the cards say; by whom and with what stands in the private view."""
    if not isinstance(proposal(book, secrets), Proposal):
        return None
    return Question(
        id=_question_id(book), seat=None, kind=AWARD, sentence="Award the pots as the cards say?", choices=(AWARD,)
    )


def is_question(name: str) -> bool:
    """Whether a question's id is that of a proposal by the cards."""
    return name.startswith(f"{_QUESTION}-")


def awarded(book: Book, secrets: Secrets) -> Award | None:
    """The award that the cards propose; None where they do not."""
    found = proposal(book, secrets)
    return Award(pots=found.pots) if isinstance(found, Proposal) else None


def _question_id(book: Book) -> str:
    """Another one whenever other cards lie there."""
    seals = "\n".join(laid.seal for laid in book.table.state.cards) if book.table is not None else ""
    return f"{_QUESTION}-{book.hand_no}-{hashlib.sha256(seals.encode()).hexdigest()[:12]}"


def proposal(book: Book, secrets: Secrets) -> Proposal | Missing | None:
    """Whom the cards make the winners, or what they lack for that; None where nothing is to be awarded by cards."""
    state = None if book.table is None else book.table.state
    hand = None if state is None else state.hand
    if state is None or hand is None or state.house.cards != "board-and-shown" or not hand.betting_over:
        return None
    if hand.hand_over or state.floor is not None or next_on_the_board(hand, state.runs) is not None:
        return None
    there = {one.laid.place: one for one in lying(book, secrets)}
    dealt = streets_on_the_board(hand, state.runs)
    runs = 1 if state.runs is None else state.runs.times
    boards = [_board([there.get(one.place) for one in streets_of_run(dealt, run)]) for run in range(1, runs + 1)]
    shows = {one.laid.seat: one.cards for one in there.values() if one.laid.seat is not None}
    return _proposed(
        tuple(tuple(pot.seats) for pot in hand.pots),
        tuple(boards),
        tuple((seat, cards) for seat, cards in sorted(shows.items()) if cards),
        frozenset(seat for seat, cards in shows.items() if cards == ()),
        state.game,
        by_suit=state.house.odd_chip == "high-card-suit",
    )


@lru_cache(maxsize=16)
def _proposed(
    pots: tuple[tuple[int, ...], ...],
    boards: tuple[Cards | None, ...],
    hands: tuple[tuple[int, Cards], ...],
    mucked: frozenset[int],
    game: GameSettings,
    *,
    by_suit: bool,
) -> Proposal | Missing:
    """Ranking nine Omaha hands takes PokerKit a tenth of a second: it is done once for the same cards."""
    return propose(Showdown(pots, boards, dict(hands), mucked), ranking_of(game), by_suit=by_suit)


def _board(streets: Iterable[Lying | None]) -> Cards | None:
    found: list[Card] = []
    for one in streets:
        if one is None or one.cards is None:
            return None
        found += one.cards
    return tuple(found)


# --- what the dealer sees


def view(book: Book, secrets: Secrets, pushed: frozenset[int] = frozenset()) -> CardsView:
    """What the dealer's console shows: what lies where, what is keyed next, and the award that the cards propose.

    ``pushed`` are the seats to which the pot was seen to go.
    """
    state = None if book.table is None else book.table.state
    hand = None if state is None else state.hand
    if state is None or hand is None or state.house.cards == "off":
        return CardsView(hand_no=book.hand_no)
    found = proposal(book, secrets)
    waits = asked_place(state, hand, BoardCards(cards=""))
    by_hand = state.house.cards == "board-and-shown" and hand.betting_over and not hand.hand_over
    return CardsView(
        hand_no=book.hand_no,
        places=tuple(_at(one) for one in lying(book, secrets)),
        next_street=waits.street if isinstance(waits, Laid) else "",
        next_board=waits.board if isinstance(waits, Laid) else 0,
        next_count=waits.count if isinstance(waits, Laid) else 0,
        may_show=tuple(sorted(hand.in_hand)) if by_hand else (),
        hole_cards=ranking_of(state.game).hole_cards,
        short_deck=ranking_of(state.game).short_deck,
        proposal=_lines(found, pushed) if isinstance(found, Proposal) else (),
        question=_question_id(book) if isinstance(found, Proposal) else "",
        missing=_missing(found) if isinstance(found, Missing) else "",
    )


def opened_places(book: Book) -> tuple[CardsAt, ...]:
    """What lay face up, for everybody to know: nothing before the hand is over."""
    hand = None if book.table is None else book.table.state.hand
    if hand is None or not hand.hand_over:
        return ()
    return tuple(_at(one) for one in lying(book, {}) if one.cards is not None)


def won_with(book: Book) -> tuple[HandMade, ...]:
    """The hands that won, once the hand is over: where one board and one ranking decided, and they were shown."""
    state = None if book.table is None else book.table.state
    hand = None if state is None else state.hand
    if state is None or hand is None or not hand.hand_over or state.runs is not None:
        return ()
    places = lying(book, {})
    shows = {one.laid.seat: one.cards for one in places if one.laid.seat is not None and one.cards}
    whole = _board([one for one in places if one.laid.seat is None])
    winners = sorted({payout.seat for payout in hand.payouts if payout.kind is PayoutKind.POT} & shows.keys())
    if not winners or whole is None or len(whole) not in (0, WHOLE_BOARD):
        return ()
    ranking = ranking_of(state.game)
    if ranking.low is not None:
        return ()
    made = [(seat, ranking.high(shows[seat] or (), whole)) for seat in winners]
    return tuple(HandMade(seat=seat, kind=one.kind, ranks=one.ranks) for seat, one in made if one is not None)


def _at(one: Lying) -> CardsAt:
    cards = UNKNOWN * 2 * one.laid.count if one.cards is None else "".join(map(str, one.cards))
    return CardsAt(seat=one.laid.seat, street=one.laid.street, board=one.laid.board, cards=cards)


def _lines(found: Proposal, pushed: frozenset[int]) -> tuple[str, ...]:
    """Who wins each part of each pot, and with what."""
    several, runs = len(found.pots) > 1, max(won.board for won in found.wins) > 0
    parts: dict[str, list[Won]] = {}
    for won in found.wins:
        parts.setdefault(_what(won, several=several, runs=runs), []).append(won)
    named = [_line(what, wins) for what, wins in parts.items()]
    winners = frozenset(won.seat for won in found.wins)
    if pushed and pushed != winners:
        seats = ", ".join(map(str, sorted(pushed)))
        named.append(f"Check before Enter: the pot was pushed to seat {seats}.")
    return tuple(named)


def _what(won: Won, *, several: bool, runs: bool) -> str:
    pot = ("Main pot" if won.pot == 0 else f"Side pot {won.pot}") if several else ""
    board_no = f"board {won.board + 1}" if runs else ""
    parts = ", ".join(part for part in (pot, board_no, won.half) if part)
    return parts[:1].upper() + parts[1:]


def _line(what: str, wins: list[Won]) -> str:
    """`Seat 4: two pair, aces and nines`, or of a part of what is awarded `High: seat 4, two pair, aces and nines`."""
    seats = " and ".join(", ".join(str(won.seat) for won in wins).rsplit(", ", 1))
    who, ranked = f"seat{'s' if len(wins) > 1 else ''} {seats}", wins[0].ranked
    if ranked is None:
        return f"{what}: {who}, alone" if what else f"S{who[1:]}, alone"
    return f"{what}: {who}, {hand_name(ranked)}" if what else f"S{who[1:]}: {hand_name(ranked)}"


def _missing(found: Missing) -> str:
    if found.unclaimed is not None:
        which = "the main pot" if found.unclaimed == 0 else f"side pot {found.unclaimed}"
        return f"Award with W: every hand of {which} is mucked."
    if found.no_hand is not None:
        return f"Check the cards of seat {found.no_hand}: they make no hand of this game."
    if found.boards:
        return "Key the board first: a card of it is not known."
    seats = ", ".join(map(str, found.seats))
    which = f"Seat {seats}: show the hand" if len(found.seats) == 1 else f"Seats {seats}: show the hands"
    return f"{which}, or muck."
