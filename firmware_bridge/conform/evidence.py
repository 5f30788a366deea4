"""What was seen of a reader, as data: everything that the checks judge by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from firmware_bridge.conform.heard import Heard
from firmware_bridge.effects import LinkHealth
from firmware_bridge.protocols.family import Identity


@dataclass(frozen=True, slots=True)
class Entry:
    """One write or read of the host, at a time in milliseconds of the clock of the whole run."""

    at_ms: float
    is_request: bool
    data: bytes


@dataclass(frozen=True, slots=True)
class RoundSeen:
    """One complete round."""

    antenna: int | None
    ended_ms: float
    took_ms: float
    strengths: Mapping[str, int | None]
    """RSSI by UID, of every tag that answered."""
    doubts: tuple[str, ...] = ()
    """The reader's warnings: a tag that is missing then proves nothing."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A round that failed, or a port that was lost."""

    at_ms: float
    code: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Session:
    """The port was opened, rounds were read, the port was closed."""

    began_ms: float
    ended_ms: float
    rounds: tuple[RoundSeen, ...] = ()
    failures: tuple[Failure, ...] = ()
    health: LinkHealth = field(default_factory=LinkHealth)
    entries: tuple[Entry, ...] = ()
    identity: Identity | None = None
    returned_ms: float | None = None
    """When the port was opened again after it had been lost; None if it never was."""

    @property
    def settled(self) -> tuple[RoundSeen, ...]:
        """The rounds without the first one, in which the reader is set up."""
        return self.rounds[1:]

    @property
    def first_ms(self) -> float | None:
        """From the opening of the port to the end of the first round; None if there was none."""
        return self.rounds[0].ended_ms - self.began_ms if self.rounds else None

    @property
    def silence_ms(self) -> float:
        """The longest time without a complete round."""
        ends = [self.began_ms, *(one.ended_ms for one in self.rounds), self.ended_ms]
        return max(later - sooner for sooner, later in pairwise(ends))


@dataclass(frozen=True, slots=True)
class Stage:
    """A session over tags that lay still."""

    name: str
    laid: int | None
    """How many tags a person said lie there; None: nobody said."""
    session: Session


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request, and what came until the answer was complete or the time was up."""

    request: bytes
    answer: bytes = b""
    took_ms: float | None = None
    """From the request to the end of its answer; None: it was not answered."""
    heard: tuple[Heard, ...] = ()


@dataclass(frozen=True, slots=True)
class Provoked:
    """A request that must fail, and the good ones after it until one was answered."""

    exchange: Exchange
    following: tuple[Exchange, ...]

    @property
    def recovered(self) -> bool:
        """Whether the very next good request was answered."""
        return bool(self.following) and self.following[0].took_ms is not None


@dataclass(frozen=True, slots=True)
class Recovery:
    """What became of a reader after something was done to it."""

    acknowledged: bool | None
    """Whether it acknowledged the request for it; None where nothing was asked."""
    session: Session


@dataclass(frozen=True, slots=True)
class Idle:
    """What came while nothing was asked."""

    listened_ms: float
    heard: tuple[Heard, ...] = ()
    noise_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Alone:
    """One chip on one antenna, and what each of the antennas heard."""

    antenna: int
    session: Session


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that was seen; what was not tried is missing, with the reason in `left_out`."""

    baud: int
    byte_ms: float
    antennas: int
    boots_ms: float = 0.0
    """How long the family's boards may take to start."""
    said: str | None = None
    """What answered the probe, in the family's words; None: nothing of this family."""
    silence: str = ""
    """Why there was no answer, in a sentence."""
    identity: Identity | None = None
    parity_refused: bool = False
    probes: tuple[Exchange, ...] = ()
    stages: tuple[Stage, ...] = ()
    provoked: Mapping[str, Provoked] = field(default_factory=dict)
    """By the id of the check that judges it."""
    idle: Idle | None = None
    recoveries: Mapping[str, Recovery] = field(default_factory=dict)
    """By the id of the check that judges it."""
    alone: tuple[Alone, ...] = ()
    endurance: Session | None = None
    lost: str = ""
    """Why the run ended early; empty where it did not."""
    left_out: Mapping[str, str] = field(default_factory=dict)
    """By the check's id: why it was not tried."""

    @property
    def fullest(self) -> Stage | None:
        """The stage over most tags."""
        return max(self.stages, key=lambda stage: len(uids_of(stage.session)), default=None)


def uids_of(session: Session) -> frozenset[str]:
    """Every tag that was heard in a session."""
    return frozenset(uid for one in session.rounds for uid in one.strengths)
