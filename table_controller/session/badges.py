"""Badges on the badge antenna: which tags lie there, by the evidence of the antenna's reader. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from betline.messages.devices import ZoneChips
from betline.settings.table import Sensing
from betline.units import NS_PER_MS, NS_PER_S

LEAST_HITS = 3
"""Rounds in which a tag answered before it is a badge that somebody has laid there."""


@dataclass(frozen=True, slots=True)
class Badges:
    """The tags of the badge antenna, the one laid last at the end."""

    seen: Mapping[str, int] = field(default_factory=dict)
    """By tag when it lay there last, on our monotonic clock."""
    there: frozenset[str] = frozenset()
    """Those that the last snapshot has."""
    heard_ns: int = 0

    def read(self, found: ZoneChips, use: Sensing, now_ns: int) -> Badges:
        """After a snapshot of the zone: a tag comes with a few answers, and goes when it has missed as a chip may."""
        there = {one.uid for one in found.chips if one.missed < use.absent_rounds}
        seen = {uid: now_ns if uid in there else at_ns for uid, at_ns in self.seen.items()}
        for one in found.chips:
            if one.uid in there and one.hits >= LEAST_HITS:
                seen.setdefault(one.uid, now_ns)
        return Badges(seen, frozenset(there & seen.keys()), now_ns)

    def lying(self, use: Sensing, grace_s: int, now_ns: int) -> tuple[str, ...]:
        """The tags that count as lying there: seen last time, or taken away no longer ago than the grace.

        A reader that is silent sees no badge.
        """
        heard = now_ns - self.heard_ns <= use.stale_ms * NS_PER_MS
        return tuple(
            uid
            for uid, at_ns in self.seen.items()
            if (heard and uid in self.there) or (grace_s and now_ns - at_ns <= grace_s * NS_PER_S)
        )

    def cleared(self, use: Sensing, grace_s: int, now_ns: int) -> Badges:
        """Without the tags that count no more: laid again, one of them is the last laid."""
        lying = self.lying(use, grace_s, now_ns)
        if len(lying) == len(self.seen):
            return self
        return replace(self, seen={uid: self.seen[uid] for uid in lying})
