"""Whose chip it is, where more than one zone hears it.

Of two zones that hear a chip it lies in the one with the better hits / (rounds + 1), by a margin; that figure prefers
three of three to one of one. As long as neither is better it is a candidate in both and lies in neither, but for one
that lay in one of them before it came: then it is that zone's, and a stray in the other once that zone owns it. The
readers' side gives a chip a new place after three hits. That says nothing of a chip that two zones have begun to hear
at once: at 15 % neighbour reads three of three are overheard in 0.3 % of the cases, and a zone that is read just before
the other gets there first.

A chip that travels is heard at its new place while its old zone still owns it: that reader may be slow (a full tray
takes a second a round), and has yet to miss it. What a zone hears twice and more often than not since the owner last
heard it may have come over: it keeps the zone unsettled, so that nothing is ruled without it. It has come once the
owner has been all through a round, begun after the first of these hits, and missed it.
"""

from __future__ import annotations

from dataclasses import dataclass

from table_controller.sensing.belief import ALIVE_MISSES, ChipSeen, Standing, Track, ZoneBelief, ZoneReading
from table_controller.sensing.setup import Thresholds

COMING_HITS = 2
"""So often a chip must be heard here, and not there, before it may have come over: strays of 1 % do it in 1e-4."""


def _lay_last(zone: str, chip: ChipSeen, other: str, rival: Track, hand_ns: int | None) -> str:
    """In which of two zones that hear a chip it lay last in this hand; empty where that is not known.

    Each zone knows the last place that is not itself; the later of the two is the last one.
    """
    if hand_ns is None:
        return ""
    there = chip.from_ns if chip.from_zone == other and chip.from_ns >= hand_ns else -1
    here = rival.from_ns if rival.from_zone == zone and rival.from_ns >= hand_ns else -1
    return "" if here == there else zone if here > there else other


def _lay_here(zone: str, chip: ChipSeen, was: Track | None, other: str, rival: Track, hand_ns: int | None) -> bool:
    """Whether a chip that neither of two zones owns lay last in this one before it came: earlier in the hand, and
    before either of them began to hear it.
    """
    came_ns = rival.since_ns if was is None else min(rival.since_ns, was.since_ns)
    if hand_ns is None or rival.lay_zone != zone or not hand_ns <= rival.lay_ns < came_ns:
        return False
    lay_zone, lay_ns = last_place(chip, was)
    return lay_zone != other or lay_ns < rival.lay_ns


def last_place(chip: ChipSeen, was: Track | None) -> tuple[str, int]:
    """The last place but this one when the chip came, and when it was last heard there."""
    if was is None or was.standing is Standing.STRAY:
        return chip.from_zone, chip.from_ns
    return was.lay_zone, was.lay_ns


@dataclass(frozen=True, slots=True)
class Alone:
    """How often a zone heard a chip since another one, that owns it, last did."""

    hits: int = 0
    rounds: int = 0
    round_no: int = 0
    at_ns: int = -1

    @classmethod
    def after(cls, chip: ChipSeen, was: Track | None, owner: Track, reading: ZoneReading, skipped: int) -> Alone:
        """`skipped`: rounds since the reading before."""
        heard = chip.answered
        if was is not None and was.alone and was.alone_ns > owner.heard_ns:
            if chip.quiet:
                return cls(was.alone, was.alone_rounds, was.alone_round, was.alone_ns)
            rounds = was.alone_rounds + skipped
            return cls(was.alone + heard, rounds, was.alone_round, was.alone_ns)
        return cls(1, 1, reading.round_no, reading.at_ns) if heard else NOT_ALONE

    def may_have_come(self, thresholds: Thresholds) -> bool:
        """Whether it is heard more often than a stray."""
        return self.hits >= COMING_HITS and self.hits >= thresholds.present_share * self.rounds

    def has_come(self, owner_zone: ZoneBelief, thresholds: Thresholds) -> bool:
        """Whether it is heard well here, and the owner was all through a round since and did not hear it."""
        well = self.hits >= thresholds.settled_share * self.rounds
        return well and self.hits >= thresholds.contested_hits and owner_zone.earlier_ns >= self.at_ns


NOT_ALONE = Alone()


def standing(
    zone: str,
    chip: ChipSeen,
    was: Track | None,
    rivals: list[tuple[str, Track]],
    thresholds: Thresholds,
    hand_ns: int | None,
    *,
    missed_there: bool,
) -> Standing:
    """What a zone believes of a chip that it hears, and that the zones `rivals` hear too; `missed_there`: one that owns
    it has begun to miss it. `was` is what it believed before, `hand_ns` when the hand began.
    """
    if was is not None and was.standing is Standing.PRESENT:
        return Standing.PRESENT if chip.missed < thresholds.absent_rounds else Standing.STRAY
    enough = chip.hits >= (thresholds.contested_hits if rivals else thresholds.present_hits)
    share = thresholds.settled_share if rivals or missed_there else thresholds.present_share
    claim = chip.hits / (chip.rounds + 1)
    owned = enough
    for other, rival in rivals:
        if rival.standing is Standing.PRESENT:
            better = enough and chip.missed == 0 and claim > rival.claim
            if not enough or rival.claim >= claim + thresholds.owner_margin:
                return Standing.STRAY
            if not better and _lay_last(zone, chip, other, rival, hand_ns) == other:
                return Standing.STRAY
            owned = False
        elif rival.claim > claim - thresholds.owner_margin:
            owned = owned and _lay_here(zone, chip, was, other, rival, hand_ns)
    if owned and chip.hits >= share * chip.rounds and chip.missed <= ALIVE_MISSES:
        return Standing.PRESENT
    return Standing.CANDIDATE


def coming(chip: ChipSeen, alone: Alone, here: Standing, owner: ZoneBelief, thresholds: Thresholds) -> Standing:
    """The standing of a chip that another zone owns, and that may have come from there."""
    if here is Standing.PRESENT or not alone.may_have_come(thresholds):
        return here
    if alone.has_come(owner, thresholds) and chip.missed <= ALIVE_MISSES:
        return Standing.PRESENT
    return Standing.CANDIDATE
