"""The arithmetic of bet sizes, number by number: the functions that every limit is reckoned with."""

from __future__ import annotations

import pytest

from table_controller.betting.sizes import (
    is_full,
    limit_size,
    no_limit_minimum,
    pot_limit_maximum,
    to_unit,
    up_to_unit,
)


@pytest.mark.parametrize(
    ("level", "last_raise", "least", "to_minimum"),
    [
        (0, 600, 600, 600),
        (599, 600, 1199, 600),
        (600, 600, 1200, 1200),
        (601, 600, 1201, 1201),
        (1200, 700, 1900, 1900),
    ],
)
def test_r084_only_over_less_than_the_minimum_bet_is_the_minimum_enough(
    level: int, last_raise: int, least: int, to_minimum: int
) -> None:
    assert no_limit_minimum(level, last_raise, 600, short_open_to_minimum=False) == least
    assert no_limit_minimum(level, last_raise, 600, short_open_to_minimum=True) == to_minimum


def test_r104_limit_sizes_add_to_the_last_full_bet() -> None:
    assert [limit_size(full, 300) for full in (0, 150, 300, 900)] == [300, 450, 600, 1200]


@pytest.mark.parametrize(
    ("level", "call", "middle", "most", "rounded"),
    [(0, 0, 850, 850, 1000), (500, 500, 1350, 2350, 2500), (500, 0, 1500, 2000, 2000), (700, 300, 1701, 2701, 3200)],
)
def test_r150_the_most_is_the_call_and_then_the_pot_with_it(
    level: int, call: int, middle: int, most: int, rounded: int
) -> None:
    assert pot_limit_maximum(level, call, middle, None) == most
    assert pot_limit_maximum(level, call, middle, 500) == rounded


@pytest.mark.parametrize("unit", [1, 2, 3, 5, 25])
def test_r072_every_amount_goes_to_its_nearest_unit_a_tie_down_and_a_minimum_up(unit: int) -> None:
    for amount in range(12 * unit):
        units = range(0, 13 * unit, unit)
        assert to_unit(amount, unit) == min(units, key=lambda multiple: (abs(multiple - amount), multiple))
        assert up_to_unit(amount, unit) == min(multiple for multiple in units if multiple >= amount)


def test_r072_amounts_of_a_high_game_are_rounded_alike() -> None:
    assert [to_unit(amount, 1000) for amount in (12_499, 12_500, 12_501)] == [12_000, 12_000, 13_000]
    assert [up_to_unit(amount, 1000) for amount in (12_000, 12_001, 13_000)] == [12_000, 13_000, 13_000]


@pytest.mark.parametrize("required", [1, 2, 3, 4, 5, 600, 601])
def test_r104_full_is_the_whole_and_half_counts_from_half_on(required: int) -> None:
    assert [increase for increase in range(2 * required + 1) if is_full(increase, required, half_counts=False)] == list(
        range(required, 2 * required + 1)
    )
    assert [increase for increase in range(2 * required + 1) if is_full(increase, required, half_counts=True)] == list(
        range((required + 1) // 2, 2 * required + 1)
    )
