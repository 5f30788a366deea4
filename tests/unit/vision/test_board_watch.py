"""Cards on the board: three that lie together begin a row, one that goes on with it is surely the next street."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from betline.geometry import Point
from vision.places.board_watch import Row, judge
from vision.places.card_eye import Thing
from vision.tuning.thresholds import Thresholds

THRESHOLDS = Thresholds()
PITCH_MM = 67.0


FACE, BACK = (215.0, 222.0, 226.0), (105.0, 92.0, 178.0)
"""Mean colours, BGR, of a card's face and of its back."""


def thing(cards: float, kind: str = "card", colour: tuple[float, float, float] = FACE) -> Thing:
    return Thing(kind, 0, cards * THRESHOLDS.card_mm2, (0.0, 0.0), 0.0, False, colour)  # type: ignore[arg-type]


def lay(
    row: Row, *cards: tuple[float, Point], kind: str = "card", burnt: Point | None = None
) -> tuple[Row, list[tuple[int, float]]]:
    fresh = [(thing(count, kind), at) for count, at in cards]
    fresh += [] if burnt is None else [(thing(1.0, colour=BACK), burnt)]
    row, events = judge(row, fresh, lambda _: 1, (2, 3), THRESHOLDS)
    return row, [(event.footprints, event.conf) for event in events]


FLOP = ((1.0, (0.0, 0.0)), (1.0, (PITCH_MM, 0.0)), (1.0, (2 * PITCH_MM, 0.0)))


@pytest.mark.parametrize("cards", [FLOP, ((2.96, (PITCH_MM, 0.0)),), ((2.1, (0.5 * PITCH_MM, 0.0)), FLOP[2])])
def test_a_flop_is_three_cards_in_a_row_however_they_merge_in_the_picture(
    cards: tuple[tuple[float, Point], ...],
) -> None:
    assert lay(Row(), *cards)[1] == [(3, 0.9)]


def test_turn_and_river_go_on_with_the_row() -> None:
    row, _ = lay(Row(), *FLOP)
    row, turn = lay(row, (1.02, (3 * PITCH_MM, 3.0)))
    row, river = lay(row, (0.97, (4 * PITCH_MM, -2.0)))
    assert (turn, river, row.cards) == ([(1, 0.9)], [(1, 0.9)], 5)


@pytest.mark.parametrize("at", [(3 * PITCH_MM, 200.0), (PITCH_MM, 60.0)], ids=["far", "beside it"])
def test_a_card_elsewhere_is_reported_unsure_and_is_no_part_of_the_row(at: Point) -> None:
    row, _ = lay(Row(), *FLOP)
    before = row
    row, found = lay(row, (1.0, at))
    assert (found, row) == ([(1, 0.6)], before)


@pytest.mark.parametrize("count", [1, 2, 4])
def test_another_number_of_first_cards_is_unsure(count: int) -> None:
    assert lay(Row(), (float(count), (0.0, 0.0)))[1] == [(count, 0.6)]


def test_three_cards_that_lie_apart_are_no_flop() -> None:
    assert lay(Row(), (1.0, (0.0, 0.0)), (1.0, (150.0, 0.0)), (1.0, (300.0, 0.0)))[1] == [(3, 0.6)]


@pytest.mark.parametrize("kind", ["chips", "unknown", "ragged"])
def test_what_is_no_card_is_not_told_of(kind: str) -> None:
    assert lay(Row(), (3.0, (0.0, 0.0)), kind=kind)[1] == []


def test_a_sixth_card_is_no_board_card() -> None:
    row, _ = lay(Row(5, (0.0, 0.0)), (1.0, (201.0, 0.0)))
    assert row == Row(5, (0.0, 0.0))


BURNT = [(4.5 * PITCH_MM, 0.0), (-1.3 * PITCH_MM, 0.0), (1.5 * PITCH_MM, -110.0), (-400.0, 90.0)]
"""After the row, before it, beside it, far away."""


@pytest.mark.parametrize("burnt", BURNT)
def test_a_burn_card_that_comes_with_a_flop_is_none_of_it(burnt: Point) -> None:
    row, found = lay(Row(), *FLOP, burnt=burnt)
    assert found == [(3, 0.9)]
    assert lay(row, (1.0, (3 * PITCH_MM, 0.0)), burnt=burnt)[1] == [(1, 0.9)]


@pytest.mark.parametrize("burnt", BURNT)
def test_a_burn_card_alone_is_no_street(burnt: Point) -> None:
    row, _ = lay(Row(), *FLOP)
    assert lay(row, burnt=burnt) == (row, [])


def test_the_fifth_card_lies_in_line_with_the_row() -> None:
    row, _ = lay(Row(), *FLOP)
    row, _ = lay(row, (1.0, (3 * PITCH_MM, 0.0)))
    assert lay(row, (1.0, (PITCH_MM, 200.0))) == (row, [(1, 0.6)])
    assert lay(row, (1.0, (4 * PITCH_MM, 30.0)))[0].cards == 5


def test_of_four_cards_that_all_lie_face_up_none_was_burnt() -> None:
    assert lay(Row(), *FLOP, (1.0, (3 * PITCH_MM, 0.0)))[1] == [(4, 0.6)]


def test_the_next_hands_flop_counts_in_a_dimmer_light_too() -> None:
    dim = [(thing(1.0, colour=(140.0, 145.0, 150.0)), at) for _, at in FLOP]
    row, events = judge(Row(5, (67.0, 0.0), (201.0, 0.0), FACE), dim, lambda _: 1, (2, 3), THRESHOLDS)
    assert (row.cards, [event.conf for event in events]) == (3, [0.9])


def test_the_board_is_dated_by_its_cards_alone() -> None:
    """The burn card, which lay there before, has no part in it."""
    asked: list[list[Thing]] = []

    def lies_ns(things: Sequence[Thing]) -> int:
        asked.append(list(things))
        return 7

    flop = [(thing(1.0), at) for _, at in FLOP]
    _, events = judge(Row(), [*flop, (thing(1.0, colour=BACK), BURNT[0])], lies_ns, (9, 3), THRESHOLDS)
    assert asked == [[one for one, _ in flop]]
    assert [(event.t_first_ns, event.t_confirm_ns) for event in events] == [(7, 9)]
