"""Worked examples of the rule texts: spread limit."""

from __future__ import annotations

import pytest

from table_controller.betting import Hand, Illegal, Limit, Structure
from tests.unit.betting.betting_helpers import CASH, call_and_range, on_the_flop, played

DEEP = dict.fromkeys(range(1, 5), 5000)
TEN_ON_THE_END = Structure(limit=Limit.SPREAD_LIMIT, blinds=(1,), spread=((1, 5), (1, 5), (1, 5), (1, 10)))


def spread(least: int, most: int, *blinds: int) -> Structure:
    return Structure(limit=Limit.SPREAD_LIMIT, blinds=blinds, spread=((least, most),))


@pytest.mark.parametrize("street", ["flop", "turn", "river"])
def test_wikipedia_one_to_five_bets_anything_from_1_to_5(street: str) -> None:
    hand = on_the_flop(spread(1, 5, 1), DEEP, button=4, options=CASH, street=street)
    assert call_and_range(hand) == (0, 1, 5)
    assert [played(hand, f"bet {amount}").level for amount in range(1, 6)] == [1, 2, 3, 4, 5]
    with pytest.raises(Illegal) as refused:
        played(hand, "bet 6")
    assert refused.value.code == "above-maximum"


def test_wikipedia_one_to_five_a_raise_is_subject_to_the_bet_before_it() -> None:
    hand = played(on_the_flop(spread(1, 5, 1), DEEP, button=4, options=CASH), "bet 3")
    assert call_and_range(hand) == (3, 6, 8)
    assert call_and_range(played(hand, "raise 8")) == (8, 13, 13)
    assert call_and_range(played(hand, "raise 7")) == (7, 11, 12)


def test_wikipedia_one_to_five_ten_on_the_end() -> None:
    hand = on_the_flop(TEN_ON_THE_END, DEEP, button=4, options=CASH)
    most = []
    for street in ("turn", "river"):
        most.append(hand.max_raise_to)
        hand = played(hand, *["check"] * 4).deal(street)
    assert [*most, hand.max_raise_to] == [5, 5, 10]
    assert call_and_range(played(hand, "bet 4")) == (4, 8, 14)


@pytest.mark.parametrize(("least", "most"), [(3, 100), (10, 1000)])
def test_wikipedia_california_spread_is_much_wider(least: int, most: int) -> None:
    hand = on_the_flop(spread(least, most, least), DEEP, button=4, options=CASH)
    assert call_and_range(hand) == (0, least, most)
    hand = played(hand, f"bet {most // 2}")
    assert call_and_range(hand) == (most // 2, most, most // 2 + most)


def test_wikipedia_california_spread_3_100_completes_a_blind_of_2_to_anything_from_3_to_100() -> None:
    hand = Hand.start(spread(3, 100, 1, 2), CASH, DEEP, 4)
    assert call_and_range(hand) == (2, 3, 100)
    hand = played(hand, "complete 60")
    assert call_and_range(hand) == (60, 120, 160)


def test_wikipedia_spread_limit_has_the_cap_on_raises_too() -> None:
    hand = on_the_flop(spread(1, 5, 1), DEEP, button=4, options=CASH)
    hand = played(hand, "bet 1", "raise 2", "raise 3", "raise 4")
    assert call_and_range(hand) == (3, None, None)
