"""Many virtual readers on pseudo-terminals or TCP ports, served by one thread.

Each reader on a pseudo-terminal has a name in `link_dir` that points to it, as /dev/serial/by-id does for real ones:
after replugging the terminal is a new one, the name is the same. Neither kind of port knows a baud rate, so the server
paces: a byte is written when its last bit would have come off the line. Bytes that the host does not take are lost, as
in a UART.
"""

from __future__ import annotations

import heapq
import itertools
import os
import selectors
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from betline.units import NS_PER_MS
from firmware_bridge.protocols.family import LineSettings
from virtual_table.readers.device import SerialDevice
from virtual_table.readers.ends import End, PtyEnd
from virtual_table.readers.faults import Piece

SLICE_MS: Final = 4.0
"""Bytes are written in slices of this much line time: a compromise of pace and processor load."""


@dataclass(slots=True)
class _Port:
    device: SerialDevice
    line: LineSettings
    end: End
    generation: int = 0
    free_at_ms: float = 0.0
    lost_bytes: int = 0


@dataclass(order=True, slots=True)
class _Write:
    at_ms: float
    order: int
    port: str = field(compare=False)
    generation: int = field(compare=False)
    data: bytes = field(compare=False)


class ReaderServer:
    """Readers by name. All methods may be called from any thread; devices are called by one thread at a time."""

    def __init__(self, link_dir: Path | None = None) -> None:
        self._link_dir = link_dir
        self._ports: dict[str, _Port] = {}
        self._writes: list[_Write] = []
        self._order = itertools.count()
        self._selector = selectors.DefaultSelector()
        self._wake = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._selector.register(self._wake, selectors.EVENT_READ)
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="virtual-readers", daemon=True)
        self._thread.start()

    def add(self, name: str, device: SerialDevice, line: LineSettings) -> str:
        """Plug `device` into a pseudo-terminal as `name`; returns the path for the host to open."""
        return self.attach(name, device, line, PtyEnd(None if self._link_dir is None else self._link_dir / name))

    def attach(self, name: str, device: SerialDevice, line: LineSettings, end: End) -> str:
        """Plug `device` into `end` as `name`; returns what the host opens. Raises OSError if the end cannot be had."""
        with self._lock:
            if name in self._ports:
                raise ValueError(f"there is already a virtual reader called {name}")
            port = self._ports[name] = _Port(device, line, end)
            try:
                return self._plug(name, port)
            except OSError:
                del self._ports[name]
                raise

    def unplug(self, name: str) -> None:
        """The cable is pulled: the port and its name vanish."""
        with self._lock:
            self._ports[name].end.pull(self._selector)

    def replug(self, name: str) -> str:
        """The cable is plugged in again: a new terminal under the same name; returns the path for the host."""
        with self._lock:
            port = self._ports[name]
            port.end.pull(self._selector)
            return self._plug(name, port)

    def path(self, name: str) -> str:
        """What the host opens."""
        return self._ports[name].end.address

    def lost_bytes(self, name: str) -> int:
        """Bytes of this reader that no host took."""
        return self._ports[name].lost_bytes

    def close(self) -> None:
        """Unplug all and end the thread."""
        self._stop.set()
        os.eventfd_write(self._wake, 1)
        self._thread.join()
        with self._lock:
            for port in self._ports.values():
                port.end.pull(self._selector)
            self._selector.close()
            os.close(self._wake)

    def _plug(self, name: str, port: _Port) -> str:
        port.end.plug(self._selector, name)
        port.generation += 1
        port.free_at_ms = 0.0
        port.device.power_on(_now_ms())
        os.eventfd_write(self._wake, 1)
        return port.end.address

    def _serve(self) -> None:
        while not self._stop.is_set():
            ready = self._selector.select(self._wait_s())
            now_ms = _now_ms()
            with self._lock:
                for key, _ in ready:
                    if key.data is None:
                        os.eventfd_read(self._wake)
                    else:
                        self._hear(key.data, key.fd, now_ms)
                self._speak_due(now_ms)
                self._write_due(now_ms)

    def _wait_s(self) -> float | None:
        with self._lock:
            times = [port.device.next_ms for port in self._ports.values() if port.end.is_plugged]
            times += [write.at_ms for write in self._writes[:1]]
        soonest_ms = min((at_ms for at_ms in times if at_ms is not None), default=None)
        return None if soonest_ms is None else max(0.0, soonest_ms - _now_ms()) / 1000.0

    def _hear(self, name: str, descriptor: int, now_ms: float) -> None:
        port = self._ports[name]
        data = port.end.read(self._selector, name, descriptor) if port.end.is_plugged else b""
        if data:
            arrived_ms = now_ms + len(data) * port.line.byte_ms
            self._send(name, port, arrived_ms, port.device.receive(data, arrived_ms))

    def _speak_due(self, now_ms: float) -> None:
        for name, port in self._ports.items():
            due_ms = port.device.next_ms
            if port.end.is_plugged and due_ms is not None and due_ms <= now_ms:
                self._send(name, port, now_ms, port.device.speak(now_ms))

    def _send(self, name: str, port: _Port, now_ms: float, pieces: list[Piece]) -> None:
        """Schedules the writes of the pieces, slice by slice, each due when its last bit is off the line."""
        step = max(1, int(SLICE_MS / port.line.byte_ms))
        for delay_ms, data in pieces:
            at_ms = max(now_ms + delay_ms, port.free_at_ms)
            for start in range(0, len(data), step):
                piece = data[start : start + step]
                at_ms += len(piece) * port.line.byte_ms
                heapq.heappush(self._writes, _Write(at_ms, next(self._order), name, port.generation, piece))
            port.free_at_ms = at_ms

    def _write_due(self, now_ms: float) -> None:
        while self._writes and self._writes[0].at_ms <= now_ms:
            due = heapq.heappop(self._writes)
            port = self._ports[due.port]
            if port.end.is_plugged and port.generation == due.generation:
                port.lost_bytes += len(due.data) - port.end.write(due.data)


def _now_ms() -> float:
    return time.monotonic_ns() / NS_PER_MS
