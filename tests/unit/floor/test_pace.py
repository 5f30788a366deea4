"""Hands an hour and the average pot, of states that come as they come."""

from cardroom.floor.pace import HOUR_S, LEAST_S, MOST, NO_PACE
from tests.unit.floor.said import over, state


def played(hands, every_s=120.0, pot=100):
    pace, version = NO_PACE, 0
    for number in range(1, hands + 1):
        version += 2
        pace = pace.after(state(version, number, pot=30), (number - 1) * every_s)
        pace = pace.after(over(version + 1, number, pot), number * every_s - 10)
    return pace


def test_a_table_that_was_just_seen_has_no_pace():
    pace = NO_PACE.after(state(1, 7), 0.0)
    assert (pace.hands_an_hour(LEAST_S - 1), pace.average_pot(LEAST_S - 1)) == (None, None)
    assert pace.hands_an_hour(LEAST_S) == 0


def test_a_hand_every_two_minutes_is_thirty_an_hour():
    assert played(11).hands_an_hour(1200.0) == 30


def test_states_that_were_missed_count_by_the_hands_number():
    pace = NO_PACE.after(state(1, 10), 0.0).after(state(2, 40), HOUR_S / 2)
    assert pace.hands_an_hour(HOUR_S / 2) == 60


def test_a_table_that_stands_gets_slower_and_is_forgotten_after_an_hour():
    pace = played(11)
    assert pace.hands_an_hour(2400.0) == 15
    assert pace.hands_an_hour(3 * HOUR_S) is None
    assert pace.average_pot(3 * HOUR_S) is None


def test_the_pot_is_what_is_paid_out_without_the_bet_that_went_back():
    pace = played(1, pot=100).after(state(9, 2), 200.0)
    assert pace.average_pot(200.0) == 100


def test_a_hand_whose_end_was_missed_counts_with_the_most_that_lay_there():
    pace = NO_PACE.after(state(1, 1, pot=30), 0.0).after(state(2, 1, pot=90), 1.0).after(state(3, 2, pot=15), 2.0)
    assert pace.average_pot(3.0) == 90


def test_a_hand_whose_beginning_is_taken_back_counts_once():
    pace = played(3)
    again = pace.after(state(20, 4), 400.0).after(over(21, 3, 100), 401.0).after(state(22, 4), 402.0)
    assert [number for _, number in again.begun] == [1, 2, 3, 4]
    assert len(again.pots) == 3


def test_another_journal_begins_anew():
    fresh = played(9).after(state(1, 1).model_copy(update={"journal": "other"}), 2000.0)
    assert fresh.hands_an_hour(2000.0 + LEAST_S) == 0
    assert fresh.pots == ()


def test_it_keeps_so_many_hands_and_no_more():
    pace = played(3 * MOST, every_s=12.0)
    assert len(pace.begun) == len(pace.pots) == MOST
    assert pace.hands_an_hour(12.0 * (3 * MOST - 1)) == 300
