"""Cards as the console keys and shows them: what is keyed next, what it echoes, and what lies on the table. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from betline.cards import CardError, keyed, parse_cards, shown, written
from betline.messages.cards import CardsAt, CardsView
from betline.messages.table import TableState
from betline.steps import BoardCards, Command, ShownCards
from table_controller.console.intents import Refused
from table_controller.console.keys import cap

NO_CARDS = CardsView(hand_no=0)
NOT_KNOWN = "?"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a dialog of cards takes: so many for a street of the board, or the hand of a seat."""

    title: str
    count: int
    seat: int | None = None
    street: str | None = None
    board: int = 0

    @property
    def place(self) -> tuple[str | None, int]:
        """The street that is put right, and its board."""
        return self.street, self.board

    def command(self, text: str) -> Command | Refused:
        """The command for what was keyed; refused in words where it is not complete."""
        try:
            cards = parse_cards(text)
        except CardError as error:
            return Refused(str(error))
        if len(cards) != self.count:
            return Refused(f"{_cards(self.count)}, not {len(cards)}.")
        if self.seat is not None:
            return ShownCards(seat=self.seat, cards=written(cards))
        return BoardCards(cards=written(cards), street=self.street, board=self.board)


def wanted(seat: int | None, view: CardsView, state: TableState) -> Wanted | Refused:
    """What the key of the cards asks for: without a number the board, and once that lies there the next hand."""
    if view.hand_no != state.hand_no:
        return Refused("Nothing is known of this hand's cards yet: press again.")
    if seat is not None:
        return _hand_of(seat, view)
    if view.next_street:
        board = f" of board {view.next_board}" if view.next_board else ""
        return Wanted(f"The {view.next_street}{board}: {_cards(view.next_count)}", view.next_count)
    shows = {one.seat for one in view.places}
    following = next((one for one in view.may_show if one not in shows), None)
    if following is not None:
        return _hand_of(following, view)
    last = earlier(None, view)
    return last or Refused(f"There is nothing to key yet: {cap('cards')} takes the cards once they are dealt.")


def earlier(now: Wanted | None, view: CardsView) -> Wanted | None:
    """The street of the board before the one that is keyed, to put its cards right; None where there is none."""
    streets = [one for one in view.places if one.seat is None]
    place = next(
        (place for place, one in enumerate(streets) if now is not None and (one.street, one.board) == now.place),
        len(streets),
    )
    if not place:
        return None
    there = streets[place - 1]
    board = f" of board {there.board}" if there.board else ""
    count = len(there.cards) // 2
    title = f"The {there.street}{board} again: {_cards(count)}, now {_shown(there.cards)}"
    return Wanted(title, count, street=there.street, board=there.board)


def _hand_of(seat: int, view: CardsView) -> Wanted | Refused:
    if seat not in view.may_show:
        return Refused(f"Seat {seat} has no hand to show now: hands are shown once the betting is over.")
    return Wanted(f"Seat {seat} shows {_cards(view.hole_cards)}, or M: mucks unseen", view.hole_cards, seat=seat)


def echo(text: str, count: int) -> tuple[str, str]:
    """What has been keyed with a dash for each card to come, and what is wrong with the last key."""
    read = keyed(text)
    begun = [f"{'10' if read.begun == 'T' else read.begun}_"] if read.begun else []
    rest = ["—"] * (count - len(read.cards) - len(begun))
    return "  ".join((*[card.symbol for card in read.cards], *begun, *rest)), read.problem


def takes(text: str, key: str, count: int) -> str:
    """The text after one more key: one that cannot belong to a card, or to one card too many, is left out."""
    read = keyed(text + key)
    begun = bool(read.begun)
    return text if read.problem or len(read.cards) + begun > count else text + key


def without_last(text: str) -> str:
    """The text with the last key taken back."""
    return text[:-1]


def board_lines(view: CardsView) -> tuple[str, ...]:
    """What lies on the table: each board, the hands that were shown, and what the cards still lack."""
    boards = [f"{name}  {cards}" for name, cards in _boards(view.places)]
    hands = [
        f"{one.seat}: {_shown(one.cards)}" if one.cards else f"{one.seat}: mucked"
        for one in view.places
        if one.seat is not None
    ]
    rows = [*boards, *([f"SHOWN  {'   '.join(hands)}"] if hands else []), *([view.missing] if view.missing else [])]
    return tuple(rows)


def _boards(places: tuple[CardsAt, ...]) -> list[tuple[str, str]]:
    streets = [one for one in places if one.seat is None]
    runs = sorted({one.board for one in streets if one.board}) or [0]
    found = [
        (f"BOARD {run}" if run else "BOARD", "  ".join(_shown(one.cards) for one in streets if one.board in (0, run)))
        for run in runs
    ]
    return [(name, cards) for name, cards in found if cards]


def _shown(cards: str) -> str:
    return "? " * (len(cards) // 2) if NOT_KNOWN in cards else shown(parse_cards(cards))


def with_cards(state: TableState, view: CardsView) -> TableState:
    """The state with the award that the cards make in the question for it: the public one names no card."""
    if not view.question or view.hand_no != state.hand_no:
        return state
    told = f"{'. '.join(view.proposal)}. Award it?"
    questions = tuple(
        one.model_copy(update={"sentence": told}) if one.id == view.question else one for one in state.questions
    )
    return state.model_copy(update={"questions": questions})


def of_this_hand(state: TableState | None, view: CardsView) -> CardsView:
    """The cards of the hand that is shown: those that everybody may know, once it is over."""
    if state is None or state.keeps_cards == "off":
        return NO_CARDS
    if view.hand_no != state.hand_no:
        return CardsView(hand_no=state.hand_no, places=state.cards)
    return view


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"
