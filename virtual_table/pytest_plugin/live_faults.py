"""Faults of the plan language at a live table of a test, and what there cannot be done to one."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import ExitStack
from functools import partial
from typing import Final

from betline.broker import LOOPBACK
from betline.settings import SettingsError, TableSettings
from virtual_table.faults.event import ALL, ANY
from virtual_table.faults.plan import TablePlan
from virtual_table.pytest_plugin.failures import LabError
from virtual_table.pytest_plugin.programs import BrokerProgram
from virtual_table.run.table_faults import TableFaults
from virtual_table.run.timeline import End

NO_CLOCK: Final = "clock-step cannot be played live, the clock of this machine is not ours: play it in simulated time."
SHARED: Final = (
    "kill may strike the broker, which serves other tests too: name controller, bridge or vision, or begin broker-away."
)


def is_here(broker: BrokerProgram) -> bool:
    """Whether the broker listens on this machine, where a line that can be cut lies before it."""
    return broker.host in (LOOPBACK, "localhost")


def check_plan(plan: TablePlan, table: TableSettings, lent: Collection[str], broker: BrokerProgram) -> None:
    """Raises LabError for what cannot be done at this table; readers that are ``lent`` are somebody else's."""
    for event in plan.events:
        if event.strikes == "clock":
            raise LabError(NO_CLOCK)
        if event.what == "kill" and event.target in (ALL, ANY, "broker"):
            raise LabError(SHARED)
        if event.strikes == "broker" and not is_here(broker):
            raise LabError(f"{event.what} cannot be played: the broker at {broker.url} is not on this machine.")
        if event.target in lent:
            raise LabError(f"{event.target} is a reader of your own: {event.what} is not ours to do.")
    for name in plan.readers:
        if name in lent:
            raise LabError(f"{name} is a reader of your own: how it reads is not ours to say.")
    try:
        plan.check(without(table, lent))
    except SettingsError as error:
        hint = "" if table.cameras else " A live table has a camera with --betline-frames or camera=True."
        raise LabError(f"{error}{hint if 'camera' in str(error) else ''}") from None


def without(table: TableSettings, lent: Collection[str]) -> TableSettings:
    """The table with the readers that are ours to strike."""
    return table.model_copy(update={"readers": tuple(one for one in table.readers if one.id not in lent)})


class PlannedFaults:
    """Carries events and plans out at one live table, until it is closed."""

    def __init__(
        self,
        strikes: TableFaults,
        table: TableSettings,
        broker: BrokerProgram,
        lent: Collection[str],
        seed: int,
        closing: ExitStack,
    ) -> None:
        """``lent`` may change while the table is there."""
        self._strikes = strikes
        self._table = table
        self._broker = broker
        self._lent = lent
        self._seed = seed
        self._closing = closing

    def play(self, plan: TablePlan) -> None:
        """The events of a plan, timed from now; raises LabError."""
        self._check(plan)
        ours = without(self._table, self._lent)
        self._closing.enter_context(self._strikes.carried_out(plan, ours, self._seed))

    def begin(self, plan: TablePlan, later: Callable[[float, End], None]) -> None:
        """The one event of a plan, which has struck when this returns; ``later`` ends it. Raises LabError."""
        self._check(plan)
        one = next(plan.occurrences(without(self._table, self._lent), self._seed))
        for name in one.on:
            struck = self._strikes.strike(name, one.event)
            if struck is not None:
                self._strikes.standing.begins(struck[0])
                later(one.event.lasts_s, partial(self._end, *struck))

    def _end(self, what: str, end: End) -> None:
        if self._strikes.standing.ends(what):
            end()

    def _check(self, plan: TablePlan) -> None:
        check_plan(plan, self._table, self._lent, self._broker)
