"""Cases through real processes: one table for all, with pseudo-terminals, bridge, drawn frames, broker, controller.

This process owns the world, as `betline world` does in a demonstration, and its dealer plays the cases.
"""

from __future__ import annotations

import contextlib
import json
import sys
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from betline.broker import LOOPBACK, free_port
from betline.cases import Case, Result
from betline.joining import BrokerChoice, join
from betline.options import FAILED, UserError, namespace
from betline.readiness import await_broker
from betline.scratch import scratch_folder
from betline.settings import TableSettings, load_chip_set
from betline.supervise import Supervisor
from betline.topics import DEVICE_STATUS, topic
from virtual_table.camera import MjpegServer
from virtual_table.cases.acted import acted_out, excused
from virtual_table.cases.chip_set import case_table, denominations, seats_of, write_chip_set
from virtual_table.cases.listening import CaseLink
from virtual_table.cases.plans import of_case
from virtual_table.cases.player import CasePlayer
from virtual_table.cases.skipping import why_not
from virtual_table.faults.plan import NO_FAULTS, TablePlan
from virtual_table.play.clock import HostClock
from virtual_table.readers.attended import Attended
from virtual_table.readers.device import SerialDevice
from virtual_table.readers.reader import VirtualReader
from virtual_table.readers.server import ReaderServer
from virtual_table.run.part_faults import PartFaults, check_live, needs_line
from virtual_table.run.run_table import RunFiles, runtime_table, write_table
from virtual_table.run.slow_line import SlowLine
from virtual_table.run.table_faults import CameraFaults, ReaderFaults, TableFaults
from virtual_table.run.world_process import DEVICE, Attendance, PartMissing, Senses, virtual_readers
from virtual_table.table.world import World

SEED = 1
SPARE_CHIPS = 400
READY_WAIT_S = 60.0
DEALER_HASTE = 3.0
WHOLE_WAIT_S = 30.0
"""So long after its faults the table may take until all its sensors are there again."""
OF_SENSORS = ("bridge-down", "reader-down", "camera-down")


def check_plan(plan: TablePlan) -> None:
    """Raises SettingsError for what cannot be done to real programs."""
    check_live(plan, external=False)


def act_out_all(cases: Iterable[Case], faults: TablePlan = NO_FAULTS) -> Iterator[Result]:
    """Acts cases out one after another at one table, each under the faults; raises UserError where its programs do not
    come up.
    """
    cases = tuple(cases)
    played = [case for case in cases if why_not(case) is None]
    with contextlib.ExitStack() as closing:
        table = _started(closing, played, faults) if played else None
        for case in cases:
            skip = why_not(case)
            if skip is not None or table is None:
                yield Result(case, (), skip)
            else:
                yield table.act_out(case)


@dataclass(frozen=True, slots=True)
class _RealTable:
    """A table that is running, who plays cases at it, and what strikes it during each."""

    settings: TableSettings
    player: CasePlayer
    link: CaseLink
    strikes: TableFaults
    faults: TablePlan

    def act_out(self, case: Case) -> Result:
        """Plays a case under its faults, and lets the table come to itself after them."""
        if not self.faults.events:
            return acted_out(case, self.player)
        plan = of_case(self.faults, case).fitted(self.settings)
        with self.strikes.carried_out(plan, self.settings, SEED):
            result = acted_out(case, self.player)
        if not self.link.wait(self._is_whole, WHOLE_WAIT_S):
            raise UserError(f"The table did not come to itself within {WHOLE_WAIT_S:.0f} s of {case.id}.", FAILED)
        return excused(result, lambda: acted_out(case, self.player, faulty=False))

    def _is_whole(self) -> bool:
        return self.link.there and not any(one.code in OF_SENSORS for one in self.link.now.alerts)


def _started(closing: contextlib.ExitStack, cases: list[Case], faults: TablePlan) -> _RealTable:
    """Starts the whole table, and waits until every program of it is there."""
    folder = closing.enter_context(scratch_folder("betline-cases-"))
    files = RunFiles(folder)
    files.ports.mkdir(parents=True)
    chip_set = folder / "chip-set.toml"
    write_chip_set(denominations(cases), chip_set)
    camera_port = free_port()
    seats = frozenset(seat for case in cases for seat in seats_of(case))
    table = runtime_table(
        case_table(chip_set, seats), files, f"http://{LOOPBACK}:{camera_port}/", str(chip_set)
    )  # fmt: skip
    write_table(table, files.table)
    broker = BrokerChoice(url=f"{LOOPBACK}:{free_port()}")
    address, names = broker.address("console"), namespace("cases", table.name)
    behind = free_port() if needs_line(faults) else address.port
    line = SlowLine(address.port, behind) if behind != address.port else None
    if line is not None:
        closing.callback(line.close)
    parts = closing.enter_context(Supervisor(folder, lambda why: print(f"betline: {why}", file=sys.stderr)))
    parts.start("broker", ["broker", "--quiet", "--broker", f"{LOOPBACK}:{behind}"])
    await_broker(parts, address)
    world = World(table, load_chip_set(table.chip_set), SEED, dealer_haste=DEALER_HASTE)
    world.stock_cage(SPARE_CHIPS)
    _write_register(files.register, world)
    readers = ReaderServer(files.ports)
    closing.callback(readers.close)
    attended: dict[str, Attended] = {}

    def wrap(name: str, device: VirtualReader) -> SerialDevice:
        attended[name] = Attended(device, antennas=device.antennas)
        return attended[name]

    standing = faults.model_copy(update={"events": ()})
    virtual_readers(table, world, readers, Senses(missed=0.0, neighbour=0.0), SEED, standing, wrap=wrap)
    camera = MjpegServer(world, table.cameras[0], camera_port, seed=SEED)
    closing.callback(camera.close)
    bus = join(address, names, DEVICE, presence=topic(DEVICE_STATUS, DEVICE))
    closing.callback(bus.close)
    stop = threading.Event()
    clock = HostClock(stop)
    link = CaseLink(bus, clock)
    attendance = Attendance(bus, table)
    common = ["--table", str(files.table), *broker.words(), "--site", names.site, "--id", names.table]
    parts.start("controller", ["controller", *common, "--journal", str(folder / "cases.journal")])
    parts.start("bridge", ["bridge", "run", *common, "--register", str(files.register)])
    parts.start("vision", ["vision", "run", *common, "--rings", str(folder / "rings")])
    try:
        attendance.wait(stop, READY_WAIT_S)
    except PartMissing as error:
        raise UserError(str(error), FAILED) from None
    strikes = TableFaults(ReaderFaults(readers, attended, SEED), CameraFaults(camera), PartFaults(parts, line))
    player = CasePlayer(world, link, clock, None if faults == NO_FAULTS else table)
    return _RealTable(table, player, link, strikes, faults)


def _write_register(path: Path, world: World) -> None:
    lines = [json.dumps({"uid": chip.uid, "chip_type": chip.key}) for chip in world.chips()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
