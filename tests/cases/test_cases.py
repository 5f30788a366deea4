"""The executable specification: every case passes, but for those that need what is refused by name today."""

from __future__ import annotations

import pytest

from betline.cases import Case
from table_controller.tools.cases import UNSUPPORTED, run_case
from tests.cases.all_cases import CASES, EXPECTED_FAILURES


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_case(case: Case) -> None:
    result = run_case(case)

    if case.id in EXPECTED_FAILURES:
        assert result.failures, f"{case.id} passes: take it out of expected_failures.txt"
        assert {failure.key for failure in result.failures} == {UNSUPPORTED}
    else:
        assert result.as_line() == f"PASS {case.id}"


def test_the_expected_failures_are_cases() -> None:
    assert set(EXPECTED_FAILURES) <= {case.id for case in CASES}
    assert len(set(EXPECTED_FAILURES)) == len(EXPECTED_FAILURES)
