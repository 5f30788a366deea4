"""A bridge on the test bench: the real program in its own process, between virtual readers and a broker.

The virtual readers run in this process, on pseudo-terminals paced at the line rate; so the processor time of the
bridge's process is the bridge's alone: its drivers, its chip register, its bus client.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from betline.broker import LOOPBACK, free_port
from betline.bus import MqttBus, Received
from betline.messages.common import Health
from betline.messages.devices import ZoneChips, ZoneWanted
from betline.options import FAILED, Address, UserError
from betline.readiness import await_broker
from betline.settings import TableSettings, load_table
from betline.supervise import Part, Supervisor
from betline.topics import DEVICE_HEALTH, ZONE_CHIPS, ZONE_WANTED, Namespace, topic
from betline.units import NS_PER_MS
from firmware_bridge.protocols.catalogue import FAMILIES
from firmware_bridge.protocols.family import LineSettings
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.catalogue import virtual_reader
from virtual_table.readers.server import ReaderServer
from virtual_table.run.run_table import write_table

NAMES: Final = Namespace("bench", "readers")
BAUD: Final = 115_200
START_S: Final = 60.0
_UID_DIGITS: Final = {"pn532": 14, "bb": 24, "m6e": 24, "chafon": 24}
_WISH_MS: Final = 60_000
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_USER_TIME: Final = 11
"""Of /proc/PID/stat, counted after the name in brackets; the system time follows."""


@dataclass(frozen=True, slots=True)
class Reader:
    """One reader of the bench: its family, and the zones of its antennas."""

    protocol: str
    zones: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Measured:
    """Measured over all readers for some seconds, every zone read as often as possible."""

    round_ms: dict[str, float]
    """From the first request of a round to the last byte of its last reply, by reader."""
    period_ms: dict[str, float]
    """From one round of a zone to its next, by zone."""
    core_share: float
    """Processor time of the bridge's process over elapsed time."""
    rounds: int


class Lab:
    """A running bridge; `chips` lie in each zone."""

    def __init__(self, readers: Sequence[Reader], bus: MqttBus, bridge: Part) -> None:
        self.chips = 0
        self._readers = tuple(readers)
        self._bus = bus
        self._bridge = bridge
        self._lock = threading.Lock()
        self._rounds: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._cycles: dict[str, list[float]] = defaultdict(list)
        self._tags = {
            (number, antenna): _tags(reader.protocol, random.Random(f"{number}:{antenna}"))
            for number, reader in enumerate(self._readers)
            for antenna in range(1, len(reader.zones) + 1)
        }
        bus.subscribe(ZONE_CHIPS, self._on_zone)
        bus.subscribe(DEVICE_HEALTH, self._on_health)

    def field(self, number: int) -> list[tuple[str, int, float]]:
        """What lies over the antennas of a reader now."""
        outputs = range(1, len(self._readers[number].zones) + 1)
        return [(uid, antenna, 0.9) for antenna in outputs for uid in self._tags[number, antenna][: self.chips]]

    def measure(self, chips: int, settle_s: float, for_s: float) -> Measured:
        """Put so many chips in each zone, wait until they are read, and measure. Raises UserError if no rounds come."""
        self.chips = chips
        zones = [zone for reader in self._readers for zone in reader.zones]
        self._await_rounds(zones)
        for zone in zones:
            self._bus.publish(topic(ZONE_WANTED, zone), ZoneWanted(for_ms=_WISH_MS))
        time.sleep(settle_s)
        self._forget()
        spent, began = self._processor_s(), time.monotonic()
        time.sleep(for_s)
        share = (self._processor_s() - spent) / (time.monotonic() - began)
        self._await_rounds(zones)
        with self._lock:
            rounds = {zone: list(seen) for zone, seen in self._rounds.items()}
            cycles = {name: list(seen) for name, seen in self._cycles.items()}
        return Measured(
            {name: statistics.median(seen) for name, seen in sorted(cycles.items())},
            {zone: _period_ms(seen) for zone, seen in sorted(rounds.items())},
            share,
            sum(seen[-1][0] - seen[0][0] for seen in rounds.values()),
        )

    def _await_rounds(self, zones: Sequence[str]) -> None:
        """Waits until two different rounds of each zone were published since the last `_forget`."""
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline:
            with self._lock:
                if all(len({number for number, _ in self._rounds[zone]}) > 1 for zone in zones) and self._cycles:
                    return
            time.sleep(0.05)
        raise UserError("The bridge published no rounds; is the machine too busy? Try again.", FAILED)

    def _forget(self) -> None:
        with self._lock:
            self._rounds.clear()
            self._cycles.clear()

    def _on_zone(self, received: Received) -> None:
        body = received.body
        if isinstance(body, ZoneChips):
            with self._lock:
                self._rounds[body.zone].append((body.round_no, body.last_byte_ns))

    def _on_health(self, received: Received) -> None:
        body = received.body
        if isinstance(body, Health) and body.counters.get("cycles"):
            with self._lock:
                self._cycles[received.topic.name].append(body.counters["cycle_ms"])

    def _processor_s(self) -> float:
        process = self._bridge.process
        if process is None:
            raise UserError("The bridge ended while it was measured; try again.", FAILED)
        fields = Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[_USER_TIME]) + int(fields[_USER_TIME + 1])) / _TICKS


@contextmanager
def lab(readers: Sequence[Reader]) -> Iterator[Lab]:
    """Start broker, bridge and virtual readers. Raises UserError where a part does not start."""
    with tempfile.TemporaryDirectory(prefix="betline-bench-") as name:
        folder = Path(name)
        table = folder / "table.toml"
        write_table(_table(readers), table)
        register = folder / "chips.jsonl"
        register.write_text(json.dumps({"uid": "E004010000000001", "chip_type": "red-5"}) + "\n", encoding="utf-8")
        where = Address(LOOPBACK, free_port())
        server = ReaderServer(folder / "by-id")
        with Supervisor(folder) as parts:
            parts.start("broker", ["broker", "--quiet", "--broker", str(where)])
            await_broker(parts, where)
            options = ["--table", str(table), "--broker", str(where), "--site", NAMES.site, "--id", NAMES.table]
            bridge = parts.start(
                "bridge", ["bridge", "run", *options, "--register", str(register), "--by-id", str(folder / "by-id")]
            )
            bus = MqttBus(where.host, where.port, NAMES, "bench")
            try:
                one = Lab(readers, bus, bridge)
                for number, reader in enumerate(readers):
                    line = LineSettings(BAUD, FAMILIES[reader.protocol].traits.line.parity)
                    behaviour = Behaviour(antennas=len(reader.zones))
                    device = virtual_reader(reader.protocol, lambda n=number: one.field(n), behaviour, number)  # type: ignore[misc]
                    server.add(_name(number), device, line)
                yield one
            finally:
                bus.close()
                server.close()


def _table(readers: Sequence[Reader]) -> TableSettings:
    whole = load_table("casino-oval").model_dump()
    whole["readers"] = [
        {
            "id": f"reader-{number}",
            "protocol": reader.protocol,
            "port": f"/dev/serial/by-id/{_name(number)}",
            "baud": BAUD,
            "antennas": [{"antenna": at, "zone": zone} for at, zone in enumerate(reader.zones, start=1)],
        }
        for number, reader in enumerate(readers)
    ]
    return TableSettings.model_validate(whole)


def _name(number: int) -> str:
    return f"bench-{number}"


def _tags(protocol: str, rng: random.Random) -> tuple[str, ...]:
    digits = _UID_DIGITS.get(protocol, 16)
    start = "E00401" if digits == 16 else "04"
    return tuple(f"{start}{rng.getrandbits(4 * (digits - len(start))):0{digits - len(start)}X}" for _ in range(120))


def _period_ms(seen: Sequence[tuple[int, int]]) -> float:
    (first, began_ns), (last, ended_ns) = seen[0], seen[-1]
    return (ended_ns - began_ns) / NS_PER_MS / max(1, last - first)
