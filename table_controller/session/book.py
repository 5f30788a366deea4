"""The durable part of a session: a fold over the journal's entries, and nothing but that (`session.bookkeeping`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from betline.messages.table import Ruling as RulingMessage
from betline.steps import (
    First,
    Step,
)
from table_controller.journal.entries import (
    Announced,
    AskedWhatLies,
    ClockStage,
    Source,
)
from table_controller.levels import Hold, Mark, Played, PlayerClock
from table_controller.rulings.table import Table

NO_STEPS = {
    "game": "chose the game",
    "clock": "set the clock",
    "dealer": "named who deals",
    "player-clock": "set the player's clock",
    "let-go": "let the table go",
}
"""Commands that are no step of the table, and what they did."""


@dataclass(frozen=True, slots=True)
class Words:
    """Words that were keyed for a seat whose chips still move."""

    text: str
    first: First | None


@dataclass(frozen=True, slots=True)
class WhichFirst:
    """Words and chips of a seat that come to different rulings by which came first (R-020, R-040)."""

    id: str
    seat: int
    text: str
    sentence: str


@dataclass(frozen=True, slots=True)
class BlindRaise:
    """Chips before the cards that may be a sleeper; ``to`` is the seat's total (R-199)."""

    id: str
    seat: int
    to: int
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """What was announced last of the clock: the level or break (its place in order), and how far it had come."""

    period: int
    stage: ClockStage


@dataclass(frozen=True, slots=True)
class RulesQuestion:
    """Today's rules rule otherwise on an act of the hand that a start found in progress: which ruling holds."""

    id: str
    seat: int | None
    sentence: str
    today: Book = field(repr=False, compare=False)
    """The books had today's rules been in force from that act on."""


PLAYS_ON = "plays-on"
"""The answer of a seat that buys no chips though it has few left."""
AS_RECORDED, AS_TODAY = "as-recorded", "as-today"
RULES_CHANGED = "rules-changed"
"""The kind of that question, and the code of its alert."""


@dataclass(frozen=True, slots=True)
class Done:
    """A step that was done, with all that it needs to be done again."""

    step: Step
    source: Source
    felt_act: int | None
    command: str
    """The id of the command that it was done for, or of what was inferred whole; empty where neither was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """What the journal comes to: the table, what is owed, what waits, which commands were obeyed."""

    table: Table | None = None
    hand_no: int = 0
    act_no: int = 0
    """Of the last ruling in this hand; rises also where acts are taken back."""
    from_file: bool = False
    """The table was set up from its own settings, not by a script: new settings hold from the next hand on."""
    cards_out: bool = False
    """Posting is over: chips are acts (R-043)."""
    persons: Mapping[int, str] = field(default_factory=dict)
    """The id of who sits or sat last in a seat, of those who gave a name; see `seated`."""
    keyed: Mapping[int, int] = field(default_factory=dict)
    """Bets of this round that a key or words made, their chips perhaps still to come."""
    owes: Mapping[int, int] = field(default_factory=dict)
    change_due: Mapping[int, int] = field(default_factory=dict)
    rulings: tuple[RulingMessage, ...] = ()
    felt_act: int | None = None
    """The act of the felt that the last step ruled on; None where another kind of step came since."""
    last: Done | None = field(default=None, compare=False)
    """The last step; None before the first."""
    cards_said: bool = False
    """That the cards are out was said, and no step has come since."""
    no_step: str = ""
    """The verb of the last command where it was one that U cannot take back; empty since the next step."""
    taken_back: tuple[tuple[Done, ...], ...] = field(default=(), repr=False, compare=False)
    """What keys took back since the last new step, the newest last: it can be put back."""
    words: Mapping[int, Words] = field(default_factory=dict)
    which_first: WhichFirst | None = None
    doubt: AskedWhatLies | None = None
    """What a person must say of the chips before a seat; until then no chips are ruled on."""
    rules_question: RulesQuestion | None = None
    blind_raises: tuple[BlindRaise, ...] = ()
    declined: tuple[str, ...] = ()
    """Questions before the next hand whose seats play on with what they have, by id."""
    done: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Commands that were obeyed, by id: verb and the sentence of the reply."""
    announced: Announced | None = None
    time_ms: int | None = None
    """The wall clock up to which minutes have passed at the table; None before the first time."""
    clock: Mark | None = None
    """Of the levels' clock; None before it was started or set."""
    clock_told: Told | None = None
    player_clock: PlayerClock | None = None
    """Of the present turn; None where none was started for it."""
    banks_used: Mapping[int, int] = field(default_factory=dict)
    """The time banks that seats have used."""
    hold: Hold | None = None
    """Up to which hand the table may play; None where nobody holds it."""
    hold_ended: Literal["", "asked", "time"] = ""
    """How the last hold ended; empty while one holds."""
    played: Played | None = None
    """Of the rotation's present turn."""
    chosen: str | None = None
    """The game that was named for the next hand."""
    dealer: str = ""
    """The id of who deals; empty where nobody is named."""
    opened: Mapping[str, str] = field(default_factory=dict)
    """The cards of this hand that everybody may know, by seal: none before it is over."""
    felt: Mapping[str, Any] = field(default_factory=dict)
    """The durable part of sensing."""
    before: Book | None = field(default=None, repr=False, compare=False)
    """The book before the last accepted step, for taking it back."""
    award: Book | None = field(default=None, repr=False, compare=False)
    """The book before the last award, for reopening it."""

    @property
    def seated(self) -> dict[int, str]:
        """The id of who sits where, of those who gave a name."""
        players = {} if self.table is None else self.table.state.players
        return {seat: person for seat, person in self.persons.items() if seat in players}

    @property
    def street(self) -> str:
        """The street of the hand, empty where there is none."""
        hand = None if self.table is None else self.table.state.hand
        return "" if hand is None else hand.street

    def bet_of(self, seat: int) -> int:
        """The seat's bet of this round, 0 where it is not in a hand."""
        hand = None if self.table is None else self.table.state.hand
        return hand.bet(seat) if hand is not None and seat in hand.seats else 0
