"""The camera's side: whose hand is in which bet zone, and what it saw happen there.

The camera proposes who and when, never how much. A camera that has not been heard of for `stale_ms` says nothing:
then readers alone decide, and acts are marked degraded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from betline.units import NS_PER_MS

FOREVER_NS = 1 << 63
READER_LATE_NS = 500 * NS_PER_MS
"""A chip at rest is first heard this much later at most: two rounds of a seat that is not to act."""
CHIP_AIR_NS = 12 * NS_PER_MS
"""What each chip in the field adds to a round (hardware_docs/readers.md). A chip may be first heard in the second."""
RETURN_NS = 250 * NS_PER_MS
"""A hand does not leave, take chips from its stack and come back in less; it never left."""
PICTURES = 3
"""As many of a seat's events stand in an alert as evidence."""
PUSHES = 12
"""So many pots, and parts of them, are pushed in one hand at most."""
EVENTS = 30
"""As many events are remembered."""
EVENTS_FIRST_NS = 500 * NS_PER_MS
"""A picture of all seats may be older than the event that overtook it on the bus: so long the event is believed."""


@dataclass(frozen=True, slots=True)
class LineSeen:
    """An event at a seat's betting line, or of the whole picture: seat 0. Kinds that mean nothing here are ignored."""

    kind: str
    seat: int
    t_first_ns: int
    """When it began, dated back, by the controller's monotonic clock."""
    motions: int = 0
    camera: str = ""
    """Who saw it."""
    id: str = ""
    """By which its pictures are found; empty where none are kept."""
    conf: float = 1.0
    """How sure the camera is, up to 1."""
    count: int = 0
    """How many things it is about: of the board, the cards that came."""


@dataclass(frozen=True, slots=True)
class SeatSeen:
    """One seat's bet zone in the camera's picture."""

    seat: int
    occupied: bool
    hand: bool


@dataclass(frozen=True, slots=True)
class CameraSeen:
    """All seats' zones at one moment; also the camera's sign of life."""

    seats: tuple[SeatSeen, ...]
    at_ns: int
    """By the controller's monotonic clock."""
    camera: str = ""


@dataclass(frozen=True, slots=True)
class SeatWitness:
    """What the camera knows of one seat; times of things that never happened are -1."""

    hand: bool = False
    occupied: bool = False
    entered_ns: int = -1
    left_ns: int = -1
    visits: tuple[tuple[int, int], ...] = ()
    """The last visits of the hand that are over: entered, left."""
    bet_ns: int = -1
    """The last bet that it saw come to rest."""
    motions: int = 0
    """The motions that it counted last."""
    motions_ns: int = -1
    """When they began."""

    def entered(self, at_ns: int) -> SeatWitness:
        if not self.hand and self.visits and at_ns - self.visits[-1][1] < RETURN_NS:
            return replace(self, hand=True, entered_ns=self.visits[-1][0], visits=self.visits[:-1])
        return replace(self, hand=True, entered_ns=max(at_ns, self.entered_ns))

    def left(self, at_ns: int) -> SeatWitness:
        over = (*self.visits[-3:], (self.entered_ns, at_ns)) if self.hand else self.visits
        return replace(self, hand=False, left_ns=max(at_ns, self.left_ns), visits=over)

    def brought(self, heard_ns: int, chips: int = 1) -> tuple[int, int] | None:
        """The visit (entered, left) that brought a chip which a reader first heard then; a visit that goes on leaves
        later than all. A reader may be late, the later the more ``chips`` lie there, so what it hears soon after a
        visit is that visit's.
        """
        late_ns = READER_LATE_NS + 2 * chips * CHIP_AIR_NS
        visits = (*self.visits, (self.entered_ns, FOREVER_NS)) if self.hand else self.visits
        begun = [visit for visit in visits if visit[0] <= heard_ns]
        return next((visit for visit in begun if heard_ns <= visit[1] + late_ns), begun[-1] if begun else None)


UNSEEN = SeatWitness()


@dataclass(frozen=True, slots=True)
class Witness:
    """What the camera has reported so far."""

    seats: Mapping[int, SeatWitness] = field(default_factory=dict)
    heard_ns: int | None = None
    """When it last gave a sign of life; None: never, or it said goodbye."""
    since_ns: int = -1
    """Since when it has seen the table without a break."""
    swept_ns: int = -1
    """When the dealer last swept bets to the pot."""
    pushes: tuple[tuple[int, int], ...] = ()
    """To which seats the dealer pushed chips of the pot, and when that began; newest last."""
    pictured: tuple[tuple[int, str], ...] = ()
    """The last events of which pictures are kept: seat and id, newest last."""

    def seat(self, number: int) -> SeatWitness:
        return self.seats.get(number, UNSEEN)

    def pictures(self, seat: int) -> tuple[str, ...]:
        """The ids of the last events at a seat by which pictures are found, newest last."""
        return tuple([event for where, event in self.pictured if where == seat][-PICTURES:])

    def live(self, now_ns: int, stale_ms: int) -> bool:
        """Whether the camera can be relied on now."""
        return self.heard_ns is not None and now_ns - self.heard_ns <= stale_ms * NS_PER_MS

    def line(self, seen: LineSeen, now_ns: int) -> Witness:
        """What is known after an event."""
        known = self._knowing(seen, now_ns)
        return replace(known, pictured=(*self.pictured[1 - EVENTS :], (seen.seat, seen.id))) if seen.id else known

    def _knowing(self, seen: LineSeen, now_ns: int) -> Witness:
        old = self.seat(seen.seat)
        at = seen.t_first_ns
        new = old
        match seen.kind:
            case "hand_entered" if at >= old.left_ns:
                new = old.entered(at)
            case "hand_left" if at >= old.entered_ns:
                new = old.left(at)
            case "bet_settled" | "bet_amended":
                new = replace(old, bet_ns=max(at, old.bet_ns), motions=seen.motions, motions_ns=at, occupied=True)
            case "string_suspect":
                new = replace(old, motions=max(seen.motions, 2), motions_ns=at)
            case "pot_swept":
                return replace(self, heard_ns=now_ns, since_ns=self._since_ns(now_ns), swept_ns=max(at, self.swept_ns))
            case "pot_pushed":
                pushes = (*self.pushes[1 - PUSHES :], (seen.seat, at))
                return replace(self, heard_ns=now_ns, since_ns=self._since_ns(now_ns), pushes=pushes)
            case "view_lost":
                return replace(self, heard_ns=None)
        seats = {**self.seats, seen.seat: new} if new is not old else self.seats
        return replace(self, heard_ns=now_ns, since_ns=self._since_ns(now_ns), seats=seats)

    def _since_ns(self, now_ns: int) -> int:
        return now_ns if self.heard_ns is None else self.since_ns

    def camera(self, seen: CameraSeen | None, now_ns: int) -> Witness:
        """What is known after a picture of all seats; None: the camera has gone."""
        if seen is None:
            return replace(self, heard_ns=None)
        seats = dict(self.seats)
        for one in seen.seats:
            old = self.seat(one.seat)
            told_ns = max(old.entered_ns, old.left_ns)
            if one.hand != old.hand and (told_ns < 0 or seen.at_ns - told_ns > EVENTS_FIRST_NS):
                old = old.entered(seen.at_ns) if one.hand else old.left(seen.at_ns)
            seats[one.seat] = old if old.occupied == one.occupied else replace(old, occupied=one.occupied)
        return replace(self, heard_ns=now_ns, since_ns=self._since_ns(now_ns), seats=seats)
