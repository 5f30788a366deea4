"""Who pays whom: everybody is even afterwards, with as few payments as there can be, always the same ones."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_controller.accounts.settle import EXACT, Payment, settled

AMOUNTS = st.lists(st.integers(-9, 9), max_size=7)


def balanced(amounts: list[int]) -> dict[str, int]:
    return {f"p{number}": amount for number, amount in enumerate([*amounts, -sum(amounts)])}


def even_after(balances: dict[str, int], payments: tuple[Payment, ...]) -> bool:
    left = dict(balances)
    for one in payments:
        assert one.amount > 0
        assert left[one.payer] < 0 < left[one.payee], "nobody pays who is owed, nobody is paid who owes"
        left[one.payer] += one.amount
        left[one.payee] -= one.amount
    return not any(left.values())


def fewest(balances: dict[str, int]) -> int:
    """By trying every division of the parties into groups that are even among themselves."""
    amounts = tuple(amount for amount in balances.values() if amount)

    @cache
    def most_groups(left: tuple[int, ...]) -> int:
        if not left:
            return 0
        best = -len(amounts)
        for size in range(1, len(left) + 1):
            for chosen in combinations(range(1, len(left)), size - 1):
                group = (0, *chosen)
                if sum(left[place] for place in group) == 0:
                    rest = tuple(amount for place, amount in enumerate(left) if place not in group)
                    best = max(best, 1 + most_groups(rest))
        return best

    return len(amounts) - most_groups(amounts)


@settings(deadline=None)
@given(AMOUNTS)
def test_all_are_even_with_the_fewest_payments(amounts: list[int]) -> None:
    balances = balanced(amounts)
    payments = settled(balances)

    assert even_after(balances, payments)
    assert len(payments) == fewest(balances)


@settings(deadline=None)
@given(st.lists(st.integers(-500, 500), min_size=EXACT, max_size=40))
def test_a_crowd_is_even_with_one_payment_fewer_than_people(amounts: list[int]) -> None:
    balances = balanced(amounts)
    payments = settled(balances)

    assert even_after(balances, payments)
    assert len(payments) <= max(0, sum(1 for amount in balances.values() if amount) - 1)


def test_two_circles_are_settled_each_for_itself() -> None:
    assert settled({"a": -50, "b": 30, "c": -7, "d": 20, "e": 3, "f": 4}) == (
        Payment("a", "b", 30),
        Payment("a", "d", 20),
        Payment("c", "f", 4),
        Payment("c", "e", 3),
    )


def test_the_same_balances_make_the_same_payments() -> None:
    balances = {"a": -10, "b": -10, "c": 10, "d": 10}

    assert settled(balances) == settled(balances) == (Payment("a", "c", 10), Payment("b", "d", 10))


def test_nobody_pays_where_all_are_even() -> None:
    assert settled({}) == settled({"a": 0, "b": 0}) == ()


def test_what_does_not_make_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="make 5 and not 0"):
        settled({"a": -10, "b": 15})
