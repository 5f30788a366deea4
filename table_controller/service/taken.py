"""What a controller took, and when it took it: with the journal, all that a replay needs to come to the same.

The session is a fold: the same inputs at the same times give the same rulings. So each input is noted as it is handed
to the session, with the time that it was given, and each tick of the clock; what followed stands in the journal and on
the bus. Sign-ins are decided before the session: no PIN, and nothing by which one could be tried, is noted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from betline.tap import Tap
from table_controller.journal import codec
from table_controller.session import Input, Now, Tick

PROGRAM: Final = "controller"
TICKS: Final = 20
"""So many ticks make one line: a second."""


@dataclass(frozen=True, slots=True)
class Began:
    """A controller begins to serve, from its journal up to the entry `head`."""

    life: str
    version: str
    config_hash: str
    now: Now
    """When it took up the journal."""
    head: int
    names: Mapping[str, str]
    secrets: bool
    """Whether it knows what opens seals of the hand in progress; a recording has that of seals made in it."""


@dataclass(frozen=True, slots=True)
class Took:
    """The session handled an input, what followed was journalled, and it counts."""

    now: Now
    given: Input


@dataclass(frozen=True, slots=True)
class Stumbled:
    """The session met a fault of the program: the input was dropped, and nothing changed."""

    now: Now
    given: Input


@dataclass(frozen=True, slots=True)
class HeardOnly:
    """The journal could not be written: of the input it only counts that its sensor lives."""

    now: Now
    given: Input


@dataclass(frozen=True, slots=True)
class Ticked:
    """Time passed at these moments, each the wall clock in ms and the monotonic clock in ns."""

    at: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Named:
    """The names that the journal has for people have changed."""

    names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Shown:
    """The state was published."""

    version: int
    seq: int
    """The newest entry of the journal then."""


Turn: TypeAlias = Began | Took | Stumbled | HeardOnly | Ticked | Named | Shown
_KIND: Final[Any] = Turn


def written(turn: Turn) -> dict[str, Any]:
    """The JSON of a turn."""
    found: dict[str, Any] = codec.write(_KIND, turn)
    return found


def read_turn(data: Mapping[str, Any]) -> Turn:
    """The turn of its JSON, whatever else stands beside it; raises `journal.codec.CodecError`."""
    found: Turn = codec.read(_KIND, data)
    return found


def moment_ns(turn: Turn) -> int | None:
    """When a turn was, on the controller's monotonic clock; None of one that is told by its place alone."""
    match turn:
        case Began() | Took() | Stumbled() | HeardOnly():
            return turn.now.mono_ns
        case Ticked():
            return turn.at[-1][1]
        case Named() | Shown():
            return None


@dataclass(slots=True)
class Notes:
    """Notes turns into a tap, ticks by the second; without a tap nothing is done."""

    tap: Tap | None
    _ticks: list[tuple[int, int]] = field(default_factory=list)

    def took(self, given: Input, now: Now) -> None:
        """An input counts."""
        if self.tap is None:
            return
        if isinstance(given, Tick):
            self._ticks.append((now.at_ms, now.mono_ns))
            if len(self._ticks) >= TICKS:
                self._end_ticks()
        else:
            self.note(Took(now, given))

    def note(self, turn: Turn) -> None:
        """Any other turn."""
        if self.tap is not None:
            self._end_ticks()
            self.tap.note(lambda: written(turn))

    def close(self) -> None:
        """Notes what is left."""
        self._end_ticks()
        if self.tap is not None:
            self.tap.close()

    def _end_ticks(self) -> None:
        if self._ticks and self.tap is not None:
            ticked = Ticked(tuple(self._ticks))
            self._ticks = []
            self.tap.note(lambda: written(ticked))
