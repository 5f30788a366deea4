"""What is wrong with a table file: places that cannot be, readers that do not fit, a camera that sees too little.

`load_table` finds what no program can work with; here is found what a program would believe and a table would not be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from betline.settings import SettingsError, TableSettings, load_table
from betline.tables.check_devices import (
    camera_sees_too_little,
    markers_are_poor,
    readers_do_not_fit,
    zones_wait_too_long,
)
from betline.tables.check_places import (
    corners_are_crossed,
    felt_is_no_table,
    seats_do_not_run_clockwise,
    things_lie_elsewhere,
    things_overlap,
    zones_are_not_the_seats_own,
)
from betline.tables.finding import Finding

CHECKS: Final[tuple[Callable[[TableSettings], Iterator[Finding]], ...]] = (
    felt_is_no_table,
    corners_are_crossed,
    seats_do_not_run_clockwise,
    things_lie_elsewhere,
    zones_are_not_the_seats_own,
    things_overlap,
    readers_do_not_fit,
    zones_wait_too_long,
    markers_are_poor,
    camera_sees_too_little,
)


def load_sound_table(file: str | Path) -> TableSettings:
    """A table on which hands can be played; raises SettingsError, also for the first fault of its places or readers."""
    table = load_table(file)
    faults = [finding for finding in findings(table) if finding.is_fault]
    if faults:
        more = f" {len(faults) - 1} more:" if len(faults) > 1 else ""
        raise SettingsError(f"{file}: {faults[0]}{more} betline table check {file} --draw FILE.svg shows where.")
    return table


def findings(table: TableSettings) -> tuple[Finding, ...]:
    """All that is wrong, faults before warnings, else in the order of the checks."""
    found = [finding for check in CHECKS for finding in check(table)]
    return tuple(sorted(found, key=lambda finding: not finding.is_fault))
