"""A serial port as the driver needs it: opened by URL, exclusive, with one exception type for all that can go wrong.

Traps that live here: a pseudo-terminal refuses parity on its second opening with `termios.error`, which
is neither OSError nor SerialException; an unplugged port raises SerialException when read, but a bare OSError EIO when
asked how much is waiting; `exclusive` must be True, or a second program reads half of our bytes.

DTR resets many boards when it rises. The system raises it as it opens a port, and lowers it at the last close unless
the port is told not to hang up, so that only its first opening after plugging in resets anything. Both lines
are left up while it is open: a board on USB sends nothing to a host without DTR.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import termios
import time
from typing import Final, Literal

import serial

from firmware_bridge.protocols.family import LineSettings
from firmware_bridge.waker import Waker

WRITE_TIMEOUT_S: Final = 0.5
_CHUNK: Final = 4096
_POLL_S: Final = 0.02
_CONTROL_FLAGS: Final = 2
_NO_WRITE_TIMEOUT: Final = "rfc2217://"
"""pyserial refuses one there."""
_PORT_ERRORS: Final = (serial.SerialException, OSError, termios.error)


NO_PORT: Final = frozenset({"not_there", "busy", "forbidden", "url", "open"})
"""Codes of a port that could not be opened."""


class LineError(Exception):
    """The port cannot be used: `code` is one of `NO_PORT`, or `lost` for an open one that has gone."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class SerialLine:
    """An open port, owned by one thread; another may end its `read` early through the `waker`."""

    def __init__(self, url: str, settings: LineSettings, waker: Waker | None = None) -> None:
        """Open `url` (a device path or a pyserial URL). Raises LineError with a sentence for a human."""
        self.url = url
        self.parity_refused = False
        """The line has no parity although the family wants it: a pseudo-terminal, or a poor adapter."""
        self._port = self._open(settings)
        self._waker = waker
        self._fd = self._file_descriptor()
        self._hold_dtr()

    def set_line(self, settings: LineSettings) -> None:
        """Change rate and parity of the open port, which closes nothing and resets nothing. Raises LineError."""
        self.parity_refused = False
        try:
            try:
                self._port.baudrate = settings.baud
                self._port.parity = settings.parity
            except termios.error:
                self.parity_refused = True
                self._port.parity = "N"
                self._port.baudrate = settings.baud
        except (*_PORT_ERRORS, ValueError, NotImplementedError) as error:
            raise _lost(self.url, error) from error

    def _hold_dtr(self) -> None:
        if self._fd is None:
            return
        with contextlib.suppress(termios.error):
            attributes = termios.tcgetattr(self._fd)
            if attributes[_CONTROL_FLAGS] & termios.HUPCL:
                attributes[_CONTROL_FLAGS] &= ~termios.HUPCL
                termios.tcsetattr(self._fd, termios.TCSANOW, attributes)

    def _open(self, settings: LineSettings) -> serial.Serial:
        try:
            return self._open_with(settings.baud, settings.parity)
        except termios.error:
            self.parity_refused = True
        except (*_PORT_ERRORS, ValueError, NotImplementedError) as error:
            raise _explain(self.url, error) from error
        try:
            return self._open_with(settings.baud, "N")
        except (*_PORT_ERRORS, ValueError, NotImplementedError) as error:
            raise _explain(self.url, error) from error

    def _open_with(self, baud: int, parity: Literal["N", "E", "O"]) -> serial.Serial:
        write_timeout = None if self.url.startswith(_NO_WRITE_TIMEOUT) else WRITE_TIMEOUT_S
        return serial.serial_for_url(
            self.url, baudrate=baud, parity=parity, timeout=0, write_timeout=write_timeout, exclusive=True
        )

    def _file_descriptor(self) -> int | None:
        try:
            return int(self._port.fileno())
        except (OSError, AttributeError):
            return None

    def read(self, timeout_s: float) -> bytes:
        """What is there, waiting up to `timeout_s` for the first byte. Raises LineError (`lost`)."""
        try:
            if self._fd is None:
                return self._read_without_descriptor(timeout_s)
            watched: list[int | Waker] = [self._fd] if self._waker is None else [self._fd, self._waker]
            ready, _, _ = select.select(watched, [], [], timeout_s)
            if self._waker is not None and self._waker in ready:
                self._waker.clear()
            return bytes(self._port.read(_CHUNK)) if self._fd in ready else b""
        except _PORT_ERRORS as error:
            raise _lost(self.url, error) from error

    def _read_without_descriptor(self, timeout_s: float) -> bytes:
        waiting = int(self._port.in_waiting)
        if not waiting:
            time.sleep(min(timeout_s, _POLL_S))
            waiting = int(self._port.in_waiting)
        return bytes(self._port.read(waiting)) if waiting else b""

    def write(self, data: bytes) -> None:
        """Write all of `data`. Raises LineError (`lost`)."""
        try:
            self._port.write(data)
        except _PORT_ERRORS as error:
            raise _lost(self.url, error) from error

    def close(self) -> None:
        """Close the port; closing twice, or what has vanished, is no error."""
        try:
            self._port.close()
        except _PORT_ERRORS:
            self._fd = None


def _lost(url: str, error: BaseException) -> LineError:
    return LineError("lost", f"the reader at {url} is gone ({_reason(error)}): check its cable")


def _explain(url: str, error: BaseException) -> LineError:
    number = _number(error)
    if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return LineError("not_there", f"there is no port {url or '(no name)'}: plug the reader in, or correct its name")
    if number in (errno.EACCES, errno.EPERM):
        return LineError("forbidden", f"the port {url} may not be opened: add this user to the group dialout")
    if number in (errno.EAGAIN, errno.EBUSY) or "exclusively lock" in str(error):
        return LineError("busy", f"the port {url} is held by another program: stop that first")
    if isinstance(error, ValueError):
        return LineError("url", f"the port name {url} is not understood ({_reason(error)}): write it like /dev/ttyUSB0")
    text = str(error).lower()
    if ("could not configure port" in text and "input/output" not in text) or number in (errno.ENOTTY, errno.EISDIR):
        return LineError("open", f"the name {url} is no serial port: correct the port's name")
    return LineError("open", f"the port {url} cannot be opened ({_reason(error)}): correct its name, or try again")


def _number(error: BaseException) -> int | None:
    if isinstance(error, OSError):
        return error.errno
    first = error.args[0] if isinstance(error, termios.error) and error.args else None
    return first if isinstance(first, int) else None


def _reason(error: BaseException) -> str:
    number = _number(error)
    if number is not None:
        return os.strerror(number)
    return str(error) or type(error).__name__
