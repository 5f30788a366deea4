"""Worlds for tests."""

from __future__ import annotations

from betline.settings import load_chip_set, load_table
from virtual_table.table.things import Chip
from virtual_table.table.world import World


def world(name: str = "casino-oval", seed: int = 1, stack: int = 1000) -> World:
    """A shipped table with a stack in front of each seat."""
    table = load_table(name)
    made = World(table, load_chip_set(table.chip_set), seed)
    for seat in table.seats:
        made.fill_stack(seat.number, stack)
    return made


def some(made: World, seat: int, count: int) -> tuple[Chip, ...]:
    """Chips from the tops of a seat's stack."""
    return made.stack(seat)[-count:]


def uids(chips: tuple[Chip, ...]) -> set[str]:
    return {chip.uid for chip in chips}


def read(made: World, zone: str, t_s: float) -> set[str]:
    """The UIDs in a zone's field."""
    return {tag.uid for tag in made.in_field(zone, t_s)}
