"""The examples of docs/lab.md that are marked as tests pass as they stand there."""

import re

import pytest

import virtual_table.pytest_plugin.reader_ports
import virtual_table.pytest_plugin.simulated
import virtual_table.pytest_plugin.table  # noqa: F401 -- loaded here, it is not loaded again by each run
from tests.unit.project.imports import ROOT

pytest_plugins = "pytester"

PAGE = (ROOT / "docs" / "lab.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"<!-- test -->\n```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.nightly
def test_the_examples_of_the_page_pass(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    assert len(EXAMPLES) == 4
    for number, source in enumerate(EXAMPLES):
        pytester.path.joinpath(f"test_example_{number}.py").write_text(source, encoding="utf-8")

    result = pytester.runpytest_inprocess("-p", "betline", "-p", "no:cacheprovider", "--strict-markers")

    result.assert_outcomes(passed=4)


def test_every_word_of_the_plugin_is_on_the_page() -> None:
    from virtual_table.pytest_plugin.dealer import Dealer
    from virtual_table.pytest_plugin.seat import Seat
    from virtual_table.pytest_plugin.setting import Setting
    from virtual_table.pytest_plugin.ways import Faults

    words = {name for cls in (Seat, Dealer, Faults) for name in vars(cls) if not name.startswith("_")}
    words |= set(Setting.__slots__)

    assert {word for word in words if word not in PAGE} == set()
