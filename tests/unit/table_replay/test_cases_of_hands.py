"""A ruling of a journal becomes a case by one command: it passes as it was, and fails where it should be another."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from betline.front_door import run
from table_controller.tools.case_of_hand import _flow
from tests.unit.table_replay.recorded import RecordedRoom, a_hand


def all_fold(room: RecordedRoom) -> None:
    while room.state.to_act is not None:
        assert room.key("act", seat=room.state.to_act, action="fold").ok


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A recording and its journal: three hands, in which somebody misses blinds, comes back, and the floor decides."""
    room = RecordedRoom(tmp_path_factory.mktemp("evening"))
    a_hand(room)
    assert room.key("act", seat=3, action="fold").ok
    assert room.key("deal", street="flop").ok
    all_fold(room)
    assert room.key("sit-out", seat=3).ok
    for _ in range(2):
        assert room.key("next-hand").ok
        assert room.key("cards-out").ok
        all_fold(room)
    assert room.key("return", seat=3, post=True).ok
    assert room.key("next-hand").ok
    assert room.key("cards-out").ok
    seat = room.state.to_act
    assert room.key("says", seat=seat, text="raise to 7").ok
    return room.recorded(), room.path


def made(words: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    assert run([*words, "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.parametrize("place", ["1:1", "1:2", "1:3", "1", "2", "3", "4"])
def test_every_ruling_of_an_evening_is_a_case_that_passes(
    place: str, evening: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    found = made(["journal", "case", place, "--journal", str(evening[1])], capsys)

    assert found["passed"], found["failures"]
    assert found["faithful"]


def test_the_recording_gives_the_same_case_as_the_journal(
    evening: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    recording, journal = evening
    of_journal = made(["journal", "case", "4", "--journal", str(journal)], capsys)

    assert made(["replay-table", str(recording), "--case", "4"], capsys) == of_journal


def test_a_hand_in_which_blinds_are_made_up_is_told_from_the_table_before_it(
    evening: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    text = made(["journal", "case", "4", "--journal", str(evening[1])], capsys)["case"]

    assert isinstance(text, str)
    assert "next_hand" in text or "button:" in text
    assert "{seat: " in text


def test_seats_are_in_the_order_of_their_numbers() -> None:
    assert _flow({"seats": {"1": 5, "10": 6, "2": 7}, "chips": [5, 1]}) == "{seats: {1: 5, 2: 7, 10: 6}, chips: [5, 1]}"


def test_what_it_should_have_been_is_a_case_that_fails_until_the_rule_is_mended(
    evening: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "wrong.yaml"
    words = ["journal", "case", "1:1", "--journal", str(evening[1]), "-o", str(file)]

    assert run([*words, "--should", "ruling=call,to=2,cites=[TDA-45]"]) == 0
    assert "Today: FAIL hand-1-act-1" in capsys.readouterr().err
    assert run(["cases", str(file)]) == 1
    assert "ruling: expected call, got raise" in capsys.readouterr().out
    assert run(words) == 1
    assert "is there already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["9"], "There is no hand 9; there are hands 1 to 4."),
        (["1:99"], "no act 99"),
        (["one"], "is no ruling"),
        (["1:1", "--should", "call"], "is not KEY=VALUE"),
        (["1:1", "--should", "ruling=perhaps"], "--should: ruling:"),
    ],
)
def test_what_cannot_be_a_case_is_one_sentence(
    words: list[str], said: str, evening: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["journal", "case", *words, "--journal", str(evening[1])]) in (1, 2)
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
