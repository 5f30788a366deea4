"""What the antennas of a table reach: the chips in their own zones, and weakly those of the seats beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from betline.settings import TableSettings
from virtual_table.readers.field import FieldTag
from virtual_table.table.world import World

NEIGHBOUR_COUPLING: Final = 0.2


def neighbours_of(table: TableSettings) -> Mapping[str, tuple[str, ...]]:
    """For each seat's zone the zones of the neighbouring seats, whose chips its antenna reads weakly; pot, tray and
    stacks stand apart.
    """
    numbers = [seat.number for seat in table.seats]
    beside: dict[str, tuple[str, ...]] = {}
    for index, number in enumerate(numbers):
        near = {numbers[index - 1], numbers[(index + 1) % len(numbers)]} - {number}
        beside[f"seat-{number}"] = tuple(f"seat-{seat}" for seat in sorted(near))
    return beside


def tags_in_reach(
    world: World, zones: Mapping[int, str], beside: Mapping[str, tuple[str, ...]], now_s: float
) -> Iterator[FieldTag]:
    """The tags that the antennas of one reader reach at that time; ``zones`` has the zone of each antenna."""
    for antenna, zone in zones.items():
        for uid, signal, pile in world.in_field(zone, now_s):
            yield FieldTag(uid, antenna, signal, pile)
        for near in beside.get(zone, ()):
            for uid, _, pile in world.in_field(near, now_s):
                yield FieldTag(uid, antenna, NEIGHBOUR_COUPLING, pile)
