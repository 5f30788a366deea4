"""Dead money is part of no act, whenever it is gathered and whatever the camera sees over the zone."""

import pytest

from table_controller.sensing.account import Account
from table_controller.sensing.rounds import dead_gathered
from table_controller.sensing.view import SeatBook
from tests.unit.sensing.felt import Chip, Felt


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


def with_ante(*, camera: bool) -> tuple[Felt, list[Chip]]:
    """Seat 1 is to act, its ante of 5 lies there, and so do those of two others."""
    felt = Felt(seed=3, camera=camera)
    felt.begin(hand_no=2, street="preflop", phase="posting")
    antes = [felt.push(seat, [5])[0] for seat in (1, 2, 3)]
    felt.run(3000)
    for seat in (1, 2, 3):
        felt.book(seat, put_in=5, dead=5)
    felt.tell(phase="betting")
    felt.run(500)
    return felt, antes


@pytest.mark.one_in(6)
@pytest.mark.parametrize("camera", [True, False])
@pytest.mark.parametrize("gathered_ms", [0, 300, 900])
def test_an_ante_that_is_gathered_while_its_seat_bets_is_no_part_of_that_bet(camera: bool, gathered_ms: float) -> None:
    felt, antes = with_ante(camera=camera)

    def gather() -> None:
        for seat, chip in enumerate(antes, 1):
            felt.take(f"seat-{seat}", [chip])
        felt.put("pot", antes)

    felt.at(gathered_ms, gather)
    felt.push(1, [25, 5])
    felt.run(6000)

    assert [(sorted(act.pushed), act.taken_back) for act in felt.acts] == [([5, 25], ())]
    assert felt.sensing.accounts[1].total == 30


@pytest.mark.one_in(2)
@pytest.mark.parametrize("camera", [True, False])
def test_an_ante_in_front_at_the_flop_that_is_gathered_as_its_seat_bets_as_much_is_no_exchange(camera: bool) -> None:
    felt, antes = with_ante(camera=camera)
    felt.tell(phase="round-over", to_act=None)
    felt.run(500)
    felt.begin(hand_no=2, street="flop")
    felt.run(2000)

    def gather() -> None:
        for seat, chip in enumerate(antes, 1):
            felt.take(f"seat-{seat}", [chip])
        felt.put("pot", antes)

    felt.push(1, [5])
    felt.at(100, gather)
    felt.run(6000)

    assert [act.pushed for act in felt.acts] == [(5,)]
