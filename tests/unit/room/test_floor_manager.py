"""What a floor manager types that is not quite usual: from another folder, with two games, a seat that is needed."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from betline.front_door import VERBS, room_of
from betline.settings import config_dir
from cardroom.room import prizes
from cardroom.room.errors import RoomError
from tests.unit.project.imports import ROOT
from tests.unit.room.conftest import Betline

OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
CALL = re.compile(
    r"betline room (?P<words>[a-z][a-z -]*?)(?= [^a-z-]| --|[:;.,)]|$)(?P<rest>(?:(?!betline room)[^.;:)])*)"
)
RAISED = ("RoomError", "UserError", "wrong_usage")


def options_of(verb: click.Command) -> set[str]:
    """All options that a verb has, or some verb below it."""
    own = {one for parameter in verb.params for one in parameter.opts}
    return own.union(*(options_of(below) for below in getattr(verb, "commands", {}).values()))


def sentences(source: str) -> Iterator[str]:
    """The texts in what a program raises as an error for people, or refuses as wrong usage; X for what is put in."""
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in RAISED:
            for text in call.args:
                parts = text.values if isinstance(text, ast.JoinedStr) else [text]
                yield "".join(str(one.value) if isinstance(one, ast.Constant) else "X" for one in parts)


def wrong_options(sentence: str) -> list[str]:
    """What a sentence tells people to say and no verb has: of the verb that it names before, else of any."""
    room = room_of(VERBS["room"])
    found = [one for one in OPTION.findall(sentence) if one not in options_of(room)]
    for call in CALL.finditer(sentence):
        verb, words = room, call["words"].split()
        while words and words[0] in getattr(verb, "commands", {}):
            verb = verb.commands[words.pop(0)]  # type: ignore[attr-defined]
        found += [one for one in OPTION.findall(call["rest"]) if one not in options_of(verb)]
    return found


def test_an_option_that_a_sentence_names_is_one_of_some_verb_and_of_the_verb_that_it_names() -> None:
    said = [one for path in (ROOT / "cardroom/room").rglob("*.py") for one in sentences(path.read_text("utf-8"))]

    assert sum("--" in one for one in said) > 15
    assert [(one, wrong) for one in said if (wrong := wrong_options(one))] == []
    assert wrong_options("Later: betline room moves --carry-out.") == []
    assert wrong_options("Later: betline room moves --stack 4, or betline room game --carry-out.") == [
        "--stack",
        "--carry-out",
    ]
    assert wrong_options("Say --nothing.") == ["--nothing"]


def test_a_stack_of_a_chop_is_named_as_it_is_written_and_a_model_by_its_option() -> None:
    with pytest.raises(RoomError, match="each above 0: PLAYER=CHIPS"):
        prizes.chop_by_icm({"a": 0, "b": 100}, [70, 30])
    with pytest.raises(RoomError, match="--model chips"):
        prizes.chop_by_icm({f"p-{one}": 100 for one in range(16)}, [1] * 16)


def test_a_games_levels_are_found_from_another_folder(
    betline: Betline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, elsewhere = tmp_path / "here", tmp_path / "elsewhere"
    here.mkdir()
    elsewhere.mkdir()
    (here / "mine.toml").write_text((config_dir() / "tables" / "tournament.toml").read_text(encoding="utf-8"))
    monkeypatch.chdir(here)
    assert betline("game", "main", "--levels", "mine.toml", "--stack", "100")[0] == 0
    assert betline("game", "shipped", "--levels", "tournament", "--stack", "100")[0] == 0
    monkeypatch.chdir(elsewhere)

    status, _, error = betline("clock", "start", "--game", "main")

    assert (status, error) == (0, "")
    log = [json.loads(line)["event"] for line in betline("log", "--json")[1].splitlines()]
    assert [one["levels"] for one in log if "levels" in one] == [str(here / "mine.toml"), "tournament"]


def test_the_clock_and_hand_for_hand_are_those_of_the_one_game_that_has_a_clock(evening: Betline) -> None:
    assert evening("game", "nl", "--cash", "--buy-in", "200")[0] == 0

    assert evening("clock", "start")[0] == 0
    assert json.loads(evening("clock", "--json")[1])["game"] == "main"
    assert evening("hand-for-hand", "on")[0] == 0
    assert evening("hand-for-hand", "ended", "t1")[0] == 0
    assert evening("game", "second", "--levels", "tournament", "--stack", "100")[0] == 0
    assert "--game: main, nl, second" in evening("clock")[2]


def test_undo_of_hand_for_hand_names_the_clock_that_went_back_with_it(evening: Betline) -> None:
    assert evening("clock", "start")[0] == 0
    assert evening("hand-for-hand", "on")[0] == 0
    log = [json.loads(line) for line in evening("log", "--json")[1].splitlines()]
    on = next(one["seq"] for one in log if one["kind"] == "hand-for-hand")

    told = evening("undo")[1]

    assert f"Entry {on} (hand-for-hand) is taken back, with {on + 1} (clock-set)" in told


def test_who_is_out_had_chips_at_the_start_of_the_hand(evening: Betline) -> None:
    before = evening("log", "--last", "99")[1]

    status, out, error = evening("out", "P1=0")

    assert (status, out) == (1, "")
    assert "Who goes out had chips at the start of that hand" in error
    assert evening("log", "--last", "99")[1] == before


def test_a_move_to_a_taken_seat_is_told_which_seats_are_open(evening: Betline) -> None:
    assert evening("seat", "P3", "t2", "1", "--why", "TDA 9")[0] == 0
    assert evening("seat", "P4", "t2", "3", "--why", "TDA 9")[0] == 0

    status, _, told = evening("move", "P3", "t2", "3")

    assert status != 0
    assert "Seat 3 is not open; open at table t2: 2, 4, 5, 6, 7, 8, 9." in told


def test_tda_9_a_seat_that_is_needed_is_given_before_the_draw_or_by_a_move_and_the_journal_has_the_reason(
    evening: Betline,
) -> None:
    assert evening("seat", "P3", "t2", "1", "--why", "TDA 9")[0] == 0

    drawn = json.loads(evening("draw", "--json")[1])["moves"]
    assert len(drawn) == 9
    assert "P3" not in {one["player"] for one in drawn}
    assert "table t2, seat 1" not in {one["to"] for one in drawn}
    free = next(seat for seat in range(1, 10) if f"table t1, seat {seat}" not in {one["to"] for one in drawn})
    assert evening("move", "P3", "t1", str(free), "--why", "TDA 9, by the door")[0] == 0

    log = [json.loads(line) for line in evening("log", "--last", "99", "--json")[1].splitlines()]
    ordered = [one["event"] for one in log if one["kind"] == "moves-ordered" and one["event"]["why"] == "floor"]
    assert [one["reason"] for one in ordered] == ["TDA 9", "TDA 9, by the door"]
    (draw,) = json.loads(evening("verify", "--json")[1])["draws"]
    assert draw["same"]
