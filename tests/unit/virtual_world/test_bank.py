from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from betline.settings import load_chip_set
from virtual_table.table import bank
from virtual_table.table.things import Chip

CASH = load_chip_set("cash")
HIGH = load_chip_set("high-stakes")
VALUES = [kind.value for kind in CASH.chips]


def stack_of(values: list[int]) -> list[Chip]:
    keys = {kind.value: kind.key for kind in CASH.chips}
    return [Chip(f"E004{i:012X}", keys[value], value) for i, value in enumerate(values)]


stacks = st.lists(st.sampled_from(VALUES), max_size=9).map(stack_of)


def fewest_by_trying(stack: list[Chip], amount: int) -> int | None:
    for size in range(len(stack) + 1):
        if any(bank.value(chosen) == amount for chosen in combinations(stack, size)):
            return size
    return None


@given(stacks, st.integers(0, 1500))
def test_an_exact_pick_is_exact_and_takes_as_few_chips_as_any_choice_would(stack: list[Chip], amount: int) -> None:
    picked = bank.pick_exact(stack, amount)
    fewest = fewest_by_trying(stack, amount)
    if picked is None:
        assert fewest is None
        return
    assert bank.value(picked) == amount
    assert len(picked) == fewest
    assert len({chip.uid for chip in picked}) == len(picked)
    assert {chip.uid for chip in picked} <= {chip.uid for chip in stack}


def test_an_exact_pick_does_not_fail_where_the_largest_chips_lead_astray() -> None:
    picked = bank.pick_exact(stack_of([25, 10, 10, 10]), 30)
    assert picked is not None
    assert [chip.value for chip in picked] == [10, 10, 10]


def test_an_exact_pick_of_a_million_dollar_stack_is_found() -> None:
    stack = [
        Chip(f"{kind.key}-{i}", kind.key, kind.value)
        for kind in HIGH.chips
        for i in range(bank.breakdown(1997500, HIGH).get(kind.key, 0))
    ]
    assert bank.value(stack) == 1997500
    picked = bank.pick_exact(stack, 1234700)
    assert picked is not None
    assert bank.value(picked) == 1234700


def test_picks_come_from_the_tops_of_the_piles() -> None:
    stack = stack_of([5, 5, 5])
    assert bank.pick_exact(stack, 5) == (stack[2],)
    assert bank.pick_over(stack, 3) == stack[2]


@given(stacks, st.integers(0, 1200))
def test_an_oversized_chip_is_the_smallest_that_is_worth_more(stack: list[Chip], amount: int) -> None:
    chip = bank.pick_over(stack, amount)
    over = [other.value for other in stack if other.value > amount]
    assert (chip.value if chip else None) == min(over, default=None)


@given(st.integers(0, 20_000))
def test_a_breakdown_is_worth_the_amount_and_fits_in_front_of_a_seat(amount: int) -> None:
    counts = bank.breakdown(amount, CASH)
    assert sum(CASH.value_of(key) * count for key, count in counts.items()) == amount  # type: ignore[operator]
    assert sum(counts.values()) <= bank.MAX_CHIPS_IN_STACK


@pytest.mark.parametrize("amount", [1, 7, 33, 137, 250])
def test_a_starting_stack_can_bet_small_amounts_exactly(amount: int) -> None:
    stack = [
        Chip(f"{kind.key}-{i}", kind.key, kind.value)
        for kind in CASH.chips
        for i in range(bank.breakdown(1000, CASH).get(kind.key, 0))
    ]
    assert bank.pick_exact(stack, amount) is not None


def test_an_amount_below_the_smallest_chip_is_refused_by_name() -> None:
    with pytest.raises(bank.BankError, match="smallest is 100") as refused:
        bank.breakdown(250, HIGH)
    assert refused.value.code == "no-such-amount"


def test_a_stack_of_too_many_chips_is_refused() -> None:
    with pytest.raises(bank.BankError) as refused:
        bank.breakdown(1_000_000_000, CASH)
    assert refused.value.code == "too-many-chips"


@given(stacks, st.integers(1, 1500))
def test_change_is_even_and_makes_the_amount_possible(stack: list[Chip], amount: int) -> None:
    change = bank.change_for(stack, amount, CASH)
    if change is None:
        assert bank.pick_exact(stack, amount) is not None or amount > bank.value(stack)
        return
    given_back = [
        Chip(f"new-{key}-{i}", key, CASH.value_of(key) or 0) for key, n in change.give.items() for i in range(n)
    ]
    assert bank.value(given_back) == bank.value(change.take)
    taken = {chip.uid for chip in change.take}
    left = [chip for chip in stack if chip.uid not in taken]
    assert len(left) == len(stack) - len(change.take)
    assert bank.pick_exact([*left, *given_back], amount) is not None


@given(st.lists(st.sampled_from(VALUES), min_size=1, max_size=60).map(stack_of))
def test_recolouring_makes_the_plausible_mix_and_is_even(stack: list[Chip]) -> None:
    change = bank.recolour(stack, CASH)
    counts = Counter(chip.key for chip in stack)
    if change is not None:
        assert bank.value(change.take) == sum((CASH.value_of(key) or 0) * n for key, n in change.give.items())
        counts.subtract(chip.key for chip in change.take)
        counts.update(change.give)
    assert +counts == Counter(bank.breakdown(bank.value(stack), CASH))
