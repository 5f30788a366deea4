"""The table's services, where `betline install` has written them: whether each of them runs."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from typing import Final, get_args

from betline.doctor.answer import Answer, Visit, ok, skipped, warning
from betline.services.place import installed
from betline.services.plan import PREFIX, Scope

_WAIT_S: Final = 20
RUNS: Final = "active"


def examine(visit: Visit) -> Iterator[Answer]:
    """Nothing is said of a table that has no services here."""
    for scope in get_args(Scope):
        units = [path.name for path in installed(scope, None, visit.table.name) if path.suffix == ".service"]
        if not units:
            continue
        states = _states(scope, units)
        if states is None:
            yield skipped("services", f"{len(units)} units are here, and no systemd that could be asked")
            continue
        stem = f"{PREFIX}{visit.table.name}-"
        running = [unit.removeprefix(stem).removesuffix(".service") for unit in units if states[unit] == RUNS]
        if running:
            yield ok("services", f"{', '.join(running)} run")
        for unit in units:
            if states[unit] != RUNS:
                mine = " --user" if scope == "user" else ""
                yield warning("services", f"{unit} is {states[unit]}", f"See journalctl{mine} -u {unit}.")


def _states(scope: Scope, units: list[str]) -> dict[str, str] | None:
    """What systemd says of each unit; None where it cannot be asked."""
    program = shutil.which("systemctl")
    if program is None:
        return None
    words = [program, *(("--user",) if scope == "user" else ()), "is-active", *units]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=_WAIT_S)
    except (OSError, subprocess.TimeoutExpired):
        return None
    said = done.stdout.split()
    return dict(zip(units, said, strict=True)) if len(said) == len(units) else None
