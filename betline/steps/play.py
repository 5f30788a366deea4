"""Steps of the play: what players do, and what the dealer does with cards and pots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, TypeAlias

from betline.fields import Chips, FieldError
from betline.steps.kinds import (
    CASE_ONLY,
    CHIPS,
    FILLED,
    CaseKey,
    ChipList,
    Game,
    House,
    Key,
    Positive,
    Seat,
    Spoken,
    Street,
    Whole,
    Winners,
    listed,
    up_to,
    words,
)

Action: TypeAlias = Literal["check", "call", "bet", "raise", "complete", "fold", "all-in"]
Gesture: TypeAlias = Literal["tap", "muck"]
First: TypeAlias = Literal["says", "chips", "both"]
"""Which of words and chips came first."""
BlindRaise: TypeAlias = Literal["live", "mississippi", "sleeper"]
MAX_RUNS = 3


@dataclass(frozen=True, slots=True)
class Change:
    """Announced change out of the pot: what the seat gives and what it takes."""

    gives: ChipList
    takes: ChipList


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """What a player physically did in one act; at least one of its parts is there."""

    CASE: ClassVar = CaseKey("seat", value="seat")
    seat: Seat
    motions: Annotated[tuple[Chips, ...], listed(CHIPS, least=1), Key(single="chips", case_only=True)] = ()
    """Chips that crossed the line and were released, motion by motion."""
    says: Annotated[Spoken | None, CASE_ONLY] = None
    first: Annotated[First, CASE_ONLY] = "says"
    takes_back: Annotated[ChipList, CASE_ONLY] = ()
    """Chips pulled back over the line, before anything is pushed."""
    carries_back: Annotated[ChipList, CASE_ONLY] = ()
    """Chips carried over the line in the hand and back, never released."""
    changes: Annotated[Change | None, CASE_ONLY] = None
    pays: Annotated[ChipList, CASE_ONLY] = ()
    """Chips that pay what the seat still owes for an earlier act; they stand alone."""
    splashes: Annotated[ChipList, CASE_ONLY] = ()
    """Chips thrown into the pot."""
    gesture: Gesture | None = None
    action: Action | None = None
    """An unambiguous action, as the dealer would key it."""
    to: Positive | None = None
    accepted: Annotated[bool, CASE_ONLY] = False
    """The size was illegal and nobody noticed: it stands as put."""

    @property
    def pushed(self) -> Chips:
        """All chips that crossed the line and were released, largest first."""
        return tuple(sorted([chip for motion in self.motions for chip in motion], reverse=True))

    def check(self, given: frozenset[str]) -> None:
        """Raises FieldError for parts that do not make one act."""
        physical = (
            self.motions or self.says or self.takes_back or self.carries_back or self.splashes or self.changes
        )  # fmt: skip
        if self.pays and (physical or self.gesture or self.action):
            raise FieldError(("pays",), "stands alone: chips that pay what is owed are no act.")
        if not (physical or self.gesture or self.action or self.pays):
            raise FieldError((), "an act needs chips, words, a gesture or an action.")
        if self.action and (physical or self.gesture):
            raise FieldError(("action",), "is unambiguous by itself: leave chips, words and gestures out.")
        if self.gesture and physical:
            raise FieldError(("gesture",), "stands alone: leave chips and words out.")
        if self.action is None and (self.to is not None or self.accepted):
            raise FieldError(("to" if self.to is not None else "accepted",), "belongs to an action.")
        if "first" in given and "first" in self.unsaid():
            raise FieldError(("first",), "belongs to words and chips in one act.")

    def unsaid(self) -> frozenset[str]:
        """The fields that mean nothing here: which came first, where there are not both words and chips."""
        return frozenset() if self.says and (self.motions or self.splashes) else frozenset({"first"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """The next street; in stud the dealer names who is first."""

    CASE: ClassVar = CaseKey("deal", value="street")
    street: Annotated[Street, FILLED] = ""
    """Empty: the street that follows."""
    first: Seat | None = None
    open_pair: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RunIt:
    """Nobody can bet any more, and all in the pot agree: the rest of the board is dealt more than once (R-268)."""

    CASE: ClassVar = CaseKey("run_it", value="times")
    times: Annotated[int, up_to(MAX_RUNS, least=2)]


@dataclass(frozen=True, slots=True, kw_only=True)
class BringIn:
    """Stud: this seat posts the bring-in."""

    CASE: ClassVar = CaseKey("bring_in", value="seat")
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Straddle:
    """A voluntary blind raise before the first act."""

    CASE: ClassVar = CaseKey("straddle")
    seat: Seat
    to: Annotated[Positive, FILLED] = 0
    """The seat's total; 0: the least."""
    kind: Annotated[BlindRaise | Literal[""], words("live", "mississippi", "sleeper"), FILLED] = ""
    """Empty: live or Mississippi, as the seat may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Award:
    """The winners of each pot, main pot first."""

    CASE: ClassVar = CaseKey("award", value="pots")
    pots: tuple[Winners, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NextHand:
    """The button moves and the forced bets are posted; the game may change, a bomb pot begins on the flop."""

    CASE: ClassVar = CaseKey("next_hand")
    game: Annotated[Game | None, CASE_ONLY] = None
    bomb_pot: Whole | None = None
    """What everybody puts in; 0: the house's ante (R-303)."""
    button: Seat | None = None
    """The button is put on this seat instead of moved."""
    house: Annotated[House | None, CASE_ONLY] = None
    """New house rules, from this hand on."""


@dataclass(frozen=True, slots=True)
class Misdeal:
    """Every chip of the hand goes back; refused after substantial action."""

    CASE: ClassVar = CaseKey("misdeal")


@dataclass(frozen=True, slots=True)
class FouledDeck:
    """The deck is fouled: every chip of the hand goes back."""

    CASE: ClassVar = CaseKey("fouled")


@dataclass(frozen=True, slots=True)
class PassOut:
    """Nobody has opened: the pot is carried to the next hand (R-307)."""

    CASE: ClassVar = CaseKey("pass_out")


@dataclass(frozen=True, slots=True)
class ChopBlinds:
    """All folded to the blinds: they take theirs back (R-204)."""

    CASE: ClassVar = CaseKey("chop")


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeRock:
    """A seat gets the rock: it straddles when it is under the gun (R-200)."""

    CASE: ClassVar = CaseKey("rock", value="seat")
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class KillPot:
    """The dealer says who kills the next hand (R-127)."""

    CASE: ClassVar = CaseKey("kill", value="seat")
    seat: Seat
