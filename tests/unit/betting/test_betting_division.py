"""How contributions become pots and pots become payouts, in numbers (R-260 to R-266)."""

from __future__ import annotations

import pytest

from table_controller.betting import Hand, Illegal, Parts, Payout, PayoutKind, Pot, Pull
from table_controller.betting.pots import Level, Settlement, award, levels, pull_plan, settle, shares, shares_first
from tests.unit.betting.betting_helpers import TDA, no_limit, on_the_flop, played


@pytest.mark.parametrize("leader", range(3))
@pytest.mark.parametrize("aggressor", range(-1, 3))
@pytest.mark.parametrize("dead", [False, True])
def test_r261_what_nobody_matched_goes_back_but_a_folded_blind_is_forfeit(
    leader: int, aggressor: int, dead: bool
) -> None:
    contributions = tuple([900 if p == leader else 400 for p in range(3)])
    live = 0b111 & ~(1 << leader if dead else 0)
    settlement = settle(contributions, live, aggressor)
    if dead and leader != aggressor:
        assert settlement is None
    else:
        assert settlement == Settlement((400, 400, 400), leader, 500, PayoutKind.UNCALLED)


@pytest.mark.parametrize(
    ("contributions", "live", "settlement"),
    [
        ((700, 300, 700), 0b011, Settlement((300, 300, 300), 0, 800, PayoutKind.POT)),
        ((700, 700, 300), 0b110, Settlement((300, 300, 300), 1, 800, PayoutKind.POT)),
        ((700, 100, 700), 0b011, Settlement((100, 100, 100), 0, 1200, PayoutKind.POT)),
        ((200, 700, 700, 300, 500), 0b11010, Settlement((200, 500, 500, 300, 500), 1, 400, PayoutKind.POT)),
        ((700, 300, 700), 0b101, None),
        ((700, 300, 700), 0b111, None),
        ((700, 700, 700), 0b010, None),
        ((400, 400), 0b11, None),
    ],
)
def test_r262_a_side_pot_that_one_player_alone_can_win_is_paid_at_once(
    contributions: tuple[int, ...], live: int, settlement: Settlement | None
) -> None:
    assert settle(contributions, live, -1) == settlement


@pytest.mark.parametrize(("live", "seats"), [(0b0011, (1, 2)), (0b1011, (1, 2, 4))])
def test_r260_folded_chips_above_the_last_all_in_lie_in_the_last_pot(live: int, seats: tuple[int, ...]) -> None:
    (level,) = levels((300, 300, 800, 300), live, 0)
    assert level == Level(1700, tuple([seat - 1 for seat in seats]), 0, 800)


def test_r260_three_levels_with_dead_money_and_folded_chips_in_all_of_them() -> None:
    contributions = (300, 500, 800, 800, 250, 400, 600)
    assert list(levels(contributions, 0b0001111, 70)) == [
        Level(70 + 6 * 300 + 250, (0, 1, 2, 3), 0, 300),
        Level(4 * 200 + 100, (1, 2, 3), 300, 500),
        Level(2 * 300 + 100, (2, 3), 500, 800),
    ]


def test_r260_who_has_put_in_nothing_can_win_the_dead_money_only() -> None:
    assert list(levels((0, 500, 500), 0b111, 90)) == [Level(90, (0, 1, 2), 0, 0), Level(1000, (1, 2), 0, 500)]
    assert list(levels((0, 500, 500), 0b111, 0)) == [Level(1000, (1, 2), 0, 500)]


def test_r305_a_side_pot_of_one_seat_is_pulled_in_with_the_bets_of_those_who_folded() -> None:
    assert pull_plan((3, 5, 8), (0, 0, 0), (700, 300, 700), 0b011, 0, 0) == (
        Pull(3, 300, 0),
        Pull(3, 400, 1),
        Pull(5, 300, 0),
        Pull(8, 300, 0),
        Pull(8, 400, 1),
    )


def test_r305_only_the_bets_are_pulled_whatever_was_paid_before() -> None:
    assert pull_plan((3, 5, 8), (500, 300, 500), (400, 0, 900), 0b111, 60, 2) == (
        Pull(3, 400, 1),
        Pull(8, 400, 1),
        Pull(8, 500, None),
    )


@pytest.mark.parametrize(
    ("amount", "unit", "clockwise", "first_name"),
    [
        (999, 1, (333, 333, 333), (333, 333, 333)),
        (1000, 1, (334, 333, 333), (334, 333, 333)),
        (1001, 1, (334, 334, 333), (335, 333, 333)),
        (1050, 25, (350, 350, 350), (350, 350, 350)),
        (1100, 25, (375, 375, 350), (400, 350, 350)),
        (1060, 25, (360, 350, 350), (360, 350, 350)),
        (40, 25, (25, 15, 0), (40, 0, 0)),
    ],
)
def test_r264_odd_units_go_one_each_or_all_to_the_first_name(
    amount: int, unit: int, clockwise: tuple[int, ...], first_name: tuple[int, ...]
) -> None:
    winners = (7, 2, 4)
    assert shares(amount, winners, unit) == list(zip(winners, clockwise, strict=True))
    assert shares_first(amount, winners, unit) == list(zip(winners, first_name, strict=True))


def test_r264_a_winner_of_no_chip_is_not_paid() -> None:
    pot = Pot(1, (2, 4))
    paid = award(3, pot, (4, 2), order=(2, 4), unit=1, odd_to_first_name=False)
    assert paid == [Payout(2, 1, PayoutKind.POT, 3)]


def test_r303_a_seat_that_wins_in_two_parts_is_paid_once() -> None:
    pot = Pot(1001, (1, 2, 3))
    parts = Parts(((3, 2), (1, 3)))
    assert award(0, pot, parts, order=(1, 2, 3), unit=1, odd_to_first_name=False) == [
        Payout(2, 251, PayoutKind.POT, 0),
        Payout(3, 500, PayoutKind.POT, 0),
        Payout(1, 250, PayoutKind.POT, 0),
    ]
    assert award(0, pot, parts, order=(1, 2, 3), unit=1, odd_to_first_name=True) == [
        Payout(3, 501, PayoutKind.POT, 0),
        Payout(2, 250, PayoutKind.POT, 0),
        Payout(1, 250, PayoutKind.POT, 0),
    ]


@pytest.mark.parametrize("number", [0, 1])
def test_an_award_that_does_not_fit_says_which_pot(number: int) -> None:
    hand = on_the_flop(no_limit(1, 2), {1: 100, 2: 50, 3: 100, 4: 100}, button=4)
    hand = played(hand, "bet 100", "all-in", "call", "fold")

    def refusal(winners: list[int] | Parts) -> str:
        named: list[list[int] | Parts] = [[1], [1]]
        named[number] = winners
        with pytest.raises(Illegal) as refused:
            hand.award(named)
        assert refused.value.code == "not-open"
        return str(refused.value)

    pot = f"ot {number + 1}"
    assert refusal([]) == f"Name a winner of p{pot}."
    assert refusal(Parts(())) == f"Name a winner of p{pot}."
    assert refusal(Parts(((1,), ()))) == f"Name a winner of p{pot}."
    assert refusal([1, 4, 9]) == f"Name another winner: seat 4 cannot win p{pot}."
    assert refusal([1, 3, 1]) == f"Name each winner once: a seat stands twice for p{pot}."


def test_r266_a_killed_raise_goes_back_to_what_was_called_when_the_round_ends() -> None:
    hand = Hand.start(no_limit(50, 100), TDA, {1: 5000, 2: 5000, 3: 300, 4: 5000}, 4)
    hand = played(hand, "all-in", "raise 900").fold(4)
    hand = played(hand, "fold", "fold")
    assert hand.hand_over
    assert hand.stacks == {1: 4950, 2: 4900, 3: 750, 4: 4700}
