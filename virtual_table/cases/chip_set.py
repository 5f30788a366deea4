"""The chips and the table at which cases are acted out: every denomination that they name exists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import tomli_w

from betline.cases import Case
from betline.settings import TableSettings, load_table
from betline.steps import Act, ChangeSeat, SitDown

TABLE = "casino-oval"
USUAL = (1, 5, 25, 100, 500, 1000, 5000, 25000, 100000)
_FACES = (
    "#e8e6df", "#b3252f", "#2a55a5", "#2f9a4f", "#2b2b30", "#7a3c9a", "#e0b62e", "#d9822b", "#5fb0c9", "#d58aa8",
    "#7b5a3a", "#8f9a3a",
)  # fmt: skip
_EDGES = ("#f0e8d8", "#3a2a1a", "#f5d547", "#2f5fa8")


def denominations(cases: Iterable[Case]) -> tuple[int, ...]:
    """The values of the chips that these cases need: the usual ones up to a stack, and all that they name."""
    found = {1}
    for case in cases:
        found.update(value for value in USUAL if value <= max(case.setup.seats.values(), default=0))
        found.update(chip for chips in case.setup.in_front.values() for chip in chips)
        for act in (entry for entry in case.play if isinstance(entry, Act)):
            found.update(moved(act))
    return tuple(sorted(found))


def moved(act: Act) -> Iterator[int]:
    """The chips that a player moves in an act."""
    yield from act.pushed
    yield from act.takes_back
    yield from act.carries_back
    yield from act.splashes
    yield from act.pays


def write_chip_set(values: Iterable[int], path: Path) -> None:
    """Writes the file of a chip set with these values."""
    chips = [
        {
            "key": f"worth-{value}",
            "value": value,
            "colour": _FACES[place % len(_FACES)],
            "edge_colour": _EDGES[place // len(_FACES) % len(_EDGES)],
        }
        for place, value in enumerate(values)
    ]
    path.write_text(tomli_w.dumps({"name": "cases", "diameter_mm": 39.0, "thickness_mm": 3.3, "chips": chips}))


def case_table(chip_set: Path, seats: Iterable[int] | None = None) -> TableSettings:
    """The table of cases with its readers and its camera; with ``seats`` there are no others."""
    table = load_table(TABLE).model_copy(update={"chip_set": str(chip_set)})
    if seats is None:
        return table
    there = frozenset(seats)
    zones = {*(f"seat-{seat}" for seat in there), "pot", "tray"}
    readers = tuple(one for one in table.readers if all(served.zone in zones for served in one.antennas))
    names = {one.id for one in readers}
    beside = [tuple(name for name in one.rf_neighbours if name in names) for one in readers]
    return table.model_copy(
        update={
            "seats": tuple(seat for seat in table.seats if seat.number in there),
            "readers": tuple(
                one.model_copy(update={"rf_neighbours": near}) for one, near in zip(readers, beside, strict=True)
            ),
        }
    )


def seats_of(case: Case) -> frozenset[int]:
    """The seats that a case names."""
    came = {entry.seat for entry in case.play if isinstance(entry, SitDown)}
    moved_to = {entry.to for entry in case.play if isinstance(entry, ChangeSeat)}
    return frozenset({*case.setup.seats, *came, *moved_to})
