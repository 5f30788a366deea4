"""What leaves the table to the house: the books after rake, drop, kitty, time, tips and races; the plan of a payout."""

from __future__ import annotations

from typing import Any

import pytest

from table_controller.rulings import Push, Table, payout_plan
from tests.unit.rulings.tables import ask, flop, told
from tests.unit.rulings.test_table import between, refused

ALL_IN_FOR_TEN = (
    {"seat": 1, "action": "all-in"},
    {"seat": 2, "action": "all-in"},
    {"seat": 3, "action": "call"},
)


def two_pots(**house: Any) -> Table:
    """A main pot of 120 for three seats and a side pot of 100 for seats 2 and 3."""
    game = {"limit": "no-limit", "blinds": (1, 2)}
    table = flop(90, game=game, house=house, seats={1: 10, 2: 60, 3: 100}, profile="cash")
    return told(table, *ALL_IN_FOR_TEN)


def test_r_285_the_rake_of_every_pot_is_in_the_books_until_the_award_is_taken_back() -> None:
    table = two_pots(rake={"percent": 10, "cap": 15}, kitty="lowest-chip")
    paid = told(table, {"award": [[1], [3]]})

    assert paid.state.house_money == {"rake": 15, "kitty": 2}
    assert paid.state.stacks == {1: 107, 2: 0, 3: 136}
    assert told(paid, {"undo": 1}).state.house_money == {}
    assert told(paid, {"reopens": "last_hand"}, {"award": [[2], [2]]}).state.house_money == {"rake": 15, "kitty": 2}
    assert told(paid, {"next_hand": True}, {"reopens": "last_hand"}).state == table.state


def test_r_264_the_plan_names_every_push_from_the_last_side_pot_to_the_main_pot() -> None:
    table = two_pots(rake={"percent": 10, "cap": 15}, kitty="lowest-chip")
    assert payout_plan(table.state) == ()
    table = told(table, {"award": [{"parts": [[1], [1, 2]]}, [3]]})

    assert payout_plan(table.state) == (
        Push("rake", 1, 3), Push("kitty", 1, 1), Push(3, 1, 96),
        Push("rake", 0, 12), Push("kitty", 0, 1), Push(1, 0, 81), Push(2, 0, 26),
    )  # fmt: skip


def test_r_262_the_plan_of_pots_that_were_paid_at_once_is_without_the_part_of_the_house() -> None:
    table = flop(90, game={"limit": "no-limit", "blinds": (1, 2)}, house={"rake": {"percent": 10}}, profile="cash")
    table = told(
        table,
        {"seat": 1, "action": "bet", "to": 50},
        {"seat": 2, "action": "fold"},
        {"seat": 3, "action": "fold"},
    )

    assert payout_plan(table.state) == (Push(1, None, 50), Push("rake", 0, 9), Push(1, 0, 81))
    assert table.state.hand is not None
    assert table.state.hand.starting_stacks == {1: 9030, 2: 9030, 3: 9030}
    assert payout_plan(told(table, {"next_hand": True}).state) == ()


@pytest.mark.parametrize(
    ("odd_chip", "shares"),
    [("left-of-button", {1: 40, 2: 40, 3: 39}), ("high-card-suit", {1: 39, 2: 39, 3: 41})],
)
def test_r_264_odd_chips_go_where_the_house_says_after_the_rake(odd_chip: str, shares: dict[int, int]) -> None:
    table = told(two_pots(rake={"drop": 1}, odd_chip=odd_chip), {"award": [[3, 1, 2], [3, 2]]})

    main = {push.to: push.amount for push in payout_plan(table.state) if push.pot == 0}
    assert main == {"rake": 1, **shares}


def test_r_298_tips_fills_and_the_kitty_are_in_the_books() -> None:
    table = told(
        between(),
        {"moves": {"from": 1, "to": "tray", "amount": 5, "why": "tip"}},
        {"moves": {"from": 2, "to": "kitty", "amount": 2, "why": "kitty"}},
        {"moves": {"from": "kitty", "to": "rake", "amount": 1, "why": "cards"}},
        {"moves": {"from": "tray", "to": 3, "amount": 9, "why": "change"}},
    )

    assert table.state.house_money == {"tray": -4, "kitty": 1, "rake": 1}
    assert table.state.stacks == {1: 145, 2: 148, 3: 159}
    assert refused(table, moves={"from": 2, "to": 2, "amount": 1}) == "not-open"
    assert refused(table, moves={"from": 4, "to": "tray", "amount": 1, "why": "tip"}) == "not-open"
    assert refused(table, moves={"from": 1, "to": "tray", "amount": 50}) == "table-stakes"
    tournament = between(form="tournament")
    assert told(tournament, {"moves": {"from": 1, "to": "tray", "amount": 50}}).state.house_money == {"tray": 50}


def test_r_285_the_time_charge_is_collected_once_a_period_from_who_is_there() -> None:
    table = told(between(rake={"time": 6, "minutes": 30}), {"away": 3}, {"after_minutes": 45})
    assert table.state.house_money == {"time": 12}
    assert table.state.stacks == {1: 144, 2: 144, 3: 150}
    outcome = ask(table, after_minutes=14)
    assert outcome.alerts == ()
    assert outcome.table.state.stacks == table.state.stacks
    again = ask(outcome.table, after_minutes=1)
    assert again.alerts == ("time-due",)
    assert again.table.state.house_money == {"time": 24}


def test_r_285_a_charge_that_falls_due_in_a_hand_is_collected_when_it_ends_however_it_ends() -> None:
    table = told(between(rake={"time": 6, "minutes": 30}), {"next_hand": True}, {"after_minutes": 30})
    assert table.state.house_money == {}

    for again in ({"fouled": True}, {"misdeal": True}):
        redealt = told(table, again, {"seat": 2, "action": "fold"})
        assert redealt.state.house_money == {}
        outcome = ask(redealt, seat=3, action="fold")
        assert outcome.alerts == ("time-due",)
        assert outcome.table.state.stacks == {1: 145, 2: 144, 3: 143}
        assert outcome.table.state.house_money == {"time": 18}


def test_r_285_an_award_that_is_taken_back_keeps_the_time_and_charges_once() -> None:
    table = told(between(rake={"time": 6, "minutes": 30}), {"next_hand": True})
    folded = told(table, {"seat": 2, "action": "call"}, {"seat": 3, "action": "call"}, {"seat": 1, "action": "check"})
    for street, order in (("flop", (3, 1, 2)), ("turn", (3, 1, 2)), ("river", (3, 1, 2))):
        folded = told(folded, {"deal": street}, *({"seat": seat, "action": "check"} for seat in order))
    paid = told(folded, {"award": [[1]]}, {"after_minutes": 31})
    assert paid.state.house_money == {"time": 18}
    again = told(paid, {"reopens": "last_hand"}, {"award": [[2]]})
    assert again.state.house_money == {"time": 18}
    assert again.state.stacks == {1: 142, 2: 148, 3: 142}


def test_r_285_a_new_charge_counts_from_the_hand_in_which_it_is_new() -> None:
    timed = {"profile": "cash", "rake": {"time": 6, "minutes": 30}}
    table = told(between(), {"after_minutes": 100}, {"next_hand": {"house": timed}})
    table = told(table, {"seat": 2, "action": "fold"}, {"seat": 3, "action": "fold"})

    assert told(table, {"after_minutes": 29}).state.house_money == {}
    assert told(table, {"after_minutes": 30}).state.house_money == {"time": 18}


def test_tda_24_a_race_changes_only_what_rounding_does_and_later_games_are_played_in_the_new_chips() -> None:
    table = told(
        between("tda", buy_in="none"), {"counts": {"seat": 1, "stack": 163}}, {"counts": {"seat": 2, "stack": 4}}
    )
    table = told(table, {"race": {"remove": 1, "wins": [1], "to": 5}})

    assert table.state.stacks == {1: 165, 2: 5, 3: 150}
    assert table.state.house_money == {"race": -3}
    table = told(table, {"race": {"remove": 5, "wins": [1]}})
    assert table.state.stacks == {1: 175, 2: 25, 3: 150}
    assert table.state.game.unit == 25
    later = told(table, {"next_hand": {"game": {"limit": "no-limit", "blinds": [50, 100]}}})
    assert later.state.structure.unit == 25
    large = told(table, {"next_hand": {"game": {"limit": "no-limit", "blinds": [500, 1000], "unit": 100}}})
    assert large.state.structure.unit == 100


def test_tda_24_all_who_have_odd_chips_may_win_and_an_empty_seat_stays_empty() -> None:
    table = between("tda", buy_in="none")
    stacks = {1: 175, 2: 150, 3: 0}
    table = told(table, *({"counts": {"seat": seat, "stack": stack}} for seat, stack in stacks.items() if seat != 2))

    assert told(table, {"race": {"remove": 25, "wins": [1, 2]}}).state.stacks == {1: 200, 2: 200, 3: 0}


@pytest.mark.parametrize(
    ("remove", "chip"),
    [
        (1, 5), (5, 25), (25, 100), (100, 500), (500, 1000), (1000, 5000), (5000, 25_000), (25_000, 100_000),
        (100_000, 500_000), (500_000, 1_000_000), (1_000_000, 5_000_000), (2, 100), (10, 100), (50, 100),
    ],
)  # fmt: skip
def test_tda_24_the_next_of_the_usual_denominations(remove: int, chip: int) -> None:
    table = between("tda", buy_in="none")
    stacks = {1: 3 * chip, 2: chip - remove, 3: chip + remove}
    table = told(table, *({"counts": {"seat": seat, "stack": stack}} for seat, stack in stacks.items()))
    raced = told(table, {"race": {"remove": remove, "wins": [3]}}).state

    assert raced.stacks == {1: 3 * chip, 2: chip, 3: 2 * chip}
    assert raced.structure.unit == raced.least_chip == chip


@pytest.mark.parametrize(
    ("race", "part"),
    [
        ({"remove": 25, "wins": [], "to": 25}, "larger multiple"),
        ({"remove": 25, "wins": [], "to": 60}, "larger multiple"),
        ({"remove": 7, "wins": []}, "Say what"),
        ({"remove": 25, "wins": [2]}, "make 1 or 2 of 100, one a seat at most: seats 1, 2, 3 may win"),
        ({"remove": 25, "wins": [4]}, "nobody sits"),
    ],
)
def test_tda_24_a_race_that_does_not_fit_is_refused_in_words(race: dict[str, Any], part: str) -> None:
    table = between("tda", buy_in="none")
    if part.startswith("make"):
        race = {**race, "wins": [2, 2]}
    outcome = ask(table, race=race)

    assert outcome.error is not None
    assert part in outcome.error.sentence


def test_r_203_a_short_big_blinds_chips_are_removed_from_play() -> None:
    table = between("tda", buy_in="none", big_blind_must_cover="small-blind-and-ante")
    table = told(table, {"sits": {"seat": 4, "stack": 150}}, {"counts": {"seat": 4, "stack": 2}})
    game = {"limit": "no-limit", "blinds": [4, 8], "ante": 1}
    table = told(table, {"next_hand": {"game": game}})

    assert set(table.state.players) == {1, 2, 3}
    assert table.state.house_money == {"removed": 2}


@pytest.mark.parametrize("rake", ["none", {"percent": 5}, {"drop": 3}])
def test_r_285_no_time_is_due_where_the_house_charges_none(rake: Any) -> None:
    outcome = ask(between(rake=rake), after_minutes=600)

    assert outcome.alerts == ()
    assert outcome.table.state.house_money == {}


def test_r_126_r_285_a_charge_in_a_cap_game_comes_out_of_the_whole_stack() -> None:
    game = {"limit": "no-limit", "blinds": [1, 2], "cap": 20}
    table = told(between(rake={"time": 145, "minutes": 30}), {"next_hand": {"game": game}}, {"after_minutes": 30})
    table = told(table, *({"seat": seat, "action": "fold"} for seat in (2, 3)))

    assert table.state.stacks == {1: 6, 2: 5, 3: 4}
