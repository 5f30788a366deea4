"""A simulated table with people: random evenings and scripts are acted out at it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from betline.settings import TableSettings, load_table
from betline.steps import SitDown
from virtual_table.laboratory.agenda import Agenda
from virtual_table.laboratory.bus import SimulatedHub
from virtual_table.laboratory.controller import Pages
from virtual_table.laboratory.simulated_table import (
    Conditions,
    SimulatedTable,
    Told,
    with_stack_readers,
    without_camera,
    without_readers,
)
from virtual_table.laboratory.trouble import Trouble
from virtual_table.play.director import Director
from virtual_table.play.pace import Pace
from virtual_table.play.report import Report
from virtual_table.scripts.evening_script import EveningScript
from virtual_table.scripts.random_evening import RandomEvening
from virtual_table.scripts.script import HandScript
from virtual_table.table.world import World

__all__ = ["Conditions", "Laboratory", "Told", "with_stack_readers", "without_camera", "without_readers"]


class Laboratory(SimulatedTable):
    """One table and one evening. Give the same arguments and do the same with it, and the same happens."""

    def __init__(
        self,
        table: TableSettings | str,
        seed: int,
        conditions: Conditions | None = None,
        report: Report | None = None,
        evening: EveningScript | None = None,
        pages: Pages | None = None,
        watched_by: Callable[[World, Agenda, SimulatedHub], None] | None = None,
    ) -> None:
        """``table`` is a table's settings or the name of a shipped one; without readers or without cameras in it the
        table is played without them. Counts go to ``report`` where one is given; ``evening`` says who comes and goes;
        ``pages`` keep the journal, in memory by default; ``watched_by`` begins to watch the table in place of the
        simulated camera.
        """
        conditions = conditions or Conditions()
        settings = load_table(table) if isinstance(table, str) else table
        self._evening = RandomEvening(settings, seed, evening, conditions.rates)
        self._hands = self._evening.hands()
        self._seated = False
        super().__init__(settings, seed, conditions, self._evening.first, pages, watched_by)
        pace = Pace(conditions.pauses, conditions.speed, self.agenda)
        self.director = Director(self.world, self.link, seed, pace, conditions.habits, report)
        self.start()
        Trouble(self.world, self.agenda, self.controller, self.bridge, self.camera, conditions.troubles, seed)
        self.faults.carry_out(conditions.faults, seed)

    @property
    def report(self) -> Report:
        """What came of the hands."""
        return self.director.report

    def play(self, hands: int) -> Report:
        """Plays so many random hands more."""
        self.play_scripts(islice(self._hands, hands))
        return self.report

    def play_scripts(self, hands: Iterable[HandScript]) -> Report:
        """Plays these hands; people sit down before the first."""
        self.seat_everybody(self._evening.first)
        for script in hands:
            self.director.play(script)
        return self.report

    @property
    def first(self) -> tuple[SitDown, ...]:
        """Who sits down before the first hand."""
        return self._evening.first

    def scripts(self) -> Iterator[HandScript]:
        """The random hands that are still to come, for whoever acts them out step by step."""
        return self._hands

    def seat_everybody(self, people: Iterable[SitDown]) -> None:
        """Everybody sits down, once."""
        if not self._seated:
            self._seated = True
            self.director.seat_everybody(people)
