"""Steps that put something right or that the floor decides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, TypeAlias

from betline.fields import FieldError
from betline.steps.kinds import (
    CASE_ONLY,
    FILLED,
    CaseKey,
    Line,
    Name,
    Positive,
    Remark,
    Seat,
    Street,
    Whole,
    up_to,
    words,
)

FloorRuling: TypeAlias = Literal[
    "check", "call", "bet", "raise", "complete", "fold", "withdraw", "live", "dead", "reopened"
]
"""What the floor may make of an act; the last three are of the hand and of the right to raise."""
FLOOR_DECISIONS = ("check", "call", "bet", "raise", "fold", "withdraw", "live", "passive", "dead")
MAX_UNDONE, MAX_PENALTY_HANDS = 100, 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """The last accepted steps are taken back."""

    CASE: ClassVar = CaseKey("undo", value="count")
    count: Annotated[int, up_to(MAX_UNDONE, least=1)] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectRecord:
    """The record did not agree with the felt: an act of the hand is put right (R-049)."""

    CASE: ClassVar = CaseKey("records")
    street: Annotated[Street, FILLED] = ""
    """Empty: the present one."""
    seat: Seat
    to: Whole


@dataclass(frozen=True, slots=True)
class ReopenAward:
    """The last award is taken back."""

    CASE: ClassVar = CaseKey("reopens", word="last_hand")


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """The dealer has counted a bet or a stack: the book-kept figure is replaced."""

    CASE: ClassVar = CaseKey("counts")
    seat: Seat
    bet: Whole | None = None
    stack: Whole | None = None

    def check(self, _given: frozenset[str]) -> None:
        """Raises FieldError unless one thing was counted."""
        if (self.bet is None) == (self.stack is None):
            raise FieldError(("bet",), "name one of bet and stack.")


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectButton:
    """The button stood wrong: it belongs to this seat (R-190)."""

    CASE: ClassVar = CaseKey("button", value="seat")
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class KillHand:
    """A hand is dead (R-047)."""

    CASE: ClassVar = CaseKey("kills")
    seat: Seat
    why: Annotated[Line, FILLED] = "as the dealer says"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockExpired:
    """A seat's clock has run out."""

    CASE: ClassVar = CaseKey("expires", value="seat")
    seat: Annotated[Seat, FILLED] = 0
    """0: the seat to act."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty:
    """The floor sends a player away for so many hands; none lifts what is left of an earlier penalty (R-294)."""

    CASE: ClassVar = CaseKey("penalty")
    seat: Seat
    hands: Annotated[int, up_to(MAX_PENALTY_HANDS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectBet:
    """Dealer or floor discovers an error, and the bet stands corrected."""

    CASE: ClassVar = CaseKey("corrects")
    seat: Seat
    to: Positive


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorDecision:
    """The floor's decision where the ruling was `floor`; with a reason it may be one that was not on offer (TDA 1)."""

    CASE: ClassVar = CaseKey("floor")
    ruling: Annotated[str, words(*FLOOR_DECISIONS)]
    to: Positive | None = None
    why: Annotated[Remark, CASE_ONLY] = ""

    @property
    def choice(self) -> str:
        """The offer that it chooses: `call`, or `raise:400`."""
        return self.ruling if self.to is None else f"{self.ruling}:{self.to}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Override:
    """The floor rules otherwise on what a seat did last on a street, whatever it was ruled (R-291)."""

    CASE: ClassVar = CaseKey("overrides")
    seat: Seat
    ruling: FloorRuling
    to: Positive | None = None
    """The total of the round of a bet or raise; of a fold what stays in the pot."""
    street: Street | None = None
    """None: the present one."""
    by: Name
    """Who decides: in a command the name, then an id that is the same at every time."""
    why: Line
