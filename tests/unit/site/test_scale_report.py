"""What is worked out from a measured site: a table more, what many tables need, what a machine was too small for."""

from dataclasses import replace

import pytest

from virtual_table.site.needs import DAYS_KEPT, HANDS_AN_HOUR, HOURS_A_DAY, Line, Play, fitted, needs
from virtual_table.site.scale_report import LATE_MS, PROGRAMS, Step, report, too_small

PLAY = Play(hands_an_hour=180.0, entries_a_hand=70.0, bytes_an_entry=1000.0)


def step(tables, **changes):
    """A step of a site whose programs take 50 MB each and 1 MB a table more, and 1 % of a core a table."""
    one = Step(
        tables=tables,
        pits=-(-tables // 20),
        messages_a_second=9.0 * tables,
        crossing_a_second=8.0 * tables,
        entries_a_second=3.0 * tables,
        site_broker={"bytes_in": 10_000.0 * tables, "bytes_out": 15_000.0 * tables},
        cores=dict.fromkeys(PROGRAMS, 0.01 * tables),
        waited=dict.fromkeys(PROGRAMS, 0.001),
        mb={**dict.fromkeys(PROGRAMS, 50.0 + tables), "light_tables": 2.0 * tables},
        to_row_ms={"p50": 60.0, "p95": 180.0, "p99": 250.0},
        entries_timed=100,
        without_row=0,
        late_ms=5.0,
        load=2.0,
    )
    return replace(one, **changes)


def test_a_line_through_points_on_a_line_is_that_line():
    found = fitted({1: 12.0, 10: 30.0, 50: 110.0})
    assert (found.base, found.a_table) == (pytest.approx(10.0), pytest.approx(2.0))
    assert fitted({5: 10.0}) == Line(0.0, 2.0)
    assert Line(-5.0, 1.0).at(2) == 0.0


def test_a_thousand_tables_at_ten_sites_need_ten_times_what_a_hundred_do():
    found = report([step(1), step(50), step(200)], "", PLAY, 20).json["needs"]
    site, every = found["a_site"], found["all_sites"]
    assert (site["tables"], site["brokers"], every["brokers"], found["extrapolated"]) == (100, 6, 60, False)
    assert site["cores"]["all"] == pytest.approx(5 * 0.01 * 100)
    assert site["mb"]["all"] == 5 * 150
    assert every["cores"] == pytest.approx(50.0)
    assert every["memory_gb"] == 7.5
    assert site["network_mbit_a_second"] == pytest.approx(100 * 25_000 * 8 / 1e6)
    day = 100 * HANDS_AN_HOUR * HOURS_A_DAY * 70
    assert site["entries_a_day"] == day
    assert site["disk_gb_a_day"] == pytest.approx(day * 1000 / 1e9, abs=0.01)
    assert every["disk_gb_kept"] == pytest.approx(10 * day * 1000 / 1e9 * DAYS_KEPT, abs=1)


def test_what_lies_beyond_the_tables_that_were_measured_is_said_to_be_extrapolated():
    found = report([step(1), step(50)], "", PLAY, 20)
    assert found.json["needs"]["extrapolated"]
    assert any("(extrapolated)" in figure.what for figure in found.figures)
    traffic = {50: 1.0}
    assert not needs({}, {}, traffic, traffic, PLAY, 20, tables=500, sites=10)["extrapolated"]


def test_a_step_that_the_machine_had_no_time_for_is_said_and_not_hidden():
    starved = {**dict.fromkeys(PROGRAMS, 0.0), "recorder": 0.6}
    found = report([step(1), step(50, late_ms=2 * LATE_MS), step(51, waited=starved)], "", PLAY, 20)
    assert found.json["had_cores"] == {"1": True, "50": False, "51": False}
    assert any("At 50 tables this machine was too small" in sentence for sentence in found.measured)
    assert any("At 51 tables" in one and "had none for 60% of the time" in one for one in found.measured)


def test_entries_without_a_row_miss_the_target_and_are_counted():
    found = report([step(1), step(10, without_row=3)], "", PLAY, 20)
    assert found.json["lost"] == 3
    [rows] = [figure for figure in found.figures if figure.what.startswith("10 tables: entry to row")]
    assert rows.met is False


def test_a_step_that_memory_has_no_room_for_is_not_tried_and_the_report_says_why():
    before = [step(1), step(10), step(50)]
    assert too_small(before, 200, 100_000.0) == ""
    why = too_small(before, 200, 1_500.0)
    assert why.startswith("200 tables were not tried: they need 1050 MB more")
    assert too_small(before[:1], 200, 0.0) == ""  # one step tells nothing of a table more
    assert report(before, why, PLAY, 20).json["not_measured"] == why
    assert report(before, why, PLAY, 20).measured[-1] == why


def test_what_a_table_needs_is_taken_from_the_steps_that_had_cores_enough():
    starved = {**dict.fromkeys(PROGRAMS, 0.0), "recorder": 0.6}
    held_up = step(200, waited=starved, cores=dict.fromkeys(PROGRAMS, 0.1))
    found = report([step(1), step(50), held_up], "", PLAY, 20).json
    assert found["a_table_more"]["cores"]["recorder"] == pytest.approx(0.01)
    assert found["core_share_by_tables"]["recorder"]["200"] == 0.1
    assert (found["needs"]["measured_at"]["tables"], found["needs"]["extrapolated"]) == ([1, 50], True)
