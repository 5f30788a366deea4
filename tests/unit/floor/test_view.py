"""Rows in words, and which of them come first."""

from betline.messages.common import Presence
from betline.messages.table import Alert, HoldState, SensorState
from cardroom.floor.floor import Floor
from cardroom.floor.view import in_order, only, row_of, rows_of, sensors_of, spell, summary
from tests.unit.floor.said import ALIVE, envelope, ruling, state

ERROR = Alert(severity="error", code="reader-down", sentence="reader-2 is silent.")
PASSED = Alert(severity="error", code="reader-down", sentence="reader-3 was silent.", active=False)


def floor_of(**states):
    floor = Floor("grand")
    for name, one in states.items():
        floor = floor.heard(name.replace("_", "-"), envelope(), one, 100.0, retained=False)
    return floor


def names(rows):
    return [row.name for row in rows]


def test_what_needs_a_person_comes_first_and_of_rulings_the_one_that_waits_longest():
    floor = floor_of(a_1=state(), a_10=state(), a_2=state(), error=state(alerts=(ERROR,)), late=state())
    floor = floor.heard("late", envelope(), state(2, questions=(ruling(),)), 106.0, retained=False)
    floor = floor.heard("long", envelope(), state(2, questions=(ruling(),)), 100.0, retained=False)
    floor = floor.heard("gone", envelope(), Presence(state="offline"), 100.0, retained=False)
    rows = rows_of(floor, 106.5)
    assert names(rows) == ["long", "late", "gone", "error", "a-1", "a-2", "a-10"]
    assert [row.need for row in rows] == ["ruling", "ruling", "away", "error", "", "", ""]
    assert names(only(rows, "rulings")) == ["long", "late"]
    assert names(only(rows, "away")) == ["gone"]
    assert names(only(rows, "all", "a-1")) == ["a-1", "a-10"]
    assert names(only(rows, "needs")) == ["long", "late", "gone", "error"]


def test_other_orders():
    floor = floor_of(b=state(pot=10), a=state(pot=500), c=state(pot=50))
    assert names(rows_of(floor, 100.0, "name")) == ["a", "b", "c"]
    assert names(rows_of(floor, 100.0, "pot")) == ["a", "c", "b"]


def test_a_fresh_row_says_what_happens():
    row = row_of(floor_of(a=state(hand_no=214, street="flop", pot=2165)).tables["a"], 101.0)
    assert (row.what, row.heard, row.fresh) == ("H214 flop ►4 pot 2,165", "now", True)


def test_a_table_that_is_held_says_so_and_why():
    held = HoldState(why="short", after_hand=0, waits=True, until_ms=0, sentence="Wait: the table is too short.")
    row = row_of(floor_of(a=state(hand_no=214, hold=held)).tables["a"], 101.0)
    assert row.what.startswith("HALTED too short · H214")
    assert "Wait: the table is too short." in row.more
    together = held.model_copy(update={"why": "hand-for-hand"})
    assert row_of(floor_of(a=state(hold=together)).tables["a"], 101.0).what.startswith("WAITS hand for hand")
    playing = held.model_copy(update={"waits": False})
    assert row_of(floor_of(a=state(hold=playing)).tables["a"], 101.0).what.startswith("H3")


def test_a_ruling_says_whose_and_how_long():
    table = floor_of(a=state(questions=(ruling(),))).tables["a"].heard(envelope(), ALIVE, 175.0, retained=False)
    row = row_of(table, 175.0)
    assert row.what.startswith("RULING seat 4 · 75 s · H3")
    assert "Waits for the floor: Floor: seat 4. call · raise to 20" in row.more


def test_a_table_that_is_not_heard_says_so_and_how_old_all_is():
    row = row_of(floor_of(a=state(questions=(ruling(),))).tables["a"], 140.0)
    assert (row.need, row.fresh, row.heard) == ("away", False, "40 s")
    assert row.what == "SILENT · was H3 pre-flop ►4 pot 15"
    assert row.more[0] == "Nothing comes from it: last heard 40 s ago. What stands here was so then."


def test_without_a_broker_nothing_is_fresh():
    floor = floor_of(a=state()).connected(False, 101.0)
    [row] = rows_of(floor, 103.0)
    assert (row.fresh, row.heard) == (False, "3 s")
    assert summary(floor, (row,), 103.0)[1] == "NO BROKER for 2 s: all of this is old"


def test_a_newer_table_says_what_to_do():
    table = floor_of(a=state()).not_read("a", "rake: Extra inputs are not permitted", 100.0).tables["a"]
    row = row_of(table, 100.0)
    assert row.need == "away"
    assert "(rake: Extra inputs are not permitted)" in row.more[0]
    assert "Bring both to one version." in row.more[0]


def test_sensors_are_counted_by_how_they_do():
    states = ("online", "online", "stale", "offline", "unknown")
    sensors = tuple(SensorState(name=f"r-{place}", state=one) for place, one in enumerate(states))
    count = sensors_of(state(sensors=sensors))
    assert (count.well, count.stale, count.away, count.words) == (2, 1, 2, "2● 1◐ 2✖")
    assert sensors_of(state()).words == "none"


def test_sensors_that_are_not_well_are_named_by_how_they_do():
    silent = tuple(SensorState(name=f"r-{place}", state="stale", detail="silent for 2 s") for place in (1, 2))
    row = row_of(floor_of(a=state(sensors=(*silent, SensorState(name="eye", state="unknown")))).tables["a"], 100.0)
    assert row.need == "warning"
    assert row.more[-2:] == ("Stale, silent for 2 s: r-1, r-2.", "Unknown: eye.")


def test_an_alert_that_has_passed_is_none():
    row = row_of(floor_of(a=state(alerts=(PASSED,))).tables["a"], 100.0)
    assert (row.alerts, row.need) == ((), "")


def test_the_head_counts_what_waits():
    floor = floor_of(a=state(questions=(ruling(),)), b=state()).heard(
        "c", envelope(), Presence(state="offline"), 100.0, retained=False
    )
    assert summary(floor, rows_of(floor, 100.0), 100.0) == ("3 tables · 1 ruling waits · 1 not heard", "")


def test_names_are_ordered_as_people_do():
    assert sorted(["t-10", "t-9", "a", "t-1b"], key=in_order) == ["a", "t-1b", "t-9", "t-10"]


def test_times_in_short():
    assert [spell(one) for one in (0.4, 119.9, 120, 7199, 7860)] == ["0 s", "119 s", "2 min", "119 min", "2 h 11"]
