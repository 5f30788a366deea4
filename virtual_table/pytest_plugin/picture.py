"""The felt of a test as a drawing: the table from above with its chips, and what they are worth before each seat."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from betline.geometry import Point, Polygon, centroid
from betline.tables.drawing import Disc, Drawing, Label, Shape, draw
from betline.tables.pictures import write
from virtual_table.table.world import World

_EDGE: Final = "#101418"
_PALE: Final = "#ffffff"
_LETTERS_MM: Final = 40.0
_ABOVE_MM: Final = 45.0


def draw_felt(world: World, at_s: float, path: Path) -> None:
    """Writes the felt as it is then, as SVG or PNG by the file's name; raises OSError."""
    table = world.table
    plan = draw(table)
    colours = {chip.key: chip.colour for chip in world.chip_set.chips}
    radius_mm = world.chip_set.diameter_mm / 2
    scene = world.scene(at_s)
    lying = sorted((*scene.settled, *scene.moving), key=lambda chip: chip.z_mm)
    shapes: list[Shape] = [
        Disc((chip.x_mm, chip.y_mm), radius_mm, fill=colours.get(chip.key, _PALE), stroke=_EDGE, width_mm=1.5)
        for chip in lying
    ]
    for seat in table.seats:
        bet = world.value(world.bets(seat.number))
        if bet:
            shapes.append(Label(_beside(seat.bet_zone_mm), f"{bet:,}", _LETTERS_MM, _PALE))
        shapes.append(Label(seat.rail_mm, f"{world.value(world.stack(seat.number)):,}", 28.0, _PALE))
    pot = world.value(world.pot())
    if pot:
        shapes.append(Label(_beside(table.pot.polygon_mm), f"{pot:,}", _LETTERS_MM, _PALE))
    named = {f"{reader.id} / {served.antenna}" for reader in table.readers for served in reader.antennas}
    below = [shape for shape in plan.shapes if not (isinstance(shape, Label) and shape.text in named)]
    whole = Drawing(plan.left_mm, plan.bottom_mm, plan.width_mm, plan.height_mm, (*below, *shapes))
    write(whole, path, true_scale=False)


def _beside(zone: Polygon) -> Point:
    """Where the amount of a zone stands: above the chips that lie in its middle."""
    x, y = centroid(zone)
    return (x, y + _ABOVE_MM)
