"""The house's chips by type: on the felt, in trays, counted in the cage, off the felt, gone. Pure.

The register says how many chips of a type there are; readers and counts say where they are. What is neither seen nor
counted is off the felt: in players' hands, or gone. Each registered chip that is not retired is in one of the columns.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from cardroom.room import events as e
from cardroom.room.errors import RoomError
from cardroom.room.events import Happened

FELT, TRAY = "felt", "tray"


@dataclass(frozen=True, slots=True)
class Count:
    """Chips counted in a place and signed by two."""

    at_ms: int
    shift: str
    counts: Mapping[str, int]
    people: tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One type of chip: how many, and what they are worth together is for the chip set to say."""

    chip_type: str
    registered: int
    retired: int
    felt: int
    tray: int
    counted: int
    """In places that were counted and signed."""
    off_felt: int
    """Neither seen nor counted: in players' hands, or gone. Below 0: more were counted and seen than there can be."""
    drift: int
    """By how much `off_felt` has changed since the stock before."""


@dataclass(frozen=True, slots=True)
class Stock:
    """What was seen last, and the counts of each place."""

    taken_ms: int | None = None
    taken: e.StockTaken | None = None
    before: Mapping[str, int] = field(default_factory=dict)
    """What was off the felt, by type, at the stock before the last one."""
    counts: Mapping[str, Count] = field(default_factory=dict)
    """Place: the last count that two signed."""
    begun: Mapping[str, e.CountBegun] = field(default_factory=dict)
    """Place: the count of the first of two."""

    def after(self, one: Happened) -> Stock:
        """The stock after an event."""
        match one.event:
            case e.StockTaken():
                before = {line.chip_type: line.off_felt for line in lines(self)}
                return Stock(one.at_ms, one.event, before, self.counts, self.begun)
            case e.CountBegun() as first:
                begun = {**self.begun, first.place: first}
                return Stock(self.taken_ms, self.taken, self.before, self.counts, begun)
            case e.Counted(place=place, shift=shift, counts=counts, people=people):
                signed = {**self.counts, place: Count(one.at_ms, shift, counts, people)}
                return Stock(self.taken_ms, self.taken, self.before, signed, self._without(place))
            case e.CountsDiffer(place=place):
                return Stock(self.taken_ms, self.taken, self.before, self.counts, self._without(place))
        return self

    def _without(self, place: str) -> Mapping[str, e.CountBegun]:
        return {name: count for name, count in self.begun.items() if name != place}


def lines(stock: Stock) -> tuple[Line, ...]:
    """Every type that is registered, seen or counted, by name; none before the first stock."""
    taken = stock.taken
    if taken is None:
        return ()
    counted: dict[str, int] = {}
    for count in stock.counts.values():
        for chip_type, number in count.counts.items():
            counted[chip_type] = counted.get(chip_type, 0) + number
    felt, tray = taken.seen.get(FELT, {}), taken.seen.get(TRAY, {})
    found = []
    for chip_type in sorted({*taken.registered, *taken.retired, *felt, *tray, *counted}):
        registered, retired = taken.registered.get(chip_type, 0), taken.retired.get(chip_type, 0)
        there = felt.get(chip_type, 0) + tray.get(chip_type, 0) + counted.get(chip_type, 0)
        off = registered - retired - there
        drift = off - stock.before[chip_type] if chip_type in stock.before else 0
        found.append(
            Line(
                chip_type=chip_type, registered=registered, retired=retired, felt=felt.get(chip_type, 0),
                tray=tray.get(chip_type, 0), counted=counted.get(chip_type, 0), off_felt=off, drift=drift,
            )
        )  # fmt: skip
    return tuple(found)


def counting(
    stock: Stock, place: str, shift: str, counts: Mapping[str, int], person: str
) -> e.CountBegun | e.Counted | e.CountsDiffer:
    """What a count comes to: the first of two, the second and the same, or the second and another.

    Raises RoomError (`same-person`) for a second count by who counted first, `counts` for what is no count.
    """
    if not counts or any(number < 0 for number in counts.values()):
        raise RoomError("counts", "Say how many chips of each type there are, as red-5=120; none of a type is 0.")
    first = stock.begun.get(place)
    if first is None or first.shift != shift:
        return e.CountBegun(place=place, shift=shift, digest=_digest(place, shift, counts), person=person)
    if first.person == person:
        raise RoomError("same-person", "A second person must count: the first one cannot sign twice.")
    if _digest(place, shift, counts) == first.digest:
        return e.Counted(place=place, shift=shift, counts=counts, people=(first.person, person))
    return e.CountsDiffer(place=place, shift=shift, person=person)


def _digest(place: str, shift: str, counts: Mapping[str, int]) -> str:
    """A count as a digest; types of which there is none do not matter."""
    said = "/".join(f"{chip_type}={number}" for chip_type, number in sorted(counts.items()) if number)
    return hashlib.sha256(f"{place}/{shift}/{said}".encode()).hexdigest()
