"""What virtual players do with their chips is what the rules take it for."""

import random

import pytest

from betline.messages.common import Reply
from betline.messages.table import Alert
from betline.steps import (
    Act,
    Award,
    CardsOut,
    ChopBlinds,
    Deal,
    Game,
    Leave,
    NextHand,
    Passive,
    Rebuy,
    Return,
    Says,
    SitDown,
    SitOut,
    Straddle,
    verb_of,
)
from virtual_table.play.dealer import MAX_DELAY_S, MIN_DELAY_S, Dealer, delay_s, keys_of
from virtual_table.play.players import NoSuchChips, is_clear_raise, plan
from virtual_table.play.report import Report, Waited, quantiles
from virtual_table.scripts.script import PlayerAct
from virtual_table.table.bank import value
from virtual_table.table.things import Chip


def chips(*values):
    return tuple(Chip(f"E004{index:012X}", f"c{worth}", worth) for index, worth in enumerate(values))


STACK = chips(*[5] * 10, *[25] * 8, *[100] * 6)


def plans(act, stack=STACK, bet=0, level=0, times=200):
    return [plan(act, stack, bet, level, random.Random(seed)) for seed in range(times)]


def test_folds_are_mucked_and_checks_are_tapped():
    assert {p.gesture for p in plans(PlayerAct(1, "fold", 0), level=10)} == {"muck"}
    assert {p.gesture for p in plans(PlayerAct(1, "check", 0))} == {"tap"}


def test_a_call_is_the_exact_amount_or_one_larger_chip():
    made = plans(PlayerAct(1, "call", 35), level=35)
    assert {value(p.chips) for p in made} == {35, 100}
    assert all(len(p.chips) == 1 for p in made if value(p.chips) != 35)
    assert all(p.chips_suffice for p in made)


def test_a_raise_that_chips_alone_would_not_show_is_declared_first():
    """R-054, R-056: one chip, or chips of which the smallest is not needed for the call, are a call."""
    assert all(p.says == "raise to 100" for p in plans(PlayerAct(1, "raise", 100), level=40))
    assert any(p.chips_suffice for p in plans(PlayerAct(1, "raise", 90), level=40))


@pytest.mark.parametrize(
    ("values", "level", "clear"),
    [((100,), 40, False), ((100, 100), 150, False), ((100, 100), 100, True), ((25, 25, 25, 5), 75, True)],
)
def test_a_clear_raise_covers_the_bet_without_its_smallest_chip(values, level, clear):
    assert is_clear_raise(chips(*values), level) is clear


def test_all_in_pushes_every_chip():
    stack = chips(100, 25, 5)
    for made in plans(PlayerAct(1, "raise", 130, all_in=True), stack=stack, level=40):
        assert set(made.chips) == set(stack)


def test_a_stack_without_the_chips_needs_change():
    with pytest.raises(NoSuchChips):
        plan(PlayerAct(1, "bet", 30), chips(100, 100), 0, 0, random.Random(1))


def test_the_dealers_keys_come_a_third_of_a_second_to_two_and_a_half_seconds_late():
    chance = random.Random(1)
    delays = [delay_s(chance) for _ in range(5000)]
    assert MIN_DELAY_S <= min(delays) < 0.35
    assert max(delays) <= MAX_DELAY_S
    assert sorted(delays)[2500] < 1.0


@pytest.mark.parametrize(
    ("command", "keys"),
    [
        (Passive(seat=3), 1),
        (Act(seat=3, action="fold"), 1),
        (Act(seat=10, gesture="muck"), 3),
        (Act(seat=3, action="all-in"), 2),
        (Act(seat=3, action="raise", to=600), 4),
        (Says(seat=3, text="raise to 600"), 14),
        (Says(seat=3, text="all in"), 8),
        (Award(pots=(((2,),),)), 3),
        (Award(pots=(((2, 10),), ((3,),))), 6),
        (Deal(street="flop"), 1),
        (NextHand(), 1),
        (NextHand(button=10), 3),
        (SitDown(seat=10, stack=400, player="Ann"), 12),
        (Rebuy(seat=3, amount=1000), 8),
        (Leave(seat=3), 4),
        (SitOut(seat=3), 3),
        (Return(seat=3), 3),
        (Straddle(seat=3, to=20), 2),
        (ChopBlinds(), 3),
        (Game(name="Limit hold'em"), 16),
    ],
)
def test_commands_are_counted_in_keys(command, keys):
    assert keys_of(command) == keys


def test_quantiles_are_by_nearest_rank():
    assert quantiles([]) == {"p50": None, "p95": None, "p99": None}
    assert quantiles([5.0]) == {"p50": 5.0, "p95": 5.0, "p99": 5.0}
    assert quantiles([float(n) for n in range(1, 101)]) == {"p50": 50.0, "p95": 95.0, "p99": 99.0}


def test_the_report_has_the_keys_of_the_contract():
    report = Report(hands=1, finishing_stacks={2: 5, 1: 9}, keys_by_hand=[4, 7])
    assert list(report.as_json()) == [
        "hands", "acts", "wrong", "asked", "alerts", "dealer_keys", "corrected",
        "seated", "left", "away", "back", "rebuys", "posts", "straddles", "chops", "games",
        "finishing_stacks", "latency_ms",
    ]  # fmt: skip
    assert report.as_json()["dealer_keys"] == 11
    assert report.as_json()["finishing_stacks"] == {"1": 9, "2": 5}
    report.player_order = (2, 1)
    assert report.as_json()["finishing_stacks"] == [5, 9]
    assert report.good
    report.wrong = 1
    assert not report.good


def test_the_report_names_each_kind_of_alert_with_its_sentence():
    report = Report(hands=1)
    report.heard([
        Alert(severity="warning", code="unknown-chip", seat=3, sentence="Seat 3 has a chip that nobody knows."),
        Alert(severity="warning", code="string-bet", seat=4, sentence="Seat 4 made a string bet."),
        Alert(severity="warning", code="unknown-chip", seat=5, sentence="Seat 5 has a chip that nobody knows."),
        Alert(severity="info", code="bridge-down", sentence="The bridge is back.", active=False),
    ])  # fmt: skip

    assert report.as_json()["alerts"] == 3
    assert report.as_text().splitlines()[1:4] == [
        "questions: 0, alerts: 3",
        "alert unknown-chip (2 times): Seat 3 has a chip that nobody knows.",
        "alert string-bet: Seat 4 made a string bet.",
    ]
    assert report.good


def test_the_time_of_a_big_pile_is_told_apart_from_that_of_a_few_chips():
    """An all-in of fifty chips takes some three seconds to read, whatever the machine does."""
    waited = [Waited(10, 50, 3300.0, 3000.0), Waited(3, 4, 400.0, 90.0)]
    report = Report(hands=1, waited=waited, rest_to_announcement_ms=[one.rest_ms for one in waited])
    assert report.as_json()["latency_ms"]["few_chips_at_rest_to_announcement"]["p95"] == 400.0
    assert "of these acts of 1 to 8 chips: p50 400 ms" in report.as_text()
    assert "of these acts of 1 to 8 chips: none was timed" in Report(hands=1, waited=waited[:1]).as_text()
    assert "counting" not in report.as_text()


def test_when_a_big_pile_was_announced_as_counting_stands_beside_when_its_amount_was():
    pile = Waited(10, 50, 3300.0, 3000.0, counting_ms=850.0)
    text = Report(hands=1, waited=[pile, Waited(3, 4, 400.0, 90.0)]).as_text()
    assert 'of larger piles, to what is certain ("counting"): p50 850 ms' in text


class Refuses:
    """A controller that takes nothing."""

    def command(self, command):
        return Reply(
            command_id="1",
            verb=verb_of(type(command)),
            ok=False,
            code="not-open",
            sentence="The cards are out already.",
        )


def test_a_key_that_comes_after_what_a_sensor_saw_is_no_fault():
    report = Report()
    dealer = Dealer(Refuses(), report, random.Random(1), None, {})
    assert not dealer.key(CardsOut(), done_already="not-open")
    assert report.faults == []
    assert not dealer.key(Deal())
    assert len(report.faults) == 1
    assert dealer.keys.total() == 2


class Overtaken(Refuses):
    """A controller whose ruling came just before the key."""

    def wait(self, condition, timeout_s):
        return condition()


@pytest.mark.parametrize(("ruled", "faults"), [(True, 0), (False, 1)])
def test_a_key_that_a_ruling_overtook_is_no_fault(ruled, faults):
    report = Report()
    dealer = Dealer(Overtaken(), report, random.Random(1), None, {})
    assert not dealer.key(Act(seat=3, action="call"), unless=lambda: ruled)
    assert len(report.faults) == faults
