"""Which antenna is which: the one where a chip was put while all were listened to. Pure."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from betline.setup.sections.readers import Spot

ROUNDS: Final = 5
"""How many of the last rounds of each antenna are looked at."""
HITS: Final = 4
"""A chip that answered in at least this many of them lies there."""


@dataclass(frozen=True, slots=True)
class Heard:
    """One round of one antenna: the tags that answered."""

    spot: Spot
    uids: frozenset[str]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is believed of the antennas now: the one where a chip came, or why none can be named yet."""

    spot: Spot | None
    sentence: str


@dataclass(slots=True)
class Hunt:
    """The search for one zone's antenna after another; ``taken`` says whose an antenna is already."""

    spots: tuple[Spot, ...]
    _rounds: dict[Spot, deque[frozenset[str]]] = field(default_factory=dict)
    _before: dict[Spot, set[str]] | None = None
    """What lay on each antenna when the question was asked; None until all have been listened to."""

    def ask(self) -> None:
        """Begins the search for the next zone: what lies there now counts for nothing."""
        self._before = None

    def hear(self, heard: Heard) -> None:
        """Takes one round of an antenna."""
        self._rounds.setdefault(heard.spot, deque(maxlen=ROUNDS)).append(heard.uids)
        if self._before is None:
            if all(len(self._rounds.get(spot, ())) == ROUNDS for spot in self.spots):
                self._before = {spot: self._answering(spot) for spot in self.spots}
        elif heard.spot in self._before:
            self._before[heard.spot] &= self._answering(heard.spot)

    def verdict(self, taken: Mapping[str, str]) -> Verdict:
        """Where a chip has come; ``taken`` has the place of each antenna that is known already."""
        if self._before is None:
            return Verdict(None, "Listening to all antennas; wait.")
        new = {spot: self._lying(spot) - self._before[spot] for spot in self.spots}
        came = [spot for spot in self.spots if new[spot]]
        if not came:
            return Verdict(None, "Ready: put a chip there.")
        if len(came) > 1:
            names = " and ".join(f"{spot.port} antenna {spot.antenna}" for spot in came)
            return Verdict(None, f"Two antennas hear a new chip: {names}. Use one chip, in the middle of the place.")
        spot = came[0]
        if str(spot) in taken:
            return Verdict(None, f"That is the antenna {taken[str(spot)]} already. Put the chip elsewhere.")
        return Verdict(spot, f"{spot.port}, antenna {spot.antenna}, hears it.")

    def _lying(self, spot: Spot) -> set[str]:
        rounds = self._rounds.get(spot, ())
        return {uid for uid in self._answering(spot) if sum(uid in one for one in rounds) >= HITS}

    def _answering(self, spot: Spot) -> set[str]:
        return set().union(*self._rounds.get(spot, ()))
