"""What a person may ask of the controller, verb by verb, and the reading of such a request at the edge.

A command that names no verb of ours, or whose arguments do not fit, is refused with a code and a sentence and changes
nothing; what the rules say of it is the session's business.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from betline.fields import FieldError, by_seat, text
from betline.messages.common import Amount, SeatNumber
from betline.settings.model import describe, nearest
from betline.steps import HOUSE_PLACES, FloorRuling
from betline.steps.setup import TableSetup, parse_setup

MAX_SEATS = 10
Chips = Annotated[int, Field(gt=0, strict=True)]
Seats = Annotated[tuple[SeatNumber, ...], Field(min_length=1, max_length=10)]


def _place(value: object) -> object:
    return value if value in HOUSE_PLACES else _seat_or(value, *HOUSE_PLACES)


def _lender(value: object) -> object:
    return value if value == "pot" else _seat_or(value, "pot")


def _seat_or(value: object, *places: str) -> object:
    if type(value) is int and 1 <= value <= MAX_SEATS:
        return value
    raise ValueError(f"must be {' or '.join(', '.join(('a seat', *places)).rsplit(', ', 1))}")


Place = Annotated[int | str, BeforeValidator(_place)]
Lender = Annotated[int | Literal["pot"], BeforeValidator(_lender)]


class CommandError(Exception):
    """A command cannot be read; ``code`` is ``unknown-verb`` or ``bad-arguments``, the text a sentence."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class Args(BaseModel):
    """The arguments of one verb; frozen, and unknown ones are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class NoArgs(Args):
    """For verbs that take none."""


class SeatArgs(Args):
    """For verbs that name a seat and nothing else."""

    seat: SeatNumber


class Act(Args):
    """An unambiguous action as the dealer keys it; ``to`` is the seat's total of this round."""

    seat: SeatNumber
    action: Literal["check", "call", "bet", "raise", "complete", "fold", "all-in"]
    to: Chips | None = None


class Says(Args):
    """Words as heard; ``first`` tells whether they or the seat's chips came first (R-020)."""

    seat: SeatNumber
    text: str = Field(min_length=1, max_length=200)
    first: Literal["says", "chips", "both"] | None = None


class Gesture(Args):
    """A tap on the table or cards pushed away."""

    seat: SeatNumber
    gesture: Literal["tap", "muck"]


class Deal(Args):
    """The next street; where it is named it must be the one that follows.

    In stud ``first`` is the seat that opens it, and ``open_pair`` tells that fourth street shows a pair (R-130).
    """

    street: str | None = Field(default=None, max_length=20)
    first: SeatNumber | None = None
    open_pair: bool = False


class Halves(Args):
    """Winners of one board that is divided once more: its high and its low."""

    parts: tuple[Seats, ...] = Field(min_length=1, max_length=10)


class Parts(Args):
    """Winners of a pot that is divided into equal parts: high and low, or boards in order."""

    parts: tuple[Seats | Halves, ...] = Field(min_length=1, max_length=10)


class Award(Args):
    """Winners of each pot, main pot first."""

    pots: tuple[Seats | Parts, ...] | None = Field(default=None, min_length=1, max_length=10)


class NextHand(Args):
    """The next hand; ``button`` puts the button on a seat instead of moving it.

    ``bomb_pot`` makes it one, for so much from everybody; 0 is the house's ante (R-303).
    """

    button: SeatNumber | None = None
    bomb_pot: Amount | None = None


@dataclass(frozen=True, slots=True)
class Setup:
    """The table as a case file states it (docs/case-format.md, "A case"), and who sits there."""

    setup: TableSetup
    names: Mapping[int, str]


class SitDown(Args):
    """A player sits down with a stack; ``post`` false waits for the big blind, ``buys_button`` posts all blinds."""

    seat: SeatNumber
    stack: Chips
    name: str = Field(default="", max_length=40)
    post: bool = True
    buys_button: bool = False


class Rebuy(Args):
    """A player buys more chips."""

    seat: SeatNumber
    amount: Chips


class Return(Args):
    """A player returns; ``post`` false waits for the big blind, ``buys_button`` posts all blinds."""

    seat: SeatNumber
    post: bool = True
    buys_button: bool = False


class MoneyBehind(Args):
    """Money behind that plays, told before the hand (R-298)."""

    seat: SeatNumber
    amount: Chips


class Borrow(Args):
    """Open stakes: a marker to a seat that is out of the hand, or to the pot; ``declined`` do not accept it (R-283)."""

    seat: SeatNumber
    amount: Chips
    source: Lender = Field(alias="from")
    declined: tuple[SeatNumber, ...] = Field(default=(), max_length=10)


class Penalty(Args):
    """The floor sends a player away for so many hands; none lifts what is left of a penalty (R-294)."""

    seat: SeatNumber
    hands: Annotated[int, Field(ge=0, le=1000, strict=True)]


class Straddle(Args):
    """A voluntary blind raise to ``to``, the seat's total; without it the least, without ``kind`` what the seat may."""

    seat: SeatNumber
    to: Chips | None = None
    kind: Literal["live", "mississippi", "sleeper"] | None = None


class KillHand(Args):
    """A seat's hand is dead (R-047); ``why`` is told."""

    seat: SeatNumber
    why: str = Field(default="as the dealer says", min_length=1, max_length=100)


class MoveChips(Args):
    """Chips move outside betting, between seats and places of the house (R-298)."""

    source: Place = Field(alias="from")
    to: Place
    amount: Chips
    why: str = Field(default="", max_length=100)


class Count(Args):
    """The dealer has counted a seat's bet of this round or its stack: the books follow (R-074)."""

    seat: SeatNumber
    bet: Amount | None = None
    stack: Amount | None = None

    @model_validator(mode="after")
    def _is_one_thing(self) -> Count:
        if (self.bet is None) == (self.stack is None):
            raise ValueError("needs one of bet and stack")
        return self


class CorrectBet(Args):
    """An error of this street is put right: the seat's last bet or raise stands corrected, its total of the round."""

    seat: SeatNumber
    to: Chips


class CorrectRecord(Args):
    """The record did not agree with the felt: what the seat has put in on a street, 0 for nothing (R-049).

    The present street where none is named.
    """

    seat: SeatNumber
    to: Amount
    street: Annotated[str, Field(min_length=1, max_length=20)] | None = None


class Override(Args):
    """The floor rules otherwise on what a seat did last on a street, by name and reason (R-291).

    ``to`` is the total of a bet or raise, or of what a fold leaves in the pot. ``withdraw``: the act does not count;
    ``live``: a folded hand is live again; ``dead``: the hand is dead from now on; ``reopened``: the seat may raise.
    """

    seat: SeatNumber
    ruling: FloorRuling
    to: Chips | None = None
    street: Annotated[str, Field(min_length=1, max_length=20)] | None = None
    by: str = Field(min_length=1, max_length=40, pattern=r"\S")
    why: str = Field(min_length=1, max_length=200, pattern=r"\S")


class ColorUp(Args):
    """Colour-up: chips of ``remove`` go, the seats in ``wins`` get one of ``to`` each for the odd ones (R-300)."""

    remove: Chips
    wins: tuple[SeatNumber, ...] = Field(default=(), max_length=10)
    to: Chips | None = None


class ClockExpired(Args):
    """A clock has run out: of the seat to act where none is named (R-288)."""

    seat: SeatNumber | None = None


class Undo(Args):
    """The last accepted acts taken back."""

    steps: int = Field(default=1, ge=1, le=100, strict=True)


class Answer(Args):
    """The answer to a question of the state."""

    question: str = Field(min_length=1, max_length=64)
    choice: str = Field(min_length=1, max_length=64)


class Clock(Args):
    """The clock of the levels; ``set`` names a level, the seconds left, or both."""

    action: Literal["start", "pause", "resume", "next", "back", "set"]
    level: Annotated[int, Field(ge=1, strict=True)] | None = None
    left_s: Annotated[int, Field(ge=0, le=86_400, strict=True)] | None = None

    @model_validator(mode="after")
    def _sets_something(self) -> Clock:
        given = self.level is not None or self.left_s is not None
        if (self.action == "set") != given:
            raise ValueError("level and left_s belong to set, which needs one of them")
        return self


class Game(Args):
    """The game of the next hand, by its name in the rotation."""

    name: str = Field(min_length=1, max_length=40)


class Floor(Args):
    """The floor's decision: one of the rulings that were offered; ``to`` is the size of a bet or raise."""

    ruling: str = Field(min_length=1, max_length=20)
    to: Chips | None = None


AnyArgs: TypeAlias = Args | Setup

VERBS: dict[str, type[Args] | type[Setup]] = {
    "passive": SeatArgs,
    "act": Act,
    "says": Says,
    "gesture": Gesture,
    "jump": SeatArgs,
    "rest-folds": NoArgs,
    "cards-out": NoArgs,
    "deal": Deal,
    "award": Award,
    "pass-out": NoArgs,
    "next-hand": NextHand,
    "setup": Setup,
    "sits": SitDown,
    "leaves": SeatArgs,
    "adds": Rebuy,
    "away": SeatArgs,
    "back": Return,
    "behind": MoneyBehind,
    "borrows": Borrow,
    "penalty": Penalty,
    "rock": SeatArgs,
    "kill": SeatArgs,
    "straddle": Straddle,
    "bring-in": SeatArgs,
    "chop": NoArgs,
    "button": SeatArgs,
    "misdeal": NoArgs,
    "fouled": NoArgs,
    "kills": KillHand,
    "expires": ClockExpired,
    "reopens": NoArgs,
    "counts": Count,
    "moves": MoveChips,
    "corrects": CorrectBet,
    "records": CorrectRecord,
    "overrides": Override,
    "race": ColorUp,
    "last-two": NoArgs,
    "undo": Undo,
    "answer": Answer,
    "floor": Floor,
    "clock": Clock,
    "game": Game,
}


def parse(verb: str, args: Mapping[str, Any]) -> AnyArgs:
    """The arguments of a command, checked; raises CommandError."""
    model = VERBS.get(verb)
    if model is None:
        raise CommandError("unknown-verb", f"There is no command {verb}; {nearest(verb, VERBS)}")
    try:
        if not issubclass(model, Setup):
            return _read(model, args)
        return _setup(args)
    except FieldError as error:
        raise CommandError("bad-arguments", f"{verb} cannot be done so: {error}") from None


def _read(model: type[Args], args: Mapping[str, Any]) -> Args:
    try:
        return model.model_validate(args)
    except ValidationError as error:
        raise FieldError((), describe(error.errors()[0], model)) from None


def _setup(args: Mapping[str, Any]) -> Setup:
    names = by_seat(text)(args.get("names", {}), ("names",))
    return Setup(parse_setup({key: value for key, value in args.items() if key != "names"}), names)
