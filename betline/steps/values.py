"""The steps as values: one frozen class a kind of step.

A class says all that there is to know of its step's form: the kinds of its fields by their annotations
(`betline.steps.kinds`), its key in a case file by ``CASE``, and in ``check`` what of its fields goes together. Its verb
on the bus is its name (`betline.steps.commands`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, TypeAlias

from betline.fields import Chips, FieldError
from betline.steps.kinds import (
    CASE_ONLY,
    CHIPS,
    FILLED,
    ChipList,
    Game,
    House,
    Key,
    Lender,
    Line,
    Name,
    NameOrNone,
    Place,
    Positive,
    Remark,
    Seat,
    Seats,
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
FloorRuling: TypeAlias = Literal[
    "check", "call", "bet", "raise", "complete", "fold", "withdraw", "live", "dead", "reopened"
]
"""What the floor may make of an act; the last three are of the hand and of the right to raise."""
FLOOR_DECISIONS = ("check", "call", "bet", "raise", "fold", "withdraw", "live", "passive", "dead")
MAX_UNDONE, MAX_PENALTY_HANDS, MAX_RUNS = 100, 1000, 3


@dataclass(frozen=True, slots=True)
class CaseKey:
    """How a case file names a step: ``{key: {field: value, ...}}``, ``{key: true}`` where nothing needs to be said.

    ``value`` is the field that stands behind the key itself, the others beside it: ``{deal: fourth, first: 3}``;
    ``word`` stands there instead of ``true``.
    """

    key: str
    value: str = ""
    word: str = ""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class SitDown:
    """A player sits down and buys in."""

    CASE: ClassVar = CaseKey("sits")
    seat: Seat
    stack: Annotated[Positive, FILLED] = 0
    """0: the table's starting stack, within the house's buy-in."""
    post: bool = True
    """False waits for the big blind."""
    buys_button: bool = False
    """Posts all blinds (R-193)."""
    player: NameOrNone = ""
    """Who it is: in a command the name, then an id that is the same at every visit; empty where nobody says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamePlayer:
    """Who sits there is named, after sitting down without a name or with a wrong one."""

    CASE: ClassVar = CaseKey("names")
    seat: Seat
    player: NameOrNone = ""
    """In a command the name, then the person's id; empty: nobody knows who it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave:
    """A player leaves the table with the stack."""

    CASE: ClassVar = CaseKey("leaves", value="seat")
    seat: Seat
    after_hand: bool = False
    """In the middle of a hand: when that is over. A command in the middle of a hand means just that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeSeat:
    """A player moves to an empty seat with the stack, from the middle of a hand when that is over (R-192, R-193)."""

    CASE: ClassVar = CaseKey("changes_seat")
    seat: Seat
    to: Seat
    post: bool = True
    """Where the big blind is farther off now: False waits for as many hands instead of posting one."""
    buys_button: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepSeat:
    """A player who was to leave or to change seats after the hand keeps the seat."""

    CASE: ClassVar = CaseKey("keeps_seat", value="seat")
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class SitOut:
    """A player is absent, the stack stays."""

    CASE: ClassVar = CaseKey("away", value="seat")
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Return:
    """An absent player is back; `post` False waits for the big blind."""

    CASE: ClassVar = CaseKey("back")
    seat: Seat
    post: bool = True
    buys_button: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuy:
    """A player buys more chips."""

    CASE: ClassVar = CaseKey("adds")
    seat: Seat
    amount: Positive


@dataclass(frozen=True, slots=True, kw_only=True)
class Borrow:
    """Open stakes: a marker to another seat, or to the pot."""

    CASE: ClassVar = CaseKey("borrows")
    seat: Seat
    amount: Positive
    source: Annotated[Lender, Key("from")]
    declined: Seats = ()
    """Seats that do not accept a marker to the pot."""


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
class MoveChips:
    """Chips move outside betting, between seats, tray, kitty and rake."""

    CASE: ClassVar = CaseKey("moves")
    source: Annotated[Place, Key("from")]
    to: Place
    amount: Positive
    why: Remark = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneyBehind:
    """Money behind that plays, told before the hand."""

    CASE: ClassVar = CaseKey("behind")
    seat: Seat
    amount: Positive
    cash: bool = False
    """It is cash on the table, not chips on their way."""


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
class ColorUp:
    """Colour-up: a denomination goes, the winning seats get a race chip each."""

    CASE: ClassVar = CaseKey("race")
    remove: Positive
    wins: Annotated[Seats, FILLED] = ()
    to: Positive | None = None
    """The smallest denomination that stays; None: the betting unit, or the next of the usual ones."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty:
    """The floor sends a player away for so many hands; none lifts what is left of an earlier penalty (R-294)."""

    CASE: ClassVar = CaseKey("penalty")
    seat: Seat
    hands: Annotated[int, up_to(MAX_PENALTY_HANDS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class AfterMinutes:
    """Time passes."""

    CASE: ClassVar = CaseKey("after_minutes", value="minutes")
    minutes: Positive


@dataclass(frozen=True, slots=True)
class LastTwo:
    """The event is down to two players."""

    CASE: ClassVar = CaseKey("last_two")


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


Step: TypeAlias = (
    Act | Deal | BringIn | Straddle | Award | NextHand | SitDown | Leave | SitOut | Return | Rebuy | Borrow | Undo
    | CorrectRecord | ReopenAward | Count | MoveChips | MoneyBehind | Misdeal | FouledDeck | PassOut | KillHand
    | ClockExpired | ColorUp | AfterMinutes | LastTwo | CorrectBet | FloorDecision | Override | ChopBlinds
    | CorrectButton | Penalty | TakeRock | KillPot | NamePlayer | ChangeSeat | KeepSeat
    | RunIt
)  # fmt: skip
