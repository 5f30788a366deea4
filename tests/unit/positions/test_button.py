"""Button and blinds from one hand to the next, under the three button rules."""

from __future__ import annotations

import pytest

from betline.settings import HouseRules, load_house_rules
from table_controller.betting import BettingOptions, Illegal, Limit, Structure
from table_controller.positions import Positions, first_positions, next_positions

TWO = Structure(limit=Limit.NO_LIMIT, blinds=(1, 2))
OPTIONS = BettingOptions()
FIVE = (1, 2, 3, 4, 5)


def house(rule: str, **options: object) -> HouseRules:
    return load_house_rules("cash", {"button_rule": rule, **options})


def after(
    rule: str, last: Positions, seats: tuple[int, ...], structure: Structure = TWO, **options: object
) -> Positions:
    return next_positions(house(rule, **options), structure, OPTIONS, last, seats)


def posts(positions: Positions) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for post in positions.posts:
        found.setdefault(post.seat, []).append(post.amount)
    return found


@pytest.mark.parametrize("rule", ["dead", "moving", "simplified"])
@pytest.mark.parametrize("seats", [(1, 2), (2, 5, 9), FIVE, tuple(range(1, 11))])
def test_while_nobody_comes_or_goes_the_rules_agree(rule: str, seats: tuple[int, ...]) -> None:
    positions = first_positions(TWO, OPTIONS, seats, seats[0])
    for number in range(1, 2 * len(seats)):
        positions = after(rule, positions, seats)
        expected = first_positions(TWO, OPTIONS, seats, seats[number % len(seats)])
        assert (positions.button, positions.small_blind, positions.big_blind) == (
            expected.button,
            expected.small_blind,
            expected.big_blind,
        )
        assert posts(positions) == posts(expected)


@pytest.mark.parametrize("rule", ["dead", "moving", "simplified"])
@pytest.mark.parametrize("blinds", [(), (2,), (1, 1, 2)])
def test_other_numbers_of_blinds_move_with_the_button(rule: str, blinds: tuple[int, ...]) -> None:
    structure = Structure(limit=Limit.NO_LIMIT, blinds=blinds, min_bet=2)
    positions = after(rule, first_positions(structure, OPTIONS, FIVE, 5), FIVE, structure)

    assert positions == first_positions(structure, OPTIONS, FIVE, 1)


def test_r_188_dead_button_no_small_blind_then_the_button_before_an_empty_seat() -> None:
    first = first_positions(TWO, OPTIONS, FIVE, 5)
    seats = (1, 3, 4, 5)
    second = after("dead", first, seats)
    third = after("dead", second, seats)

    assert (second.button, second.small_blind, second.big_blind, posts(second)) == (1, None, 3, {3: [2]})
    assert (third.button, third.small_blind, third.big_blind, posts(third)) == (2, 3, 4, {3: [1], 4: [2]})


def test_r_187_moving_button_who_is_skipped_pays() -> None:
    first = first_positions(TWO, OPTIONS, FIVE, 5)
    seats = (1, 3, 4, 5)
    second = after("moving", first, seats)
    third = after("moving", second, seats)
    fourth = after("moving", third, seats)

    assert (second.button, posts(second)) == (1, {3: [2], 4: [2]})
    assert (third.button, posts(third)) == (3, {3: [1], 4: [1], 5: [2]})
    assert (fourth.button, posts(fourth)) == (4, {5: [1], 1: [2]})


def test_r_186_simplified_button_forgets() -> None:
    first = first_positions(TWO, OPTIONS, FIVE, 1)
    second = after("simplified", first, (1, 2, 4, 5))

    assert (second.button, second.small_blind, second.big_blind) == (2, 4, 5)


@pytest.mark.parametrize("rule", ["dead", "moving"])
def test_r_189_three_to_two_nobody_is_the_big_blind_twice(rule: str) -> None:
    first = first_positions(TWO, OPTIONS, (1, 2, 3), 1)

    assert after(rule, first, (1, 2)).big_blind == 1
    assert after(rule, first, (1, 3)).big_blind == 1
    assert after(rule, first, (2, 3)).big_blind == 2
    assert after(rule, first, (2, 3), three_to_two="simplified").big_blind == 3


def test_a_hand_needs_two_players() -> None:
    with pytest.raises(Illegal) as refused:
        after("dead", first_positions(TWO, OPTIONS, FIVE, 5), (1,))

    assert refused.value.code == "not-open"
