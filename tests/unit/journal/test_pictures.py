"""From a dispute about an act to the camera's pictures of it: the journal's ids and the command that it prints."""

import json
import shlex
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from betline.bus import MemoryBus
from betline.front_door import run
from betline.messages.devices import LineEvent, LineEventType
from betline.topics import SEAT_LINE, topic
from table_controller.accounts.pictures import SHOW, pictured
from table_controller.journal.entries import Recorded
from tests.unit.service.room import NAMES, SETUP, Room
from vision.clips.keeper import Bounds, RingKeeper
from vision.imaging.sources import Frame


def step(seq: int, at_ms: int, seat: int | None, **written: object) -> Recorded:
    act = {"seat": seat, "action": "call"}
    ruling = {"hand_no": 1, "act_no": seq, "street": "flop", "seat": seat, "ruling": "call", "source": "keyed"}
    data = {
        "hand_no": 1,
        "source": "keyed",
        "step": written or act,
        "ruled": seat is not None,
        "rulings": [] if seat is None else [{**ruling, "sentence": ""}],
    }
    return Recorded(seq, at_ms, 0, "step", data, "", "")


def camera(seq: int, from_ms: int, seat: int, name: str) -> Recorded:
    data = {"seat": seat, "event": "bet_settled", "id": name, "from_ms": from_ms}
    return Recorded(seq, from_ms + 900, 0, "camera", data, "", "")


def test_an_event_belongs_to_its_seats_first_act_after_it_also_where_it_was_told_later() -> None:
    hand = [
        camera(1, 1000, 3, "a"),
        step(2, 1500, 3),
        camera(3, 1400, 3, "late"),
        camera(4, 1600, 5, "b"),
        step(5, 3000, 5),
        step(6, 4000, 3),
        camera(7, 5000, 3, "after"),
    ]

    assert pictured(hand) == {2: ("a", "late"), 5: ("b",)}


def test_what_belonged_to_an_act_that_was_taken_back_belongs_to_the_next_one_too() -> None:
    hand = [
        camera(1, 1000, 3, "first"),
        step(2, 1500, 3),
        step(3, 1600, None, deal="flop"),
        camera(4, 1700, 3, "second"),
        step(5, 2000, None, undo=2),
        step(6, 2100, 3),
        step(7, 2200, 3),
    ]

    assert pictured(hand) == {2: ("first",), 6: ("first", "second")}


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    made = Room(tmp_path)
    yield made
    made.close()


class Camera:
    """A camera's program: what it tells goes on the bus and to the keeper of its pictures."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.bus = MemoryBus(room.hub, NAMES, "overhead")
        self.keeper = RingKeeper(room.path.with_suffix(".rings"), Bounds())
        self.number = 0

    def films(self) -> None:
        self.number += 1
        picture = np.full((72, 128, 3), 90 + self.number, np.uint8)
        self.keeper.see(Frame(picture, time.monotonic_ns(), self.number))

    def sees(self, seat: int, event: LineEventType) -> str:
        self.number += 1
        now_ns = time.monotonic_ns()
        told = LineEvent(
            id=f"overhead-3f2a-{self.number}", event=event, seat=seat, t_first_ns=now_ns - 50_000_000,
            t_confirm_ns=now_ns, conf=0.9, frame=self.number,
        )  # fmt: skip
        self.bus.publish(topic(SEAT_LINE, seat), told)
        self.keeper.act(told)
        self.room.controller.pump(0)
        return told.id


def test_from_hand_and_seat_to_the_pictures_in_two_commands(room: Room, capsys: pytest.CaptureFixture[str]) -> None:
    seen = Camera(room)
    room.key("setup", **SETUP)
    room.key("cards-out")
    seen.films()
    bet = seen.sees(4, "bet_settled")
    assert room.key("act", seat=4, action="raise", to=6).ok
    other = seen.sees(1, "chips_crossing")
    seen.sees(1, "hand_left")
    assert room.key("act", seat=1, action="call").ok
    seen.keeper.close()

    assert run(["journal", "show", "1", "--seat", "4", "--journal", str(room.path)]) == 0
    shown = capsys.readouterr().out
    assert f"The camera saw at seat 4: bet settled ({bet})." in shown
    assert "eat 1" not in shown.replace("button 1", "")
    (line,) = [line.strip() for line in shown.splitlines() if SHOW in line]
    words = shlex.split(line.removeprefix("Pictures: "))
    assert words[:5] == ["betline", "vision", "ring", "show", bet]
    assert shown.index("raises to 6") < shown.index(SHOW)

    assert run(words[1:]) == 0
    pictures = capsys.readouterr().out
    assert f"seat 4  bet_settled      confidence 0.90  0 mm2, 0 footprints, motions 0  {bet}" in pictures

    assert run(["journal", "show", "1", "--json", "--journal", str(room.path)]) == 0
    entries = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    acts = {
        entry["rulings"][0]["seat"]: entry.get("pictures")
        for entry in entries
        if entry["kind"] == "step" and entry["ruled"]
    }
    assert acts == {4: [bet], 1: [other]}
    assert [entry["event"] for entry in entries if entry["kind"] == "camera"] == ["bet_settled", "chips_crossing"]


def test_a_journal_in_the_state_folder_needs_no_folder_of_pictures_to_be_named(
    room: Room, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = Camera(room)
    room.key("setup", **SETUP)
    room.key("cards-out")
    bet = seen.sees(4, "bet_settled")
    room.key("act", seat=4, action="call")
    seen.keeper.close()
    monkeypatch.setattr("table_controller.accounts.opened.default_journal", lambda *_: room.path)

    assert run(["journal", "show", "1", "--table", "home-six", "--site", "club"]) == 0

    assert f"Pictures: {SHOW} {bet} --table home-six --site club\n" in capsys.readouterr().out


def test_what_was_seen_before_there_is_a_table_is_not_journalled(room: Room) -> None:
    seen = Camera(room)
    seen.sees(4, "bet_settled")
    seen.keeper.close()

    assert "camera" not in room.journalled()
