"""Chaos finds a fault that is planted in the controller, shrinks it to one event, and plays the file of it again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from betline.front_door import run
from betline.settings import SettingsError
from table_controller.session.fold import resume
from virtual_table.chaos.case import ChaosCase, load_case
from virtual_table.chaos.draw import draw
from virtual_table.chaos.hunt import Finding, Hunt, hunt, player
from virtual_table.chaos.play import Broken, Played, play
from virtual_table.faults.event import FaultEvent
from virtual_table.faults.plan import TablePlan
from virtual_table.laboratory import controller

QUIET = ChaosCase(table="home-six", sensors="readers", seed=3, hands=1)


class Shortened:
    """A journal of which a start does not see the newest step."""

    def __init__(self, pages: controller.Pages) -> None:
        self._pages = pages
        self._lost = next((one.seq for one in pages.newest("step")), None)

    def __len__(self) -> int:
        return len(self._pages)

    def entries(self, after: int = 0) -> Any:
        return (one for one in self._pages.entries(after) if one.seq != self._lost)

    def newest(self, kind: str, before: int | None = None, after: int = 0) -> Any:
        return (one for one in self._pages.newest(kind, before, after) if one.seq != self._lost)


@pytest.fixture
def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    """The controller forgets its newest step where it is started again."""
    monkeypatch.setattr(controller, "resume", lambda terms, pages, now: resume(terms, Shortened(pages), now))


@pytest.mark.nightly
@pytest.mark.timeout(900)
@pytest.mark.usefixtures("forgetful")
def test_a_planted_fault_is_found_shrunk_to_one_event_and_played_again_from_its_file(tmp_path: Path) -> None:
    told: list[str] = []
    with player(1) as plays:
        found = hunt(plays, 428, 5.0, "home-six", told.append, most=1)

    [finding] = found.findings
    assert len(finding.drawn.faults.events) == 8
    [event] = finding.case.faults.events
    assert (event.what, event.on, event.every_s, event.per_minute) == ("kill", "controller", None, None)
    assert told[0].startswith("case 428 broke")
    assert told[-1].startswith("case 428 still breaks with 1 event and ")
    file = tmp_path / "found.toml"
    file.write_text(finding.case.as_toml(), encoding="utf-8")
    assert load_case(file) == finding.case
    again = play(load_case(file)).broken
    assert again is not None
    assert again == finding.broken


@pytest.mark.usefixtures("forgetful")
def test_a_case_that_breaks_says_what_broke(capsys: pytest.CaptureFixture[str]) -> None:
    file = Path(__file__).parents[2] / "chaos" / "step-lost-at-a-restart.toml"

    assert run(["chaos", "--jobs", "1", "--json", str(file)]) == 1
    out, err = capsys.readouterr()
    [broken] = json.loads(out)["broken"]
    assert (broken["file"], broken["hand"]) == (str(file), 1)
    assert f"{file}: BROKE in hand 1" in err


def test_hands_that_go_well_are_counted_and_nothing_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "virtual_table.chaos.hunt.draw", lambda number, _table: QUIET.model_copy(update={"seed": number})
    )
    with player(1) as plays:
        found = hunt(plays, 3, 1.0, None, lambda _: None, most=1)

    assert (found.cases, found.hands, found.findings) == (1, 1, [])
    assert found.acts > 3


def test_what_was_found_is_shown_and_written_so_that_it_can_be_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = Broken("ruling", 1, 9.5, 3, "It was ruled otherwise.")
    found = Hunt(cases=7, hands=9, acts=80, findings=[Finding(draw(5), QUIET, broken, 12)], again=2)

    def hunted(*_: object, into: Hunt, keep: Callable[[Finding], None], **_more: object) -> None:
        into.cases, into.hands, into.acts, into.again = found.cases, found.hands, found.acts, found.again
        into.findings = [*found.findings]
        keep(found.findings[0])

    monkeypatch.setattr("virtual_table.chaos.hunt.hunt", hunted)
    folder = tmp_path / "found"

    assert run(["chaos", "--jobs", "1", "--write", str(folder)]) == 1
    said = capsys.readouterr().out
    assert "BROKE (ruling, hand 1): It was ruled otherwise." in said
    assert f"play it again: betline chaos {folder / 'chaos-5.toml'}" in said
    assert said.endswith("1 found and 2 that broke alike in 7 cases that were played\n")
    again = load_case(folder / "chaos-5.toml")
    assert again.note == "ruling: It was ruled otherwise."
    assert again.model_copy(update={"note": ""}) == QUIET

    assert run(["chaos", "--jobs", "1", "--json"]) == 1
    [one] = json.loads(capsys.readouterr().out)["findings"]
    assert (one["kind"], one["drawn"], one["tries"], one["file"]) == ("ruling", 5, 12, None)
    assert one["case"] == QUIET.as_data()


BROKEN = Broken("ruling", 1, 9.5, 3, "It was ruled otherwise.")


class Breaking:
    """Cases that break where they have an event; from some case on it is stopped, or a program fails."""

    def __init__(self, plays: int, then: BaseException) -> None:
        self.left = plays
        self.then = then

    def __call__(self, cases: Iterable[ChaosCase]) -> Iterator[tuple[ChaosCase, Played]]:
        for case in cases:
            if not self.left:
                raise self.then
            self.left -= 1
            yield case, Played(5, 1, BROKEN if case.faults.events else None)


def breaking(monkeypatch: pytest.MonkeyPatch, plays: int, then: BaseException) -> None:
    """The hunt plays nothing: numbers 1 to 3 break, what breaks first is shrunk in four plays."""
    kill = FaultEvent(what="kill", on="controller", at_s=9.0)

    def drawn(number: int, _table: str | None) -> ChaosCase:
        return QUIET.model_copy(update={"seed": number, "faults": TablePlan(events=(kill,) * (number + 1))})

    @contextmanager
    def player(_jobs: int) -> Iterator[Breaking]:
        yield Breaking(plays, then)

    monkeypatch.setattr("virtual_table.chaos.hunt.draw", drawn)
    monkeypatch.setattr("virtual_table.chaos.hunt.player", player)
    monkeypatch.setattr("virtual_table.chaos.hunt.count", lambda seed: range(seed, seed + 3))


@pytest.mark.parametrize("plays", [0, 2, 3, 4, 7])
def test_what_was_found_until_ctrl_c_is_told_and_written(
    plays: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    breaking(monkeypatch, plays, KeyboardInterrupt())
    assert run(["chaos", "--json", "--jobs", "1", "--write", str(tmp_path)]) == 130

    found = json.loads(capsys.readouterr().out)
    assert found["stopped"] is True
    assert found["cases"] == min(plays, 3)
    assert [one["drawn"] for one in found["findings"]] == list(range(1, min(plays, 3) + 1))
    for one in found["findings"]:
        case = load_case(Path(one["file"]))
        assert case.faults.events
        assert case.as_data() == one["case"] | {"note": case.note}
    if plays == 7:  # the second was being shrunk
        states = [(one["shrunk"], one["tries"], len(one["case"]["faults"]["events"])) for one in found["findings"]]
        assert states == [(True, 2, 1), (False, 2, 2), (False, 0, 4)]


def test_what_is_shrunk_is_written_at_once_and_told_though_a_program_fails_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    breaking(monkeypatch, 5, RuntimeError("no memory"))
    assert run(["chaos", "--jobs", "1", "--write", str(tmp_path)]) == 1
    out, err = capsys.readouterr()
    assert "no memory" in err
    assert "3 found in 3 cases that were played" in out
    assert "not shrunk to the end" in out
    assert sorted(file.name for file in tmp_path.iterdir()) == ["chaos-1.toml", "chaos-2.toml", "chaos-3.toml"]


def test_each_finding_is_given_out_as_soon_as_it_is_shrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    breaking(monkeypatch, 1000, KeyboardInterrupt())
    kept: list[int] = []
    told: list[str] = []

    def tell(sentence: str) -> None:
        told.append(f"{len(kept)} kept: {sentence}")

    monkeypatch.setattr("virtual_table.chaos.hunt.shape", lambda case, _broken: (str(case.seed),))
    found = hunt(Breaking(1000, KeyboardInterrupt()), 1, 1.0, None, tell, keep=lambda one: kept.append(one.drawn.seed))
    assert kept == [1, 2, 3]
    assert all(one.shrunk for one in found.findings)
    assert any(one.startswith("1 kept: case 2 still breaks") for one in told)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("seed = 1\nsed = 2", "did you mean seed"),
        ("seed = 1\n[[faults.events]]\nwhat = 'unplug'\non = 'reader-99'\nat_s = 1", "no reader reader-99"),
        ("seed = 1\n[faults.line]\ndamage = 0.1", "no lines and no bytes"),
        ("seed = 1\nsensors = 'readers'\n[[faults.events]]\nwhat = 'camera-black'\nat_s = 1", "has none"),
        ("seed = 1\ntable = 'home-sex'", "did you mean home-six"),
    ],
)
def test_a_case_that_cannot_be_played_is_one_sentence(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "case.toml"
    file.write_text(text)

    with pytest.raises(SettingsError, match=words):
        load_case(file)


@pytest.mark.parametrize("text", ["[[events]]\nwhat = 'unplug'\nat_s = 1", "seed = 3\n[reading]\nmissed = 0.1"])
def test_a_plan_in_place_of_a_case_is_told_where_a_case_has_its_plan(
    tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "plan.toml"
    file.write_text(text)

    assert run(["chaos", str(file)]) == 2
    said = capsys.readouterr().err
    assert f"{file} is a plan of faults" in said
    assert "[faults]" in said


def test_one_case_is_told_as_one(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("virtual_table.chaos.hunt.try_out", lambda _case: Played(1, 1))
    file = Path(__file__).parents[2] / "chaos" / "step-lost-at-a-restart.toml"

    assert run(["chaos", "--jobs", "1", str(file)]) == 0
    out, err = capsys.readouterr()
    assert (out, err) == ("1 case, 0 broke\n", f"chaos: {file}: holds, 1 hand, 1 act\n")


def test_options_of_the_hunt_are_refused_with_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["chaos", "--minutes", "2", str(tmp_path / "case.toml")]) == 2
    assert "a case says it all itself" in capsys.readouterr().err
