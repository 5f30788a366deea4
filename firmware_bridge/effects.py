"""What a reader's state machine (`link.py`, `polling.py`) asks of its shell (`driver.py`), reports, and has counted."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_bridge.protocols.doubt import Doubt, is_partial
from firmware_bridge.protocols.family import TagRead
from firmware_bridge.schedule import Channel


@dataclass(frozen=True, slots=True)
class OpenPort:
    """Open the port and say `opened` or `open_failed`."""


@dataclass(frozen=True, slots=True)
class ClosePort:
    """Close the port."""


@dataclass(frozen=True, slots=True)
class Send:
    """Write these bytes."""

    data: bytes


@dataclass(frozen=True, slots=True)
class RoundOver:
    """An inventory is complete."""

    channel: Channel
    tags: tuple[TagRead, ...]
    warnings: tuple[Doubt, ...]
    cycle_ms: float
    last_byte_ns: int
    """`time.monotonic_ns()` when the last byte of the reply came in."""
    quiet: frozenset[str] = frozenset()
    """UIDs that the reader kept from answering, since the round just before had read them: a second look."""

    @property
    def is_partial(self) -> bool:
        """Whether the reader told only a part of what lies there, as far as anybody knows."""
        return is_partial(self.warnings)


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something a human should be able to see; it clears itself with the next complete round."""

    code: str
    sentence: str


Effect = OpenPort | ClosePort | Send | RoundOver | Trouble


@dataclass(frozen=True, slots=True)
class LinkHealth:
    """What a reader's line has been through since the bridge began."""

    cycles: int = 0
    crc_errors: int = 0
    resyncs: int = 0
    dropped_bytes: int = 0
    late_replies: int = 0
    timeouts: int = 0
    refusals: int = 0
    reboots: int = 0
    reconnects: int = 0
    partial_rounds: int = 0
    """Rounds in which the reader told only a part of what lies there."""
    warned_rounds: int = 0
    """Whole rounds in which it warned of its field."""
    cycle_ms: float = 0.0
    """Time of the last complete round, from its first request to the last byte of its last reply."""
