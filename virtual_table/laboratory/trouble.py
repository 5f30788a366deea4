"""What goes wrong at a table while it is played: restarts, sensors that die and return, arms that reach about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

from virtual_table.laboratory.agenda import Agenda
from virtual_table.laboratory.camera import SimulatedCamera
from virtual_table.laboratory.controller import SimulatedController
from virtual_table.laboratory.readers import SimulatedBridge
from virtual_table.table.player_motions import fake, over_and_back, reach_over
from virtual_table.table.things import WorldError
from virtual_table.table.world import World

RESTART_S: Final = (0.1, 2.0)
"""How long a program that was killed is away: a supervisor starts it again."""
AWAY_S: Final = (0.3, 6.0)
"""How long a sensor that died is silent."""


@dataclass(frozen=True, slots=True)
class Troubles:
    """How often each happens, a minute; nothing does by default."""

    restarts: float = 0.0
    """Controller, bridge and camera are killed and started again, one of them at a time."""
    readers_die: float = 0.0
    cameras_die: float = 0.0
    arms: float = 0.0
    """A player's hand goes over its line for nothing, with chips or without, or over a neighbour's zone."""


class Trouble:
    """Makes trouble at one table, from now on, at random moments of its own random stream."""

    def __init__(
        self,
        world: World,
        agenda: Agenda,
        controller: SimulatedController,
        bridge: SimulatedBridge | None,
        camera: SimulatedCamera | None,
        troubles: Troubles,
        seed: int,
    ) -> None:
        self._world = world
        self._agenda = agenda
        self._controller = controller
        self._bridge = bridge
        self._camera = camera
        self._chance = Random(f"trouble-{seed}")
        self._again(troubles.restarts, self._restart)
        if bridge is not None:
            self._again(troubles.readers_die, self._reader_dies)
        if camera is not None:
            self._again(troubles.cameras_die, self._camera_dies)
        self._again(troubles.arms, self._arm)

    def _again(self, per_minute: float, what: Callable[[], None]) -> None:
        if per_minute <= 0:
            return

        def next_time() -> None:
            what()
            self._agenda.after(self._chance.expovariate(per_minute / 60.0), next_time)

        self._agenda.after(self._chance.expovariate(per_minute / 60.0), next_time)

    def _restart(self) -> None:
        parts = [part for part in (self._controller, self._bridge, self._camera) if part is not None and part.running]
        if not parts:
            return
        part = self._chance.choice(parts)
        part.kill()
        self._agenda.after(self._chance.uniform(*RESTART_S), part.start)

    def _reader_dies(self) -> None:
        bridge = self._bridge
        assert bridge is not None
        name = self._chance.choice(bridge.names)
        bridge.fail(name)
        self._agenda.after(self._chance.uniform(*AWAY_S), lambda: bridge.recover(name))

    def _camera_dies(self) -> None:
        camera = self._camera
        assert camera is not None
        camera.cover()
        self._agenda.after(self._chance.uniform(*AWAY_S), camera.uncover)

    def _arm(self) -> None:
        """Somebody whose hand is at rest reaches about; where that cannot be, nobody does."""
        world, chance, now_s = self._world, self._chance, self._agenda.now_s()
        free = [seat.number for seat in world.table.seats if world.free_s(seat.number) <= now_s]
        if not free:
            return
        seat = chance.choice(free)
        numbers = [one.number for one in world.table.seats]
        beside = numbers[(numbers.index(seat) + chance.choice((-1, 1))) % len(numbers)]
        stack = world.stack(seat)
        try:
            match chance.randrange(3):
                case 0:
                    fake(world, seat, now_s)
                case 1:
                    reach_over(world, seat, beside, now_s)
                case _ if stack:
                    over_and_back(world, seat, stack[-chance.randint(1, 4) :], now_s)
        except WorldError:
            return
