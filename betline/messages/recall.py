"""The last hands of a table as the controller reads them back from its journal for whoever asks."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from betline.messages.cards import CardsAt
from betline.messages.common import Amount, Body, SeatNumber
from betline.messages.table import Ruling


class RecalledAlert(Body):
    """What people were told in the course of a hand."""

    code: str
    seat: SeatNumber | None
    sentence: str


class SeatThen(Body):
    """One seat as it was after a step."""

    seat: SeatNumber
    name: str = ""
    stack: Amount
    bet: Amount = 0
    status: Literal["empty", "out", "in", "folded", "all-in"]


class TableThen(Body):
    """The table as it was after a step of a hand."""

    phase: Literal["idle", "posting", "betting", "round-over", "showdown", "hand-over"]
    game: str
    street: str
    button: SeatNumber | None
    small_blind: SeatNumber | None
    big_blind: SeatNumber | None
    seats: tuple[SeatThen, ...]
    to_act: SeatNumber | None
    pot: Amount


class RecalledAct(Body):
    """One step of a hand with what was ruled, or an alert."""

    seq: int = Field(description="number of its entry in the journal")
    at: str = Field(description="when it was journalled, by the controller's clock and zone")
    text: str = Field(description="what happened, for people, with the rules")
    source: Literal["", "chips", "keyed", "words", "inferred", "house", "floor"] = Field(
        default="", description="where a step came from; empty for an alert"
    )
    by: str = Field(default="", description="who has keyed it, with the role; empty where nobody had signed in")
    rulings: tuple[Ruling, ...] = ()
    alert: RecalledAlert | None = None
    evidence: tuple[str, ...] = Field(default=(), description="what readers and camera had seen of it, with the times")
    pictures: tuple[str, ...] = Field(default=(), description="events of the camera by which its pictures are found")
    table: TableThen | None = Field(
        default=None, description="the table after the step; null for an alert, and where it cannot be replayed"
    )


class RecalledReader(Body):
    """Which reader it was, in its own words."""

    serial: str = Field(description="its serial number, empty where it did not say")
    firmware: str


class ExchangedReader(RecalledReader):
    """Another reader in the place of one, or other firmware in it."""

    reader: str = Field(description="its name in the table file")
    before: RecalledReader


class RecalledHand(Body):
    """One hand, as `betline journal recall --json` has it."""

    hand: int
    began: str = Field(description="by the controller's clock and zone")
    button: SeatNumber | None
    seats: dict[str, Amount] = Field(description="stacks at its beginning, by seat")
    pot: Amount
    winners: dict[str, Amount] | None = Field(description="what each seat won, null while the hand goes on")
    cards: tuple[CardsAt, ...] = Field(default=(), description="what lay face up, where the house kept cards")
    readers: dict[str, RecalledReader] = Field(
        default={}, description="readers that had said which ones they are, in the entries that were read back"
    )
    exchanged: tuple[ExchangedReader, ...] = Field(default=(), description="since the hand before was over")
    acts: tuple[RecalledAct, ...]


class Recalled(Body):
    """One of the hands that the command `recall` asked for, the oldest of them first."""

    command_id: str
    number: int = Field(ge=0, description="which of the hands this is, from 1; 0 where there is none")
    of: int = Field(ge=0, description="how many hands come")
    hand: RecalledHand | None = Field(description="null where there is none")
    problem: str = Field(default="", description="why the journal cannot be read, and what to do")
