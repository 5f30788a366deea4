"""A line between a pit's broker and the site's that can be cut, frozen and put together again."""

from __future__ import annotations

import selectors
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Literal

from betline.broker import LOOPBACK

State = Literal["whole", "cut", "frozen"]
_PIECE: Final = 65536
_TICK_S: Final = 0.05


class CuttableLine:
    """Hands bytes to and fro between who connects to `port` and another port of this machine.

    Cut, it ends every connection and takes no new one, as a cable pulled from a switch that says so. Frozen, it keeps
    them and hands nothing over, as a dead switch does: neither side hears of it. One thread, which the line owns.
    """

    def __init__(self, to_port: int, port: int = 0) -> None:
        self._to = to_port
        self.state: State = "whole"
        self._chosen = selectors.DefaultSelector()
        self._door = socket.create_server((LOOPBACK, port))
        self.port: int = self._door.getsockname()[1]
        self._door.setblocking(False)
        self._far: dict[socket.socket, socket.socket] = {}
        self._lock = threading.Lock()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="cuttable-line", daemon=True)
        self._thread.start()

    def set(self, state: State) -> None:
        """Cuts, freezes or restores the line."""
        with self._lock:
            self.state = state
            if state == "cut":
                self._end_all()

    def close(self) -> None:
        """Ends every connection and the line."""
        self._ending.set()
        self._thread.join()
        self._end_all()
        self._door.close()
        self._chosen.close()

    def _serve(self) -> None:
        while not self._ending.wait(_TICK_S if self.state == "frozen" else 0):
            if self.state == "frozen":
                continue
            self._chosen.register(self._door, selectors.EVENT_READ)
            ready = [key.fileobj for key, _ in self._chosen.select(_TICK_S)]
            self._chosen.unregister(self._door)
            with self._lock:
                for one in ready:
                    if one is self._door:
                        self._open()
                    elif isinstance(one, socket.socket) and one in self._far and self.state == "whole":
                        self._hand_over(one)

    def _open(self) -> None:
        near, _ = self._door.accept()
        if self.state != "whole":
            near.close()
            return
        try:
            far = socket.create_connection((LOOPBACK, self._to), 1)
        except OSError:
            near.close()
            return
        for one, other in ((near, far), (far, near)):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            one.settimeout(1)
            self._far[one] = other
            self._chosen.register(one, selectors.EVENT_READ)

    def _hand_over(self, one: socket.socket) -> None:
        try:
            piece = one.recv(_PIECE)
            if piece:
                self._far[one].sendall(piece)
                return
        except OSError:
            pass
        self._end(one)

    def _end(self, one: socket.socket) -> None:
        other = self._far.pop(one)
        for end in (one, other):
            self._far.pop(end, None)
            self._chosen.unregister(end)
            end.close()

    def _end_all(self) -> None:
        while self._far:
            self._end(next(iter(self._far)))


@contextmanager
def line_to(port: int) -> Iterator[CuttableLine]:
    """A line to a port of this machine."""
    line = CuttableLine(port)
    try:
        yield line
    finally:
        line.close()
