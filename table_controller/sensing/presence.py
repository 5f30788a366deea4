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

The seat to act is read up to seven times as often as its neighbours, so its set may be whole before one of these has
been read at all. A chip that missed a round waits until the zones beside it have been read since it came: one that is
overheard (15 % neighbour reads) answers in 3 of 5 rounds in 2.7 % of the cases, in all of 5 in 8e-5.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from table_controller.sensing import whose
from table_controller.sensing.belief import (
    ALIVE_MISSES,
    NOTHING_NOTED,
    RECENT_READINGS,
    ChipNote,
    ChipSeen,
    Standing,
    Track,
    ZoneBelief,
    ZoneReading,
)
from table_controller.sensing.quality import Quality, rounds_at
from table_controller.sensing.setup import Thresholds
from table_controller.sensing.whose import NOT_ALONE, Alone, last_place


def _track(
    chip: ChipSeen, was: Track | None, standing: Standing, reading: ZoneReading, alone: Alone, before_ns: int
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
        after_ns, *last_place(chip, was),
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
        standing = whose.standing(belief.zone, chip, was, rivals, thresholds, hand_ns, missed_there=missed_there)
        alone = NOT_ALONE
        if owner is not None:
            alone = Alone.after(chip, was, owner[1], reading, reading.round_no - belief.round_no if again else 1)
            standing = whose.coming(chip, alone, standing, owner[0], thresholds)
        tracks[chip.uid] = _track(chip, was, standing, reading, alone, belief.at_ns if again else -1)
    silent = min(reading.round_no, thresholds.window_rounds)
    if silent < thresholds.absent_rounds:
        for uid, was in belief.tracks.items():
            if was.standing is Standing.PRESENT and uid not in tracks:
                tracks[uid] = replace(was, missed=silent)
    return _judged(belief, reading, tracks, again, thresholds, compared_ns)


def _quality(belief: ZoneBelief, reading: ZoneReading, present: Iterable[Track], thresholds: Thresholds) -> Quality:
    """With the reads of chips that lay there at the last reading and answer now; of one that is taken none count.

    A partial round says nothing of the antenna: its reader did not get through it.
    """
    if reading.partial or belief.partial:
        return belief.quality
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
    if reading.partial:  # rounds that show the set to be whole begin with the next
        newest = reading.round_no + 2
    unbroken = again and belief.heard(reading.at_ns, thresholds.stale_ms)
    heard, reads = sum(track.hits for track in present), sum(track.rounds for track in present)
    set_needs = needs
    if heard < thresholds.settled_share * reads:
        share = quality.share_of_set(heard, reads)
        doubt = doubt or share > thresholds.unreliable_share
        set_needs += max(0, rounds_at(share) - quality.rounds)
    whole = min(reading.round_no - burst, reading.round_no - newest + 1) + 1
    settled = not doubt and not reading.partial and whole >= set_needs
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
        (*belief.recent_ns, belief.at_ns)[-RECENT_READINGS:] if again and not reading.partial else (),
        (belief.partial_ns if belief.partial else reading.at_ns) if reading.partial else -1,
    )
