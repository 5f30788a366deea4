"""Which chip lies where: piles in the slots of places, and the cage for chips off the table. No chip is lost or
doubled.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from betline.geometry import Point, centroid, distance_mm
from betline.settings import ChipSet, TableSettings
from virtual_table.table.identifiers import form_of
from virtual_table.table.layout import STACK_HEIGHT, heading, slots
from virtual_table.table.things import Chip, SeenChip, WorldError

TRAY_FLOAT = 20  # chips of each denomination that the dealer's tray holds when a hand begins
_FIRST_CHOICES = 3
_FALLEN_MM = 1.0  # slots are closer together than chips could lie anyway


def stack_place(seat: int) -> str:
    """The name of the place where a seat's own chips stand."""
    return f"stack-{seat}"


def bet_place(seat: int) -> str:
    """The name of the place of a seat's bets: that of its antenna zone."""
    return f"seat-{seat}"


def cards_place(seat: int) -> str:
    """The name of the place of a protector: a chip that lies on a seat's cards."""
    return f"cards-{seat}"


POT = "pot"
TRAY = "tray"


@dataclass(slots=True)
class _Place:
    slots: tuple[Point, ...]
    piles: list[list[Chip]] = field(default_factory=list)

    def chips(self) -> tuple[Chip, ...]:
        return tuple(chip for pile in self.piles for chip in pile)


class Holdings:
    """The chips of one table once everything scheduled has happened.

    Raises WorldError if no chip can be read by all the table's readers.
    """

    def __init__(self, table: TableSettings, chip_set: ChipSet, rng: Random) -> None:
        self._chip_set = chip_set
        self._rng = rng
        self._form = form_of(table.readers)
        self._values = {kind.key: kind.value for kind in chip_set.chips}
        self._uids: set[str] = set()
        self._cage: dict[str, list[Chip]] = {key: [] for key in self._values}
        self._places: dict[str, _Place] = {}
        self._where: dict[str, str] = {}
        self.spots: dict[str, SeenChip] = {}
        self.rests_s: dict[str, float] = {}
        width = chip_set.diameter_mm
        middle = (0.0, 0.0)
        for seat in table.seats:
            facing = heading(seat.rail_mm, _middle_of(seat.line_mm))
            self._add(stack_place(seat.number), slots(seat.stack_zone_mm, facing, width))
            self._add(bet_place(seat.number), slots(seat.bet_zone_mm, facing, width))
            self._add(cards_place(seat.number), (seat.cards_mm,))
        dealer = heading(table.dealer_mm, middle)
        self._add(POT, slots(table.pot.polygon_mm, dealer, width))
        self._add(TRAY, slots(table.tray.polygon_mm, dealer, width))

    def _add(self, name: str, places: tuple[Point, ...]) -> None:
        if not places:
            raise WorldError("no-room", f"The zone of {name} is too small for a chip: enlarge it in the table file.")
        self._places[name] = _Place(places, [[] for _ in places])

    def at(self, place: str) -> tuple[Chip, ...]:
        """The chips of a place, pile by pile from the bottom; raises WorldError for an unknown place."""
        if place not in self._places:
            raise WorldError("unknown-place", f"This table has no {place}.")
        return self._places[place].chips()

    def where(self, chip: Chip) -> str | None:
        """The place of a chip, None when it is in the cage or unknown."""
        return self._where.get(chip.uid)

    def all_chips(self) -> tuple[Chip, ...]:
        """Every chip that exists, on the table and in the cage."""
        caged = [chip for chips in self._cage.values() for chip in chips]
        return (*(chip for place in self._places.values() for chip in place.chips()), *caged)

    def require(self, chips: Iterable[Chip], *places: str) -> None:
        """Raises WorldError unless each chip is given once and lies in one of the places."""
        for uid, times in Counter(chip.uid for chip in chips).items():
            place = self._where.get(uid)
            if times > 1:
                raise WorldError("chip-twice", f"Chip {uid} is given twice.")
            if place not in places:
                raise WorldError("chip-elsewhere", f"Chip {uid} is not in {' or '.join(places)}: {place or 'cage'}.")

    def withdraw(self, counts: Mapping[str, int]) -> tuple[Chip, ...]:
        """Takes chips out of the cage, which makes new ones when it runs out; put them somewhere next."""
        for key in counts:
            if key not in self._values:
                raise WorldError("unknown-chip-type", f"The chip set {self._chip_set.name} has no {key}.")
        chips = []
        for key, count in counts.items():
            caged = self._cage[key]
            chips += [caged.pop() if caged else self._mint(key) for _ in range(count)]
        return tuple(chips)

    def stock_cage(self, each: int) -> None:
        """Makes so many chips of each type for the cage."""
        for key, caged in self._cage.items():
            caged.extend(self._mint(key) for _ in range(each))

    def to_cage(self, chips: Iterable[Chip]) -> tuple[SeenChip, ...]:
        """Takes chips off the table; returns the new spots of the chips that stood on them."""
        gone = tuple(chips)
        sunk: dict[str, SeenChip] = {}
        for chip in gone:
            sunk.update((lower.uid, lower) for lower in self.take(chip)[1])
            del self.spots[chip.uid], self.rests_s[chip.uid]
            self._cage[chip.key].append(chip)
        return tuple(lower for uid, lower in sunk.items() if uid in self.spots)

    def take(self, chip: Chip) -> tuple[SeenChip, tuple[SeenChip, ...]]:
        """Lifts a chip off its pile; returns its spot and the new spots of the chips above it."""
        pile = next(pile for pile in self._places[self._where.pop(chip.uid)].piles if chip in pile)
        index = pile.index(chip)
        del pile[index]
        sunk = []
        for above in pile[index:]:
            spot = self.spots[above.uid]
            lower = SeenChip(
                spot.uid,
                spot.key,
                spot.x_mm,
                spot.y_mm,
                max(0.0, spot.z_mm - self._chip_set.thickness_mm),
                spot.turn_rad,
            )
            self.spots[above.uid] = lower
            sunk.append(lower)
        return self.spots[chip.uid], tuple(sunk)

    def put(self, chips: Sequence[Chip], place: str, apart: bool = False, on_top: bool = False) -> tuple[SeenChip, ...]:
        """Stacks chips in a place, each kind on its own piles; ``apart`` keeps them off the piles already there,
        ``on_top`` puts them all on the tallest one.
        """
        target = self._places[place]
        closed = {index for index, pile in enumerate(target.piles) if pile} if apart else set[int]()
        spots = []
        for chip in sorted(chips, key=lambda chip: (-chip.value, chip.uid)):
            tallest = max(range(len(target.piles)), key=lambda at: len(target.piles[at]))
            index = tallest if on_top else self._slot_for(target, chip.key, closed)
            pile = target.piles[index]
            if pile:
                below = self.spots[pile[0].uid]
                x, y, wobble = below.x_mm, below.y_mm, 0.7
            else:
                x, y = target.slots[index]
                wobble = 1.0
            spot = SeenChip(
                chip.uid,
                chip.key,
                x + self._rng.uniform(-wobble, wobble),
                y + self._rng.uniform(-wobble, wobble),
                len(pile) * self._chip_set.thickness_mm,
                self._rng.uniform(0.0, math.tau),
            )
            pile.append(chip)
            self._where[chip.uid] = place
            self.spots[chip.uid] = spot
            spots.append(spot)
        return tuple(spots)

    def scatter(self, chips: Sequence[Chip], place: str, near: Point | None = None) -> tuple[SeenChip, ...]:
        """Lays chips in a place as they fall, each alone while there is room; with ``near``, in the free slots closest
        to it.
        """
        target = self._places[place]
        spots: list[SeenChip] = []
        for chip in chips:
            empty = [index for index, pile in enumerate(target.piles) if not pile]
            if not empty:
                spots += self.put([chip], place)
                continue
            if near is not None:
                empty = sorted(empty, key=lambda index: distance_mm(target.slots[index], near))[:_FIRST_CHOICES]
            index = self._rng.choice(empty)
            x, y = (at + self._rng.uniform(-_FALLEN_MM, _FALLEN_MM) for at in target.slots[index])
            spot = SeenChip(chip.uid, chip.key, x, y, 0.0, self._rng.uniform(0.0, math.tau))
            target.piles[index].append(chip)
            self._where[chip.uid] = place
            self.spots[chip.uid] = spot
            spots.append(spot)
        return tuple(spots)

    def tallest(self, place: str) -> tuple[Chip, ...]:
        """The chips of the tallest pile of a place, from the bottom."""
        pile = max(self._places[place].piles, key=len)
        return tuple(pile)

    def tray_needs(self) -> tuple[tuple[Chip, ...], dict[str, int]]:
        """What the tray holds over its float, and how many of each kind it lacks."""
        held = Counter(chip.key for chip in self.at(TRAY))
        surplus: list[Chip] = []
        for key, count in held.items():
            over = count - TRAY_FLOAT
            if over > 0:
                surplus += [chip for chip in self.at(TRAY) if chip.key == key][-over:]
        return tuple(surplus), {key: TRAY_FLOAT - held[key] for key in self._values if held[key] < TRAY_FLOAT}

    def _slot_for(self, place: _Place, key: str, closed: set[int]) -> int:
        piles = place.piles
        for index, pile in enumerate(piles):
            if pile and index not in closed and pile[-1].key == key and len(pile) < STACK_HEIGHT:
                return index
        empty = [index for index, pile in enumerate(piles) if not pile]
        if empty:
            return self._rng.choice(empty[:_FIRST_CHOICES])
        alike = [index for index, pile in enumerate(piles) if pile[-1].key == key]
        return min(alike or range(len(piles)), key=lambda index: len(piles[index]))

    def _mint(self, key: str) -> Chip:
        while True:
            uid = self._form.mint(self._rng)
            if uid not in self._uids:
                self._uids.add(uid)
                return Chip(uid, key, self._values[key])


def _middle_of(line: tuple[Point, Point]) -> Point:
    return centroid(line)
