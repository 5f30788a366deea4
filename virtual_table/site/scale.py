"""The suite `site`: what a site costs by its tables, and how long a table's entry takes to its row.

Real are the brokers (mosquittos as `betline provision site` makes them, a pit for each twenty tables, bridged with TLS,
accounts and access lists), `betline site record` with its PostgreSQL, and `betline floor` on a terminal. Light are the
tables (`virtual_table.site.light_tables`): they say what a simulated table has said and answer for a journal in memory.
At each step tables are added to those that play; then all that is measured is measured in the same stretch of time.
"""

from __future__ import annotations

import bisect
import contextlib
import multiprocessing
import os
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Final

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from betline.bench import Progress, Report
from betline.broker import LOOPBACK
from betline.options import FAILED, UserError
from betline.scratch import scratch_folder
from betline.units import NS_PER_S
from cardroom.record.embedded import Embedded
from virtual_table.bench.floor import on_terminal
from virtual_table.bench.tables import memory_mb, processor_s
from virtual_table.play.report import quantiles
from virtual_table.site.evening import SiteEvening, play_site_evening
from virtual_table.site.house import FIGURES, SITE, House
from virtual_table.site.light_tables import BEGIN, END, TELL, Counts, Order, play_light_tables
from virtual_table.site.needs import Play
from virtual_table.site.scale_report import Step, report, too_small

TAKES: Final = ("tables",)
SEVERAL: Final = ("tables",)
STEPS, FULL_STEPS = (1, 10, 50), (1, 10, 50, 200)
TABLE: Final = "home-six"
HANDS: Final = 6
A_PIT: Final = 20
A_PROCESS: Final = 25
SAMPLED: Final = 20
"""Of so many tables, spread over all, the entries are followed to their rows."""
WATCHED_S, FULL_WATCHED_S = 20.0, 60.0
SETTLES_S: Final = 4.0
COMES_S: Final = 180.0
LAST_ROWS_S: Final = 5.0
LOOK_S: Final = 0.01
"""How often the database is asked how far the sampled tables are recorded: their times are up to this too long."""


def measure(progress: Progress, *, full: bool = False, tables: int | tuple[int, ...] | None = None) -> Report:
    """Adds tables step by step; raises UserError where the parts do not start."""
    steps = (FULL_STEPS if full else STEPS) if tables is None else (tables,) if isinstance(tables, int) else tables
    watched_s = FULL_WATCHED_S if full else WATCHED_S
    total = len(steps) + 2
    progress.at(0, total, "an evening is played in simulated time")
    evening = play_site_evening(TABLE, HANDS, seed=1)
    progress.at(1, total, f"logins and brokers of {steps[-1]} tables are made")
    found: list[Step] = []
    refused = ""
    with (
        scratch_folder("betline-site-") as folder,
        House(folder, steps[-1], A_PIT, measured=True) as house,
        _Site(house, evening) as site,
    ):
        for number, count in enumerate(steps, 2):
            refused = too_small(found, count, _available_mb())
            if refused:
                break
            progress.at(number, total, f"{count} table{'' if count == 1 else 's'}")
            try:
                site.grow(count)
            except UserError as error:
                refused = f"{count} tables were not brought up: {error}"
                break
            found.append(site.watch(watched_s))
        bytes_an_entry = site.bytes_an_entry() if found else 0.0
    if not found:
        raise UserError(refused or "No step was measured.", FAILED)
    play = Play(evening.hands_an_hour, evening.entries / evening.hands, bytes_an_entry)
    return report(found, refused, play, A_PIT)


@dataclass(slots=True)
class _Process:
    """A process of light tables."""

    process: BaseProcess
    control: Connection

    def asked(self, word: str) -> Counts | None:
        """Its answer to a word, or None where it says only that it is ready."""
        if word:
            self.control.send(word)
        if not self.control.poll(COMES_S):
            raise UserError("the light tables did not come up: the machine is too busy.", FAILED)
        answer: Counts | None = self.control.recv()
        return answer


class _Site:
    """The programs of a measured site; a context manager."""

    def __init__(self, house: House, evening: SiteEvening) -> None:
        self._house, self._evening = house, evening
        self._stack = ExitStack()
        self._playing: list[_Process] = []
        self._pits: list[str] = []
        self._tables: list[str] = []
        self._sampled: list[str] = []

    def __enter__(self) -> _Site:
        with ExitStack() as stack:
            self._recorder = self._house.start_recorder()
            self._database = stack.enter_context(Embedded(self._house.folder / "data"))
            self._empty_bytes = self._ask("SELECT pg_database_size(current_database())")
            self._floor, _ = stack.enter_context(on_terminal(*self._house.at_the_site()))
            self._broker = stack.enter_context(_BrokerFigures(self._house))
            stack.callback(self._end_tables)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def grow(self, tables: int) -> None:
        """Starts the tables that are missing, with the brokers of their pits, until all of them are recorded."""
        orders: list[Order] = []
        apart = max(1, tables // SAMPLED)
        for pit in self._house.site.pits:
            for table in pit.tables:
                number = int(table.name.rpartition("-")[2])
                if not len(self._tables) < number <= tables:
                    continue
                if pit.name not in self._pits:
                    self._house.start_broker(pit.name)
                    self._pits.append(pit.name)
                login = self._house.folder / pit.name / table.name
                orders.append(Order(table.name, pit.port, login, number % apart == 0))
        self._tables += [one.table for one in orders]
        self._sampled += [one.table for one in orders if one.sampled]
        context = multiprocessing.get_context("spawn")
        starting = []
        for first in range(0, len(orders), A_PROCESS):
            ours, theirs = context.Pipe()
            one = context.Process(
                target=play_light_tables,
                args=(self._evening, SITE, tuple(orders[first : first + A_PROCESS]), theirs),
                daemon=True,
            )
            one.start()
            starting.append(_Process(one, ours))
        self._playing += starting
        for each in starting:
            each.asked("")
        until_s = time.monotonic() + COMES_S
        while self._ask("SELECT count(*) FROM journal WHERE seq > 0", 0) < tables:
            if time.monotonic() > until_s:
                raise UserError(f"not all were recorded within {COMES_S:.0f} s.", FAILED)
            time.sleep(0.2)
        time.sleep(SETTLES_S)

    def watch(self, seconds: float) -> Step:
        """Measures everything in one stretch of time."""
        with _Rows(self._database.url, self._sampled) as rows:
            for one in self._playing:
                one.control.send(BEGIN)
            began_s, before, broker = time.monotonic(), self._spent_s(), self._broker.now()
            waited_before = self._waited_s()
            time.sleep(seconds)
            counts = [one.asked(TELL) for one in self._playing]
            took_s, after, broker_after = time.monotonic() - began_s, self._spent_s(), self._broker.now()
            waited = {name: (now - waited_before[name]) / took_s for name, now in self._waited_s().items()}
            mb = self._memory_mb()
            time.sleep(LAST_ROWS_S)
        if self._floor.poll() is not None:
            raise UserError("betline floor ended by itself.", FAILED)
        told = [one for one in counts if one is not None]
        wrote = [entry for one in told for entry in one.wrote if entry[2] >= began_s]
        to_row = [took for took in (rows.took_ms(*entry) for entry in wrote) if took is not None]
        told_s = broker_after.at_s - broker.at_s
        return Step(
            tables=len(self._tables),
            pits=len(self._pits),
            messages_a_second=sum(one.messages for one in told) / took_s,
            crossing_a_second=sum(one.crossing for one in told) / took_s,
            entries_a_second=sum(one.entries for one in told) / took_s,
            site_broker={name: (broker_after.of[name] - value) / told_s for name, value in broker.of.items()},
            cores={name: (spent - before[name]) / took_s for name, spent in after.items()},
            waited=waited,
            mb=mb,
            to_row_ms=quantiles(to_row),
            entries_timed=len(wrote),
            without_row=len(wrote) - len(to_row),
            late_ms=quantiles([1000 * late for one in told for late in one.late_s])["p95"] or 0.0,
            load=os.getloadavg()[0],
        )

    def bytes_an_entry(self) -> float:
        """What an entry takes in the database, its indexes with it."""
        grown = self._ask("SELECT pg_database_size(current_database())") - self._empty_bytes
        return grown / max(1, self._ask("SELECT count(*) FROM entry"))

    def _processes(self) -> dict[str, list[int]]:
        return {
            "site_broker": [self._house.broker_process("site")],
            "pit_brokers": [self._house.broker_process(pit) for pit in self._pits],
            "recorder": [self._recorder],
            "database": [self._database.process, *children(self._database.process)],
            "floor": [self._floor.pid],
        }

    def _spent_s(self) -> dict[str, float]:
        found = {name: sum(map(processor_s, pids)) for name, pids in self._processes().items()}
        found["database"] += reaped_s(self._database.process)
        return found

    def _waited_s(self) -> dict[str, float]:
        return {name: sum(map(waited_s, pids)) for name, pids in self._processes().items()}

    def _memory_mb(self) -> dict[str, float]:
        found = {name: sum(map(memory_mb, pids)) for name, pids in self._processes().items()}
        found["light_tables"] = sum(memory_mb(one.process.pid or 0) for one in self._playing)
        return found

    def _ask(self, query: str, without: int | None = None) -> int:
        """One number of the database; `without` where the recorder has not made it yet."""
        import psycopg  # noqa: PLC0415 - an extra

        with psycopg.connect(self._database.url) as connection:
            try:
                row = connection.execute(query).fetchone()
            except psycopg.errors.UndefinedTable:
                if without is None:
                    raise
                return without
        return int(row[0]) if row else 0

    def _end_tables(self) -> None:
        for one in self._playing:
            one.control.send(END)
        for one in self._playing:
            one.process.join(10)
            if one.process.is_alive():
                one.process.kill()
                one.process.join()


class _Rows:
    """Asks the database again and again how far the journals of some tables are recorded; a context manager."""

    def __init__(self, url: str, tables: Sequence[str]) -> None:
        self._url, self._tables = url, list(tables)
        self._seen: dict[str, tuple[list[int], list[float]]] = {}
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> _Rows:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        self._thread.join()

    def took_ms(self, table: str, seq: int, at_s: float) -> float | None:
        """From the entry to the first look that found it recorded; None where none did."""
        seqs, times_s = self._seen.get(table, ([], []))
        place = bisect.bisect_left(seqs, seq)
        return None if place == len(seqs) else max(0.0, 1000 * (times_s[place] - at_s))

    def _look(self) -> None:
        import psycopg  # noqa: PLC0415 - an extra

        with psycopg.connect(self._url, autocommit=True) as connection:
            while not self._ending.wait(LOOK_S):
                rows = connection.execute(
                    "SELECT table_name, seq FROM journal WHERE table_name = ANY(%s)", (self._tables,), prepare=True
                ).fetchall()
                now_s = time.monotonic()
                for table, seq in rows:
                    seqs, times_s = self._seen.setdefault(table, ([], []))
                    if not seqs or seq > seqs[-1]:
                        seqs.append(seq)
                        times_s.append(now_s)


@dataclass(frozen=True, slots=True)
class _Told:
    """What the site's broker has counted since its start, and when it said so."""

    at_s: float
    of: Mapping[str, float]


class _BrokerFigures:
    """Listens to what the site's mosquitto tells of itself each second (mosquitto(8)); a context manager.

    Its count of messages is left alone: mosquitto 2.0.11 leaves out those that are to be kept (seen 2026-11-28).
    """

    TOPICS: Final = {"bytes_in": "bytes/received", "bytes_out": "bytes/sent"}

    def __init__(self, house: House) -> None:
        address = house.address(house.site.broker.port, "site", "metrics")
        login = address.login
        assert login is not None
        self._told: dict[str, tuple[float, float]] = {}
        self._client = paho.Client(CallbackAPIVersion.VERSION2, client_id="site-bench")
        self._client.username_pw_set(login.user, login.password())
        context = login.context()
        assert context is not None
        self._client.tls_set_context(context)
        self._client.on_connect = lambda client, *_: client.subscribe(f"{FIGURES}/#")
        self._client.on_message = self._heard
        self._client.connect(LOOPBACK, address.port)

    def __enter__(self) -> _BrokerFigures:
        self._client.loop_start()
        return self

    def __exit__(self, *_: object) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def now(self) -> _Told:
        """The newest of each; raises UserError where the broker says nothing."""
        until_s = time.monotonic() + 15
        while len(self._told) < len(self.TOPICS):
            if time.monotonic() > until_s:
                raise UserError("The site's broker tells nothing of itself: is it a mosquitto 2?", FAILED)
            time.sleep(0.1)
        told = dict(self._told)
        return _Told(max(at_s for at_s, _ in told.values()), {name: value for name, (_, value) in told.items()})

    def _heard(self, _client: paho.Client, _data: Any, message: paho.MQTTMessage) -> None:
        for name, path in self.TOPICS.items():
            if message.topic == f"{FIGURES}/{path}":
                self._told[name] = (time.monotonic(), float(message.payload))


def children(process: int) -> Sequence[int]:
    """The processes that a process has started and that live."""
    return tuple(_children(process))


def _children(process: int) -> Iterator[int]:
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        except OSError:  # it has ended meanwhile
            continue
        if int(fields[1]) == process:
            yield int(folder.name)


def waited_s(process: int) -> float:
    """How long the threads of a process that live were ready to run and had no core (proc(5), schedstat)."""
    found = 0
    for file in Path(f"/proc/{process}/task").glob("*/schedstat"):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            found += int(file.read_text(encoding="ascii").split()[1])
    return found / NS_PER_S


def reaped_s(process: int) -> float:
    """The processor time of children of a process that have ended (proc(5))."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")


def _available_mb() -> float:
    """What the machine could give to programs (proc(5), MemAvailable)."""
    lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")) * 1024 / 1e6
