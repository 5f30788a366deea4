"""The camera in simulated time: what really happens at the lines, told late, a little wrong, at times not at all.

Delays are those of the detector's own waits (`vision.tuning.thresholds`), rates those that were measured
(docs/benchmarks.md). The camera says who and when, never how much.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from types import MappingProxyType
from typing import Final, Literal

from betline import topics
from betline.messages.common import Birth, Presence
from betline.messages.devices import CameraView, LineEvent, LineEventType, SeatEventType, SeatView
from betline.settings import TableSettings
from betline.topics import topic
from betline.units import NS_PER_S
from virtual_table.laboratory.agenda import Agenda
from virtual_table.laboratory.bus import SimulatedBus, SimulatedHub
from virtual_table.table.things import TruthEvent
from virtual_table.table.world import World

VIEW_S: Final = 1.0
LOOK_S: Final = 0.1
LOST_S: Final = 1.0
FPS: Final = 30
HANDS: Final = ("hand_entered", "hand_left")
SHALLOW_SEEN: Final = 0.5
"""Share of the hands told that end within 20 mm of the line: a camera above cannot be surer."""
_LAGS_S: Final[Mapping[str, tuple[float, float]]] = MappingProxyType(
    {
        "hand_entered": (0.07, 0.13),
        "hand_left": (0.04, 0.1),
        "chips_crossing": (0.1, 0.2),
        "bet_settled": (0.35, 0.55),
        "bet_amended": (0.35, 0.55),
        "chips_retracted": (0.35, 0.55),
        "string_suspect": (0.15, 0.3),
        "pot_swept": (0.35, 0.6),
        "pot_pushed": (0.5, 0.9),
        "bet_pushed_in": (0.4, 0.7),
        "tap_suspect": (0.15, 0.3),
        "cards_mucked": (0.6, 1.2),
        "cards_dealt": (0.5, 0.9),
        "board_dealt": (0.7, 1.2),
    }
)
_OTHER_LAG_S: Final = (0.3, 0.6)
LINGERING_S: Final = (0.5, 3.0)
"""How much later a hand is told to have left whose leaving was missed at first: its ghost has to fade."""


@dataclass(frozen=True, slots=True)
class Eyes:
    """How well the camera sees: the share of each kind of event that it misses, and false events a minute a seat.

    The defaults are the lower ends of what was measured; the board's were chosen. ``false_mucks`` is the share of the
    players' hands that leave which it takes for cards that were mucked.
    """

    missed: Mapping[str, float] = field(default_factory=lambda: MEASURED)
    false_per_minute: float = 0.02
    false_mucks: float = 0.0
    board_missed: float = 0.03
    """Share of the streets whose cards it does not tell."""
    board_miscounted: float = 0.02
    """Share of those that it tells with a card too many or too few."""
    false_dealer_per_minute: float = 0.0
    """Events a minute that the dealer's hands never made: a sweep, a push, cards on the board or at a seat."""
    first_error_s: float = 0.025
    """Standard deviation of the dated-back first moment."""


MEASURED: Final[Mapping[str, float]] = MappingProxyType(
    {
        "hand_entered": 0.006,
        "hand_left": 0.006,
        "chips_crossing": 0.017,
        "bet_settled": 0.012,
        "bet_amended": 0.08,
        "chips_retracted": 0.03,
        "string_suspect": 0.04,
        "pot_swept": 0.014,
        "tap_suspect": 0.5,
        "cards_mucked": 0.03,
    }
)
FALSE_KINDS: Final[tuple[SeatEventType, ...]] = (
    "hand_entered", "bet_settled", "chips_retracted", "string_suspect", "bet_amended", "tap_suspect",
)  # fmt: skip
FALSE_OF_DEALER: Final[tuple[LineEventType, ...]] = ("pot_swept", "pot_pushed", "board_dealt", "cards_dealt")
FLOP: Final = 3
FALSE_HAND_S: Final = (0.2, 1.5)
Blindness = Literal["black", "frozen", "moved", "blocked"]


@dataclass(frozen=True, slots=True)
class _Told:
    """When the program tells that it is blind, by which event and with which words."""

    after_s: float
    event: Literal["view_lost", "camera_moved"]
    sentence: str


_BLIND: Final[Mapping[Blindness, _Told]] = MappingProxyType(
    {
        "black": _Told(LOST_S, "view_lost", "The camera sees nothing: uncover its lens, or give it light."),
        "frozen": _Told(1.2, "view_lost", "The camera gives the same picture again and again: unplug it."),
        "moved": _Told(0.3, "camera_moved", "The camera was moved: put it back, or calibrate and restart."),
        "blocked": _Told(1.0, "view_lost", "Something covers part of the camera's lens: take it away."),
    }
)
"""As `vision.service` tells them; what it may misread until then is left out here."""


class SimulatedCamera:
    """The camera's program; it can be killed and started again."""

    def __init__(
        self, table: TableSettings, world: World, agenda: Agenda, hub: SimulatedHub, eyes: Eyes, seed: int
    ) -> None:
        self._table = table
        self._world = world
        self._agenda = agenda
        self._hub = hub
        self._eyes = eyes
        self._chance = Random(f"camera-{seed}")
        self._chance_of_mucks = Random(f"mucks-{seed}")
        self._chance_of_dealer = Random(f"dealer-seen-{seed}")
        self._device = table.cameras[0].id
        self._bus: SimulatedBus | None = None
        self._told: dict[TruthEvent, None] = {}
        self._hands: dict[int, int] = {}
        self._missing: set[int] = set()
        self._said: tuple[str, str] = ("", "")
        self._seen: tuple[SeatView, ...] = ()
        self._viewed_s = 0.0
        self._count = 0
        self._blind: dict[Blindness, float] = {}
        """Why nothing is seen, each since when."""
        agenda.before_time_passes(self._look_at_truth)
        agenda.every(LOOK_S, self._look)

    def start(self) -> None:
        """Begins to watch."""
        bus = self._bus = SimulatedBus(self._hub, self._device, topic(topics.DEVICE_STATUS, self._device))
        bus.publish(
            topic(topics.DEVICE_BIRTH, self._device),
            Birth(role="vision", version="simulated", table=self._table.name, config_hash=self._table.config_hash()),
        )
        self._hands, self._missing = {}, set()
        self._said = ("online", "")
        self._view()

    @property
    def running(self) -> bool:
        """Whether the program is there."""
        return self._bus is not None

    def cover(self, why: Blindness = "black") -> None:
        """The lens is covered, say: nothing is seen any more, and after about a second the program says so."""
        self._blind.setdefault(why, self._agenda.now_s())

    def uncover(self, why: Blindness = "black") -> None:
        """It sees again, and knows nothing of the hands that came and went meanwhile."""
        if self._blind.pop(why, None) is not None and not self._blind:
            self._hands, self._missing = {}, set()
            self._says("online")
            self._view()

    def _says(self, state: Literal["online", "stale"], detail: str = "") -> None:
        if self._bus is not None and (state, detail) != self._said:
            self._said = (state, detail)
            self._bus.publish(topic(topics.DEVICE_STATUS, self._device), Presence(state=state, detail=detail))

    def kill(self) -> None:
        """The process dies."""
        if self._bus is not None:
            self._bus.drop()
        self._bus = None

    def tell(
        self, kind: LineEventType, seat: int, first_s: float, motions: int = 1, conf: float = 0.95, count: int = 0
    ) -> None:
        """Publishes one event, true or not; seat 0 is the board."""
        bus = self._bus
        if bus is None or self._blind:
            return
        self._count += 1
        if kind in HANDS:
            self._hands[seat] = max(0, self._hands.get(seat, 0) + (1 if kind == "hand_entered" else -1))
        event = LineEvent(
            id=f"{self._device}-{bus.boot_id}-{self._count}",
            event=kind,
            seat=seat or None,
            t_first_ns=round(first_s * NS_PER_S),
            t_confirm_ns=self._agenda.now_ns,
            conf=conf,
            motions=motions,
            footprints=count,
            frame=round(self._agenda.now_s() * FPS),
        )
        bus.publish(topic(topics.SEAT_LINE, seat) if seat else topic(topics.DEVICE_LINE, self._device), event)
        self._view()

    # --- the truth

    def _look_at_truth(self) -> None:
        """What people are about to do is known as soon as they have begun it."""
        truth = self._world.truth()
        fresh = [event for event in truth if event not in self._told]
        self._told = dict.fromkeys(truth)
        for event in fresh:
            self._schedule(event)

    def _schedule(self, event: TruthEvent) -> None:
        chance = self._chance
        if event.type == "board_dealt":
            self._tell_board(event)
            return
        if self._is_missed(event):
            return
        kind: SeatEventType = event.type
        if kind == "chips_retracted" and event.by_dealer:
            kind = "bet_amended"
        done_s = event.t_first if kind in HANDS else event.t_done
        first_s = event.t_first + chance.gauss(0.0, self._eyes.first_error_s)
        told_s = done_s + chance.uniform(*_LAGS_S.get(kind, _OTHER_LAG_S))
        if kind == "hand_left" and chance.random() < self._eyes.missed.get(kind, 0.0):
            told_s += chance.uniform(*LINGERING_S)
        if kind == "hand_left" and not event.by_dealer:
            self._take_for_a_muck(event.seat, event.t_first)
        motions = self._motions(event)
        self._agenda.at(told_s, lambda: self.tell(kind, event.seat, min(first_s, told_s), motions))

    def _tell_board(self, event: TruthEvent) -> None:
        """The cards that came, at times one too many (the burn card) or too few."""
        chance = self._chance_of_dealer
        if chance.random() < self._eyes.board_missed:
            return
        wrong = chance.random() < self._eyes.board_miscounted
        count = event.count + (chance.choice((-1, 1)) if wrong else 0)
        told_s = event.t_done + chance.uniform(*_LAGS_S["board_dealt"])
        self._agenda.at(told_s, lambda: self.tell("board_dealt", 0, event.t_first, count=count))

    def _imagine_dealer(self) -> None:
        """Something that the dealer's hands never did."""
        chance, now_s = self._chance_of_dealer, self._agenda.now_s()
        kind = chance.choice(FALSE_OF_DEALER)
        seat = 0 if kind == "board_dealt" else chance.choice(self._table.seats).number
        cards = 1 if self._world.cards.board else FLOP
        self.tell(kind, seat, now_s - 0.3, count=cards if kind == "board_dealt" else 0)

    def _take_for_a_muck(self, seat: int, left_s: float) -> None:
        chance = self._chance_of_mucks
        if chance.random() < self._eyes.false_mucks:
            told_s = left_s + chance.uniform(*_LAGS_S["cards_mucked"])
            self._agenda.at(told_s, lambda: self.tell("cards_mucked", seat, left_s))

    def _is_missed(self, event: TruthEvent) -> bool:
        """A hand is missed for its whole stay: what did not come does not go."""
        chance, seat = self._chance, event.seat
        if event.type == "hand_left":
            missing = seat in self._missing
            self._missing.discard(seat)
            return missing
        share = self._eyes.missed.get(event.type, 0.0)
        if not event.judged:
            share = max(share, 1.0 - SHALLOW_SEEN)
        missed = chance.random() < share
        if missed and event.type == "hand_entered":
            self._missing.add(seat)
        return missed

    def _motions(self, event: TruthEvent) -> int:
        if event.type not in ("bet_settled", "string_suspect"):
            return 1
        crossings = [
            one
            for one in self._told
            if one.type == "chips_crossing" and one.seat == event.seat and set(one.uids) <= set(event.uids)
        ]
        return max(1, len(crossings))

    # --- what it says of itself

    def _look(self) -> None:
        bus = self._bus
        if bus is None:
            return
        if self._blind:
            for why, since_s in self._blind.items():
                if self._said[0] == "online" and self._agenda.now_s() - since_s >= _BLIND[why].after_s:
                    self._lose(bus, _BLIND[why], since_s)
            return
        self._look_at_truth()
        chance = self._chance
        for seat in self._table.seats:
            if chance.random() < self._eyes.false_per_minute * LOOK_S / 60.0:
                self._imagine(seat.number)
        if self._chance_of_dealer.random() < self._eyes.false_dealer_per_minute * LOOK_S / 60.0:
            self._imagine_dealer()
        self._view()

    def _lose(self, bus: SimulatedBus, told: _Told, since_s: float) -> None:
        self._count += 1
        lost = LineEvent(
            id=f"{self._device}-{bus.boot_id}-{self._count}",
            event=told.event,
            seat=None,
            t_first_ns=round(since_s * NS_PER_S),
            t_confirm_ns=self._agenda.now_ns,
            conf=1.0,
            frame=round(since_s * FPS),
        )
        bus.publish(topic(topics.DEVICE_LINE, self._device), lost)
        self._says("stale", told.sentence)

    def _imagine(self, seat: int) -> None:
        kind, now_s = self._chance.choice(FALSE_KINDS), self._agenda.now_s()
        self.tell(kind, seat, now_s - 0.1, 2 if kind == "string_suspect" else 1)
        if kind == "hand_entered":
            left_s = now_s + self._chance.uniform(*FALSE_HAND_S)
            self._agenda.at(left_s, lambda: self.tell("hand_left", seat, left_s - 0.1))

    def _view(self) -> None:
        """All seats, where something has changed, and once a second."""
        bus, now_s = self._bus, self._agenda.now_s()
        if bus is None or self._blind:
            return
        seats = tuple(self._seat(seat.number, now_s) for seat in self._table.seats)
        if seats != self._seen or now_s - self._viewed_s >= VIEW_S:
            self._seen, self._viewed_s = seats, now_s
            view = CameraView(seats=seats, frame=round(now_s * FPS), fps=FPS)
            bus.publish(topic(topics.DEVICE_VIEW, self._device), view)

    def _seat(self, seat: int, now_s: float) -> SeatView:
        lies = len(self._world.in_field(f"seat-{seat}", now_s))
        return SeatView.model_construct(
            seat=seat,
            occupied=lies > 0,
            hand=self._hands.get(seat, 0) > 0,
            area_mm2=0.0,
            footprints=min(lies, 1),
            occluded_ms=0,
        )
