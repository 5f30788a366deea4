"""A press of a button at the controller itself: who may, what is refused and counted, and what is never sent twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from betline import topics
from betline.bus import Received
from betline.people.roll import write_staff
from betline.settings import load_table
from table_controller.home.desk import ANSWER_S, Desk
from table_controller.home.person import Person
from table_controller.home.presses import LIFE_S, PRESS, Told
from tests.unit.service.room import Room
from tests.unit.service.staff import ANN, BOB, STAFF, Visitor

BUTTONS = ("next-hand", "pause-clock", "resume-clock")


class HeldClock:
    """Time that the test passes."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def steady_s(self) -> float:
        return self.now_s

    def wall_ms(self) -> int:
        return 1_800_000_000_000 + int(self.now_s * 1000)

    def time_of_day(self) -> str:
        return "12:00:00"


class House:
    """A table with levels, its controller, and the desk of its buttons."""

    def __init__(self, folder: Path, staff: bool, name: str = "", pin: str = "") -> None:
        people = folder / "people.toml" if staff else None
        if people is not None:
            write_staff(people, STAFF)
        self.pin_file = folder / "pin"
        self.write_pin(pin)
        self.room = Room(folder, at=load_table("tournament"), people=people)
        self.clock, self.told = HeldClock(), list[Told]()
        self.sent = list[Received]()
        self.room.console.subscribe(topics.COMMAND, self.sent.append)
        self.tries = list[Received]()
        self.room.console.subscribe(topics.SIGN_IN, self.tries.append)
        person = Person(name, self.pin_file) if name else None
        self.bus = self.room.join("home")
        self.desk = Desk(self.bus, BUTTONS, person, self.told.append, self.clock)
        self.desk.start()

    def write_pin(self, pin: str) -> None:
        self.pin_file.write_text(pin, encoding="utf-8")
        self.pin_file.chmod(0o600)

    def seats_players(self) -> None:
        if self.room.people is None:
            assert self.room.key("seat-players", seats=[1, 2, 3]).ok
            return
        ann = Visitor(self.room)
        assert ann.signs_in(ANN, "4711").ok
        assert ann.asks("seat-players", seats=[1, 2, 3]).ok
        self.sent.clear()
        self.tries.clear()

    def press(self, button: str = "next-hand", payload: str = PRESS, retained: bool = False) -> Told | None:
        """Presses, and lets desk and controller work until nothing moves any more."""
        self.clock.now_s += 2.0
        self.desk.pressed(button, payload, retained=retained)
        return self.works()

    def works(self) -> Told | None:
        before = len(self.told)
        for _ in range(8):
            self.desk.work()
            self.room.controller.pump(0)
        return self.told[-1] if len(self.told) > before else None

    @property
    def state(self) -> Any:
        return self.room.said(topics.STATE)[-1]


@pytest.fixture
def open_table(tmp_path: Path) -> House:
    return House(tmp_path, staff=False)


def test_at_a_table_without_staff_a_press_begins_the_next_hand(open_table: House) -> None:
    open_table.seats_players()
    told = open_table.press()
    assert told is not None
    assert told.done, told
    assert (open_table.state.hand_no, open_table.state.phase) == (1, "posting")
    assert open_table.sent[-1].envelope.sender == "home"


def test_what_the_controller_refuses_is_told_in_its_words_and_counted(open_table: House) -> None:
    told = open_table.press()
    assert told is not None
    assert not told.done
    assert told.sentence.endswith(".")
    assert open_table.desk.refused == {told.code: 1}


def test_with_staff_a_press_is_signed_by_its_person_and_journalled_as_that_persons(tmp_path: Path) -> None:
    house = House(tmp_path, True, "bob", "0815")
    house.seats_players()
    assert (house.press() or Told("", "", "")).done
    command = house.sent[-1].body
    assert command.signature is not None  # type: ignore[attr-defined]
    assert house.state.hand_no == 1
    assert len(house.tries) == 2, "signed in once"


def test_a_person_whose_right_it_is_not_is_refused_and_one_whose_it_is_may(tmp_path: Path) -> None:
    house = House(tmp_path, True, "Bob", "0815")
    told = house.press("pause-clock")
    assert told is not None
    assert (told.code, "for the floor" in told.sentence) == ("not-your-right", True)
    (tmp_path / "floor").mkdir()
    floor = House(tmp_path / "floor", True, "Ann", "4711")
    assert (floor.press("resume-clock") or Told("", "", "")).done
    assert (floor.press("pause-clock") or Told("", "", "")).done


def test_with_staff_and_nobody_named_nothing_is_sent(tmp_path: Path) -> None:
    house = House(tmp_path, staff=True)
    told = house.press()
    assert told is not None
    assert told.code == "not-signed-in"
    assert house.sent == []


def test_a_wrong_pin_is_tried_once_so_that_no_button_locks_its_person_out(tmp_path: Path) -> None:
    house = House(tmp_path, True, "Bob", "9999")
    first, second = house.press(), house.press()
    assert first is not None
    assert second is not None
    assert "not the PIN of Bob" in first.sentence
    assert "not tried again" in second.sentence
    assert len([one for one in house.tries if one.body.step == "prove"]) == 1  # type: ignore[attr-defined]
    house.write_pin("0815")
    house.seats_players()
    assert (house.press() or Told("", "", "")).done


def test_who_is_not_on_the_staff_is_said(tmp_path: Path) -> None:
    told = House(tmp_path, True, "Zoe", "4711").press()
    assert told is not None
    assert "no Zoe with a PIN" in told.sentence


def test_a_pin_file_that_others_can_use_presses_nothing(tmp_path: Path) -> None:
    house = House(tmp_path, True, "Bob", "0815")
    house.pin_file.chmod(0o644)
    told = house.press()
    assert told is not None
    assert "chmod 600" in told.sentence
    assert house.tries == []


def test_after_a_restart_of_the_controller_the_person_is_signed_in_anew(tmp_path: Path) -> None:
    house = House(tmp_path, True, "Bob", "0815")
    house.seats_players()
    assert (house.press() or Told("", "", "")).done
    house.room.kill()
    house.room.open()
    told = house.press()
    assert told is not None
    assert told.code not in ("signed-out", "not-signed-in")
    assert len(house.tries) == 4


def test_a_press_while_the_table_is_away_is_refused_and_not_done_later(open_table: House) -> None:
    open_table.seats_players()
    open_table.sent.clear()
    open_table.room.kill()
    told = open_table.press()
    assert told is not None
    assert told.code == "away"
    open_table.room.open()
    open_table.works()
    assert open_table.sent == []
    assert open_table.desk.refused == {"away": 1}


def test_a_press_that_waited_too_long_is_not_carried_out(open_table: House) -> None:
    open_table.seats_players()
    open_table.desk.pressed("next-hand", PRESS, retained=False)
    open_table.clock.now_s += LIFE_S + 0.1
    told = open_table.works()
    assert told is not None
    assert told.code == "late"
    assert open_table.state.hand_no == 0


def test_a_command_without_an_answer_is_not_sent_again(open_table: House) -> None:
    open_table.desk.pressed("next-hand", PRESS, retained=False)
    open_table.desk.work()
    open_table.clock.now_s += ANSWER_S + 0.1
    open_table.desk.work()
    open_table.desk.work()
    assert [one.code for one in open_table.told] == ["no-answer"]
    assert len(open_table.sent) == 1


def test_a_button_that_bounces_asks_once_and_an_old_press_never(open_table: House) -> None:
    open_table.seats_players()
    open_table.sent.clear()
    open_table.desk.pressed("next-hand", PRESS, retained=True)
    for _ in range(3):
        open_table.desk.pressed("next-hand", PRESS, retained=False)
    open_table.works()
    assert [one.code for one in open_table.told] == ["retained", "bounced", "bounced", "ok"]
    assert len(open_table.sent) == 1
    assert open_table.desk.refused == {"retained": 1, "bounced": 2}


def test_refusals_are_logged_by_their_kind(open_table: House, caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(3):
        open_table.press("fold")
    assert [one.getMessage() for one in caplog.records] == [
        "The button 'fold' was refused (unknown-button): The table file allows no such button."
    ]
    for _ in range(40):
        open_table.desk.pressed("fold", PRESS, retained=False)
    assert open_table.desk.refused["too-many"] == 20


def test_at_the_end_the_person_is_signed_out(tmp_path: Path) -> None:
    house = House(tmp_path, True, "Bob", "0815")
    house.press()
    house.desk.end()
    house.room.controller.pump(0)
    assert house.tries[-1].body.step == "end"  # type: ignore[attr-defined]
    assert BOB.id not in {one.person for one in house.room.controller._edge.door._signed_in.values()}
