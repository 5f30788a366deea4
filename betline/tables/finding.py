"""One thing that is wrong with a table file."""

from __future__ import annotations

from dataclasses import dataclass

from betline.geometry import Point


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong, where on the felt, and what to do.

    A fault makes the table rule wrongly or not at all; what is not a fault is a warning.
    """

    where: str
    """The key of the table file, as seat-3.bet_zone."""
    sentence: str
    at_mm: Point
    """Where on the felt, for the drawing."""
    is_fault: bool = True

    def __str__(self) -> str:
        return f"{self.where}: {self.sentence}"
