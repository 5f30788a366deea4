"""The pieces of a table that lie somewhere, each under the name that `betline table edit --move` knows it by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from betline.geometry import Point, Polygon, centroid
from betline.settings import TableSettings

Kind = Literal["bet", "stack", "pot", "tray", "badge"]


@dataclass(frozen=True, slots=True)
class Piece:
    """An area of the felt with its name; ``seat`` None where it is nobody's."""

    name: str
    kind: Kind
    corners: Polygon
    seat: int | None = None

    @property
    def middle_mm(self) -> Point:
        """Its middle."""
        return centroid(self.corners)


def pieces(table: TableSettings) -> tuple[Piece, ...]:
    """All areas: the seats' bet and stack zones, pot, tray, and where badges are laid."""
    found: list[Piece] = []
    for seat in table.seats:
        found.append(Piece(f"seat-{seat.number}.bet_zone", "bet", seat.bet_zone_mm, seat.number))
        found.append(Piece(f"seat-{seat.number}.stack_zone", "stack", seat.stack_zone_mm, seat.number))
    found.append(Piece("pot", "pot", table.pot.polygon_mm))
    found.append(Piece("tray", "tray", table.tray.polygon_mm))
    if table.badge is not None:
        found.append(Piece("badge", "badge", table.badge.polygon_mm))
    return tuple(found)
