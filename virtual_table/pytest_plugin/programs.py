"""The real programs that a test may have: a broker, and a controller on it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from betline.broker import LOOPBACK, free_port
from betline.bus import Bus
from betline.joining import join
from betline.messages.common import Reply
from betline.messages.table import Alert, Ruling, TableState
from betline.options import Address, UserError
from betline.readiness import await_broker, await_controller
from betline.settings import TableSettings
from betline.steps import CommandError, read_command
from betline.supervise import Part, Supervisor
from betline.topics import Namespace
from virtual_table.play.clock import HostClock
from virtual_table.play.link import ControllerLink
from virtual_table.pytest_plugin.failures import LabError
from virtual_table.run.run_table import write_table

SITE: Final = "lab"
STATE_S: Final = 0.5
"""A command that is answered shows in the state within this time, if it shows at all."""
MOSQUITTO: Final = "mosquitto"
EMBEDDED: Final = "embedded"
_SBIN: Final = "/usr/sbin:/usr/local/sbin"
_MOSQUITTO_CONF: Final = """\
listener {port} {host}
allow_anonymous true
set_tcp_nodelay true
max_queued_messages 0
"""
_ANY_TABLE: Final = Namespace(SITE, "any")


@dataclass(frozen=True, slots=True)
class BrokerProgram:
    """A broker on this machine that admits everybody."""

    host: str
    port: int

    @property
    def url(self) -> str:
        """``127.0.0.1:PORT``, as the option --broker of every program takes it."""
        return f"{self.host}:{self.port}"

    @property
    def address(self) -> Address:
        """The same as our programs have it."""
        return Address(self.host, self.port)


def start_broker(which: str, folder: Path, closing: ExitStack) -> BrokerProgram:
    """A broker: `embedded`, `mosquitto`, or HOST:PORT of one that is there; raises LabError where it cannot be had.

    Its log is in the folder; `closing` ends it.
    """
    if which not in (EMBEDDED, MOSQUITTO):
        return _there(which, folder)
    broker = BrokerProgram(LOOPBACK, free_port())
    parts = closing.enter_context(Supervisor(folder))
    if which == EMBEDDED:
        parts.start("broker", ["broker", "--quiet", "--broker", broker.url])
    else:
        _start_mosquitto(broker, folder, closing)
    _await(lambda: await_broker(parts, broker.address))
    return broker


def _there(which: str, folder: Path) -> BrokerProgram:
    host, _, port = which.rpartition(":")
    if not host or not port.isdigit():
        raise LabError(f"--betline-broker {which} cannot be read; give embedded, mosquitto or HOST:PORT.")
    broker = BrokerProgram(host, int(port))
    with Supervisor(folder) as parts:
        _await(lambda: await_broker(parts, broker.address))
    return broker


def _start_mosquitto(broker: BrokerProgram, folder: Path, closing: ExitStack) -> None:
    program = shutil.which(MOSQUITTO) or shutil.which(MOSQUITTO, path=_SBIN)
    if program is None:
        raise LabError("mosquitto is not installed (apt install mosquitto): leave --betline-broker out.")
    config = folder / "mosquitto.conf"
    config.write_text(_MOSQUITTO_CONF.format(host=broker.host, port=broker.port), encoding="utf-8")
    log = closing.enter_context((folder / "mosquitto.log").open("ab"))
    process = subprocess.Popen([program, "-c", str(config)], stdout=log, stderr=log)
    closing.callback(process.wait)
    closing.callback(process.terminate)


def _await(wait: Callable[[], None]) -> None:
    try:
        wait()
    except UserError as error:
        raise LabError(str(error)) from None


def controller_line(table: Path, broker: BrokerProgram, names: Namespace, folder: Path) -> list[str]:
    """The command line of a controller that leaves nothing outside of a folder."""
    return [
        "controller", *bus_words(table, broker, names), "--journal", str(folder / "table.journal"),
        "--key", str(folder / "journal.key"), "--people", str(folder / "people.toml"),
        "--deck", str(folder / "deck.toml"),
    ]  # fmt: skip


def bus_words(table: Path, broker: BrokerProgram, names: Namespace) -> list[str]:
    """The options by which a program finds table and bus."""
    return ["--table", str(table), "--broker", broker.url, "--site", names.site, "--id", names.table]


class ControllerProgram:
    """A real controller on a broker, and a client beside it that sends commands and hears what it says."""

    def __init__(
        self, table: TableSettings, broker: BrokerProgram, names: Namespace, folder: Path, closing: ExitStack
    ) -> None:
        """Starts it and waits until it is online; `closing` ends it. Raises LabError with its last words."""
        self.broker = broker
        self.table = table
        self.names = names
        self.table_file = folder / "table.toml"
        write_table(table, self.table_file)
        self._parts = closing.enter_context(Supervisor(folder))
        self._parts.start("controller", controller_line(self.table_file, broker, names, folder))
        _await(lambda: await_controller(self._parts, broker.address, names))
        self.bus: Bus = join(broker.address, names, "console")
        closing.callback(self.bus.close)
        self.link = ControllerLink(self.bus, HostClock())
        if not self.link.wait(lambda: self.link.state is not None, 20.0):
            raise LabError(f"The controller told no state; see {self._parts.log_of('controller')}.")

    @property
    def words(self) -> list[str]:
        """The options by which a program of yours, or `betline console`, finds this table."""
        return bus_words(self.table_file, self.broker, self.names)

    @property
    def state(self) -> TableState:
        """What it shows."""
        state = self.link.state
        assert state is not None
        return state

    @property
    def rulings(self) -> list[Ruling]:
        """The rulings that were heard."""
        return self.link.rulings()

    @property
    def alerts(self) -> list[Alert]:
        """The alerts that were heard."""
        return self.link.alerts()

    def keys(self, verb: str, **args: Any) -> Reply:
        """Sends a command and waits for the answer; raises LabError for a command that there is not."""
        return key(self.link, verb, args)

    def wait(self, holds: Callable[[], bool], within_s: float = 10.0) -> bool:
        """Waits until something holds after something was heard; False where it does not in that time."""
        return self.link.wait(holds, within_s)

    def kill(self) -> None:
        """Kills it; its supervisor starts it again, and it goes on from its journal."""
        kill_part(self._parts.parts[0])


def key(link: ControllerLink, verb: str, args: dict[str, Any]) -> Reply:
    """Sends a command by its verb and waits for the answer, and for the state that it led to, which comes after it.

    Raises LabError for a command that there is not.
    """
    try:
        command = read_command(verb, args)
    except CommandError as error:
        raise LabError(str(error)) from None
    before = _entries(link)
    reply = link.command(command)
    if reply.ok:
        link.wait(lambda: _entries(link) > before, STATE_S)
    return reply


def _entries(link: ControllerLink) -> int:
    """How many entries the journal had when the newest state was told."""
    return 0 if link.state is None else link.state.journal_seq


def kill_part(part: Part) -> None:
    """Kills a program that a supervisor keeps running."""
    if part.process is not None:
        part.process.kill()
