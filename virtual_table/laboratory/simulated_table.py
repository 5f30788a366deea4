"""A table in simulated time: world, readers, camera, bus and controller put together, and nobody who acts yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from random import Random

from betline import topics
from betline.bus import Received
from betline.messages.common import Body
from betline.settings import TableSettings, load_chip_set, load_house_rules
from betline.steps import SitDown
from firmware_bridge.chips.record import Chip
from table_controller.sensing import Setup, Thresholds
from table_controller.session import Terms
from virtual_table.faults.plan import NO_FAULTS, TablePlan
from virtual_table.laboratory.agenda import PEOPLE, Agenda
from virtual_table.laboratory.bus import SimulatedBus, SimulatedHub
from virtual_table.laboratory.camera import Eyes, SimulatedCamera
from virtual_table.laboratory.controller import Pages, SimulatedController
from virtual_table.laboratory.faults import Faults
from virtual_table.laboratory.readers import SimulatedBridge
from virtual_table.laboratory.trouble import Troubles
from virtual_table.play.habits import Habits
from virtual_table.play.link import ControllerLink
from virtual_table.play.pace import Pauses
from virtual_table.readers.behaviour import Behaviour
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
    speed: float = 1.0
    """Divides the pauses."""
    habits: Habits = field(default_factory=Habits)
    rates: Rates = field(default_factory=Rates)
    """How often people go away, come back and play a bomb pot."""
    troubles: Troubles = field(default_factory=Troubles)
    faults: TablePlan = NO_FAULTS
    """What goes wrong as planned; times count from when the laboratory stands."""
    spare_chips: int = SPARE_CHIPS
    """Chips of each type in the cage, which the register knows, besides those of the people who sit down first."""
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


class SimulatedTable:
    """One table. Give the same arguments and do the same with it, and the same happens."""

    def __init__(
        self,
        table: TableSettings,
        seed: int,
        conditions: Conditions,
        people: Iterable[SitDown] = (),
        pages: Pages | None = None,
        watched_by: Callable[[World, Agenda, SimulatedHub], None] | None = None,
    ) -> None:
        """Without readers or without cameras in its settings the table is played without them; the stacks of ``people``
        lie there from the beginning; ``pages`` keep the journal, in memory by default; ``watched_by`` begins to watch
        the table in place of the simulated camera.
        """
        self.table = table
        self.conditions = conditions
        self.seed = seed
        self.agenda = agenda = Agenda()
        self.hub = hub = SimulatedHub(agenda, Random(f"bus-{seed}"))
        self.world = World(table, load_chip_set(table.chip_set), seed, dealer_haste=conditions.pauses.dealer_haste)
        self.world.stock_cage(conditions.spare_chips)
        for sits in people:
            self.world.fill_stack(sits.seat, sits.stack, agenda.now_s())
        house = load_house_rules(table.house.profile, table.house.options)
        terms = Terms(table, house)
        if conditions.thresholds is not None:
            terms = TunedTerms(table, house, thresholds=conditions.thresholds)
        self.controller = SimulatedController(terms, agenda, hub, pages)
        self.bridge = (
            SimulatedBridge(table, self.world, agenda, hub, self._behaviour, seed, conditions.enrolled)
            if table.readers
            else None
        )
        self._watched_by = watched_by
        self.camera = (
            SimulatedCamera(table, self.world, agenda, hub, conditions.eyes, seed)
            if table.cameras and watched_by is None
            else None
        )
        console = self.console = SimulatedBus(hub, PEOPLE)
        self.messages: list[Told] = []
        """Everything said at the table, in order."""
        for kind in _HEARD:
            console.subscribe(kind, self._hear)
        self.link = ControllerLink(console, agenda, self._command_id)
        self._commands = 0
        self.faults = Faults(table, agenda, hub, self.controller, self.bridge, self.camera)
        """What goes wrong by hand: ``lab.faults.unplug("reader-3", for_s=3)``."""

    def start(self) -> None:
        """The programs begin, and have a few seconds to know the table."""
        self.controller.start()
        if self.bridge is not None:
            self.bridge.start()
        if self.camera is not None:
            self.camera.start()
        if self._watched_by is not None:
            self._watched_by(self.world, self.agenda, self.hub)
        self.let(WARM_UP_S)

    def let(self, seconds: float) -> None:
        """Lets time pass."""
        self.agenda.sleep(seconds)

    def _behaviour(self, reader: str) -> Behaviour:
        one = self.conditions
        usual = Behaviour(8, one.missed, one.neighbour, one.detuned, air_factor=one.air_factor)
        return one.faults.behaviour(reader, usual)

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
