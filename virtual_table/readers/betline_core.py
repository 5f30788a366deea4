"""The core of a virtual reader of the family betline: its firmware, compiled from C or rewritten in Python.

Given the same tags, commands and times both send the same bytes at the same times; a test makes sure of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol


class Said(NamedTuple):
    """A frame of the reader, and when it began to send it, in microseconds of the core's clock."""

    at_us: int
    frame: bytes


class Answering(NamedTuple):
    """What an antenna hears in the inventory that starts."""

    tags: Sequence[tuple[int, int]]
    """UID as a number, and strength 0 to 255."""
    disturbed: bool
    """It hears only noise."""


Listener = Callable[[int], Answering]
"""Called with the number of an antenna when an inventory of it begins."""


@dataclass(frozen=True, slots=True)
class CoreSetup:
    """How the reader is built."""

    antennas: int
    seat: int
    serial: str
    air_permille: int
    """Air time in thousandths of that of `betline_air`."""


class ReaderCore(Protocol):
    """A reader in simulated time; its own clock runs ahead while it is on the air."""

    def power_on(self, boot_id: int, now_us: int) -> list[Said]:
        """Start afresh, as after power-up."""
        ...

    def receive(self, data: bytes, now_us: int) -> list[Said]:
        """Take what the host sent."""
        ...

    @property
    def next_us(self) -> int:
        """When it next has something to do unasked."""
        ...

    def speak(self, now_us: int) -> list[Said]:
        """Do what is due; afterwards `next_us` is later than `now_us`."""
        ...
