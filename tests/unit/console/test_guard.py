"""Keys that were on their way when something changed do nothing, and say so."""

import pytest

from betline.messages.table import Question, Ruling
from table_controller.console.guard import READING_S, SWALLOW_S, Guard
from tests.unit.console.table import state


def ruling(seat, source, what="calls 10"):
    return Ruling(
        hand_no=3, act_no=seat, street="preflop", seat=seat, ruling="call", to=10, source=source,
        sentence=f"Seat {seat} {what}: put out the exact call (TDA 45).",
    )  # fmt: skip


def after(source, was=4, now=5):
    """The turn has passed from one seat to the next at second 100."""
    before = Guard().shown(state(to_act=was), 0.0)
    return before.shown(state(to_act=now, rulings=(ruling(was, source),)), 100.0)


@pytest.mark.parametrize("source", ["chips", "inferred"])
@pytest.mark.parametrize("action", ["passive", "call", "fold", "all-in", "raise", "rest-folds", "answer-1"])
def test_a_key_for_the_seat_that_the_sensors_ruled_on_does_not_hit_the_next_one(source, action):
    guard = after(source)
    stopped = guard.stops(action, None, 100.15)
    assert stopped.sentence == "Key dropped: Seat 4 calls 10, ruled just before it. Press again for seat 5."
    assert guard.stops(action, None, 100.0 + READING_S) is None


def test_the_total_that_was_typed_for_one_seat_is_not_bet_by_the_next():
    assert after("chips").stops("raise", 40, 100.15) is not None


@pytest.mark.parametrize("source", ["keyed", "words"])
def test_keys_in_a_row_are_not_held_up(source):
    assert after(source).stops("passive", None, 100.05) is None


def test_a_key_that_names_its_seat_is_not_held_up():
    assert after("chips").stops("jump", 7, 100.05) is None
    assert after("chips").stops("fold", 6, 100.05) is None


def test_the_first_turn_of_a_hand_is_nobody_elses():
    guard = Guard().shown(state(to_act=None), 0.0).shown(state(to_act=4, rulings=(ruling(9, "chips"),)), 100.0)
    assert guard.stops("passive", None, 100.05) is None


def test_an_old_ruling_does_not_make_a_change_of_turn_one_of_the_sensors():
    old = (ruling(4, "chips"),)
    guard = Guard().shown(state(to_act=4, rulings=old), 0.0).shown(state(to_act=5, rulings=old), 100.0)
    assert guard.stops("passive", None, 100.05) is None


def test_a_question_that_has_just_come_up_is_read_before_it_is_answered():
    question = Question(id="q", seat=4, kind="count", sentence="Count seat 4.", choices=("130", "100"))
    guard = Guard().shown(state(), 0.0).shown(state(questions=(question,)), 100.0)
    assert guard.stops("answer-1", None, 100.1).sentence.startswith("A question has just come up")
    assert guard.stops("answer-1", None, 100.5) is None


def test_a_key_soon_after_a_digit_that_was_swallowed_lacks_its_number_and_a_later_one_does_not():
    guard = Guard().after_refusal(100.0).after_lost_digit(101.0)
    assert guard.lost_number(101.0 + SWALLOW_S / 2)
    assert not guard.lost_number(101.0 + SWALLOW_S)
    assert not guard.after_key().lost_number(101.1)


def test_digits_and_enter_after_a_refusal_belong_to_the_key_that_was_refused():
    guard = Guard().after_refusal(100.0)
    assert guard.swallows(100.0 + SWALLOW_S / 2)
    assert not guard.swallows(100.0 + SWALLOW_S)
    assert not guard.after_key().swallows(100.1)


def test_enter_soon_after_a_number_and_its_key_ends_that_number_once():
    guard = Guard().after_number(100.0)
    assert guard.ends_number(100.0 + SWALLOW_S / 2)
    assert not guard.ends_number(100.0 + SWALLOW_S)
    assert not guard.after_key().ends_number(100.1)
