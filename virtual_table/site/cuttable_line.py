"""A line between a pit's broker and the site's that can be cut, frozen and put together again."""

from __future__ import annotations

import contextlib
import selectors
import socket
import threading
from typing import Final, Literal

from betline.broker import LOOPBACK

State = Literal["whole", "cut", "frozen"]
_PIECE: Final = 65536
_TICK_S: Final = 0.05
_REST_S: Final = 0.005


class CuttableLine:
    """Hands bytes to and fro between who connects to `port` and another port of this machine.

    Cut, it ends every connection and refuses new ones, as a machine without a broker does. Frozen, it keeps them and
    hands nothing over, as a dead switch does: neither side hears of it. It never takes a connection to end it at once:
    mosquitto 2.0.11 can hang for good when that happens to its bridge (docs/site.md). One thread, which the line owns.
    """

    def __init__(self, to_port: int, port: int = 0) -> None:
        self._to = to_port
        self.state: State = "whole"
        self._chosen = selectors.DefaultSelector()
        self._door: socket.socket | None = _door(port)
        self.port: int = self._door.getsockname()[1]
        self._far: dict[socket.socket, socket.socket] = {}
        self._ends: set[socket.socket] = set()
        """Those of the connections that lead to the far end."""
        self._lock = threading.Lock()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="cuttable-line", daemon=True)
        self._thread.start()

    def set(self, state: State) -> None:
        """Cuts, freezes or restores the line."""
        with self._lock:
            self.state = state
            if state == "cut":
                self._shut()
                self._end_all()

    def close(self) -> None:
        """Ends every connection and the line."""
        self._ending.set()
        self._thread.join()
        self._end_all()
        self._shut()
        self._chosen.close()

    def _serve(self) -> None:
        while not self._ending.is_set():
            if self.state == "whole":
                with self._lock:
                    self._round()
            self._ending.wait(_TICK_S if self.state != "whole" else _REST_S)

    def _round(self) -> None:
        """Takes a new connection, where one waits; hands over what has come."""
        if self._door is None:
            with contextlib.suppress(OSError):
                socket.create_connection((LOOPBACK, self._to), 1).close()
                self._door = _door(self.port)
        if self._door is not None:
            with contextlib.suppress(BlockingIOError):
                near, _ = self._door.accept()
                self._open(near)
        for key, _ in self._chosen.select(_REST_S) if self._far else ():
            if isinstance(key.fileobj, socket.socket) and key.fileobj in self._far:
                self._hand_over(key.fileobj)

    def _open(self, near: socket.socket) -> None:
        try:
            far = socket.create_connection((LOOPBACK, self._to), 1)
        except OSError:
            self._shut()
            near.close()
            return
        for one, other in ((near, far), (far, near)):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            one.settimeout(1)
            self._far[one] = other
            self._chosen.register(one, selectors.EVENT_READ)
        self._ends.add(far)

    def _shut(self) -> None:
        """Refuses new connections, before those that there are end, until the far end takes one."""
        if self._door is not None:
            self._door.close()
            self._door = None

    def _hand_over(self, one: socket.socket) -> None:
        try:
            piece = one.recv(_PIECE)
            if piece:
                self._far[one].sendall(piece)
                return
        except OSError:
            pass
        if one in self._ends:
            self._shut()
        self._end(one)

    def _end(self, one: socket.socket) -> None:
        other = self._far.pop(one)
        for end in (one, other):
            self._far.pop(end, None)
            self._ends.discard(end)
            self._chosen.unregister(end)
            end.close()

    def _end_all(self) -> None:
        while self._far:
            self._end(next(iter(self._far)))


def _door(port: int) -> socket.socket:
    door = socket.create_server((LOOPBACK, port))
    door.setblocking(False)
    return door
