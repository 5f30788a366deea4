"""The case runner: its lines, its JSON, its exit status."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from xml.etree import ElementTree

import pytest

from betline import front_door
from betline.cases import Case, CaseError, Result, parse_cases
from table_controller.rulings import Table
from table_controller.tools.cases import run_case
from tests.cases.all_cases import FOLDER
from virtual_table.cases.running import Telling, Way, on_the_rules, run_cases

STORY = """\
- id: {id}
  game: {{limit: no-limit, blinds: [1, 2]}}
  house: {{{house}}}
  button: 3
  seats: {{1: 200, 2: 200, 3: 200}}
  play:
    - {step}
    - expect: {expect}
"""


def story(
    id: str = "a", house: str = "profile: cash", step: str = "{seat: 3, action: call}", expect: str = "{next: 1}"
) -> str:
    return STORY.format(id=id, house=house, step=step, expect=expect)


def run(tmp_path: Path, text: str, *, as_json: bool = False) -> tuple[int, str, str]:
    (tmp_path / "cases.yaml").write_text(text)
    out, err = io.StringIO(), io.StringIO()
    status = run_cases([tmp_path], on_the_rules, Telling(json=as_json), out, err)
    return status, out.getvalue(), err.getvalue()


def test_a_passing_case_is_one_line_and_status_0(tmp_path: Path) -> None:
    assert run(tmp_path, story()) == (0, "PASS a\n1 passed, 0 failed\n", "")


def test_a_failing_case_names_step_key_and_values_and_the_others_run_on(tmp_path: Path) -> None:
    text = story(expect="{next: 2, bets: {3: 4, 1: 1}}") + story(id="b")

    status, out, _ = run(tmp_path, text)

    assert status == 1
    assert out.splitlines() == [
        'FAIL a: step 2: next: expected 2, got 1; step 2: bets: expected {"3": 4, "1": 1}, got {"3": 2, "1": 1}',
        "PASS b",
        "1 passed, 1 failed",
    ]


def test_json_is_one_object_a_line(tmp_path: Path) -> None:
    status, out, _ = run(tmp_path, story(expect="{next: 2}"), as_json=True)

    assert status == 1
    assert json.loads(out) == {
        "id": "a",
        "passed": False,
        "failures": [{"step": 2, "key": "next", "expected": 2, "got": 1}],
    }


def test_a_bad_file_is_status_2_and_names_the_line(tmp_path: Path) -> None:
    status, out, err = run(tmp_path, story(step="{seat: 3, action: cal}"))

    assert (status, out) == (2, "")
    assert "cases.yaml:7: play.0.action: " in err


def test_more_chips_than_the_stack_holds_are_an_error_of_the_file(tmp_path: Path) -> None:
    status, _, err = run(tmp_path, story(step="{seat: 3, chips: [500]}"))

    assert status == 2
    assert "cases.yaml:7: chips: seat 3 has 200, not 500." in err


def test_change_for_more_than_the_stack_holds_is_an_error_of_the_file() -> None:
    (case,) = parse_cases(story(step="{seat: 3, changes: {gives: [500], takes: [250, 250]}}"), Path("x.yaml"))

    with pytest.raises(CaseError, match="changes: seat 3 has 200, not 500"):
        run_case(case)


def test_a_fault_of_the_program_fails_the_case_and_the_others_run_on(monkeypatch: pytest.MonkeyPatch) -> None:
    (case,) = parse_cases(story(), Path("x.yaml"))
    monkeypatch.setattr(Table, "apply", lambda *_: {}["gone"])

    (failure,) = run_case(case).failures

    assert (failure.step, failure.key) == (1, "step")
    assert "KeyError('gone')" in str(failure)


def test_a_table_that_makes_no_hand_is_an_error_of_the_file(tmp_path: Path) -> None:
    status, _, err = run(tmp_path, story().replace("{1: 200, 2: 200, 3: 200}", "{1: 200}"))

    assert status == 2
    assert "cases.yaml:1: seats: " in err


def test_a_refused_step_that_nothing_reckons_with_fails_the_case() -> None:
    text = story(step="{deal: flop}\n    - {seat: 3, action: call}")
    (case,) = parse_cases(text, Path("x.yaml"))

    (failure,) = run_case(case).failures

    assert (failure.step, failure.key) == (1, "step")


def test_seats_that_are_not_there_have_nothing_and_between_hands_nothing_is_pending() -> None:
    expect = (
        "{hand_over: true, round_over: true, pot: 0, pots: [], bets: {3: 0}, stacks: {3: 200, 9: 0}, posts: {3: []}}"
    )
    text = story(step="{after_minutes: 1}", expect=expect)
    between = text.replace("button: 3", "last_hand: {button: 3, small_blind: 1, big_blind: 2}")
    (case,) = parse_cases(between, Path("x.yaml"))

    assert run_case(case).passed


def test_a_refused_step_is_told_by_the_expect_behind_it() -> None:
    expect = "{ruling: illegal, error: action-pending, next: 3, pot: 3}"
    (case,) = parse_cases(story(step="{deal: flop}", expect=expect), Path("x.yaml"))

    assert run_case(case).passed


def stopped_after(count: int) -> Way:
    """A way that is stopped by Ctrl-C after so many cases."""

    def way(cases: Sequence[Case]) -> Iterator[Result]:
        yield from islice(on_the_rules(cases), count)
        raise KeyboardInterrupt

    return way


@pytest.mark.parametrize("as_json", [False, True])
def test_what_was_played_until_ctrl_c_is_told_and_written(tmp_path: Path, as_json: bool) -> None:
    (tmp_path / "cases.yaml").write_text(story() + story(id="b") + story(id="c"))
    out, err, junit = io.StringIO(), io.StringIO(), tmp_path / "cases.xml"
    telling = Telling(json=as_json, junit=junit)

    assert run_cases([tmp_path], stopped_after(2), telling, out, err) == 130
    if as_json:
        assert [json.loads(line)["id"] for line in out.getvalue().splitlines()] == ["a", "b"]
    else:
        assert out.getvalue() == "PASS a\nPASS b\n2 passed, 0 failed\n"
    assert "2 of 3 cases were played" in err.getvalue()
    assert ElementTree.parse(junit).getroot().get("tests") == "2"


def test_a_junit_file_that_cannot_be_written_is_refused_before_anything_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cases.yaml").write_text(story())
    for file in (tmp_path / "nowhere" / "cases.xml", tmp_path):
        assert front_door.run(["cases", "--junit", str(file), str(tmp_path)]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert f"{file} cannot be written" in err
    assert [one.name for one in tmp_path.iterdir()] == ["cases.yaml"]


@pytest.mark.nightly
def test_ctrl_c_at_cases_in_the_world_ends_all_processes_without_a_traceback(tmp_path: Path) -> None:
    junit = tmp_path / "cases.xml"
    line = ["cases", "--through", "world", "--jobs", "2", "--junit", str(junit), str(FOLDER)]
    with subprocess.Popen(
        [sys.executable, "-m", "betline", *line], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    ) as played:  # fmt: skip
        assert played.stdout is not None
        assert played.stderr is not None
        assert played.stdout.readline()
        os.killpg(played.pid, signal.SIGINT)
        out, err = played.stdout.read(), played.stderr.read()
    assert played.returncode == 130
    assert " passed, " in out.splitlines()[-1]
    assert "cases were played" in err
    assert "Traceback" not in err
    assert junit.exists()
