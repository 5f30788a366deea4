"""`betline rule`: its JSON is what cases expect, its page says why, its errors say where."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from betline.cases import Case, Entry, Expect, ExpectedPot
from betline.front_door import run
from table_controller.tools.rule.run import run_rule
from table_controller.tools.rule.story import play
from tests.cases.all_cases import CASES, EXPECTED_FAILURES

SETS = ("offers", "held", "cites", "alerts", "may")

GAME = "{limit: no-limit, blinds: [50, 100]}"
SEATS = "{1: 9000, 2: 9000, 3: 9000}"
RAISE = "{seat: 3, action: raise, to: 300}"


def last_of(case: Case) -> tuple[tuple[Entry, ...], Expect]:
    """The steps that lead to the last thing that a case expects, and that."""
    place = max([number for number, entry in enumerate(case.play) if isinstance(entry, Expect)])
    expect = case.play[place]
    assert isinstance(expect, Expect)
    return tuple([entry for entry in case.play[:place] if not isinstance(entry, Expect)]), expect


TOLD = [case for case in CASES if case.id not in EXPECTED_FAILURES and last_of(case)[0]]


def ruled(act: str, *before: str, game: str = GAME, house: str = "{profile: tda}", flags: tuple[str, ...] = ()) -> int:
    """The exit status of a story in flags: three players, the button in seat 3."""
    line = ["rule", "--game", game, "--house", house, "--seats", SEATS, "--button", "3"]
    for step in before:
        line += ["--before", step]
    return run([*line, "--act", act, *flags])


def test_one_flag_takes_all_steps_before_the_act(capsys: pytest.CaptureFixture[str]) -> None:
    steps = [RAISE, "{seat: 1, action: fold}", "{seat: 2, action: call}", "{deal: flop}"]
    table = ["--game", GAME, "--seats", SEATS, "--button", "3", "--json"]
    act = ["--act", "{seat: 2, says: check}"]

    told = []
    for line in ([*act, "--before", *steps, *table], ["--before", *steps[:2], *table, *act, "--before", *steps[2:]]):
        assert run(["rule", *line]) == 0
        told.append(json.loads(capsys.readouterr().out))

    assert told[0] == told[1]
    assert (told[0]["street"], told[0]["ruling"], told[0]["next"]) == ("flop", "check", 3)


def as_json(expected: object) -> Any:
    """A value of `expect` as a checker reads it from YAML."""
    if isinstance(expected, ExpectedPot):
        return {"amount": expected.amount, "seats": list(expected.seats)}
    if isinstance(expected, dict):
        return {str(key): as_json(value) for key, value in expected.items()}
    if isinstance(expected, frozenset):
        return {as_json(value) for value in expected}
    return [as_json(value) for value in expected] if isinstance(expected, tuple) else expected


def disagreements(expect: Expect, found: dict[str, Any]) -> dict[str, tuple[object, object]]:
    """What of an expectation the JSON does not say, compared as docs/case-format.md says."""
    wrong = {}
    for key, value in expect.values.items():
        wanted, got = as_json(value), found[key]
        if key in SETS:
            same = wanted <= set(got) if key in ("cites", "alerts") else wanted == set(got)
        elif key in ("bets", "stacks", "posts"):
            same = all(got.get(seat, [] if key == "posts" else 0) == amount for seat, amount in wanted.items())
        elif key in ("announce", "error"):
            same = wanted in got
        else:
            same = wanted == got
        if not same:
            wrong[key] = (wanted, got)
    return wrong


def json_of(case: Case) -> dict[str, Any]:
    out = io.StringIO()
    assert run_rule(case, json=True, out=out, err=io.StringIO()) == 0
    assert out.getvalue().count("\n") == 1
    found = json.loads(out.getvalue())
    assert isinstance(found, dict)
    return found


@pytest.mark.one_in(7)
@pytest.mark.parametrize("case", TOLD, ids=lambda case: case.id)
def test_the_json_holds_what_a_case_expects_of_its_last_step(case: Case) -> None:
    steps, expect = last_of(case)

    found = json_of(replace(case, play=steps, play_lines=(1,) * len(steps)))

    assert disagreements(expect, found) == {}


def test_the_page_says_what_happened_why_and_who_is_next(capsys: pytest.CaptureFixture[str]) -> None:
    assert ruled("{seat: 1, chips: {100: 4}}", RAISE) == 0

    page = " ".join(capsys.readouterr().out.split())
    for words in (
        "seat 1 to act, facing 300, 250 to call. Seat 1 pushes 4 x 100 = 400 and says nothing.",
        "RAISE: Seat 1 raises to 500",
        "bet this round 500, adds 450, goes back 0, owes 50",
        "several chips: For several chips that are not all needed to call the 50 % standard decides",
        "without one of the smallest (TDA 45): put out 450, smallest chip 100, without it 350, bet 300",
        "put out 450, bet 300, more than the bet 150, full raise 200: at least half",
        "in front 450, bet 500: 50 is still owed",
        "TDA 43 A raise is at least the largest bet or raise of the round",
        "half_standard is true (R-058); with false: seat 1 calls 300, 150 goes back",
        "Next Seat 2: call 400, minimum raise to 700, maximum 9,000.",
    ):
        assert words in page


def test_every_value_of_an_option_that_decides_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert ruled("{seat: 1, chips: [100]}", RAISE, house="{profile: cash}", flags=("--json", "--why")) == 0

    found = json.loads(capsys.readouterr().out)["why"]["options"]
    would = {option["other"]: (option["would"]["ruling"], option["would"]["offers"]) for option in found}
    assert {option["option"] for option in found} == {"undercall"}
    assert would == {
        "tda": ("floor", ["call", "fold"]),
        "floor": ("floor", ["call", "fold"]),
        "full-call": ("call", []),
    }


def test_the_cap_on_raises_is_told_although_the_hand_remembers_that_it_was_reached(
    capsys: pytest.CaptureFixture[str],
) -> None:
    raises = tuple([f"{{seat: {seat}, action: raise}}" for seat in (3, 1, 2)])
    game = "{limit: fixed-limit, blinds: [5, 10], bets: [10, 10, 20, 20]}"

    assert ruled("{seat: 3, says: raise}", *raises, game=game, house="{profile: cash}") == 0

    page = capsys.readouterr().out
    assert "The cap of 3 raises is reached" in page
    assert "max_raises is 3 (R-121); with 4: seat 3 raises to 50, 30 owed" in page


def test_an_option_that_would_have_changed_the_story_before_is_asked_as_the_hand_stands(
    capsys: pytest.CaptureFixture[str],
) -> None:
    halves = ("{seat: 3, chips: [100, 100, 25, 25]}", "{seat: 1, chips: {100: 5}}")

    assert ruled("{seat: 2, chips: {100: 6}}", *halves, flags=("--json", "--why")) == 0

    (option,) = json.loads(capsys.readouterr().out)["why"]["options"]
    assert (option["option"], option["value"], option["other"]) == ("half_standard", True, False)
    assert option["would"]["bets"]["1"] == 550


def test_the_pot_bet_is_reckoned(capsys: pytest.CaptureFixture[str]) -> None:
    game = "{limit: pot-limit, blinds: [5, 10]}"

    assert ruled("{seat: 1, says: pot}", "{seat: 3, action: raise, to: 30}", game=game) == 0

    page = capsys.readouterr().out
    assert "last wager 30, trail 10, start 0: 3 x last wager + trail + start = 100" in page
    assert "The pot bet: 3 x 100 + trail 30 + start 0 = 330." in page


def test_an_act_that_was_held_is_explained_when_it_is_settled(capsys: pytest.CaptureFixture[str]) -> None:
    assert ruled("{seat: 3, action: fold}", "{seat: 1, says: call}") == 0

    page = " ".join(capsys.readouterr().out.split())
    assert "Seat 3 folds, as keyed." in page
    assert "The act of seat 1 out of turn is binding." in page
    assert "bets and raises then 0, now 0: the action has not changed: it binds" in page


def test_a_refused_act_is_illegal_with_its_code_and_status_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert ruled("{seat: 3, action: check}", flags=("--json",)) == 0

    found = json.loads(capsys.readouterr().out)
    assert (found["ruling"], found["error"], found["to"], found["next"]) == ("illegal", "not-open", 0, 3)


def test_a_refused_step_before_is_told_and_the_story_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert ruled("{seat: 3, action: call}", "{seat: 2, action: call}", flags=("--json",)) == 0

    captured = capsys.readouterr()
    assert json.loads(captured.out)["next"] == 1
    sentence = "Wait for seat 3: it is its turn, not seat 2's."
    assert captured.err == f"betline: step 1 was refused, the story goes on: {sentence}\n"


def test_a_step_that_is_no_act_has_no_ruling(capsys: pytest.CaptureFixture[str]) -> None:
    acts = ("{seat: 3, action: call}", "{seat: 1, action: call}", "{seat: 2, action: check}")

    assert ruled("{deal: flop}", *acts, flags=("--json",)) == 0

    found = json.loads(capsys.readouterr().out)
    assert not {"ruling", "to", "returned", "binding", "error"} & set(found)
    assert (found["street"], found["next"], found["pot"]) == ("flop", 1, 300)


FILE = """\
game: {limit: no-limit, blinds: [50, 100]}
seats: {1: 9000, 2: 9000, 3: 9000}
button: 3
play:
  - {seat: 3, action: raise, to: 300}
  - {seat: 1, chips: [1000]}
"""


def test_a_file_needs_no_id_and_no_list_and_may_come_on_standard_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "dispute.yaml"
    file.write_text(FILE)
    monkeypatch.setattr("sys.stdin", io.StringIO(FILE))

    assert run(["rule", str(file), "--json"]) == run(["rule", "-", "--json"]) == 0

    first, second = capsys.readouterr().out.splitlines()
    assert first == second
    assert json.loads(first)["returned"] == 700 + 50


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("chips: [1000]", "cips: [1000]", "dispute.yaml:6: play.1.cips: is not a known key; did you mean chips?"),
        ("chips: [1000]", "chips: [10000]", "dispute.yaml:6: chips: seat 1 has 8950, not 10000."),
        ("no-limit", "nolimit", "dispute.yaml:1: game.limit: cannot be 'nolimit'; did you mean no-limit?"),
        ("button: 3", "buton: 3", "dispute.yaml:3: buton: is not a known key; did you mean button?"),
        ("seats: {1: 9000, 2: 9000, 3: 9000}", "seats: {1: 9000}", "dispute.yaml:1: seats: "),
        ("{limit", "[limit", "dispute.yaml:1: is not valid YAML"),
        (FILE, "", "dispute.yaml:1: must be a case, or a list of cases."),
        ("{seat: 1, chips: [1000]}", "{seat: 1}", "dispute.yaml:6: play.1: "),
    ],
)
def test_a_wrong_file_is_status_2_with_file_line_and_key(
    old: str, new: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "dispute.yaml"
    file.write_text(FILE.replace(old, new))

    assert run(["rule", str(file)]) == 2

    captured = capsys.readouterr()
    assert words in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_a_file_of_many_cases_asks_which(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "many.yaml"
    indented = FILE.replace("\n", "\n  ").rstrip()
    file.write_text(f"- id: one\n  {indented}\n- id: two\n  {indented}\n")

    assert run(["rule", str(file)]) == 2
    assert "many.yaml:8: id: there are 2 cases: name one with --case." in capsys.readouterr().err
    assert run(["rule", str(file), "--case", "three"]) == 2
    assert "there is no case three; there are one, two." in capsys.readouterr().err
    assert run(["rule", str(file), "--case", "two", "--json"]) == 0


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (["--act", "{seat: 3, chips: [100]}"], "--game: is missing."),
        (["--game", GAME, "--seats", SEATS, "--act", "{seat: 3, action: call}"], "--button: name one of"),
        (["--game", "{limit: x"], "Name a case file"),
        (["--game", "{limit: x", "--act", "{seat: 3, action: call}"], "--game: is not valid YAML"),
        (["dispute.yaml", "--game", GAME], "not both"),
        (["dispute.yaml", "--why"], "--why belongs to --json"),
        (["nowhere.yaml"], "nowhere.yaml:1: cannot be read"),
    ],
)
def test_a_wrong_command_line_is_status_2_and_one_sentence(
    line: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rule", *line]) == 2

    captured = capsys.readouterr()
    assert words in captured.err
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize(
    ("act", "before", "house", "words"),
    [
        ("{seat: 3, chips: [100]}", ["{seat: 9, cips: [1]}"], "{}", "--before 1: cips: is not a known key"),
        ("{seat: 3, chips: [9500]}", [], "{}", "--act: chips: seat 3 has 9000, not 9500."),
        ("{seat: 3, chips: [100]}", ["{seat: 3, chips: [9500]}"], "{}", "--before 1: chips: seat 3 has 9000"),
        ("{seat: 3, chips: [100]}", [], "{profile: tdaa}", "--house: profile: there is no profile tdaa; did you"),
        ("{seat: 3, chips: [100]}", [], "{undercal: tda}", "--house: undercal: is not a house rule option; did you"),
    ],
)
def test_an_error_names_its_flag(
    act: str, before: list[str], house: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ruled(act, *before, house=house) == 2

    assert words in capsys.readouterr().err


def test_the_reckoning_is_part_of_the_ruling() -> None:
    (case,) = [case for case in TOLD if case.id == "own-prior-left-alone-two-500s-are-a-call"]
    ruling = play(case).outcome.ruling
    assert ruling is not None

    assert ruling.rule == "every_chip_is_needed"
    assert [(step.rule, dict(step.amounts)) for step in ruling.reckoning] == [
        ("TDA-46", {"from before": 50, "pulled back": 0, "new": 1000, "now out": 1050}),
        ("TDA-45", {"put out": 1050, "smallest chip": 500, "without it": 550, "bet": 600}),
        ("R-036", {"in front": 1050, "bet": 600}),
    ]
