"""The player's clock in a session: who starts it, what it says, and what is asked when the time is up (R-288).

It never folds a hand by itself: when the time is up the dealer is asked, for the player's chips may be on their way.
"""

from __future__ import annotations

from typing import Final

from betline.messages.table import Alert, PlayerClockState, Question
from betline.steps import ClockExpired
from betline.steps import PlayerClock as Asked
from table_controller.journal.entries import PlayerClockSet
from table_controller.levels import PlayerClock
from table_controller.session.book import Book
from table_controller.session.draft import Draft
from table_controller.session.terms import Terms
from table_controller.session.words import Response

QUESTION: Final = "clock"
"""The kind of the question."""
TIME_BANK, MORE = "time-bank", "more-time"
_NOBODY = "Nobody is to act: no clock runs."


def command(draft: Draft, asked: Asked, terms: Terms) -> Response:
    """The floor starts the clock of the seat to act, gives it more time, or calls it off."""
    turn = turn_of(draft.book)
    if turn is None:
        return "not-open", _NOBODY
    match asked.action:
        case "start":
            return _start(draft, turn, asked.seconds or terms.house.clock_seconds, "floor")
        case "more":
            return _more(draft, turn, asked.seconds, terms)
        case "stop":
            clock = draft.book.player_clock
            if clock is None or not clock.runs:
                return "not-open", f"No clock runs for seat {turn[2]}."
            draft.note(_set("floor", clock.off()))
            return "ok", f"The clock of seat {turn[2]} is called off."


def answered(draft: Draft, choice: str, terms: Terms) -> ClockExpired | Response:
    """What the dealer says when the time is up: the step to do, or what has become of more time."""
    turn = turn_of(draft.book)
    if turn is None:
        return "not-open", _NOBODY
    if choice in (TIME_BANK, MORE):
        return _more(draft, turn, None, terms)
    return ClockExpired(seat=turn[2])


def follow(draft: Draft, terms: Terms) -> None:
    """Ends the clock of a turn that is over; starts the next one where the house has a clock for each turn."""
    clock, turn = draft.book.player_clock, turn_of(draft.book)
    if clock is not None and clock.turn != turn:
        draft.note(PlayerClockSet(by="turn"))
        clock = None
    seconds = terms.house.clock_seconds
    if clock is None and turn is not None and seconds and terms.house.clock_starts == "each-turn":
        _start(draft, turn, seconds, "house")


def tick(draft: Draft) -> None:
    """Says how much is left, at 10 and at 3 seconds, and that the time is up."""
    clock = draft.book.player_clock
    if clock is None:
        return
    now_ms = draft.now.at_ms
    reached = clock.at(now_ms)
    if reached is clock:
        return
    draft.note(_set("time", reached))
    if reached.stage == "up":
        sentence = f"Seat {clock.seat}'s time is up."
        draft.alert(Alert(severity="warning", code="time-up", seat=clock.seat, sentence=sentence))
    else:
        sentence = f"Seat {clock.seat} has {_seconds(reached.left_s(now_ms))} left."
        draft.alert(Alert(severity="info", code="clock-warning", seat=clock.seat, sentence=sentence))


# --- what people see


def turn_of(book: Book) -> tuple[int, str, int] | None:
    """Hand, street and seat of the turn; None while nobody is to act or the cards are not out."""
    seat = None if book.table is None else book.table.state.next_seat
    return None if seat is None or not book.cards_out else (book.hand_no, book.street, seat)


def question(book: Book, terms: Terms) -> Question | None:
    """What is asked once the time is up."""
    clock = book.player_clock
    if clock is None or clock.stage != "up" or clock.turn != turn_of(book) or book.table is None:
        return None
    hand = book.table.state.hand
    act = "check" if hand is not None and not hand.to_call else "fold"
    return Question(
        id=f"clock-{clock.hand_no}-{clock.seat}-{clock.ends_ms}", seat=clock.seat, kind=QUESTION,
        sentence=f"Seat {clock.seat}'s time is up: {act}?",
        choices=(act, TIME_BANK if banks_left(book, terms, clock.seat) else MORE),
    )  # fmt: skip


def clock_state(book: Book, terms: Terms) -> PlayerClockState | None:
    """The clock as the state has it; its time is given by its end, so that no message a second is needed."""
    clock = book.player_clock
    if clock is None or clock.stage == "off" or clock.turn != turn_of(book):
        return None
    banks = banks_left(book, terms, clock.seat)
    return PlayerClockState(seat=clock.seat, ends_ms=clock.ends_ms, stage=clock.stage, time_banks=banks)


def banks_left(book: Book, terms: Terms, seat: int) -> int:
    """How many time banks a seat still has."""
    return max(0, terms.house.time_banks - book.banks_used.get(seat, 0))


# --- inside


def _start(draft: Draft, turn: tuple[int, str, int], seconds: int, by: str) -> Response:
    clock = draft.book.player_clock
    if not seconds:
        return "not-open", "This house has no player clock: say how many seconds, such as 30."
    if clock is not None and clock.runs:
        left = _seconds(clock.left_s(draft.now.at_ms))
        return "not-open", f"The clock of seat {clock.seat} is running: {left} left."
    draft.note(_set(by, PlayerClock.started(turn, seconds, draft.now.at_ms)))
    return "ok", f"Seat {turn[2]} has {_seconds(seconds)}."


def _more(draft: Draft, turn: tuple[int, str, int], seconds: int | None, terms: Terms) -> Response:
    """So many seconds as the floor gives; else a time bank, or where the house has none, the whole time once more."""
    clock, house, seat = draft.book.player_clock, terms.house, turn[2]
    if clock is None or clock.stage == "off":
        return "not-open", f"No clock runs for seat {seat}: start it first."
    bank = seconds is None and house.time_banks > 0
    if bank and not banks_left(draft.book, terms, seat):
        return "not-open", f"Seat {seat} has used its time banks: the floor may give seconds, such as 30."
    given = seconds or (house.time_bank_seconds if bank else house.clock_seconds)
    if not given:
        return "not-open", "Say how many seconds, such as 30."
    draft.note(_set("floor", clock.extended(given, draft.now.at_ms), bank=bank))
    left = banks_left(draft.book, terms, seat)
    banks = "" if not bank else f" {left or 'No'} time bank{'' if left == 1 else 's'} left."
    return "ok", f"Seat {seat} has {_seconds(given)} more.{banks}"


def _set(by: str, clock: PlayerClock, *, bank: bool = False) -> PlayerClockSet:
    return PlayerClockSet(by=by, clock=clock, bank=bank)


def _seconds(count: int) -> str:
    return "1 second" if count == 1 else f"{count} seconds"
