"""Serial ports: how a table file names one, which there are, and what seems to sit on each.

A port is named by its stable name (`/dev/serial/by-id/...`), by the serial number of its USB adapter
(`usb:A50285BI`), or by any pyserial URL. The order of ttyUSB numbers means nothing and is never used.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from serial.tools import list_ports

from firmware_bridge.protocols.catalogue import FAMILIES
from firmware_bridge.protocols.family import Family, LineSettings
from firmware_bridge.serial_line import LineError, SerialLine

BY_ID: Final = Path("/dev/serial/by-id")
PROBE_MS: Final = 150.0
_USB: Final = "usb:"


@dataclass(frozen=True, slots=True)
class SerialPort:
    """A port of this machine, as the system describes it."""

    device: str
    by_id: str | None = None
    usb_serial: str | None = None
    description: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a probe found on a port: the family that answered, and where; or why none could."""

    family: str | None
    baud: int | None
    sentence: str


def serial_ports() -> tuple[SerialPort, ...]:
    """The serial ports of this machine, by device name."""
    names = _stable_names(BY_ID)
    found = (
        SerialPort(port.device, names.get(port.device), port.serial_number or None, port.description or "")
        for port in list_ports.comports()
    )
    return tuple(sorted(found, key=lambda port: port.device))


def locate(name: str, by_id: Path = BY_ID) -> str:
    """The URL to open for a port that is called `name`; raises LineError (`not_there`) if no adapter has that number.

    `by_id` stands in for /dev/serial/by-id, which is how a simulated table lends its ports.
    """
    if name.startswith(_USB):
        wanted = name.removeprefix(_USB)
        for port in list_ports.comports():
            if port.serial_number == wanted:
                return str(port.device)
        raise LineError("not_there", f"no USB adapter has the serial number {wanted}: plug it in, or correct the table")
    path = Path(name)
    return str(by_id / path.name) if path.parent == BY_ID else name


def probe(url: str) -> Answer:
    """Ask what sits on the port `url`, in the families' own words, at each of their line rates."""
    for family in FAMILIES.values():
        for settings in _likely_settings(family):
            try:
                said = _ask(url, settings, family)
            except LineError as error:
                return Answer(None, None, str(error))
            if said is not None:
                return Answer(family.traits.name, settings.baud, f"{said}, at {settings.baud} baud")
    return Answer(None, None, "nothing answered: no reader of a known family, or it is off")


def _likely_settings(family: Family) -> Iterator[LineSettings]:
    for baud in family.traits.bauds:
        yield LineSettings(baud, family.traits.line.parity)


def _ask(url: str, settings: LineSettings, family: Family) -> str | None:
    line = SerialLine(url, settings)
    try:
        line.write(family.probe)
        answer = b""
        deadline_ns = time.monotonic_ns() + int(PROBE_MS * 1e6)
        while (left_ns := deadline_ns - time.monotonic_ns()) > 0:
            answer += line.read(left_ns / 1e9)
            said = family.recognise(answer)
            if said is not None:
                return said
        return None
    finally:
        line.close()


def _stable_names(by_id: Path) -> dict[str, str]:
    """The stable name of each device that has one."""
    if not by_id.is_dir():
        return {}
    return {str(link.resolve()): str(link) for link in sorted(by_id.iterdir())}
