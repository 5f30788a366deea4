"""What chaos found and was mended: each case holds now. `betline chaos tests/chaos/NAME.toml` plays one by itself."""

from pathlib import Path

import pytest

from virtual_table.chaos.case import load_case
from virtual_table.chaos.play import play

CASES = sorted(Path(__file__).parent.glob("*.toml"))


@pytest.mark.nightly
@pytest.mark.parametrize("file", CASES, ids=lambda file: file.stem)
def test_a_case_that_broke_once_holds(file: Path) -> None:
    assert play(load_case(file)).broken is None
