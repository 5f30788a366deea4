"""What really happens at the betting lines: when fingers and chips cross, noted to score a camera by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from betline.settings import TableSettings
from virtual_table.layout import inward_distance_mm
from virtual_table.motion import HandPath, first_time
from virtual_table.people import seat_heading
from virtual_table.things import Chip, Stroke, TruthEvent, TruthType
from virtual_table.visit import Carried

FINGERS_MM = 30.0
"""How far the fingertips reach past the point that they grip at."""

_PILE_MM = 20.0
_AFTER_ENTERING_S = 0.002


class LineTruth:
    """The crossings of one table's lines, found by following the hands' paths."""

    def __init__(self, table: TableSettings, chip_radius_mm: float) -> None:
        self._table = table
        self._radius_mm = chip_radius_mm
        self._events: list[TruthEvent] = []

    def stroke(self, seat: int, path: HandPath, carried: Sequence[Carried]) -> Stroke:
        """When chips that a hand takes inwards cross the seat's line, lie, and are left behind by its fingers."""
        inward = self._inward(seat)
        rest = _rest_s(carried)
        back = first_time(lambda t: inward(path.at(t)) + FINGERS_MM <= 0, rest, path.end_s)
        return Stroke(
            self._crossing(seat, path, carried, 1.0),
            rest,
            path.end_s if back is None else back,
            tuple(one.chip for one in carried),
        )

    def comes_back(self, seat: int, path: HandPath, carried: Sequence[Carried]) -> float:
        """When the first chip that a hand takes outwards crosses the seat's line."""
        return self._crossing(seat, path, carried, -1.0)

    def hand(self, seat: int, path: HandPath) -> tuple[tuple[float, float], ...]:
        """Notes each span in which the seat's fingers are past its line, and returns the spans."""
        inward = self._inward(seat)
        spans: list[tuple[float, float]] = []
        left: float | None = path.start_s
        while left is not None and left < path.end_s:
            entered = first_time(lambda t: inward(path.at(t)) + FINGERS_MM > 0, left, path.end_s)
            if entered is None:
                break
            left = first_time(lambda t: inward(path.at(t)) + FINGERS_MM <= 0, entered + _AFTER_ENTERING_S, path.end_s)
            out = path.end_s if left is None else left
            spans.append((entered, out))
            self.tell("hand_entered", seat, entered, entered)
            self.tell("hand_left", seat, out, out)
        return tuple(spans)

    def tell(
        self,
        kind: TruthType,
        seat: int | None,
        first_s: float,
        done_s: float,
        chips: Iterable[Chip] = (),
        by_dealer: bool = False,
    ) -> None:
        """Notes an event."""
        self._events.append(TruthEvent(kind, seat, first_s, done_s, tuple(chip.uid for chip in chips), by_dealer))

    def events(self, from_s: float, to_s: float) -> tuple[TruthEvent, ...]:
        """What began in that span, in order."""
        events = [event for event in self._events if from_s <= event.t_first < to_s]
        return tuple(sorted(events, key=lambda event: event.t_first))

    def forget(self, before_s: float) -> None:
        """Drops what began before that time."""
        self._events = [event for event in self._events if event.t_first >= before_s]

    def _inward(self, seat: int) -> Callable[[Sequence[float]], float]:
        line, ahead = self._table.seat(seat).line_mm, seat_heading(self._table, seat).ahead
        return lambda at: inward_distance_mm(line, ahead, (at[0], at[1]))

    def _crossing(self, seat: int, path: HandPath, carried: Sequence[Carried], sign: float) -> float:
        """When the leading edge of the first chip crosses, inwards for sign 1 and outwards for -1."""
        inward, rest = self._inward(seat), _rest_s(carried)
        ways = [one.along(path) for one in _one_a_pile(carried)]
        cross = first_time(
            lambda t: any(sign * inward(way.at(t)) + self._radius_mm > 0 for way in ways), carried[0].start_s, rest
        )
        return rest if cross is None else cross


def _rest_s(carried: Sequence[Carried]) -> float:
    return max(one.end_s for one in carried)


def _one_a_pile(carried: Sequence[Carried]) -> list[Carried]:
    """One chip of each pile that is put down: the others are above it."""
    lowest: dict[tuple[int, int], Carried] = {}
    for one in carried:
        lowest.setdefault((round(one.target.x_mm / _PILE_MM), round(one.target.y_mm / _PILE_MM)), one)
    return list(lowest.values())
