"""Faults at a simulated table, as a plan says or by hand.

There are no bytes here, so what a plan says of lines is refused. A reader that is unplugged, stuck or booting gives no
rounds; a camera that is blind sees nothing until it sees again.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, Final

from betline.settings import SettingsError, TableSettings, parse
from virtual_table.faults.event import ALL, FaultEvent
from virtual_table.faults.plan import Occurrence, TablePlan
from virtual_table.laboratory.agenda import PEOPLE, Agenda
from virtual_table.laboratory.bus import SimulatedHub
from virtual_table.laboratory.camera import Blindness, SimulatedCamera
from virtual_table.laboratory.controller import SimulatedController
from virtual_table.laboratory.readers import SimulatedBridge
from virtual_table.readers.faults import PERFECT

_BLIND: Final[Mapping[str, Blindness]] = MappingProxyType(
    {"camera-black": "black", "camera-frozen": "frozen", "camera-moved": "moved", "camera-blocked": "blocked"}
)
NO_LINES: Final = "the laboratory has no lines and no bytes; betline demo --faults plays it"


class Faults:
    """What goes wrong at one simulated table, in seconds of its own time. A wrong name raises SettingsError."""

    def __init__(
        self,
        table: TableSettings,
        agenda: Agenda,
        hub: SimulatedHub,
        controller: SimulatedController,
        bridge: SimulatedBridge | None,
        camera: SimulatedCamera | None,
    ) -> None:
        self._table = table
        self._agenda = agenda
        self._hub = hub
        self._controller = controller
        self._bridge = bridge
        self._camera = camera
        self._senders = {"controller": "controller", "bridge": "bridge", "console": PEOPLE}
        if table.cameras:
            self._senders["vision"] = table.cameras[0].id
        self._standing = Counter[str]()
        """How many faults of a kind strike the same thing now: the last one that ends makes it whole."""
        self.struck = Counter[str]()
        """How often each kind of fault has struck something so far; a program that is away is not killed."""

    # --- by hand

    def unplug(self, reader: str, for_s: float = 1.0) -> None:
        """Pulls a reader's cable."""
        self.strike("unplug", reader, for_s=for_s)

    def stop_reader(self, reader: str, for_s: float = 1.0) -> None:
        """A reader hangs."""
        self.strike("stuck", reader, for_s=for_s)

    def misread(self, reader: str, for_s: float = 1.0, **reading: float) -> None:
        """A reader reads so meanwhile: ``missed=0.5``, ``neighbour=0.2``."""
        self.strike("misreads", reader, for_s=for_s, reading=reading)

    def kill(self, program: str, for_s: float = 1.0) -> None:
        """Kills controller, bridge, vision or broker, and starts it again."""
        self.strike("kill", program, for_s=for_s)

    def take_broker_away(self, for_s: float = 1.0) -> None:
        """Nobody has a broker."""
        self.strike("broker-away", for_s=for_s)

    def slow_bus(self, latency_ms: float, for_s: float = 1.0) -> None:
        """Every message comes later."""
        self.strike("latency", for_s=for_s, latency_ms=latency_ms)

    def step_clock(self, step_s: float, on: str = ALL) -> None:
        """The wall clock of all programs or of one of them steps, for good."""
        self.strike("clock-step", on, step_s=step_s)

    def blind_camera(self, how: Blindness = "black", for_s: float = 1.0) -> None:
        """The camera sees nothing: black, frozen, moved or blocked."""
        self.strike(f"camera-{how}", for_s=for_s)

    def fill_disk(self, for_s: float = 1.0) -> None:
        """The journal cannot be written."""
        self.strike("disk-full", for_s=for_s)

    def strike(self, what: str, on: str = "", **amounts: Any) -> None:
        """Any fault of the language, now; ``on`` and the amounts are those of an event."""
        event = {"what": what, "on": on, "at_s": 0.0, **amounts}
        self.carry_out(parse(TablePlan, {"events": [event]}, what), 0)

    # --- as planned

    def carry_out(self, plan: TablePlan, seed: int) -> None:
        """Carries the events of a plan out, timed from now; raises SettingsError for what cannot be done here."""
        plan.check(self._table)
        refuse_lines(plan)
        self._next(plan.occurrences(self._table, seed), self._agenda.now_s())

    def _next(self, coming: Iterator[Occurrence], began_s: float) -> None:
        one = next(coming, None)
        if one is None:
            return

        def happen() -> None:
            self._happen(one)
            self._next(coming, began_s)

        if one.at_s <= 0:
            happen()
        else:
            self._agenda.at(began_s + one.at_s, happen)

    def _happen(self, one: Occurrence) -> None:
        for name in one.on:
            self.struck[one.event.what] += one.event.what != "kill"
            self._strike(name, one.event)

    def _strike(self, name: str, event: FaultEvent) -> None:
        match event.strikes:
            case "reader" if self._bridge is not None:
                self._strike_reader(self._bridge, name, event)
            case "camera" if self._camera is not None:
                how = _BLIND[event.what]
                self._camera.cover(how)
                self._until(event, how, partial(self._camera.uncover, how))
            case "program":
                self._kill(name, event)
            case "broker":
                self._strike_broker(event)
            case "clock":
                step_ms = round((event.step_s or 0.0) * 1000)
                self._step(name, step_ms)
                self._until(event, f"clock {name}", partial(self._step, name, -step_ms), each=True)
            case "journal":
                self._room(there=False)
                self._until(event, "disk", partial(self._room, there=True))

    def _strike_reader(self, bridge: SimulatedBridge, name: str, event: FaultEvent) -> None:
        if event.what == "misreads":
            bridge.misread(name, event.reading)
            self._until(event, f"misreads {name}", partial(bridge.misread, name, None))
        else:
            bridge.fail(name)
            self._until(event, f"silent {name}", partial(bridge.recover, name))

    def _strike_broker(self, event: FaultEvent) -> None:
        if event.what == "latency":
            self._hub.later_s = (event.latency_ms or 0.0) / 1000
            self._until(event, "latency", self._hurry)
        else:
            self._lose_broker(event, forgets=False)

    def _kill(self, name: str, event: FaultEvent) -> None:
        if name == "broker":
            self.struck["kill"] += self._hub.there
            self._lose_broker(event, forgets=True)
            return
        part = {"controller": self._controller, "bridge": self._bridge, "vision": self._camera}[name]
        if part is not None and part.running:
            self.struck["kill"] += 1
            part.kill()
            self._agenda.after(event.lasts_s, part.start)

    def _lose_broker(self, event: FaultEvent, *, forgets: bool) -> None:
        if self._hub.there:
            self._hub.go_away()
        self._until(event, "broker", partial(self._hub.come_back, forgets=forgets))

    def _hurry(self) -> None:
        self._hub.later_s = 0.0

    def _room(self, *, there: bool) -> None:
        self._controller.pages.full = not there

    def _step(self, name: str, step_ms: int) -> None:
        steps, sender = self._agenda.wall_steps_ms, self._senders[name]
        steps[sender] = steps.get(sender, 0) + step_ms

    def _until(self, event: FaultEvent, what: str, end: Callable[[], None], *, each: bool = False) -> None:
        """Ends a fault after its time; where others of its kind still strike the same, the last one ends it."""
        if event.lasts_s == math.inf:
            return
        self._standing[what] += 1

        def over() -> None:
            self._standing[what] -= 1
            if each or not self._standing[what]:
                end()

        self._agenda.after(event.lasts_s, over)


def refuse_lines(plan: TablePlan) -> None:
    """Raises SettingsError where a plan says something of lines, which a laboratory has not."""
    if plan.line != PERFECT:
        raise SettingsError(f"line: {NO_LINES}.")
    for name, changes in plan.readers.items():
        if changes.line != PERFECT:
            raise SettingsError(f"readers.{name}.line: {NO_LINES}.")
    for number, event in enumerate(plan.events):
        if event.what == "burst":
            raise SettingsError(f"events.{number}: burst strikes a line; {NO_LINES}.")
