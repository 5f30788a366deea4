"""What is known of a table: messages that are late, doubled, kept by the broker, of another life, or not understood."""

import pytest

from betline.messages.common import Birth, Presence
from betline.messages.people import StaffMember, StaffState
from cardroom.floor.floor import MOST, Floor
from cardroom.floor.table import FORMER, SILENT_S, WILL, FloorTable
from tests.unit.floor.said import ALIVE, ONE, TWO, envelope, ruling, state


def heard(table, body, at_s=0.0, *, life=ONE, seq=1, retained=False):
    return table.heard(envelope(life, seq), body, at_s, retained=retained)


NEW = FloorTable("table-1", 0.0)
ONLINE, OFFLINE = Presence(state="online"), Presence(state="offline")


def test_a_state_that_comes_late_or_twice_changes_nothing():
    table = heard(heard(NEW, state(5)), state(7))
    assert heard(heard(table, state(6, hand_no=99)), state(7, hand_no=99)).state == state(7)


def test_a_controller_that_was_started_anew_counts_from_the_beginning():
    table = heard(heard(NEW, state(500)), state(1, hand_no=4), life=TWO)
    assert table.state == state(1, hand_no=4)


def test_what_still_comes_of_an_earlier_life_counts_no_more():
    table = heard(heard(heard(NEW, state(5)), ONLINE, life=TWO), state(1), life=TWO)
    late = heard(heard(table, state(900, hand_no=77)), OFFLINE, life=ONE, seq=WILL)
    assert late == table


def test_the_will_of_an_earlier_life_that_was_never_heard_takes_nobody_away():
    table = heard(heard(NEW, ONLINE, life=TWO), state(1), life=TWO)
    assert heard(table, OFFLINE, 9.0, life=ONE, seq=WILL).presence == "online"


def test_earlier_lives_are_forgotten_in_the_end():
    table = NEW
    for number in range(50):
        table = heard(table, ONLINE, life=f"life-{number}")
    assert len(table.former) == FORMER


def test_only_what_comes_from_the_table_itself_makes_it_fresh():
    kept = heard(heard(NEW, ONLINE, retained=True), state(5), retained=True)
    assert kept.trouble(1.0) == "unheard"
    assert kept.trouble(SILENT_S) == "silent"
    assert heard(kept, ALIVE, 1.0).trouble(1.0) == ""


def test_a_last_will_is_said_by_the_broker_and_is_no_sign_of_life():
    table = heard(heard(heard(NEW, ONLINE), state(1)), OFFLINE, 30.0, seq=WILL)
    assert table.trouble(30.0) == "offline"
    assert table.heard_s == 0.0


def test_a_table_whose_link_is_cut_is_silent_after_three_signs_of_life_that_did_not_come():
    table = heard(heard(NEW, ONLINE), state(1))
    assert table.trouble(SILENT_S - 0.1) == ""
    assert table.trouble(SILENT_S) == "silent"
    assert heard(table, ALIVE, 50.0).trouble(50.0) == ""


@pytest.mark.parametrize("how", ["starting", "stale"])
def test_a_controller_that_serves_nothing_is_not_fresh(how):
    assert heard(heard(NEW, state(1)), Presence(state=how)).trouble(0.0) == how


def test_what_is_not_understood_leaves_what_was_known_and_is_said_until_a_state_is_read():
    table = heard(NEW, state(5)).not_read("rake: Extra inputs are not permitted", 1.0)
    assert (table.trouble(1.0), table.state) == ("unread", state(5))
    assert heard(table, ALIVE, 2.0).trouble(2.0) == "unread"
    assert heard(table, state(6), 3.0).trouble(3.0) == ""


def test_others_than_the_controller_are_not_believed():
    assert NEW.heard(envelope(sender="bridge"), state(5), 1.0, retained=False) is NEW


def test_a_ruling_waits_since_it_was_first_heard_of():
    table = heard(NEW, state(1, questions=(ruling("f1"),)), 10.0)
    table = heard(table, state(2, questions=(ruling("f1"),)), 40.0)
    assert (table.waiting, table.waits_s) == (ruling("f1"), 10.0)
    assert heard(table, state(3, questions=(ruling("f2"),)), 50.0).waits_s == 50.0
    assert heard(table, state(3), 50.0).waits_s is None


def test_the_dealer_is_who_was_named_else_whose_badge_lies_there():
    staff = StaffState(people=(StaffMember(id="p-1", name="Ann", role="dealer", pin=True),), badge="p-1")
    table = heard(heard(NEW, staff), state(1))
    assert table.dealer == "Ann"
    assert heard(table, state(2, dealer="Bob")).dealer == "Bob"
    assert heard(heard(NEW, StaffState()), state(1)).dealer == ""


def test_its_program_says_its_version():
    birth = Birth(role="controller", version="9.1", table="t", config_hash="x")
    assert heard(NEW, birth).version == "9.1"


def test_a_floor_keeps_so_many_tables_and_counts_the_rest():
    floor = Floor("grand")
    for number in range(MOST + 3):
        floor = floor.heard(f"t-{number}", envelope(), ALIVE, 1.0, retained=False)
    assert (len(floor.tables), floor.beyond) == (MOST, 3)


def test_the_broker_is_lost_since_the_first_time():
    floor = Floor("grand").connected(False, 5.0).connected(False, 9.0)
    assert floor.lost_s == 5.0
    assert floor.connected(True, 10.0).lost_s is None
