"""Dead money that was gathered before the cards is part of no act, whatever the camera sees over the zone."""

import pytest

from table_controller.sensing.account import Account
from table_controller.sensing.rounds import dead_gathered
from table_controller.sensing.view import SeatBook


@pytest.mark.parametrize(
    ("book", "taken", "counted", "gone", "left"),
    [
        (SeatBook(2, bet=0, put_in=5), 0, {"A": 5}, {"A": 5}, {}),
        (SeatBook(2, bet=5, put_in=10), 0, {"A": 5, "B": 5}, {"A": 5}, {"B": 5}),
        (SeatBook(2, bet=5, put_in=10), 5, {"B": 5}, {"B": 5}, {"B": 5}),
        (SeatBook(2, bet=5, put_in=5), 0, {"B": 5}, {"B": 5}, {"B": 5}),
    ],
    ids=["an ante", "an ante beside a blind", "a blind, the ante paid", "a blind"],
)
def test_what_has_gone_when_the_cards_are_out_is_dead_money_as_far_as_it_is_owed(
    book: SeatBook, taken: int, counted: dict[str, int], gone: dict[str, int], left: dict[str, int]
) -> None:
    account = dead_gathered(Account(2, True, counted=counted, gone=gone, taken=taken), book)

    assert account.counted == left
    assert account.taken == (taken if left == counted else taken + 5)
