"""A recorded table comes to the same once more, and what was changed in the recording is found."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from betline import topics
from betline.front_door import run
from betline.messages.people import SignIn
from betline.table_recording.parts import PartsOfRecording
from betline.table_recording.reading import Recording
from betline.table_recording.writing import RecordingWriter
from betline.topics import topic
from table_controller.journal.errors import JournalError
from table_controller.recorder.about import terms_in
from table_controller.session import Session
from table_controller.table_replay.evidence import gathered
from table_controller.table_replay.player import Player
from table_controller.table_replay.track import Track
from table_controller.table_replay.verify import Verdict, turns_of, verified
from tests.unit.table_replay.recorded import RecordedRoom, a_hand, changed


@pytest.fixture(scope="module")
def hand(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recording of one hand; the controller was killed in its middle and started again."""
    room = RecordedRoom(tmp_path_factory.mktemp("table"))
    room.console.publish(topic(topics.SIGN_IN, "one"), SignIn(step="begin", person="ann", public="ab"))
    a_hand(room)
    room.kill()
    room.open()
    room.play(2)
    assert room.key("act", seat=3, action="fold").ok
    return room.recorded()


def verdict(file: Path) -> Verdict:
    recording = Recording(file)
    return verified(recording, terms_in(recording.about))


def test_a_table_comes_to_what_was_recorded_and_to_the_same_hash_each_time(hand: Path) -> None:
    first, again = verdict(hand), verdict(hand)

    assert first.ok, first.difference
    assert first.starts == 2
    assert (first.unheard, first.missing, first.remarks) == (0, 0, ())
    assert set(first.compared) == {"entry", "ruling", "announcement", "reply", "state"}
    assert first.compared["ruling"] >= 5
    assert first.hash == again.hash


def test_a_recording_is_for_its_owner_and_has_no_sign_in(hand: Path) -> None:
    channels = {message.channel for message in Recording(hand).messages()}

    assert hand.stat().st_mode & 0o777 == 0o600
    assert {"/controller", "/journal", "/bus/ruling", "/bus/command/act", "/bus/zone/seat-4/chips"} <= channels
    assert not [channel for channel in channels if "sign-in" in channel]


CHANGES = {
    "ruling": ("/bus/ruling", "to", "ruling"),
    "announcement": ("/bus/announcement", "text", "announcement"),
    "entry": ("/journal", "data.rulings", "entry"),
    "state": ("/bus/state", "street", "state"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_one_changed_value_is_found_and_named(name: str, hand: Path, tmp_path: Path) -> None:
    channel, key, what = CHANGES[name]
    seen = 0

    def change(of: str, line: dict[str, Any]) -> dict[str, Any]:
        nonlocal seen
        if of == channel and (name != "entry" or (line["kind"] == "step" and line["data"]["ruled"])):
            seen += 1
            if seen == 2 and name == "entry":
                line["data"]["rulings"][0]["to"] += 1
            elif seen == 2:
                line[key] = line[key] + 1 if isinstance(line[key], int) else "river"
        return line

    found = verdict(changed(hand, tmp_path / "changed.mcap", change))

    assert not found.ok
    assert found.difference is not None
    assert found.difference.what == what
    assert found.difference.which.startswith(key)
    assert found.difference.sentence.count("recorded") == 1


def test_a_chip_that_was_taken_out_of_a_reading_makes_another_hand(hand: Path, tmp_path: Path) -> None:
    def change(of: str, line: dict[str, Any]) -> dict[str, Any]:
        if of == "/controller" and line.get("given", {}).get("zone") == "seat-4":
            line["given"]["chips"] = line["given"]["chips"][:1]
        return line

    assert verdict(changed(hand, tmp_path / "changed.mcap", change)).difference is not None


def test_a_ruling_that_was_recorded_and_does_not_come_again_is_found(hand: Path, tmp_path: Path) -> None:
    def change(of: str, line: dict[str, Any]) -> dict[str, Any] | None:
        keyed = of == "/controller" and line.get("given", {}).get("is") == "Keyed"
        return None if keyed and line["given"]["asks"]["verb"] == "says" else line

    found = verdict(changed(hand, tmp_path / "changed.mcap", change)).difference

    assert found is not None


@pytest.mark.parametrize("kept", [0, 1], ids=["whole turns", "the end of a turn is heard"])
def test_what_a_recorder_did_not_hear_for_a_while_is_told_and_no_difference(
    kept: int, hand: Path, tmp_path: Path
) -> None:
    first, second, *_ = [one.line["seq"] for one in Recording(hand).messages("/bus/ruling")]

    def change(of: str, line: dict[str, Any]) -> dict[str, Any] | None:
        of_controller = of.startswith("/bus/") and line["sender"] == "controller"
        return None if of_controller and first - 1 <= line["seq"] <= second - kept else line

    found = verdict(changed(hand, tmp_path / "changed.mcap", change))

    assert found.ok, found.difference
    assert found.unheard >= 2


@pytest.fixture(scope="module")
def chunked(hand: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same in ten chunks; the recorder ends one a second, and the hand is over sooner or later."""
    recording, to = Recording(hand), tmp_path_factory.mktemp("chunked") / "chunked.mcap"
    messages = list(recording.messages())
    about = {key: value for key, value in recording.about.items() if key != "version"}
    with RecordingWriter(to, about) as writer:
        for number, one in enumerate(messages):
            writer.message(one.channel, one.at_ns, one.data, sent_ns=one.sent_ns, number=one.number)
            if number % (len(messages) // 10) == 0:
                writer.flush()
    return to


def test_a_file_that_was_cut_is_read_and_verified_up_to_the_cut(
    chunked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = list(Recording(chunked).messages())
    cut = tmp_path / "cut.mcap"
    cut.write_bytes(chunked.read_bytes()[: chunked.stat().st_size * 3 // 10])

    recording = Recording(cut)
    messages = list(recording.messages())
    found = verdict(cut)

    assert recording.trouble is not None
    assert not recording.trouble.damaged
    assert 0 < len(messages) < len(whole)
    assert messages == whole[: len(messages)]
    assert found.difference is None
    assert any("killed" in remark for remark in found.remarks)
    for words in (["--verify"], ["--list"], ["--until", "0:00", "--json"]):
        assert run(["replay-table", str(cut), *words]) == 0
        out, err = capsys.readouterr()
        assert "is cut off at" in err
        assert "DAMAGED" not in out


def chunks_of(file: Path) -> list[int]:
    """Where the chunks of a recording begin."""
    data = file.read_bytes()
    return [
        match.start() - 37 for match in re.finditer(rb"\x04\x00\x00\x00zstd", data) if data[match.start() - 37] == 6
    ]


def damaged(source: Path, to: Path, chunk: int, at: int, with_bytes: bytes, *, end: bool = True) -> Path:
    """A copy with other bytes so far behind the beginning of a chunk; with no end, as a killed recorder leaves it."""
    data, place = bytearray(source.read_bytes()), chunks_of(source)[chunk] + at
    data[place : place + len(with_bytes)] = with_bytes
    to.write_bytes(data if end else data[: data.rindex(b"\x0f\x04\x00\x00\x00\x00\x00\x00\x00")])
    return to


@pytest.mark.parametrize("end", [True, False], ids=["a whole end", "its recorder was killed besides"])
@pytest.mark.parametrize(
    ("at", "with_bytes"),
    [(120, b"damage" * 20), (1, b"\xff\xff\xff\x00"), (0, bytes(300)), (0, b"\xfe"), (41, b"lz9 ")],
    ids=["its data", "its length", "zeros", "its kind", "its compression"],
)
def test_damage_in_the_middle_is_told_with_what_is_missing_and_is_not_as_recorded(
    at: int, with_bytes: bytes, end: bool, chunked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = list(Recording(chunked).messages())
    middle = len(chunks_of(chunked)) // 2
    file = damaged(chunked, tmp_path / "damaged.mcap", middle, at, with_bytes, end=end)

    recording = Recording(file)
    messages = list(recording.messages())
    assert 0 < len(messages) < len(whole)
    assert messages == whole[: len(messages)]
    trouble = recording.trouble
    assert trouble is not None
    assert (trouble.damaged, trouble.exact) == (True, end)
    missing = len(whole) - len(messages)
    assert trouble.lost_messages == missing if end else 0 < trouble.lost_messages < missing
    assert trouble.after_s + trouble.lost_s == pytest.approx((whole[-1].at_ns - whole[0].at_ns) / 1e9, abs=0.1)

    assert run(["replay-table", str(file), "--verify"]) == 1
    out, err = capsys.readouterr()
    assert "killed" not in err
    assert f"{trouble.lost_messages} messages" in err
    assert "As recorded" not in out
    assert run(["replay-table", str(file), "--verify", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["ok"], told["cut"], told["damaged"]["lost_messages"]) == (False, False, trouble.lost_messages)
    run(["replay-table", str(file), "--list"])
    assert "is damaged at" in capsys.readouterr().err


@pytest.mark.parametrize("share", [4, 10])
def test_a_recording_that_grows_while_it_is_read_is_cut_and_not_damaged(
    share: int, chunked: Path, tmp_path: Path
) -> None:
    whole, file = chunked.read_bytes(), tmp_path / "growing.mcap"
    file.write_bytes(whole[: len(whole) * 3 // 10])

    recording = Recording(file)
    messages = recording.messages()
    next(messages)
    file.write_bytes(whole[: len(whole) * share // 10])
    read = 1 + sum(1 for _ in messages)
    assert 0 < read < len(list(Recording(chunked).messages()))
    assert recording.trouble is not None
    assert not recording.trouble.damaged


def test_an_index_that_is_damaged_takes_nothing_away(chunked: Path, tmp_path: Path) -> None:
    file = tmp_path / "index.mcap"
    file.write_bytes(chunked.read_bytes()[:-20])
    found = verdict(file)

    assert found.ok
    assert found.remarks == (
        "The index at the end of the recording is not whole; nothing that was recorded is missing.",
    )


def test_the_last_chunk_of_a_killed_recorder_may_be_damaged_too(chunked: Path, tmp_path: Path) -> None:
    found = verdict(damaged(chunked, tmp_path / "last.mcap", -1, 120, b"damage", end=False))

    assert not found.ok
    assert found.remarks[-1].endswith("what was recorded behind that is missing.")


def test_inputs_that_could_not_be_noted_are_told(hand: Path, tmp_path: Path) -> None:
    numbers: list[int] = []

    def change(of: str, line: dict[str, Any]) -> dict[str, Any]:
        if of == "/controller":
            numbers.append(line["n"])
            if len(numbers) == 3:
                return {"n": line["n"], "kind": "dropped", "count": 7}
        return line

    assert verdict(changed(hand, tmp_path / "gap.mcap", change)).missing == 7


def test_one_can_go_back_to_any_turn(hand: Path) -> None:
    recording = Recording(hand)
    track = Track(recording, terms_in(recording.about))
    track.read()
    history = gathered(recording).history
    turns = range(1, track.turns + 1, track.turns // 8)
    played = Player.new(track.terms)
    forwards = []
    for number, turn in enumerate(turns_of(recording), start=1):
        played, _ = played.after(turn, history)
        if number in turns:
            forwards.append(track.state(played))

    assert len(forwards) >= 8
    assert [track.state(track.at(turn)) for turn in reversed(turns)] == forwards[::-1]
    assert next(one.text for one in track.marks if one.kind == "ruling").startswith("Seat 4 raises to 7")
    assert track.turn_of_hand(1) is not None
    assert track.turn_of_hand(2) is None


def test_the_command_says_what_was_compared_and_fails_where_it_differs(
    hand: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def change(of: str, line: dict[str, Any]) -> dict[str, Any]:
        return {**line, "to": line["to"] + 1} if of == "/bus/ruling" else line

    assert run(["replay-table", str(hand), "--verify"]) == 0
    assert "As recorded:" in capsys.readouterr().out
    assert run(["replay-table", str(changed(hand, tmp_path / "c.mcap", change)), "--verify", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["difference"]["what"] == "ruling"


def test_the_list_and_the_state_then(hand: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay-table", str(hand), "--list", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {"start", "command", "hand", "ruling", "announcement"} <= {row["kind"] for row in rows}
    assert run(["replay-table", str(hand), "--until", "hand:1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["state"]["hand_no"] == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--verify", "--list"], "Say one of"),
        (["--should", "ruling=call"], "belong to --case"),
        (["--until", "noon", "--json"], "is no place"),
        (["--until", "hand:9", "--json"], "; it has hand 1."),
        (["--until", "99:99", "--json"], ".mcap ends at 0:"),
        ([], "needs a terminal"),
    ],
)
def test_what_is_asked_wrongly_is_one_sentence(
    words: list[str], said: str, hand: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["replay-table", str(hand), *words]) in (1, 2)
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1


def test_what_is_no_recording_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other.mcap"
    other.write_bytes(b"no recording")

    assert run(["replay-table", str(other), "--verify"]) == 2
    assert "is no recording of a table" in capsys.readouterr().err
    assert run(["replay-table", str(tmp_path / "none.mcap"), "--verify"]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_without_the_library_it_is_said_what_to_install(
    hand: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "mcap.records", None)

    assert run(["replay-table", str(hand), "--verify"]) == 2
    assert "pip install 'betline[lab]'" in capsys.readouterr().err


@pytest.mark.parametrize("verb", ["run", "demo"])
def test_a_recording_that_is_there_is_not_written_over(
    verb: str, hand: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = hand.read_bytes()

    assert run([verb, "--table", "home-six", "--record", str(hand)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert hand.read_bytes() == before


def test_a_demonstration_has_the_parts_of_a_recording(tmp_path: Path) -> None:
    parts = PartsOfRecording(tmp_path / "one.mcap", tmp_path / "taps", "127.0.0.1:8765")

    assert parts.words()[:3] == ["record", str(tmp_path / "one.mcap"), "--next-name"]
    assert parts.words()[-1] == "http://127.0.0.1:8765/stream.mjpg"
    assert parts.tap == ["--taps", str(tmp_path / "taps")]
    assert (PartsOfRecording(None).tap, PartsOfRecording(None).page) == ([], [])


def test_what_was_heard_while_the_journal_could_not_be_written_is_replayed_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = RecordedRoom(tmp_path)
    a_hand(room)
    with monkeypatch.context() as broken:

        def full(*_: object) -> None:
            raise JournalError("full", "The disk is full: make room.")

        broken.setattr(room.journal, "append", full)
        assert not room.key("act", seat=3, action="fold").ok
        room.play(3)
    room.controller._writing._try_s = 0.0
    assert room.key("act", seat=3, action="fold").ok
    file = room.recorded()

    found = verdict(file)

    assert any(message.line.get("is") == "HeardOnly" for message in Recording(file).messages("/controller"))
    assert found.ok, found.difference


def test_a_fault_of_the_program_that_is_mended_is_a_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = RecordedRoom(tmp_path)
    a_hand(room)
    with monkeypatch.context() as broken:
        broken.setattr(Session, "_keyed", lambda *_: 1 / 0)
        assert room.key("act", seat=3, action="fold").code == "internal"
    assert room.key("act", seat=3, action="fold").ok

    found = verdict(room.recorded()).difference

    assert found is not None
    assert (found.what, found.recorded, found.replayed) == ("fault", "a fault of the program", "none")
