"""A table in simulated time: world, people, readers, camera, bus and controller put together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random

from betline import topics
from betline.bus import Received
from betline.messages.common import Body
from betline.settings import TableSettings, load_chip_set, load_house_rules, load_table
from betline.steps import SitDown
from firmware_bridge.chips.record import Chip
from table_controller.sensing import Setup, Thresholds
from table_controller.session import Terms
from virtual_table.laboratory.agenda import Agenda
from virtual_table.laboratory.bus import SimulatedBus, SimulatedHub
from virtual_table.laboratory.camera import Eyes, SimulatedCamera
from virtual_table.laboratory.controller import SimulatedController
from virtual_table.laboratory.readers import SimulatedBridge
from virtual_table.laboratory.trouble import Trouble, Troubles
from virtual_table.play.director import Director
from virtual_table.play.habits import Habits
from virtual_table.play.link import ControllerLink
from virtual_table.play.pace import Pace, Pauses
from virtual_table.play.report import Report
from virtual_table.readers.behaviour import Behaviour
from virtual_table.scripts.evening_script import EveningScript
from virtual_table.scripts.random_evening import RandomEvening
from virtual_table.scripts.script import HandScript
from virtual_table.scripts.seat_changes import Rates
from virtual_table.table.world import World

SPARE_CHIPS = 400
WARM_UP_S = 3.0
_HEARD = (topics.RULING, topics.ALERT, topics.ANNOUNCEMENT, topics.REPLY, topics.STATE)


@dataclass(frozen=True, slots=True)
class Conditions:
    """How well readers and camera do, how people play, and what goes wrong."""

    missed: float = 0.05
    """Probability that a chip does not answer in one round."""
    neighbour: float = 0.01
    """Probability that a chip of a seat beside is heard in one round."""
    detuned: float = 0.0
    """Probability that a chip is not heard, for each other one in its pile."""
    air_factor: float = 1.0
    """Air time compared with the ideal."""
    eyes: Eyes = field(default_factory=Eyes)
    enrolled: tuple[Chip, ...] = ()
    """Chips that the register knows besides those of the table."""
    pauses: Pauses = field(default_factory=Pauses.short)
    habits: Habits = field(default_factory=Habits)
    rates: Rates = field(default_factory=Rates)
    """How often people go away, come back and play a bomb pot."""
    troubles: Troubles = field(default_factory=Troubles)
    thresholds: Thresholds | None = None
    """When evidence is believed, in place of what the table file says."""


@dataclass(frozen=True, slots=True)
class TunedTerms(Terms):
    """Terms of a table with other thresholds."""

    thresholds: Thresholds = field(default_factory=Thresholds)

    def sensing(self) -> Setup:
        return replace(Terms.sensing(self), thresholds=self.thresholds)


@dataclass(frozen=True, slots=True)
class Told:
    """A message that somebody at the table heard, and when."""

    at_s: float
    body: Body


class Laboratory:
    """One table. Give the same arguments and do the same with it, and the same happens."""

    def __init__(
        self,
        table: TableSettings | str,
        seed: int,
        conditions: Conditions | None = None,
        report: Report | None = None,
        evening: EveningScript | None = None,
        watched_by: Callable[[World, Agenda, SimulatedHub], None] | None = None,
    ) -> None:
        """``table`` is a table's settings or the name of a shipped one; without readers or without cameras in it the
        table is played without them. Counts go to ``report`` where one is given; ``evening`` says who comes and goes.
        ``watched_by`` begins to watch the table in place of the simulated camera.
        """
        self.table = load_table(table) if isinstance(table, str) else table
        self.conditions = conditions = conditions or Conditions()
        self.seed = seed
        self.agenda = agenda = Agenda()
        self.hub = hub = SimulatedHub(agenda, Random(f"bus-{seed}"))
        self.world = World(
            self.table, load_chip_set(self.table.chip_set), seed, dealer_haste=conditions.pauses.dealer_haste
        )
        self.world.stock_cage(SPARE_CHIPS)
        self._evening = RandomEvening(self.table, seed, evening, conditions.rates)
        self._hands = self._evening.hands()
        self._seated = False
        for sits in self._evening.first:
            self.world.fill_stack(sits.seat, sits.stack, agenda.now_s())
        house = load_house_rules(self.table.house.profile, self.table.house.options)
        terms = Terms(self.table, house)
        if conditions.thresholds is not None:
            terms = TunedTerms(self.table, house, thresholds=conditions.thresholds)
        self.controller = SimulatedController(terms, agenda, hub)
        self.bridge = (
            SimulatedBridge(self.table, self.world, agenda, hub, self._behaviour, seed, conditions.enrolled)
            if self.table.readers
            else None
        )
        self.camera = (
            SimulatedCamera(self.table, self.world, agenda, hub, conditions.eyes, seed)
            if self.table.cameras and watched_by is None
            else None
        )
        console = self.console = SimulatedBus(hub, "world")
        self.messages: list[Told] = []
        """Everything said at the table, in order."""
        for kind in _HEARD:
            console.subscribe(kind, self._hear)
        self.link = ControllerLink(console, agenda, self._command_id)
        self._commands = 0
        self.director = Director(
            self.world, self.link, seed, Pace(conditions.pauses, 1.0, agenda), conditions.habits, report
        )
        self.controller.start()
        if self.bridge is not None:
            self.bridge.start()
        if self.camera is not None:
            self.camera.start()
        if watched_by is not None:
            watched_by(self.world, agenda, hub)
        self.let(WARM_UP_S)
        Trouble(self.world, agenda, self.controller, self.bridge, self.camera, conditions.troubles, seed)

    @property
    def report(self) -> Report:
        """What came of the hands."""
        return self.director.report

    def let(self, seconds: float) -> None:
        """Lets time pass."""
        self.agenda.sleep(seconds)

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

    def _behaviour(self, _: str) -> Behaviour:
        one = self.conditions
        return Behaviour(8, one.missed, one.neighbour, one.detuned, air_factor=one.air_factor)

    def _command_id(self) -> str:
        self._commands += 1
        return f"command-{self._commands:08d}"

    def _hear(self, received: Received) -> None:
        self.messages.append(Told(self.agenda.now_s(), received.body))


def without_camera(table: TableSettings) -> TableSettings:
    """The table with readers alone."""
    return table.model_copy(update={"cameras": ()})


def with_stack_readers(table: TableSettings) -> TableSettings:
    """The table with a reader of its own under every stack."""
    like = table.readers[0]
    stacks = tuple(
        like.model_copy(
            update={
                "id": f"stack-reader-{seat.number}",
                "port": f"{like.port}-stack-{seat.number}",
                "antennas": (like.antennas[0].model_copy(update={"antenna": 1, "zone": f"stack-{seat.number}"}),),
                "rf_neighbours": (),
            }
        )
        for seat in table.seats
    )
    return table.model_copy(update={"readers": (*table.readers, *stacks)})


def without_readers(table: TableSettings) -> TableSettings:
    """The table with its camera alone: the dealer keys the amounts."""
    return table.model_copy(update={"readers": ()})
