"""Which chips lie in which zone: belief from hit counts.

How it is decided, at 5 % missed reads and 1 % neighbour reads a tag and round:

- A chip lies there from 3 hits in at least half of the rounds since its first, and from 5 in three quarters where
  another zone hears it too; it has gone after 6 rounds without a
  hit. A chip that lies there is silent for 6 rounds with probability 0.05**6 = 1.6e-8 a round; nothing is ruled from
  that either, for a chip that is heard again is the same UID and no new act.
- A set is whole when every chip has had 5 rounds to be heard since the first new one was, and 4 since the last new
  one was. A chip of one push is unheard in 5 rounds with probability 0.05**5 = 3.1e-7; 10,000 acts of 8 chips expect
  80,000 x 3.1e-7 = 0.025 sets that lack one. The fifth round is counted from the first new chip, because a third of
  all pushes of 8 chips have one that the first round missed (1 - 0.95**8 = 34 %), and 98 % have every chip by the
  second ((1 - 0.05**2)**8): the set is whole 5 rounds after it came to rest, and the wait for the round in progress
  makes it at most 6: 450 ms at 75 ms a round, 360 at 60, 540 at 90.
- A push that comes to rest over the end of a round has chips with one round less: 0.05**4 = 6e-6 for each that came
  with others in the second, some 0.1 in 10,000 acts. The camera covers it, for no act ends before two rounds were heard
  after the hand left (`acts.ended`). Without one the last new chip must have 5 rounds too: at most 7 rounds, 525 ms
  at 75. What remains is a single chip that came over the end of the round: 2,000 x 6e-6 = 0.01.
- A chip that was heard and that no zone owns blocks the settling until it is present or out of the window, so a chip
  that was heard once and then missed is not forgotten. A set whose chips answer in less than three quarters of the
  rounds may be a detuned stack, of which more may lie there than is heard: it needs the rounds that its own reads ask
  for, weighed with what is known of its antenna, and is not believed at all where they are too bad.
- A stray needs 3 hits in 6 rounds: 0.01 x C(5,2) x 0.01**2 = 1e-5 a round for a chip that no zone owns yet, and chips
  lie unowned for about three rounds. A chip that another zone owns is no candidate here at all, or the twenty chips of
  two neighbours would keep a zone unsettled a fifth of the time.

Whose chip: of two zones that hear it the one with the better hits / (rounds + 1), by a margin; that figure prefers
three of three to one of one. As long as neither is better it is a candidate in both and lies in neither, but for one
that lay in one of them before it came: then it is that zone's, and a stray in the other once that zone owns it. The
readers' side gives a chip a new place after three hits. That says nothing of a chip that two zones have begun to hear
at once: at 15 % neighbour reads three of three are overheard in 0.3 % of the cases, and a zone that is read just before
the other gets there first.

The seat to act is read up to seven times as often as its neighbours, so its set may be whole before one of these has
been read at all. A chip that missed a round waits until the zones beside it have been read since it came: one that is
overheard (15 % neighbour reads) answers in 3 of 5 rounds in 2.7 % of the cases, in all of 5 in 8e-5.

A chip that travels is heard at its new place while its old zone still owns it: that reader may be slow (a full tray
takes a second a round), and has yet to miss it. What a zone hears twice and more often than not since the owner last
heard it may have come over: it keeps the zone unsettled, so that nothing is ruled without it. It has come once the
owner has been all through a round, begun after the first of these hits, and missed it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from types import MappingProxyType
from typing import Literal

from betline.units import NS_PER_MS
from table_controller.sensing.quality import Quality, rounds_at
from table_controller.sensing.setup import Thresholds

ALIVE_MISSES = 1
"""Misses in a row at which a chip is still taken to lie there without any doubt: two are 0.25 %."""
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

    def fresh(self, now_ns: int, stale_ms: int) -> bool:
        """Whether what is believed can be relied on now: it was read lately, by an antenna that reads well enough."""
        return self.heard(now_ns, stale_ms) and not self.quality.unreliable

    def heard(self, now_ns: int, stale_ms: int) -> bool:
        """Whether it was read lately, however well."""
        return self.at_ns >= 0 and now_ns - self.at_ns <= stale_ms * NS_PER_MS

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
    lay_zone, lay_ns = _lay(chip, was)
    return lay_zone != other or lay_ns < rival.lay_ns


def _lay(chip: ChipSeen, was: Track | None) -> tuple[str, int]:
    """The last place but this one when the chip came, and when it was last heard there."""
    if was is None or was.standing is Standing.STRAY:
        return chip.from_zone, chip.from_ns
    return was.lay_zone, was.lay_ns


@dataclass(frozen=True, slots=True)
class _Alone:
    """How often a zone heard a chip since another one, that owns it, last did."""

    hits: int = 0
    rounds: int = 0
    round_no: int = 0
    at_ns: int = -1

    @classmethod
    def after(cls, chip: ChipSeen, was: Track | None, owner: Track, reading: ZoneReading, skipped: int) -> _Alone:
        """`skipped`: rounds since the reading before."""
        heard = chip.answered
        if was is not None and was.alone and was.alone_ns > owner.heard_ns:
            if chip.quiet:
                return cls(was.alone, was.alone_rounds, was.alone_round, was.alone_ns)
            rounds = was.alone_rounds + skipped
            return cls(was.alone + heard, rounds, was.alone_round, was.alone_ns)
        return cls(1, 1, reading.round_no, reading.at_ns) if heard else NOT_ALONE

    def may_have_come(self, thresholds: Thresholds) -> bool:
        return self.hits >= COMING_HITS and self.hits >= thresholds.present_share * self.rounds

    def has_come(self, owner_zone: ZoneBelief, thresholds: Thresholds) -> bool:
        """Whether it is heard well here, and the owner was all through a round since and did not hear it."""
        well = self.hits >= thresholds.settled_share * self.rounds
        return well and self.hits >= thresholds.contested_hits and owner_zone.earlier_ns >= self.at_ns


NOT_ALONE = _Alone()
COMING_HITS = 2
"""So often a chip must be heard here, and not there, before it may have come over: strays of 1 % do it in 1e-4."""


def _standing(
    zone: str,
    chip: ChipSeen,
    was: Track | None,
    rivals: list[tuple[str, Track]],
    thresholds: Thresholds,
    hand_ns: int | None,
    *,
    missed_there: bool,
) -> Standing:
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


def _coming(chip: ChipSeen, alone: _Alone, standing: Standing, owner: ZoneBelief, thresholds: Thresholds) -> Standing:
    """The standing of a chip that another zone owns, and that may have come from there."""
    if standing is Standing.PRESENT or not alone.may_have_come(thresholds):
        return standing
    if alone.has_come(owner, thresholds) and chip.missed <= ALIVE_MISSES:
        return Standing.PRESENT
    return Standing.CANDIDATE


def _track(
    chip: ChipSeen, was: Track | None, standing: Standing, reading: ZoneReading, alone: _Alone, before_ns: int
) -> Track:
    """`before_ns`: the reading before this one; -1 where there is none."""
    since_round, since_ns = reading.round_no - chip.rounds + 1, reading.at_ns
    if was is not None and (was.standing is not Standing.STRAY or standing is Standing.STRAY):
        since_round, since_ns = was.since_round, was.since_ns
    elif was is not None and alone.hits:
        since_round, since_ns = alone.round_no, alone.at_ns
    elif was is not None:
        since_round = reading.round_no - chip.missed
    heard_ns, after_ns = reading.at_ns, before_ns
    if not chip.answered:
        heard_ns, after_ns = (-1, -1) if was is None else (was.heard_ns, was.after_ns)
    return Track(
        chip.uid, chip.value, standing, chip.hits, chip.rounds, chip.missed, since_round, since_ns, heard_ns,
        chip.note, chip.from_zone, chip.from_ns, alone.hits, alone.rounds, alone.round_no, alone.at_ns, chip.quiet > 0,
        after_ns, *_lay(chip, was),
    )  # fmt: skip


def after(
    belief: ZoneBelief,
    reading: ZoneReading,
    others: Iterable[ZoneBelief],
    thresholds: Thresholds,
    compared_ns: int,
    hand_ns: int | None = None,
) -> ZoneBelief:
    """The belief after a reading; `others` are the beliefs of the other zones that are not stale, and since
    `compared_ns` each of those has been read whose chips this antenna may overhear.

    A reading that is not newer than the belief changes nothing. `hand_ns` is when the hand began, where that is known:
    within a hand chips that two zones hear equally well are the zone's where they lay last. Between hands they may have
    gone to another player on a way that no antenna saw.
    """
    again = reading.epoch == belief.epoch and belief.at_ns >= 0
    if again and reading.round_no <= belief.round_no:
        return belief
    belief = belief if again else belief.before_first_round()
    if belief.needs > thresholds.absent_rounds:
        patient = min(belief.needs, thresholds.window_rounds)
        thresholds = replace(thresholds, absent_rounds=max(thresholds.absent_rounds, patient))
    others = tuple(others)
    neighbours = [other for other in others if other.tracks]
    tracks: dict[str, Track] = {}
    for chip in reading.chips:
        was = belief.tracks.get(chip.uid)
        rivals = []
        missed_there = False
        owner: tuple[ZoneBelief, Track] | None = None
        for neighbour in neighbours:
            rival = neighbour.tracks.get(chip.uid)
            if rival is None or rival.missed > ALIVE_MISSES:
                missed_there = missed_there or (rival is not None and rival.standing is Standing.PRESENT)
                continue
            rivals.append((neighbour.zone, rival))
            if rival.standing is Standing.PRESENT:
                owner = neighbour, rival
        standing = _standing(belief.zone, chip, was, rivals, thresholds, hand_ns, missed_there=missed_there)
        alone = NOT_ALONE
        if owner is not None:
            alone = _Alone.after(chip, was, owner[1], reading, reading.round_no - belief.round_no if again else 1)
            standing = _coming(chip, alone, standing, owner[0], thresholds)
        tracks[chip.uid] = _track(chip, was, standing, reading, alone, belief.at_ns if again else -1)
    silent = min(reading.round_no, thresholds.window_rounds)
    if silent < thresholds.absent_rounds:
        for uid, was in belief.tracks.items():
            if was.standing is Standing.PRESENT and uid not in tracks:
                tracks[uid] = replace(was, missed=silent)
    return _judged(belief, reading, tracks, again, thresholds, compared_ns)


def _quality(belief: ZoneBelief, reading: ZoneReading, present: Iterable[Track], thresholds: Thresholds) -> Quality:
    """With the reads of chips that lay there at the last reading and answer now; of one that is taken none count."""
    answered = missed = 0
    for track in present:
        was = belief.tracks.get(track.uid)
        heard = track.missed == 0 and not track.quiet
        if heard and was is not None and was.standing is Standing.PRESENT:
            answered += reading.round_no - belief.round_no
            missed += was.missed
    return belief.quality.after(answered, missed, thresholds) if answered else belief.quality


def _judged(
    belief: ZoneBelief,
    reading: ZoneReading,
    tracks: dict[str, Track],
    again: bool,
    thresholds: Thresholds,
    compared_ns: int,
) -> ZoneBelief:
    burst, newest, before_ns = belief.burst_round, belief.newest_round, belief.before_ns
    if not again:
        before_ns = -1
        burst = newest = max(1, reading.round_no - thresholds.window_rounds + 1)
    present: list[Track] = []
    came: list[int] = []
    noted: dict[str, ChipNote] = {}
    doubt = False
    for uid, track in tracks.items():
        if track.standing is Standing.STRAY:
            continue
        if track.note is not None:
            noted[uid] = track.note
        was = belief.tracks.get(uid)
        if was is None or was.standing is Standing.STRAY:
            came.append(track.since_round)
        if track.standing is Standing.CANDIDATE:
            doubt = True
        else:
            present.append(track)
            doubt = doubt or (track.hits < track.rounds and track.since_ns > compared_ns)
    quality = _quality(belief, reading, present, thresholds) if again else belief.quality
    doubt = doubt or any(track.missed > quality.alive_misses for track in present)
    needs = thresholds.settle_rounds + quality.extra_rounds
    if came:
        first = min(came)
        if first - newest >= needs:
            burst, before_ns = first, belief.at_ns if first == reading.round_no and again else -1
        newest = max(newest, *came)
    unbroken = again and reading.at_ns - belief.at_ns <= thresholds.stale_ms * NS_PER_MS
    heard, reads = sum(track.hits for track in present), sum(track.rounds for track in present)
    set_needs = needs
    if heard < thresholds.settled_share * reads:
        share = quality.share_of_set(heard, reads)
        doubt = doubt or share > thresholds.unreliable_share
        set_needs += max(0, rounds_at(share) - quality.rounds)
    whole = min(reading.round_no - burst, reading.round_no - newest + 1) + 1
    settled = not doubt and whole >= set_needs
    present.sort(key=lambda track: (track.since_round, track.uid))
    lying: Mapping[str, int | None] = {track.uid: track.value for track in present}
    lying = belief.present if lying == belief.present else lying
    return ZoneBelief(
        belief.zone,
        reading.epoch,
        reading.round_no,
        reading.at_ns,
        tracks,
        lying,
        belief.value if lying is belief.present else sum(value or 0 for value in lying.values()),
        belief.unknown if lying is belief.present else None in lying.values(),
        noted or NOTHING_NOTED,
        burst,
        newest,
        settled,
        (belief.settled_ns if belief.settled and not came else reading.at_ns) if settled else -1,
        -1 if settled else (reading.at_ns if belief.unsettled_ns < 0 else belief.unsettled_ns),
        belief.earlier_ns if reading.is_look else belief.at_ns,
        belief.at_ns,
        belief.changed_ns if lying is belief.present else reading.at_ns,
        quality,
        needs,
        belief.again_ns if unbroken else reading.at_ns,
        before_ns,
    )
