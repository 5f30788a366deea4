"""What a person may ask of the controller over the bus, as values: most steps, and what is no step by itself.

A command's verb is the name of its class in kebab-case, its arguments are the fields (`betline.steps.codec`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Annotated, Any, Final, Literal, TypeAlias, cast, get_args

from betline.fields import FieldError
from betline.settings.model import nearest
from betline.steps.cards import BoardCards, LayCards, ShownCards
from betline.steps.codec import Record, record
from betline.steps.form import STEPS
from betline.steps.kinds import MAX_SEATS, SEAT, Line, Name, NameOrNone, Positive, Schema, Seat, line, listed, up_to
from betline.steps.play import First
from betline.steps.seats import AfterMinutes
from betline.steps.setup import TableSetup
from betline.steps.values import Step

DAY_S: Final = 86_400
HOUR_S: Final = 3_600
MAX_HAND: Final = 1_000_000_000
MAX_CLOCK_S: Final = 600
MAX_ANSWER: Final = 64
MAX_RECALLED: Final = 20


class CommandError(Exception):
    """A command cannot be read; ``code`` is ``unknown-verb`` or ``bad-arguments``, the text a sentence."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class Passive:
    """The seat to act checks, or folds where a check is not free."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Jump:
    """The seat acts now: everybody before it was passive."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class RestFolds:
    """All who are still to act fold to the seat that bet last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Says:
    """Words as heard; ``first`` says whether they or the seat's chips came first (R-020)."""

    seat: Seat
    text: Line
    first: First | None = None


@dataclass(frozen=True, slots=True)
class UndoKey:
    """Takes back the whole of what the last key did; where chips were ruled on since, that ruling alone."""


@dataclass(frozen=True, slots=True)
class Redo:
    """Puts back what was taken back last, as long as nothing else has been done since."""


@dataclass(frozen=True, slots=True)
class CardsOut:
    """The cards are dealt: posting is over, chips are acts from now on (R-043)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer to a question of the table's state, by the question's id."""

    question: Annotated[str, line(MAX_ANSWER)]
    choice: Annotated[str, line(MAX_ANSWER)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """The clock of the levels; ``set`` names a level, or the break after it, the seconds left, or both."""

    action: Literal["start", "pause", "resume", "next", "back", "set"]
    level: Positive | None = None
    left_s: Annotated[int, up_to(DAY_S)] | None = None
    in_break: bool = False

    def check(self, _given: frozenset[str]) -> None:
        """Raises FieldError for a time that is not set, or a `set` without one."""
        if self.in_break and self.level is None:
            raise FieldError(("in_break",), "in_break belongs to level: it means the break after it.")
        if (self.action == "set") != (self.level is not None or self.left_s is not None):
            raise FieldError((), "level and left_s belong to set, which needs one of them.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerClock:
    """The clock of the seat to act: started, given more time, called off (TDA 29; R-288).

    Without ``seconds`` a clock has the time of the house, and more time is a time bank, or that time once more.
    """

    action: Literal["start", "more", "stop"]
    seconds: Annotated[int, up_to(MAX_CLOCK_S, least=1)] | None = None

    def check(self, _given: frozenset[str]) -> None:
        """Raises FieldError for seconds of a clock that is called off."""
        if self.action == "stop" and self.seconds is not None:
            raise FieldError(("seconds",), "A clock that is called off has no seconds.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """The table begins no hand after the one with this number until it is let go, or held up to a later one.

    After ``for_s`` without the same command again the table plays on by itself: it never depends on who holds it.
    """

    why: Literal["hand-for-hand", "short"]
    after_hand: Annotated[int, up_to(MAX_HAND)]
    for_s: Annotated[int, up_to(HOUR_S, least=10)] = 300


@dataclass(frozen=True, slots=True)
class LetGo:
    """The table is held no longer; whoever asks takes it on themselves, by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """The game of the next hand, by its name in the rotation."""

    name: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealer:
    """Who deals from now on; without a name nobody is known to."""

    name: NameOrNone = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """The last hands as the journal has them; they come on the topic `recall`, one message a hand."""

    hands: Annotated[int, up_to(MAX_RECALLED, least=1)] = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatPlayers:
    """Players sit down in these seats with the table's starting stack; seats that are taken stay as they are."""

    seats: Annotated[tuple[int, ...], listed(SEAT, least=1, most=MAX_SEATS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup(TableSetup):
    """The table as a case file states it, and who sits there."""

    names: Mapping[Seat, Name] = field(default_factory=dict)

    @classmethod
    def of(cls, setup: TableSetup) -> Setup:
        """The command that sets a table up as a case has it, with nobody's name."""
        return cls(**{one.name: getattr(setup, one.name) for one in fields(setup)})


NoStep: TypeAlias = (
    Passive | Jump | RestFolds | Says | UndoKey | Redo | CardsOut | Answer | Clock | PlayerClock | Hold | LetGo | Game
    | Dealer | Recall | SeatPlayers | Setup | BoardCards | ShownCards
)  # fmt: skip
Command: TypeAlias = Step | NoStep

UNASKED: Final[Mapping[type[Step], str]] = {
    AfterMinutes: "The controller's own clock says how many minutes have passed.",
    LayCards: "The controller seals the cards that board-cards and shown-cards bring.",
}
"""The steps for which there is no verb, and why."""
COMMANDS: Final[tuple[type[Command], ...]] = (
    *(cls for cls in STEPS if cls not in UNASKED),
    *get_args(NoStep),
)


def verb_of(cls: type[Command]) -> str:
    """The verb of a command: ``sit-down`` of SitDown."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", cls.__name__).lower()


VERBS: Final[Mapping[str, type[Command]]] = {verb_of(cls): cls for cls in COMMANDS}
FORMER_VERBS: Final[Mapping[str, str]] = {
    "adds": "rebuy",
    "away": "sit-out",
    "back": "return",
    "behind": "money-behind",
    "borrows": "borrow",
    "button": "correct-button",
    "chop": "chop-blinds",
    "corrects": "correct-bet",
    "counts": "count",
    "expires": "clock-expired",
    "floor": "floor-decision",
    "fouled": "fouled-deck",
    "gesture": "act",
    "kill": "kill-pot",
    "kills": "kill-hand",
    "leaves": "leave",
    "moves": "move-chips",
    "overrides": "override",
    "race": "color-up",
    "records": "correct-record",
    "reopens": "reopen-award",
    "rock": "take-rock",
    "sits": "sit-down",
}
"""Verbs of earlier versions, which journals still hold, and what they are called now."""


def read_command(verb: str, args: Mapping[str, Any]) -> Command:
    """The command of a verb and its arguments; raises CommandError."""
    cls = VERBS.get(verb)
    if cls is None:
        now = FORMER_VERBS.get(verb)
        meant = nearest(verb, VERBS) if now is None else f"it is called {now} now."
        raise CommandError("unknown-verb", f"There is no command {verb}; {meant}")
    try:
        return _record(cls).read(args)
    except FieldError as error:
        raise CommandError("bad-arguments", f"{verb} cannot be done so: {error}") from None


def command_args(command: Command) -> dict[str, Any]:
    """The arguments of a command, fit for JSON; `read_command` reads them back."""
    return _record(type(command)).write(command)


def args_schema(cls: type[Command]) -> Schema:
    """The JSON Schema of a command's arguments; ``#/components/schemas`` must hold that of a game."""
    return _record(cls).schema


def _record(cls: type[Command]) -> Record[Command]:
    return cast("Record[Command]", record(cls, "bus"))
