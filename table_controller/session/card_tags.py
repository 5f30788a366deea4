"""Tags on an antenna for cards: those that have just come, by the evidence of its reader. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from betline.messages.devices import ZoneChips
from betline.settings.table import Sensing

LEAST_HITS = 2
"""Rounds in which a tag answered before it is a card that lies there."""


@dataclass(frozen=True, slots=True)
class CardTags:
    """The tags that lie on one antenna and were told."""

    told: frozenset[str] = frozenset()

    def read(self, found: ZoneChips, use: Sensing) -> tuple[CardTags, tuple[str, ...]]:
        """After a snapshot: what lies there now, and what of it has come since. A tag that was taken away may come
        again.
        """
        there = {one.uid for one in found.chips if one.missed < use.absent_rounds}
        come = tuple(
            one.uid for one in found.chips if one.uid in there - self.told and one.hits >= LEAST_HITS
        )  # fmt: skip
        return CardTags(frozenset(self.told & there | set(come))), come
