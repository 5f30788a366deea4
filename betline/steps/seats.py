"""Steps of the seats and their chips: who comes, goes and moves, buys, borrows and is paid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from betline.steps.kinds import (
    FILLED,
    CaseKey,
    Key,
    Lender,
    NameOrNone,
    Place,
    Positive,
    Remark,
    Seat,
    Seats,
)


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
    """Where the big blind is farther off now: False waits for as many hands instead of posting one.

    Who had the button in the last hand then comes in when the button has passed the new seat (RRoP 4).
    """
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
class MoneyBehind:
    """Money behind that plays, told before the hand."""

    CASE: ClassVar = CaseKey("behind")
    seat: Seat
    amount: Positive
    cash: bool = False
    """It is cash on the table, not chips on their way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveChips:
    """Chips move outside betting, between seats, tray, kitty and rake."""

    CASE: ClassVar = CaseKey("moves")
    source: Annotated[Place, Key("from")]
    to: Place
    amount: Positive
    why: Remark = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColorUp:
    """Colour-up: a denomination goes, the winning seats get a race chip each."""

    CASE: ClassVar = CaseKey("race")
    remove: Positive
    wins: Annotated[Seats, FILLED] = ()
    to: Positive | None = None
    """The smallest denomination that stays; None: the betting unit, or the next of the usual ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AfterMinutes:
    """Time passes."""

    CASE: ClassVar = CaseKey("after_minutes", value="minutes")
    minutes: Positive


@dataclass(frozen=True, slots=True)
class LastTwo:
    """The event is down to two players."""

    CASE: ClassVar = CaseKey("last_two")
