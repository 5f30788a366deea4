"""YAML with its lines is the same with libyaml and without it."""

from __future__ import annotations

import pytest
import yaml

from betline.cases.marks import Marked, MarkedError, load
from tests.cases.all_cases import FOLDER


def without_libyaml(text: str) -> Marked:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yaml, "__with_libyaml__", False)
        return load(text)


@pytest.mark.skipif(not yaml.__with_libyaml__, reason="PyYAML was built without libyaml")
def test_libyaml_reads_the_same_data_and_lines() -> None:
    text = (FOLDER / "table.yaml").read_text(encoding="utf-8")

    assert load(text) == without_libyaml(text)


@pytest.mark.parametrize(
    "text", ["- id: x\n  play: [\n", "a: 1\na: 2", "- {[1]: 2}", "a: \x07", "a: *b", "a: 2001-99-99"]
)
def test_an_error_reads_the_same(text: str) -> None:
    errors = []
    for read in (load, without_libyaml):
        with pytest.raises(MarkedError) as refused:
            read(text)
        errors.append((refused.value.line, refused.value.sentence))

    assert errors[0] == errors[1]


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(MarkedError, match="nested too deeply"):
        load("- " * 100_000)
