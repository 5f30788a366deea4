"""A table of a test with the real programs: pseudo-terminals or real ports, bridge, frames or none, broker, controller.

The world is in the test's process: the other programs cannot tell, and the test can ask and move everything.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from betline.broker import LOOPBACK, free_port
from betline.joining import join
from betline.options import UserError
from betline.settings import TableSettings, load_chip_set
from betline.steps import SitDown
from betline.supervise import Supervisor
from betline.topics import DEVICE_STATUS, Namespace, topic
from betline.units import NS_PER_MS
from virtual_table.camera import MjpegServer
from virtual_table.play.clock import HostClock
from virtual_table.play.link import ControllerLink
from virtual_table.play.pace import Pauses
from virtual_table.pytest_plugin.failures import LabError
from virtual_table.pytest_plugin.foreign import ForeignPort, by_reader, with_foreign
from virtual_table.pytest_plugin.live_faults import PlannedFaults, check_plan, is_here
from virtual_table.pytest_plugin.plans import Given, event_of, events_alone, plan_of
from virtual_table.pytest_plugin.programs import BrokerProgram, bus_words, controller_line, kill_part
from virtual_table.pytest_plugin.setting import Setting, stacks_of, table_of
from virtual_table.pytest_plugin.ways import Program
from virtual_table.readers.attended import Attended
from virtual_table.readers.device import SerialDevice
from virtual_table.readers.reader import VirtualReader
from virtual_table.readers.server import ReaderServer
from virtual_table.run.part_faults import PartFaults
from virtual_table.run.run_table import RunFiles, runtime_table, write_table
from virtual_table.run.slow_line import SlowLine
from virtual_table.run.table_faults import CameraFaults, ReaderFaults, TableFaults
from virtual_table.run.world_process import Attendance, PartMissing, Senses, virtual_readers, write_register
from virtual_table.run.zones import Zones, ZoneTeller
from virtual_table.table.world import World

DEVICE: Final = "world"
SPARE_CHIPS: Final = 400
READY_S: Final = 90.0
PROGRAMS: Final[Mapping[Program, str]] = {"controller": "controller", "bridge": "bridge", "camera": "vision"}


class Live:
    """A `Way`: the programs of a real table around a virtual one."""

    live = True
    patience_s = 12.0

    def __init__(
        self,
        setting: Setting,
        broker: BrokerProgram,
        names: Callable[[TableSettings], Namespace],
        folder: Path,
        frames: bool,
        ports: Mapping[str, ForeignPort],
        beside: Path = Path(),
    ) -> None:
        """Starts everything in the folder and waits until it is there; raises LabError. `frames` says whether a virtual
        camera is drawn and a real detector watches it, where the setting does not. Files of plans are looked for
        ``beside`` the test.
        """
        self._closing = ExitStack()
        try:
            self._start(setting, broker, names, folder, frames, ports, beside)
        except BaseException:
            self._closing.close()
            raise

    def _start(
        self,
        setting: Setting,
        broker: BrokerProgram,
        names: Callable[[TableSettings], Namespace],
        folder: Path,
        frames: bool,
        ports: Mapping[str, ForeignPort],
        beside: Path,
    ) -> None:
        table = table_of(setting)
        if not (frames if setting.camera is None else setting.camera):
            table = table.model_copy(update={"cameras": ()})
        foreign = by_reader(table, ports)
        table = with_foreign(table, foreign)
        plan = plan_of(setting.faults, beside)
        check_plan(plan, table, foreign, broker)
        files = RunFiles(folder)
        files.ports.mkdir(parents=True, exist_ok=True)
        self.broker = broker
        self.names = names(table)
        self.clock = HostClock()
        people = [SitDown(seat=seat, stack=stack) for seat, stack in stacks_of(setting, table).items()]
        haste = Pauses.short().dealer_haste
        self.world = World(table, load_chip_set(table.chip_set), setting.seed, dealer_haste=haste)
        self.world.stock_cage(SPARE_CHIPS)
        for sits in people:
            self.world.fill_stack(sits.seat, sits.stack, time.monotonic())
        write_register(files, self.world)
        camera = None
        if table.cameras:
            camera = MjpegServer(self.world, table.cameras[0], seed=setting.seed)
            self._closing.callback(camera.close)
        url = "" if camera is None else f"http://{LOOPBACK}:{camera.port}/"
        table = runtime_table(table, files, url, table.chip_set)
        self.settings = _with_urls(table, foreign)
        write_table(self.settings, files.table)
        server = ReaderServer(files.ports)
        self._closing.callback(server.close)
        attended: dict[str, Attended] = {}

        def wrap(name: str, device: VirtualReader) -> SerialDevice:
            attended[name] = Attended(device, antennas=device.antennas)
            return attended[name]

        senses = Senses() if setting.noise else Senses(0.0, 0.0)
        standing = plan.model_copy(update={"events": ()})
        virtual_readers(table, self.world, server, senses, setting.seed, standing, tuple(foreign), wrap)
        self._readers = _Readers(server, attended, files.ports, self._closing)
        for name, one in foreign.items():
            self._readers.lend(name, one.port)
        line, reached = None, broker
        if is_here(broker):  # a line of its own, so that faults of the broker strike this table alone
            reached = BrokerProgram(LOOPBACK, free_port())
            line = SlowLine(reached.port, broker.port)
            self._closing.callback(line.close)
        parts = self._closing.enter_context(Supervisor(folder))
        words = bus_words(files.table, reached, self.names)
        parts.start("controller", controller_line(files.table, reached, self.names, folder))
        if table.readers:
            parts.start("bridge", ["bridge", "run", *words, "--register", str(files.register)])
        if camera is not None:
            parts.start("vision", ["vision", "run", *words, "--rings", str(folder / "rings")])
        self.bus = join(reached.address, self.names, DEVICE, presence=topic(DEVICE_STATUS, DEVICE))
        self._closing.callback(self.bus.close)
        self.link = ControllerLink(self.bus, self.clock)
        zones = ZoneTeller(self.bus, Zones(table, self.world), time.monotonic)
        self._closing.callback(zones.close)
        attendance = Attendance(self.bus, table)
        try:
            attendance.wait(threading.Event(), READY_S)
            parts.check()
        except (PartMissing, UserError) as error:
            raise LabError(f"{error} (the logs: {folder})") from None
        strikes = TableFaults(
            ReaderFaults(server, attended, setting.seed),
            None if camera is None else CameraFaults(camera),
            PartFaults(parts, line),
        )
        planned = PlannedFaults(strikes, self.settings, broker, self._readers.lent, setting.seed, self._closing)
        self.faults = LiveFaults(self._readers, camera, parts, planned, beside)

    def replace_reader(self, name: str, port: str) -> None:
        """The cable of the virtual reader is pulled, and its name in the ports' folder leads to the other one."""
        self._readers.replace(name, port)

    def last_bytes(self, zone: str) -> list[str]:
        """What passed last on the line of the zone's virtual reader."""
        for reader in self.settings.readers:
            if any(antenna.zone == zone for antenna in reader.antennas):
                return self._readers.last_bytes(reader.id)
        return []

    def close(self) -> None:
        """Stops the programs and unplugs everything."""
        self._closing.close()


class _Readers:
    """The virtual readers and the names of their ports, some of which lead to readers of somebody else."""

    def __init__(self, server: ReaderServer, attended: Mapping[str, Attended], ports: Path, closing: ExitStack) -> None:
        self._server = server
        self._attended = attended
        self._ports = ports
        self.lent: set[str] = set()
        """Names of those of somebody else."""
        self._timers: list[threading.Timer] = []
        closing.callback(self._cancel)

    def device(self, name: str) -> Attended:
        """A virtual reader; raises LabError for a name that is none."""
        if name in self.lent:
            raise LabError(f"{name} is a reader of your own: this is not ours to do.")
        if name not in self._attended:
            raise LabError(f"This table has no reader {name}; its readers: {', '.join(self._attended)}.")
        return self._attended[name]

    def unplug(self, name: str) -> None:
        self.device(name)
        self._server.unplug(name)

    def plug(self, name: str) -> None:
        self.device(name)
        self._server.replug(name)

    def replace(self, name: str, port: str) -> None:
        self.device(name)
        if "://" in port:
            raise LabError(f"The bridge is there already: name {port} by --betline-port or the fixture betline_ports.")
        self._server.unplug(name)
        self.lend(name, port)

    def lend(self, name: str, port: str) -> None:
        """The reader's name leads to that port; the bridge opens a URL by itself."""
        self.lent.add(name)
        if "://" in port:
            return
        if not os.path.exists(port):
            raise LabError(f"There is no port {port} for {name}: plug the reader in, or name another.")
        link = self._ports / name
        link.unlink(missing_ok=True)
        link.symlink_to(port)

    def later(self, seconds: float, act: Callable[[], None]) -> None:
        """Does something so much later, unless all is over then."""
        timer = threading.Timer(seconds, act)
        timer.daemon = True
        self._timers.append(timer)
        timer.start()

    def last_bytes(self, name: str) -> list[str]:
        attended = self._attended.get(name)
        if attended is None or name in self.lent:
            return []
        now_ms = time.monotonic_ns() / NS_PER_MS
        arrows = {"to": "->", "from": "<-"}
        return [
            f"{(one.at_ms - now_ms) / 1000:8.3f}  {arrows[one.way]} {one.data.hex(' ').upper()}"
            for one in attended.passed
        ]

    def _cancel(self) -> None:
        for timer in self._timers:
            timer.cancel()
        for timer in self._timers:
            timer.join()


class LiveFaults:
    """`Faults` at a live table."""

    def __init__(
        self,
        readers: _Readers,
        camera: MjpegServer | None,
        parts: Supervisor,
        planned: PlannedFaults,
        beside: Path,
    ) -> None:
        self._readers = readers
        self._camera = camera
        self._parts = parts
        self._planned = planned
        self._beside = beside

    def begin(self, what: str, on: str = "", *, for_s: float = 1.0, **amounts: Any) -> None:
        self._planned.begin(event_of(what, on, for_s, amounts), self._readers.later)

    def play(self, plan: Given) -> None:
        self._planned.play(events_alone(plan_of(plan, self._beside)))

    def unplug(self, reader: str, for_s: float | None = None) -> None:
        self._readers.unplug(reader)
        if for_s is not None:
            self._readers.later(for_s, lambda: self._readers.plug(reader))

    def plug(self, reader: str) -> None:
        self._readers.plug(reader)

    def hang(self, reader: str, for_s: float) -> None:
        self._readers.device(reader).hang(_in_ms(for_s))

    def reboot(self, reader: str, for_s: float = 1.0) -> None:
        self._readers.device(reader).reboot(_in_ms(for_s))

    def camera_black(self, for_s: float) -> None:
        camera = self._camera
        if camera is None:
            raise LabError("This table has no camera that could be covered: give --betline-frames.")
        camera.cover()
        self._readers.later(for_s, camera.uncover)

    def kill(self, program: Program, for_s: float = 1.0) -> None:
        del for_s
        part = next((part for part in self._parts.parts if part.name == PROGRAMS[program]), None)
        if part is None:
            raise LabError(f"This table has no {program} that could be killed.")
        kill_part(part)


def _in_ms(seconds: float) -> float:
    return time.monotonic_ns() / NS_PER_MS + seconds * 1000


def _with_urls(table: TableSettings, foreign: Mapping[str, ForeignPort]) -> TableSettings:
    """The table with the URLs of foreign readers as their ports; to a path the name in the ports' folder leads."""
    urls = {name: one.port for name, one in foreign.items() if "://" in one.port}
    readers = [
        reader.model_copy(update={"port": urls[reader.id]}) if reader.id in urls else reader for reader in table.readers
    ]
    return table.model_copy(update={"readers": tuple(readers)})
