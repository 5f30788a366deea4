"""The device at the far end of a line."""

from __future__ import annotations

from typing import Protocol

from virtual_table.readers.faults import Piece


class SerialDevice(Protocol):
    """Something at the far end of a line. Times are milliseconds of one clock, which the line owns.

    The delays of pieces do not include the time of their bytes on the line; the line adds that, and keeps the order in
    which it was given the pieces.
    """

    def power_on(self, now_ms: float) -> None:
        """The device has just been plugged in: all volatile state is reset."""
        ...

    def receive(self, data: bytes, now_ms: float) -> list[Piece]:
        """Take what the host sent; returns pieces to send, with their delays from `now_ms`."""
        ...

    @property
    def next_ms(self) -> float | None:
        """When it will next send unasked; None if it won't. Any call may change it."""
        ...

    def speak(self, now_ms: float) -> list[Piece]:
        """`next_ms` has come; returns pieces to send. Afterwards `next_ms` is later than `now_ms`, or None."""
        ...


class OnlyAnswers:
    """A device that sends only when asked, and has no volatile state."""

    def power_on(self, now_ms: float) -> None:
        """Nothing is volatile."""

    @property
    def next_ms(self) -> float | None:
        """Never."""
        return None

    def speak(self, now_ms: float) -> list[Piece]:  # noqa: ARG002 -- the shape of SerialDevice
        """Nothing."""
        return []
