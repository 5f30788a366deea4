"""A second look right after a round, without letting the tags forget that they were read: only those answer that the
round missed, so eight chips that were all heard cost an empty inventory and not eight answers.

At the seat to act a round has one. In pot, tray and stacks, where a round of many chips is a long one, it has as many
as tell a chip that was missed from one that has gone: a chip that left a tray of 80 would else be known to have gone
after six rounds of 0.85 s. Some rounds after a loss have looks as well, so that change that comes is heard at once.

Pure. Whether a reader really keeps its tags quiet shows only in what answers: a FEIG reader may be configured to reset
the field by itself before each inventory, and then a look is a round like any other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Final

from firmware_bridge.protocols.family import TagRead
from firmware_bridge.schedule import Channel, Need, Pace

UNQUIET_SHARE: Final = 0.5
"""Where more of the tags answer that a look should have kept quiet, it is taken for a round of all of them."""
LOOKS_FOR_MISSED: Final = 5
"""A tag that a round and so many looks have missed has gone: 0.05**6 = 1.6e-8."""
LOOKS_FOR_NEW: Final = 2
"""Tags that come together are heard one by one: so many looks go on after the last new one."""
LOOKS_FOR_CHANGE: Final = 4
"""Where tags have gone, others may come for them, as change does: so many looks for these follow each of the next
rounds. A tag that came is missed by all of them in 0.05**4 = 6e-6, at 15 % in 5e-4."""
ROUNDS_FOR_CHANGE: Final = 5
"""So many rounds have these looks: 2 s, where a round takes 0.4 s."""
UNQUIET_LOOKS: Final = 3
"""After so many such looks in a row the reader is one that lets its tags forget: it is not asked again."""


def is_worth_it(channel: Channel, acting: frozenset[str], took_ms: float, heard: int, pace: Pace) -> bool:
    """Whether a round of a seat's zone is worth a second look.

    It is where an act is awaited, if the round took longer than the zone's pace: the look is done in less. An
    empty field has no tag to keep quiet, so there the next round is as quick.
    """
    return channel.need is Need.SEAT and channel.zone in acting and heard > 0 and took_ms > pace.acting_ms


@dataclass(frozen=True, slots=True)
class Search:
    """The looks after one round of a zone where nobody acts: for tags that it has missed, and for new ones."""

    known: frozenset[str] = frozenset()
    """Tags that lie there, as far as the reader knows."""
    missed: frozenset[str] = frozenset()
    """Those of them that neither the round nor a look since has heard."""
    looks: int = 0
    """Looks since the round."""
    until: int = 0
    """So many looks it has for new tags at least."""
    rounds_for_change: int = 0
    """So many rounds from the next on have looks for tags that come for those that have gone."""

    @property
    def goes_on(self) -> bool:
        """Whether another look is worth it."""
        return bool(self.missed) or self.looks < self.until

    def after(self, tags: Iterable[TagRead], *, look: bool) -> Search:
        """The search after a round, or a look, that heard these tags."""
        heard = frozenset(tag.uid for tag in tags)
        looks, until, rounds = self.looks + 1, self.until, self.rounds_for_change
        if not look:
            looks, until, rounds = 0, LOOKS_FOR_CHANGE if rounds else 0, max(rounds - 1, 0)
        if heard - self.known:
            until = max(until, looks + LOOKS_FOR_NEW)
        missed = (self.missed if look else self.known) - heard
        known = self.known | heard
        if looks < LOOKS_FOR_MISSED:
            return Search(known, missed, looks, until, rounds)
        rounds = ROUNDS_FOR_CHANGE if missed else rounds
        return Search(known - missed, looks=looks, until=LOOKS_FOR_MISSED, rounds_for_change=rounds)


@dataclass(slots=True)
class Searches:
    """The searches of one reader since its port was opened, by zone."""

    _by_channel: dict[Channel, Search] = field(default_factory=dict)

    def want_a_look(
        self,
        channel: Channel,
        tags: Collection[TagRead],
        quiet: frozenset[str],
        took_ms: float,
        acting: frozenset[str],
        pace: Pace,
    ) -> bool:
        """Whether a look is worth it after a round, or after a look that kept `quiet` quiet, which heard these tags."""
        if channel.need is not Need.SLOW:
            return not quiet and is_worth_it(channel, acting, took_ms, len(tags), pace)
        search = self._by_channel.get(channel, Search()).after(tags, look=bool(quiet))
        self._by_channel[channel] = search
        return bool(tags or quiet) and search.goes_on


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

    def begun(self, tags: Iterable[TagRead], quiet: frozenset[str] = frozenset()) -> Looks:
        """A look begins after a round that read these tags, or after a look that read them and kept `quiet` quiet."""
        return Looks(quiet | {tag.uid for tag in tags}, self.unquiet)

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
