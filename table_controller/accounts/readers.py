"""Which readers read a table's hands, by their serial numbers, and where one was exchanged. Pure over entries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from table_controller.journal.entries import HandBegan, HandOver, ReaderKnown, Recorded


@dataclass(frozen=True, slots=True)
class Change:
    """Another reader than before is in a place, or the same one has other firmware."""

    at_ms: int
    before: ReaderKnown
    now: ReaderKnown

    @property
    def sentence(self) -> str:
        """What has changed, for people."""
        name, before, now = self.now.name, self.before, self.now
        if before.serial == now.serial:
            return f"{name} has other firmware: {now.firmware}, before {before.firmware}."
        return f"{name} was exchanged: {words(now)}; before {words(before)}."

    def as_json(self) -> dict[str, Any]:
        """One object of ``exchanged`` in ``betline journal list --json``."""
        return {"reader": self.now.name, **_fields(self.now), "before": _fields(self.before)}


class Readers:
    """What the journal says of the readers, as far as it was read."""

    def __init__(self) -> None:
        self._known: dict[str, ReaderKnown] = {}

    @property
    def known(self) -> tuple[ReaderKnown, ...]:
        """Those that said which they are, by name."""
        return tuple(self._known[name] for name in sorted(self._known) if words(self._known[name]))

    def as_json(self) -> dict[str, Any]:
        """``readers`` of a hand in ``betline journal list --json``."""
        return {one.name: _fields(one) for one in self.known}

    def take(self, recorded: Recorded) -> Change | None:
        """The next entry of the journal; what it changes. A reader that does not say its serial number any more has
        not changed by that: its answer may have been lost.
        """
        if recorded.kind != ReaderKnown.kind or not isinstance(now := recorded.entry, ReaderKnown):
            return None
        before = self._known.get(now.name)
        if before is not None and not words(now):
            return None
        self._known[now.name] = now
        if before is None:
            return None
        another = bool(before.serial and now.serial) and before.serial != now.serial
        other_firmware = bool(before.firmware and now.firmware) and before.firmware != now.firmware
        return Change(recorded.at_ms, before, now) if another or other_firmware else None


def of_hand(entries: Iterable[Recorded], hand_no: int) -> tuple[str, ...]:
    """What ``betline journal show`` says of the readers above a hand: which ones read it, and which were exchanged
    since the hand before it was over.
    """
    readers, changes = Readers(), list[Change]()
    for recorded in entries:
        if recorded.kind == HandOver.kind:
            changes.clear()
        elif recorded.kind == HandBegan.kind and isinstance(hand := recorded.entry, HandBegan):
            if hand.hand_no == hand_no:
                break
        elif (change := readers.take(recorded)) is not None:
            changes.append(change)
    shown = "; ".join(f"{one.name} {words(one)}" for one in readers.known)
    return (*((f"Readers: {shown}.",) if shown else ()), *(f"Before this hand {one.sentence}" for one in changes))


def words(reader: ReaderKnown) -> str:
    """Serial number and firmware, as far as the reader said them."""
    said = (("serial", reader.serial), ("firmware", reader.firmware))
    return ", ".join(f"{name} {value}" for name, value in said if value)


def _fields(reader: ReaderKnown) -> dict[str, str]:
    return {"serial": reader.serial, "firmware": reader.firmware}
