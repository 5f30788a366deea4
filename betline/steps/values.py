"""The steps as values: one frozen class a kind of step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from betline.fields import Chips
from betline.settings import GameSettings, HouseRules

Action: TypeAlias = Literal["check", "call", "bet", "raise", "complete", "fold", "all-in"]
Gesture: TypeAlias = Literal["tap", "muck"]
FloorRuling: TypeAlias = Literal[
    "check", "call", "bet", "raise", "complete", "fold", "withdraw", "live", "dead", "reopened"
]
"""What the floor may make of an act; the last three are of the hand and of the right to raise."""
Part: TypeAlias = tuple[int, ...] | tuple[tuple[int, ...], ...]
"""One equal part of a pot: the seats that split it, or the equal parts that it is divided into (a board's halves)."""
Winners: TypeAlias = tuple[Part, ...]
"""Who wins one pot: its equal parts, usually one."""


@dataclass(frozen=True, slots=True)
class Change:
    """Announced change out of the pot: what the seat gives and what it takes."""

    gives: Chips
    takes: Chips


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """What a player physically did in one act; at least one of its parts is there."""

    seat: int
    motions: tuple[Chips, ...] = ()
    """Chips that crossed the line and were released, motion by motion."""
    says: str | None = None
    first: Literal["says", "chips", "both"] = "says"
    """Which of words and chips came first."""
    takes_back: Chips = ()
    """Chips pulled back over the line, before anything is pushed."""
    carries_back: Chips = ()
    """Chips carried over the line in the hand and back, never released."""
    changes: Change | None = None
    pays: Chips = ()
    """Chips that pay what the seat still owes for an earlier act; they stand alone."""
    splashes: Chips = ()
    """Chips thrown into the pot."""
    gesture: Gesture | None = None
    action: Action | None = None
    """An unambiguous action, as the dealer would key it."""
    to: int | None = None
    accepted: bool = False
    """The size was illegal and nobody noticed: it stands as put."""

    @property
    def pushed(self) -> Chips:
        """All chips that crossed the line and were released, largest first."""
        return tuple(sorted([chip for motion in self.motions for chip in motion], reverse=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    """The next street; in stud the dealer names who is first."""

    street: str
    first: int | None = None
    open_pair: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BringIn:
    """Stud: this seat posts the bring-in."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Straddle:
    """A voluntary blind raise before the first act."""

    seat: int
    to: int
    kind: Literal["live", "mississippi", "sleeper"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Award:
    """The winners of each pot, main pot first."""

    pots: tuple[Winners, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NextHand:
    """The button moves and the forced bets are posted; the game may change, a bomb pot begins on the flop."""

    game: GameSettings | None = None
    bomb_pot: int | None = None
    button: int | None = None
    """The button is put on this seat instead of moved."""
    house: HouseRules | None = None
    """New house rules, from this hand on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SitDown:
    """A player sits down and buys in."""

    seat: int
    stack: int
    post: bool = True
    buys_button: bool = False
    player: str = ""
    """Who it is, the same at every visit; empty where nobody says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave:
    """A player leaves the table with the stack."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SitOut:
    """A player is absent, the stack stays."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Return:
    """An absent player is back; `post` False waits for the big blind."""

    seat: int
    post: bool = True
    buys_button: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuy:
    """A player buys more chips."""

    seat: int
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Borrow:
    """Open stakes: a marker to another seat, or to the pot."""

    seat: int
    amount: int
    source: int | Literal["pot"]
    declined: tuple[int, ...] = ()
    """Seats that do not accept a marker to the pot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """The last accepted steps are taken back."""

    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectRecord:
    """The record did not agree with the felt: an act of the hand is put right (R-049)."""

    street: str
    seat: int
    to: int


@dataclass(frozen=True, slots=True)
class ReopenAward:
    """The last award is taken back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """The dealer has counted a bet or a stack: the book-kept figure is replaced."""

    seat: int
    bet: int | None = None
    stack: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveChips:
    """Chips move outside betting, between seats, tray, kitty and rake."""

    source: int | str
    to: int | str
    amount: int
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoneyBehind:
    """Money behind that plays, told before the hand."""

    seat: int
    amount: int
    cash: bool = False
    """It is cash on the table, not chips on their way."""


@dataclass(frozen=True, slots=True)
class Misdeal:
    """Every chip of the hand goes back; refused after substantial action."""


@dataclass(frozen=True, slots=True)
class FouledDeck:
    """The deck is fouled: every chip of the hand goes back."""


@dataclass(frozen=True, slots=True)
class PassOut:
    """Nobody has opened: the pot is carried to the next hand (R-307)."""


@dataclass(frozen=True, slots=True)
class ChopBlinds:
    """All folded to the blinds: they take theirs back (R-204)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectButton:
    """The button stood wrong: it belongs to this seat (R-190)."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KillHand:
    """A hand is dead (R-047)."""

    seat: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockExpired:
    """A seat's clock has run out."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ColorUp:
    """Colour-up: a denomination goes, the winning seats get a race chip each."""

    remove: int
    wins: tuple[int, ...]
    to: int | None = None
    """The smallest denomination that stays; None: the betting unit, or the next of the usual ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeRock:
    """A seat gets the rock: it straddles when it is under the gun (R-200)."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KillPot:
    """The dealer says who kills the next hand (R-127)."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty:
    """The floor sends a player away for so many hands; none lifts what is left of an earlier penalty (R-294)."""

    seat: int
    hands: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AfterMinutes:
    """Time passes."""

    minutes: int


@dataclass(frozen=True, slots=True)
class LastTwo:
    """The event is down to two players."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectBet:
    """Dealer or floor discovers an error, and the bet stands corrected."""

    seat: int
    to: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorDecision:
    """The floor's decision where the ruling was `floor`; with a reason it may be one that was not on offer (TDA 1)."""

    ruling: str
    to: int | None = None
    why: str = ""

    @property
    def choice(self) -> str:
        """The offer that it chooses: `call`, or `raise:400`."""
        return self.ruling if self.to is None else f"{self.ruling}:{self.to}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Override:
    """The floor rules otherwise on what a seat did last on a street, whatever it was ruled (R-291)."""

    seat: int
    ruling: FloorRuling
    by: str
    """Who decides, the same at every time."""
    why: str
    to: int | None = None
    """The total of the round of a bet or raise; of a fold what stays in the pot."""
    street: str | None = None
    """None: the present one."""


Step: TypeAlias = (
    Act | Deal | BringIn | Straddle | Award | NextHand | SitDown | Leave | SitOut | Return | Rebuy | Borrow | Undo
    | CorrectRecord | ReopenAward | Count | MoveChips | MoneyBehind | Misdeal | FouledDeck | PassOut | KillHand
    | ClockExpired | ColorUp | AfterMinutes | LastTwo | CorrectBet | FloorDecision | Override | ChopBlinds
    | CorrectButton | Penalty | TakeRock | KillPot
)  # fmt: skip
