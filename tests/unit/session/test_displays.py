"""What a player's display shows, by what the house lets be shown unasked (R-160, R-247, R-290)."""

from typing import Any

import pytest

from tests.unit.session.desk import Desk
from tests.unit.session.test_between import begun

THREE = {"1": 200, "2": 80, "3": 300}
POT_LIMIT = {"limit": "pot-limit", "blinds": [1, 2]}


def shown(desk: Desk) -> str:
    (prompt,) = [one for one in desk.session.prompts() if one.active]
    return prompt.text


@pytest.mark.parametrize(
    ("stack_display", "text"),
    [
        ("public", "Seat 1: call 2, minimum raise to 4, maximum 200"),
        ("on-request", "Seat 1: call 2, minimum raise to 4"),
        ("facing-all-in", "Seat 1: call 2, minimum raise to 4"),
    ],
)
def test_r_247_a_maximum_that_is_a_stack_is_shown_where_stacks_are_public(stack_display: str, text: str) -> None:
    assert shown(begun(THREE, stack_display=stack_display, pot_count="pot-limit-only")) == text


@pytest.mark.parametrize(
    ("house", "text"),
    [
        ({"stack_display": "public"}, "Seat 2: call 79, all-in"),
        ({"stack_display": "facing-all-in"}, "Seat 2: call 79, all-in"),
        ({"stack_display": "on-request"}, "Seat 2: all-in to call"),
        ({"stack_display": "on-request", "announce_all_in": "on-request"}, "Seat 2: facing an all-in"),
    ],
)
def test_r_247_r_290_facing_an_all_in_the_display_tells_what_the_house_lets_it(house: Any, text: str) -> None:
    desk = begun(THREE, pot_count="pot-limit-only", **house)
    desk.key("act", seat=1, action="all-in")
    assert shown(desk) == text


def test_r_247_a_raise_that_takes_the_whole_stack_is_named_without_its_amount() -> None:
    desk = begun({"1": 200, "2": 80, "3": 300}, stack_display="on-request", pot_count="pot-limit-only")
    desk.key("act", seat=1, action="raise", to=60)
    assert shown(desk) == "Seat 2: call 59, any raise is all-in"


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ("always", "Seat 1: call 2, minimum raise to 4, maximum 7, the pot, 3 in the middle"),
        ("on-request", "Seat 1: call 2, minimum raise to 4, maximum 7, the pot"),
    ],
)
def test_r_160_the_pot_bet_is_always_shown_and_the_pot_where_it_is_told_unasked(told: str, text: str) -> None:
    assert shown(begun(THREE, POT_LIMIT, pot_announcement=told)) == text
