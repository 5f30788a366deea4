"""The floor rules otherwise on an act, step by step: which act, what it is, how much, who decides and why. Pure.

What is usual stands in a list and takes one digit; anything else is typed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from betline.messages.table import Ruling, TableState
from betline.settings import FloorSettings
from betline.steps import FloorRuling, Override
from table_controller.console.intents import Refused
from table_controller.console.typed import FLOOR_RULINGS

Asked = Literal["act", "ruling", "to", "by", "why"]
LISTED: Final = 10
"""As many entries of a list as there are digits; 0 is the tenth."""
_SIZED = ("bet", "raise", "complete")
_TITLES: Final[dict[Asked, str]] = {
    "act": "The floor: which act?",
    "ruling": "What is it?",
    "to": "To how much?",
    "by": "Who decides?",
    "why": "Why?",
}
_HINTS: Final[dict[Asked, str]] = {
    "act": "its digit · Esc",
    "ruling": "its digit · Esc: back",
    "to": "the total of the round · Enter · Esc: back",
    "by": "a digit, or the name and Enter · Esc: back",
    "why": "a digit, or the reason and Enter · Esc: back",
}


@dataclass(frozen=True, slots=True)
class Overruling:
    """What has been said so far."""

    acts: tuple[Ruling, ...]
    """Of each seat its last act on each street of this hand, the newest first."""
    people: tuple[str, ...]
    reasons: tuple[str, ...]
    seat: int | None = None
    street: str = ""
    """Empty: the present one."""
    ruling: FloorRuling | None = None
    to: int | None = None
    by: str = ""
    signs: str = ""
    """Who decides, where that is whoever signs in; empty where it must be said."""

    @classmethod
    def begun(cls, state: TableState, floor: FloorSettings, seat: int | None = None, signs: str = "") -> Overruling:
        """Before anything is said; of the seat whose ruling waits, where one does."""
        acts: dict[tuple[int | None, str], Ruling] = {}
        for one in reversed(state.rulings):
            if one.hand_no == state.hand_no and one.seat is not None and one.ruling not in ("none", "illegal"):
                acts.setdefault((one.seat, one.street), one)
        return cls(tuple(acts.values())[:LISTED], floor.people[:LISTED], floor.reasons[:LISTED], seat, signs=signs)

    @property
    def asked(self) -> Asked:
        """What is asked now."""
        if self.seat is None:
            return "act"
        if self.ruling is None:
            return "ruling"
        if self.ruling in _SIZED and self.to is None:
            return "to"
        return "why" if self.by or self.signs else "by"

    @property
    def act(self) -> Ruling | None:
        """The act that is ruled on, as it was ruled; None before one was chosen."""
        meant = [one for one in self.acts if one.seat == self.seat and self.street in ("", one.street)]
        return meant[0] if meant else None

    @property
    def title(self) -> str:
        """What is asked, behind what has been said."""
        return " · ".join((*self._said(), _TITLES[self.asked]))

    @property
    def hint(self) -> str:
        """The keys."""
        return _HINTS[self.asked]

    @property
    def rows(self) -> tuple[str, ...]:
        """What can be chosen, in the order of the digits."""
        match self.asked:
            case "act":
                return tuple(f"{act.street}: {act.sentence.split(': ')[0].rstrip('.')}" for act in self.acts)
            case "ruling":
                return tuple(FLOOR_RULINGS)[:LISTED]
            case "by":
                return self.people
            case "why":
                return self.reasons
        return ()

    def chosen(self, place: int) -> Overruling | Override | Refused:
        """With the entry of that place, from 1."""
        if not 1 <= place <= len(self.rows):
            return Refused(f"The list ends at {len(self.rows)}." if self.rows else "No act of this hand to rule on.")
        row = self.rows[place - 1]
        match self.asked:
            case "act":
                act = self.acts[place - 1]
                return replace(self, seat=act.seat, street=act.street)
            case "ruling":
                return replace(self, ruling=FLOOR_RULINGS[row])
        return self.typed(row)

    def typed(self, text: str) -> Overruling | Override | Refused:
        """With what was typed."""
        match self.asked:
            case "to" if text.isascii() and text.isdigit() and 0 < int(text) <= 10**12:
                return replace(self, to=int(text))
            case "to":
                return Refused("Type the total of the round in digits.")
            case "by" if text:
                return replace(self, by=text)
            case "by":
                return Refused("Type who decides.")
            case "why":
                return self._whole(text) if text else Refused("Type the reason: it stands in the journal.")
        return Refused("Press the digit of an entry.")

    def back(self) -> Overruling | None:
        """Without what was said last; None where nothing was."""
        if self.by:
            return replace(self, by="")
        if self.to is not None:
            return replace(self, to=None)
        if self.ruling is not None:
            return replace(self, ruling=None)
        return None if self.seat is None or not self.street else replace(self, seat=None, street="")

    def _whole(self, why: str) -> Override | Refused:
        if self.seat is None or self.ruling is None:
            return Refused("Say first which act it is.")
        street, by = self.street or None, self.signs or self.by
        return Override(seat=self.seat, ruling=self.ruling, to=self.to, street=street, by=by, why=why)

    def _said(self) -> tuple[str, ...]:
        act = "" if self.seat is None else ", ".join(part for part in (f"Seat {self.seat}", self.street) if part)
        ruling = "" if self.ruling is None else self.ruling if self.to is None else f"{self.ruling} to {self.to:,}"
        return tuple(part for part in (act, ruling, self.by) if part)
