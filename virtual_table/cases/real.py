"""Cases through real processes: one table for all, with pseudo-terminals, bridge, drawn frames, broker, controller.

This process owns the world, as `betline world` does in a demonstration, and its dealer plays the cases.
"""

from __future__ import annotations

import contextlib
import json
import sys
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

from betline.broker import LOOPBACK, free_port
from betline.cases import Case, Result
from betline.joining import BrokerChoice, join
from betline.options import FAILED, UserError, namespace
from betline.readiness import await_broker
from betline.scratch import scratch_folder
from betline.settings import load_chip_set
from betline.supervise import Supervisor
from betline.topics import DEVICE_STATUS, topic
from virtual_table.camera import MjpegServer
from virtual_table.cases.acted import acted_out
from virtual_table.cases.chip_set import case_table, denominations, seats_of, write_chip_set
from virtual_table.cases.listening import CaseLink
from virtual_table.cases.player import CasePlayer
from virtual_table.cases.skipping import why_not
from virtual_table.play.clock import HostClock
from virtual_table.readers.server import ReaderServer
from virtual_table.run.run_table import RunFiles, runtime_table, write_table
from virtual_table.run.world_process import DEVICE, Attendance, PartMissing, Senses, virtual_readers
from virtual_table.table.world import World

SEED = 1
SPARE_CHIPS = 400
READY_WAIT_S = 60.0
DEALER_HASTE = 3.0


def act_out_all(cases: Iterable[Case]) -> Iterator[Result]:
    """Acts cases out one after another at one table; raises UserError where its programs do not come up."""
    cases = tuple(cases)
    played = [case for case in cases if why_not(case) is None]
    with contextlib.ExitStack() as closing:
        player = _player(closing, played) if played else None
        for case in cases:
            skip = why_not(case)
            if skip is not None or player is None:
                yield Result(case, (), skip)
            else:
                yield acted_out(case, player)


def _player(closing: contextlib.ExitStack, cases: list[Case]) -> CasePlayer:
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
    parts = closing.enter_context(Supervisor(folder, lambda why: print(f"betline: {why}", file=sys.stderr)))
    parts.start("broker", ["broker", "--quiet", "--broker", str(address)])
    await_broker(parts, address)
    world = World(table, load_chip_set(table.chip_set), SEED, dealer_haste=DEALER_HASTE)
    world.stock_cage(SPARE_CHIPS)
    _write_register(files.register, world)
    readers = ReaderServer(files.ports)
    closing.callback(readers.close)
    virtual_readers(table, world, readers, Senses(missed=0.0, neighbour=0.0), SEED)
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
    return CasePlayer(world, link, clock)


def _write_register(path: Path, world: World) -> None:
    lines = [json.dumps({"uid": chip.uid, "chip_type": chip.key}) for chip in world.chips()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
