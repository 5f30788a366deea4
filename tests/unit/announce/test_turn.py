"""What the seat to act is told of itself and of what it faces, from real hands."""

from __future__ import annotations

from typing import Any

import pytest

from table_controller.announce.phrases import Turn
from table_controller.announce.turn import turn_of
from tests.unit.rulings.tables import preflop, told

NO_LIMIT = {"limit": "no-limit", "blinds": (50, 100)}


def turn(seats: dict[int, int], *steps: dict[str, Any], **game: Any) -> Turn:
    found = turn_of(told(preflop(game={**NO_LIMIT, **game}, seats=seats, button=1), *steps).state)
    assert found is not None
    return found


def all_in(seat: int) -> dict[str, Any]:
    return {"seat": seat, "action": "all-in"}


DEEP = {1: 9000, 2: 9000, 3: 9000}


@pytest.mark.parametrize(
    ("seats", "steps", "faces"),
    [
        (DEEP, (), False),
        (DEEP, ({"seat": 1, "action": "raise", "to": 300},), False),
        ({**DEEP, 1: 900}, (all_in(1),), True),
        ({**DEEP, 1: 150}, (all_in(1),), True),
        ({**DEEP, 1: 900}, (all_in(1), {"seat": 2, "action": "call"}), False),
        ({**DEEP, 1: 900}, (all_in(1), {"seat": 2, "action": "raise", "to": 2000}), False),
        ({**DEEP, 1: 900, 2: 900}, (all_in(1), all_in(2)), True),
        ({1: 9000, 2: 9000, 3: 100}, (), False),
        ({1: 60, 2: 9000, 3: 9000}, (all_in(1),), False),
    ],
)
def test_a_seat_faces_an_all_in_until_somebody_with_chips_has_matched_it(
    seats: dict[int, int], steps: tuple[dict[str, Any], ...], faces: bool
) -> None:
    assert turn(seats, *steps).facing_all_in is faces


def test_the_least_raise_of_a_short_stack_is_all_it_has() -> None:
    assert turn({**DEEP, 1: 180}).least_is_all_in
    assert turn({**DEEP, 1: 200}).least_is_all_in
    assert not turn({**DEEP, 1: 201}).least_is_all_in
    assert not turn(DEEP, {"seat": 1, "action": "fold"}).least_is_all_in
    assert not turn(DEEP, limit="fixed-limit", bets=(100, 100, 200, 200)).least_is_all_in
