"""The suite `record`: a site catches up with tables that wrote for a day, while another table plays on.

Real parts all through: an embedded PostgreSQL, mosquitto where it is installed and else our own broker,
`betline journal serve` for each table, and `betline site record`, each a process of its own. The journals are those of
the suite `journal`, hands that the real session played, written by the real store. Beside them one more table's journal
grows by a command every tenth of a second, and how long its entries take to their rows is measured.
"""

from __future__ import annotations

import json as form
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice
from os import getloadavg, sysconf
from pathlib import Path
from statistics import median, quantiles
from typing import Final

from betline.bench import Figure, Progress, Report
from betline.broker import free_port
from betline.options import UserError
from cardroom.record.embedded import Embedded
from cardroom.record.errors import RecordError
from cardroom.record.store import Store
from table_controller.journal.store import Journal
from table_controller.tools.bench.journal import BEGAN_MS, Evening, Hand

TABLES: Final = 2
HANDS, FULL_HANDS = 1_500, 8_000
PLAYED: Final = 100
"""Hands that the session really plays; the others of a journal are the same ones again."""
TARGET: Final = 20_000
"""Entries a second."""
LIVE: Final = "live"
"""The table that plays on."""
LIVE_PAUSE_S: Final = 0.1
LONGEST_S: Final = 600


def measure(progress: Progress, *, full: bool) -> Report:
    """Writes the journals, records them, and says how fast and how late."""
    hands = FULL_HANDS if full else HANDS
    with tempfile.TemporaryDirectory(prefix="betline-bench-") as name, ExitStack() as stack:
        folder = Path(name)
        progress.at(0, 4, f"writing {TABLES} journals of {hands} hands")
        played = list(islice(Evening().hands(), PLAYED))
        written = sum(_written(folder, f"t{number}", played, hands) for number in range(TABLES))
        live = stack.enter_context(_LivePlay(folder, played))
        server = stack.enter_context(Embedded(folder / "database"))
        address = stack.enter_context(_broker(folder))
        words = ("--table", "home-six", "--broker", address)
        processes = []
        for table in (*(f"t{number}" for number in range(TABLES)), LIVE):
            file = str(folder / table / "x.journal")
            program = _program("journal", "serve", *words, "--id", table, "--journal", file)
            processes.append(stack.enter_context(program))
        progress.at(1, 4, "catching up")
        before = getloadavg()[0]
        recording = ("--broker", address, "--data", str(folder / "database"), "--zone", "UTC")
        processes.append(stack.enter_context(_program("site", "record", *recording)))
        rate, seconds = _caught_up(server.url, written)
        load = getloadavg()[0]
        used_us = 1e6 * sum(_processor_s(one.pid) for one in processes) / written
        progress.at(2, 4, "a table that plays on")
        late_ms = live.late_ms(server.url, 10.0)
        progress.at(3, 4, "checking every row")
        ok = form.loads(_said("site", "verify", "--alone", "--data", str(folder / "database"), "--json"))["ok"]
    if not ok:
        raise UserError("What was recorded does not hold: this is a fault of the recorder.")
    p50, p95 = median(late_ms), quantiles(late_ms, n=20)[-1]
    json = {
        "entries": written, "seconds": round(seconds, 2), "entries_per_s": round(rate), "tables": TABLES,
        "entry_to_row_ms": {"p50": round(p50), "p95": round(p95)}, "load_before": round(before, 1),
        "load_after": round(load, 1), "processor_us_per_entry": round(used_us, 1),
    }  # fmt: skip
    figures = (
        Figure("entries recorded a second", f"{rate:.0f}", f"{TARGET} or more", rate >= TARGET),
        Figure("processor time an entry, tables and recorder without PostgreSQL", f"{used_us:.0f} us"),
        Figure("from an entry to its row, p50 and p95", f"{p50:.0f} and {p95:.0f} ms"),
    )
    said = (
        f"{written} entries of {TABLES} tables in {seconds:.1f} s beside a table that plays; load of the machine "
        f"{before:.1f} before and {load:.1f} after; every row was verified afterwards."
    )
    return Report(json, figures, (said,))


def _written(folder: Path, table: str, played: Sequence[Hand], hands: int) -> int:
    """A day's journal of a table, a hand a transaction; gives how many entries it has."""
    journal = Journal.open(folder / table / "x.journal", f"home/{table}", BEGAN_MS, 1, key=folder / "key")
    at_ms = time.time_ns() // 1_000_000 - 86_400_000
    for number in range(hands):
        hand = played[number % len(played)]
        journal.append([entry for command in hand for entry in command], at_ms + number * 1000, number)
    journal.close()
    return journal.head.seq


class _LivePlay:
    """A table that goes on writing, a command at a time; a context manager."""

    def __init__(self, folder: Path, played: Sequence[Hand]) -> None:
        self._journal = Journal.open(folder / LIVE / "x.journal", f"home/{LIVE}", BEGAN_MS, 1, key=folder / "key")
        self._commands = [command for hand in played for command in hand]
        self._stop = threading.Event()
        self._wrote: dict[int, float] = {}
        self._thread = threading.Thread(target=self._play, daemon=True)

    def __enter__(self) -> _LivePlay:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self._journal.close()

    def _play(self) -> None:
        number = 0
        while not self._stop.wait(LIVE_PAUSE_S):
            self._journal.append(self._commands[number % len(self._commands)], time.time_ns() // 1_000_000, number)
            self._wrote[self._journal.head.seq] = time.monotonic()
            number += 1

    def late_ms(self, url: str, seconds: float) -> list[float]:
        """How long entries took from the journal to the database, while it is looked at for some seconds."""
        found: dict[int, float] = {}
        began_s = time.monotonic()
        with Store(url) as store:
            while time.monotonic() - began_s < seconds:
                there = max((kept.place.seq for kept in store.journals(LIVE)), default=0)
                now_s = time.monotonic()
                for seq, at_s in tuple(self._wrote.items()):
                    if seq <= there and at_s > began_s and seq not in found:
                        found[seq] = 1000 * (now_s - at_s)
                time.sleep(0.005)
        if len(found) < 2:
            raise UserError("No entry of the table that plays came into the database: the machine is too busy.")
        return list(found.values())


def _caught_up(url: str, wanted: int) -> tuple[float, float]:
    """Entries a second, from the first row that is seen until all are there, and how long that took."""
    first: tuple[float, int] | None = None
    until_s = time.monotonic() + LONGEST_S
    with _opened(url, until_s) as store:
        while time.monotonic() < until_s:
            rows = sum(kept.place.seq for kept in store.journals() if kept.table != LIVE)
            now_s = time.monotonic()
            if rows and first is None:
                first = (now_s, rows)
            if rows >= wanted and first is not None:
                return (rows - first[1]) / (now_s - first[0]), now_s - first[0]
            time.sleep(0.02)
    raise UserError(f"The tables were not recorded within {LONGEST_S} s: the machine is too busy.")


def _opened(url: str, until_s: float) -> Store:
    """The database, as soon as the recorder has made it."""
    while True:
        try:
            return Store(url)
        except RecordError:
            if time.monotonic() > until_s:
                raise UserError("The recorder did not begin: the machine is too busy.") from None
            time.sleep(0.02)


@contextmanager
def _broker(folder: Path) -> Iterator[str]:
    address = f"127.0.0.1:{free_port()}"
    program = shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin")
    if program is None:
        line = [sys.executable, "-m", "betline", "broker", "--quiet", "--broker", address]
    else:
        line = [program, "-p", address.rpartition(":")[2]]
    with (folder / "broker.log").open("wb") as log, subprocess.Popen(line, stdout=log, stderr=log) as process:
        try:
            yield address
        finally:
            process.terminate()


@contextmanager
def _program(*words: str) -> Iterator[subprocess.Popen[bytes]]:
    line = [sys.executable, "-m", "betline", *words]
    with subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.terminate()


def _processor_s(process: int) -> float:
    """The processor time of a process, its start with it (proc(5))."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / sysconf("SC_CLK_TCK")


def _said(*words: str) -> str:
    line = [sys.executable, "-m", "betline", *words]
    return subprocess.run(line, capture_output=True, text=True, check=False).stdout
