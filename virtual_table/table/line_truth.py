"""What really happens at the betting lines: when fingers and chips cross them, to score a camera by.

The line is the one drawn on the felt, seen from straight above; a hand is its fingertips and what it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from betline.geometry import Point, contains, distance_mm
from betline.messages.devices import SeatEventType
from betline.settings import TableSettings
from virtual_table.table.motion import Carry, HandPath, Throw, first_time
from virtual_table.table.people import fingertips, seat_heading
from virtual_table.table.things import Chip, Stroke, TruthEvent
from virtual_table.table.timeline import HandVisit
from virtual_table.table.visit import Carried

SHALLOW_MM = 20.0
"""A hand whose fingertips end within this of the line may be reported or not: a camera above cannot be surer than that,
for it does not know how high over the line the fingers are. That holds of where they are and of where the camera sees
them on the felt: 60 mm high and far from its middle they look 35 mm less deep.
"""
MOVED_MM = 5.0
"""A thing at rest has left its place when it is this far from it."""

_PILE_MM = 20.0
_ONE_STAY_S = 0.1
"""A hand that is back behind the line for less than this has not left: three frames."""


@dataclass(frozen=True, slots=True)
class Held:
    """Something in a hand for a span of time: its middle, and how far its edge is ahead of that."""

    start_s: float
    end_s: float
    at: Callable[[float], Sequence[float]]
    lead_mm: float


class LineTruth:
    """The crossings of one table's lines, found by following the paths of the hands."""

    def __init__(self, table: TableSettings, chip_radius_mm: float) -> None:
        self._line = table.felt.betting_line_mm
        self._ahead: dict[int, Point] = {seat.number: seat_heading(table, seat.number).ahead for seat in table.seats}
        self._zones = {seat.number: seat.bet_zone_mm for seat in table.seats}
        self._radius_mm = chip_radius_mm
        self._eye_mm = table.cameras[0].position_mm if table.cameras else None
        self._events: list[TruthEvent] = []

    def stroke(self, seat: int, visit: HandVisit, carried: Sequence[Carried]) -> Stroke:
        """When chips that a hand takes inwards cross the seat's line, come to rest, and the fingers are back behind the
        line.
        """
        rest, end_s = rest_s(carried), visit.path.end_s
        back = first_time(lambda t: not self._fingers(seat, visit, t, 0.0), rest, end_s)
        return Stroke(
            self.crosses(seat, [one.along(visit.path) for one in one_per_pile(carried)]),
            rest,
            end_s if back is None else back,
            tuple(one.chip for one in carried),
        )

    def crosses(self, seat: int, ways: Sequence[Carry | Throw]) -> float:
        """When the edge of the first chip that moves inwards crosses the seat's line."""
        return _first(ways, lambda at: self._past(seat, at, self._radius_mm))

    def comes_back(self, seat: int, path: HandPath, carried: Sequence[Carried], from_s: float | None = None) -> float:
        """When the edge of the first chip that a hand takes outwards is back over the seat's line, not before
        ``from_s``.
        """
        ways = [one.along(path) for one in one_per_pile(carried)]
        return _first(ways, lambda at: not self._past(seat, at, -self._radius_mm), from_s)

    def comes_into_zone(self, seat: int, path: HandPath, carried: Sequence[Carried]) -> float:
        """When the first chip that a hand brings reaches the seat's bet zone."""
        ways = [one.along(path) for one in one_per_pile(carried)]
        return _first(ways, lambda at: contains(self._zones[seat], (at[0], at[1])))

    def leaves_place(self, path: HandPath, carried: Sequence[Carried]) -> float:
        """When the first chip that a hand takes has visibly left its place."""
        firsts = [first_time(_moved(one, path), one.start_s, one.end_s) for one in _one_per_place(carried)]
        return min(rest_s(carried) if first is None else first for first in firsts)

    def note_hand(
        self, seat: int, visit: HandVisit, held: Iterable[Held | Carried] = ()
    ) -> tuple[tuple[float, float], ...]:
        """Notes each stay of the seat's hand past the line, and returns the stays.

        A stay is not judged if the fingertips get no deeper than `SHALLOW_MM`, or the camera does not see them get so
        deep; nor is an approach as close as that which does not cross.
        """
        start_s, end_s = visit.path.start_s, visit.path.end_s
        things = [one if isinstance(one, Held) else self._held(one, visit.path) for one in held]

        def past(t: float, short_mm: float, *, seen: bool = False) -> bool:
            return self._fingers(seat, visit, t, short_mm, seen=seen) or any(
                one.start_s <= t < one.end_s
                and self._past(seat, self._shown(one.at(t)) if seen else one.at(t), one.lead_mm - short_mm)
                for one in things
            )

        def is_deep(t: float) -> bool:
            return past(t, SHALLOW_MM) and past(t, SHALLOW_MM, seen=True)

        stays = _stays(lambda t: past(t, 0.0), start_s, end_s)
        deep = [(came, went) for came, went in stays if first_time(is_deep, came, went) is not None]
        for came, went in deep:
            self._stay(seat, came, went, judged=True)
        for came, went in _stays(lambda t: past(t, -SHALLOW_MM), start_s, end_s):
            inside = [stay for stay in stays if came <= stay[0] < went]
            if not any(stay in deep for stay in inside):
                inside = [(came, went)]
            for stay in inside:
                if stay not in deep:
                    self._stay(seat, *stay, judged=False)
        return stays

    def note(
        self,
        kind: SeatEventType | Literal["board_dealt"],
        seat: int,
        first_s: float,
        done_s: float,
        chips: Iterable[Chip] = (),
        *,
        by_dealer: bool = False,
        judged: bool = True,
        count: int = 0,
    ) -> None:
        """Notes an event."""
        uids = tuple(chip.uid for chip in chips)
        self._events.append(TruthEvent(kind, seat, first_s, done_s, uids, by_dealer, judged, count))

    def events(self, from_s: float, to_s: float) -> tuple[TruthEvent, ...]:
        """The events that began in that span, in order."""
        events = [event for event in self._events if from_s <= event.t_first < to_s]
        return tuple(sorted(events, key=lambda event: event.t_first))

    def forget(self, before_s: float) -> None:
        """Drops events that began before that time."""
        self._events = [event for event in self._events if event.t_first >= before_s]

    def _stay(self, seat: int, entered_s: float, left_s: float, *, judged: bool) -> None:
        self.note("hand_entered", seat, entered_s, entered_s, judged=judged)
        self.note("hand_left", seat, left_s, left_s, judged=judged)

    def _past(self, seat: int, at: Sequence[float], lead_mm: float) -> bool:
        """Whether the point ``lead_mm`` ahead of ``at``, as the seat looks, is inside the drawn line."""
        ahead = self._ahead[seat]
        return contains(self._line, (at[0] + ahead[0] * lead_mm, at[1] + ahead[1] * lead_mm))

    def _fingers(self, seat: int, visit: HandVisit, t_s: float, short_mm: float, *, seen: bool = False) -> bool:
        """Whether a fingertip is more than ``short_mm`` past the line, or with ``seen`` the camera sees it so."""
        return any(
            self._past(seat, self._shown(tip) if seen else tip, tip.radius_mm - short_mm)
            for tip in fingertips(visit.seen(t_s))
        )

    def _shown(self, at: Sequence[float]) -> Sequence[float]:
        """Where on the felt the camera sees a point, (x, y, z): away from its own place, the more the higher it is."""
        if self._eye_mm is None or len(at) < 3:
            return at
        x, y, high_mm = self._eye_mm
        share = high_mm / (high_mm - at[2])
        return x + (at[0] - x) * share, y + (at[1] - y) * share

    def _held(self, carried: Carried, path: HandPath) -> Held:
        return Held(carried.start_s, carried.end_s, carried.along(path).at, self._radius_mm)


def rest_s(carried: Sequence[Carried]) -> float:
    """When the last of the chips comes to rest."""
    return max(one.end_s for one in carried)


def one_per_pile(carried: Sequence[Carried]) -> list[Carried]:
    """The lowest chip of each pile that is put down: it stands for those above it."""
    lowest: dict[tuple[int, int], Carried] = {}
    for one in carried:
        lowest.setdefault((round(one.target.x_mm / _PILE_MM), round(one.target.y_mm / _PILE_MM)), one)
    return list(lowest.values())


def _stays(there: Callable[[float], bool], start_s: float, end_s: float) -> tuple[tuple[float, float], ...]:
    """The spans in which the condition holds, joined if it fails for a moment only."""
    stays: list[tuple[float, float]] = []
    left: float | None = start_s
    while left is not None and left < end_s:
        entered = first_time(there, left, end_s)
        if entered is None:
            break
        left = first_time(lambda t: not there(t), entered, end_s)
        if stays and entered - stays[-1][1] < _ONE_STAY_S:
            entered = stays.pop()[0]
        stays.append((entered, end_s if left is None else left))
    return tuple(stays)


def _first(
    ways: Sequence[Carry | Throw], there: Callable[[Sequence[float]], bool], from_s: float | None = None
) -> float:
    """When the condition first holds for one of them; when all are at rest if it never does."""
    rest = max(way.end_s for way in ways)
    start = min(way.start_s for way in ways) if from_s is None else from_s
    found = first_time(lambda t: any(way.start_s <= t <= way.end_s and there(way.at(t)) for way in ways), start, rest)
    return rest if found is None else found


def _one_per_place(carried: Sequence[Carried]) -> list[Carried]:
    """One chip of each pile that is picked up."""
    first: dict[tuple[float, int, int], Carried] = {}
    for one in carried:
        key = (one.start_s, round(one.origin.x_mm / _PILE_MM), round(one.origin.y_mm / _PILE_MM))
        first.setdefault(key, one)
    return list(first.values())


def _moved(one: Carried, path: HandPath) -> Callable[[float], bool]:
    way, lay = one.along(path), (one.origin.x_mm, one.origin.y_mm)
    return lambda t: distance_mm(way.at(t)[:2], lay) >= MOVED_MM
