"""The cases of this folder, read once for all tests that tell them."""

from __future__ import annotations

from pathlib import Path

from betline.cases import read_cases

FOLDER = Path(__file__).parent
CASES = read_cases([FOLDER])
EXPECTED_FAILURES = tuple(
    line for line in (FOLDER / "expected_failures.txt").read_text(encoding="utf-8").splitlines() if line[:1] != "#"
)
"""Cases that need what is refused by name today; `test_cases.py` holds that all others pass."""
