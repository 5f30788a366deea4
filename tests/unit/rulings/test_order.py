"""Whose turn it is: acts out of turn, skipped players, what waits for the floor."""

from __future__ import annotations

from typing import Any

from tests.unit.rulings.tables import amounts, ask, facing, flop, preflop, ruled, told

FOUR: dict[str, Any] = {"seats": {1: 9000, 2: 9000, 3: 9000, 4: 9000}, "button": 4, "pot": 400}


def test_tda_53_an_act_out_of_turn_is_held_aside_and_its_chips_are_in_no_bet() -> None:
    outcome = ask(facing(300), seat=3, chips=[100, 100, 100])
    state = outcome.table.state

    assert outcome.alerts == ("out-of-turn",)
    assert [held.act.seat for held in state.held] == [3]
    assert state.next_seat == 2
    assert (state.stacks[3], state.hand.pot if state.hand else 0) == (9000, 600)


def test_tda_53_chips_of_a_seat_that_has_acted_and_was_not_raised_go_back_at_once() -> None:
    outcome = ask(facing(300), seat=1, chips=[500, 100])
    ruling = outcome.ruling

    assert ruling is not None
    assert (ruling.ruling, ruling.to, ruling.returned, outcome.alerts) == ("none", 300, 600, ("out-of-turn",))
    assert outcome.table.state.held == ()
    assert outcome.table.state.next_seat == 2


def test_tda_53_chips_of_a_seat_that_was_raised_since_it_acted_are_held() -> None:
    raised = told(facing(300), {"seat": 2, "action": "raise", "to": 600})

    assert [held.act.seat for held in ask(raised, seat=1, chips=[500]).table.state.held] == [1]


def test_tda_53_a_check_call_or_fold_before_it_makes_it_bind() -> None:
    table = told(facing(300), {"seat": 3, "chips": [100, 100, 100]})

    for passive in ("call", "fold"):
        outcome = ask(table, seat=2, action=passive)
        assert [(settled.seat, settled.binding) for settled in outcome.settled] == [(3, True)]
        assert outcome.table.state.stacks[3] == 8700
        assert outcome.table.state.held == ()


def test_tda_53_a_raise_before_it_hands_it_back_with_all_options() -> None:
    table = told(facing(300), {"seat": 3, "chips": [1000]})
    outcome = ask(table, seat=2, action="raise", to=600)

    assert [(settled.seat, settled.binding) for settled in outcome.settled] == [(3, False)]
    assert outcome.table.state.stacks[3] == 9000
    assert {str(kind) for kind in outcome.table.state.may} == {"call", "raise", "fold"}


def test_tda_53_several_acts_out_of_turn_are_settled_one_after_the_other() -> None:
    table = told(flop(**FOUR), {"seat": 2, "gesture": "tap"}, {"seat": 3, "gesture": "tap"})
    outcome = ask(table, seat=1, action="check")

    assert [(settled.seat, settled.binding) for settled in outcome.settled] == [(2, True), (3, True)]
    assert outcome.table.state.next_seat == 4


def test_r_221_a_fold_out_of_turn_counts_at_once() -> None:
    outcome = ask(facing(300), seat=3, gesture="muck")

    assert outcome.ruling is not None
    assert (str(outcome.ruling.ruling), outcome.alerts) == ("fold", ("out-of-turn",))
    assert outcome.table.state.next_seat == 2


def test_r_223_heads_up_a_passive_act_out_of_turn_may_leave_only_call_or_fold() -> None:
    for option, may in (("tda", {"call", "raise", "fold"}), ("wsop-heads-up", {"call", "fold"})):
        table = flop(house={"out_of_turn": option}, seats={1: 9000, 2: 9000}, button=2)
        table = told(table, {"seat": 2, "gesture": "tap"}, {"seat": 1, "action": "bet", "to": 300})
        assert {str(kind) for kind in table.state.may} == may
        three = told(flop(house={"out_of_turn": option}), {"seat": 1, "action": "fold"})
        three = told(three, {"seat": 3, "gesture": "tap"}, {"seat": 2, "action": "bet", "to": 300})
        assert {str(kind) for kind in three.state.may} == {"call", "raise", "fold"}


def test_tda_53_b_substantial_action_past_a_skipped_player_is_the_floors() -> None:
    table = told(facing(300, **FOUR), {"seat": 3, "chips": [100, 100, 100]})
    outcome = ask(table, seat=4, chips=[100, 100, 100])

    assert outcome.ruling is not None
    assert outcome.ruling.offers == ("live", "passive", "dead")
    assert "skipped-player" in outcome.alerts
    dead = told(outcome.table, {"floor": {"ruling": "dead"}})
    assert dead.state.hand is not None
    assert dead.state.hand.round_over
    assert dead.state.stacks == {1: 8700, 2: 9000, 3: 8700, 4: 8700}
    passive = told(outcome.table, {"floor": {"ruling": "passive"}})
    assert {str(kind) for kind in passive.state.may} == {"call", "fold"}
    live = told(outcome.table, {"floor": {"ruling": "live"}})
    assert {str(kind) for kind in live.state.may} == {"call", "raise", "fold"}


def test_r_224_acts_out_of_turn_count_towards_substantial_action() -> None:
    table = told(flop(**FOUR), {"seat": 1, "action": "check"}, {"seat": 3, "gesture": "tap"})

    assert not table.state.substantial
    assert told(table, {"seat": 2, "action": "bet", "to": 100}).state.substantial
    assert told(
        flop(**FOUR, profile="cash"), {"seat": 1, "action": "check"}, {"seat": 2, "action": "check"}
    ).state.substantial


def test_tda_59_b_a_call_before_the_amount_is_known_is_the_floors() -> None:
    table = told(flop(), {"seat": 1, "says": "bet"})
    outcome = ask(table, seat=2, says="call")

    assert outcome.ruling is not None
    assert (str(outcome.ruling.ruling), outcome.ruling.offers) == ("floor", ("call", "withdraw"))
    held = told(outcome.table, {"floor": {"ruling": "call"}}, {"seat": 1, "chips": [500, 500]})
    assert held.state.stacks[2] == 8000
    free = told(outcome.table, {"floor": {"ruling": "withdraw"}}, {"seat": 1, "chips": [500, 500]})
    assert (free.state.next_seat, free.state.stacks[2]) == (2, 9000)


def test_r_048_while_the_floor_decides_acts_of_other_seats_are_held_without_alert() -> None:
    table = told(facing(800, **FOUR), {"seat": 2, "action": "raise", "to": 1600})
    table = told(table, {"seat": 3, "chips": [500]})
    outcome = ask(table, seat=4, says="call")

    assert outcome.alerts == ()
    assert ask(table, seat=4, action="call").error is not None
    after = ask(outcome.table, floor={"ruling": "call"})
    assert [(settled.seat, settled.binding) for settled in after.settled] == [(4, True)]
    assert after.table.state.stacks[4] == 7400


def test_r_221_a_fold_held_for_the_floor_binds_whatever_the_floor_decides() -> None:
    table = told(facing(300, **FOUR), {"seat": 2, "splashes": [500, 500]}, {"seat": 3, "gesture": "muck"})
    outcome = ask(table, floor={"ruling": "raise", "to": 1000})

    assert [(settled.seat, settled.binding) for settled in outcome.settled] == [(3, True)]
    assert outcome.table.state.next_seat == 4


def test_tda_16_a_hand_that_is_all_in_or_called_may_not_be_mucked() -> None:
    table = told(flop(seats={1: 500, 2: 9000, 3: 9000}), {"seat": 1, "action": "all-in"})

    for seat in (2, 3):
        outcome = ask(table, seat=1, gesture="muck")
        assert outcome.error is not None
        assert outcome.alerts == ("must-table",)
        table = told(table, {"seat": seat, "action": "call" if seat == 2 else "fold"})
    assert ask(table, seat=2, gesture="muck").alerts == ("must-table",)


def test_tda_53_a_live_skipped_hand_that_raises_over_a_binding_call_leaves_it_to_the_floor() -> None:
    table = told(
        facing(300, button=4, seats=dict.fromkeys(range(1, 5), 9000)), {"seat": 3, "says": "call"},
        {"seat": 4, "says": "call"}, {"floor": {"ruling": "live"}},
    )  # fmt: skip
    called = told(table, {"seat": 2, "action": "call"})
    assert called.state.hand.round_over
    raised = told(table, {"seat": 2, "action": "raise", "to": 900})
    assert raised.state.next_seat == 3
    assert raised.state.floor.verdict.offers == ("call", "withdraw")
    paid = told(raised, {"floor": {"ruling": "call"}}, {"floor": {"ruling": "withdraw"}})
    assert (paid.state.hand.bet(3), paid.state.hand.bet(4), paid.state.next_seat) == (900, 0, 4)


def test_a_keyed_action_out_of_turn_is_refused() -> None:
    outcome = ask(facing(300), seat=3, action="call")

    assert outcome.error is not None
    assert outcome.error.code == "not-your-turn"


def test_seats_without_a_live_hand_cannot_act() -> None:
    table = told(preflop(), {"seat": 3, "action": "fold"})

    assert ask(table, seat=3, chips=[100]).error is not None
    assert ask(table, seat=7, chips=[100]).error is not None


def test_a_second_act_of_a_held_seat_is_refused_but_its_fold_counts() -> None:
    table = told(facing(300), {"seat": 3, "chips": [1000]})

    assert ask(table, seat=3, chips=[1000]).error is not None
    assert amounts(ruled(table, seat=3, gesture="muck"))[0] == "fold"
    assert told(table, {"seat": 3, "gesture": "muck"}).state.held == ()


def test_the_floor_may_choose_only_what_is_on_offer() -> None:
    assert ask(facing(300), floor={"ruling": "call"}).error is not None
    refusal = ask(told(facing(2000), {"seat": 2, "chips": [100]}), floor={"ruling": "dead"}).error
    assert refusal is not None
    assert refusal.code == "not-open"


def test_tda_53_a_held_act_says_what_it_knew_of() -> None:
    held = ruled(facing(600), seat=3, says="call")

    assert held.rule == "act_out_of_turn"
    assert [(step.rule, dict(step.amounts)) for step in held.reckoning] == [
        ("TDA-53", {"seat to act": 2, "bets and raises so far": 1}),
        ("TDA-36", {"acts out of turn": 1, "of them with chips": 1}),
    ]
    assert held.reckoning[1].outcome == "no substantial action yet"


def test_tda_36_the_finding_of_a_skipped_player_counts_what_went_past() -> None:
    four = {1: 9000, 2: 9000, 3: 9000, 4: 9000}
    table = told(facing(600, seats=four, button=4), {"seat": 3, "says": "call"})

    found = ruled(table, seat=4, says="raise to 1800")

    assert (found.ruling, found.rule) == ("floor", "skipped_hand")
    assert dict(found.reckoning[-1].amounts) == {"acts out of turn": 2, "of them with chips": 2}
    assert found.reckoning[-1].outcome == "substantial action"


def test_r_048_an_act_that_waits_for_the_floor_says_so() -> None:
    table = told(facing(600, house={"tiny_chip": "floor"}), {"seat": 2, "chips": [25]})

    held = ruled(table, seat=3, says="call")

    assert (held.rule, [step.rule for step in held.reckoning]) == ("held_for_the_floor", ["R-048"])
