"""What the virtual readers of all families share: the field, the random streams, and the faults of their lines."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from virtual_table.readers.air import AirInterface
from virtual_table.readers.antennas import HF_STACKS, Antennas
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.faults import FaultDice, Piece
from virtual_table.readers.field import TagsInField


class VirtualReader(ABC):
    """One reader, a `SerialDevice`. Not thread-safe: one server thread owns it.

    A family writes `power_on` and `answer` (and `due_ms` and `push`, if it sends unasked) as if its line were perfect,
    one piece per frame; the faults of the plan are applied here. The field has its own random stream: the same seed
    reads the same tags whatever the faults are.
    """

    airs: ClassVar[Sequence[AirInterface]] = HF_STACKS
    """The air interfaces of the family."""

    def __init__(self, tags_in_field: TagsInField, behaviour: Behaviour | None = None, seed: int = 0) -> None:
        self.behaviour = behaviour or Behaviour()
        self.number = seed & 0xFFFF_FFFF
        """Its serial number, where the family has one: another seed is another reader."""
        self.antennas = Antennas(tags_in_field, self.behaviour, random.Random(f"{seed}:field"), self.airs)
        self._faults = FaultDice(self.behaviour.faults, random.Random(f"{seed}:faults"))
        self.power_on(0.0)

    @abstractmethod
    def power_on(self, now_ms: float) -> None:
        """Start afresh, as after power-up: all volatile state is set here."""

    @abstractmethod
    def answer(self, data: bytes, now_ms: float) -> list[Piece]:
        """The frames that the reader sends for what the host sent."""

    @property
    def due_ms(self) -> float | None:
        """When the reader next pushes a frame unasked."""
        return None

    def push(self, now_ms: float) -> list[Piece]:  # noqa: ARG002 -- for those that push
        """The frames that are due; afterwards `due_ms` is later than `now_ms`, or None."""
        return []

    def receive(self, data: bytes, now_ms: float) -> list[Piece]:
        """Take what the host sent; returns what the reader sends, each piece with its delay from `now_ms`."""
        return self._faults.strike(self.answer(self._faults.heard(data), now_ms))

    @property
    def next_ms(self) -> float | None:
        """When the reader will next send unasked."""
        return self.due_ms

    def speak(self, now_ms: float) -> list[Piece]:
        """What the reader sends unasked."""
        return self._faults.strike(self.push(now_ms))
