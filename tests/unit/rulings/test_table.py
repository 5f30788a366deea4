"""The table around the hand: undo, corrections, streets, awards, misdeals, seats."""

from __future__ import annotations

from dataclasses import replace

import pytest

from betline.settings import GameSettings, load_house_rules
from betline.steps import LastHand, Start, TableSetup
from table_controller.betting import Illegal
from table_controller.rulings import Table
from tests.unit.rulings.tables import ask, facing, flop, preflop, told


def between(profile: str = "cash", **options: object) -> Table:
    """Between two hands of three seats: the button was seat 1, the blinds 2 and 3."""
    house = load_house_rules(profile, {"buy_in": [20, 100], **options})
    game = GameSettings(limit="no-limit", blinds=(1, 2))
    last = LastHand(button=1, small_blind=2, big_blind=3)
    return Table.begin(TableSetup(game=game, house=house, seats={1: 150, 2: 150, 3: 150}, last_hand=last))


def refused(table: Table, **step: object) -> str:
    outcome = ask(table, **step)
    assert outcome.error is not None
    assert outcome.table is table
    return outcome.error.code


def test_in_the_first_hand_of_an_evening_nobody_posts_for_being_new() -> None:
    game, house = GameSettings(limit="no-limit", blinds=(1, 2)), load_house_rules("cash")
    sits = [{"sits": {"seat": seat, "stack": 150}} for seat in (1, 2, 3, 4)]
    table = told(Table.begin(TableSetup(game=game, house=house, seats={})), *sits)

    first = told(table, {"next_hand": {"button": 4}})
    assert first.state.hand is not None
    assert [first.state.hand.bet(seat) for seat in (1, 2, 3, 4)] == [1, 2, 0, 0]
    assert told(table, {"next_hand": True}).state.hand is not None


def test_undo_gives_back_the_table_from_before() -> None:
    start = flop()
    table = told(start, {"seat": 1, "action": "bet", "to": 300}, {"seat": 2, "gesture": "muck"})

    assert told(table, {"undo": 1}).state == told(start, {"seat": 1, "action": "bet", "to": 300}).state
    assert told(table, {"undo": 2}) == start
    assert refused(table, undo=3) == "too-late"


def test_undo_reaches_back_to_the_beginning_of_the_hand_and_to_the_hand_before_no_further() -> None:
    table = told(between(), {"next_hand": True}, {"seat": 2, "action": "fold"}, {"seat": 3, "action": "fold"})
    after = told(table, {"next_hand": True})

    assert told(after, {"undo": 1}).state == table.state
    assert refused(after, undo=2) == "too-late"


def test_a_refused_step_changes_nothing_and_cannot_be_undone() -> None:
    table = told(flop(), {"seat": 1, "action": "check"})

    assert refused(table, seat=2, action="call") == "not-open"
    assert refused(table, seat=1, action="check") == "not-your-turn"
    assert refused(table, deal="turn") == "action-pending"
    assert refused(table, award=[[1]]) == "action-pending"
    assert refused(table, next_hand=True) == "action-pending"
    assert told(table, {"undo": 1}).state == flop().state


def test_tda_52_an_under_raise_is_corrected_for_all_on_the_street() -> None:
    table = told(facing(600), {"seat": 2, "action": "raise", "to": 1000, "accepted": True})
    table = told(table, {"seat": 3, "action": "call"}, {"corrects": {"seat": 2, "to": 1200}})

    assert table.state.hand is not None
    assert table.state.hand.bets == {1: 600, 2: 1200, 3: 1200}
    assert told(table, {"undo": 1}).state.hand != table.state.hand


def test_tda_52_after_the_next_card_the_error_stands() -> None:
    table = told(facing(600), {"seat": 2, "action": "call"}, {"seat": 3, "action": "call"}, {"deal": "turn"})

    assert refused(table, corrects={"seat": 1, "to": 800}) == "too-late"


@pytest.mark.parametrize(
    ("option", "called", "all_acted"),
    [("return", True, True), ("stands", False, False), ("stands-when-all-acted", True, False)],
)
def test_r_153_how_long_a_pot_limit_overbet_is_corrected(option: str, called: bool, all_acted: bool) -> None:
    table = flop(game={"limit": "pot-limit", "blinds": (50, 100)}, house={"pot_limit_overbet": option})
    table = told(table, {"seat": 1, "action": "bet", "to": 400, "accepted": True})
    corrects = {"seat": 1, "to": 300}

    assert ask(table, corrects=corrects).error is None
    for seat, open_still in ((2, called), (3, all_acted)):
        table = told(table, {"seat": seat, "action": "call"})
        assert (ask(table, corrects=corrects).error is None) is open_still


def test_tda_48_the_last_two_have_no_cap_from_then_on() -> None:
    limit = {"limit": "fixed-limit", "blinds": (10, 20), "bets": (20, 20, 40, 40)}
    raises = [{"seat": seat, "action": "raise", "to": to} for seat, to in ((2, 40), (1, 60), (2, 80), (1, 100))]
    for steps, open_still in (([], False), ([{"last_two": True}], True)):
        table = flop(pot=0, game=limit, seats={1: 900, 2: 900}, button=2)
        table = told(table, *steps, {"seat": 1, "action": "bet", "to": 20}, *raises)
        assert (table.state.raise_range is not None) is open_still


def test_r_282_less_than_was_taken_away_is_refused_inside_the_lockout() -> None:
    table = told(between(), {"leaves": 2})

    assert refused(table, sits={"seat": 2, "stack": 100}) == "buy-in-range"
    assert told(table, {"sits": {"seat": 2, "stack": 150}}).state.stacks[2] == 150
    assert told(table, {"after_minutes": 61}, {"sits": {"seat": 2, "stack": 100}}).state.stacks[2] == 100


def test_r_049_the_record_is_put_right_on_any_street_and_all_after_it_is_told_again() -> None:
    table = told(facing(600), {"seat": 2, "chips": [1000]}, {"seat": 3, "action": "fold"}, {"deal": "turn"})
    table = told(table, {"seat": 1, "action": "check"}, {"records": {"street": "flop", "seat": 1, "to": 800}})

    assert table.state.hand is not None
    assert (table.state.hand.street, table.state.next_seat, table.state.hand.pot) == ("turn", 2, 1900)
    again = told(table, {"records": {"street": "flop", "seat": 1, "to": 700}}, {"undo": 1})
    assert again.state == table.state
    assert refused(table, records={"street": "flop", "seat": 2, "to": 1600}) == "action-pending"


def test_r_049_what_cannot_be_told_again_is_refused() -> None:
    table = told(facing(600), {"seat": 2, "action": "raise", "to": 1200}, {"seat": 3, "action": "fold"})

    assert refused(table, records={"street": "flop", "seat": 1, "to": 9500}) == "above-maximum"
    assert refused(table, records={"street": "flop", "seat": 4, "to": 1000}) == "not-open"
    assert refused(table, records={"street": "turn", "seat": 1, "to": 1000}) == "not-open"


def test_tda_29_the_clock_expires_as_a_check_or_a_fold() -> None:
    table = told(flop(), {"expires": 1})

    assert table.ruling is not None
    assert str(table.ruling.ruling) == "check"
    assert refused(table, expires=3) == "not-your-turn"


def test_r_047_a_killed_hand_is_out_and_its_calls_stay() -> None:
    table = told(facing(300), {"seat": 2, "action": "call"}, {"kills": {"seat": 2, "why": "unprotected"}})

    assert table.state.hand is not None
    assert (table.state.hand.folded, table.state.hand.pot) == (frozenset({2}), 900)


def test_r_292_a_misdeal_gives_everything_back_and_is_dealt_again_at_once() -> None:
    begun = told(between(), {"next_hand": True})
    table = told(begun, {"seat": 2, "action": "call"}, {"misdeal": True})

    assert table.state.stacks == begun.state.stacks
    again = told(table, {"next_hand": True}).state
    assert again.placed is not None
    assert (again.placed.button, again.placed.big_blind) == (2, 1)
    late = told(preflop(), {"seat": 3, "action": "call"}, {"seat": 1, "action": "call"})
    assert refused(late, misdeal=True) == "too-late"
    assert told(late, {"fouled": True}).state.stacks == preflop().state.stacks


JACKS_OR_BETTER = {"limit": "pot-limit", "streets": "draw", "blinds": (), "ante": 5, "min_bet": 10}
ALL_PASS = ({"seat": 1, "action": "check"}, {"seat": 2, "action": "check"}, {"seat": 3, "action": "check"})


def test_r_307_what_all_have_passed_lies_in_the_next_pot_until_somebody_wins_it() -> None:
    passed = told(preflop(game=JACKS_OR_BETTER), *ALL_PASS, {"pass_out": True})
    assert passed.state.between_hands
    assert passed.state.hand is not None
    assert (passed.state.hand.pot, passed.state.hand.carried) == (0, 15)
    again = told(passed, {"next_hand": True})
    assert again.state.hand is not None
    assert again.state.hand.pot == 30
    assert refused(again, pass_out=True) == "action-pending"
    redealt = told(again, {"fouled": True})
    assert redealt.state.hand is not None
    assert redealt.state.hand.pot == 30
    folded = told(redealt, *({"seat": seat, "action": "fold"} for seat in (2, 3)))
    assert folded.state.stacks == {1: 9020, 2: 8990, 3: 8990}
    following = told(folded, {"next_hand": True})
    assert following.state.hand is not None
    assert following.state.hand.pot == 15


def test_r_307_a_passed_out_hand_can_be_taken_back() -> None:
    passed = told(preflop(game=JACKS_OR_BETTER), *ALL_PASS, {"pass_out": True})
    assert told(passed, {"undo": 1}).state.hand == told(preflop(game=JACKS_OR_BETTER), *ALL_PASS).state.hand


def test_r_284_r_285_the_house_takes_its_part_of_a_pot_that_was_not_awarded() -> None:
    folds = ({"seat": 2, "action": "fold"}, {"seat": 3, "action": "fold"})

    for house, taken in (
        ({}, 0),
        ({"rake": {"percent": 5}}, 15),
        ({"rake": {"percent": 5, "cap": 7}}, 7),
        ({"rake": {"percent": 5, "cap_big_blinds": 0.1}}, 10),
        ({"rake": {"drop": 4}}, 4),
        ({"kitty": "lowest-chip"}, 1),
    ):
        assert told(facing(300, house=house), *folds).state.stacks[1] == 9300 - taken
    no_flop = told(preflop(house={"rake": {"percent": 10, "no_flop_no_drop": True}}), {"seat": 3, "action": "fold"})
    assert told(no_flop, {"seat": 1, "action": "fold"}).state.stacks[2] == 9050


def test_r_281_buying_in_and_adding_chips() -> None:
    table = between()

    assert refused(table, sits={"seat": 4, "stack": 39}) == "buy-in-range"
    assert refused(table, sits={"seat": 4, "stack": 201}) == "buy-in-range"
    assert refused(table, sits={"seat": 3, "stack": 100}) == "not-open"
    assert refused(table, adds={"seat": 1, "amount": 51}) == "buy-in-range"
    assert told(table, {"adds": {"seat": 1, "amount": 50}}).state.stacks[1] == 200
    playing = told(table, {"next_hand": True})
    assert refused(playing, adds={"seat": 1, "amount": 10}) == "table-stakes"
    assert refused(playing, borrows={"seat": 1, "amount": 10, "from": 2}) == "table-stakes"
    assert refused(playing, leaves=1) == "not-between-hands"
    assert told(playing, {"sits": {"seat": 4, "stack": 100}}).state.stacks[4] == 100


def test_r_281_without_blinds_a_buy_in_is_counted_in_small_bets() -> None:
    stud = {"limit": "fixed-limit", "streets": "stud", "blinds": [], "bets": [5, 5, 10, 10, 10], "bring_in": 2}
    table = told(between(), {"next_hand": {"game": stud}}, {"fouled": True})

    assert refused(table, sits={"seat": 4, "stack": 99}) == "buy-in-range"
    assert refused(table, sits={"seat": 4, "stack": 501}) == "buy-in-range"
    assert told(table, {"sits": {"seat": 4, "stack": 100}}).state.stacks[4] == 100


def test_r_283_who_is_all_in_has_not_lost_its_buy_in_until_its_hand_is_dead() -> None:
    table = told(between(stakes="open"), {"next_hand": True}, {"seat": 2, "action": "all-in"})

    assert told(table, {"adds": {"seat": 2, "amount": 10}}).state.stacks[2] == 10
    called = told(table, {"seat": 3, "action": "call"}, {"kills": {"seat": 2, "why": "fouled"}})
    assert refused(called, adds={"seat": 2, "amount": 10}) == "buy-in-range"
    assert told(called, {"adds": {"seat": 2, "amount": 40}}).state.stacks[2] == 40


def test_r_306_a_busted_seat_is_not_dealt_in_and_a_tournament_vacates_it() -> None:
    for form, seats in (("cash", {1, 2, 3}), ("tournament", {1, 3})):
        table = between(form=form, button_rule="simplified")
        table = replace(
            table,
            state=table.state._replace(players={**table.state.players, 2: replace(table.state.players[2], stack=0)}),
        )
        table = told(table, {"next_hand": True})
        assert table.state.hand is not None
        assert set(table.state.hand.seats) == {1, 3}
        assert set(table.state.players) == seats


def test_r_298_chips_leave_a_stack_outside_betting() -> None:
    assert told(between(), {"moves": {"from": 2, "to": "tray", "amount": 5, "why": "tip"}}).state.stacks[2] == 145
    assert refused(between(), moves={"from": 2, "to": "tray", "amount": 500}) == "above-maximum"
    assert told(between(), {"moves": {"from": 2, "to": 3, "amount": 5}}).state.stacks[3] == 155
    tipped = told(facing(300), {"moves": {"from": 2, "to": "tray", "amount": 5, "why": "tip"}})
    assert (tipped.state.stacks[2], tipped.state.raise_range) == (8995, (600, 8995))
    assert refused(facing(300), moves={"from": 2, "to": "tray", "amount": 9001}) == "above-maximum"
    assert refused(facing(300), moves={"from": "tray", "to": 2, "amount": 5}) == "table-stakes"


def test_r_298_money_behind_plays_when_it_is_told_before_the_hand() -> None:
    assert told(between(), {"behind": {"seat": 1, "amount": 50}}).state.stacks[1] == 200
    assert told(between(), {"behind": {"seat": 1, "amount": 100}}).state.stacks[1] == 250
    assert refused(facing(300), behind={"seat": 1, "amount": 100}) == "table-stakes"


def test_r_286_cash_on_the_table_plays_where_the_house_says_so() -> None:
    cash = {"seat": 1, "amount": 50, "cash": True}

    assert refused(between(cash_plays=False), behind=cash) == "not-open"
    assert told(between(cash_plays=True), {"behind": cash}).state.stacks[1] == 200
    assert refused(between(cash_plays=True), behind={**cash, "amount": 100}) == "buy-in-range"


def test_r_074_a_count_replaces_the_booked_stack() -> None:
    outcome = ask(between(), counts={"seat": 1, "stack": 140})

    assert outcome.alerts == ("ledger-off",)
    assert outcome.table.state.stacks[1] == 140
    assert ask(between(), counts={"seat": 1, "stack": 150}).alerts == ()
    assert ask(facing(300), counts={"seat": 1, "bet": 300}).alerts == ()
    counted = ask(facing(300), counts={"seat": 1, "bet": 400})
    assert counted.alerts == ("ledger-off",)
    assert (counted.table.state.stacks[1], counted.table.state.hand.to_call) == (8600, 400)
    assert refused(facing(300), counts={"seat": 3, "bet": 400}) == "not-open"
    all_in = told(facing(300), {"counts": {"seat": 2, "stack": 0}})
    assert all_in.state.next_seat == 3


def test_words_that_are_not_understood_are_no_act_and_alert() -> None:
    table = facing(300)
    for seat in (2, 3):
        outcome = ask(table, seat=seat, says="banana")
        assert outcome.error is None
        assert outcome.ruling is not None
        assert outcome.ruling.ruling == "none"
        assert "not-understood" in outcome.ruling.alerts
        assert outcome.table.state.held == ()
        assert outcome.table.state.next_seat == 2


def test_words_that_are_not_understood_with_chips_are_the_floor_s() -> None:
    outcome = ask(facing(300), seat=2, says="banana", chips=[500, 500])

    assert outcome.ruling is not None
    assert outcome.ruling.ruling == "floor"
    assert set(outcome.ruling.offers) == {"raise:1000", "call", "withdraw"}
    back = told(outcome.table, {"floor": {"ruling": "withdraw"}})
    assert (back.state.next_seat, back.state.stacks[2]) == (2, 9000)


def test_a_straddle_is_refused_where_the_house_takes_none_or_somebody_has_acted() -> None:
    straddle = {"seat": 3, "to": 200, "kind": "live"}

    assert refused(preflop(), straddle=straddle) == "not-open"
    acted = told(preflop(profile="cash"), {"seat": 3, "action": "call"})
    assert refused(acted, straddle=straddle) == "too-late"
    assert refused(preflop(profile="cash"), straddle={**straddle, "kind": "sleeper"}) == "not-open"


def test_r_127_a_kill_needs_a_house_that_plays_one() -> None:
    with pytest.raises(Illegal) as found:
        preflop(kill=2)
    assert found.value.code == "setup"


def test_a_setup_that_makes_no_hand_is_refused() -> None:
    with pytest.raises(Illegal) as found:
        preflop(seats={3: 100})
    assert found.value.code == "setup"


def test_a_table_without_a_past_begins_with_the_button_on_its_first_seat() -> None:
    game = GameSettings(limit="no-limit", blinds=(1, 2))
    table = Table.begin(TableSetup(game=game, house=load_house_rules("home"), seats={}))
    table = told(table, {"sits": {"seat": 4, "stack": 100}})
    assert refused(table, next_hand=True) == "not-open"
    table = told(table, {"sits": {"seat": 7, "stack": 100}}, {"next_hand": True})

    assert table.state.placed is not None
    assert (table.state.placed.button, table.state.next_seat) == (4, 4)


def test_tda_30_an_absent_players_hand_is_dead_when_the_first_seat_acts() -> None:
    table = told(between(absent_players="dealt-in"), {"away": 3}, {"next_hand": True})

    assert table.state.hand is not None
    assert 3 in table.state.hand.seats
    table = told(table, {"seat": table.state.next_seat, "action": "call"})
    assert table.state.hand is not None
    assert table.state.hand.folded == {3}


def test_a_hand_that_began_in_its_middle_is_followed_by_the_usual_next_one() -> None:
    table = told(
        preflop(start=Start(street="river", pot=300)),
        *({"seat": seat, "action": "check"} for seat in (1, 2, 3)),
        {"award": [[2]]},
        {"next_hand": True},
    )

    assert table.state.placed is not None
    assert (table.state.placed.button, table.state.placed.small_blind, table.state.placed.big_blind) == (1, 2, 3)
    assert table.state.posts == {2: (50,), 3: (100,)}


# --- citations


def test_the_rule_that_a_player_will_ask_for_is_cited_first() -> None:
    acts = ({"seat": 3, "action": "raise", "to": 300}, {"seat": 1, "action": "call"}, {"seat": 2, "action": "all-in"})
    short = told(preflop(seats={1: 9000, 2: 450, 3: 9000}), *acts)

    again = ask(short, seat=3, chips=[1000, 500]).ruling
    refused_raise = ask(short, seat=3, action="raise", to=1500).ruling
    after_a_check = ask(told(preflop(), {"seat": 3, "says": "check"}), seat=3, chips=[500, 500]).ruling

    assert again is not None
    assert refused_raise is not None
    assert after_a_check is not None
    assert (again.ruling, again.cites[0]) == ("call", "TDA-47")
    assert refused_raise.cites == ("TDA-47",)
    assert after_a_check.cites[0] == "TDA-55"


def test_an_award_says_what_the_house_took_and_who_got_what() -> None:
    table = told(between(rake={"percent": 10, "cap": 5, "drop": 2}), {"next_hand": True})
    table = told(table, {"seat": 2, "action": "all-in"}, {"seat": 3, "action": "fold"}, {"seat": 1, "action": "call"})

    outcome = ask(table, award=[[1, 2]])

    assert outcome.cites == ("TDA-20",)
    (pot,) = outcome.reckoning
    assert dict(pot.amounts) == {"in it": 301, "rake": 5, "drop": 2}
    assert pot.outcome == "seat 1 147, seat 2 147"
