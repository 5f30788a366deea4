"""What silent chips make of an act, by the rule that says so."""

from __future__ import annotations

import pytest

from tests.unit.rulings.tables import amounts, ask, facing, flop, preflop, ruled, told

FIXED = {"limit": "fixed-limit", "blinds": (10, 20), "bets": (20, 20, 40, 40)}


def test_exact_chips_bet_call_and_raise() -> None:
    assert amounts(ruled(flop(), seat=1, chips=[100, 100])) == ("bet", 200, 0, 0)
    assert amounts(ruled(facing(300), seat=2, chips=[100, 100, 100])) == ("call", 300, 0, 0)
    assert amounts(ruled(facing(300), seat=2, chips=[500, 100])) == ("raise", 600, 0, 0)


def test_tda_44_one_chip_facing_a_bet_is_a_call_the_last_one_too() -> None:
    assert amounts(ruled(facing(300), seat=2, chips=[1000])) == ("call", 300, 700, 0)
    last = facing(300, seats={1: 9000, 2: 1000, 3: 9000})
    assert amounts(ruled(last, seat=2, chips=[1000])) == ("call", 300, 700, 0)


def test_tda_44_one_chip_with_no_bet_is_a_bet_of_its_value_in_pot_limit_at_most_the_pot() -> None:
    assert amounts(ruled(flop(), seat=1, chips=[1000])) == ("bet", 1000, 0, 0)
    ruling = ruled(flop(pot=600, game={"limit": "pot-limit", "blinds": (50, 100)}), seat=1, chips=[1000])
    assert amounts(ruling) == ("bet", 600, 400, 0)
    assert ruling.alerts == ("overbet",)


def test_tda_44_in_fixed_limit_a_chip_is_the_fixed_bet() -> None:
    ruling = ruled(flop(game=FIXED), seat=1, chips=[100])

    assert amounts(ruling) == ("bet", 20, 80, 0)
    assert ruling.alerts == ()


def test_tda_45_a_every_chip_is_needed() -> None:
    table = told(facing(400), {"seat": 2, "action": "raise", "to": 1100})

    assert amounts(ruled(table, seat=3, chips=[1000, 500])) == ("call", 1100, 400, 0)


@pytest.mark.parametrize(
    ("chips", "ruling"),
    [
        ([1000, 100, 100], ("call", 1000, 200, 0)),
        ([1000, 100, 100, 100, 100, 100], ("raise", 2000, 0, 500)),
        ([1000, 500, 500], ("raise", 2000, 0, 0)),
        ([1000, 1000, 1000], ("raise", 3000, 0, 0)),
    ],
)
def test_tda_43_a_half_a_raise_must_be_made_a_full_one(chips: list[int], ruling: tuple[str, int, int, int]) -> None:
    assert amounts(ruled(facing(1000), seat=2, chips=chips)) == ruling


def test_tda_45_b_the_last_chips_are_all_in_below_half_a_raise() -> None:
    table = facing(1400, seats={1: 9000, 2: 2000, 3: 9000})
    ruling = ruled(table, seat=2, chips=[1000, 500, 500])

    assert amounts(ruling) == ("raise", 2000, 0, 0)
    assert ruling.all_in


def test_r_058_without_the_half_standard_less_than_a_full_raise_is_a_call() -> None:
    table = facing(1000, house={"half_standard": False})

    assert amounts(ruled(table, seat=2, chips=[500, 500, 500, 100])) == ("call", 1000, 600, 0)
    assert amounts(ruled(table, seat=2, chips=[1000, 1000])) == ("raise", 2000, 0, 0)


def test_r_060_in_fixed_limit_half_a_bet_more_is_a_raise_unless_exempt() -> None:
    table = told(flop(game=FIXED), {"seat": 1, "action": "bet", "to": 20})
    exempt = flop(game=FIXED, house={"same_denomination_exempt": True})
    exempt = told(exempt, {"seat": 1, "action": "bet", "to": 20})

    assert amounts(ruled(table, seat=2, chips={5: 6})) == ("raise", 40, 0, 10)
    assert amounts(ruled(table, seat=2, chips={5: 5})) == ("call", 20, 5, 0)
    assert amounts(ruled(exempt, seat=2, chips={5: 6})) == ("call", 20, 10, 0)
    assert amounts(ruled(exempt, seat=2, says="raise", chips={5: 6})) == ("raise", 40, 0, 10)


def test_tda_46_c1_prior_chips_left_alone_and_an_overchip_are_a_call() -> None:
    table = told(preflop(), {"seat": 3, "action": "raise", "to": 600}, {"seat": 1, "action": "fold"})

    assert amounts(ruled(table, seat=2, chips=[1000])) == ("call", 600, 500, 0)
    assert amounts(ruled(table, seat=2, takes_back=[100], chips=[1000])) == ("call", 600, 400, 0)


def test_tda_46_c2_prior_chips_pulled_back_in_part_count_with_the_new_ones() -> None:
    table = told(preflop(), {"seat": 3, "action": "raise", "to": 600}, {"seat": 1, "action": "fold"})

    assert amounts(ruled(table, seat=2, takes_back=[50], chips=[1000])) == ("raise", 1100, 0, 50)


def test_tda_46_b_pulling_back_gives_up_the_fold() -> None:
    table = told(preflop(), {"seat": 3, "action": "raise", "to": 600}, {"seat": 1, "action": "fold"})
    outcome = ask(table, seat=2, takes_back=[100])
    after = outcome.table

    assert outcome.ruling is not None
    assert amounts(outcome.ruling) == ("none", 100, 0, 100)
    assert {str(kind) for kind in after.state.may} == {"call", "raise"}
    assert ask(after, seat=2, action="fold").error is not None
    assert ruled(after, seat=2, gesture="muck").offers == ("call", "fold")
    assert amounts(ruled(after, seat=2, chips=[500, 100])) == ("call", 600, 0, 0)


def test_r_064_the_big_blind_adds_a_chip() -> None:
    limped = ({"seat": 3, "action": "call"}, {"seat": 1, "action": "call"})

    assert amounts(ruled(told(preflop(), *limped), seat=2, chips=[500])) == ("raise", 600, 0, 0)
    check = told(preflop({"big_blind_overchip": "check", "big_blind_swap": "check"}), *limped)
    assert amounts(ruled(check, seat=2, chips=[500])) == ("check", 100, 500, 0)
    assert amounts(ruled(check, seat=2, takes_back=[100], chips=[500])) == ("check", 100, 400, 0)
    assert amounts(ruled(check, seat=2, chips=[100, 100])) == ("raise", 300, 0, 0)
    assert amounts(ruled(told(preflop(), *limped), seat=2, takes_back=[100], chips=[500])) == ("raise", 500, 0, 0)


@pytest.mark.parametrize(
    ("option", "raised", "ruling", "offers"),
    [
        ("tda", False, "call", ()),
        ("tda", True, "floor", ("call", "fold")),
        ("bound", False, "call", ()),
        ("bound", True, "floor", ("call", "withdraw")),
        ("full-call", True, "call", ()),
        ("floor", False, "floor", ("call", "fold")),
    ],
)
def test_r_240_an_undercall(option: str, raised: bool, ruling: str, offers: tuple[str, ...]) -> None:
    table = facing(800, house={"undercall": option})
    seat = 2
    if raised:
        table, seat = told(table, {"seat": 2, "action": "raise", "to": 1600}), 3

    made = ruled(table, seat=seat, chips=[300])

    assert (str(made.ruling), made.offers) == (ruling, offers)
    assert "undercall" in made.alerts


def test_tda_51_b_heads_up_every_undercall_is_a_full_call() -> None:
    table = told(facing(800, seats={1: 9000, 2: 9000, 3: 9000}), {"seat": 2, "action": "raise", "to": 1600})
    table = told(table, {"seat": 3, "action": "fold"})

    assert amounts(ruled(table, seat=1, chips=[500])) == ("call", 1600, 0, 300)


def test_the_floor_decides_an_undercall() -> None:
    table = facing(800, house={"undercall": "bound"})
    table = told(table, {"seat": 2, "action": "raise", "to": 1600}, {"seat": 3, "chips": [500]})

    assert table.state.next_seat == 3
    assert ask(table, seat=3, chips=[500]).error is not None
    assert ask(table, floor={"ruling": "fold"}).error is not None
    assert amounts(ruled(table, floor={"ruling": "call"})) == ("call", 1600, 0, 1100)
    back = ask(table, floor={"ruling": "withdraw"})
    assert back.ruling is not None
    assert amounts(back.ruling) == ("none", 0, 500, 0)
    assert back.table.state.stacks[3] == 9000
    assert back.table.state.next_seat == 3


def test_tda_51_b_a_fold_after_an_undercall_forfeits_the_bet_that_was_meant() -> None:
    table = told(facing(800), {"seat": 2, "action": "raise", "to": 1600}, {"seat": 3, "chips": [500, 500]})
    outcome = ask(table, floor={"ruling": "fold"})

    assert outcome.ruling is not None
    assert amounts(outcome.ruling) == ("fold", 800, 200, 0)
    assert outcome.ruling.adds == 800
    assert outcome.table.state.stacks == {1: 8200, 2: 7400, 3: 8200}
    assert outcome.table.state.next_seat == 1
    small = told(facing(800), {"seat": 2, "action": "raise", "to": 1600}, {"seat": 3, "chips": [500]})
    assert amounts(ruled(small, floor={"ruling": "fold"})) == ("fold", 500, 0, 0)


def test_tda_41_a_tiny_chip_is_the_floors_or_a_call() -> None:
    assert str(ruled(facing(2000), seat=2, chips=[100]).ruling) == "floor"
    assert amounts(ruled(facing(2000, house={"tiny_chip": "call"}), seat=2, chips=[100])) == ("call", 2000, 0, 1900)


def test_tda_52_too_small_an_opening_is_the_minimum() -> None:
    ruling = ruled(flop(), seat=1, chips=[25, 25])

    assert amounts(ruling) == ("bet", 100, 0, 50)
    assert ruling.alerts == ("underbet",)


def test_tda_56_of_several_motions_the_first_alone_counts() -> None:
    ruling = ruled(facing(300), seat=2, motions=[[100, 100, 100], [500]])

    assert amounts(ruling) == ("call", 300, 500, 0)
    assert ruling.alerts == ("string-bet",)


def test_tda_42_after_a_declared_amount_any_motions_count() -> None:
    ruling = ruled(facing(300), seat=2, says="raise to 800", motions=[[500], [100, 100, 100]])

    assert amounts(ruling) == ("raise", 800, 0, 0)
    assert ruling.alerts == ()


@pytest.mark.parametrize(
    ("option", "to", "back"),
    [("single", 600, 500), ("call-then-raise", 800, 300), ("multi-after-raise", 1100, 0)],
)
def test_r_053_motions_after_a_bare_raise(option: str, to: int, back: int) -> None:
    motions = [[100, 100, 100], [500], [100, 100, 100]]
    ruling = ruled(facing(300, house={"raise_motions": option}), seat=2, says="raise", motions=motions)

    assert (str(ruling.ruling), ruling.to, ruling.returned) == ("raise", to, back)


@pytest.mark.parametrize(
    ("option", "ruling"), [("cross-line", ("bet", 600, 0, 500)), ("cross-and-release", ("bet", 100, 0, 0))]
)
def test_r_050_chips_carried_back(option: str, ruling: tuple[str, int, int, int]) -> None:
    table = flop(house={"commit": option})

    assert amounts(ruled(table, seat=1, chips=[100], carries_back=[500])) == ruling


def test_r_068_a_splashed_pot_is_the_floors_unless_words_give_the_amount() -> None:
    table = facing(300)

    silent = ruled(table, seat=2, splashes=[500, 500])
    assert (str(silent.ruling), silent.offers, silent.alerts) == ("floor", ("call", "raise:1000"), ("splash",))
    said = ruled(table, seat=2, splashes=[100], says="call")
    assert amounts(said) == ("call", 300, 0, 200)
    assert said.alerts == ("splash",)


def test_r_030_a_tap_over_a_chip_that_covers_the_call_is_a_call() -> None:
    table = preflop(in_front={2: (1000,)})
    table = told(table, {"seat": 3, "action": "raise", "to": 600}, {"seat": 1, "action": "fold"})

    assert amounts(ruled(table, seat=2, gesture="tap")) == ("call", 600, 0, 0)
    assert amounts(ruled(told(preflop(), {"seat": 3, "action": "raise", "to": 600}), seat=1, gesture="tap")) == (
        "none", 50, 0, 0,
    )  # fmt: skip


def test_r_071_change_must_balance_and_is_no_act() -> None:
    table = facing(300)

    even = ruled(table, seat=2, changes={"gives": [100], "takes": [25, 25, 25, 25]})
    assert str(even.ruling) == "none"
    assert ask(table, seat=2, changes={"gives": [100], "takes": [25]}).error is not None


def test_a_raise_that_is_not_open_is_a_call_and_the_surplus_goes_back() -> None:
    table = flop(seats={1: 9000, 2: 450, 3: 9000})
    table = told(
        table, {"seat": 1, "action": "bet", "to": 300}, {"seat": 2, "action": "all-in"}, {"seat": 3, "action": "call"}
    )
    ruling = ruled(table, seat=1, chips=[500, 500])

    assert amounts(ruling) == ("call", 450, 850, 0)
    assert ruling.alerts == ("raise-not-open",)


def test_a_ruling_says_what_why_and_by_which_rule() -> None:
    ruling = ruled(facing(300), seat=2, chips=[1000])

    assert ruling.sentence == "Seat 2 calls 300: put out one oversized chip without a word (TDA 44); 700 goes back."
