"""The shape of what is known of a family: data and pure functions, in `kits` for each."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from firmware_bridge.conform.heard import Ear

READERS_PAGE: Final = "hardware_docs/readers.md"
COMMISSIONING_PAGE: Final = "hardware_docs/commissioning-readers.md"
_COUNTS: Final = (0, 1, 5, 10, 20, 40, 60, 100)
ISO15693_AIR_MS: Final = (10, 14, 39, 82, 183, 379, 551, 876)
"""Ideal air time of 0, 1, 5, 10, 20, 40, 60, 100 tags, in milliseconds ("How long an inventory takes")."""
GEN2_AIR_MS: Final = (3, 7, 33, 66, 129, 251, 371, 616)
"""The same for UHF Gen2 ("The air")."""
IN_PRACTICE: Final = 3.0
"""In practice an inventory takes two to three times its ideal time ("How long an inventory takes")."""
SLACK_MS: Final = 100.0


@dataclass(frozen=True, slots=True)
class Said:
    """What a manual says, and where it stands."""

    text: str
    source: str


@dataclass(frozen=True, slots=True)
class Reckoning:
    """How long a round should take: what is fixed, the air as often as it is used, and what each tag adds."""

    fixed_ms: float
    air_ms: tuple[int, ...] | None
    """At the counts of `_COUNTS`; None where `each_ms` holds the air too."""
    sweeps: float = 1.0
    each_ms: float = 0.0
    each_bytes: int = 0
    """Of the reply, for each tag; the line's time of them comes on top."""

    def round_ms(self, tags: int, byte_ms: float) -> float:
        """The reckoned time of a round over that many tags."""
        air_ms = 0.0 if self.air_ms is None else _between(tags, self.air_ms)
        return self.fixed_ms + self.sweeps * air_ms + tags * (self.each_ms + self.each_bytes * byte_ms)

    def limit_ms(self, tags: int, byte_ms: float) -> float:
        """More than this is too slow."""
        return IN_PRACTICE * self.round_ms(tags, byte_ms) + SLACK_MS


@dataclass(frozen=True, slots=True)
class Kit:
    """What the checks need to know of one family besides its traits and its dialogue."""

    name: str
    page: str
    """Where its manual is told, in this project."""
    ear: Callable[[], Ear]
    begins: Callable[[bytes], bool]
    """Whether a request begins an inventory: from then on each tag should be reported once."""
    damaged_request: bytes
    """A request with a wrong checksum."""
    cut_request: bytes
    """The beginning of a request."""
    impossible_request: bytes
    """A request with a good checksum that no reader of the family can carry out; it changes nothing in a reader."""
    reckoning: Reckoning
    repeats: bool = False
    """It reports the same tag again and again within a round, by design."""
    field_reset: tuple[bytes, ...] = ()
    """Requests that take the power from the tags and give it back; none where the family has none."""
    soft_reset: bytes = b""
    """The request that restarts the reader; empty where the family has none that is documented."""
    tells_serial: bool = True
    says: Mapping[str, Said] = field(default_factory=dict)
    """By the check's id: what this family's manual says. What is missing here, `GENERAL` says."""


def flipped(request: bytes, at: int) -> bytes:
    """The request with one bit of the byte at `at` flipped, such that no byte becomes 00."""
    index = at % len(request)
    bit = 0x40 if request[index] != 0x40 else 0x20
    return request[:index] + bytes((request[index] ^ bit,)) + request[index + 1 :]


def _between(tags: int, times_ms: tuple[int, ...]) -> float:
    """The time of that many tags, between those that are known; beyond the last in proportion."""
    if tags >= _COUNTS[-1]:
        return times_ms[-1] * tags / _COUNTS[-1]
    above = bisect_left(_COUNTS, tags)
    if _COUNTS[above] == tags:
        return float(times_ms[above])
    low, high = _COUNTS[above - 1], _COUNTS[above]
    return times_ms[above - 1] + (times_ms[above] - times_ms[above - 1]) * (tags - low) / (high - low)
