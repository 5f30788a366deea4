"""The sheet of a level against worked numbers of the rule texts."""

import pytest

from betline.settings import GameSettings, load_house_rules
from table_controller.levels import bet_sizes_of
from table_controller.positions import options_of, structure_of

OMAHA = {"limit": "pot-limit", "blinds": (5, 10), "streets": "omaha"}
NO_LIMIT = {"limit": "no-limit", "blinds": (100, 200)}
STUD = {"limit": "fixed-limit", "blinds": (), "bets": (10, 10, 20, 20, 20), "streets": "stud", "bring_in": 5, "ante": 2}


def sheet(keys, players=9, **options):
    game = GameSettings.model_validate(keys)
    return bet_sizes_of(structure_of(game), options_of(load_house_rules("cash", options)), players)


def moments(keys, players=9, **options):
    return {
        one.name.removeprefix("everybody "): (one.call, one.least, one.most)
        for one in sheet(keys, players, **options).first_round
    }


def test_pot_limit_5_10_with_the_true_pot():
    """R-155: 5 + 10 lie there, the call of 10 makes 25, so the pot bet is 10 + 25 = 35; the next one 35 + 85 = 120."""
    assert moments(OMAHA, pot_limit_preflop="true-pot", pot_limit_small_blind="as-call") == {
        "first to act": (10, 20, 35),
        "limps to the small blind": (5, 20, 100),
        "folds to the small blind": (5, 20, 30),
        "limps to the big blind": (0, 20, 100),
        "after one pot raise": (35, 60, 120),
    }


def test_pot_limit_5_10_with_the_assumed_call():
    """R-155: the small blind counts as 10, so the first seat may make it 40; R-156 as-pot: the small blind 35."""
    found = moments(OMAHA, pot_limit_preflop="assumed-call", pot_limit_small_blind="as-pot")
    assert found["first to act"] == (10, 20, 40)
    assert found["folds to the small blind"] == (5, 20, 35)


def test_a_big_blind_ante_lies_in_the_pot():
    keys = {**OMAHA, "ante": 10, "ante_by": "big-blind"}
    assert moments(keys, pot_limit_preflop="true-pot")["first to act"] == (10, 20, 45)


def test_antes_of_everybody_count_by_the_number_of_players():
    keys = {**OMAHA, "ante": 1}
    found = [moments(keys, players, pot_limit_preflop="true-pot")["first to act"][2] for players in (6, 9)]
    assert found == [41, 44]


def test_in_no_limit_only_the_stack_bounds_a_raise():
    assert moments(NO_LIMIT) == {
        "first to act": (200, 400, None),
        "limps to the small blind": (100, 400, None),
        "folds to the small blind": (100, 400, None),
        "limps to the big blind": (0, 400, None),
        "after one minimum raise": (400, 600, None),
    }


def test_a_cap_bounds_it_too():
    assert moments({**NO_LIMIT, "cap": 3000})["first to act"] == (200, 400, 3000)


def test_heads_up_the_first_seat_is_the_small_blind():
    assert moments(OMAHA, 2, pot_limit_preflop="true-pot") == {
        "first to act": (5, 20, 30),
        "limps to the big blind": (0, 20, 30),
        "after one pot raise": (20, 50, 90),
    }


def test_stud_begins_with_the_bring_in_and_is_completed():
    assert moments(STUD, 8) == {"first to act": (5, 10, 10), "after one minimum raise": (10, 20, 20)}


@pytest.mark.parametrize(
    ("keys", "bets"),
    [
        (NO_LIMIT, [("preflop", 200, None), ("flop", 200, None), ("turn", 200, None), ("river", 200, None)]),
        ({**NO_LIMIT, "min_bet": 300}, [(street, 300, None) for street in ("preflop", "flop", "turn", "river")]),
        (
            {"limit": "spread-limit", "blinds": (1, 2), "spread": (2, 6)},
            [(street, 2, 6) for street in ("preflop", "flop", "turn", "river")],
        ),
        (STUD, [("third", 10, 10), ("fourth", 10, 10), ("fifth", 20, 20), ("sixth", 20, 20), ("seventh", 20, 20)]),
    ],
)
def test_the_opening_bets_of_each_street(keys, bets):
    assert list(sheet(keys).min_bets) == bets
