"""Where hands come from: the table's name and size, and what its people are called."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from betline.options import FAILED, UserError
from table_controller.accounts.histories.known import NotExpressible
from table_controller.accounts.histories.told import Told


@dataclass(frozen=True, slots=True)
class Source:
    """The table that the hands were played at."""

    table: str
    site: str = ""
    seats: int = 10
    version: str = "0"
    currency: str = "XPM"
    names: Mapping[str, str] = field(default_factory=dict)
    """What people are called, by person."""
    anonymous: bool = False

    def name(self, told: Told, seat: int) -> str:
        """What the player of a seat is called; `Seat 3` where nobody knows."""
        return self.names.get(told.persons.get(seat, ""), "") or f"Seat {seat}"


def nothing_to_export(hand_no: int | None) -> UserError:
    """For a journal without a hand that is over, or where the hand of this number is not."""
    which = f"no hand {hand_no} that is over" if hand_no is not None else "none that could be exported"
    return UserError(f"Play a hand to its end first: this journal has {which}.", FAILED)


def without_names(hands: Sequence[Told]) -> dict[str, str]:
    """`Player 1` for whoever is met first in these hands, the same name for the same person in all of them."""
    found: dict[str, str] = {}
    for told in hands:
        for seat in told.hand.seats:
            person = told.persons.get(seat)
            if person is not None:
                found.setdefault(person, f"Player {len(found) + 1}")
    return found


def each_hand(hands: Sequence[Told], write: Callable[[Told], str], name: str) -> tuple[list[str], tuple[str, ...]]:
    """The texts of the hands, and a sentence for each that this format cannot tell."""
    texts, left_out = list[str](), list[str]()
    for told in hands:
        try:
            texts.append(write(told))
        except NotExpressible as reason:
            left_out.append(f"Hand {told.hand_no} is left out of {name}, csv and json have it: {reason}.")
    return texts, tuple(left_out)
