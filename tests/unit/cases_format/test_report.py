"""Results of cases for people and for build servers, and parts of the cases that do not change."""

from __future__ import annotations

import io
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from betline.cases import Failure, Result, Skip
from betline.cases.report import Lines, shard, write_junit
from betline.options import UserError
from tests.cases.all_cases import CASES
from virtual_table.cases.cli import _part

FIRST, SECOND, THIRD = CASES[:3]
RESULTS = (
    Result(FIRST, (), seconds=0.25),
    Result(SECOND, (Failure(3, "next", 2, 1), Failure(4, "announce", "a", "\x00")), seconds=1.0),
    Result(THIRD, (), Skip("minutes", "step 2: nobody waits for them")),
)


def told(*, as_json: bool, acted: bool = True) -> list[str]:
    out = io.StringIO()
    lines = Lines(out, json=as_json, acted=acted)
    for result in RESULTS:
        lines.add(result)
    lines.end()
    return out.getvalue().splitlines()


def test_a_skipped_case_is_named_with_its_reason_and_counted() -> None:
    lines = told(as_json=False)

    assert lines[2] == f"SKIP {THIRD.id}: step 2: nobody waits for them"
    assert lines[3] == "1 passed, 1 failed, 1 skipped (minutes 1)"


def test_json_says_of_each_case_whether_it_was_skipped_and_why() -> None:
    passed, failed, skipped = [json.loads(line) for line in told(as_json=True)]

    assert (passed["passed"], passed["skipped"], passed["reason"]) == (True, False, None)
    assert (failed["passed"], failed["skipped"]) == (False, False)
    assert (skipped["passed"], skipped["skipped"], skipped["reason"]) == (False, True, "minutes")


def test_json_of_cases_on_the_rules_alone_has_the_three_keys_of_the_format() -> None:
    passed, failed, _ = [json.loads(line) for line in told(as_json=True, acted=False)]

    assert passed == {"id": FIRST.id, "passed": True, "failures": []}
    assert list(failed) == ["id", "passed", "failures"]
    assert failed["failures"][0] == {"step": 3, "key": "next", "expected": 2, "got": 1}


def test_junit_has_a_testcase_a_case_with_what_failed_and_what_was_skipped(tmp_path: Path) -> None:
    file = tmp_path / "cases.xml"

    write_junit(RESULTS, file, "cases")

    (suite,) = ElementTree.parse(file).getroot()
    assert {key: suite.get(key) for key in ("tests", "failures", "skipped", "time")} == {
        "tests": "3", "failures": "1", "skipped": "1", "time": "1.250",
    }  # fmt: skip
    first, second, third = suite
    assert (first.get("name"), first.get("file"), len(first)) == (FIRST.id, str(FIRST.file), 0)
    assert second.find("failure").get("message") == "step 3: next: expected 2, got 1"  # type: ignore[union-attr]
    assert third.find("skipped").get("message") == "step 2: nobody waits for them"  # type: ignore[union-attr]


def test_every_case_is_in_one_part_and_stays_there_when_others_come() -> None:
    parts = [shard(CASES, number, 5) for number in range(1, 6)]

    assert sorted(case.id for part in parts for case in part) == sorted(case.id for case in CASES)
    assert all(len(part) > len(CASES) / 10 for part in parts)
    half = CASES[::2]
    left = {case.id for case in half}
    assert [case.id for case in shard(half, 2, 5)] == [case.id for case in parts[1] if case.id in left]


@pytest.mark.parametrize("given", ["0/3", "4/3", "1", "a/b", "1/0", "1/1001", "1/100000"])
def test_a_part_that_there_is_not_is_refused_with_what_to_give(given: str) -> None:
    with pytest.raises(UserError, match=r"give N/M.* M at most 1000"):
        _part(given)


def test_no_option_means_the_whole_and_a_part_is_read() -> None:
    assert (_part(None), _part("2/12"), _part("1000/1000")) == ((1, 1), (2, 12), (1000, 1000))
