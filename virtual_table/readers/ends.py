"""The host's end of a virtual reader's cable: a pseudo-terminal, or a TCP port as serial device servers have."""

from __future__ import annotations

import contextlib
import errno
import os
import selectors
import socket
import tty
from pathlib import Path
from typing import Final, Protocol

_CHUNK: Final = 4096


class End(Protocol):
    """One end. It watches its own descriptors with the selector that it is plugged into, under the reader's name."""

    @property
    def address(self) -> str:
        """What the host opens: a path or a pyserial URL."""
        ...

    @property
    def is_plugged(self) -> bool: ...

    def plug(self, selector: selectors.BaseSelector, name: str) -> None:
        """The cable is plugged in. Raises OSError if the port cannot be had."""
        ...

    def pull(self, selector: selectors.BaseSelector) -> None:
        """The cable is pulled; pulling twice is no error."""
        ...

    def read(self, selector: selectors.BaseSelector, name: str, descriptor: int) -> bytes:
        """What came in at `descriptor`, which is ready."""
        ...

    def write(self, data: bytes) -> int:
        """Send without blocking; returns how many bytes were taken."""
        ...


class PtyEnd:
    """A pseudo-terminal, a new one at each plugging, and if wanted a link to it that keeps its name.

    The slave end stays open here: otherwise the terminal is cooked, and hangs up with the host.
    """

    def __init__(self, link: Path | None = None) -> None:
        self._link = link
        self._master = self._slave = -1
        self._device = ""

    @property
    def address(self) -> str:
        """The link where there is one, else the terminal itself."""
        return self._device if self._link is None else str(self._link)

    @property
    def is_plugged(self) -> bool:
        return self._master >= 0

    def plug(self, selector: selectors.BaseSelector, name: str) -> None:
        """A new terminal appears."""
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self._device = os.ttyname(self._slave)
        selector.register(self._master, selectors.EVENT_READ, name)
        if self._link is not None:
            self._link.parent.mkdir(parents=True, exist_ok=True)
            fresh = self._link.with_name(f".{self._link.name}.new")
            fresh.unlink(missing_ok=True)
            fresh.symlink_to(self._device)
            fresh.replace(self._link)

    def pull(self, selector: selectors.BaseSelector) -> None:
        """The terminal vanishes, and its link too."""
        if not self.is_plugged:
            return
        selector.unregister(self._master)
        if self._link is not None:
            self._link.unlink(missing_ok=True)
        os.close(self._slave)
        os.close(self._master)
        self._master = self._slave = -1

    def read(self, selector: selectors.BaseSelector, name: str, descriptor: int) -> bytes:  # noqa: ARG002 -- an End
        """What the host wrote."""
        try:
            return os.read(self._master, _CHUNK)
        except OSError as error:
            if error.errno not in (errno.EIO, errno.EAGAIN):
                raise
            return b""

    def write(self, data: bytes) -> int:
        """What fits into the terminal's buffer."""
        with contextlib.suppress(BlockingIOError):
            return os.write(self._master, data)
        return 0


class TcpEnd:
    """A listening TCP port for one host at a time, like a serial port: a second one is hung up on."""

    def __init__(self, host: str, port: int = 0) -> None:
        """`port` 0 takes a free one, and keeps its number."""
        self._host = host
        self._port = port
        self._listener: socket.socket | None = None
        self._connection: socket.socket | None = None

    @property
    def address(self) -> str:
        """The pyserial URL."""
        return f"socket://[{self._host}]:{self._port}" if ":" in self._host else f"socket://{self._host}:{self._port}"

    @property
    def is_plugged(self) -> bool:
        return self._listener is not None

    def plug(self, selector: selectors.BaseSelector, name: str) -> None:
        """The port listens."""
        family = socket.AF_INET6 if ":" in self._host else socket.AF_INET
        self._listener = socket.create_server((self._host, self._port), family=family)
        self._listener.setblocking(False)
        self._port = self._listener.getsockname()[1]
        selector.register(self._listener, selectors.EVENT_READ, name)

    def pull(self, selector: selectors.BaseSelector) -> None:
        """The host is hung up on, and the port stops listening."""
        self._hang_up(selector)
        if self._listener is not None:
            selector.unregister(self._listener)
            self._listener.close()
            self._listener = None

    def read(self, selector: selectors.BaseSelector, name: str, descriptor: int) -> bytes:
        """What the host sent; nothing while a host connects or after it has hung up."""
        if self._connection is None or descriptor != self._connection.fileno():
            self._answer_call(selector, name)
            return b""
        try:
            data = self._connection.recv(_CHUNK)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self._hang_up(selector)
        return data

    def write(self, data: bytes) -> int:
        """What the connection takes; nothing if no host is connected."""
        if self._connection is None:
            return 0
        try:
            return self._connection.send(data)
        except OSError:
            return 0

    def _answer_call(self, selector: selectors.BaseSelector, name: str) -> None:
        if self._listener is None:
            return
        try:
            calling, _ = self._listener.accept()
        except OSError:
            return
        if self._is_talking():
            calling.close()
            return
        self._hang_up(selector)
        calling.setblocking(False)
        calling.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._connection = calling
        selector.register(calling, selectors.EVENT_READ, name)

    def _is_talking(self) -> bool:
        """Whether the first host is still connected: its hanging up may not have been read yet."""
        if self._connection is None:
            return False
        try:
            return bool(self._connection.recv(1, socket.MSG_PEEK))
        except BlockingIOError:
            return True
        except OSError:
            return False

    def _hang_up(self, selector: selectors.BaseSelector) -> None:
        if self._connection is not None:
            selector.unregister(self._connection)
            self._connection.close()
            self._connection = None
