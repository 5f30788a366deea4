"""Cases under a plan of faults: asked is not wrong, another ruling is, and what cannot be played is refused."""

from __future__ import annotations

import io
import json
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest

from betline.cases import Case, Result, parse_cases
from betline.front_door import run
from betline.messages.table import Ruling
from betline.settings import SettingsError, load_table
from betline.settings.load import parse
from table_controller.console.sample import sample_state
from virtual_table.cases.acted import excused
from virtual_table.cases.asking import AskedInstead, Asking
from virtual_table.cases.plans import load_for_cases, of_case
from virtual_table.cases.running import Telling, run_cases
from virtual_table.cases.simulated import act_out, check_plan
from virtual_table.faults.plan import TablePlan
from virtual_table.play.told import Told

STORY = """\
- id: a
  game: {limit: no-limit, blinds: [50, 100]}
  house: {profile: tda}
  button: 3
  seats: {1: 9000, 2: 9000, 3: 9000}
  start: {street: flop, pot: 300}
  play:
    - {seat: 1, chips: [500]}
    - expect: {ruling: bet, to: 500, next: 2}
"""
NO_CABLE = '[[events]]\nwhat = "unplug"\non = "reader-1"\nat_s = 0\nfor_s = 600\n'
SIX = load_table("home-six")
STATE = sample_state(SIX)
SILENT = 5
ALL_BLINK = '[[events]]\nwhat = "unplug"\nat_s = 8\nfor_s = 2\n'


def plan_of(text: str) -> TablePlan:
    return parse(TablePlan, tomllib.loads(text), "plan")


def acted(tmp_path: Path, plan: str) -> Result:
    (case,) = parse_cases(STORY, Path("a.yaml"))
    return act_out(case, tmp_path, plan_of(plan))


def test_a_case_that_the_table_asks_about_is_asked_and_neither_passed_nor_failed(tmp_path: Path) -> None:
    result = acted(tmp_path, NO_CABLE)

    assert (result.passed, result.failures) == (False, ())
    assert result.as_line().startswith("ASK a: step 1: Key the amounts of its seats")


def test_what_the_table_gets_over_passes(tmp_path: Path) -> None:
    assert acted(tmp_path, ALL_BLINK).as_line() == "PASS a"


def ruled(ruling: str) -> Ruling:
    return STATE.rulings[0].model_copy(update={"ruling": ruling, "seat": SILENT})


def test_another_ruling_than_expected_has_no_excuse_though_an_act_before_it_was_asked_about() -> None:
    asking = Asking(SIX)
    asking.acted(3, Told(STATE, seat=SILENT, acted=True))

    asking.excuse(Told(STATE, (ruled("call"),), seat=SILENT, acted=True))
    for undecided in ((), (ruled("floor"),)):
        with pytest.raises(AskedInstead, match=f"^step 3: reader-{SILENT} is silent"):
            asking.excuse(Told(STATE, undecided, seat=SILENT, acted=True))


def test_what_is_asked_because_the_case_wants_it_so_excuses_nothing_later() -> None:
    asking = Asking(SIX)
    asking.acted(3, Told(STATE, seat=SILENT, acted=True))
    asking.settled()

    asking.excuse(Told(STATE, seat=SILENT, acted=True))


def test_an_act_that_was_asked_about_and_is_ruled_afterwards_excuses_nothing_more() -> None:
    asking = Asking(SIX)
    asking.acted(3, Told(STATE, seat=SILENT, acted=True))
    asking.acted(4, Told(STATE, (ruled("call"),), seat=SILENT, acted=True))

    asking.excuse(Told(STATE, seat=1, acted=True))


def test_a_plan_that_never_strikes_excuses_nothing(tmp_path: Path) -> None:
    (wrong,) = parse_cases(STORY.replace("to: 500", "to: 600"), Path("a.yaml"))
    asked = Result(wrong, (), asked="step 1: Key the amounts.")
    late = NO_CABLE.replace("at_s = 0", "at_s = 99999")

    assert excused(asked, lambda: act_out(wrong, tmp_path)).failures
    assert act_out(wrong, tmp_path, plan_of(late)).failures
    assert excused(asked, lambda: acted(tmp_path, late)) is asked


def test_an_act_that_is_ruled_is_not_asked_about_though_its_reader_is_silent() -> None:
    asking = Asking(SIX)
    asking.acted(3, Told(STATE, (ruled("call"),), seat=SILENT, acted=True))

    asking.excuse(Told(STATE, seat=SILENT, acted=True))


@pytest.mark.parametrize(("seat", "faulty"), [(SILENT, False), (1, True)])
def test_silence_about_an_act_is_no_asking(seat: int, faulty: bool) -> None:
    asking = Asking(SIX if faulty else None)
    asking.acted(3, Told(STATE, seat=seat, acted=True))

    asking.excuse(Told(STATE, seat=seat, acted=True))


def test_the_plan_is_named_and_what_was_asked_is_counted_for_people_and_programs(tmp_path: Path) -> None:
    cases, junit = tmp_path / "a.yaml", tmp_path / "junit.xml"
    cases.write_text(STORY, encoding="utf-8")

    def way(played: Sequence[Case]) -> Iterator[Result]:
        yield Result(played[0], (), asked="step 1: Key the amounts.")

    def told(*, as_json: bool) -> list[str]:
        out = io.StringIO()
        telling = Telling(json=as_json, junit=junit, acted=True, faults="plan.toml")
        assert run_cases([cases], way, telling, out) == 0
        return out.getvalue().splitlines()

    assert told(as_json=False)[-1] == "0 passed, 0 failed, 1 asked; faults: plan.toml"
    (line,) = [json.loads(line) for line in told(as_json=True)]
    assert (line["passed"], line["asked"], line["faults"]) == (False, True, "plan.toml")
    assert line["why"] == "step 1: Key the amounts."
    (suite,) = ElementTree.parse(junit).getroot()
    said = {one.get("name"): one.get("value") for one in suite.iter("property")}
    assert said == {"faults": "plan.toml", "asked": "1"}
    assert [one.get("message") for one in suite.iter("skipped")] == ["asked: step 1: Key the amounts."]
    assert (suite.get("failures"), suite.get("skipped")) == ("0", "1")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[[events]]\nwhat = "burst"\nat_s = 1\nchances = { damage = 1 }\n', "events.0: burst strikes a line"),
        ("[line]\ndamage = 0.1\n", "line: the laboratory has no lines"),
        ('[[events]]\nwhat = "unplug"\non = "reader-99"\nat_s = 1\n', "there is no reader reader-99"),
    ],
)
def test_a_plan_that_cases_cannot_take_is_refused_with_its_file_and_its_fault(
    tmp_path: Path, text: str, said: str
) -> None:
    file = tmp_path / "plan.toml"
    file.write_text(text, encoding="utf-8")

    with pytest.raises(SettingsError) as refusal:
        load_for_cases(file, check_plan)

    assert str(refusal.value).startswith(f"{file}: ")
    assert said in str(refusal.value)


def test_faults_need_a_table(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["cases", "--faults", "plan.toml", str(tmp_path)]) == 2
    assert "--faults needs --through world or hil" in capsys.readouterr().err


def test_random_times_are_those_of_the_case_and_of_the_plans_seed() -> None:
    one, other = parse_cases(STORY + STORY.replace("id: a", "id: b"), Path("a.yaml"))
    plan = plan_of("seed = 4\n")

    assert of_case(plan, one) == of_case(plan, one)
    assert len({of_case(plan, one).seed, of_case(plan, other).seed, of_case(plan_of("seed = 5\n"), one).seed}) == 3
