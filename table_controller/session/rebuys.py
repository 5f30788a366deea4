"""Before the next hand: who has nothing left, or less than the big blind, is asked to buy chips (R-281, R-306).

Nobody sits out without a word. In a tournament only the levels that the house names take rebuys; after them a seat
without chips is out.
"""

from __future__ import annotations

from betline import steps
from betline.messages.table import Alert, Question
from betline.steps import Step
from table_controller.journal.entries import Answered
from table_controller.positions import Player
from table_controller.rulings.between.stakes import least_and_most
from table_controller.rulings.values.state import State
from table_controller.session import levels as evening
from table_controller.session.book import PLAYS_ON, Book
from table_controller.session.draft import Draft
from table_controller.session.terms import Terms

QUESTION = "rebuy"
BUYS, LEAVES, SITS_OUT = "rebuy", "leaves", "sits-out"


def questions(book: Book, terms: Terms) -> tuple[Question, ...]:
    """One for each seat that needs chips before the next hand; empty while a hand is in progress."""
    state = None if book.table is None else book.table.state
    if state is None or not state.between_hands or not book.hand_no:
        return ()
    asked = [
        _question(book, terms, state, seat, player)
        for seat, player in sorted(state.players.items())
        if why_not_sold(book, terms, seat) is None
    ]
    return tuple(one for one in asked if one is not None and one.id not in book.declined)


def answered(draft: Draft, question: Question, choice: str) -> Step | None:
    """The step that an answer asks for; None where the seat plays on with what it has."""
    seat = question.seat or 0
    if choice == PLAYS_ON:
        draft.note(Answered(id=question.id, choice=choice))
        return None
    if choice == LEAVES:
        return steps.Leave(seat=seat)
    return steps.SitOut(seat=seat) if choice == SITS_OUT else steps.Rebuy(seat=seat, amount=int(choice.split(":")[1]))


def tell_unasked(draft: Draft, open_before: tuple[Question, ...]) -> None:
    """Says which seats the hand that has just begun leaves out although nobody answered for them."""
    hand = None if draft.table is None else draft.table.state.hand
    for question in open_before:
        if hand is not None and question.seat not in hand.seats:
            sells = f"Sell seat {question.seat} chips with {question.seat} E A"
            sentence = f"{sells}: nobody answered, and it is not dealt in."
            draft.alert(Alert(severity="warning", code=QUESTION, seat=question.seat, sentence=sentence))


def why_not_sold(book: Book, terms: Terms, seat: int) -> str | None:
    """Why no chips are sold to a seat now; None in a cash game, and in a tournament up to the level that it names."""
    house = terms.house if book.table is None else book.table.state.house
    level = evening.level_state(book, terms)
    now, last = 1 if level is None else level.number, house.rebuy_levels
    if house.form == "cash" or now <= last:
        return None
    has = 0 if book.table is None else book.table.state.stacks.get(seat, 0)
    remedy = f"Seat {seat} plays on with what it has" if has else f"Seat {seat} is out"
    why = f"chips were sold up to level {last}, and this is level {now}" if last else "this tournament sells no chips"
    return f"{remedy}: {why} (R-281). The floor may move chips from the tray all the same."


def _question(book: Book, terms: Terms, state: State, seat: int, player: Player) -> Question | None:
    stack = state.stacks[seat]
    short = player.must_rebuy or stack < state.structure.big_blind
    if (stack and not short) or player.away or player.penalty or player.leaving or player.moving:
        return None
    amount = _amount(terms, state, stack)
    if amount <= 0 or (stack and state.house.form == "tournament"):
        return None
    if stack:
        has = f"Seat {seat} has {stack:,} left, less than the big blind: add {amount:,}, or another amount with B?"
        return _asks(book, seat, has, (f"{BUYS}:{amount}", SITS_OUT if player.must_rebuy else PLAYS_ON))
    has = f"Seat {seat} has nothing left: rebuy {amount:,}, or another amount with B?"
    choices = (f"{BUYS}:{amount}", LEAVES, SITS_OUT) if state.house.form == "cash" else (f"{BUYS}:{amount}", LEAVES)
    return _asks(book, seat, has, choices)


def _asks(book: Book, seat: int, sentence: str, choices: tuple[str, ...]) -> Question:
    return Question(
        id=f"{QUESTION}-{book.hand_no}-{seat}", seat=seat, kind=QUESTION, sentence=sentence, choices=choices
    )


def _amount(terms: Terms, state: State, stack: int) -> int:
    """What makes it the starting stack of the table, within the house's buy-in."""
    limits, wanted = least_and_most(state), terms.table.starting_stack
    return (wanted if limits is None else min(max(wanted, limits[0]), limits[1])) - stack
