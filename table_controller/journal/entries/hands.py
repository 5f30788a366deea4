"""Entries about the table and its hands: setups, steps and their rulings, beginnings and ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from betline.messages.table import Ruling
from betline.settings import GameSettings, HouseRules
from betline.steps import Step, TableSetup, parse_step, step_to_mapping
from table_controller.journal import codec
from table_controller.journal.entries.entry import Entry
from table_controller.journal.entries.people import clear_person

Source = Literal["chips", "keyed", "words", "inferred", "house", "floor"]
"""From where a step came."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Money:
    """Where the chips are, as the ledger must know it, so that it need not rule again."""

    seats: Mapping[int, int] = field(default_factory=dict)
    """What each seat has, in a hand with what it has put in."""
    places: Mapping[str, int] = field(default_factory=dict)
    """What has left the stacks for the house, and what lies in the pot with no owner."""
    charges: Mapping[int, int] = field(default_factory=dict)
    """What the time charge has taken from each seat so far (R-285)."""
    in_hand: bool = False
    leaving: tuple[int, ...] = ()
    """Seats that leave, with what they have, when the hand is over."""
    moving: Mapping[int, int] = field(default_factory=dict)
    """Seats whose players move to another one when the hand is over, and where to."""


def _write_setup(setup: TableSetup) -> dict[str, Any]:
    """Game and house are written also where they are the usual ones."""
    found: dict[str, Any] = codec.write(TableSetup, setup)
    return {**found, "game": codec.write(GameSettings, setup.game), "house": codec.write(HouseRules, setup.house)}


def _read_setup(data: Any) -> TableSetup:
    setup: TableSetup = codec.read(TableSetup, data)
    return setup


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUp(Entry):
    """A table was set up, every house rule spelt out: the shipped profiles may change, the journal may not."""

    kind: ClassVar[str] = "setup"
    setup: TableSetup = field(metadata=codec.own_form(_write_setup, _read_setup))
    from_file: bool
    persons: Mapping[int, str] = field(default_factory=dict)
    names: Mapping[int, str] = field(default_factory=dict)
    """Version 1 only, instead of persons."""
    money: Money | None = None
    """Since version 3."""

    @property
    def people(self) -> dict[int, str]:
        """Who sits where, by id."""
        if self.names:
            return {seat: clear_person(name) for seat, name in self.names.items() if name}
        return dict(self.persons)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stepped(Entry):
    """A step that the table accepted, how it was ruled, and what else it changed."""

    kind: ClassVar[str] = "step"
    hand_no: int
    source: Source
    step: Step = field(metadata=codec.own_form(step_to_mapping, parse_step))
    ruled: bool
    """The first of the rulings is that of the step itself."""
    rulings: tuple[Ruling, ...]
    alerts: tuple[str, ...] = ()
    felt_act: int | None = None
    """The act of the felt that it rules on."""
    moves: Mapping[int, int] = field(default_factory=dict)
    """What seats must put in after a correction, or below 0 get back."""
    over: bool | None = None
    """After what was taken back or put right: whether the hand is over."""
    money: Money | None = None
    """Since version 3: where the chips are after it, where that has changed."""
    command: str = ""
    """The id of the command that it was done for, or of what was inferred whole, so that one key takes it back; empty
    where a single act of the sensors, or the clock, led to it."""

    @property
    def ruling(self) -> Ruling | None:
        """How the step itself was ruled, where it was an act."""
        return self.rulings[0] if self.ruled else None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandBegan(Entry):
    """A hand has begun; ``seats`` are the stacks before the forced bets."""

    kind: ClassVar[str] = "hand-began"
    hand_no: int
    game: str
    button: int | None
    small_blind: int | None
    big_blind: int | None
    seats: Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOver(Entry):
    """A hand is over; ``winners`` is what each seat won of the pots."""

    kind: ClassVar[str] = "hand-over"
    hand_no: int
    pot: int
    winners: Mapping[int, int]
    stacks: Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsOut(Entry):
    """Posting is over: chips are acts (R-043)."""

    kind: ClassVar[str] = "cards-out"
    by: str
    out: bool = True
    """False: they are not out yet, that was taken back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MinutesPassed(Entry):
    """The wall clock up to which minutes have passed at the table."""

    kind: ClassVar[str] = "time"
    at_ms: int
