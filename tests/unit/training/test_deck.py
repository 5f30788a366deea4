"""The topics name cases that exist, and the wheel carries their files."""

import re
import tomllib
from pathlib import Path

import pytest

from betline.cases import read_file
from betline.settings import SettingsError
from table_controller.training import deck

ROOT = Path(__file__).resolve().parents[3]
ID = re.compile(r"(?m)^- id: (\S+)$")


def ids(name: str) -> set[str]:
    return set(ID.findall((ROOT / "tests" / "cases" / name).read_text(encoding="utf-8")))


def test_each_case_is_in_a_file_that_is_shipped_and_in_one_topic_only() -> None:
    named = [case for topic in deck.topics() for case in topic.cases]
    there = {case for name in deck.case_files() for case in ids(name)}

    assert sorted(set(named) - there) == []
    assert len(named) == len(set(named))


def test_each_file_that_is_shipped_is_needed_and_in_the_wheel() -> None:
    named = {case for topic in deck.topics() for case in topic.cases}
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = data["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    carried = {source: target for source, target in included.items() if source.startswith("tests/")}

    assert [name for name in deck.case_files() if not named & ids(name)] == []
    assert carried == {f"tests/cases/{name}": f"betline/_cases/{name}" for name in deck.case_files()}


def test_a_case_is_the_one_of_its_file() -> None:
    name = "overchip-facing-bet-call"
    (whole,) = [case for case in read_file(ROOT / "tests" / "cases" / "rulings.yaml") if case.id == name]
    alone = deck.case_named(name)

    assert (alone.id, alone.setup, alone.play) == (whole.id, whole.setup, whole.play)


def test_a_case_that_no_file_has_is_said() -> None:
    with pytest.raises(SettingsError, match="no case not-there in the shipped files"):
        deck.case_named("not-there")


def test_a_topic_that_is_not_there_is_refused_with_the_nearest() -> None:
    with pytest.raises(SettingsError, match=r"no topic oversize-chip; did you mean oversized-chip\?"):
        deck.chosen(("oversize-chip",))
