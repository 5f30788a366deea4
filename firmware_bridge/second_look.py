"""A second look right after a round, without letting the tags forget that they were read: only those answer that the
round missed, so eight chips that were all heard cost an empty inventory and not eight answers.

Pure. Whether a reader really keeps its tags quiet shows only in what answers: a FEIG reader may be configured to reset
the field by itself before each inventory, and then a look is a round like any other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from firmware_bridge.protocols.family import TagRead
from firmware_bridge.schedule import Channel, Need, Pace

UNQUIET_SHARE: Final = 0.5
"""Where more of the tags answer that a look should have kept quiet, it is taken for a round of all of them."""
UNQUIET_LOOKS: Final = 3
"""After so many such looks in a row the reader is one that lets its tags forget: it is not asked again."""


def is_worth_it(channel: Channel, acting: frozenset[str], took_ms: float, heard: int, pace: Pace) -> bool:
    """Whether a round of a zone is worth a second look.

    It is at a seat where an act is awaited, if the round took longer than the zone's pace: the look is done in less. An
    empty field has no tag to keep quiet, so there the next round is as quick.
    """
    return channel.need is Need.SEAT and channel.zone in acting and heard > 0 and took_ms > pace.acting_ms


@dataclass(frozen=True, slots=True)
class Looks:
    """The second looks of one reader since its port was opened."""

    quiet: frozenset[str] = frozenset()
    """UIDs that the look under way keeps from answering; empty in any other round."""
    unquiet: int = 0
    """Looks in a row in which such tags answered all the same."""

    @property
    def under_way(self) -> bool:
        return bool(self.quiet)

    @property
    def may_begin(self) -> bool:
        """Whether the reader keeps its tags quiet, as far as is known."""
        return self.unquiet < UNQUIET_LOOKS

    def begun(self, tags: Iterable[TagRead]) -> Looks:
        """A look begins after a round that read these tags."""
        return Looks(frozenset(tag.uid for tag in tags), self.unquiet)

    def over(self, tags: Iterable[TagRead]) -> tuple[Looks, frozenset[str]]:
        """The looks after a round that read these tags, and the UIDs that it did keep quiet."""
        if not self.quiet:
            return self, self.quiet
        answered = {tag.uid for tag in tags} & self.quiet
        if len(answered) > UNQUIET_SHARE * len(self.quiet):
            return Looks(unquiet=self.unquiet + 1), frozenset()
        return Looks(), self.quiet

    def broken_off(self) -> Looks:
        """The round under way failed."""
        return Looks(unquiet=self.unquiet)
