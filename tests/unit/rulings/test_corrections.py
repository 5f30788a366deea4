"""Corrections and the floor's overrides: what they make of the hand, list and refuse (R-049, R-291)."""

from __future__ import annotations

from typing import Any

import pytest

from table_controller.rulings import Outcome, Table
from tests.unit.rulings.tables import amounts, ask, facing, flop, told


def floor(table: Table, seat: int, ruling: str, **more: Any) -> Outcome:
    return ask(table, overrides={"seat": seat, "ruling": ruling, "by": "p-1", "why": "as it happened", **more})


def listed(outcome: Outcome) -> list[tuple[int | None, str, int, str, int]]:
    """Of each act that is ruled otherwise: its seat, the old ruling and the new one."""
    return [
        (one.now.seat, str(one.was.ruling), one.was.to, str(one.now.ruling), one.now.to) for one in outcome.otherwise
    ]


def bets(outcome: Outcome) -> dict[int, int]:
    assert outcome.error is None, outcome.error
    assert outcome.table.state.hand is not None
    return dict(outcome.table.state.hand.bets)


# --- corrections


def test_tda_52_a_correction_lists_every_act_that_it_rules_otherwise() -> None:
    table = told(
        facing(600), {"seat": 2, "action": "raise", "to": 1000, "accepted": True}, {"seat": 3, "chips": [1000]}
    )

    corrected = ask(table, corrects={"seat": 2, "to": 1200})

    assert listed(corrected) == [(2, "raise", 1000, "raise", 1200), (3, "call", 1000, "call", 1200)]
    assert corrected.moves == {2: 200, 3: 200}
    assert [one.place for one in corrected.otherwise] == [0, 1]
    assert corrected.otherwise[1].sentence == ("Flop: seat 3 calls 1200 (before: calls 1000); 200 more to put in.")


def test_a_correction_that_changes_no_other_act_lists_its_own_alone() -> None:
    table = told(facing(600), {"seat": 2, "action": "fold"}, {"seat": 3, "action": "fold"}, {"undo": 1})

    assert listed(ask(table, corrects={"seat": 1, "to": 700})) == [(1, "bet", 600, "bet", 700)]


def test_r_049_behind_a_record_the_acts_are_ruled_on_again() -> None:
    table = told(facing(600), {"seat": 2, "chips": [1000]}, {"seat": 3, "chips": [500, 500]})

    again = ask(table, records={"street": "flop", "seat": 1, "to": 400})

    assert listed(again) == [
        (1, "bet", 600, "bet", 400),
        (2, "call", 600, "call", 400),
        (3, "call", 600, "raise", 1000),
    ]
    assert again.moves == {2: -200, 3: 400}


def test_r_049_what_would_now_wait_for_somebody_stands_as_it_was_ruled() -> None:
    """The street is over: that the 500 and 500 would be a raise to 1,000 now no longer stops the hand."""
    table = told(facing(600), {"seat": 2, "chips": [1000]}, {"seat": 3, "chips": [500, 500]}, {"deal": "turn"})

    again = ask(table, records={"street": "flop", "seat": 1, "to": 400})

    assert again.error is None
    assert listed(again) == [(1, "bet", 600, "bet", 400), (2, "call", 600, "call", 400), (3, "call", 600, "call", 400)]
    assert again.moves == {2: -200, 3: -200}


def test_r_049_the_chips_of_a_record_lie_there_and_only_what_they_lack_is_owed() -> None:
    table = told(facing(600), {"seat": 2, "action": "raise", "to": 1200}, {"seat": 3, "action": "fold"})

    assert ask(table, records={"street": "flop", "seat": 2, "to": 1500}).moves == {}
    short = ask(table, records={"street": "flop", "seat": 3, "to": 1000})
    assert listed(short) == [(3, "fold", 0, "call", 1200)]
    assert short.moves == {3: 200}


def test_r_049_a_record_of_a_passive_act_is_put_right_too() -> None:
    checked = told(flop(), {"seat": 1, "action": "check"})
    assert listed(ask(checked, records={"street": "flop", "seat": 1, "to": 300})) == [(1, "check", 0, "bet", 300)]

    called = told(facing(600), {"seat": 2, "action": "call"})
    assert listed(ask(called, records={"street": "flop", "seat": 2, "to": 0})) == [(2, "call", 600, "fold", 0)]


def test_r_049_a_raise_behind_a_larger_bet_stands_as_put_and_is_named() -> None:
    table = told(facing(600), {"seat": 2, "action": "raise", "to": 1200}, {"seat": 3, "action": "fold"})

    again = ask(table, records={"street": "flop", "seat": 1, "to": 1000})

    assert listed(again) == [(1, "bet", 600, "bet", 1000), (2, "raise", 1200, "raise", 1200)]
    assert "an illegal size that stands" in again.otherwise[1].sentence
    assert bets(again) == {1: 1000, 2: 1200, 3: 0}


def test_a_question_that_the_floor_has_decided_is_asked_no_more_where_nothing_waits() -> None:
    table = told(facing(600, house={"tiny_chip": "floor"}), {"seat": 2, "chips": [25]}, {"floor": {"ruling": "call"}})

    corrected = ask(table, corrects={"seat": 1, "to": 400})

    assert bets(corrected) == {1: 400, 2: 400, 3: 0}
    assert corrected.table.state.floor is None or corrected.table.state.floor.seat == 2
    assert (2, "call", 600, "call", 400) in listed(corrected)


def test_a_held_act_is_listed_by_what_it_came_to() -> None:
    table = told(facing(600), {"seat": 3, "chips": [1000]}, {"seat": 2, "action": "call"})
    assert table.state.hand is not None
    assert table.state.hand.bets == {1: 600, 2: 600, 3: 600}

    raised = floor(table, 2, "raise", to=1500)

    assert listed(raised) == [(3, "call", 600, "none", 0), (2, "call", 600, "raise", 1500)]
    assert raised.moves == {2: 900, 3: -600}
    assert raised.table.state.next_seat == 3


def test_undo_takes_a_correction_back_whole() -> None:
    table = told(facing(600), {"seat": 2, "action": "call"})

    assert told(table, {"corrects": {"seat": 1, "to": 700}}, {"undo": 1}) == table
    assert told(table, {"corrects": {"seat": 1, "to": 700}}, {"undo": 2}) == facing(600)


def test_a_correction_of_a_correction_knows_the_corrected_hand() -> None:
    table = told(facing(600), {"seat": 2, "action": "call"}, {"corrects": {"seat": 1, "to": 700}})

    assert listed(ask(table, corrects={"seat": 1, "to": 800})) == [
        (1, "bet", 700, "bet", 800),
        (2, "call", 700, "call", 800),
    ]


# --- the floor


def test_r_291_a_call_becomes_the_raise_that_was_announced() -> None:
    table = told(facing(600), {"seat": 2, "chips": [1500]})

    raised = floor(table, 2, "raise", to=1500)

    assert raised.ruling is not None
    assert amounts(raised.ruling)[:2] == ("raise", 1500)
    assert raised.ruling.cites == ("TDA-1",)
    assert raised.moves == {2: 900}
    assert raised.table.state.next_seat == 3


def test_r_291_a_raise_becomes_a_call_and_gives_back_the_rest_of_those_behind_too() -> None:
    table = told(facing(600), {"seat": 2, "chips": [1000, 200]}, {"seat": 3, "action": "call"})

    called = floor(table, 2, "call")

    assert bets(called) == {1: 600, 2: 600, 3: 600}
    assert called.moves == {2: -600, 3: -600}
    assert called.ruling is not None
    assert called.ruling.returned == 600
    assert "600 goes back" in called.ruling.sentence


def test_r_291_an_illegal_size_stands_where_the_floor_says_so_but_a_raise_is_more_than_the_bet() -> None:
    table = told(facing(600), {"seat": 2, "chips": [500, 500]})

    assert bets(floor(table, 2, "raise", to=700)) == {1: 600, 2: 700, 3: 0}
    assert floor(table, 2, "raise", to=600).error is not None
    assert floor(table, 2, "raise", to=9001).error is not None
    assert floor(table, 2, "raise").error is not None
    assert floor(table, 2, "check").error is not None


def test_r_291_a_folded_hand_is_live_again() -> None:
    table = told(facing(600), {"seat": 2, "gesture": "muck"})

    live = floor(table, 2, "live")

    assert live.table.state.next_seat == 2
    assert live.table.state.hand is not None
    assert 2 in live.table.state.hand.in_hand


def test_r_291_those_behind_a_hand_that_is_live_again_wait_for_it() -> None:
    table = told(facing(600), {"seat": 2, "gesture": "muck"}, {"seat": 3, "action": "raise", "to": 1500})

    live = floor(table, 2, "live")
    assert live.table.state.next_seat == 2
    assert [held.act.seat for held in live.table.state.held] == [3]

    called = told(live.table, {"seat": 2, "action": "call"})
    assert called.state.hand is not None
    assert called.state.hand.bets == {1: 600, 2: 600, 3: 1500}
    over = told(live.table, {"seat": 2, "action": "raise", "to": 1200})
    assert (over.state.next_seat, over.state.held) == (3, ())


def test_r_291_a_hand_that_everybody_folded_to_is_played_on() -> None:
    table = told(facing(600), {"seat": 2, "gesture": "muck"}, {"seat": 3, "gesture": "muck"})
    assert table.state.between_hands

    live = floor(table, 3, "live")

    assert live.error is None
    assert live.table.state.next_seat == 3


def test_r_291_a_hand_is_dead_from_now_on() -> None:
    table = told(facing(600), {"seat": 2, "action": "call"}, {"seat": 3, "action": "call"})

    dead = floor(table, 2, "dead")

    assert dead.ruling is not None
    assert dead.ruling.ruling == "fold"
    assert dead.table.state.hand is not None
    assert dead.table.state.hand.in_hand == frozenset({1, 3})
    assert dead.table.state.hand.pot == 2100
    again = floor(dead.table, 2, "live")
    assert again.table.state.hand is not None
    assert again.table.state.hand.in_hand == frozenset({1, 2, 3})


def test_r_291_an_act_counts_as_a_fold_and_its_chips_go_back_or_stay() -> None:
    table = told(facing(600), {"seat": 2, "chips": [100, 100]})

    back, stays = floor(table, 2, "fold"), floor(table, 2, "fold", to=200)

    assert back.table.state.stacks[2] == 9000
    assert stays.table.state.stacks[2] == 8800
    assert floor(table, 2, "fold", to=700).error is not None


def test_r_291_the_betting_is_reopened_to_the_seat_to_act() -> None:
    short = told(
        flop(seats={1: 9000, 2: 9000, 3: 700}), {"seat": 1, "action": "bet", "to": 600}, {"seat": 2, "action": "call"}
    )
    short = told(short, {"seat": 3, "action": "all-in"})
    assert "raise" not in short.state.may

    again = floor(short, 1, "reopened")

    assert "raise" in again.table.state.may
    assert again.table.state.raise_range == (1300, 9000)
    assert floor(short, 2, "reopened").error is not None
    raised = told(again.table, {"seat": 1, "action": "raise", "to": 1300})
    assert raised.state.next_seat == 2


def test_r_291_a_raise_that_was_not_open_stands_where_the_floor_says_so() -> None:
    short = told(
        flop(seats={1: 9000, 2: 9000, 3: 700}), {"seat": 1, "action": "bet", "to": 600}, {"seat": 2, "action": "call"}
    )
    short = told(short, {"seat": 3, "action": "all-in"}, {"seat": 1, "chips": [1000, 500]})
    assert short.state.hand is not None
    assert short.state.hand.bet(1) == 700

    assert bets(floor(short, 1, "raise", to=2100)) == {1: 2100, 2: 600, 3: 700}


def test_r_291_what_waits_for_the_floor_may_be_ruled_beside_the_offers() -> None:
    table = told(facing(600, house={"tiny_chip": "floor"}), {"seat": 2, "chips": [25]})
    assert table.state.floor is not None
    assert set(table.state.floor.verdict.offers) == {"call", "fold"}

    raised = floor(table, 2, "raise", to=1200)

    assert raised.table.state.floor is None
    assert bets(raised) == {1: 600, 2: 1200, 3: 0}


def test_r_291_a_decision_of_the_floor_can_be_overridden_too() -> None:
    table = told(facing(600, house={"tiny_chip": "floor"}), {"seat": 2, "chips": [25]}, {"floor": {"ruling": "fold"}})

    assert bets(floor(table, 2, "call")) == {1: 600, 2: 600, 3: 0}


def test_r_291_an_act_out_of_turn_binds_or_does_not_as_the_floor_says() -> None:
    held = told(facing(600), {"seat": 3, "says": "call"})

    free = floor(held, 3, "withdraw")
    assert free.table.state.held == ()

    bound = told(floor(held, 3, "call").table, {"seat": 2, "action": "raise", "to": 1800})
    assert bound.state.hand is not None
    assert bound.state.hand.bets == {1: 600, 2: 1800, 3: 1800}


def test_r_291_an_act_of_an_earlier_street_is_ruled_on_where_the_hand_can_still_be_told() -> None:
    table = told(facing(600), {"seat": 2, "action": "fold"}, {"seat": 3, "action": "call"}, {"deal": "turn"})

    assert bets(floor(table, 2, "call", street="flop")) == {1: 0, 2: 0, 3: 0}
    assert floor(table, 2, "call", street="flop").moves == {2: 600}
    refused = floor(table, 2, "live", street="flop")
    assert refused.error is not None
    assert refused.error.code == "action-pending"
    assert "undo" in refused.error.sentence


def test_tda_62_chips_found_behind_an_all_in_become_part_of_it_where_the_floor_says_so() -> None:
    table = told(flop(seats={1: 700, 2: 9000, 3: 9000}), {"seat": 1, "action": "all-in"}, {"seat": 2, "action": "call"})
    found = told(table, {"counts": {"seat": 1, "stack": 100}})
    assert found.state.hand is not None
    assert (found.state.hand.pot, found.state.hand.stack(1)) == (1700, 100)

    part = floor(found, 1, "raise", to=800)

    assert bets(part) == {1: 800, 2: 800, 3: 0}
    assert part.table.state.stacks[1] == 0
    assert part.moves == {1: 100, 2: 100}
    assert told(part.table, {"undo": 1}) == found
    assert floor(found, 1, "raise", to=801).error is not None


@pytest.mark.parametrize("ruling", ["call", "dead", "live", "reopened", "withdraw"])
def test_a_refused_override_changes_nothing(ruling: str) -> None:
    table = flop()

    refused = floor(table, 5, ruling)

    assert refused.error is not None
    assert refused.table is table


def test_undo_takes_an_override_back_whole() -> None:
    table = told(facing(600), {"seat": 2, "chips": [1500]})

    assert told(floor(table, 2, "raise", to=1500).table, {"undo": 1}) == table
