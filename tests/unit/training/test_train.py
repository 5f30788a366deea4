"""`betline train` as people and programs call it: lines, objects, the score, and what is refused."""

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest

from betline.front_door import run
from table_controller.training import deck

ONE = ["--topic", "change", "--questions", "2", "--seed", "3"]


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "betline" / "training"


def train(capsys, monkeypatch, *arguments: str, typed: str = "") -> tuple[int, str, str]:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    status = run(["train", *arguments])
    out, err = capsys.readouterr()
    return status, out, err


def test_lines_ask_explain_and_keep_the_score(capsys, monkeypatch, own_state: Path) -> None:
    status, out, err = train(capsys, monkeypatch, "--text", *ONE, typed="?\nwhat\n1\n1\n2\n2\n3\n3\n")

    assert (status, err) == (0, "")
    assert "Question 1 of 2. Change, splashed pots and other chips." in out
    assert "Seat 1: " in out
    assert "? says this, q ends the sitting" in out
    assert "Type the number of an answer." in out
    assert "Right: " in out or "Wrong. The answer: " in out
    assert "of 2 right at the first try" in out
    assert len(json.loads((own_state / "me.json").read_text(encoding="utf-8"))["cards"]) == 2


def test_objects_have_the_question_first_and_the_answer_after_it(capsys, monkeypatch) -> None:
    status, out, _ = train(capsys, monkeypatch, "--json", *ONE, typed="1\n")
    objects = [json.loads(line) for line in out.splitlines()]

    assert status == 0
    assert [next(iter(one)) for one in objects] == ["question", "answer", "question", "score"]
    assert "is" not in objects[0]["question"]
    assert objects[1]["answer"]["id"] == objects[0]["question"]["id"]
    assert objects[1]["answer"]["explanation"]["why"]
    assert objects[3]["score"]["asked"] == 1


def test_leaving_keeps_what_was_answered(capsys, monkeypatch, own_state: Path) -> None:
    status, out, _ = train(capsys, monkeypatch, "--text", *ONE, "--name", "Ann", typed="1\nq\n")

    assert status == 0
    assert "1 right at the first try" in out or "0 of 1 right" in out
    assert len(json.loads((own_state / "ann.json").read_text(encoding="utf-8"))["cards"]) == 1


def test_the_score_is_by_topic(capsys, monkeypatch) -> None:
    train(capsys, monkeypatch, "--text", *ONE, typed="1\nq\n")

    status, out, _ = train(capsys, monkeypatch, "--score", "--topic", "change", "--json")
    (row,) = json.loads(out)

    assert status == 0
    assert (row["topic"], row["met"], row["answers"]) == ("change", 1, 1)
    assert "Change, splashed pots" in train(capsys, monkeypatch, "--score", "--topic", "change")[1]


def test_players_are_asked_as_you(capsys, monkeypatch) -> None:
    _, out, _ = train(capsys, monkeypatch, "--text", "--player", *ONE, "--house", "home")

    assert "What have you done?" in out
    assert "home-game rules." in out


def test_a_house_of_ones_own_is_asked_by_its_rules(capsys, monkeypatch, tmp_path: Path) -> None:
    file = tmp_path / "our-club.toml"
    file.write_text('profile = "home"\nhalf_standard = false\n', encoding="utf-8")

    status, out, _ = train(
        capsys, monkeypatch, "--text", "--house", str(file), "--topic", "several-chips", "--questions", "1"
    )

    assert status == 0
    assert "the rules of this house." in out


@pytest.fixture
def two_topics(monkeypatch: pytest.MonkeyPatch) -> None:
    """All topics take a second to count."""
    few = [replace(one, cases=one.cases[:3]) for one in deck.chosen(["oversized-chip", "side-pots"])]
    monkeypatch.setattr("table_controller.training.deck.topics", lambda: tuple(few))


@pytest.mark.usefixtures("two_topics")
def test_the_topics_that_have_questions_are_listed_with_how_many(capsys, monkeypatch) -> None:
    status, out, _ = train(capsys, monkeypatch, "--topic", "list")
    dealers, players = [
        json.loads(train(capsys, monkeypatch, *mode, "--topic", "list", "--json")[1]) for mode in ([], ["--player"])
    ]

    assert status == 0
    number = dealers[0]["questions"]
    assert out.splitlines()[0] == f"oversized-chip  One oversized chip (every shift, {number} questions)"
    assert [one["name"] for one in dealers] == ["oversized-chip", "side-pots"]
    assert [one["name"] for one in players] == ["oversized-chip"]
    assert number > 3


def test_a_topic_without_a_question_for_players_says_so(capsys, monkeypatch) -> None:
    for how in ("--text", "--json"):
        status, out, err = train(capsys, monkeypatch, "--player", "--topic", "side-pots", how)

        assert (status, out) == (2, "")
        assert err == (
            "betline: Of side-pots there is no question for a player; betline train --player --topic list names the "
            "topics that have some.\n"
        )
    assert (
        "for a player under the rules of home; betline train --player --house home"
        in (train(capsys, monkeypatch, "--player", "--house", "home", "--topic", "side-pots", "--text")[2])
    )


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["--topic", "oversize-chip"], 2, "There is no topic oversize-chip; did you mean oversized-chip?"),
        (["--house", "casino"], 2, "casino"),
        (["--text", "--theme", "light"], 2, "is for the screen"),
        (["--name", "../me"], 2, "is no name"),
        (["--topic", "pot-limit", "--level", "1"], 2, "No topic of these is of level 1 or below."),
        ([], 2, "There is no terminal here: use --text for lines"),
    ],
)
def test_what_cannot_be_is_one_sentence(capsys, monkeypatch, arguments: list[str], status: int, said: str) -> None:
    got, out, err = train(capsys, monkeypatch, *arguments)

    assert (got, out) == (status, "")
    assert said in err
    assert len(err.splitlines()) == 1


def test_a_damaged_record_is_one_sentence(capsys, monkeypatch, own_state: Path) -> None:
    own_state.mkdir(parents=True)
    (own_state / "me.json").write_text("{", encoding="utf-8")

    status, out, err = train(capsys, monkeypatch, "--text", *ONE)

    assert (status, out) == (1, "")
    assert "is damaged: put it back from a backup" in err
