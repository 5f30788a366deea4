"""The verbs of `betline room`, at tables by hand: sentences, JSON, exit statuses."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

from betline.front_door import run
from betline.people.roll import write_staff
from cardroom.room import events as e
from cardroom.room.journal import RoomJournal
from tests.unit.room.conftest import Betline
from tests.unit.service.staff import STAFF


def test_an_evening_from_the_draw_to_the_prizes(evening: Betline) -> None:
    status, out, _ = evening("draw", "--json")
    drawn = json.loads(out)["moves"]
    assert (status, len(drawn)) == (0, 10)
    assert evening("clock", "start")[0] == 0
    assert json.loads(evening("clock", "--json")[1])["level"] == 1
    assert evening("payouts", "fix")[1].split() == ["place", "1", "585", "place", "2", "315"]
    there = [row["player"] for row in drawn if row["to"].startswith("table t1")]
    status, out, _ = evening("out", f"{there[0]}=500", f"{there[1]}=700")
    assert (status, out.splitlines()[:2]) == (0, [f"{there[1]} is out in place 9.", f"{there[0]} is out in place 10."])
    assert f"{there[0]} is not in main any more" in evening("out", f"{there[0]}=500")[2]

    places = json.loads(evening("payouts", "show", "--json")[1])["places"]

    assert [(row["place"], row["player"]) for row in places] == [(9, there[1]), (10, there[0])]
    _, out, _ = evening("balance", "--at", "t1=1/2/3", "--at", "t2=1/2/3", "--json")
    assert len(json.loads(out)["moves"]) == 1
    assert evening("break", "--order", "t2,t1")[0] == 0
    assert "8 of" not in evening("break")[1]
    status, out, _ = evening("verify", "--json")
    assert status == 0
    assert [(one["why"], one["same"]) for one in json.loads(out)["draws"]] == [("draw", True), ("break", True)]
    seats = [row for row in json.loads(evening("players", "--json")[1]) if "table" in row]
    assert {row["table"] for row in seats} == {"t1"}
    assert len(seats) == 8


def test_a_draw_is_from_the_seed_whose_digest_was_told_before_and_nobody_sees_it_first(
    evening: Betline, tmp_path: Path
) -> None:
    told = json.loads(evening("commit", "--json")[1])["committed"]
    assert json.loads(evening("commit", "--json")[1])["committed"] == told
    assert "before it is made" in evening("draw", "--plan")[2]
    assert "--reason" in evening("draw", "--seed", "x")[2]
    assert json.loads(evening("players", "--json")[1])[0]["state"] == "waits for a seat"

    assert evening("draw")[0] == 0

    (draw,) = json.loads(evening("verify", "--json")[1])["draws"]
    assert hashlib.sha256(draw["seed"].encode()).hexdigest() == told
    assert (draw["committed"], draw["same"]) == (1, True)
    assert json.loads(evening("commit", "--json")[1])["committed"] != told
    proof = evening("proof", str(draw["seq"]))[1]
    file = tmp_path / "draw.json"
    file.write_text(proof)
    assert evening("check-draw", str(file), "--told", told)[0] == 0
    assert "not the one that was told" in evening("check-draw", str(file), "--told", "0" * 64)[2]
    other = json.loads(proof)
    first, second, *_ = sorted(other["places"])
    other["places"][first], other["places"][second] = other["places"][second], other["places"][first]
    file.write_text(json.dumps(other))
    assert f"other seats to {first}, {second}" in evening("check-draw", str(file))[2]
    file.write_text("[]")
    assert "This is no draw" in evening("check-draw", str(file))[2]


def test_a_list_is_drawn_once_and_again_only_with_a_reason_that_stands_in_the_journal(evening: Betline) -> None:
    evening("draw")
    assert "stays" in evening("undo")[2]
    assert evening("redraw", "--tables", "t1,t2")[0] == 0

    assert "drawn already" in evening("redraw", "--tables", "t1,t2")[2]
    assert evening("redraw", "--tables", "t1,t2", "--reason", "a seat stood twice", "--by", "Ann")[0] == 0

    draws = json.loads(evening("verify", "--json")[1])["draws"]
    assert [(one["reason"], one["same"]) for one in draws] == [("", True), ("", True), ("a seat stood twice", True)]
    assert draws[2]["by"] == "Ann"
    assert evening("enter", "Late", "--seat")[0] == 0


@pytest.mark.nightly
def test_a_seed_that_was_lost_is_told_anew_with_the_reason(evening: Betline, tmp_path: Path) -> None:
    told = json.loads(evening("commit", "--json")[1])["committed"]
    (tmp_path / "a.room.seeds").unlink()
    assert "restore that file" in evening("draw")[2]

    again = json.loads(evening("commit", "--reason", "the disk is broken", "--json")[1])["committed"]

    assert again != told
    assert evening("draw")[0] == 0
    log = [json.loads(line) for line in evening("log", "--last", "99", "--json")[1].splitlines()]
    assert [one["event"]["reason"] for one in log if one["kind"] == "draw-committed"] == ["", "the disk is broken", ""]


@pytest.mark.nightly
def test_what_was_drawn_otherwise_than_its_seed_says_is_found(evening: Betline, tmp_path: Path) -> None:
    evening("draw")
    with RoomJournal(tmp_path / "a.room") as journal:
        order = next(one.event for one in journal.happened() if isinstance(one.event, e.MovesOrdered))
        forged = replace(order, seed="f" * 64, reason="none")
        journal.append(lambda _: (forged,), "Mallory")

    status, _, error = evening("verify")

    assert status == 1
    assert "is not what its seed gives, or the seed is not the one that was told" in error


def test_players_and_dealers_of_one_name_are_two_people(betline: Betline) -> None:
    betline("game", "nl", "--cash", "--buy-in", "200")
    betline("table", "c1", "--by-hand")
    betline("wait", "Ann")
    betline("rotation", "string", "main", "c1")
    assert betline("rotation", "on", "Ann", "main")[0] == 0
    assert betline("rotation", "on", "Cleo", "main")[0] == 0
    assert [row["player"] for row in json.loads(betline("players", "--json")[1])] == ["Ann"]
    assert "There is no player Cleo" in betline("move", "Cleo")[2]
    assert "There is no dealer Bob" in betline("rotation", "off", "Bob")[2]
    assert json.loads(betline("rotation", "push", "main", "--json")[1])[0]["at"] == {"c1": "Ann"}
    betline("off", "Ann")
    assert betline("erase", "Ann")[0] == 0
    assert json.loads(betline("rotation", "show", "--json")[1])[0]["at"] == {"c1": "Ann"}
    assert betline("erase", "Cleo")[0] == 0
    assert json.loads(betline("rotation", "show", "--json")[1])[0]["resting"] == ["erased d-2"]


WRONG = (
    (("enter", "P1"), 1, "entered already"),
    (("move", "P"), 1, "There is no player P; did you mean"),
    (("draw", "--game", "other"), 1, "There is no game other; there are main."),
    (("worst", "t3"), 1, "There is no open table t3"),
    (("out", "P1"), 2, "PLAYER=STACK"),
    (("balance", "--at", "t1"), 2, "TABLE=BUTTON/SMALL/BIG"),
    (("clock", "set"), 2, "--level and --left belong to set"),
    (("clock", "dance"), 2, "show, start, pause"),
    (("payouts", "fix", "--shares", "50,x"), 2, "percents"),
    (("count", "cage", "red=1", "--shift", "day"), 1, "nobody is enrolled"),
    (("inventory",), 1, "--take reads the tables"),
    (("rotation", "push", "main"), 1, "no string main"),
    (("call", "t1", "3"), 1, "is a tournament"),
)


def test_an_error_is_a_sentence_and_a_status(evening: Betline) -> None:
    for words, status, sentence in WRONG:
        found, out, error = evening(*words)

        assert (found, out) == (status, ""), words
        assert sentence in error
        assert error.startswith("betline: ")
        assert error.count("\n") == 1


def test_a_cash_game_from_the_list_to_the_seat(betline: Betline) -> None:
    betline("game", "nl", "--cash", "--buy-in", "200")
    betline("table", "c1", "--by-hand")
    assert "place 1" in betline("wait", "Ann")[1]
    assert betline("wait", "Bob", "--phoned")[0] == 0
    assert "Ann: table c1, seat 4" in betline("call", "c1", "4")[1]
    assert betline("seat", "Ann", "c1", "4")[0] == 0

    rows = json.loads(betline("waiting", "--json")[1])
    assert [(row["player"], row["here"]) for row in rows] == [("Bob", False)]
    assert json.loads(betline("players", "--json")[1])[0]["state"] == "table c1, seat 4"
    assert betline("move", "Ann")[0] == 0
    assert "Ann" not in betline("players")[1]
    assert betline("erase", "Ann")[0] == 0
    assert betline("rotation", "string", "main", "c1")[0] == 0
    assert betline("rotation", "on", "Cleo", "main")[0] == 0
    assert json.loads(betline("rotation", "push", "main", "--json")[1])[0]["at"] == {"c1": "Cleo"}
    assert betline("undo")[0] == 0
    assert json.loads(betline("rotation", "show", "--json")[1])[0]["at"] == {"c1": ""}


def test_two_of_the_staff_sign_a_count_with_their_pins(betline: Betline, tmp_path: Path) -> None:
    write_staff(tmp_path / "people.toml", STAFF)
    pins = {}
    for name, pin in (("Ann", "4711"), ("Bob", "0815")):
        pins[name] = tmp_path / name
        pins[name].touch(0o600)
        pins[name].write_text(pin)

    def counted(name: str, red: int, pin_of: str = "") -> tuple[int, str, str]:
        file = str(pins[pin_of or name])
        return betline("count", "cage", f"red={red}", "--shift", "day", "--by", name, "--pin-file", file)

    assert "not the PIN of Bob" in counted("Bob", 9, pin_of="Ann")[2]
    assert "second person counts now" in counted("Ann", 9)[1]
    assert "cannot sign twice" in counted("Ann", 9)[2]
    assert counted("Bob", 8)[0] == 1
    assert counted("Bob", 9)[0] == 0
    assert "Signed by two" in counted("Ann", 9)[1]
    assert "Bob is dealer" in betline("undo", "--by", "Bob", "--pin-file", str(pins["Bob"]))[2]


def test_every_verb_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    from betline.front_door import VERBS, room_of

    group = room_of(VERBS["room"])
    for name, verb in group.commands.items():
        for words in [(name, sub) for sub in getattr(verb, "commands", ())] or [(name,)]:
            assert run(["room", *words, "--help"]) == 0
            assert f"Example: betline room {' '.join(words)}" in capsys.readouterr().out
