"""Cases acted out in simulated time: readers, camera, keys and bus in between, and the same expectations hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from betline.cases import Case, Result, parse_cases
from betline.cases.report import shard
from tests.cases.all_cases import CASES, FOLDER
from virtual_table.cases.simulated import act_out
from virtual_table.cases.skipping import REASONS, why_not

PARTS = 12
BY_ID = {case.id: case for case in CASES}
KNOWN = dict(
    line.split(": ", 1)
    for line in (FOLDER / "expected_failures_through_world.txt").read_text(encoding="utf-8").splitlines()
    if line[:1] not in ("#", "")
)
"""Cases that fail through the world today, each with the reason."""
A_FEW = (
    "decl-raise-15-with-20",
    "own-oot-skipped-by-raise-and-call",
    "string-amount-declared-multi-motion-ok",
    "own-second-half-cap-short-not-counted",
    "second-kill-defer-sb",
    "own-second-rulings-str-under-first",
)
"""Words with a chip, an act out of turn, words with several motions, keyed acts, a hand after another, a second motion
after a first that owes.
"""
STORY = """\
- id: a
  game: {limit: no-limit, blinds: [50, 100]}
  house: {profile: tda}
  button: 3
  seats: {1: 9000, 2: 9000, 3: 9000}
  start: {street: flop, pot: 300}
  play:
"""


def acted(tmp_path: Path, *entries: str) -> Result:
    (case,) = parse_cases(STORY + "".join(f"    - {entry}\n" for entry in entries), Path("a.yaml"))
    return act_out(case, tmp_path)


@pytest.mark.parametrize("case", [BY_ID[name] for name in A_FEW], ids=lambda case: case.id)
def test_a_case_passes_through_the_world(tmp_path: Path, case: Case) -> None:
    assert act_out(case, tmp_path).as_line() == f"PASS {case.id}"


@pytest.mark.nightly
@pytest.mark.timeout(600)
@pytest.mark.parametrize("number", range(1, PARTS + 1))
def test_the_book_passes_through_the_world(tmp_path: Path, number: int) -> None:
    results = [act_out(case, tmp_path) for case in shard(CASES, number, PARTS)]

    failed = {result.case.id: result.as_line() for result in results if result.failures}
    known = {case.id for case in shard(CASES, number, PARTS)} & KNOWN.keys()
    assert failed.keys() == known, [line for name, line in failed.items() if name not in known]


def test_what_the_chips_say_fails_a_case_that_expects_otherwise(tmp_path: Path) -> None:
    result = acted(tmp_path, "{seat: 1, chips: [500]}", "expect: {ruling: bet, to: 600, next: 2}")

    assert result.as_line() == "FAIL a: step 2: to: expected 600, got 500"


def test_a_refused_key_that_nothing_reckons_with_fails_the_case(tmp_path: Path) -> None:
    result = acted(tmp_path, "{deal: turn}", "{seat: 1, action: check}")

    assert result.as_line().startswith("FAIL a: step 1: step: refused (action-pending): ")


def test_what_nobody_can_do_at_a_table_is_skipped_by_a_word_of_the_vocabulary() -> None:
    skips = [skip for case in CASES if (skip := why_not(case)) is not None]

    assert {skip.reason for skip in skips} == REASONS.keys() - {"untold", "sealed-cards"}
    assert all(skip.sentence.startswith("step ") for skip in skips)
    assert len(skips) < len(CASES) / 10


def test_the_page_has_every_reason() -> None:
    page = (Path(__file__).parents[3] / "docs" / "cases-acted-out.md").read_text(encoding="utf-8")

    assert all(f"| `{reason}` | {sentence} |" in page for reason, sentence in REASONS.items())
