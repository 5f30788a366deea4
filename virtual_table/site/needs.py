"""What so many tables at so many sites need, worked out from the measured figures. Pure.

Each figure of a program is taken as a straight line through what was measured by number of tables, and read at the
tables of one site; sites have nothing in common. What lies beyond the tables that were measured is extrapolated, which
is said.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

TABLES: Final = 1_000
SITES: Final = 10
HANDS_AN_HOUR: Final = 35.0
HOURS_A_DAY: Final = 18.0
"""What a table plays in a day, for the disk: an assumption, as are the days."""
DAYS_KEPT: Final = 400
GB: Final = 1e9


@dataclass(frozen=True, slots=True)
class Line:
    """A figure by the number of tables: `base` without any, and `a_table` more for each."""

    base: float
    a_table: float

    def at(self, tables: float) -> float:
        """The figure at so many tables; never less than nothing."""
        return max(0.0, self.base + self.a_table * tables)


@dataclass(frozen=True, slots=True)
class Play:
    """How the tables played while it was measured, and what an entry takes on the disk."""

    hands_an_hour: float
    entries_a_hand: float
    bytes_an_entry: float


def fitted(points: Mapping[int, float]) -> Line:
    """The straight line of least squares; through one point alone it begins at nothing."""
    if len(points) == 1:
        [(tables, figure)] = points.items()
        return Line(0.0, figure / tables)
    mean_x, mean_y = sum(points) / len(points), sum(points.values()) / len(points)
    spread = sum((x - mean_x) ** 2 for x in points)
    a_table = sum((x - mean_x) * (y - mean_y) for x, y in points.items()) / spread
    return Line(mean_y - a_table * mean_x, a_table)


def needs(
    cores: Mapping[str, Mapping[int, float]],
    mb: Mapping[str, Mapping[int, float]],
    bytes_a_second: Mapping[int, float],
    messages_a_second: Mapping[int, float],
    play: Play,
    a_pit: int,
    *,
    tables: int = TABLES,
    sites: int = SITES,
) -> dict[str, Any]:
    """Brokers, cores, memory, disk and network of one site and of all; `cores` and `mb` by program, by tables.

    Cores, messages and network are at the pace that was measured; disk at `HANDS_AN_HOUR` for `HOURS_A_DAY`.
    """
    at_a_site = math.ceil(tables / sites)
    pits = math.ceil(at_a_site / a_pit)
    measured: Sequence[int] = sorted(messages_a_second)
    entries_a_day = at_a_site * HANDS_AN_HOUR * HOURS_A_DAY * play.entries_a_hand
    disk_gb = entries_a_day * play.bytes_an_entry / GB
    of_cores = {name: round(fitted(points).at(at_a_site), 2) for name, points in cores.items()}
    of_mb = {name: round(fitted(points).at(at_a_site)) for name, points in mb.items()}
    network = fitted(bytes_a_second).at(at_a_site) * 8 / 1e6
    site = {
        "tables": at_a_site,
        "brokers": pits + 1,
        "cores": {**of_cores, "all": round(sum(of_cores.values()), 2)},
        "mb": {**of_mb, "all": sum(of_mb.values())},
        "messages_a_second": round(fitted(messages_a_second).at(at_a_site)),
        "network_mbit_a_second": round(network, 2),
        "entries_a_day": round(entries_a_day),
        "disk_gb_a_day": round(disk_gb, 2),
        "disk_gb_kept": round(disk_gb * DAYS_KEPT),
    }
    return {
        "tables": tables,
        "sites": sites,
        "a_site": site,
        "all_sites": {
            "brokers": sites * (pits + 1),
            "databases": sites,
            "cores": round(sites * site_all(of_cores), 1),
            "memory_gb": round(sites * site_all(of_mb) / 1000, 1),
            "disk_gb_a_day": round(sites * disk_gb, 1),
            "disk_gb_kept": round(sites * disk_gb * DAYS_KEPT),
            "network_mbit_a_second": round(sites * network, 1),
        },
        "assumed": {
            "hands_an_hour": HANDS_AN_HOUR, "hours_a_day": HOURS_A_DAY, "days_kept": DAYS_KEPT, "tables_a_pit": a_pit,
        },
        "measured_at": {"tables": list(measured), "hands_an_hour": round(play.hands_an_hour)},
        "extrapolated": at_a_site > measured[-1],
    }  # fmt: skip


def site_all(figures: Mapping[str, float]) -> float:
    """All programs of a site together."""
    return sum(figures.values())
