"""Many virtual readers on pseudo-terminals, served by one thread.

Each reader gets a pseudo-terminal and a name in `link_dir` that points to it, as /dev/serial/by-id does for real ones:
after unplugging and plugging in again the terminal is another one, the name is the same. A pseudo-terminal knows no
baud rate, so the server paces: a byte is written when its last bit would have come off the line. Bytes that the host
does not take are lost, as in a UART.
"""

from __future__ import annotations

import contextlib
import errno
import heapq
import itertools
import os
import selectors
import threading
import time
import tty
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from firmware_bridge.protocols.family import LineSettings
from virtual_table.readers.device import SerialDevice

SLICE_MS: Final = 4.0
"""Bytes are written in slices of this much line time: a compromise of pace and processor load."""
_CHUNK: Final = 4096
_NS_A_MS: Final = 1e6


@dataclass(slots=True)
class _Port:
    """One pseudo-terminal. The slave end stays open here: else the terminal is cooked, and hangs up with the host."""

    device: SerialDevice
    line: LineSettings
    master: int = -1
    slave: int = -1
    device_path: str = ""
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
        """Plug `device` in as `name`; the path for the host to open."""
        with self._lock:
            if name in self._ports:
                raise ValueError(f"there is already a virtual reader called {name}")
            self._ports[name] = _Port(device, line)
            return self._plug(name)

    def unplug(self, name: str) -> None:
        """The cable is pulled: the terminal vanishes, and its name too."""
        with self._lock:
            self._pull(name)

    def replug(self, name: str) -> str:
        """The cable is plugged in again: another terminal under the same name; the path for the host."""
        with self._lock:
            self._pull(name)
            return self._plug(name)

    def path(self, name: str) -> str:
        """The path for the host: the name in `link_dir` where there is one, else the terminal itself."""
        return str(self._link_dir / name) if self._link_dir is not None else self._ports[name].device_path

    def lost_bytes(self, name: str) -> int:
        """Bytes of this reader that no host took."""
        return self._ports[name].lost_bytes

    def close(self) -> None:
        """Unplug all and end the thread."""
        self._stop.set()
        os.eventfd_write(self._wake, 1)
        self._thread.join()
        with self._lock:
            for name in self._ports:
                self._pull(name)
            self._selector.close()
            os.close(self._wake)

    def _plug(self, name: str) -> str:
        port = self._ports[name]
        port.master, port.slave = os.openpty()
        tty.setraw(port.slave)
        os.set_blocking(port.master, False)
        port.device_path = os.ttyname(port.slave)
        port.generation += 1
        port.free_at_ms = 0.0
        port.device.power_on(_now_ms())
        self._selector.register(port.master, selectors.EVENT_READ, name)
        if self._link_dir is not None:
            self._link_dir.mkdir(parents=True, exist_ok=True)
            fresh = self._link_dir / f".{name}.new"
            fresh.unlink(missing_ok=True)
            fresh.symlink_to(port.device_path)
            fresh.replace(self._link_dir / name)
        os.eventfd_write(self._wake, 1)
        return self.path(name)

    def _pull(self, name: str) -> None:
        port = self._ports[name]
        if port.master < 0:
            return
        self._selector.unregister(port.master)
        if self._link_dir is not None:
            (self._link_dir / name).unlink(missing_ok=True)
        os.close(port.slave)
        os.close(port.master)
        port.master = port.slave = -1

    def _serve(self) -> None:
        while not self._stop.is_set():
            ready = self._selector.select(self._wait_s())
            now_ms = _now_ms()
            with self._lock:
                for key, _ in ready:
                    if key.data is None:
                        os.eventfd_read(self._wake)
                    else:
                        self._hear(key.data, now_ms)
                self._speak_due(now_ms)
                self._write_due(now_ms)

    def _wait_s(self) -> float | None:
        with self._lock:
            times = [port.device.next_ms for port in self._ports.values() if port.master >= 0]
            times += [write.at_ms for write in self._writes[:1]]
        soonest_ms = min((at_ms for at_ms in times if at_ms is not None), default=None)
        return None if soonest_ms is None else max(0.0, soonest_ms - _now_ms()) / 1000.0

    def _hear(self, name: str, now_ms: float) -> None:
        port = self._ports[name]
        try:
            data = os.read(port.master, _CHUNK) if port.master >= 0 else b""
        except OSError as error:
            if error.errno not in (errno.EIO, errno.EAGAIN):
                raise
            return
        line_ms = len(data) * port.line.byte_ms
        for delay_ms, piece in port.device.receive(data, now_ms):
            self._send(name, port, now_ms + line_ms + delay_ms, piece)

    def _speak_due(self, now_ms: float) -> None:
        for name, port in self._ports.items():
            due_ms = port.device.next_ms
            if port.master >= 0 and due_ms is not None and due_ms <= now_ms:
                for delay_ms, piece in port.device.speak(now_ms):
                    self._send(name, port, now_ms + delay_ms, piece)

    def _send(self, name: str, port: _Port, begin_ms: float, data: bytes) -> None:
        """Plan the writes of `data`, slice by slice, each due when its last bit is off the line."""
        at_ms = max(begin_ms, port.free_at_ms)
        step = max(1, int(SLICE_MS / port.line.byte_ms))
        for start in range(0, len(data), step):
            piece = data[start : start + step]
            at_ms += len(piece) * port.line.byte_ms
            heapq.heappush(self._writes, _Write(at_ms, next(self._order), name, port.generation, piece))
        port.free_at_ms = at_ms

    def _write_due(self, now_ms: float) -> None:
        while self._writes and self._writes[0].at_ms <= now_ms:
            due = heapq.heappop(self._writes)
            port = self._ports[due.port]
            if port.master < 0 or port.generation != due.generation:
                continue
            written = 0
            with contextlib.suppress(BlockingIOError):
                written = os.write(port.master, due.data)
            port.lost_bytes += len(due.data) - written


def _now_ms() -> float:
    return time.monotonic_ns() / _NS_A_MS
