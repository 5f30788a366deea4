"""The cases of this folder, read once in a run for all tests that tell them."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

from betline.cases import Case, read_cases
from tests import shared

FOLDER = Path(__file__).parent


def _read() -> tuple[Case, ...]:
    """What one worker has read, the others load: it takes them a fifteenth of the time."""
    if shared.FOLDER not in os.environ:  # no test: a page is written
        return read_cases([FOLDER])
    kept = shared.made_once("cases", (), lambda part: part.write_bytes(pickle.dumps(read_cases([FOLDER]))))
    return tuple(pickle.loads(kept.read_bytes()))


CASES = _read()
EXPECTED_FAILURES = tuple(
    line for line in (FOLDER / "expected_failures.txt").read_text(encoding="utf-8").splitlines() if line[:1] != "#"
)
"""Cases that need what is refused by name today; `test_cases.py` holds that all others pass."""
