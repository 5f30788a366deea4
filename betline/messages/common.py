"""What every message shares: the envelope, who is there and what it is, commands and their answers.

A message travels as one JSON object: the envelope (who sent it, in which life of that program, which number, when) and
the fields of its body. Amounts are whole chips of the table's smallest unit; ``*_ns`` are readings of the sender's
monotonic clock. Who receives them reads them on its own by ``Received.local_ns``: the sender may be another machine.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

UID_PATTERN: Final = r"^[0-9A-F]{8,64}$"
"""A tag's identifier: four bytes of ISO 14443A to an EPC of 256 bits."""
SeatNumber = Annotated[int, Field(ge=1, le=10, strict=True)]
Amount = Annotated[int, Field(ge=0, strict=True)]
PresenceState = Literal["online", "starting", "stale", "offline"]


def says_nothing(value: object) -> bool:
    """Whether a field that came later is left out: programs of the first messages read none that they do not know."""
    return not value


class Body(BaseModel):
    """The content of a message; frozen, and unknown fields are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Envelope(BaseModel):
    """Who sent a message, in which life of its program (``boot_id``), the message's number in it, and when."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    sender: str = Field(min_length=1, max_length=64)
    boot_id: str = Field(min_length=1, max_length=64)
    seq: int = Field(ge=-1, description="rises by one a message; 0 is the birth, -1 the last will")
    ts_ms: int = Field(description="wall clock of the sender, milliseconds since 1970")
    mono_ns: int = Field(description="monotonic clock of the sender")


class Presence(Body):
    """Whether a publisher is there; its last will says offline (retained)."""

    state: PresenceState = Field(
        description="starting: it serves, but does not know its whole part yet; stale: it is there and serves nothing"
    )
    detail: str = ""
    code: str = Field(default="", description="what is wrong, as a stable code, where the publisher has one for it")
    faults: int = Field(default=0, ge=0, description="messages dropped since its start for a fault of this program")


class Birth(Body):
    """What a publisher is, published once after it connects (retained).

    The bridge publishes one for each reader too, when the reader has said which one it is, and again when another one
    is in its place.
    """

    role: Literal["controller", "bridge", "vision", "world", "console", "tool", "reader"]
    version: str = Field(description="of the program; of a reader its firmware's, empty where it does not say")
    table: str
    config_hash: str
    seats: tuple[SeatNumber, ...] = ()
    capabilities: tuple[str, ...] = ()
    serial: str = Field(default="", max_length=64, description="of a reader: its serial number, where it tells one")


class Health(Body):
    """Counters of a device, all since its boot (retained)."""

    counters: dict[str, float]


class Signature(Body):
    """By what a command is known to be from the person who signed in (`betline.people.signature`)."""

    sign_in: str = Field(min_length=8, max_length=64, description="id of the sign-in")
    number: int = Field(ge=1, description="rises with each command of the sign-in")
    mac: str = Field(pattern=r"^[0-9a-f]{64}$")


class Command(Body):
    """Something that a person (or a script in a person's place) asks of the controller.

    ``args`` depend on the verb (``betline.steps.commands``; the bus document has them all). A command is answered with
    a Reply, obeyed at most once however often it arrives, and not after ``expires_ms``. That is counted from the
    envelope's ``ts_ms`` on, so the sender's wall clock need not be right. Sent again in time, with the same id by the
    same life of its sender, it gets the same answer; an id that anybody else uses, or that is used for something else,
    is refused as ``replayed``. Which life of the controller is asked may stand with it: another one does not obey, as
    it cannot know how old the first message of a sender is.
    """

    id: str = Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9-]+$")
    expires_ms: int = Field(description="wall clock of the sender after which the command is void")
    args: dict[str, Any] = {}
    signature: Signature | None = Field(default=None, description="null where nobody has signed in with a PIN")
    controller: str = Field(default="", max_length=64, description="life (boot_id) of the controller asked; empty: any")


class Reply(Body):
    """The answer to a command."""

    command_id: str
    verb: str
    ok: bool
    code: str = Field(description="ok, or the stable code of the refusal")
    sentence: str
    needs: tuple[str, ...] = Field(default=(), description="refused for want of a right: the roles that have it")
