"""What is believed to lie in a zone, and the readings that it comes of: values, and no decisions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from types import MappingProxyType
from typing import Literal

from betline.units import NS_PER_MS
from table_controller.sensing.quality import Quality

ALIVE_MISSES = 1
"""Misses in a row at which a chip is still taken to lie there without any doubt: two are 0.25 %."""
RECENT_READINGS = 6
NOTHING_READ = Quality()
NOTHING_NOTED: Mapping[str, ChipNote] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ChipNote:
    """What a person should know of a chip wherever it lies."""

    code: Literal["retired-chip", "hot-chip", "cloned-chip", "foreign-chip"]
    what: str
    """Its type and number, for a sentence."""


@dataclass(frozen=True, slots=True)
class ChipSeen:
    """One chip in the evidence of a zone."""

    uid: str
    value: int | None
    """By the chip set in force; None for a UID that the register does not know, or that is out of play."""
    hits: int
    """Rounds of the window in which it answered."""
    rounds: int
    """Rounds in which it could answer since its first answer, at most the window."""
    missed: int
    """Those since its last answer."""
    note: ChipNote | None = None
    from_zone: str = ""
    """Its last place but this zone, as the readers' side knows it; empty where none is known."""
    from_ns: int = -1
    """When it was last heard there, on the controller's clock."""
    quiet: int = 0
    """The newest rounds, second looks, in which it was kept from answering; they are in none of the other figures."""

    @property
    def answered(self) -> bool:
        """Whether it did in the newest round."""
        return self.missed == 0 and self.quiet == 0


@dataclass(frozen=True, slots=True)
class ZoneReading:
    """The evidence of one antenna zone after an inventory round. A failed round makes none."""

    zone: str
    epoch: str
    """Life of the reader's program: round numbers begin anew with it."""
    round_no: int
    chips: tuple[ChipSeen, ...]
    at_ns: int
    """Last byte of the round's reply, by the controller's monotonic clock."""
    reader: str = ""
    """Who read it."""
    partial: bool = False
    """Whether the reader did not tell all that answered: more chips may lie there, repeat the round as one may."""

    @property
    def is_look(self) -> bool:
        """Whether chips that the round before had heard were kept quiet: it says something of the others alone."""
        return any(chip.quiet for chip in self.chips)


class Standing(Enum):
    """What is believed of a chip in a zone."""

    PRESENT = "present"
    CANDIDATE = "candidate"
    STRAY = "stray"
    """Heard, but lies elsewhere or nowhere."""


@dataclass(frozen=True, slots=True)
class Track:
    """One chip of a zone."""

    uid: str
    value: int | None
    standing: Standing
    hits: int
    rounds: int
    missed: int
    since_round: int
    """Round of its first hit since it came."""
    since_ns: int
    """When that was reported."""
    heard_ns: int = -1
    """When it last answered; -1 where that was before anything was believed of it here."""
    note: ChipNote | None = None
    from_zone: str = ""
    from_ns: int = -1
    alone: int = 0
    """Hits since the zone that owns it last heard it; counted only where another zone does."""
    alone_rounds: int = 0
    """Rounds in which it could answer since the first of them."""
    alone_round: int = 0
    """The round of the first of them."""
    alone_ns: int = -1
    """When that was reported."""
    quiet: bool = False
    """Whether it was kept from answering in the newest round."""
    after_ns: int = -1
    """The reading before that in which it last answered: it did so later; -1 where there is none."""
    lay_zone: str = ""
    """Its last place but this one as it was told when the chip came: where two zones hear it, the last place may since
    have become the other of them."""
    lay_ns: int = -1
    """When it was last heard there."""

    @property
    def claim(self) -> float:
        """How well the zone hears it, with little said for few rounds."""
        return self.hits / (self.rounds + 1)


LONGEST_ROUND_NS = 3_500 * NS_PER_MS
"""A round of 300 chips; what lies further apart are not two rounds of a reader that was there all the time."""
LATE_ROUND = 1.3
"""A round takes that much longer than the one before it at most, where no chips have come."""


@dataclass(frozen=True, slots=True)
class ZoneBelief:
    """What is believed to lie in a zone. Its age is the age of `at_ns`; an old belief is stale, never empty."""

    zone: str
    epoch: str = ""
    round_no: int = 0
    at_ns: int = -1
    """-1: nothing was ever heard of it."""
    tracks: Mapping[str, Track] = field(default_factory=dict)
    present: Mapping[str, int | None] = field(default_factory=dict)
    """UID and value of the chips that lie there, in the order in which they were first heard."""
    value: int = 0
    """Value of these chips; unknown ones count nothing."""
    unknown: bool = False
    """Whether the worth of one of them is not known."""
    noted: Mapping[str, ChipNote] = field(default_factory=dict)
    """Chips heard here that a person should know of."""
    burst_round: int = 0
    """Round in which the first chip of the last change came."""
    newest_round: int = 0
    """Round in which the last one came."""
    settled: bool = False
    settled_ns: int = -1
    """The reading since which it is settled; -1 while it is not."""
    unsettled_ns: int = -1
    """The reading since which it is not; -1 while it is."""
    earlier_ns: int = -1
    """The reading before the newest in which every chip could answer: that round began after it."""
    previous_ns: int = -1
    """The reading before the newest of any kind."""
    changed_ns: int = -1
    """The reading that last changed `present`."""
    quality: Quality = NOTHING_READ
    """How well its antenna reads."""
    needs: int = 0
    """Rounds that a chip must have had to be heard, as the antenna reads."""
    again_ns: int = -1
    """The reading with which it was heard again, or first: nobody knows what came and went just before."""
    before_ns: int = -1
    """The reading just before the first chip of the last change was heard; -1 where there was none."""
    recent_ns: tuple[int, ...] = ()
    """The last `RECENT_READINGS` readings before the newest, of any kind, oldest first: after each the next one began.
    """

    partial_ns: int = -1
    """The reading since which each told only a part of what lies there; -1 where the newest told all."""

    @property
    def partial(self) -> bool:
        """Whether the newest reading told only a part of what lies there."""
        return self.partial_ns >= 0

    def begun_since(self, since_ns: int) -> int:
        """How many of the last rounds and looks began no earlier than that."""
        return sum(at_ns >= since_ns for at_ns in self.recent_ns)

    @property
    def unreliable(self) -> bool:
        """Whether nothing may be ruled from what is read, be it that too much is missed or that it is only a part."""
        return self.partial or self.quality.unreliable

    def fresh(self, now_ns: int, stale_ms: int) -> bool:
        """Whether what is believed can be relied on now: it was read lately, whole, and by a good antenna."""
        return self.heard(now_ns, stale_ms) and not self.unreliable

    def heard(self, now_ns: int, stale_ms: int) -> bool:
        """Whether it was read lately, however well: the next round of a pile takes as long as its last did."""
        if self.at_ns < 0:
            return False
        round_ns = min(self.at_ns - self.previous_ns, LONGEST_ROUND_NS) if self.previous_ns >= 0 else 0
        return now_ns - self.at_ns <= max(stale_ms * NS_PER_MS, LATE_ROUND * round_ns)

    def before_first_round(self) -> ZoneBelief:
        """The belief when the reader's program begins anew, and its rounds at 1: those of the life before are numbered
        down from 0. Left as they were they would be rounds to come, and nothing would settle until these are read.
        """
        last = self.round_no
        tracks = {
            uid: replace(track, since_round=track.since_round - last, alone_round=track.alone_round - last)
            for uid, track in self.tracks.items()
        }
        return replace(
            self, round_no=0, tracks=tracks, burst_round=self.burst_round - last, newest_round=self.newest_round - last
        )

    def without(self, uids: Iterable[str]) -> ZoneBelief:
        """The belief after other zones took these chips."""
        gone = frozenset(uids)
        present = {uid: value for uid, value in self.present.items() if uid not in gone}
        return replace(
            self,
            tracks={uid: track for uid, track in self.tracks.items() if uid not in gone},
            present=present,
            value=sum(value or 0 for value in present.values()),
            unknown=None in present.values(),
        )
