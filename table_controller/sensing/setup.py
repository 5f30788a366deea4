"""What is where: seats, antenna zones, camera, thresholds."""

from __future__ import annotations

from dataclasses import dataclass, field

from table_controller.sensing.thresholds import Thresholds


@dataclass(frozen=True, slots=True)
class Setup:
    """The table as sensing must know it."""

    seats: tuple[int, ...]
    zones: frozenset[str]
    """Zones that an antenna serves: seat-1 to seat-10, pot, tray."""
    camera: bool
    """Whether a camera watches the betting line."""
    thresholds: Thresholds = field(default_factory=Thresholds)


def zone_of(seat: int) -> str:
    """The name of a seat's zone."""
    return f"seat-{seat}"


def seat_of(zone: str) -> int:
    """The seat of a zone, 0 for pot and tray."""
    return int(zone[5:]) if zone.startswith("seat-") else 0


HOUSE_ZONES = ("pot", "tray")
