"""What `betline journal` says of a journal."""

import json
from pathlib import Path

import pytest

from betline.front_door import run
from table_controller.accounts.read import hands, sentence
from table_controller.journal.entries import Recorded, Stepped
from table_controller.journal.store import Journal
from tests.unit.session.desk import FOUR, GAME, START_MS, Desk


def written(desk: Desk, path: Path) -> None:
    journal = Journal.open(path, "home/home-six", START_MS, 1)
    journal.append(desk.entries, START_MS + 1000, 2)
    journal.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Two hands: one won by folds, one that goes on."""
    desk = Desk()
    desk.begin()
    desk.push(4, 5, 1)
    desk.play()
    desk.key("says", seat=1, text="call")
    desk.key("rest-folds")
    desk.key("rest-folds")
    desk.key("deal")
    desk.key("passive", seat=4)
    desk.key("act", seat=1, action="bet", to=10)
    desk.key("passive", seat=4)
    desk.key("next-hand")
    path = tmp_path / "six.journal"
    written(desk, path)
    return path


def recorded(desk: Desk) -> list[Recorded]:
    return [
        Recorded(number, START_MS, 0, entry.kind, entry.data, "", "") for number, entry in enumerate(desk.entries, 1)
    ]


def test_the_list_names_time_seats_pot_and_winners(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["journal", "list", "--journal", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("hand 1  2023-11-1")
    assert lines[0].endswith("4 seats  pot 15  seat 1 won 15")
    assert lines[1].endswith("4 seats  pot 0  goes on")


def test_the_list_as_json_is_one_document(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["journal", "list", "--json", "--journal", str(path)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(hand["hand"], hand["pot"], hand["winners"]) for hand in found] == [(1, 15, {"1": 15}), (2, 0, None)]
    assert found[0]["seats"] == {"1": 200, "2": 200, "3": 200, "4": 200}


def test_a_hand_is_shown_with_its_words_chips_and_rules_in_order(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["journal", "show", "1", "--journal", str(path)]) == 0
    text = capsys.readouterr().out
    places = [
        text.index(part)
        for part in ("Hand 1 begins", "pushed 5 1", "Seat 4 raises to 6", "says call", "Hand 1 is over")
    ]
    assert places == sorted(places)
    assert "TDA-" in text
    assert "Hand 2" not in text


def test_a_hand_as_json_is_one_object_a_line_with_its_number_in_the_journal(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["journal", "show", "1", "--json", "--journal", str(path)]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["seq"] for one in found] == list(range(found[0]["seq"], found[0]["seq"] + len(found)))
    assert {"hand-began", "observed", "step", "announced", "hand-over"} <= {one["kind"] for one in found}


def test_a_hand_that_is_not_there_gets_a_sentence(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["journal", "show", "7", "--journal", str(path)]) == 1
    assert capsys.readouterr().err == "betline: There is no hand 7 in this journal; it has hands 1 to 2.\n"


def test_verify_tells_a_whole_journal_from_one_that_was_changed(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import sqlite3

    assert run(["journal", "verify", "--journal", str(path)]) == 0
    capsys.readouterr()
    database = sqlite3.connect(path)
    database.execute("DROP TRIGGER entry_stays")
    database.execute("UPDATE entry SET payload = '{}' WHERE seq = 9")
    database.commit()
    database.close()

    assert run(["journal", "verify", "--json", "--journal", str(path)]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["ok"], found["broken"], found["entries"]) == (False, 9, 8)

    assert run(["journal", "verify", "--journal", str(path)]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("betline: The journal was changed after it was written: entry 9 does not have")
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("verb", [["list"], ["show", "1"], ["verify"]])
def test_a_journal_that_cannot_be_read_gets_one_sentence(
    verb: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    garbage = tmp_path / "garbage"
    garbage.write_bytes(b"not a database at all" * 400)
    for path in (tmp_path / "missing", garbage):
        assert run(["journal", *verb, "--journal", str(path)]) == 1
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.startswith("betline: ")
        assert said.err.count("\n") == 1


def test_a_hand_that_was_taken_back_is_not_listed() -> None:
    desk = Desk()
    desk.begin()
    desk.key("rest-folds")
    desk.key("next-hand")
    assert [hand.hand_no for hand in hands(recorded(desk))] == [1, 2]
    desk.key("undo")

    assert [(hand.hand_no, hand.winners) for hand in hands(recorded(desk))] == [(1, {3: 2})]


def test_a_hand_whose_end_was_taken_back_goes_on() -> None:
    desk = Desk()
    desk.begin()
    desk.key("rest-folds")
    desk.key("undo")

    assert [(hand.hand_no, hand.winners) for hand in hands(recorded(desk))] == [(1, None)]


def test_a_table_set_up_without_a_hand_lists_none() -> None:
    desk = Desk()
    desk.key("sit-down", seat=3, stack=100)
    assert hands(recorded(desk)) == ()
    desk.key("setup", game=GAME, seats=FOUR, button=1)
    assert len(hands(recorded(desk))) == 1


def test_a_hand_whose_blinds_are_chopped_is_over_until_that_is_taken_back():
    desk = Desk()
    desk.begin(house={"profile": "home", "chop_blinds": True})
    desk.key("cards-out")
    while (state := desk.session.table_state(1, 1, "")).to_act not in (state.small_blind, state.big_blind):
        desk.key("act", seat=state.to_act, action="fold")

    assert desk.key("chop-blinds").ok
    (summary,) = hands(recorded(desk))
    assert (summary.winners, summary.line().endswith("no pot")) == ({}, True)

    desk.key("undo")
    (summary,) = hands(recorded(desk))
    assert summary.line().endswith("goes on")


def test_what_ends_a_hand_without_a_winner_is_said_in_words() -> None:
    desk = Desk()
    desk.begin(house={"profile": "home", "chop_blinds": True})
    desk.key("cards-out")
    desk.key("act", seat=4, action="fold")
    desk.key("act", seat=1, action="fold")
    assert desk.key("chop-blinds").ok
    assert desk.key("next-hand").ok
    assert desk.key("misdeal").ok
    assert desk.key("undo").ok
    desk.key("cards-out")
    for seat in (1, 2):
        desk.key("act", seat=seat, action="fold")
    assert desk.key("undo", count=2).ok

    said = [sentence(one) for one in recorded(desk) if isinstance(one.entry, Stepped)]
    assert (said[-1], said[-4]) == (
        "The last 2 steps are taken back. (keyed: undo 2)",
        "The last step is taken back. (keyed: undo 1)",
    )
    assert said[-7:-4] == [
        "The blinds are chopped: each goes back to its seat. (keyed: chop)",
        "The next hand begins. (keyed: next_hand)",
        "Misdeal: every chip goes back. (keyed: misdeal)",
    ]
