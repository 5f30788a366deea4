"""A site on this machine: pits on bridged mosquittos, a controller and a history server a table, recorder, database."""

from __future__ import annotations

import contextlib
import datetime
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from betline.broker import LOOPBACK, free_port
from betline.joining import BrokerChoice
from betline.options import FAILED, Address, UserError, namespace
from betline.provision.mosquitto import ACCESS
from betline.provision.site_acts import provide_site
from betline.readiness import await_controller
from betline.settings.site import Pit, Site, SiteBroker, SiteTable
from betline.supervise import Supervisor
from virtual_table.bench.bus import TABLE
from virtual_table.site.cuttable_line import CuttableLine

SITE: Final = "grand"
ZONE: Final = "Europe/Vienna"
FIGURES: Final = "$SYS/broker"
"""Where mosquitto tells of itself (mosquitto(8), "Broker status")."""
LISTENS_S: Final = 30.0
DATABASE_S: Final = 120.0
VERIFIED_S: Final = 120.0
SBIN: Final = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/usr/local/sbin"))


def planned(folder: Path, tables: int, a_pit: int, site_port: int, lines: dict[str, CuttableLine] | None) -> Site:
    """A site of so many tables, so many of them a pit; each pit reaches the site by a line of its own, if any."""
    numbers = range(1, tables + 1)
    pits = []
    for number, first in enumerate(range(0, tables, a_pit), 1):
        name = f"pit-{number}"
        if lines is not None:
            lines[name] = CuttableLine(site_port)
        pits.append(
            Pit(
                name=name,
                hosts=(LOOPBACK,),
                port=free_port(),
                installed_in=str(folder / name / "mosquitto"),
                site_at=f"{LOOPBACK}:{site_port if lines is None else lines[name].port}",
                tables=tuple(SiteTable(name=f"table-{one}", file=TABLE) for one in numbers[first : first + a_pit]),
            )
        )
    own = SiteBroker(hosts=(LOOPBACK,), port=site_port, installed_in=str(folder / "site/mosquitto"))
    return Site(name=SITE, time_zone=ZONE, broker=own, pits=tuple(pits))


@dataclass(slots=True)
class House:
    """All processes of a site; a context manager."""

    folder: Path
    tables: int
    a_pit: int
    measured: bool = False
    """For a measurement: no lines to cut, and of the programs only the site's broker, with figures of its own."""
    lines: dict[str, CuttableLine] = field(default_factory=dict)
    site: Site = field(init=False)
    parts: Supervisor = field(init=False)
    _brokers: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    def __enter__(self) -> House:
        lines = None if self.measured else self.lines
        self.site = planned(self.folder, self.tables, self.a_pit, free_port(), lines)
        provide_site(self.site, self.folder, datetime.datetime.now(datetime.UTC))
        self.parts = Supervisor(self.folder)
        self.parts.__enter__()
        if self.measured:
            with (self.folder / "site/mosquitto" / ACCESS).open("a", encoding="utf-8") as rights:
                rights.write(f"\nuser {SITE}.site.metrics\ntopic read {FIGURES}/#\n")
            self.start_broker("site")
            return self
        for name in ("site", *(pit.name for pit in self.site.pits)):
            self.start_broker(name)
        for pit in self.site.pits:
            for table in pit.tables:
                self._start_table(pit, table.name)
        for pit in self.site.pits:
            for table in pit.tables:
                address = self.address(pit.port, f"{pit.name}/{table.name}/console", "console")
                await_controller(self.parts, address, namespace(SITE, table.name))
        self.start_recorder()
        return self

    def __exit__(self, *_exc: object) -> None:
        self.parts.stop()
        for name in tuple(self._brokers):
            self.end_broker(name)
        for line in self.lines.values():
            line.close()

    def address(self, port: int, login: str, account: str) -> Address:
        """A broker of the site with the login of one of its accounts."""
        return BrokerChoice(url=f"mqtts://{LOOPBACK}:{port}", login=self.folder / login).address(account)

    def journal(self, table: str) -> Path:
        """Where a table keeps its journal."""
        return self.folder / "tables" / table / f"{table}.journal"

    def start_recorder(self) -> int:
        """Starts the recorder; returns the number of its process."""
        part = self.parts.start("recorder", ["site", "record", *self.at_the_site(), *self.data, "--zone", ZONE])
        assert part.process is not None
        return part.process.pid

    def broker_process(self, name: str) -> int:
        """The number of the process of a pit's broker, or of the site's."""
        return self._brokers[name].pid

    def start_broker(self, name: str) -> None:
        """Starts the mosquitto of a pit, or of the site, on the disk that it had; raises UserError."""
        own, program = self.folder / name, shutil.which("mosquitto", path=SBIN)
        if program is None:
            raise UserError("mosquitto is not installed: apt install mosquitto.", FAILED)
        parts = [own / "mosquitto" / file for file in ("mosquitto.conf", "bridge.conf")]
        made = "".join(part.read_text(encoding="utf-8") for part in parts if part.exists())
        usual = f"persistence_location {own}/\nlog_dest file {own}/mosquitto.log\n"
        usual += "user root\n" if os.geteuid() == 0 else ""
        usual += "sys_interval 1\n" if self.measured else ""
        (own / "main.conf").write_text(usual + made, encoding="utf-8")
        quiet = subprocess.DEVNULL
        self._brokers[name] = subprocess.Popen([program, "-c", str(own / "main.conf")], stdout=quiet, stderr=quiet)
        port = self.site.broker.port if name == "site" else next(pit.port for pit in self.site.pits if pit.name == name)
        until_s = time.monotonic() + LISTENS_S
        while not _listens(port):
            if self._brokers[name].poll() is not None or time.monotonic() > until_s:
                raise UserError(f"The broker of {name} did not start; see {own}/mosquitto.log.", FAILED)
            time.sleep(0.05)

    def end_broker(self, name: str, how: signal.Signals = signal.SIGTERM) -> None:
        """Ends a mosquitto."""
        process = self._brokers.pop(name)
        process.send_signal(how)
        process.wait()

    def kill_database(self) -> None:
        """Kills the recorder's PostgreSQL, once it runs; raises UserError where it does not in time."""
        file = self.folder / "data/postgresql/postmaster.pid"
        until_s = time.monotonic() + DATABASE_S
        while time.monotonic() < until_s:
            with contextlib.suppress(OSError, IndexError, ValueError):
                os.kill(int(file.read_text(encoding="utf-8").split()[0]), signal.SIGKILL)
                return
            time.sleep(0.2)
        raise UserError(f"The recorder has started no database; see {self.parts.log_of('recorder')}.", FAILED)

    def verified(self) -> dict[str, Any]:
        """What `betline site verify` says of the database, held against every table and every journal file."""
        journals = [f"--journal={self.journal(table.name)}" for table in self.site.tables]
        words = ["site", "verify", "--json", *self.at_the_site(), *self.data, *journals]
        line = [sys.executable, "-m", "betline", *words]
        try:
            done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=VERIFIED_S)
            said: dict[str, Any] = json.loads(done.stdout)
        except ValueError:
            return {"ok": False, "rows": 0, "problems": [done.stderr.strip()], "unanswered": []}
        except subprocess.TimeoutExpired:
            late = f"betline site verify did not end in {VERIFIED_S:.0f} s."
            return {"ok": False, "rows": 0, "problems": [late], "unanswered": []}
        return said

    def at_the_site(self) -> list[str]:
        """What says to a program which site it is for, at which broker."""
        return ["--site", SITE, "--broker", f"mqtts://{LOOPBACK}:{self.site.broker.port}",
                "--login", str(self.folder / "site")]  # fmt: skip

    @property
    def data(self) -> list[str]:
        """What says to a program where the database lies."""
        return ["--data", str(self.folder / "data")]

    def _start_table(self, pit: Pit, table: str) -> None:
        own = self.folder / "tables" / table
        own.mkdir(parents=True)
        where = ["--table", TABLE, "--site", SITE, "--id", table, "--broker", f"mqtts://{LOOPBACK}:{pit.port}",
                 "--login", str(self.folder / pit.name / table)]  # fmt: skip
        files = ["--journal", str(self.journal(table))]
        self.parts.start(table, ["controller", *where, *files, "--people", str(own / "people.toml")])
        self.parts.start(f"{table}-history", ["journal", "serve", *where, *files])


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((LOOPBACK, port)) == 0
