"""Answers to files without a terminal: what is usual, what must be said, what is kept, what is refused."""

import json
import tomllib
from pathlib import Path
from typing import get_args

import pytest

from betline.front_door import run
from betline.settings import HouseRules, load_house_rules, load_table
from betline.setup.files import answers_of, answers_text, files_of
from betline.setup.interview import asked, completed, next_asked, pruned, read_all, with_answer
from betline.setup.question import AnswerError, Found, FoundReader
from betline.setup.screens import app
from betline.setup.sections.house import DISAGREEMENTS, usual_options
from betline.tables.check import findings

SIZE = {"shape.size": "2100x1050", "shape.seats": "8"}
TWO_READERS = Found((FoundReader("usb:A1", "feig", 38400), FoundReader("usb:B2", "feig", 115200)))


def quiet(folder: Path, *words: str) -> int:
    return run(["setup", "--dir", str(folder), "--no-probe", "--yes", *words])


def test_two_answers_are_enough_for_a_table_that_passes_its_check(tmp_path: Path, capsys) -> None:
    assert quiet(tmp_path / "t", "--set", "shape.size=2100x1050", "--set", "shape.seats=8", "--json") == 0

    said = json.loads(capsys.readouterr().out)
    table = load_table(tmp_path / "t" / "table.toml")
    assert len(table.seats) == 8
    assert findings(table) == ()
    assert said["start"] == f"betline run --table {tmp_path}/t/table.toml"


def test_what_nobody_said_is_named_and_nothing_is_written(tmp_path: Path, capsys) -> None:
    assert quiet(tmp_path / "t", "--set", "shape.form=round") == 2

    assert "Still to be answered: shape.size, shape.seats." in capsys.readouterr().err
    assert not (tmp_path / "t").exists()


def test_without_a_terminal_it_says_what_comes_next(tmp_path: Path, capsys) -> None:
    assert run(["setup", "--dir", str(tmp_path), "--no-probe"]) == 2
    assert "There is no terminal to ask at; shape.title comes next" in capsys.readouterr().err


@pytest.mark.one_in(15)
@pytest.mark.parametrize(
    ("pair", "words"),
    [
        ("shape.form=ovl", "choose oval, racetrack"),
        ("shape.sise=2100x1050", "did you mean shape.size?"),
        ("shape.size=big", "write it as 2100x1050"),
        ("shape.seats=11", "2 to 10"),
        ("game.blinds=2/1", "write the small and the big blind as 1/2"),
        ("camera.source=http://me:secret@10.0.0.1/", "must not hold a password"),
        ("readers.connected=/dev/ttyUSB0 feig", "changes with the order of plugging in"),
        ("readers.connected=usb:A1 feik", "did you mean feig?"),
        ("readers.connected=usb:A1 feig, usb:A1 feig", "twice"),
        ("readers.connected=usb:A1 feig, usb:B1 m6e", "take one kind"),
        ("broker.url=here:99999", "broker.url"),
        ("broker.url=mqtt://console:secret@here:1883", "broker.url"),
        ("people.staff=Ann boss", "roles are"),
        ("chips.set=casino", "choose cash"),
        ("x", "write KEY=VALUE"),
    ],
)
def test_a_wrong_answer_is_refused_with_what_would_be_right(pair: str, words: str, tmp_path: Path, capsys) -> None:
    assert quiet(tmp_path / "t", "--set", "shape.size=2100x1050", "--set", "shape.seats=8", "--set", pair) == 2
    assert words in capsys.readouterr().err


def test_seats_that_do_not_fit_the_felt_are_refused(tmp_path: Path, capsys) -> None:
    assert quiet(tmp_path / "t", "--set", "shape.size=1500x900", "--set", "shape.seats=10") == 2
    assert "10 seats do not fit" in capsys.readouterr().err


def test_blinds_that_the_chips_cannot_make_are_refused(tmp_path: Path, capsys) -> None:
    own = ["--set", "chips.set=own", "--set", "chips.values=5 red, 25 green"]
    assert quiet(tmp_path / "t", *own, "--set", "game.blinds=1/2") == 2
    assert "cannot be put out in chips of 5" in capsys.readouterr().err


def test_a_broker_that_is_there_stands_in_the_table_file_with_its_logins(tmp_path: Path) -> None:
    full = completed({**SIZE, "broker.url": "mqtts://broker.lan:8883", "broker.logins": "logins"})
    for name, text in files_of(full).items():
        (tmp_path / name).write_text(text)
    broker = load_table(tmp_path / "table.toml").broker

    assert broker is not None
    assert broker.url == "mqtts://broker.lan:8883"
    assert broker.logins == str(tmp_path / "logins")
    assert load_table_without_broker(tmp_path) is None


def load_table_without_broker(folder: Path) -> object:
    (folder / "table.toml").write_text(files_of(completed(SIZE))["table.toml"])
    return load_table(folder / "table.toml").broker


def test_own_chips_are_a_chip_set_that_the_table_names(tmp_path: Path) -> None:
    own = ["--set", "chips.set=own", "--set", "chips.values=5 red, 25 green"]
    sized = [word for key, text in SIZE.items() for word in ("--set", f"{key}={text}")]
    assert quiet(tmp_path / "t", *sized, *own) == 0

    table = load_table(tmp_path / "t" / "table.toml")
    assert table.game.blinds == (5, 10)
    assert table.chip_set == str(tmp_path / "t" / "chips.toml")


def test_an_answers_file_gives_the_same_files_again(tmp_path: Path) -> None:
    full = completed({**SIZE, "shape.title": "Kitchen", "house.straddle_positions": "any"})

    assert answers_of(tomllib.loads(answers_text(full)), "x") == full
    assert files_of(read_all(full)) == files_of(full)


def test_every_house_question_offers_what_the_option_takes_and_the_profiles_answer_is_preselected() -> None:
    for one in DISAGREEMENTS:
        field = HouseRules.model_fields[one.option]
        taken = {str(value) for value in get_args(field.annotation)} or {"true", "false"}
        assert {choice.value for choice in one.choices} <= taken, one.option
        for profile in ("home", "cash", "tda"):
            assert usual_options(profile)[one.option] in {choice.value for choice in one.choices}, one.option


@pytest.mark.one_in(30)
@pytest.mark.parametrize("profile", ["home", "cash", "tda"])
@pytest.mark.parametrize("one", DISAGREEMENTS, ids=lambda one: one.option)
def test_a_house_answer_is_the_rule_in_force(profile: str, one, tmp_path: Path) -> None:
    for choice in one.choices:
        full = completed({**SIZE, "house.profile": profile, f"house.{one.option}": choice.value})
        file = tmp_path / "house.toml"
        file.write_text(files_of(full)["house.toml"])
        value = getattr(load_house_rules(file), one.option)
        assert (str(value).lower() if isinstance(value, bool) else str(value)) == choice.value


def test_found_readers_are_preselected_and_their_antennas_must_be_said() -> None:
    question = next(one.question for one in asked(SIZE, TWO_READERS) if one.question.key == "readers.connected")
    assert question.usual == "usb:A1 feig 38400, usb:B2 feig 115200"
    with pytest.raises(AnswerError, match=r"readers\.antennas"):
        completed(SIZE, TWO_READERS)


def test_each_antenna_serves_one_zone_and_stands_in_the_table_file(tmp_path: Path) -> None:
    given = {"shape.size": "1500x1000", "shape.seats": "3", "readers.antennas": "2", "readers.seat-1": "usb:B2 2",
             "readers.seat-2": "usb:A1 1", "readers.seat-3": "usb:A1 2", "readers.pot": "usb:B2 1"}  # fmt: skip
    full = completed(read_all(given, TWO_READERS), TWO_READERS)
    for name, text in files_of(full).items():
        (tmp_path / name).write_text(text)
    table = load_table(tmp_path / "table.toml")
    served = {(r.port, a.antenna, r.baud): a.zone for r in table.readers for a in r.antennas}

    assert served == {
        ("usb:A1", 1, 38400): "seat-2",
        ("usb:A1", 2, 38400): "seat-3",
        ("usb:B2", 1, 115200): "pot",
        ("usb:B2", 2, 115200): "seat-1",
    }
    with pytest.raises(AnswerError, match=r"readers\.seat-2 cannot be"):
        read_all({**given, "readers.seat-2": "usb:B2 2"}, TWO_READERS)


@pytest.mark.nightly
def test_the_questions_can_be_answered_one_after_the_other_and_resumed_anywhere() -> None:
    answers: dict[str, str] = {}
    steps = 0
    while (one := next_asked(answers, TWO_READERS)) is not None:
        usual = one.question.usual or one.question.choices[0].value
        answers = with_answer(answers, one.question, usual, TWO_READERS)
        assert read_all(answers, TWO_READERS) == answers
        steps += 1
    assert steps == len(asked(answers, TWO_READERS))
    assert set(files_of(answers)) == {"table.toml", "house.toml"}


def test_a_changed_answer_takes_away_those_that_it_makes_impossible() -> None:
    full = completed({**SIZE, "shape.seats": "10", "shape.size": "2600x1200"})
    changed = pruned({**full, "shape.size": "1500x900"})

    assert set(full) - set(changed) == {"shape.seats"}


def test_one_part_is_changed_later_and_the_rest_stays(tmp_path: Path) -> None:
    sized = [word for key, text in SIZE.items() for word in ("--set", f"{key}={text}")]
    assert quiet(tmp_path / "t", *sized, "--set", "shape.title=Kitchen") == 0
    assert run(["table", "edit", str(tmp_path / "t" / "table.toml"), "--move", "seat-3.bet_zone=0,-15"]) == 0
    assert quiet(tmp_path / "t", "--set", "camera.source=usb:1") == 0

    table = load_table(tmp_path / "t" / "table.toml")
    assert (table.title, table.cameras[0].source) == ("Kitchen", "usb:1")
    assert "[moved]" in (tmp_path / "t" / "table.toml").read_text()
    assert not list((tmp_path / "t").glob("*.before"))


def test_what_somebody_changed_by_hand_is_kept_beside(tmp_path: Path, capsys) -> None:
    sized = [word for key, text in SIZE.items() for word in ("--set", f"{key}={text}")]
    assert quiet(tmp_path / "t", *sized) == 0
    house = tmp_path / "t" / "house.toml"
    house.write_text(house.read_text() + "tiny_chip = 'floor'\n")
    assert quiet(tmp_path / "t", "--set", "house.run_it=1") == 0

    assert "tiny_chip" in (tmp_path / "t" / "house.toml.before").read_text()
    assert "house.toml.before" in capsys.readouterr().out


def test_no_answer_is_readable_by_others(tmp_path: Path) -> None:
    sized = [word for key, text in SIZE.items() for word in ("--set", f"{key}={text}")]
    assert quiet(tmp_path / "t", *sized) == 0
    assert (tmp_path / "t" / "answers.toml").stat().st_mode & 0o077 == 0


def test_a_wrong_answer_in_a_file_is_refused_and_one_that_the_new_ones_make_impossible_is_asked_again(
    tmp_path: Path, capsys
) -> None:
    file = tmp_path / "answers.toml"
    file.write_text('[shape]\nsize = "2100x1050"\nseats = 8\nform = "ovl"\n')
    assert quiet(tmp_path / "t", "--answers", str(file)) == 2
    assert "shape.form cannot be 'ovl'" in capsys.readouterr().err

    file.write_text('[shape]\nsize = "2600x1200"\nseats = 10\n')
    assert quiet(tmp_path / "t", "--answers", str(file)) == 0
    assert quiet(tmp_path / "t", "--set", "shape.size=1500x900") == 2
    assert "Still to be answered: shape.seats." in capsys.readouterr().err


@pytest.mark.parametrize(("kind", "asked"), [("xterm-256color", True), ("dumb", False)])
def test_the_wizard_needs_a_terminal_that_can_draw_and_says_how_to_go_on(
    kind: str, asked: bool, tmp_path: Path, capsys, monkeypatch
) -> None:
    shown = []
    monkeypatch.setattr(app, "run_wizard", lambda *_words: shown.append(True) or 0)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", kind)

    status = run(["setup", "--dir", str(tmp_path / "t"), "--no-probe"])

    said = capsys.readouterr().err
    assert (status, bool(shown)) == ((0, True) if asked else (2, False))
    assert ("go on: betline setup --dir" if asked else "There is no terminal to ask at") in said
