"""What the last rounds of one antenna zone say: for each tag how often, how strongly and how lately it was heard.

A count is a set of UIDs with confidence, not a number: one round that missed a chip proves nothing.
Rounds that failed never come here, so silence takes no chip off the table. A chip that two antennas hear has evidence
in both zones: its hits and its strength in each decide whose it is. A round in which a reader kept a tag quiet, since
it had just read it, says nothing of that tag: it counts for the others only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from firmware_bridge.protocols.family import TagRead

WINDOW: Final = 8
"""K: how many rounds are remembered."""
MOST: Final = 4
"""So many windows of rounds are kept at most, should a reader keep its tags quiet for ever."""


@dataclass(frozen=True, slots=True)
class Heard:
    """One tag of a zone over the window."""

    uid: str
    hits: int
    """In how many rounds of the window it answered; at least one."""
    rounds: int
    """Rounds in which it could answer since it was first heard, that one included, at most the window."""
    missed: int
    """Those since it was last heard: 0 if it answered in the newest of them."""
    rssi: int | None
    """Middle of its answers in the window, on the reader's own scale; one answer alone jitters."""
    last_ns: int = 0
    """When the last round that heard it ended."""
    quiet: int = 0
    """The newest rounds in which it was kept quiet; they are in none of the other figures."""


@dataclass(frozen=True, slots=True)
class _Round:
    end_ns: int
    strongest: Mapping[str, int | None]
    quiet: frozenset[str] = frozenset()
    """Tags that could not answer."""

    def asked(self, uid: str) -> bool:
        return uid not in self.quiet or uid in self.strongest


@dataclass(frozen=True, slots=True)
class ZoneEvidence:
    """The last rounds of a zone: as many as every tag could answer in as the window has, and what lies between these.
    Each round makes a new one.
    """

    window: int = WINDOW
    round_no: int = 0
    rounds: tuple[_Round, ...] = ()
    first_heard: Mapping[str, int] = field(default_factory=dict)
    """The round in which each tag of the window was first heard."""

    def after(self, tags: Iterable[TagRead], end_ns: int = 0, quiet: frozenset[str] = frozenset()) -> ZoneEvidence:
        """The evidence with one more complete round, which ended at `end_ns`; the tags `quiet` were kept from answering
        in it. A tag may be there more than once.
        """
        strongest: dict[str, int | None] = {}
        for tag in tags:
            strongest[tag.uid] = stronger(strongest.get(tag.uid), tag.rssi)
        round_no = self.round_no + 1
        rounds = self._kept((*self.rounds, _Round(end_ns, strongest, quiet)))
        heard = sorted(frozenset().union(*(r.strongest for r in rounds)))
        first = {
            uid: self.first_heard.get(uid, round_no)
            for uid in heard
            if any(uid in one.strongest for one in self._chances(uid, rounds))
        }
        return ZoneEvidence(self.window, round_no, rounds, first)

    @property
    def grows(self) -> bool:
        """Whether the last round heard tags that none of the window's rounds before it had heard: one alone, of a chip
        or overheard from a neighbour's, is no pile on its way.
        """
        return self.round_no > 1 and sum(first == self.round_no for first in self.first_heard.values()) > 1

    def _kept(self, rounds: tuple[_Round, ...]) -> tuple[_Round, ...]:
        whole = [number for number, one in enumerate(rounds) if not one.quiet]
        kept = rounds[whole[-self.window] :] if len(whole) >= self.window else rounds
        return kept[-MOST * self.window :]

    def _chances(self, uid: str, rounds: Iterable[_Round]) -> list[_Round]:
        """The rounds of the window in which a tag could answer."""
        return [one for one in rounds if one.asked(uid)][-self.window :]

    def heard(self) -> tuple[Heard, ...]:
        """The tags of the window, by UID."""
        return tuple(self._one(uid, first) for uid, first in self.first_heard.items())

    def _one(self, uid: str, first_round: int) -> Heard:
        chances = self._chances(uid, self.rounds)
        answered = [one for one in chances if uid in one.strongest]
        missed = next(back for back, one in enumerate(reversed(chances)) if uid in one.strongest)
        quiet = next(back for back, one in enumerate(reversed(self.rounds)) if one.asked(uid))
        since = self.rounds[-(self.round_no - first_round + 1) :]
        since_first = min(self.window, sum(one.asked(uid) for one in since))
        strengths = sorted(rssi for one in answered if (rssi := one.strongest[uid]) is not None)
        rssi = strengths[len(strengths) // 2] if strengths else None
        return Heard(uid, len(answered), since_first, missed, rssi, answered[-1].end_ns, quiet)


def stronger(one: int | None, other: int | None) -> int | None:
    """The stronger of two readings, of which either may be missing; they may be below zero (dBm)."""
    if one is None or other is None:
        return other if one is None else one
    return max(one, other)
