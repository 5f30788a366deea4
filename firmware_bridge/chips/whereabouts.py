"""Where each chip lies: from the evidence of all antenna zones to one place a chip, and to copies of a chip.

No I/O, no clock. A chip lies in a zone from 3 hits in at least half of the rounds since its first, and has gone after
`absent_rounds` without one. Heard in two zones it belongs to the one that hears it better; as long as neither does it
stays where it was. A place is the last one of a chip until another one is sure, so it says where a chip came from.

Strange chips by the dozen are a bag of them: one round that heard so many, and of which no zone beside hears as many,
says enough. A round of 300 takes 2.4 s, and people should not wait for three.

A copy differs from a neighbour's read and from a chip on its way by rounds in both zones over the same time: at least
`COPY_ROUNDS` in each, all but one of them with an answer. A chip that was moved is heard in one of the two only, one
that is moved to and fro in about half of the rounds, a neighbour's in a few. Where the two zones lie so close that both
could hear one chip between them, hits do not decide: then it must be no weaker in each of them than chips that only
that zone hears, and where the readers give no strength it is not called a copy.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from firmware_bridge.chips.places import Place
from firmware_bridge.evidence import Heard

PRESENT_HITS: Final = 3
PRESENT_SHARE: Final = 0.5
ALIVE_MISSES: Final = 1
OWNER_MARGIN: Final = 0.2
"""By how much one of two zones that hear the same chip must hear it better to own it."""
CROWD: Final = 20
"""So many strange chips in one round are no overheard ones, if the zones beside have been read since."""
COPY_ROUNDS: Final = 6
COPY_HITS: Final = 5
COMPARED: Final = 3
"""Chips that only one zone hears, from which on their strength is a measure there."""


@dataclass(slots=True)
class _Stay:
    """One chip in one zone, while it lies there."""

    heard: Heard
    answers: int = 0
    """Of the last `COPY_ROUNDS` rounds in which it lay in another zone too, a bit each: whether it answered."""
    rounds: int = 0
    """How many such rounds there were."""

    @property
    def claim(self) -> float:
        return self.heard.hits / (self.heard.rounds + 1)

    @property
    def alive(self) -> bool:
        return self.heard.missed <= ALIVE_MISSES

    @property
    def copied(self) -> bool:
        """Whether it has been heard here for long enough while it was heard elsewhere."""
        return self.rounds >= COPY_ROUNDS and self.answers.bit_count() >= COPY_HITS


class Whereabouts:
    """All chips of one table. It belongs to one thread at a time."""

    def __init__(
        self,
        table: str,
        known: Container[str],
        near: Mapping[str, frozenset[str]],
        absent_rounds: int,
        silent_ns: int,
        places: Mapping[str, Place] | None = None,
    ) -> None:
        """`known` are the chips whose places are kept, `near` the zones that may hear one chip together with a zone,
        `silent_ns` the age from which a zone's last round says nothing of now, `places` what was known before.
        """
        self._table = table
        self._known = known
        self._near = near
        self._absent_rounds = absent_rounds
        self._silent_ns = silent_ns
        self._stays: dict[str, dict[str, _Stay]] = {}
        self._round_ns: dict[str, int] = {}
        self._in: dict[str, set[str]] = {}
        self._places: dict[str, Place] = dict(places or {})
        self._before: dict[str, Place] = {}
        self._copies: dict[str, tuple[str, str]] = {}
        self._crowds: dict[str, tuple[Mapping[str, Heard], int]] = {}
        """By zone strange chips that are heard there and lie nowhere yet, and when that was first so."""
        self._settled = 0
        self._moved: set[str] = set()
        self._heard: set[str] = set()

    def after(self, zone: str, heard: Iterable[Heard], at_ns: int, at_ms: int) -> bool:
        """Take the evidence of a zone after a round that ended at `at_ns`, by the wall clock at `at_ms`; whether chips
        came, went, moved, or turned out to be copied.
        """
        stays = self._stays.setdefault(zone, {})
        self._round_ns[zone] = at_ns
        before, copies, settled = set(stays), dict(self._copies), self._settled
        now = {one.uid: one for one in heard}
        for uid in [uid for uid in stays if uid not in now or now[uid].missed >= self._absent_rounds]:
            self._leave(uid, zone)
        for one in now.values():
            self._hear(zone, one, at_ns, at_ms)
        self._note_crowd(zone, now, at_ns)
        crowds = [crowded for crowded in self._crowds if self._is_there(crowded, at_ns)]
        for crowded in crowds:
            self._take_crowd(crowded)
        return bool(crowds) or set(stays) != before or copies != self._copies or settled != self._settled

    @property
    def homes(self) -> Mapping[str, str]:
        """Every UID that lies somewhere now, with one zone: its place, or a zone that hears it while none is sure."""
        homes = {}
        for uid, zones in self._in.items():
            place = self._places.get(uid)
            sure = place is not None and place.table == self._table and place.zone in zones
            homes[uid] = place.zone if place is not None and sure else min(zones)
        return homes

    @property
    def copies(self) -> Mapping[str, tuple[str, str]]:
        """UIDs that lie in two places at once, with both."""
        return self._copies

    def elsewhere(self, uid: str, zone: str) -> str:
        """The other zone in which a copied UID lies; empty where it is not."""
        both = self._copies.get(uid, ())
        return next((other for other in both if other != zone), "") if zone in both else ""

    def place(self, uid: str) -> Place | None:
        """Where the chip lies or lay last."""
        return self._places.get(uid)

    def before(self, uid: str, zone: str) -> Place | None:
        """The chip's last place that is not this zone of this table."""
        place = self._places.get(uid)
        if place is None or (place.zone, place.table) != (zone, self._table):
            return place
        return self._before.get(uid)

    def changed(self, *, all_heard: bool) -> list[tuple[str, Place]]:
        """The places to be written since the last call: of chips that came or went, or of all that were heard."""
        uids = self._moved | self._heard if all_heard else self._moved
        self._moved = set()
        if all_heard:
            self._heard = set()
        return [(uid, self._places[uid]) for uid in uids if uid in self._places]

    # --- a bag of strange chips

    def _note_crowd(self, zone: str, now: Mapping[str, Heard], at_ns: int) -> None:
        strange = {
            uid: one for uid, one in now.items() if uid not in self._known and uid not in self._in and not one.missed
        }
        if len(strange) < CROWD:
            self._crowds.pop(zone, None)
        elif zone not in self._crowds:
            self._crowds[zone] = strange, at_ns

    def _is_there(self, zone: str, at_ns: int) -> bool:
        """Whether the zones near have been read since, and hear fewer than half of these chips."""
        strange, since_ns = self._crowds[zone]
        for other in self._near.get(zone, frozenset()):
            read_ns = self._round_ns.get(other)
            if read_ns is not None and at_ns - read_ns < self._silent_ns and read_ns <= since_ns:
                return False
            theirs = self._crowds[other][0] if other in self._crowds else {}
            if len(strange.keys() & theirs.keys()) * 2 > len(strange):
                return False
        return True

    def _take_crowd(self, zone: str) -> None:
        for uid, one in self._crowds.pop(zone)[0].items():
            if uid not in self._in:
                self._stays[zone][uid] = _Stay(one)
                self._in[uid] = {zone}

    # --- one chip

    def _hear(self, zone: str, one: Heard, at_ns: int, at_ms: int) -> None:
        if one.quiet:
            return
        stays = self._stays[zone]
        stay = stays.get(one.uid)
        if stay is None:
            enough = one.hits >= PRESENT_HITS and one.hits >= PRESENT_SHARE * one.rounds
            if not enough or one.missed > ALIVE_MISSES:
                return
            stay = stays[one.uid] = _Stay(one)
            self._in.setdefault(one.uid, set()).add(zone)
        stay.heard = one
        if len(self._in[one.uid]) > 1:
            stay.answers = (stay.answers << 1 | (one.missed == 0)) & (1 << COPY_ROUNDS) - 1
            stay.rounds += 1
            self._compare(one.uid)
        if one.missed == 0 and one.uid in self._known:
            self._settle(one.uid, at_ns, at_ms)

    def _leave(self, uid: str, zone: str) -> None:
        del self._stays[zone][uid]
        zones = self._in[uid]
        zones.discard(zone)
        for other in zones:
            self._stays[other][uid].answers = self._stays[other][uid].rounds = 0
        if not zones:
            del self._in[uid]
        if zone in self._copies.get(uid, ()):
            del self._copies[uid]
        if uid in self._places:
            self._moved.add(uid)

    def _settle(self, uid: str, at_ns: int, at_ms: int) -> None:
        """The chip was heard: it lies where it is heard best, if that is sure."""
        old = self._places.get(uid)
        zone = self._owner(uid, at_ns)
        if zone is None or uid in self._copies:
            return
        if old is not None and (old.table, old.zone) == (self._table, zone):
            self._places[uid] = Place(old.table, old.zone, old.since_ms, at_ms, at_ns)
            self._heard.add(uid)
            return
        if old is not None:
            self._before[uid] = old
        self._places[uid] = Place(self._table, zone, at_ms, at_ms, at_ns)
        self._settled += 1
        self._moved.add(uid)

    def _owner(self, uid: str, at_ns: int) -> str | None:
        """The zone that hears the chip best by a margin; zones that fell silent, or hear it no more, do not count."""
        zones = self._in[uid]
        if len(zones) == 1:
            return next(iter(zones))  # it was heard there just now
        claims = sorted(
            (
                (stay.claim, zone)
                for zone in zones
                if (stay := self._stays[zone][uid]).alive and at_ns - self._round_ns[zone] < self._silent_ns
            ),
            reverse=True,
        )
        clear = len(claims) == 1 or claims[0][0] - claims[1][0] >= OWNER_MARGIN
        return claims[0][1] if clear else None

    def _compare(self, uid: str) -> None:
        if uid in self._copies:
            return
        zones = sorted(zone for zone in self._in[uid] if self._stays[zone][uid].copied)
        for place, one in enumerate(zones):
            for other in zones[place + 1 :]:
                close = other in self._near.get(one, frozenset())
                if not close or (self._strong(uid, one) and self._strong(uid, other)):
                    self._copies[uid] = (one, other)
                    return

    def _strong(self, uid: str, zone: str) -> bool:
        """Whether a chip is no weaker in a zone than those that only this zone hears."""
        own = self._stays[zone][uid].heard.rssi
        others = [
            stay.heard.rssi
            for other, stay in self._stays[zone].items()
            if other != uid and len(self._in[other]) == 1 and stay.heard.rssi is not None
        ]
        return own is not None and len(others) >= COMPARED and own >= min(others)
