"""Faults of a whole real table whose world is in this process: its readers and camera here, its programs beside it."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import partial
from typing import Final

from betline.settings import TableSettings
from betline.units import NS_PER_MS
from virtual_table.camera import MjpegServer
from virtual_table.camera.view_faults import ViewFaults
from virtual_table.faults.event import FaultEvent
from virtual_table.faults.plan import TablePlan
from virtual_table.readers.attended import Attended
from virtual_table.readers.faults import FaultDice
from virtual_table.readers.server import ReaderServer
from virtual_table.run.part_faults import PartFaults
from virtual_table.run.timeline import End, Standing, carried_out

_VIEW: Final[Mapping[str, Callable[[FaultEvent], tuple[str, object]]]] = {
    "camera-frozen": lambda _: ("frozen", True),
    "camera-black": lambda _: ("black", True),
    "camera-moved": lambda event: ("moved_px", event.moved_px),
    "camera-blocked": lambda event: ("covered", event.share),
}


class CameraFaults:
    """Strikes the pictures of a virtual camera; several faults may stand at once."""

    def __init__(self, camera: MjpegServer) -> None:
        self._camera = camera
        self._standing: dict[str, object] = {}

    def strike(self, _name: str, event: FaultEvent) -> tuple[str, End]:
        """Begins a fault, as `timeline.carried_out` wants it."""
        key, value = _VIEW[event.what](event)
        self._standing[key] = value
        self._show()
        return event.what, partial(self._end, key)

    def _end(self, key: str) -> None:
        self._standing.pop(key, None)
        self._show()

    def _show(self) -> None:
        self._camera.suffer(ViewFaults(**self._standing))  # type: ignore[arg-type]


class ReaderFaults:
    """Strikes virtual readers that are attended to."""

    def __init__(self, server: ReaderServer, readers: Mapping[str, Attended], seed: int) -> None:
        self._server = server
        self._readers = readers
        self._seed = seed
        self._bursts = itertools.count()

    def strike(self, name: str, event: FaultEvent) -> tuple[str, End]:
        """Begins a fault, as `timeline.carried_out` wants it."""
        reader, until_ms = self._readers[name], _now_ms() + event.lasts_s * 1000
        match event.what:
            case "unplug":
                self._server.unplug(name)
                return f"cable {name}", partial(self._plug, name)
            case "stuck":
                reader.hang(until_ms)
                return f"stuck {name}", lambda: reader.hang(_now_ms())
            case "reboot":
                reader.reboot(until_ms)
                return f"reboot {name}", lambda: reader.comes_up(_now_ms())
            case "burst":
                reader.garble(FaultDice(event.chances, random.Random(f"{self._seed}:burst:{next(self._bursts)}")))
                return f"burst {name}", lambda: reader.garble(None)
            case _:
                reader.misread(event.reading)
                return f"misreads {name}", lambda: reader.misread(None)

    def _plug(self, name: str) -> None:
        self._server.replug(name)


class TableFaults:
    """Strikes all that a plan can name at such a table."""

    def __init__(self, readers: ReaderFaults, camera: CameraFaults | None, parts: PartFaults) -> None:
        self._readers = readers
        self._camera = camera
        self._parts = parts
        self.standing: Final = Standing()

    def strike(self, name: str, event: FaultEvent) -> tuple[str, End] | None:
        """Begins a fault, as `timeline.carried_out` wants it."""
        if event.strikes == "reader":
            return self._readers.strike(name, event)
        if event.strikes == "camera":
            return None if self._camera is None else self._camera.strike(name, event)
        return self._parts.strike(name, event)

    def carried_out(
        self, plan: TablePlan, table: TableSettings, seed: int, notify: Callable[[str], None] = lambda _: None
    ) -> AbstractContextManager[None]:
        """The events of a plan, timed from now; what still lasts ends with the context."""
        return carried_out(plan.occurrences(table, seed), self.strike, notify, standing=self.standing)


def _now_ms() -> float:
    return time.monotonic_ns() / NS_PER_MS
