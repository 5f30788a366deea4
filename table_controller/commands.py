"""What a person may ask of the controller, verb by verb, and the reading of such a request at the edge.

A command that names no verb of ours, or whose arguments do not fit, is refused with a code and a sentence and changes
nothing; what the rules say of it is the session's business.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from betline.fields import FieldError, by_seat, text
from betline.messages import SeatNumber
from betline.settings.model import describe, nearest
from betline.steps.setup import TableSetup, parse_setup

Chips = Annotated[int, Field(gt=0, strict=True)]
Seats = Annotated[tuple[SeatNumber, ...], Field(min_length=1, max_length=10)]


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
    """The next street; where it is named it must be the one that follows."""

    street: str | None = Field(default=None, max_length=20)


class Parts(Args):
    """Winners of a pot that is divided into equal parts: high and low, or boards in order."""

    parts: tuple[Seats, ...] = Field(min_length=1, max_length=10)


class Award(Args):
    """Winners of each pot, main pot first."""

    pots: tuple[Seats | Parts, ...] | None = Field(default=None, min_length=1, max_length=10)


class NextHand(Args):
    """The next hand; ``button`` puts the button on a seat instead of moving it."""

    button: SeatNumber | None = None


@dataclass(frozen=True, slots=True)
class Setup:
    """The table as a case file states it (CASES.md: game, house, seats, button, start), and who sits there."""

    setup: TableSetup
    names: Mapping[int, str]


class Sits(Args):
    """A player sits down with a stack."""

    seat: SeatNumber
    stack: Chips
    name: str = Field(default="", max_length=40)


class Adds(Args):
    """A player buys more chips."""

    seat: SeatNumber
    amount: Chips


class Back(Args):
    """A player returns; ``post`` false waits for the big blind."""

    seat: SeatNumber
    post: bool = True


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
    "sits": Sits,
    "leaves": SeatArgs,
    "adds": Adds,
    "away": SeatArgs,
    "back": Back,
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
