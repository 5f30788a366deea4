"""A case under planned faults: where the controller asked people instead of ruling, which is never a wrong ruling."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from betline.messages.table import Alert, TableState
from betline.settings import TableSettings
from virtual_table.play.told import Told

UNDECIDED: Final = ("none", "floor")
UNREADABLE: Final = ("bridge-down", "reader-down")
UNWRITTEN: Final = "journal-failed"


class AskedInstead(Exception):
    """The controller said that people must see to an act, and nothing was ruled on it; the text has step and words."""


class Asking:
    """Keeps in mind which acts of one case the controller has asked about."""

    def __init__(self, table: TableSettings | None) -> None:
        """``table`` is the one whose readers and programs fail; None where nothing does, and nothing is excused."""
        self._readers = (
            None
            if table is None
            else {served.zone: reader.id for reader in table.readers for served in reader.antennas}
        )
        self._first = ""
        self._seat: int | None = None

    @property
    def reckons(self) -> bool:
        """Whether faults are planned."""
        return self._readers is not None

    def acted(self, number: int, told: Told) -> None:
        """Takes an act down, with all that was said since it began."""
        if told.seat is not None and told.seat == self._seat and decided(told):
            self.settled()
        if self._readers is None or self._first or told.seat is None or decided(told):
            return
        why = self._why(told.seat, told.state, told.alerts)
        if why:
            self._first, self._seat = f"step {number}: {why}", told.seat

    def settled(self) -> None:
        """Nothing is asked any more: it was decided, the street was dealt, or the case wants it so."""
        self._first, self._seat = "", None

    def excuse(self, told: Told) -> None:
        """Something does not hold: raises AskedInstead where an act is open that was asked about.

        An act that was ruled otherwise than expected has no excuse.
        """
        if self._first and not decided(told):
            raise AskedInstead(self._first)

    def _why(self, seat: int, state: TableState, alerts: Iterable[Alert]) -> str:
        """What the controller said that somebody must see to at a seat; empty where it said nothing of the kind."""
        asked = [one.sentence for one in state.questions if one.seat == seat or one.kind == "floor"]
        standing = [one.sentence for one in state.alerts if one.code == UNWRITTEN or self._unread(one, seat)]
        new = [one.sentence for one in alerts if one.active and one.severity != "info" and one.seat == seat]
        return next(iter((*standing, *asked, *new)), "")

    def _unread(self, alert: Alert, seat: int) -> bool:
        reader = (self._readers or {}).get(f"seat-{seat}")
        if reader is None or alert.code not in UNREADABLE:
            return False
        return alert.code == "bridge-down" or f" {reader} is " in f" {alert.sentence}"


def decided(told: Told) -> bool:
    """Whether there is a ruling on the act itself."""
    return told.ruling is not None and told.ruling.ruling not in UNDECIDED
