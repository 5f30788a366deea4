"""The suite `bus`: from the reading that settles an act to its ruling, while others flood the bus or do not read.

Broker and controller are processes of their own, with the embedded broker and, where it is installed, mosquitto. This
program is the bridge and the console: it publishes readings by hand, in which chips come to a seat, and takes the time
from the last byte of the reading that settled them to the announcement as it arrives here. Settling is not in it.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import random
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from betline import topics
from betline.bench import Figure, Progress, Report
from betline.broker import LOOPBACK, free_port
from betline.bus import MqttBus, Received
from betline.login import Login
from betline.messages.common import Command, Health, Reply
from betline.messages.devices import ChipEvidence, ZoneChips
from betline.messages.table import Announcement, Event
from betline.options import FAILED, Address, UserError, namespace
from betline.readiness import await_broker, await_controller
from betline.scratch import scratch_folder
from betline.settings import load_table
from betline.supervise import Supervisor
from betline.topics import Namespace, topic
from betline.units import NS_PER_MS
from virtual_table.play.report import quantiles

TABLE: Final = "home-six"
ACTS, FULL_ACTS = 30, 300
TARGET_MS: Final = 20.0
SEATS: Final = 6
ROUND_S: Final = 0.05
SETTLED_ROUNDS: Final = 10
RULED_S: Final = 10.0
REPLY_S: Final = 10.0
REST_S: Final = 60.0
HEALTH_S: Final = 3.0
"""A little longer than the controller takes between two health messages."""
FLOOD_PER_S: Final = 5000
SETUP: Final = {"game": {"limit": "no-limit", "blinds": [1, 2]}, "seats": dict.fromkeys("1234", 200), "button": 1}
CALLS: Final = ((4, 2), (1, 2), (2, 1))
"""Who calls before the flop, and with how many chips of 1; the big blind's option is left."""


class _Silent(Exception):
    """The controller has not answered a key."""


@dataclass(slots=True)
class Found:
    """What was measured in one condition."""

    ms: list[float] = field(default_factory=list)
    disk_ms: list[float] = field(default_factory=list)
    """How long of each the journal took to have it on the disk."""
    unruled: int = 0
    grown_mb: dict[str, float] = field(default_factory=dict)
    dropped: int = 0


def measure(progress: Progress, *, full: bool = False) -> Report:
    """Measures each broker in each condition; raises UserError where the parts do not start."""
    acts = FULL_ACTS if full else ACTS
    brokers = ["embedded", *(["mosquitto"] if shutil.which("mosquitto") else [])]
    found: dict[str, dict[str, Found]] = {}
    total, done = len(brokers) * len(CONDITIONS), 0
    for broker in brokers:
        with table_on(broker) as table:
            found[broker] = {}
            for name, disturbed in CONDITIONS.items():
                progress.at(done, total, f"{broker}, {name}")
                found[broker][name] = table.measured(acts, disturbed)
                done += 1
    return _report(found, acts)


def _report(found: dict[str, dict[str, Found]], acts: int) -> Report:
    document: dict[str, Any] = {}
    figures = []
    for broker, conditions in found.items():
        document[broker] = {}
        for name, one in conditions.items():
            ms = quantiles(one.ms)
            document[broker][name] = {
                "ms": ms, "acts": len(one.ms), "unruled": one.unruled, "grown_mb": one.grown_mb, "dropped": one.dropped,
            }  # fmt: skip
            met = not one.unruled and ms["p99"] is not None and ms["p99"] < TARGET_MS
            figures.append(
                Figure(
                    f"{broker}, {name}: settled to announced, ms p50/p99", f"{ms['p50']}/{ms['p99']}", "p99 < 20", met
                )
            )
    return Report(document, tuple(figures), (f"{acts} acts in each condition; acts without a ruling count as a miss.",))


class Table:
    """A controller and a broker, with this program as bridge and console."""

    def __init__(
        self,
        address: Address,
        names: Namespace,
        pids: Mapping[str, int] | None = None,
        *,
        round_s: float = ROUND_S,
        spread: bool = False,
        logins: tuple[Login | None, Login | None] = (None, None),
    ) -> None:
        """``pids`` are the processes whose memory is watched. Every zone is published once in ``round_s``, all of them
        together or ``spread`` over it. ``logins`` are those of bridge and console, where the broker wants them.
        """
        self.address, self.names = address, names
        self._pids = pids or {}
        self._round_s, self._spread = round_s, spread
        table = load_table(TABLE)
        self._reader_of = {one.zone: reader.id for reader in table.readers for one in reader.antennas}
        self._lying: dict[int, dict[str, int]] = {}
        self._round_no = 0
        self._announced: list[float] = []
        self._disk_ms = 0.0
        self._replies: dict[str, Reply] = {}
        self._dropped = 0.0
        self._changed = threading.Condition()
        self.bridge = MqttBus(address.host, address.port, self.names, "bridge", login=logins[0])
        self.console = MqttBus(address.host, address.port, self.names, "console", login=logins[1])
        self.console.subscribe(topics.ANNOUNCEMENT, self._on_announcement)
        self.console.subscribe(topics.EVENT, self._on_event)
        self.console.subscribe(topics.REPLY, self._on_reply)
        self.console.subscribe(topics.DEVICE_HEALTH, self._on_health)
        if not (self.bridge.wait_connected(REPLY_S) and self.console.wait_connected(REPLY_S)):
            raise UserError("The broker did not let this program in.", FAILED)

    def close(self) -> None:
        """Leaves the bus."""
        self.bridge.close()
        self.console.close()

    def _comes_to_rest(self) -> None:
        """Waits until the controller has dropped what is left of the disturbance before."""
        deadline_s, before = time.monotonic() + REST_S, -1.0
        while before != self._dropped and time.monotonic() < deadline_s:
            before = self._dropped
            time.sleep(HEALTH_S)

    def measured(self, acts: int, disturbed: Disturbance) -> Found:
        """Plays until so many acts are timed, or went without a ruling."""
        self._comes_to_rest()
        found, before, dropped = Found(), self._memory_mb(), self._dropped
        with disturbed(self.address, self.names.root):
            self._play(acts, found)
        found.grown_mb = {name: round(now - before[name], 1) for name, now in self._memory_mb().items()}
        found.dropped = int(self._dropped - dropped)
        return found

    def played(self, acts: int) -> Found:
        """Plays until so many acts are timed, or went without a ruling, and no more than that."""
        found = Found()
        self._play(acts, found)
        return found

    def hand(self, found: Found) -> None:
        """Plays one hand, and takes its times; an act without a ruling ends it. Raises UserError for a refused key."""
        try:
            self._hand(found)
        except _Silent:
            found.unruled += 1

    def _play(self, acts: int, found: Found) -> None:
        while len(found.ms) + found.unruled < acts:
            self.hand(found)

    def _hand(self, found: Found) -> None:
        self._lying.clear()
        self._rounds(SETTLED_ROUNDS)
        self._key("setup", **SETUP)
        self._push(2, 1)
        self._push(3, 2)
        self._rounds(SETTLED_ROUNDS)
        self._key("cards-out")
        for seat, chips in CALLS:
            with self._changed:
                self._announced.clear()
            self._push(seat, chips)
            deadline_s = time.monotonic() + RULED_S
            while not self._announced and time.monotonic() < deadline_s:
                self._rounds(1)
            if not self._announced:
                found.unruled += 1
                return
            found.ms.append(self._announced[0])
            self._rounds(1)  # an act's events come after its announcement
            found.disk_ms.append(self._disk_ms)

    def _push(self, seat: int, count: int) -> None:
        for _ in range(count):
            self._lying.setdefault(seat, {})[f"E004{random.getrandbits(48):012X}"] = self._round_no + 1

    def _rounds(self, count: int) -> None:
        for _ in range(count):
            self._round_no += 1
            for zone in (f"seat-{seat}" for seat in range(1, SEATS + 1)):
                self.bridge.publish(topic(topics.ZONE_CHIPS, zone), self._snapshot(zone))
                if self._spread:
                    time.sleep(self._round_s / SEATS)
            if not self._spread:
                time.sleep(self._round_s)

    def _snapshot(self, zone: str) -> ZoneChips:
        lying = self._lying.get(int(zone.removeprefix("seat-")), {})
        rounds = {uid: min(8, self._round_no - since + 1) for uid, since in lying.items()}
        chips = [
            ChipEvidence(uid=uid, chip_type="white-1", hits=count, rounds=count, missed=0)
            for uid, count in rounds.items()
        ]
        return ZoneChips(
            zone=zone, reader=self._reader_of[zone], round_no=self._round_no, chips=tuple(chips),
            last_byte_ns=time.monotonic_ns(),
        )  # fmt: skip

    def _key(self, verb: str, **args: Any) -> None:
        expires_ms = time.time_ns() // NS_PER_MS + int(REPLY_S * 1000)
        command = Command(id=uuid.uuid4().hex, expires_ms=expires_ms, args=args)
        self.console.publish(topic(topics.COMMAND, verb), command)
        with self._changed:
            if not self._changed.wait_for(lambda: command.id in self._replies, REPLY_S):
                raise _Silent
            reply = self._replies.pop(command.id)
        if not reply.ok:
            raise UserError(f"{verb} was refused: {reply.sentence}", FAILED)

    def _on_announcement(self, received: Received) -> None:
        said = received.body
        if isinstance(said, Announcement) and said.cause_ns is not None:
            took_ms = (received.arrived_ns - received.local_ns(said.cause_ns)) / NS_PER_MS
            with self._changed:
                self._announced.append(took_ms)

    def _on_event(self, received: Received) -> None:
        event = received.body
        if isinstance(event, Event) and event.type == "step":
            assert event.ruled_ns is not None
            assert event.written_ns is not None
            self._disk_ms = (event.written_ns - event.ruled_ns) / NS_PER_MS

    def _on_reply(self, received: Received) -> None:
        if isinstance(received.body, Reply):
            with self._changed:
                self._replies[received.body.command_id] = received.body
                self._changed.notify_all()

    def _on_health(self, received: Received) -> None:
        if isinstance(received.body, Health) and received.topic.name == "controller":
            counters = received.body.counters
            self._dropped = sum(count for name, count in counters.items() if name.startswith("dropped_by_"))
            self._dropped += counters.get("bus_malformed", 0.0)

    def _memory_mb(self) -> dict[str, float]:
        page_mb = os.sysconf("SC_PAGE_SIZE") / 1e6
        return {
            name: int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * page_mb
            for name, pid in self._pids.items()
        }


@contextmanager
def table_on(broker: str) -> Iterator[Table]:
    """A table on a broker of its own, `embedded` or `mosquitto`."""
    address, names = Address(LOOPBACK, free_port()), namespace("home", TABLE)
    with (
        scratch_folder("betline-bus-") as folder,
        Supervisor(folder) as parts,
        mosquitto_if(broker, address) as mosquitto,
    ):
        process = mosquitto
        if process is None:
            process = parts.start("broker", ["broker", "--quiet", "--broker", str(address)]).process
        await_broker(parts, address)
        parts.start("controller", [
            "controller", "--table", TABLE, "--broker", str(address), "--journal", str(folder / "bus.journal"),
            "--people", str(folder / "people.toml"),
        ])  # fmt: skip
        await_controller(parts, address, names)
        controller = next(part for part in parts.parts if part.name == "controller")
        assert process is not None
        assert controller.process is not None
        table = Table(address, names, {"broker": process.pid, "controller": controller.process.pid})
        gc.freeze()  # no pause of this program's may be taken for one of the bus
        try:
            yield table
        finally:
            table.close()


@contextmanager
def mosquitto_if(broker: str, address: Address) -> Iterator[subprocess.Popen[bytes] | None]:
    """A mosquitto there, where that is the broker wanted."""
    if broker != "mosquitto":
        yield None
        return
    quiet = subprocess.DEVNULL
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as conf:
        conf.write(_MOSQUITTO_CONF.format(port=address.port, host=address.host))
        conf.flush()
        with subprocess.Popen(["mosquitto", "-c", conf.name], stdout=quiet, stderr=quiet) as process:
            try:
                yield process
            finally:
                process.kill()  # it keeps nothing, and 2.0.11 may miss a signal as it begins


_MOSQUITTO_CONF: Final = """\
listener {port} {host}
allow_anonymous true
set_tcp_nodelay true
"""
"""Without the last line, which the shipped configuration has too, what it says waits for delayed acknowledgements."""


# --- what disturbs

Disturbance = Callable[[Address, str], AbstractContextManager[object]]


def _flood(address: Address, root: str, paths: tuple[str, ...], payload: bytes) -> None:
    """Publishes as much as it can of `FLOOD_PER_S`; runs as a process of its own until it is ended."""
    client = paho.Client(CallbackAPIVersion.VERSION2, client_id=f"flood-{os.getpid()}")
    client.connect(address.host, address.port)
    client.loop_start()
    for number in range(1_000_000_000):
        client.publish(f"{root}/{paths[number % len(paths)]}", payload or os.urandom(200), 0)
        if number % 50 == 0:
            time.sleep(50 / FLOOD_PER_S)


@contextmanager
def _flooded(address: Address, root: str, paths: tuple[str, ...], payload: bytes) -> Iterator[None]:
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=_flood, args=(address, root, paths, payload), daemon=True)
    process.start()
    try:
        yield
    finally:
        process.terminate()
        process.join()


def _garbage(address: Address, root: str) -> AbstractContextManager[object]:
    return _flooded(address, root, ("command/act", "zone/seat-1/chips"), b"")


def _strangers(address: Address, root: str) -> AbstractContextManager[object]:
    presence = b'{"sender":"other","boot_id":"x","seq":1,"ts_ms":1,"mono_ns":1,"state":"online"}'
    return _flooded(address, root, ("device/reader-99/status", "device/reader-1/status"), presence)


@contextmanager
def _not_reading(address: Address, root: str) -> Iterator[None]:
    """A client that subscribes to everything and takes nothing."""
    name, wanted = b"slow", f"{root}/#".encode()
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect((address.host, address.port))
        opening = b"\x00\x04MQTT\x04\x02\x00\x00" + len(name).to_bytes(2, "big") + name
        client.sendall(b"\x10" + bytes([len(opening)]) + opening)
        client.recv(4)
        asking = b"\x00\x01" + len(wanted).to_bytes(2, "big") + wanted + b"\x01"
        client.sendall(b"\x82" + bytes([len(asking)]) + asking)
        yield


CONDITIONS: Final[dict[str, Disturbance]] = {
    "quiet": lambda _address, _root: nullcontext(),
    "garbage": _garbage,
    "strangers": _strangers,
    "a client that does not read": _not_reading,
}
