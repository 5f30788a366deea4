"""What the last rounds of one antenna zone say: for each tag how often, how strongly and how lately it was heard.

A count is a set of UIDs with confidence, not a number (HARDWARE.md 1.4): one round that missed a chip proves nothing.
Rounds that failed never come here, so silence takes no chip off the table.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from firmware_bridge.protocols.family import TagRead

WINDOW: Final = 8
"""K: how many rounds are remembered."""


@dataclass(frozen=True, slots=True)
class Heard:
    """One tag of a zone over the window."""

    uid: str
    hits: int
    """In how many rounds of the window it answered; at least one."""
    rounds: int
    """Rounds since it was first heard, that one included, at most the window."""
    missed: int
    """Rounds since it was last heard: 0 if it answered in the newest."""
    rssi: int | None
    """Of the last time; the reader's own scale."""


@dataclass(frozen=True, slots=True)
class _Known:
    first_round: int
    rssi: int | None


@dataclass(frozen=True, slots=True)
class ZoneEvidence:
    """The last rounds of a zone, `window` at most. Each round makes a new one."""

    window: int = WINDOW
    round_no: int = 0
    rounds: tuple[frozenset[str], ...] = ()
    known: tuple[tuple[str, _Known], ...] = ()

    def after(self, tags: Iterable[TagRead]) -> ZoneEvidence:
        """The evidence with one more complete round."""
        strongest: dict[str, int | None] = {}
        for tag in tags:
            rssi = strongest.get(tag.uid)
            strongest[tag.uid] = tag.rssi if rssi is None else max(rssi, tag.rssi or 0)
        round_no = self.round_no + 1
        rounds = (*self.rounds, frozenset(strongest))[-self.window :]
        remembered: frozenset[str] = frozenset().union(*rounds)
        known = {uid: one for uid, one in self.known if uid in remembered}
        for uid, rssi in strongest.items():
            before = known.get(uid)
            known[uid] = _Known(before.first_round if before else round_no, rssi)
        return ZoneEvidence(self.window, round_no, rounds, tuple(sorted(known.items(), key=lambda item: item[0])))

    def heard(self) -> tuple[Heard, ...]:
        """The tags of the window, by UID."""
        return tuple(self._one(uid, known) for uid, known in self.known)

    def _one(self, uid: str, known: _Known) -> Heard:
        answered = [uid in one for one in reversed(self.rounds)]
        since_first = min(self.window, self.round_no - known.first_round + 1)
        return Heard(uid, sum(answered), since_first, answered.index(True), known.rssi)
