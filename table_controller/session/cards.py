"""Cards that are keyed or read: sealed in the journal, known to the session alone until the hand is over, then opened.

Which cards lie where is a secret of the session (`Secret`), as names are: entries and messages that others read have
seals only. With the board and the hands that were shown whom the cards make the winner is proposed, for one key.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from betline.cards import Card, Cards, deck, parse_cards, sentence_of, written
from betline.messages.cards import CardsAt, CardsView, HandMade
from betline.messages.table import Alert, Question
from betline.settings import BOARD_CARDS, GameSettings
from betline.steps import Award, BoardCards, Deal, LayCards, ShownCards, Step
from table_controller.betting import Hand, PayoutKind
from table_controller.cards.names import hand_name
from table_controller.cards.ranking import ranking_of
from table_controller.cards.seals import Place, Secret, opens, seal_of
from table_controller.cards.showdown import Missing, Proposal, Showdown, Won, propose
from table_controller.journal.entries import CardsOpened, OpenedCards, Source
from table_controller.rulings.values.lying import Laid, next_on_the_board, streets_of_run, streets_on_the_board
from table_controller.rulings.values.ruling import Refusal
from table_controller.rulings.values.run_out import BOARD
from table_controller.rulings.values.state import State
from table_controller.sensing.progress import AWARD
from table_controller.session.book import Book
from table_controller.session.draft import NO_TABLE, Draft
from table_controller.session.inputs import CardsRead

Secrets = Mapping[str, Secret]
"""What opens the seals of the present hand, by seal."""
WHOLE_BOARD = sum(BOARD_CARDS.values())
UNKNOWN = "?"
_QUESTION = "cards"


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
    place = _asked_place(draft.table.state, draft.table.state.hand, asked)
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


def _asked_place(state: State, hand: Hand, asked: BoardCards) -> Laid | Refusal:
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


# --- cards are read


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
    place = _asked_place(state, hand, BoardCards(cards=""))
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


# --- the award


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
    waits = _asked_place(state, hand, BoardCards(cards=""))
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
