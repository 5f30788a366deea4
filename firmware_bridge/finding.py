"""For the set-up: which readers answer on which ports, and which tags each antenna hears from round to round."""

from __future__ import annotations

import queue
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from betline.settings.readers import BY_ID, FAMILIES
from betline.setup.antennas import Heard
from betline.setup.question import FoundReader
from betline.setup.sections.readers import Spot
from firmware_bridge.driver import ReaderDriver
from firmware_bridge.effects import RoundOver
from firmware_bridge.link import ReaderLink
from firmware_bridge.ports import locate, probe, serial_ports
from firmware_bridge.protocols.catalogue import configured
from firmware_bridge.protocols.family import LineSettings
from firmware_bridge.schedule import Channel

_AT_A_TIME: Final = 8
_ZONE: Final = "antenna-"


def found_readers(by_id: Path = BY_ID) -> tuple[FoundReader, ...]:
    """The readers that answer, by the name that a table file has for their port; all ports are asked side by side."""
    names = _names(by_id)
    with ThreadPoolExecutor(_AT_A_TIME) as asking:
        answers = list(asking.map(lambda name: probe(locate(name, by_id)), names))
    return tuple(
        FoundReader(name, answer.family, answer.baud or FAMILIES[answer.family].baud)  # type: ignore[index]
        for name, answer in zip(names, answers, strict=True)
        if answer.family is not None
    )


def _names(by_id: Path) -> tuple[str, ...]:
    """The most lasting name of each port: of its own adapter's number, else of the place that it is plugged into."""
    if by_id != BY_ID:
        lent = {link.resolve(): str(BY_ID / link.name) for link in sorted(by_id.glob("*"))}
        return tuple(lent.values())
    ports = serial_ports()
    numbers = [port.usb_serial for port in ports]
    return tuple(
        f"usb:{port.usb_serial}"
        if port.usb_serial and numbers.count(port.usb_serial) == 1
        else port.by_path or port.by_id or port.device
        for port in ports
    )


@contextmanager
def listening(readers: Sequence[FoundReader], spots: Sequence[Spot], by_id: Path = BY_ID) -> Iterator[AntennaEars]:
    """Reads all these antennas while the context is open."""
    rounds: queue.Queue[tuple[str, RoundOver]] = queue.Queue()
    drivers = []
    with ExitStack() as closing:
        for reader in readers:
            own = [spot.antenna for spot in spots if spot.port == reader.port]
            if not own:
                continue
            wire = configured(reader.family, {})
            alone = own == [1] and wire.traits.antennas == 1
            channels = [Channel(f"{_ZONE}{number}", None if alone else number) for number in own]
            driver = ReaderDriver(
                reader.port,
                partial(locate, reader.port, by_id),
                LineSettings(reader.baud, wire.traits.line.parity),
                ReaderLink(wire, channels),
                partial(_put, rounds, reader.port),
            )
            driver.start()
            closing.callback(driver.stop)
            drivers.append(driver)
        yield AntennaEars(rounds, tuple(drivers))


def _put(rounds: queue.Queue[tuple[str, RoundOver]], port: str, over: RoundOver) -> None:
    rounds.put((port, over))


@dataclass(frozen=True, slots=True)
class AntennaEars:
    """The rounds of several readers, one after the other."""

    rounds: queue.Queue[tuple[str, RoundOver]]
    drivers: tuple[ReaderDriver, ...]

    def heard(self, timeout_s: float) -> Heard | None:
        """The next round of an antenna; None where none ends in that time."""
        with suppress(queue.Empty):
            port, over = self.rounds.get(timeout=timeout_s)
            spot = Spot(port, int(over.channel.zone.removeprefix(_ZONE)))
            return Heard(spot, frozenset(tag.uid for tag in over.tags))
        return None

    def trouble(self) -> str:
        """Why a reader is silent, in a sentence; empty where none is."""
        return next((driver.status.trouble.sentence for driver in self.drivers if driver.status.trouble), "")
