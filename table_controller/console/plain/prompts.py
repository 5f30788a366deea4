"""What a command still asks for before it is sent, one line at a time: an amount, winners, a reason. Pure."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from typing_extensions import override

from betline.messages.cards import CardsView
from betline.messages.table import PotView, TableState
from betline.settings import FloorSettings
from betline.steps import Act, Award, BringIn, Command, Deal, ShownCards, Winners
from table_controller.console import cards, typed
from table_controller.console.cards import NO_CARDS
from table_controller.console.intents import (
    Ask,
    Refused,
    contested,
    floor_question,
    listed,
    make_it,
    pot_or_maximum,
    wager,
    why_closed,
)
from table_controller.console.menus import Entry, seat_menu, table_menu
from table_controller.console.overruling import Overruling

_YES = frozenset({"y", "yes", "ok"})


class Prompt(ABC):
    """Something that is asked of the dealer."""

    __slots__ = ()

    @property
    @abstractmethod
    def asks(self) -> tuple[str, ...]:
        """The question, and what can be chosen."""

    @abstractmethod
    def take(self, line: str, state: TableState) -> Taken:
        """What a line does: the next prompt, a command, or why it is not understood."""

    def void(self, state: TableState) -> str:  # noqa: ARG002
        """Why nobody asks this any more; empty while it is asked, and where the controller says it best."""
        return ""


Taken = Prompt | Command | Refused


def prompt_for(ask: Ask, state: TableState, floor: FloorSettings, view: CardsView = NO_CARDS) -> Prompt | Refused:
    """The prompt that an intent asks for; refused in words where there is nothing to ask."""
    seat = ask.seat or 0
    match ask.dialog:
        case "amount":
            return Amount(seat, state)
        case "all-in":
            return AllIn(seat)
        case "says":
            return Words(f"What did seat {seat} say?", "raise eight thousand", partial(typed.says, seat))
        case "award":
            return Winning(contested(state))
        case "cards":
            wanted = cards.wanted(ask.seat, view, state)
            return wanted if isinstance(wanted, Refused) else CardsOf(wanted, view)
        case "seating":
            return Menu(f"Seat {seat}", partial(seat_menu, seat), state)
        case "menu":
            return Menu("Table", table_menu, state)
        case "floor":
            return Waiting(state, floor)
        case "override":
            return Otherwise(Overruling.begun(state, floor))
        case "bring-in":
            return Named("Who brings it in?", lambda now: not why_closed(now, BringIn), _brings_in, state)
        case "first":
            return Named("Who opens the next street?", _opener_asked, _opens, state)


# --- acts ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Amount(Prompt):
    """To how much the seat to act makes it."""

    seat: int
    state: TableState

    @property
    @override
    def asks(self) -> tuple[str, ...]:
        """With the least and the most."""
        verb = {"bet": "bets", "raise": "raises to", "complete": "completes to"}[wager(self.state) or "raise"]
        pot = "" if self.state.pot_bet is None else f", pot {pot_or_maximum(self.state):,}"
        least, most = self.state.min_raise_to or 0, self.state.max_raise_to or 0
        return (f"Seat {self.seat} {verb} how much? min {least:,}{pot}, max {most:,}.",)

    @override
    def take(self, line: str, state: TableState) -> Taken:
        """A total, ``min``, ``pot`` or ``max``."""
        named = {"min": state.min_raise_to, "pot": pot_or_maximum(state), "max": state.max_raise_to}
        to = named.get(line.lower()) if line.lower() in named else _amount(line)
        return Refused("Type the total, or min, pot or max.") if to is None else make_it(state, to)

    @override
    def void(self, state: TableState) -> str:
        """Once another seat acts."""
        if state.to_act == self.seat and wager(state) is not None:
            return ""
        return f"Seat {self.seat} can no longer bet or raise: nothing was sent."


@dataclass(frozen=True, slots=True)
class AllIn(Prompt):
    """Whether the seat to act goes all-in."""

    seat: int

    @property
    @override
    def asks(self) -> tuple[str, ...]:
        """Yes or no."""
        return (f"Seat {self.seat}: all-in? Type yes, or cancel.",)

    @override
    def take(self, line: str, state: TableState) -> Taken:
        """Only a yes does it."""
        return Act(seat=self.seat, action="all-in") if line.lower() in _YES else Refused("Type yes, or cancel.")

    @override
    def void(self, state: TableState) -> str:
        """Once another seat acts."""
        return "" if state.to_act == self.seat else f"It is no longer seat {self.seat}'s turn: nothing was sent."


@dataclass(frozen=True, slots=True)
class Named(Prompt):
    """Which seat it is."""

    title: str
    asked: Callable[[TableState], bool]
    command: Callable[[int, str], Command | Refused]
    state: TableState

    @property
    @override
    def asks(self) -> tuple[str, ...]:
        """With the seats that can be named."""
        return (f"{self.title} Seats {listed(self._live(self.state))}.",)

    @override
    def take(self, line: str, state: TableState) -> Taken:
        """The number of a seat with cards, and what belongs to it."""
        number, _, more = line.partition(" ")
        seat = _amount(number)
        if seat is None or seat not in self._live(state):
            return Refused(f"Type the number of a seat with cards: {listed(self._live(state))}.")
        return self.command(seat, more.strip().lower())

    @override
    def void(self, state: TableState) -> str:
        """Once the table no longer waits for a name."""
        return "" if self.asked(state) else "That is settled meanwhile: nothing was sent."

    @staticmethod
    def _live(state: TableState) -> tuple[int, ...]:
        return tuple(one.seat for one in state.seats if one.status in ("in", "all-in"))


def _brings_in(seat: int, more: str) -> Command | Refused:
    return Refused("Type the seat only.") if more else BringIn(seat=seat)


def _opens(seat: int, more: str) -> Command | Refused:
    """With ``pair`` where an open pair shows (R-003, R-130)."""
    return Deal(first=seat, open_pair=bool(more)) if more in ("", "pair") else Refused("Type 3, or 3 pair.")


def _opener_asked(state: TableState) -> bool:
    return state.phase == "round-over" and state.names_first


# --- the pots --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Winning(Prompt):
    """Who wins each pot, main pot first."""

    pots: tuple[PotView, ...]
    won: tuple[Winners, ...] = ()

    @property
    @override
    def asks(self) -> tuple[str, ...]:
        """The pot that comes next."""
        place = len(self.won)
        pot = self.pots[place]
        name = "The pot" if len(self.pots) == 1 else "Main pot" if place == 0 else f"Side pot {place}"
        return (f"{name} of {pot.amount:,}: which of seats {listed(pot.seats)} wins? Digits, 0 is seat 10; high/low.",)

    @override
    def take(self, line: str, state: TableState) -> Taken:
        """Digits are seats; a slash parts high from low."""
        try:
            won = (*self.won, typed.winners(line.replace(" ", ""), self.pots[len(self.won)]))
        except ValueError as error:
            return Refused(str(error))
        return Award(pots=won) if len(won) == len(self.pots) else replace(self, won=won)

    @override
    def void(self, state: TableState) -> str:
        """Once the pots are others."""
        return "" if contested(state) == self.pots else "The pots have changed meanwhile: nothing was awarded."


@dataclass(frozen=True, slots=True)
class CardsOf(Prompt):
    """The cards of a street, or of a hand that is shown."""

    wanted: cards.Wanted
    view: CardsView

    @property
    @override
    def asks(self) -> tuple[str, ...]:
        """With an example."""
        muck = ", or muck" if self.wanted.seat is not None else ""
        return (f"{self.wanted.title.removesuffix(', or M: mucks unseen')}. Rank and suit, such as AS KD 10C{muck}.",)

    @override
    def take(self, line: str, state: TableState) -> Taken:
        """The cards, ``muck``, or ``before`` for the street before."""
        word = line.strip().lower()
        if word in ("muck", "m") and self.wanted.seat is not None:
            return ShownCards(seat=self.wanted.seat)
        if word == "before":
            earlier = cards.earlier(self.wanted, self.view)
            return Refused("No earlier street has cards.") if earlier is None else CardsOf(earlier, self.view)
        return self.wanted.command(line)


# --- menus and words -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Menu(Prompt):
    """One of the two menus: a letter, and what belongs to it behind it or in the next line."""

    title: str
    rows: Callable[[TableState], tuple[Entry, ...]]
    state: TableState

    @property
    @override
    def asks(self) -> tuple[str, ...]:
        """The rows that are possible now."""
        rows = (
            f"{entry.letter}: {entry.meaning}{f', {entry.hint}' if entry.hint else ''}"
            for entry in self.rows(self.state)
            if not entry.closed
        )
        return (f"{self.title}: type a letter, or cancel.", *rows)

    @override
    def take(self, line: str, state: TableState) -> Taken:
        """``K``, or ``K 3 1200``."""
        letter, _, words = line.partition(" ")
        entry = next((one for one in self.rows(state) if one.letter == letter.upper()), None)
        if entry is None:
            return Refused(f"There is no {letter}: type a letter of the list, or cancel.")
        if entry.closed:
            return Refused(entry.closed)
        if entry.hint:
            asked = Words(f"{self.title}: {entry.meaning}?", entry.hint, entry.read)
            return asked.take(words.strip(), state) if words.strip() else asked
        wanted = entry.read("")
        if isinstance(wanted, Refused) or not entry.confirm:
            return wanted
        return Sure(f"{self.title}: {entry.meaning}?", wanted)


@dataclass(frozen=True, slots=True)
class Words(Prompt):
    """A line of words."""

    title: str
    hint: str
    read: Callable[[str], Command | Refused]

    @property
    @override
    def asks(self) -> tuple[str, ...]:
        """With an example."""
        return (f"{self.title} Such as: {self.hint}.",)

    @override
    def take(self, line: str, state: TableState) -> Taken:
        """As the menu's row understands it."""
        return self.read(line)


@dataclass(frozen=True, slots=True)
class Sure(Prompt):
    """Asks once more before something that is hard to take back."""

    title: str
    wanted: Command

    @property
    @override
    def asks(self) -> tuple[str, ...]:
        """Yes or no."""
        return (f"{self.title} Type yes, or cancel.",)

    @override
    def take(self, line: str, state: TableState) -> Taken:
        """Only a yes does it."""
        return self.wanted if line.lower() in _YES else Refused("Type yes, or cancel.")


# --- the floor -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Waiting(Prompt):
    """The floor's decision among the rulings on offer."""

    state: TableState
    floor: FloorSettings

    @property
    @override
    def asks(self) -> tuple[str, ...]:
        """What waits, and the offers."""
        question = floor_question(self.state)
        offers = question.choices if question else ()
        rows = (f"{place}: {offer}" for place, offer in enumerate(offers, 1))
        return (question.sentence if question else "", *rows, "O: something else.")

    @override
    def take(self, line: str, state: TableState) -> Taken:
        """The number of an offer, or O."""
        question = floor_question(state)
        offers = question.choices if question else ()
        if line.lower() == "o":
            return Otherwise(Overruling.begun(state, self.floor, question.seat if question else None))
        place = _amount(line)
        if place is None or not 1 <= place <= len(offers):
            return Refused("Type the number of an offer, O for something else, or cancel.")
        return typed.floor_decision(offers[place - 1])

    @override
    def void(self, state: TableState) -> str:
        """Once nothing waits for the floor, or something else does."""
        same = floor_question(state) == floor_question(self.state)
        return "" if same else "The ruling no longer waits for the floor: nothing was sent."


@dataclass(frozen=True, slots=True)
class Otherwise(Prompt):
    """The floor rules otherwise: which act, what it is, to how much, who decides and why."""

    so_far: Overruling

    @property
    @override
    def asks(self) -> tuple[str, ...]:
        """The next thing to say, and the list of what is usual."""
        return (self.so_far.title, *(f"{place}: {row}" for place, row in enumerate(self.so_far.rows, 1)))

    @override
    def take(self, line: str, state: TableState) -> Taken:
        """The number of a row, or the words."""
        place = _amount(line)
        listed_row = self.so_far.rows and place is not None and self.so_far.asked != "to"
        step = self.so_far.chosen(place or 0) if listed_row else self.so_far.typed(line)
        return Otherwise(step) if isinstance(step, Overruling) else step


def _amount(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 12 else None
