"""Two tables of one mosquitto, with the files that `betline provision` makes: each account has its login folder."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from betline.broker import free_port
from betline.provision.acts import Wish, provide
from betline.settings import TableSettings, load_table
from betline.settings.table import Antenna
from betline.topics import Namespace
from tests.mosquitto import HOST, MOSQUITTO, end

WAIT_S = 10
SIX = load_table("home-six")
CARDS = SIX.readers[0].model_copy(update={"id": "reader-board", "antennas": (Antenna(antenna=1, zone="board"),)})
TABLE = SIX.model_copy(update={"readers": (*SIX.readers, CARDS)})
NAMES = Namespace("home", "home-six")
OTHER = Namespace("home", "other")


@dataclass
class House:
    """Two tables of one mosquitto."""

    folder: Path
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def log(self) -> Path:
        return self.folder / "mosquitto.log"

    def start(self) -> None:
        assert MOSQUITTO is not None
        made = (self.folder / "logins/mosquitto/mosquitto.conf").read_text()
        usual = f"persistence_location {self.folder}/\nlog_dest file {self.log}\nlog_type all\n"
        usual += "user root\n" if os.geteuid() == 0 else ""
        (self.folder / "main.conf").write_text(usual + made)
        self.process = subprocess.Popen([MOSQUITTO, "-c", str(self.folder / "main.conf")], stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + WAIT_S
        while not listens(self.port):
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < deadline, "mosquitto does not listen"
            time.sleep(0.02)

    def stop(self) -> None:
        assert self.process is not None
        end(self.process)

    def restart(self) -> None:
        self.stop()
        self.start()

    def login(self, account: str, table: str = "logins") -> Path:
        return self.folder / table / account


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) == 0


def make(folder: Path, table: TableSettings = TABLE) -> House:
    house = House(folder, free_port())
    logins = folder / "logins"
    wish = Wish(hosts=(HOST,), port=house.port, certificates=True, installed_in=str(logins / "mosquitto"), virtual=True)
    provide(table, NAMES, logins, wish, datetime.now(UTC))
    provide(TABLE, OTHER, folder / "other", Wish(shared=logins), datetime.now(UTC))
    house.start()
    return house
