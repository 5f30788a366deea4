"""A felt for the tests of sensing: chips, readers that miss and hear the neighbour, a camera, and a table's books.

The books are as simple as can be: every act in turn adds its chips to the seat's bet, and the turn passes on.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from table_controller.sensing import (
    Alert,
    CameraSeen,
    ChipNote,
    ChipSeen,
    ChipsMoved,
    Covered,
    HandView,
    Implied,
    LineSeen,
    Observation,
    Posted,
    SeatBook,
    SensingState,
    Setup,
    Step,
    ZoneReading,
    attention,
)
from table_controller.sensing import steps as sensing_steps
from table_controller.sensing.observations import Short

MS = 1_000_000
WINDOW = 8


@dataclass(frozen=True)
class Chip:
    uid: str
    value: int | None


@dataclass
class Antenna:
    """One zone's antenna with the window of its last rounds."""

    zone: str
    near: tuple[str, ...]
    next_ns: int
    round_no: int = 0
    window: deque[frozenset[str]] = field(default_factory=lambda: deque(maxlen=WINDOW))
    dead: bool = False
    stands_ns: int | None = None
    """The time that it says of every round, where its clock stands still."""

    def heard(self, uid: str) -> int:
        """How often a chip answered in the last rounds."""
        return sum(uid in one for one in self.window)

    def evidence(
        self, values: dict[str, int | None], came: dict[str, tuple[str, int]], notes: dict[str, ChipNote]
    ) -> tuple[ChipSeen, ...]:
        rounds = list(self.window)
        heard = []
        for uid in dict.fromkeys(uid for one in rounds for uid in sorted(one)):
            where = [place for place, one in enumerate(rounds) if uid in one]
            last = len(rounds) - 1
            hits, since = len(where), len(rounds) - where[0]
            heard.append(ChipSeen(uid, values[uid], hits, since, last - where[-1], notes.get(uid), *came.get(uid, ())))
        return tuple(heard)


class Felt:
    """Time passes with `run`; what sensing told stands in `told`, the acts in `acts`."""

    def __init__(
        self,
        seed: int = 0,
        seats: tuple[int, ...] = (1, 2, 3, 4, 5, 6),
        camera: bool = True,
        missed: float = 0.05,
        stray: float = 0.01,
        acting_ms: float = 75,
        others_ms: float = 240,
    ) -> None:
        self.random = random.Random(seed)
        self.missed, self.stray = missed, stray
        self.missed_in: dict[str, float] = {}
        self.most_in: dict[str, int] = {}
        """By zone the most chips that its reader can tell: of more it tells the first, and that they are a part."""
        """By zone, where its antenna misses another share than the others."""
        self.acting_ms, self.others_ms = acting_ms, others_ms
        self.seats = seats
        self.camera_on = camera
        self.now_ns = 10_000 * MS
        zones = [*(f"seat-{seat}" for seat in seats), "pot", "tray"]
        self.values: dict[str, int | None] = {}
        self.came: dict[str, tuple[str, int]] = {}
        """By UID: the last place that the readers' side tells, and when the chip left it."""
        self.notes: dict[str, ChipNote] = {}
        self.lying: dict[str, dict[str, int]] = {zone: {} for zone in zones}
        """By zone and UID: from when on it lies there."""
        self.antennas = {
            zone: Antenna(zone, self._near(zone), self.now_ns + int(self.random.random() * 240 * MS)) for zone in zones
        }
        self.agenda: list[tuple[int, int, Callable[[], None]]] = []
        self.sensing = SensingState.initial(Setup(seats, frozenset(zones), camera))
        self.books: dict[int, SeatBook] = {}
        self.hand = HandView()
        self.middle: int | None = None
        """What the books have in the pot besides the bets of this round; None: tests say what they have together."""
        self.told: list[Observation] = []
        self.told_ns: list[int] = []
        self.answers = True
        self.attends = False
        """Whether the zones that the controller asks for are read often, as the bridge reads them."""
        self.boot = 1
        self.full_pot_ms = 0.0
        self.full_tray_ms = 0.0
        """How long a round of the tray's reader takes, where it holds many chips; 0: as long as any."""
        self.next_tick_ns = self.now_ns
        self.tags = 0

    def _near(self, zone: str) -> tuple[str, ...]:
        if not zone.startswith("seat-"):
            return ()
        place = self.seats.index(int(zone[5:]))
        return tuple(f"seat-{self.seats[one]}" for one in (place - 1, place + 1) if 0 <= one < len(self.seats))

    # --- what people do

    def chips(self, values: Iterable[int | None]) -> list[Chip]:
        made = []
        for value in values:
            self.tags += 1
            made.append(Chip(f"E00401{self.tags:010X}", value))
            self.values[made[-1].uid] = value
        return made

    def at(self, ms: float, what: Callable[[], None]) -> None:
        self.tags += 1
        self.agenda.append((self.now_ns + int(ms * MS), self.tags, what))
        self.agenda.sort(key=lambda one: one[:2])

    def put(self, zone: str, chips: Iterable[Chip]) -> None:
        for chip in chips:
            self.lying[zone][chip.uid] = self.now_ns

    def take(self, zone: str, chips: Iterable[Chip]) -> None:
        for chip in chips:
            del self.lying[zone][chip.uid]

    def push(
        self,
        seat: int,
        values: Iterable[int | None],
        after_ms: float = 0,
        reach_ms: float = 300,
        leave_ms: float = 250,
        spread_ms: float = 60,
    ) -> list[Chip]:
        """The seat's hand comes, chips come to rest `reach_ms` later, it leaves `leave_ms` after that."""
        chips = self.chips(values)
        self.hand_visits(seat, after_ms, after_ms + reach_ms + leave_ms)
        for chip in chips:
            early = self.random.random() * spread_ms
            self.at(after_ms + reach_ms - early, lambda chip=chip: self.put(f"seat-{seat}", [chip]))  # type: ignore[misc]
        return chips

    def hand_visits(self, seat: int, from_ms: float, to_ms: float) -> None:
        self.line("hand_entered", seat, from_ms)
        self.line("hand_left", seat, to_ms)

    def line(
        self, kind: str, seat: int, at_ms: float = 0, motions: int = 0, lag_ms: float = 120, conf: float = 0.95
    ) -> None:
        """The camera sees it `lag_ms` later and dates it back."""
        seen_ns = self.now_ns + int(at_ms * MS)
        if self.camera_on:
            self.at(
                at_ms + lag_ms,
                lambda: self.step(
                    sensing_steps.line(self.sensing, LineSeen(kind, seat, seen_ns, motions, conf=conf), self.now_ns)
                ),
            )

    def picture(self, kind: str, seat: int, event: str) -> None:
        """The camera keeps pictures of what it sees at a seat now."""
        self.step(sensing_steps.line(self.sensing, LineSeen(kind, seat, self.now_ns, id=event), self.now_ns))

    # --- what the table's books say

    def begin(
        self, hand_no: int = 1, street: str = "flop", to_act: int = 1, phase: str = "betting", **more: object
    ) -> None:
        self.books = {seat: SeatBook(seat, stack=10**6) for seat in self.seats}
        place = self.seats.index(to_act)
        order = self.seats[place:] + self.seats[:place]
        view = HandView(phase, hand_no, street, to_act, order, tuple(self.books.values()))  # type: ignore[arg-type]
        self.tell(replace(view, **more))  # type: ignore[arg-type]

    def restart_bridge(self, away_ms: float) -> None:
        """The readers' program dies, and begins anew with nothing heard."""
        self.boot += 1
        for antenna in self.antennas.values():
            antenna.window.clear()
            antenna.round_no = 0
            antenna.next_ns = self.now_ns + int((away_ms + self.random.random() * 100) * MS)

    def restarted(self) -> None:
        """The controller dies, and a new one takes up what was durable of it and is told the books."""
        self.sensing = SensingState.initial(self.sensing.setup).restored(self.sensing.durable())
        self.tell()

    def book(self, seat: int, **changes: object) -> None:
        """The seat's books change."""
        self.books[seat] = replace(self.books[seat], **changes)  # type: ignore[arg-type]

    def tell(self, view: HandView | None = None, **changes: object) -> None:
        """The view is told, with the books as they stand."""
        if self.middle is not None:
            changes = {"pot": self.middle + sum(book.bet for book in self.books.values())} | changes
        self.hand = replace(view or self.hand, seats=tuple(self.books.values()), **changes)  # type: ignore[arg-type]
        self.step(sensing_steps.view(self.sensing, self.hand, self.now_ns))

    def passes(self, fold: bool = False) -> None:
        """The turn passes on."""
        self.book(self.hand.order[0], acted=True)
        order = self.hand.order[1:] + (() if fold else self.hand.order[:1])
        self.tell(order=order, to_act=order[0])

    # --- time

    def step(self, step: Step) -> None:
        self.sensing, told = step
        for one in told:
            self.told.append(one)
            self.told_ns.append(self.now_ns)
        if not self.answers:
            return
        for one in told:
            if isinstance(one, ChipsMoved):
                old = next((act for act in self.acts[:-1] if act.act_no == one.amends), None)
                added = sum(one.pushed) - sum(one.taken_back) - one.pays
                added -= sum(old.pushed) - sum(old.taken_back) - old.pays if old else 0
                book = self.books[one.seat]
                self.book(one.seat, bet=book.bet + added, owes=max(0, book.owes - one.pays), keyed=None, acted=True)
                if one.in_turn and not one.amends:
                    self.passes()
                else:
                    self.tell()
            elif isinstance(one, Short):
                self.tell()
            elif isinstance(one, Covered):
                book = self.books[one.seat]
                owes = book.owes - one.amount if one.why == "owed" else book.owes
                self.book(one.seat, owes=owes, change_due=0 if one.why == "change" else book.change_due)
                self.tell()
            elif isinstance(one, Implied):
                place = len(one.seats)
                order = self.hand.order[place:] + self.hand.order[:place]
                self.tell(order=order, to_act=order[0])

    def run(self, ms: float) -> None:
        end_ns = self.now_ns + int(ms * MS)
        while True:
            antenna = min(self.antennas.values(), key=lambda one: one.next_ns)
            first = min(antenna.next_ns, self.next_tick_ns, self.agenda[0][0] if self.agenda else end_ns + 1)
            if first > end_ns:
                break
            self.now_ns = first
            if self.agenda and self.agenda[0][0] == first:
                self.agenda.pop(0)[2]()
            elif antenna.next_ns == first:
                self._round(antenna)
            else:
                self.next_tick_ns += 50 * MS
                alive = CameraSeen((), self.now_ns)
                self.step(
                    sensing_steps.camera(self.sensing, alive, self.now_ns)
                    if self.camera_on
                    else sensing_steps.tick(self.sensing, self.now_ns)
                )
        self.now_ns = end_ns

    def _round(self, antenna: Antenna) -> None:
        """The round that ends now; a chip must have lain there for all of it."""
        acting = self.hand.to_act is not None and antenna.zone == f"seat-{self.hand.to_act}"
        if self.attends:
            acting = acting or antenna.zone in attention.wanted(self.sensing, self.now_ns)
        pace = self.acting_ms if acting else self.others_ms
        takes_ms = {"pot": self.full_pot_ms, "tray": self.full_tray_ms}.get(antenna.zone, 0.0) or self.acting_ms
        antenna.next_ns += int(max(pace, takes_ms) * MS)
        if antenna.dead:
            return
        since = self.now_ns - int(takes_ms * MS)
        heard = {
            uid
            for uid, from_ns in self.lying[antenna.zone].items()
            if from_ns <= since and self._chance(1 - self.missed_in.get(antenna.zone, self.missed))
        }
        for zone in antenna.near:
            heard.update(uid for uid in self.lying[zone] if self._chance(self.stray))
        most = self.most_in.get(antenna.zone, len(heard))
        partial = len(heard) > most
        heard = set(sorted(heard)[:most])
        antenna.window.append(frozenset(heard))
        antenna.round_no += 1
        reading = ZoneReading(
            antenna.zone,
            f"boot-{self.boot}",
            antenna.round_no,
            antenna.evidence(self.values, self.came, self.notes),
            self.now_ns if antenna.stands_ns is None else antenna.stands_ns,
            partial=partial,
        )
        self.step(sensing_steps.zone(self.sensing, reading, self.now_ns))

    def _chance(self, share: float) -> bool:
        return self.random.random() < share

    # --- what was told

    @property
    def acts(self) -> list[ChipsMoved]:
        return [one for one in self.told if isinstance(one, ChipsMoved)]

    @property
    def covered(self) -> list[Covered]:
        return [one for one in self.told if isinstance(one, Covered)]

    @property
    def posted(self) -> list[Posted]:
        return [one for one in self.told if isinstance(one, Posted)]

    def alerts(self) -> set[tuple[str, int | None]]:
        """Alerts that stand now."""
        return set(self.sensing.raised)

    def sentence(self, code: str, seat: int | None) -> str:
        """What an alert that stands says."""
        return self.sensing.raised[code, seat].sentence  # type: ignore[index]

    def raised_ms(self, code: str, since_ns: int) -> list[float]:
        """When people were told of it, after that moment."""
        return [
            (at_ns - since_ns) / MS
            for one, at_ns in zip(self.told, self.told_ns, strict=True)
            if isinstance(one, Alert) and one.code == code and at_ns > since_ns
        ]
