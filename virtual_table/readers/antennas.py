"""The field of a virtual reader: which tags it hears on which antenna, and how long that takes on the air."""

from __future__ import annotations

import random
import zlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from virtual_table.readers.air import ISO15693, ISO18000_3M3, AirInterface
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.field import NEIGHBOUR_SIGNAL, FieldTag, TagsInField
from virtual_table.readers.reading import Reading

HF_STACKS = (ISO15693, ISO18000_3M3)


@dataclass(frozen=True, slots=True)
class Sweep:
    """The outcome of one inventory of some antennas."""

    heard: tuple[FieldTag, ...]
    """In the order in which they were singulated; a tag that two antennas hear comes twice."""
    air_ms: float
    warned: bool
    """The RF part was disturbed and heard nothing."""
    present: frozenset[tuple[str, int]]
    """UID and antenna of each tag that has power, on any antenna: a tag that left loses its quiet state."""


class Antennas:
    """Reads the field with the random stream of one reader.

    `airs` are the air interfaces that the reader speaks; a tag belongs to the first that claims it, and one that none
    claims is not heard. The law of detuning: in a pile of n tags one is missed with the probability 1 - (1 - d)^((n -
    1) k), where d is `Behaviour.detuned` times the interface's own `detuning`, and k, from 0 to 2, is the tag's own:
    some chips of a tall stack are missed round after round, as in a real one.
    """

    def __init__(
        self,
        tags_in_field: TagsInField,
        behaviour: Behaviour,
        rng: random.Random,
        airs: Sequence[AirInterface] = HF_STACKS,
    ) -> None:
        self._tags_in_field = tags_in_field
        self._usual = self._behaviour = behaviour
        self._rng = rng
        self._airs = airs

    def misread(self, reading: Reading | None) -> None:
        """From now on they read so, with None as they usually do."""
        self._behaviour = self._usual if reading is None else reading.over(self._usual)

    def sweep(
        self, antennas: Iterable[int], muted: Collection[tuple[str, int]] = (), *, limit: int | None = None
    ) -> Sweep:
        """Read these antennas, one after the other. Tags in `muted` (UID and antenna) keep quiet.

        With a `limit` each antenna singulates no more tags than that; the anticollision decides which.
        """
        present = tuple(FieldTag(*tag) for tag in self._tags_in_field())
        powered = frozenset((tag.uid, tag.antenna) for tag in present if tag.signal > 0)
        heard: list[FieldTag] = []
        air_ms = 0.0
        for antenna in antennas:
            here = [tag for tag in present if tag.antenna == antenna and (tag.uid, antenna) not in muted]
            for number, air in enumerate(self._airs):
                tags = {tag.uid: tag for tag in here if self._air_of(tag.uid) is air and self._answers(tag, air)}
                if tags or not number:
                    took_ms, order = self._tell_apart(air, tags, limit)
                    air_ms += took_ms
                    heard += [tags[uid] for uid in order]
        warned = self._rng.random() < self._behaviour.rf_warning
        return Sweep(() if warned else tuple(heard), air_ms * self._behaviour.air_factor, warned, powered)

    def _tell_apart(self, air: AirInterface, uids: Collection[str], limit: int | None) -> tuple[float, list[str]]:
        took_ms, order = air.tell_apart(tuple(uids), self._rng)
        if limit is None or len(order) <= limit:
            return took_ms, order
        return air.tell_apart(tuple(order[:limit]), self._rng)[0], order[:limit]

    def _air_of(self, uid: str) -> AirInterface | None:
        return next((air for air in self._airs if air.claims(uid)), None)

    def _answers(self, tag: FieldTag, air: AirInterface) -> bool:
        behaviour = self._behaviour
        if tag.signal <= 0:
            return False
        if tag.signal < NEIGHBOUR_SIGNAL:
            return self._rng.random() < behaviour.neighbour
        heard = 1.0 - behaviour.missed
        if tag.pile > 1 and behaviour.detuned:
            own = zlib.crc32(tag.uid.encode()) / 2**31
            detuned = min(1.0, behaviour.detuned * air.detuning)
            heard *= (1.0 - detuned) ** ((tag.pile - 1) * own)
        return self._rng.random() < heard
