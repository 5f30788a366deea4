"""The one interface that every family of readers implements: traits as data, and a dialogue without a port.

A dialogue is the host's side of the talk with one reader. It is told what to do (`inventory`), is fed the bytes that
came in together with their time, and answers with the next *step*: send these bytes and wait, just wait, here are the
tags, or the reader refused. It owns no port, reads no clock and never sleeps; the driver does all that for every
family in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal, Protocol, Self, runtime_checkable

from firmware_bridge.protocols.doubt import Doubt
from firmware_bridge.protocols.settings import Setting, SettingValue

BITS_PER_BYTE: Final = {"N": 10, "E": 11, "O": 11}
"""Start, eight data, parity (if any) and one stop bit."""


class TagKind(StrEnum):
    """The air interface that a tag answered on, as `bridge once` names it."""

    ISO15693 = "iso15693"
    ISO18000_3M3 = "iso18000-3m3"
    ISO14443A = "iso14443a"
    ISO14443B = "iso14443b"
    FELICA = "felica"
    EPC = "epc"


class Delivery(StrEnum):
    """Whether a reader speaks when asked, or by itself."""

    ASKED = "asked"
    PUSHED = "pushed"


@dataclass(frozen=True, slots=True)
class LineSettings:
    """How the serial line of a family is set; one stop bit and eight data bits everywhere."""

    baud: int
    parity: Literal["N", "E", "O"]

    @property
    def byte_ms(self) -> float:
        """Time of one character on the line, in milliseconds."""
        return BITS_PER_BYTE[self.parity] * 1000.0 / self.baud


@dataclass(frozen=True, slots=True)
class Traits:
    """What a family of readers can do (hardware_docs/readers.md)."""

    name: str
    title: str
    line: LineSettings
    bauds: tuple[int, ...]
    """Line rates that readers of the family are found at, the likeliest first."""
    kinds: frozenset[TagKind]
    antennas: int
    """The most antennas that one reader of the family switches between."""
    tells_rssi: bool
    delivery: Delivery
    boots_ms: float = 0.0
    """How long a reader may be deaf after its port was opened, where the opening itself resets it (DTR)."""
    settings: tuple[Setting, ...] = ()
    """What a table file may set of a reader of the family; then the family is `Configurable`."""


@dataclass(frozen=True, slots=True)
class TagRead:
    """One tag in one reply. `rssi` is the reader's own scale, more is stronger; None where it gives none."""

    uid: str
    """Upper-case hex; the EPC for UHF."""
    kind: TagKind | None
    antenna: int | None = None
    rssi: int | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """Send `data`, then wait `timeout_ms` for the answer."""

    data: bytes
    timeout_ms: float
    on_air_ms: float = 0.0
    """For so long the reader was told to read before it answers: to wait for less would be to give every round up."""


@dataclass(frozen=True, slots=True)
class Listen:
    """Send nothing: more will come by itself within `timeout_ms`.

    `silence` is called exactly then, even while bytes still come in: a reader that pushes without end is listened to
    for as long as its dialogue likes, and `silence` then gives the round.
    """

    timeout_ms: float


@dataclass(frozen=True, slots=True)
class Inventory:
    """The round is complete: these tags answered. No tag is a good answer."""

    tags: tuple[TagRead, ...]
    warnings: tuple[Doubt, ...] = ()
    """What makes the round doubtful: a tag that is missing from it proves nothing."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The reader answered, but with an error; the round says nothing about the tags."""

    code: str
    sentence: str


Step = Ask | Listen | Inventory | Refused


@dataclass(frozen=True, slots=True)
class LineCounters:
    """What a dialogue has counted since it began; every byte thrown away shows up here."""

    frames: int = 0
    crc_errors: int = 0
    resyncs: int = 0
    dropped_bytes: int = 0
    late_replies: int = 0
    reboots: int = 0
    """How often the reader said that it had restarted."""

    def __add__(self, other: LineCounters) -> LineCounters:
        return LineCounters(
            self.frames + other.frames,
            self.crc_errors + other.crc_errors,
            self.resyncs + other.resyncs,
            self.dropped_bytes + other.dropped_bytes,
            self.late_replies + other.late_replies,
            self.reboots + other.reboots,
        )


class Dialogue(Protocol):
    """The host's side of the talk with one reader. One request is in flight at a time.

    Bytes that come between two rounds are fed too, and may give a step: an `Inventory` that the reader sent by itself
    is a round like any other, an `Ask` is sent, a `Listen` begins a round. A `Refused` ends whatever was under way.
    """

    def inventory(self, antenna: int | None) -> Step:
        """Begin a round on `antenna` (counted from 1), or on whatever the reader has if None."""
        ...

    def feed(self, data: bytes, now_ms: float) -> Step | None:
        """Take what came in at `now_ms`; the next step, or None while the answer is incomplete.

        Empty `data` says that nothing came until `now_ms`, which may end a gap between characters.
        """
        ...

    def silence(self) -> Step | None:
        """The last step's time is up. Another step if the dialogue can go on without the answer, else None."""
        ...

    @property
    def damaged(self) -> bool:
        """Whether a damaged frame came since the last request: once the line is quiet, waiting on is useless."""
        ...

    @property
    def counters(self) -> LineCounters: ...


@runtime_checkable
class SharesField(Protocol):
    """A dialogue that can leave its reader's field off between two rounds."""

    def share_field(self) -> None:
        """From now on the field is on in a round only; call it before the first."""
        ...


@runtime_checkable
class LooksAgain(Protocol):
    """A dialogue with a reader that keeps each tag quiet which it has read, until it is told to let them forget."""

    def look_again(self) -> Step | None:
        """Read the antenna of the last round once more, right after its `Inventory`: only tags answer that have not
        been read since that round began. None: not now, since the tags have forgotten.
        """
        ...


@runtime_checkable
class AsksWhetherBusy(Protocol):
    """A dialogue with a reader that is silent while it reads many tags."""

    def ask_whether_busy(self) -> Ask | Listen | None:
        """A request that a reader answers at once which is not reading, while the answer about a round is awaited.

        The round goes on: what was awaited is awaited still, and counts when it comes. If the reader answers this
        first, the answer about the round was lost, and the step is `Refused`. `Listen`: a reader of this family must
        not be talked to while it reads, it is only waited for. None: nothing is awaited that takes long.
        """
        ...


@runtime_checkable
class TellsOfItself(Protocol):
    """A dialogue with a reader that says where it sits and how it does."""

    @property
    def seat(self) -> int:
        """The seat that the reader says it is; 0: it was not told one, or has not said yet."""
        ...

    @property
    def own_counters(self) -> Mapping[str, float]:
        """What the reader last said of itself, by names that end in their unit where there is one; empty before."""
        ...


@dataclass(frozen=True, slots=True)
class Identity:
    """Which reader it is, in its own words; a field is empty where the reader does not say."""

    serial: str = ""
    """Its serial number."""
    firmware: str = ""
    """The version of its firmware."""

    def __or__(self, other: Identity) -> Identity:
        """Both together; what this one says counts where both say something."""
        return Identity(self.serial or other.serial, self.firmware or other.firmware)


@dataclass(frozen=True, slots=True)
class Question:
    """A request whose answer says something of which reader it is."""

    request: bytes
    read: Callable[[bytes], Identity | None]
    """What an answer says, given all bytes that have come since the request; None: no whole answer is among them."""


@runtime_checkable
class TellsIdentity(Protocol):
    """A dialogue that knows which reader it talks with."""

    @property
    def identity(self) -> Identity | None:
        """What the reader said; None until it has."""
        ...


@runtime_checkable
class Configurable(Protocol):
    """A family whose readers take settings."""

    def configured(self, values: Mapping[str, SettingValue]) -> Self:
        """The family of readers with these settings, which `settings.checked` found good."""
        ...


class Family(Protocol):
    """A family of readers: its traits, how to talk with one, and how to find one."""

    @property
    def traits(self) -> Traits: ...

    def dialogue(self) -> Dialogue:
        """A fresh dialogue, for a port that was just opened."""
        ...

    @property
    def questions(self) -> tuple[Question, ...]:
        """What a reader that was read can be asked about itself; none where its dialogue tells by itself."""
        ...

    @property
    def probe(self) -> bytes:
        """A harmless request that a reader of this family answers at once."""
        ...

    def recognise(self, answer: bytes) -> str | None:
        """What sits there, in words, if `answer` is a reply of this family to the probe."""
        ...
