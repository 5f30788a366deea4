"""Straddles and sleepers: who may, for how much, and what they displace (R-195 to R-200)."""

from __future__ import annotations

import pytest

from betline.settings import HouseRules, load_house_rules
from table_controller.betting import BettingOptions, Illegal, Limit, Post, PostKind, Structure
from table_controller.positions import (
    Positions,
    StraddleKind,
    first_positions,
    forced_straddle,
    is_rock_due,
    straddled,
    straddles,
    under_the_gun,
)

TWO = Structure(limit=Limit.NO_LIMIT, blinds=(5, 10))
PLACED = first_positions(TWO, BettingOptions(), (1, 2, 3, 4, 5), 5)
STACKS = dict.fromkeys((1, 2, 3, 4, 5), 900)


def rules(**options: object) -> HouseRules:
    return load_house_rules("cash", {"straddle_positions": "utg-or-button", **options})


def post(house: HouseRules, seat: int, to: int, kind: str = "live", placed: Positions = PLACED) -> Positions:
    return straddled(house, TWO, placed, STACKS, Post(seat, to, PostKind.STRADDLE), StraddleKind(kind))


def refusal(house: HouseRules, seat: int, to: int, kind: str = "live", placed: Positions = PLACED) -> str:
    with pytest.raises(Illegal) as found:
        post(house, seat, to, kind, placed)
    return found.value.code


def test_r_195_under_the_gun_is_left_of_the_big_blind() -> None:
    assert under_the_gun(PLACED) == 3
    assert under_the_gun(Positions(button=1, small_blind=None, big_blind=None, seats=frozenset({1, 2}))) is None


@pytest.mark.parametrize(
    ("positions", "seats"),
    [("none", ()), ("utg", (3,)), ("button", (5,)), ("utg-or-button", (3, 5)), ("button-or-cutoff", (4, 5)),
     ("any", (1, 2, 3, 4, 5))],
)  # fmt: skip
def test_r_195_r_198_the_house_says_who_may_straddle(positions: str, seats: tuple[int, ...]) -> None:
    house = rules(straddle_positions=positions)
    for seat in PLACED.seats:
        if seat in seats:
            assert straddles(post(house, seat, 20, "mississippi"))[0].seat == seat
        else:
            assert refusal(house, seat, 20, "mississippi") == "not-open"


def test_r_195_the_size_is_twice_the_big_blind_or_at_least_that() -> None:
    assert refusal(rules(), 3, 19) == "below-minimum"
    assert refusal(rules(), 3, 21) == "above-maximum"
    assert straddles(post(rules(straddle_size="at-least"), 3, 21))[0].amount == 21
    assert refusal(rules(straddle_size="at-least"), 3, 901) == "above-maximum"


def test_r_195_the_button_displaces_the_seat_under_the_gun_and_not_the_other_way_round() -> None:
    gun = post(rules(), 3, 20)

    assert [straddle.seat for straddle in straddles(post(rules(), 5, 20, "mississippi", gun))] == [5]
    button = post(rules(), 5, 20, "mississippi")
    assert refusal(rules(), 3, 20, "live", button) == "not-open"


def test_r_197_re_straddles_are_counted_and_doubled() -> None:
    one = rules(restraddles=1)
    gun = post(one, 3, 20)

    assert refusal(rules(), 4, 40, "live", gun) == "not-open"
    assert refusal(one, 2, 40, "live", gun) == "not-open"
    assert refusal(one, 4, 30, "live", gun) == "below-minimum"
    twice = post(one, 4, 40, "live", gun)
    assert [straddle.amount for straddle in straddles(twice)] == [20, 40]
    assert refusal(one, 5, 80, "live", twice) == "not-open"


def test_r_199_a_sleeper_raises_from_anywhere_but_under_the_gun() -> None:
    house = rules(sleepers=True)

    assert refusal(rules(), 4, 20, "sleeper") == "not-open"
    assert refusal(house, 3, 20, "sleeper") == "not-open"
    assert refusal(house, 4, 19, "sleeper") == "below-minimum"
    assert post(house, 4, 20, "sleeper").posts[-1] == Post(4, 20, PostKind.SLEEPER)
    assert refusal(house, 7, 20, "sleeper") == "not-open"


def test_r_200_the_rock_straddles_under_the_gun() -> None:
    assert is_rock_due(rules(rock=True), PLACED, 3)
    assert not is_rock_due(rules(rock=True), PLACED, 4)
    assert not is_rock_due(rules(), PLACED, 3)
    assert forced_straddle(PLACED, TWO, 3).posts[-1] == Post(3, 20, PostKind.STRADDLE)
