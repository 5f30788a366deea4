"""The language of faults: what a plan says, when its events happen, and the sentences that refuse one."""

from __future__ import annotations

import json
import tomllib
from itertools import islice
from pathlib import Path

import pytest

from betline.settings import SettingsError, load_table
from betline.settings.load import parse
from tests.unit.project.pages import blocks
from virtual_table.chaos.case import ChaosCase
from virtual_table.faults.event import KINDS
from virtual_table.faults.plan import READER_EXAMPLE, TABLE_EXAMPLE, TablePlan, load_plan
from virtual_table.laboratory.laboratory import without_camera, without_readers
from virtual_table.readers.behaviour import Behaviour

SIX = load_table("home-six")
PAGE = Path(__file__).parents[3] / "docs" / "faults.md"


def plan_of(text: str) -> TablePlan:
    return parse(TablePlan, tomllib.loads(text), "plan")


def times(plan: TablePlan, count: int, seed: int = 1) -> list[tuple[float, str, tuple[str, ...]]]:
    return [(round(one.at_s, 6), one.event.what, one.on) for one in islice(plan.occurrences(SIX, seed), count)]


def test_plan_that_the_help_of_a_reader_shows_is_read(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(READER_EXAMPLE, encoding="utf-8")
    plan = load_plan(path)
    plan.check_alone()
    behaviour = plan.behaviour("", Behaviour(2))

    assert (behaviour.antennas, behaviour.missed, behaviour.air_factor) == (2, 0.02, 2.0)
    assert (behaviour.faults.damage, behaviour.faults.late_ms) == (0.01, 1500)
    assert [(event.what, event.at_s, event.every_s) for event in plan.events] == [
        ("unplug", 30, 120),
        ("burst", 60, None),
    ]
    assert plan.events[1].chances.silence == 0.3
    assert [one.at_s for one in islice(plan.alone(1, of_cable=True), 3)] == [30, 150, 270]
    assert [one.at_s for one in plan.alone(1, of_cable=False)] == [60]


def test_plan_that_the_page_of_a_table_shows_is_read_and_fits_the_table(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(TABLE_EXAMPLE, encoding="utf-8")
    plan = load_plan(path, SIX)

    assert [plan.behaviour(name, Behaviour(neighbour=0.2)).missed for name in ("reader-3", "reader-4")] == [0.3, 0.05]
    assert plan.behaviour("reader-3", Behaviour(neighbour=0.2)).neighbour == 0.2


def test_plan_in_json_is_the_same(tmp_path: Path) -> None:
    as_toml, as_json = tmp_path / "plan.toml", tmp_path / "plan.json"
    as_toml.write_text(READER_EXAMPLE, encoding="utf-8")
    as_json.write_text(json.dumps(tomllib.loads(READER_EXAMPLE)), encoding="utf-8")

    assert load_plan(as_json) == load_plan(as_toml)


def test_a_plan_is_read_again_as_it_was_written() -> None:
    plan = plan_of(TABLE_EXAMPLE)

    assert TablePlan.model_validate_json(plan.model_dump_json(exclude_unset=True)) == plan


def test_empty_plan_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.touch()

    assert load_plan(path, SIX) == TablePlan()
    assert TablePlan().behaviour("reader-1", Behaviour(8, 0.05)) == Behaviour(8, 0.05)


def test_events_come_in_order_and_again() -> None:
    plan = plan_of("""
        [[events]]
        what = "stuck"
        on = "reader-1"
        at_s = 5
        every_s = 10
        [[events]]
        what = "kill"
        on = "bridge"
        at_s = 7
        """)

    assert times(plan, 4) == [
        (5, "stuck", ("reader-1",)), (7, "kill", ("bridge",)), (15, "stuck", ("reader-1",)),
        (25, "stuck", ("reader-1",)),
    ]  # fmt: skip
    assert times(TablePlan(), 1) == []


def test_random_times_are_of_the_seed_and_any_is_one_of_all() -> None:
    random = plan_of('[[events]]\nwhat = "unplug"\non = "any"\nper_minute = 6')
    seeded = random.model_copy(update={"seed": 4})

    assert times(random, 20, seed=1) == times(random, 20, seed=1) != times(random, 20, seed=2)
    assert times(seeded, 20, seed=1) == times(seeded, 20, seed=2)
    struck = times(random, 400)
    assert {len(on) for _, _, on in struck} == {1}
    assert {on[0] for _, _, on in struck} == {reader.id for reader in SIX.readers}
    assert 400 * 10 * 0.8 < struck[-1][0] < 400 * 10 * 1.2


def test_an_event_without_on_strikes_all_and_that_of_a_reader_reaches_no_other() -> None:
    plan = plan_of('[[events]]\nwhat = "stuck"\nat_s = 1\n[[events]]\nwhat = "reboot"\nreader = "reader-3"\nat_s = 2')

    assert [one.what for one in plan.happenings(SIX, 1, "reader-3", of_cable=False)] == ["stuck", "reboot"]
    assert [one.what for one in plan.happenings(SIX, 1, "reader-4", of_cable=False)] == ["stuck"]
    assert list(plan.happenings(SIX, 1, "reader-3", of_cable=True)) == []


def test_the_part_of_one_reader_of_a_tables_plan_is_a_plan_of_a_reader_alone() -> None:
    plan = plan_of(TABLE_EXAMPLE).of_reader("reader-3")
    plan.check_alone()

    assert plan.behaviour("", Behaviour()).missed == 0.3
    assert [event.what for event in plan.events] == ["unplug"]
    assert plan_of(TABLE_EXAMPLE).of_reader("reader-4").events == ()


@pytest.mark.parametrize(
    ("event", "words"),
    [
        ('what = "stuck"\non = "reader-99"\nat_s = 1',
         "events.0.on: there is no reader reader-99 at the table home-six; did you mean reader-"),
        ('what = "unplug"\non = "reader-99"\nat_s = 1', "There are reader-1, "),
        ('what = "kill"\non = "brigde"\nat_s = 1',
         "did you mean bridge? There are controller, bridge, vision, broker."),
        ('what = "camera-black"\non = "eye"\nat_s = 1', "there is no camera eye"),
    ],
)  # fmt: skip
def test_a_name_that_is_nothing_at_the_table_is_refused_with_the_nearest(
    tmp_path: Path, event: str, words: str
) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(f"[[events]]\n{event}\n")

    with pytest.raises(SettingsError) as caught:
        load_plan(path, SIX)

    assert str(caught.value).startswith(f"{path}: events.0")
    assert words in str(caught.value)


def test_a_reader_that_is_otherwise_must_be_there_too() -> None:
    with pytest.raises(SettingsError, match="readers: there is no reader reader-99"):
        plan_of("[readers.reader-99.reading]\nmissed = 1.0").check(SIX)


def test_what_the_table_has_not_cannot_fail() -> None:
    black = plan_of('[[events]]\nwhat = "camera-black"\nat_s = 1')
    unplugged = plan_of('[[events]]\nwhat = "unplug"\nat_s = 1')
    vision = plan_of('[[events]]\nwhat = "kill"\non = "vision"\nat_s = 1')

    with pytest.raises(SettingsError, match="camera-black strikes a camera; home-six has none"):
        black.check(without_camera(SIX))
    with pytest.raises(SettingsError, match="unplug strikes a reader; home-six has none"):
        unplugged.check(without_readers(SIX))
    with pytest.raises(SettingsError, match="no program vision"):
        vision.check(without_camera(SIX))


def test_what_a_table_has_not_is_left_out_where_a_plan_is_fitted() -> None:
    plan = plan_of(TABLE_EXAMPLE + '[[events]]\nwhat = "camera-black"\nat_s = 1\n')

    assert plan.fitted(SIX) == plan
    alone = plan.fitted(without_readers(SIX))
    assert ([event.what for event in alone.events], alone.readers) == (["kill", "camera-black"], {})
    alone.check(without_readers(SIX))
    assert [event.what for event in plan.fitted(without_camera(SIX)).events] == ["unplug", "kill"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[line]\ndamge = 1", "did you mean damage"),
        ("[line]\ndamage = 2", "line.damage"),
        ("[[events]]\nwhat = 'explode'\nat_s = 1", "events.0.what"),
        ("[[events]]\nwhat = 'unplug'", "by at_s or by per_minute"),
        ("[[events]]\nwhat = 'unplug'\nat_s = 1\nper_minute = 2", "by at_s or by per_minute"),
        ("[[events]]\nwhat = 'unplug'\nper_minute = 2\nevery_s = 2", "every_s goes with at_s"),
        ("[[events]]\nwhat = 'unplug'\nat_s = -1", "events.0.at_s"),
        ("[[events]]\nwhat = 'unplug'\nat_s = 1\nfor_s = 0", "events.0.for_s"),
        ("[[events]]\nwhat = 'unplug'\nat_s = 1\nstep_s = 5.0", "step_s is not of unplug, which takes no amount"),
        ("[[events]]\nwhat = 'burst'\nat_s = 1", "burst needs chances"),
        ("[[events]]\nwhat = 'latency'\nat_s = 1", "latency needs latency_ms"),
        ("[[events]]\nwhat = 'clock-step'\nat_s = 1\nstep_s = 0.0", "must not be 0"),
        ("[[events]]\nwhat = 'kill'\nat_s = 1", "kill needs on: controller, bridge, vision, broker, all or any"),
        ("[line", "not valid TOML"),
    ],
)
def test_what_is_wrong_in_a_plan_is_one_sentence(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(SettingsError, match=words) as caught:
        load_plan(path)

    assert "\n" not in str(caught.value)


def test_a_plan_that_is_no_json_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text("{")

    with pytest.raises(SettingsError, match="not valid JSON"):
        load_plan(tmp_path / "plan.json")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[readers.reader-3.reading]\nmissed = 1.0", "a reader alone has no name"),
        ('[[events]]\nwhat = "unplug"\non = "reader-3"\nat_s = 1', "or give --reader"),
        ('[[events]]\nwhat = "kill"\non = "bridge"\nat_s = 1', "kill strikes a program: give it to betline demo"),
    ],
)
def test_a_reader_alone_takes_no_plan_of_a_table(text: str, words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        plan_of(text).check_alone()


def test_the_plan_and_the_case_on_the_page_can_be_played() -> None:
    plan, case = blocks(PAGE.read_text(encoding="utf-8"), "toml")

    plan_of(plan).check(SIX)
    parse(ChaosCase, tomllib.loads(case), "case").settings()


def test_every_kind_is_told_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")

    assert [kind for kind in KINDS if f"| `{kind}` |" not in page] == []
