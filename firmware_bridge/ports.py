"""Serial ports: how a table file names one, which there are, and what seems to sit on each.

A port is named by its stable name (`/dev/serial/by-id/...`, or `by-path` for adapters without a number of their own),
by the serial number of its USB adapter (`usb:A50285BI`), or by any pyserial URL. The order of ttyUSB numbers means
nothing and is never used.

Probing opens a port once, sets it to one line rate after the other, and asks each family of that rate what it answers
harmlessly. Opening may reset a board, so there is no second opening; and a port that another program holds, locked or
not, is not opened at all.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from serial.tools import list_ports

from betline.settings.readers import BY_ID
from betline.units import NS_PER_MS, NS_PER_S
from firmware_bridge.protocols.catalogue import FAMILIES
from firmware_bridge.protocols.family import Delivery, Family, LineSettings
from firmware_bridge.serial_line import LineError, SerialLine

BY_PATH: Final = Path("/dev/serial/by-path")
PROBE_MS: Final = 150.0
"""How long an answer to a probe is waited for; it also keeps one family's bytes apart from the next one's."""
LISTEN_MS: Final = 600.0
"""A reader that speaks by itself does so every half second at least."""
_MAX_HEARD: Final = 4096
_PROBE_ORDER: Final = ("betline", "feig", "chafon", "pn532", "m6e", "bb")
"""Families whose probe the others take for noise at the first byte come first."""
_USB: Final = "usb:"
_LOCK_FOLDERS: Final = (Path("/run/lock"), Path("/var/lock"))


@dataclass(frozen=True, slots=True)
class SerialPort:
    """A port of this machine, as the system describes it."""

    device: str
    by_id: str | None = None
    usb_serial: str | None = None
    description: str = ""
    by_path: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a probe found on a port: the family that answered, and where; or why none could."""

    family: str | None
    baud: int | None
    sentence: str


def serial_ports() -> tuple[SerialPort, ...]:
    """The serial ports of this machine, by device name."""
    by_id, by_path = _stable_names(BY_ID), _stable_names(BY_PATH)
    found = (
        SerialPort(
            port.device,
            by_id.get(port.device),
            port.serial_number or None,
            port.description or "",
            by_path.get(port.device),
        )
        for port in list_ports.comports()
    )
    return tuple(sorted(found, key=lambda port: port.device))


def locate(name: str, by_id: Path = BY_ID) -> str:
    """The URL to open for a port that is called `name`. Raises LineError (`not_there`): no adapter has that number.

    Two adapters with one number are refused (`url`): it would be chance which one is opened. `by_id` stands in for
    /dev/serial/by-id, which is how a simulated table lends its ports.
    """
    if name.startswith(_USB):
        return _by_usb_serial(name.removeprefix(_USB))
    path = Path(name)
    return str(by_id / path.name) if path.parent == BY_ID else name


def _by_usb_serial(wanted: str) -> str:
    try:
        found = sorted(str(port.device) for port in list_ports.comports() if port.serial_number == wanted)
    except OSError:  # an adapter that is being pulled out vanishes while it is looked at
        found = []
    if len(found) > 1:
        raise LineError(
            "url", f"{len(found)} USB adapters have the serial number {wanted}: name them by /dev/serial/by-path"
        )
    if not found:
        raise LineError("not_there", f"no USB adapter has the serial number {wanted}: plug it in, or correct the table")
    return found[0]


def probe(url: str, *, all_rates: bool = True) -> Answer:
    """Ask what sits on the port `url`, in the families' own words, at each of their line rates.

    Without `all_rates` each family is asked once, as delivered: that takes some two seconds in place of six.
    """
    holder = _holder(url)
    if holder is not None:
        return Answer(None, None, f"the port {url} is held by {holder}: stop that first")
    steps = list(_steps(all_rates=all_rates))
    try:
        line = SerialLine(url, steps[0][0])
    except LineError as error:
        return Answer(None, None, str(error))
    try:
        return _probe(line, steps)
    except LineError as error:
        return Answer(None, None, str(error))
    finally:
        line.close()


def _probe(line: SerialLine, steps: list[tuple[LineSettings, tuple[Family, ...]]]) -> Answer:
    noise = 0
    for settings, families in steps:
        line.set_line(settings)
        listening = any(family.traits.delivery is Delivery.PUSHED for family in families)
        heard = _hear(line, families, b"", LISTEN_MS if listening else 0.0)
        for asked in families:
            if isinstance(heard, Answer):
                return _at(heard, settings)
            noise += len(heard)
            line.write(asked.probe)
            # What came unasked may be the beginning of what is recognised now.
            heard = _hear(line, families, heard[-_MAX_HEARD:], PROBE_MS)
        if isinstance(heard, Answer):
            return _at(heard, settings)
        noise += len(heard)
    if noise:
        return Answer(None, None, "something answers, but no reader of a known family: is it another device?")
    return Answer(None, None, "nothing answered: no reader of a known family, or it is off")


def _at(answer: Answer, settings: LineSettings) -> Answer:
    return Answer(answer.family, settings.baud, f"{answer.sentence}, at {settings.baud} baud")


def _hear(line: SerialLine, families: tuple[Family, ...], heard: bytes, for_ms: float) -> Answer | bytes:
    """Who answers within the time; or else what was heard."""
    deadline_ns = time.monotonic_ns() + int(for_ms * NS_PER_MS)
    while (left_ns := deadline_ns - time.monotonic_ns()) > 0 and len(heard) <= 2 * _MAX_HEARD:
        new = line.read(left_ns / NS_PER_S)
        heard += new
        for family in families if new else ():
            said = family.recognise(heard)
            if said is not None:
                return Answer(family.traits.name, None, said)
    return heard


def _steps(*, all_rates: bool) -> Iterator[tuple[LineSettings, tuple[Family, ...]]]:
    """Line settings and who is asked there: as delivered, then all other rates, then as delivered again.

    The second time is for a board that was still booting when it was asked first.
    """
    order = [FAMILIES[name] for name in _PROBE_ORDER if name in FAMILIES]
    order += [family for name, family in FAMILIES.items() if name not in _PROBE_ORDER]
    delivered: dict[LineSettings, list[Family]] = {}
    others: dict[LineSettings, list[Family]] = {}
    for family in order:
        for baud in dict.fromkeys((family.traits.line.baud, *family.traits.bauds)):
            group = delivered if baud == family.traits.line.baud else others
            group.setdefault(LineSettings(baud, family.traits.line.parity), []).append(family)
    for group in (delivered, others, delivered) if all_rates else (delivered,):
        for settings, families in group.items():
            yield settings, tuple(families)


def _holder(url: str) -> str | None:
    """Which other program has the device open or locked, in words; None where nobody seems to.

    The far end of a pseudo-terminal is always open, and no device.
    """
    device = os.path.realpath(url)
    if not device.startswith("/dev/") or device.startswith("/dev/pts/"):
        return None
    name = f"LCK..{Path(device).name}"
    if any((folder / name).exists() for folder in _LOCK_FOLDERS):
        return f"another program (there is a lock file {name})"
    for folder in Path("/proc").glob("[0-9]*/fd"):
        pid = folder.parent.name
        try:
            is_open = pid != str(os.getpid()) and any(os.readlink(link) == device for link in folder.iterdir())
            if is_open:
                return f"{(folder.parent / 'comm').read_text().strip()} (process {pid})"
        except OSError:  # another user's process, or one that has ended
            continue
    return None


def _stable_names(folder: Path) -> dict[str, str]:
    """The stable name of each device that has one."""
    try:
        return {str(link.resolve()): str(link) for link in sorted(folder.iterdir())}
    except OSError:
        return {}
