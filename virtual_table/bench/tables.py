"""The suite `tables`: how many tables one host and one broker carry, and what a table costs.

One broker and a controller for each table are processes of their own; as in the suite `bus`, this program is bridge and
console of them all, here in processes of their own too, so that they wait for each other as little as can be. At each
table people call, street by street, without a pause. A table's six readers publish as often as those of a quiet table
do, some 27 snapshots a second. Taken is the time from the last byte of the reading that settles an act to its
announcement, and how much of it the journal took to have the act on the disk. Tables are added until it is too slow,
or until there are as many as were asked for. What the processes that play bridge
and console cost is not counted, but they need the same machine.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from betline.bench import Figure, Progress, Report
from betline.broker import LOOPBACK, free_port
from betline.options import Address, UserError, namespace
from betline.readiness import await_broker, await_controller
from betline.scratch import scratch_folder
from betline.supervise import Supervisor, as_worker
from virtual_table.bench.bus import TABLE, Found, Table, mosquitto_if
from virtual_table.bench.start_up import controller_line
from virtual_table.play.report import quantiles

TAKES: Final = ("tables",)
STEPS: Final = (1, 2, 5, 10, 20, 50, 100, 200)
TABLES, FULL_TABLES = 20, 200
ACTS_OF_ALL: Final = 30
"""So many acts are timed at a step, spread over its tables; each has three at least."""
LEAST_ACTS: Final = 3
ROUND_S: Final = 0.22
TARGET_MS: Final = 20.0
TOO_SLOW_MS: Final = 500.0
TABLES_A_PROCESS: Final = 25
TICKS: Final = os.sysconf("SC_CLK_TCK")


class Drive(NamedTuple):
    """Some tables that one process plays: where, which, and how many acts at each."""

    host: str
    port: int
    numbers: tuple[int, ...]
    acts: int


@dataclass(frozen=True, slots=True)
class Step:
    """What so many tables cost: times, acts without a ruling, cores and memory of controllers and broker."""

    tables: int
    ms: Mapping[str, float | None]
    disk_ms: Mapping[str, float | None]
    acts: int
    unruled: int
    controllers_cores: float
    broker_cores: float
    controllers_mb: float
    broker_mb: float

    @property
    def good(self) -> bool:
        """Whether every act was ruled, and the slow ones in time too."""
        p95 = self.ms["p95"]
        return not self.unruled and p95 is not None and p95 < TARGET_MS


def measure(progress: Progress, *, full: bool = False, tables: int | None = None) -> Report:
    """Adds tables step by step; raises UserError where the parts do not start."""
    most = tables or (FULL_TABLES if full else TABLES)
    steps = (*[step for step in STEPS if step < most], most)
    broker = "mosquitto" if shutil.which("mosquitto") else "embedded"
    found: list[Step] = []
    with _house(broker) as house:
        for number, count in enumerate(steps):
            progress.at(number, len(steps), f"{count} table{'' if count == 1 else 's'} on {broker}")
            house.grow(count)
            found.append(house.play(count))
            p95 = found[-1].ms["p95"]
            if p95 is None or p95 > TOO_SLOW_MS:
                break
    return report(found, broker, most)


class _House:
    """A broker and its controllers, as many as were started so far."""

    def __init__(self, parts: Supervisor, address: Address, broker_pid: int, folder: Path) -> None:
        self._parts, self._address, self._broker, self._folder = parts, address, broker_pid, folder
        self._controllers: list[int] = []

    def grow(self, tables: int) -> None:
        """Starts the controllers that are missing."""
        starting = range(len(self._controllers) + 1, tables + 1)
        for number in starting:
            own = self._folder / _name(number)
            own.mkdir()
            part = self._parts.start(_name(number), controller_line(TABLE, self._address, own, _name(number)))
            assert part.process is not None
            self._controllers.append(part.process.pid)
        for number in starting:
            await_controller(self._parts, self._address, namespace("home", _name(number)))

    def play(self, tables: int) -> Step:
        """Plays at all tables and measures what that costs."""
        acts = max(LEAST_ACTS, -(-ACTS_OF_ALL // tables))
        numbers = tuple(range(1, tables + 1))
        size = max(1, min(TABLES_A_PROCESS, -(-tables // 2)))
        drives = [
            Drive(self._address.host, self._address.port, numbers[at : at + size], acts)
            for at in range(0, tables, size)
        ]
        with ProcessPoolExecutor(len(drives), multiprocessing.get_context("spawn"), as_worker) as pool:
            list(pool.map(_ready, drives))
            spent, begun = self._spent_s(), time.monotonic()
            played = list(pool.map(drive, drives))
            took_s = time.monotonic() - begun
            used = {name: (now - spent[name]) / took_s for name, now in self._spent_s().items()}
        ms = [one for found in played for one in found.ms]
        return Step(
            tables,
            quantiles(ms),
            quantiles([one for found in played for one in found.disk_ms]),
            len(ms),
            sum(found.unruled for found in played),
            used["controllers"],
            used["broker"],
            sum(memory_mb(pid) for pid in self._controllers),
            memory_mb(self._broker),
        )

    def _spent_s(self) -> dict[str, float]:
        return {"controllers": sum(map(processor_s, self._controllers)), "broker": processor_s(self._broker)}


def _ready(_: Drive) -> int:
    """Starts a process of the pool before the clock runs."""
    return os.getpid()


def drive(order: Drive) -> Found:
    """Plays bridge and console of some tables; returns the times of all acts, and how many were not ruled."""
    with ThreadPoolExecutor(len(order.numbers)) as pool:
        every = list(pool.map(lambda number: _one(order, number), order.numbers))
    return Found(
        [ms for found in every for ms in found.ms],
        [ms for found in every for ms in found.disk_ms],
        sum(found.unruled for found in every),
    )


def _one(order: Drive, number: int) -> Found:
    time.sleep(ROUND_S * (number % 20) / 20)  # tables do not read in step
    table = Table(Address(order.host, order.port), namespace("home", _name(number)), round_s=ROUND_S, spread=True)
    try:
        return table.played(order.acts)
    finally:
        table.close()


def _name(number: int) -> str:
    return f"table-{number}"


def processor_s(pid: int) -> float:
    """What a process has used of the processor so far."""
    after_name = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / TICKS


def memory_mb(pid: int) -> float:
    """What a process has of the memory, that which it shares divided among those who do."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024 / 1e6


@contextmanager
def _house(broker: str) -> Iterator[_House]:
    address = Address(LOOPBACK, free_port())
    with (
        scratch_folder("betline-tables-") as folder,
        Supervisor(folder) as parts,
        mosquitto_if(broker, address) as mosquitto,
    ):
        process: subprocess.Popen[bytes] | None = mosquitto
        if process is None:
            process = parts.start("broker", ["broker", "--quiet", "--broker", str(address)]).process
        await_broker(parts, address)
        assert process is not None
        yield _House(parts, address, process.pid, folder)


def report(found: Sequence[Step], broker: str, wanted: int) -> Report:
    """The figures of all steps, and what one table more costs."""
    if not found:
        raise UserError("No table was played.")
    carried = max((step.tables for step in found if step.good), default=0)
    first, last = found[0], found[-1]
    document: dict[str, Any] = {
        "broker": broker,
        "carried": carried,
        "p50_ms_by_tables": {str(step.tables): step.ms["p50"] for step in found},
        "p95_ms_by_tables": {str(step.tables): step.ms["p95"] for step in found},
        "disk_p50_ms_by_tables": {str(step.tables): step.disk_ms["p50"] for step in found},
        "disk_p95_ms_by_tables": {str(step.tables): step.disk_ms["p95"] for step in found},
        "unruled": sum(step.unruled for step in found),
        "acts": sum(step.acts for step in found),
        "controllers_core_share_by_tables": {str(step.tables): round(step.controllers_cores, 3) for step in found},
        "broker_core_share_by_tables": {str(step.tables): round(step.broker_cores, 3) for step in found},
        "controllers_mb_by_tables": {str(step.tables): round(step.controllers_mb, 1) for step in found},
        "broker_mb_by_tables": {str(step.tables): round(step.broker_mb, 1) for step in found},
    }
    figures = [
        Figure(
            f"{step.tables} table{'' if step.tables == 1 else 's'}: settled to announced, ms p50/p95",
            f"{step.ms['p50']}/{step.ms['p95']}",
            "p95 < 20",
            step.good,
        )
        for step in found
    ]
    figures += [
        Figure(
            f"{step.tables} table{'' if step.tables == 1 else 's'}: of it the journal's disk, ms p50/p95",
            f"{step.disk_ms['p50']}/{step.disk_ms['p95']}",
        )
        for step in found
    ]
    figures.append(Figure("tables carried within that", str(carried)))
    if last.tables > first.tables:
        more = last.tables - first.tables
        cost = {
            "controller_core_share": (last.controllers_cores - first.controllers_cores) / more,
            "broker_core_share": (last.broker_cores - first.broker_cores) / more,
            "controller_mb": (last.controllers_mb - first.controllers_mb) / more,
            "broker_mb": (last.broker_mb - first.broker_mb) / more,
        }
        document["a_table_more"] = {name: round(value, 4) for name, value in cost.items()}
        figures.append(
            Figure(
                "a table more: controller, broker",
                f"{cost['controller_core_share']:.1%} and {cost['broker_core_share']:.1%} of a core, "
                f"{cost['controller_mb']:.0f} and {cost['broker_mb']:.1f} MB",
            )
        )
    ended = "" if last.tables == wanted else f" It ended before {wanted} tables, as it was too slow."
    counted = f"{document['acts']} acts on {broker}, {document['unruled']} of them not ruled.{ended}"
    return Report(document, tuple(figures), (counted,))
