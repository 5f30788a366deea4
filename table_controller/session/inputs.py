"""What can come to a session, already checked at the edge. All its times are the controller's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from betline.cards import Cards
from betline.messages.common import PresenceState
from betline.steps import Command, CommandError, command_args, read_command, verb_of
from table_controller.journal import codec
from table_controller.sensing.belief import ZoneReading
from table_controller.sensing.witness import CameraSeen, LineSeen
from table_controller.session.author import OPEN_TABLE, Author
from table_controller.session.door import Came, Went, WrongPin
from table_controller.session.sensors import Kind

NO_SEAT = 0
"""Where somebody is known by name who sits nowhere: the floor."""


@dataclass(frozen=True, slots=True)
class Now:
    """The time of an input: the wall clock for people, the monotonic one for sensing."""

    at_ms: int
    mono_ns: int


@dataclass(frozen=True, slots=True)
class Present:
    """A sensor, or the broker in its name, says how it does."""

    name: str
    kind: Kind
    state: PresenceState
    detail: str = ""
    code: str = ""


def _write_command(asks: Command) -> dict[str, Any]:
    return {"verb": verb_of(type(asks)), "args": command_args(asks)}


def _read_command(data: Any) -> Command:
    try:
        return read_command(data["verb"], data["args"])
    except (CommandError, TypeError, KeyError) as error:
        raise codec.CodecError(f"no command: {error}") from None


@dataclass(frozen=True, slots=True)
class Keyed:
    """A command; ``fresh`` has a new id for every seat to which a name comes with it, and for `NO_SEAT`."""

    id: str
    asks: Command = field(metadata=codec.own_form(_write_command, _read_command))
    sender: str
    expires_ns: int
    """From when on it is void, by the controller's monotonic clock."""
    fresh: Mapping[int, str]
    author: Author = OPEN_TABLE
    salt: str = ""
    """Chance for the seal of cards that come with it."""
    life: str = ""
    """Which life of its sender it comes from."""
    repeated: bool = False
    """The very same message has been delivered before."""

    @property
    def verb(self) -> str:
        """What the bus calls it."""
        return verb_of(type(self.asks))


@dataclass(frozen=True, slots=True)
class ReaderHeard:
    """A reader lives: it has read an antenna that is not about chips."""

    reader: str


@dataclass(frozen=True, slots=True)
class CardsRead:
    """Cards that have come to an antenna: the board's, or that of a seat's shown hand."""

    reader: str
    seat: int | None
    cards: Cards = field(repr=False)
    salt: str = field(repr=False)
    strange: int = 0
    """How many tags came that are no card of the house."""


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed."""


Input: TypeAlias = (
    ZoneReading | LineSeen | CameraSeen | Present | Keyed | ReaderHeard | Came | Went | WrongPin | CardsRead | Tick
)
