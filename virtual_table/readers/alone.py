"""One virtual reader alone, on a port of this machine, until it is stopped."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from firmware_bridge.protocols.family import LineSettings
from virtual_table.readers.cables import pull_cables
from virtual_table.readers.device import SerialDevice
from virtual_table.readers.ends import End, PtyEnd, TcpEnd
from virtual_table.readers.events import Happening
from virtual_table.readers.server import ReaderServer

NAME = "the reader"


def end_of(listen: tuple[str, int] | None, link: Path | None) -> End:
    """A TCP port if an address is given, else a pseudo-terminal, with a link to it if a name is given."""
    return PtyEnd(link) if listen is None else TcpEnd(*listen)


def run_alone(
    device: SerialDevice,
    line: LineSettings,
    end: End,
    events: Iterable[Happening],
    stop: threading.Event,
    shown: Callable[[str], None],
    notify: Callable[[str], None],
) -> None:
    """Serves `device` at `end` until `stop` is set.

    `shown` gets the port, and again after each replugging if it changed. The events that pull the cable are carried
    out here. Raises OSError if the port cannot be had.
    """
    server = ReaderServer()
    try:
        shown(server.attach(NAME, device, line, end))
        pull_cables(server, {NAME: events}, stop, notify, shown)
    finally:
        server.close()
