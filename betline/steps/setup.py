"""A table before the first step: game, house rules, seats, and what earlier hands left behind (docs/case-format.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated

from betline.fields import FieldError, Fields, Path
from betline.settings import STREETS, HouseRules, load_house_rules
from betline.settings.model import nearest
from betline.steps.codec import record
from betline.steps.kinds import DEFAULT_PROFILE, ChipList, Game, House, Key, Positive, Seat, Whole


def _default_house() -> HouseRules:
    return load_house_rules(DEFAULT_PROFILE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """A hand that begins in its middle: `pot` came from all seats alike, or from those of `paid`."""

    street: str
    pot: Whole
    paid: Annotated[Mapping[Seat, Whole] | None, Key("from")] = None
    folded: tuple[Seat, ...] = ()
    first: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LastHand:
    """Where button and blinds were in the hand before; None for a blind that nobody posted."""

    button: Seat
    small_blind: Seat | None
    big_blind: Seat | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSetup:
    """A table before the first step; with neither `button` nor `last_hand` nothing has been dealt here yet."""

    game: Game
    house: House = field(default_factory=_default_house)
    seats: Mapping[Seat, Whole]
    """Seat: stack."""
    button: Seat | None = None
    start: Start | None = None
    last_hand: LastHand | None = None
    in_front: Mapping[Seat, ChipList] = field(default_factory=dict)
    """Chips that lie in front of a seat because they have not been changed yet."""
    missed: Mapping[Seat, tuple[Positive, ...]] = field(default_factory=dict)
    """Seats that sit out, and the blinds that they owe on their return."""
    rock: Seat | None = None
    kill: Seat | None = None
    legs: Mapping[Seat, Whole] = field(default_factory=dict)
    """Pots won in a row."""

    def check(self, _given: frozenset[str]) -> None:
        """Raises FieldError for what makes no table."""
        if (self.button is None) == (self.last_hand is None):
            raise FieldError(("button",), "name one of button and last_hand.")
        if self.start is not None:
            self._check_start(self.start)
        named = {"in_front": self.in_front, "missed": self.missed, "legs": self.legs}
        single = {key: (seat,) for key, seat in (("rock", self.rock), ("kill", self.kill)) if seat is not None}
        for key, seats in (*named.items(), *single.items()):
            self._check_seated(seats, (key,))

    def _check_start(self, start: Start) -> None:
        names = STREETS[self.game.streets]
        if start.street not in names:
            raise FieldError(
                ("start", "street"), f"there is no street {start.street}; {nearest(start.street, names)}"
            )  # fmt: skip
        if start.paid is None and start.pot % max(len(self.seats), 1):
            raise FieldError(
                ("start", "pot"), f"{len(self.seats)} seats do not divide {start.pot} equally; say `from`."
            )  # fmt: skip
        if start.paid is not None and sum(start.paid.values()) != start.pot:
            raise FieldError(("start", "from"), f"makes {sum(start.paid.values())}, not the pot of {start.pot}.")
        self._check_seated((*(start.paid or ()), *start.folded), ("start",))
        if start.first is not None:
            self._check_seated((start.first,), ("start", "first"))

    def _check_seated(self, seats: Iterable[int], path: Path) -> None:
        for number in seats:
            if number not in self.seats:
                raise FieldError(path, f"nobody sits in seat {number}.")


def read_setup(fields: Fields) -> TableSetup:
    """Takes the keys of a setup out of a mapping; raises FieldError."""
    return record(TableSetup, "case").take(fields)


def parse_setup(data: object, path: Path = ()) -> TableSetup:
    """Reads a setup that stands by itself; raises FieldError."""
    return record(TableSetup, "case").read(data, path)
