"""What words make of an act, by the rule that says so."""

from __future__ import annotations

import pytest

from tests.unit.rulings.tables import amounts, ask, facing, flop, preflop, ruled, told


def test_tda_40_what_comes_first_defines_the_act() -> None:
    table = facing(300)

    assert amounts(ruled(table, seat=2, says="raise", chips=[1000], first="says")) == ("raise", 1000, 0, 0)
    assert amounts(ruled(table, seat=2, says="raise", chips=[1000], first="chips")) == ("call", 300, 700, 0)
    assert amounts(ruled(table, seat=2, says="raise", chips=[1000], first="both")) == ("raise", 1000, 0, 0)


def test_tda_40_at_once_with_unclear_words_the_chips_play() -> None:
    assert amounts(ruled(facing(300), seat=2, says="banana", chips=[1000], first="both")) == ("call", 300, 700, 0)


def test_tda_40_c_an_amount_alone_is_as_if_pushed() -> None:
    table = facing(1000)

    assert amounts(ruled(table, seat=2, says="fourteen hundred")) == ("call", 1000, 0, 1000)
    assert amounts(ruled(table, seat=2, says="fifteen hundred")) == ("raise", 2000, 0, 2000)
    assert amounts(ruled(flop(), seat=1, says="two hundred", chips=[500])) == ("bet", 200, 300, 0)


@pytest.mark.parametrize(
    ("words", "option", "to"),
    [
        ("raise to 800", "to", 800),
        ("raise 800", "to", 800),
        ("raise 800", "by", 1100),
        ("raise by 800", "to", 1100),
        ("raise to 800", "by", 800),
        ("make it 800", "by", 800),
    ],
)
def test_tda_43_b_the_amount_of_a_raise_is_the_total_unless_said_otherwise(words: str, option: str, to: int) -> None:
    ruling = ruled(facing(300, house={"bare_raise_amount": option}), seat=2, says=words)

    assert (str(ruling.ruling), ruling.to) == ("raise", to)


def test_tda_43_a_declared_raise_that_is_too_small_is_the_least_raise() -> None:
    ruling = ruled(facing(1000), seat=2, says="raise to 1,200")

    assert amounts(ruling) == ("raise", 2000, 0, 2000)
    assert "underbet" in ruling.alerts


def test_tda_50_b_everybody_waits_for_the_amount_and_then_it_counts() -> None:
    outcome = ask(facing(300), seat=2, says="raise")

    assert outcome.ruling is not None
    assert (str(outcome.ruling.ruling), outcome.alerts) == ("none", ("amount-pending",))
    assert outcome.table.state.next_seat == 2
    for words in ("nine hundred", "raise to nine hundred", "call"):
        ruling = ruled(outcome.table, seat=2, says=words)
        assert str(ruling.ruling) == ("none" if words == "call" else "raise")


def test_tda_51_a_a_player_who_said_raise_may_not_just_muck() -> None:
    table = told(facing(300), {"seat": 2, "says": "raise"})

    outcome = ask(table, seat=2, gesture="muck")

    assert outcome.ruling is not None
    assert outcome.ruling.offers == ("raise:600", "fold")
    assert amounts(ruled(outcome.table, floor={"ruling": "raise", "to": 600})) == ("raise", 600, 0, 600)


def test_tda_54_pot_is_the_maximum_in_pot_limit_and_a_valid_bet_elsewhere() -> None:
    pot_limit = flop(pot=60, game={"limit": "pot-limit", "blinds": (5, 10)})

    assert amounts(ruled(pot_limit, seat=1, says="pot")) == ("bet", 60, 0, 60)
    ruling = ruled(facing(300), seat=2, says="I raise the pot")
    assert amounts(ruling) == ("raise", 600, 0, 600)
    assert "pot-in-no-limit" in ruling.alerts


def test_tda_55_call_with_nothing_to_call_is_a_check_and_raise_is_a_bet() -> None:
    assert str(ruled(flop(), seat=1, says="call").ruling) == "check"
    assert amounts(ruled(flop(), seat=1, says="raise to 400")) == ("bet", 400, 0, 400)


def test_tda_55_check_facing_a_bet_leaves_call_or_fold() -> None:
    outcome = ask(facing(300), seat=2, says="check")
    table = outcome.table

    assert outcome.ruling is not None
    assert str(outcome.ruling.ruling) == "none"
    assert {str(kind) for kind in table.state.may} == {"call", "fold"}
    assert table.state.raise_range is None
    raised = ruled(table, seat=2, chips=[500, 500])
    assert amounts(raised) == ("call", 300, 700, 0)
    assert "raise-not-open" in raised.alerts
    assert ask(table, seat=2, action="raise", to=900).error is not None
    assert str(ruled(table, seat=2, gesture="muck").ruling) == "fold"


def test_tda_57_an_ambiguous_amount_is_the_highest_reading_within_the_pot() -> None:
    for pot, option, to in ((5100, "at-most-pot", 5000), (4800, "at-most-pot", 500), (5001, "below-pot", 5000)):
        table = flop(pot=pot // 3 * 3, house={"ambiguous_amount": option})
        assert ruled(table, seat=1, says="I bet five").to == to


def test_tda_57_an_amount_that_is_legal_as_it_stands_is_not_ambiguous() -> None:
    table = flop(pot=600, game={"limit": "no-limit", "blinds": (1, 2)})

    assert ruled(table, seat=1, says="five").to == 5


def test_tda_58_a_fold_with_nothing_to_call_binds() -> None:
    ruling = ruled(flop(), seat=1, says="fold")

    assert (str(ruling.ruling), ruling.alerts) == ("fold", ("fold-without-bet",))


def test_tda_59_a_conditional_statement_is_left_to_the_floor() -> None:
    outcome = ask(flop(), seat=1, says="if you bet I raise")

    assert outcome.ruling is not None
    assert (str(outcome.ruling.ruling), outcome.ruling.offers) == ("floor", ("withdraw",))
    given_back = told(outcome.table, {"floor": {"ruling": "withdraw"}})
    assert given_back.state.next_seat == 1
    assert {str(kind) for kind in given_back.state.may} == {"check", "bet", "fold"}


def test_fixed_limit_needs_no_amount() -> None:
    table = preflop(game={"limit": "fixed-limit", "blinds": (10, 20), "bets": (20, 20, 40, 40)})

    assert amounts(ruled(table, seat=3, says="raise")) == ("raise", 40, 0, 40)


def test_all_in_is_a_call_where_it_is_no_more() -> None:
    table = facing(5000, seats={1: 9000, 2: 2000, 3: 9000})
    ruling = ruled(table, seat=2, says="all in")

    assert (str(ruling.ruling), ruling.to, ruling.all_in) == ("call", 2000, True)


def test_r_028_complete_is_a_call_of_the_blind_and_says_nothing_where_no_bet_is_short() -> None:
    small_blind = told(preflop(), {"seat": 3, "action": "call"})
    assert amounts(ruled(small_blind, seat=1, says="complete")) == ("call", 100, 0, 50)
    assert ruled(facing(300), seat=2, says="complete").alerts == ("not-understood",)
    assert ruled(facing(300), seat=2, says="complete").ruling == "none"


def test_tda_51_who_said_raise_may_only_raise() -> None:
    table = told(facing(300), {"seat": 2, "says": "raise"})
    assert {str(kind) for kind in table.state.may} == {"raise"}
    for action in ("fold", "call"):
        refusal = ask(table, seat=2, action=action).error
        assert refusal is not None
        assert refusal.code == "not-open"
    assert amounts(ruled(table, seat=2, action="raise", to=900))[:2] == ("raise", 900)


def test_r_068_a_bare_raise_does_not_give_the_amount_of_a_splash() -> None:
    splashed = ruled(facing(300), seat=2, says="raise", splashes=[500, 500])
    assert (splashed.ruling, splashed.offers) == ("floor", ("raise:1000",))
    assert ruled(facing(300), seat=2, says="raise to 900", splashes=[500, 500]).to == 900


def test_tda_58_a_fold_between_two_rounds_binds() -> None:
    table = told(facing(300), {"seat": 2, "action": "call"}, {"seat": 3, "action": "call"})
    assert table.state.next_seat is None
    folded = ask(table, seat=2, gesture="muck")
    assert folded.ruling is not None
    assert (folded.ruling.ruling, folded.ruling.alerts) == ("fold", ("out-of-turn",))
    assert 2 not in folded.table.state.hand.in_hand


def test_tda_40_what_is_owed_and_more_is_no_raise() -> None:
    table = told(facing(200), {"seat": 2, "action": "raise", "to": 400}, {"seat": 3, "action": "fold"})
    assert amounts(ruled(table, seat=1, says="two hundred more"))[:2] == ("call", 400)
    assert amounts(ruled(table, seat=1, says="raise two hundred more"))[:2] == ("raise", 600)
