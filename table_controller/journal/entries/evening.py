"""Entries about the evening: clocks, games, the rotation and who deals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from table_controller.journal.entries.entry import Entry
from table_controller.levels import Hold, PlayerClock

ClockStage = Literal["begun", "ending", "over"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockSet(Entry):
    """The mark of the levels' clock, by what it changed, and the period and stage that were announced."""

    kind: ClassVar[str] = "clock"
    by: str
    period: int
    left_ms: int
    since_ms: int | None
    told: tuple[int, ClockStage]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerClockSet(Entry):
    """The clock of a player's turn, None where its turn is over; by the floor, the house, the time or the turn.

    ``bank`` says that the seat has used one of its time banks.
    """

    kind: ClassVar[str] = "player-clock"
    by: str
    clock: PlayerClock | None = None
    bank: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldSet(Entry):
    """What the table is held by from now on, None where nothing holds it; by who asked, or by the time."""

    kind: ClassVar[str] = "hold"
    by: Literal["asked", "time"]
    hold: Hold | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameChosen(Entry):
    """The game that was named for the next hand."""

    kind: ClassVar[str] = "chosen"
    game: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerNamed(Entry):
    """Who deals from now on, by id; empty where nobody is named. Since version 4."""

    kind: ClassVar[str] = "dealer"
    person: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegan(Entry):
    """What has been played of a game's turn in the rotation."""

    kind: ClassVar[str] = "turn"
    game: str
    hands: int
    orbits: int
    first_button: int
    button: int
    seats: int
