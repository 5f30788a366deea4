"""Faults of the programs of a demonstration: killed, without a broker, on a slow bus, with a full disk."""

from __future__ import annotations

import resource
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import Final

from betline.settings import SettingsError, TableSettings
from betline.supervise import Supervisor
from virtual_table.faults.event import ALL, ANY, FaultEvent
from virtual_table.faults.plan import TablePlan, load_plan, naming
from virtual_table.run.slow_line import SlowLine
from virtual_table.run.timeline import End, carried_out

OF_WORLD: Final = ("reader", "camera")
OF_PARTS: Final = ("program", "broker", "journal")
FULL_BYTES: Final = 1
"""No file of a program may grow beyond this while its disk is full."""


def check_live(plan: TablePlan, *, external: bool) -> None:
    """Raises SettingsError for what cannot be done to real programs, with `external` to a broker that is not ours."""
    for number, event in enumerate(plan.events):
        if event.strikes == "clock":
            raise SettingsError(
                f"events.{number}: the clock of this machine is not ours to step; clock-step is for the laboratory "
                "(betline chaos, bench sensing)."
            )
        if external and (event.strikes == "broker" or (event.what == "kill" and event.target in (ALL, ANY, "broker"))):
            raise SettingsError(
                f"events.{number}: {event.what} may strike the broker, which is not this run's own: leave out "
                "--external-broker or the event."
            )


def load_live(path: Path, table: TableSettings, *, kills: bool) -> TablePlan:
    """The plan of a file for a broker and programs of our own, with `kills` or without; raises SettingsError."""
    plan = load_plan(path, table)
    with naming(path):
        check_live(plan, external=False)
        for number, event in enumerate(plan.events):
            if event.what == "kill" and not kills:
                raise SettingsError(f"events.{number}: this suite kills by itself, and times it; leave kill out.")
    return plan


def check_world(plan: TablePlan) -> None:
    """Raises SettingsError for events that strike what is not in the world's own process."""
    for number, event in enumerate(plan.events):
        if event.strikes not in OF_WORLD:
            raise SettingsError(
                f"events.{number}: {event.what} strikes a {event.strikes}, and the world has readers and a camera "
                "only; play it by betline demo --faults."
            )


def needs_line(plan: TablePlan) -> bool:
    """Whether programs must reach their broker over a line that can be slow or cut."""
    return any(event.strikes == "broker" for event in plan.events)


class PartFaults:
    """Strikes the parts of a supervisor."""

    def __init__(self, parts: Supervisor, line: SlowLine | None) -> None:
        self._parts = parts
        self._line = line

    def strike(self, name: str, event: FaultEvent) -> tuple[str, End] | None:
        """Begins a fault, as `timeline.carried_out` wants it."""
        line = self._line
        match event.what:
            case "kill":
                self._parts.kill(name, event.lasts_s)
                return f"kill {name}", partial(self._parts.release, name)
            case "broker-away" if line is not None:
                line.cut()
                return "broker", line.mend
            case "latency" if line is not None:
                line.late_by((event.latency_ms or 0.0) / 1000)
                return "latency", partial(line.late_by, 0.0)
            case "disk-full":
                self._limit(name, FULL_BYTES)
                return "disk", partial(self._limit, name, resource.RLIM_INFINITY)
        return None

    def _limit(self, name: str, most_bytes: int) -> None:
        """The files of a part may not grow beyond this; a part that is not running has no files."""
        part = next((one for one in self._parts.parts if one.name == name), None)
        if part is None or part.process is None or part.process.poll() is not None:
            return
        _, hard = resource.prlimit(part.process.pid, resource.RLIMIT_FSIZE)
        soft = hard if most_bytes == resource.RLIM_INFINITY else most_bytes
        resource.prlimit(part.process.pid, resource.RLIMIT_FSIZE, (soft, hard))


def striking(
    parts: Supervisor,
    plan: TablePlan,
    table: TableSettings,
    seed: int,
    line: SlowLine | None,
    playing: Path,
    notify: Callable[[str], None],
) -> AbstractContextManager[None]:
    """Carries out what a plan has for programs, timed from when the file `playing` is there."""
    coming = plan.occurrences(table, seed, lambda event: event.strikes in OF_PARTS)
    if not any(event.strikes in OF_PARTS for event in plan.events):
        return nullcontext()
    return carried_out(coming, PartFaults(parts, line).strike, notify, playing.exists)
