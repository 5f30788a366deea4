"""A table of a test in simulated time: the laboratory's, with sensors that err only where the test asks for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from betline.settings import SettingsError, TableSettings
from betline.steps import SitDown
from virtual_table.faults.plan import TablePlan
from virtual_table.laboratory.camera import Eyes
from virtual_table.laboratory.faults import refuse_lines
from virtual_table.laboratory.readers import SimulatedBridge
from virtual_table.laboratory.simulated_table import Conditions, SimulatedTable
from virtual_table.pytest_plugin.failures import LabError
from virtual_table.pytest_plugin.plans import Given, event_of, events_alone, plan_of
from virtual_table.pytest_plugin.setting import Setting, stacks_of, table_of
from virtual_table.pytest_plugin.ways import Program

PERFECT: Final = Conditions(
    missed=0.0,
    neighbour=0.0,
    eyes=Eyes(missed={}, false_per_minute=0.0, board_missed=0.0, board_miscounted=0.0),
)


class Simulated:
    """A `Way`: everything in this process, without a wait."""

    live = False
    patience_s = 8.0

    def __init__(self, setting: Setting, beside: Path = Path()) -> None:
        """Raises LabError for a setting that cannot be played; files of plans are looked for ``beside`` the test."""
        self.settings = table_of(setting)
        plan = plan_of(setting.faults, beside)
        _check(plan, self.settings)
        people = [SitDown(seat=seat, stack=stack) for seat, stack in stacks_of(setting, self.settings).items()]
        conditions = replace(Conditions() if setting.noise else PERFECT, faults=plan)
        self.table = SimulatedTable(self.settings, setting.seed, conditions, people)
        self.world = self.table.world
        self.bus = self.table.console
        self.link = self.table.link
        self.clock = self.table.agenda
        self.faults = SimulatedFaults(self.table, beside)
        self.table.start()

    def replace_reader(self, name: str, port: str) -> None:
        """Raises LabError: there is no port here."""
        raise LabError(
            f"{name} cannot be replaced by {port}: in simulated time there are no ports. Run this test with "
            "--betline-live, or mark it @pytest.mark.betline(live=True)."
        )

    def last_bytes(self, zone: str) -> list[str]:  # noqa: ARG002 -- a Way
        """None: readings are simulated, not their bytes."""
        return []

    def close(self) -> None:
        """Nothing is left."""


class SimulatedFaults:
    """`Faults` at a simulated table."""

    def __init__(self, table: SimulatedTable, beside: Path) -> None:
        self._table = table
        self._beside = beside

    def begin(self, what: str, on: str = "", *, for_s: float = 1.0, **amounts: Any) -> None:
        self._carry_out(event_of(what, on, for_s, amounts))

    def play(self, plan: Given) -> None:
        self._carry_out(events_alone(plan_of(plan, self._beside)))

    def _carry_out(self, plan: TablePlan) -> None:
        _check(plan, self._table.table)
        self._table.faults.carry_out(plan, self._table.seed)

    def unplug(self, reader: str, for_s: float | None = None) -> None:
        bridge = self._bridge(reader)
        bridge.fail(reader)
        if for_s is not None:
            self._later(for_s, lambda: bridge.recover(reader))

    def plug(self, reader: str) -> None:
        self._bridge(reader).recover(reader)

    def hang(self, reader: str, for_s: float) -> None:
        self.unplug(reader, for_s)

    def reboot(self, reader: str, for_s: float = 1.0) -> None:
        self.unplug(reader, for_s)

    def camera_black(self, for_s: float) -> None:
        camera = self._table.camera
        if camera is None:
            raise LabError("This table has no camera that could be covered.")
        camera.cover()
        self._later(for_s, camera.uncover)

    def kill(self, program: Program, for_s: float = 1.0) -> None:
        table = self._table
        part = {"controller": table.controller, "bridge": table.bridge, "camera": table.camera}.get(program)
        if part is None:
            raise LabError(f"This table has no {program} that could be killed.")
        part.kill()
        self._later(for_s, part.start)

    def _bridge(self, reader: str) -> SimulatedBridge:
        bridge = self._table.bridge
        if bridge is None or reader not in bridge.names:
            known = ", ".join(bridge.names) if bridge is not None else "none"
            raise LabError(f"This table has no reader {reader}; its readers: {known}.")
        return bridge

    def _later(self, seconds: float, act: Callable[[], None]) -> None:
        self._table.agenda.after(seconds, act)


def _check(plan: TablePlan, table: TableSettings) -> None:
    """Raises LabError for a plan that cannot be played at this table in simulated time."""
    try:
        plan.check(table)
    except SettingsError as error:
        raise LabError(str(error)) from None
    try:
        refuse_lines(plan)
    except SettingsError as error:
        raise LabError(f"{error} With @pytest.mark.betline(live=True) or --betline-live this test has lines.") from None
