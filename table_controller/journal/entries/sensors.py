"""Entries about the felt: what sensing made of readings, what the camera saw, which sensors are there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

from table_controller.journal import codec
from table_controller.journal.entries.entry import Entry
from table_controller.sensing.observations import Asked, AskedNoMore, Observation


def _write_observation(observation: Observation) -> dict[str, Any]:
    """All of its fields: who listens on the bus need not know their defaults."""
    found = {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(observation).items()}
    if isinstance(observation, Asked | AskedNoMore):
        found["question"] = found.pop("kind", None)
    return {"kind": _snake(type(observation).__name__), **found}


def _read_observation(data: Any) -> Observation:
    found = dict(data)
    cls = _OBSERVATIONS.get(found.pop("kind", ""))
    if cls is None:
        raise codec.CodecError(f"{data!r} is no observation")
    if cls is Asked:
        found["kind"] = found.pop("question", None)
    observation: Observation = codec.read(cls, found)
    return observation


def _snake(name: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("-")


_OBSERVATIONS: dict[str, type] = {_snake(cls.__name__): cls for cls in Observation.__args__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed(Entry):
    """What sensing made of readings."""

    kind: ClassVar[str] = "observed"
    observation: Observation = field(metadata=codec.own_form(_write_observation, _read_observation))


@dataclass(frozen=True, slots=True, kw_only=True)
class FeltMoved(Entry):
    """What of sensing must survive a restart, where it has changed."""

    kind: ClassVar[str] = "felt"
    changed: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraSaw(Entry):
    """An event of the camera at a seat; by ``id`` its pictures are found."""

    kind: ClassVar[str] = "camera"
    seat: int
    event: str
    id: str
    from_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorChanged(Entry):
    """A sensor went silent, down, or came again."""

    kind: ClassVar[str] = "sensor"
    name: str
    condition: str
    detail: str
