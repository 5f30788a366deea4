"""After the questions: chips taught, camera calibrated, PINs given, a test hand, by keys and without a person."""

import json
import os
import threading
from pathlib import Path

import cv2
import numpy as np
import pytest
from textual.widgets import Input, OptionList, Static

from betline.front_door import run
from betline.people.roll import read_staff
from betline.settings import load_table
from betline.settings.readers import BY_ID
from betline.setup.hardware import Hardware
from betline.setup.interview import completed
from betline.setup.playing import Tried, Watcher
from betline.setup.question import NOTHING_FOUND
from betline.setup.screens import app as wizard
from betline.setup.screens.app import SetupApp
from betline.setup.screens.end import EndScreen, TrialScreen
from betline.setup.screens.work import CameraScreen, ChipsScreen, PinScreen
from betline.setup.store import Folder
from betline.setup.trial import Link, Push, Trial
from betline.setup.work import Look
from firmware_bridge.chips.register import read_chips
from firmware_bridge.protocols.catalogue import family
from tests.unit.setup.test_wizard import piloted, until
from tests.unit.vision.printed import Eye, Picture, felt_with_markers
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.catalogue import virtual_reader
from virtual_table.readers.ends import PtyEnd
from virtual_table.readers.field import FieldTag
from virtual_table.readers.server import ReaderServer

SIZE = {"shape.size": "1800x1000", "shape.seats": "3"}
PORT = str(BY_ID / "usb-one")
READ = {"readers.connected": f"{PORT} feig", "readers.antennas": "2", "readers.seat-1": f"{PORT} 2",
        "readers.seat-2": "none", "readers.seat-3": f"{PORT} 1"}  # fmt: skip
UIDS = [f"E004015306A22D{number:02X}" for number in range(5)]


@pytest.fixture
def felt(tmp_path: Path):
    """A reader with two antennas by the name of its adapter, and the tags that lie on them."""
    server, tags = ReaderServer(), []
    device = virtual_reader("feig", lambda: tuple(tags), Behaviour(2), 1)
    server.attach("one", device, family("feig").traits.line, PtyEnd(tmp_path / "by-id/usb-one"))
    yield tags
    server.close()


@pytest.fixture(autouse=True)
def _by_id(tmp_path: Path) -> None:
    (tmp_path / "by-id").mkdir()


def at_the_end(tmp_path: Path, **answers: str) -> SetupApp:
    """The wizard after its last question."""
    full = completed({**SIZE, **answers})
    return SetupApp(
        Folder(tmp_path / "t"), Hardware(tmp_path / "by-id"), NOTHING_FOUND, full, (), tmp_path / "chips.sqlite",
        tmp_path / "people.toml",
    )  # fmt: skip


def words(app: SetupApp, widget: str) -> str:
    return str(app.screen.query_one(f"#{widget}", Static).render())


def steps(app: SetupApp) -> list[str]:
    assert isinstance(app.screen, EndScreen)
    listed = app.screen.query_one("#choices", OptionList)
    return [str(listed.get_option_at_index(number).prompt) for number in range(listed.option_count)]


def unattended(tmp_path: Path, *words: str, **answers: str) -> int:
    given = [word for key, text in answers.items() for word in ("--set", f"{key}={text}")]
    files = ["--register", str(tmp_path / "chips.sqlite"), "--people", str(tmp_path / "people.toml")]
    return run(
        [
            "setup",
            "--dir",
            str(tmp_path / "t"),
            "--no-probe",
            "--by-id",
            str(tmp_path / "by-id"),
            *files,
            *given,
            *words,
        ]
    )


def test_t_plays_the_test_hand_and_shows_what_was_seen(tmp_path: Path, monkeypatch) -> None:
    played: list[Tried] = []

    def play(tried: Tried, watcher: Watcher) -> Trial:
        played.append(tried)
        watcher.link(Link("controller", "controller", True, "is there"))
        watcher.ask(Push(2, 5))
        watcher.heard("Heard now: red-5")
        return Trial.of(load_table(tried.file), Push(2, 5))

    monkeypatch.setattr(wizard, "play", play)
    app = at_the_end(tmp_path)

    async def drive(pilot) -> None:
        await pilot.press("t")
        await until(pilot, lambda: isinstance(app.screen, TrialScreen) and "try again" in words(app, "lines"))
        assert "✔ controller: is there" in words(app, "lines")
        assert "▶ Seat 2: push 5." in words(app, "lines")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, EndScreen))

    piloted(app, drive)
    assert [one.file for one in played] == [tmp_path / "t/table.toml"]


@pytest.mark.nightly
def test_chips_are_counted_as_they_are_laid_and_enrolled_by_enter(tmp_path: Path, felt) -> None:
    app = at_the_end(tmp_path, **READ)

    async def drive(pilot) -> None:
        assert "none" in steps(app)[0]
        await pilot.press("c")
        await until(pilot, lambda: isinstance(app.screen, ChipsScreen))
        await pilot.press("down", "enter")
        await until(pilot, lambda: "no chip" in words(app, "live"))
        felt[:] = [FieldTag(uid, 2) for uid in UIDS]
        await until(pilot, lambda: "5 chips, stable in 6 of 6" in words(app, "live"))
        await pilot.press("enter")
        await until(pilot, lambda: "5 enrolled as" in words(app, "problem"))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen.query_one("#choices").display)
        assert "5 enrolled" in str(app.screen.query_one("#choices", OptionList).get_option_at_index(1).prompt)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, EndScreen))
        assert "red-5 5" in steps(app)[0]

    piloted(app, drive)
    assert {uid: chip.chip_type for uid, chip in read_chips(tmp_path / "chips.sqlite").items()} == dict.fromkeys(
        UIDS, "red-5"
    )


@pytest.mark.nightly
def test_leaving_while_chips_are_taught_lets_go_of_the_reader(tmp_path: Path, felt) -> None:
    app = at_the_end(tmp_path, **READ)

    async def drive(pilot) -> None:
        await pilot.press("c", "enter")
        await until(pilot, lambda: "no chip" in words(app, "live"))
        await pilot.press("ctrl+q")

    piloted(app, drive)
    felt[:] = [FieldTag(uid, 2) for uid in UIDS]
    assert unattended(tmp_path, "--enrol", "white-1=5", **SIZE, **READ) == 0


@pytest.mark.nightly
def test_pins_are_asked_twice_not_shown_and_kept_in_no_file_as_typed(tmp_path: Path) -> None:
    app = at_the_end(tmp_path, **{"people.staff": "Ann floor, Bob dealer"})

    async def drive(pilot) -> None:
        await pilot.press("p")
        await until(pilot, lambda: isinstance(app.screen, PinScreen))
        assert app.screen.query_one(Input).password
        for typed, said in (("12", "4 to 12"), ("2468", ""), ("2469", "differ"), ("2468", ""), ("2468", "Ann has")):
            await pilot.press(*typed, "enter")
            await pilot.pause()
            assert said in words(app, "problem")
        await pilot.press(*"13579", "enter", *"13579", "enter")
        await until(pilot, lambda: isinstance(app.screen, EndScreen))
        assert "Ann: set, Bob: set" in "".join(steps(app))

    piloted(app, drive)
    assert [(one.name, one.role, one.pin is not None) for one in read_staff(tmp_path / "people.toml").people] == [
        ("Ann", "floor", True),
        ("Bob", "dealer", True),
    ]
    for file in tmp_path.rglob("*.toml"):
        assert "2468" not in file.read_text().replace("verifier", "") or file.name == "people.toml"
    assert "13579" not in (tmp_path / "t/answers.toml").read_text()


def test_a_stack_is_enrolled_without_a_person_and_what_is_left_is_said(tmp_path: Path, felt, capsys) -> None:
    felt[:] = [FieldTag(uid, 2) for uid in UIDS]
    assert unattended(tmp_path, "--enrol", "red-5=5", "--json", **SIZE, **READ) == 0

    said = json.loads(capsys.readouterr().out)
    assert said["done"] == [{"good": True, "sentence": "5 chips before seat 1, where its bets lie enrolled as red-5."}]
    assert "white-1" in said["left"][0]
    assert "red-5)" not in said["left"][0]
    assert len(read_chips(tmp_path / "chips.sqlite")) == 5


@pytest.mark.parametrize(
    ("text", "words"), [("blue-9=5", "has no blue-9"), ("red-5", "write KEY=COUNT"), ("red-5=0", "write KEY=COUNT")]
)
def test_a_stack_that_cannot_be_is_refused(text: str, words: str, tmp_path: Path, capsys) -> None:
    assert unattended(tmp_path, "--enrol", text, **SIZE, **READ) != 0
    said = capsys.readouterr()
    assert words in said.out + said.err


def test_pins_come_from_a_file_for_its_owner_only(tmp_path: Path, capsys) -> None:
    file = tmp_path / "pins"
    file.write_text("Ann 2468\nBob B 97531\n")
    file.chmod(0o644)
    staff = {"people.staff": "Ann floor, Bob B dealer"}
    assert unattended(tmp_path, "--pins", str(file), **SIZE, **staff) == 2
    assert "chmod 600" in capsys.readouterr().err
    assert not (tmp_path / "people.toml").exists()

    file.chmod(0o600)
    assert unattended(tmp_path, "--pins", str(file), **SIZE, **staff) == 0
    said = capsys.readouterr()
    assert "A PIN was given to Ann, Bob B." in said.out
    assert "2468" not in said.out + said.err
    assert [one.name for one in read_staff(tmp_path / "people.toml").people] == ["Ann", "Bob B"]


@pytest.mark.parametrize(("text", "words"), [("Ann 12\n", "line 1"), ("\n", "no line"), ("Cleo 1234\n", "Cleo")])
def test_a_wrong_file_of_pins_is_refused_and_its_pin_not_said(text: str, words: str, tmp_path: Path, capsys) -> None:
    file = tmp_path / "pins"
    os.close(os.open(file, os.O_CREAT, 0o600))
    file.write_text(text)
    assert unattended(tmp_path, "--pins", str(file), **SIZE, **{"people.staff": "Ann floor"}) != 0
    said = capsys.readouterr()
    assert words in said.out + said.err
    assert "1234" not in (said.out + said.err).replace("Ann 1234", "")
    assert not (tmp_path / "people.toml").exists()


def photographed(tmp_path: Path) -> dict[str, str]:
    """A table with markers, and a photograph of it in the place of its camera."""
    source = {"camera.source": str(tmp_path / "photo.png"), **SIZE, "shape.size": "2200x1100"}
    assert unattended(tmp_path, "--yes", "--json", **source) == 0
    cv2.imwrite(str(tmp_path / "photo.png"), photo(tmp_path / "t/table.toml"))
    return source


PHOTOS: list[Picture] = []


def photo(file: Path) -> Picture:
    """It takes seconds, and is the same for each of these tests."""
    if not PHOTOS:
        felt, left, top = felt_with_markers(load_table(file))
        PHOTOS.append(Eye().photograph(felt, left, top, 2.0, 1))
    return PHOTOS[0]


@pytest.mark.nightly
def test_the_camera_is_calibrated_without_a_person_and_its_picture_is_kept(tmp_path: Path, capsys) -> None:
    source = photographed(tmp_path)
    capsys.readouterr()

    assert unattended(tmp_path, "--calibrate", "--json", **source) == 0

    said = json.loads(capsys.readouterr().out)
    assert "markers" in said["done"][0]["sentence"]
    assert str(tmp_path / "t/camera.png") in said["done"][0]["sentence"]
    assert "alibrate" not in "".join(said["left"])
    assert cv2.imread(str(tmp_path / "t/camera.png")) is not None


@pytest.mark.nightly
def test_the_camera_is_calibrated_by_k_and_what_it_saw_is_on_the_screen(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    app = at_the_end(tmp_path, **photographed(tmp_path))

    async def drive(pilot) -> None:
        await pilot.press("k")
        await until(pilot, lambda: isinstance(app.screen, CameraScreen) and "▀" in words(app, "picture"))
        assert "✔ Calibrated." in words(app, "said")
        assert str(tmp_path / "t/camera.png") in words(app, "said").replace("\n", "")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, EndScreen))
        assert "✔ K" in steps(app)[0]

    piloted(app, drive)


def test_a_camera_that_sees_no_markers_says_so_and_shows_what_it_saw(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    cv2.imwrite(str(tmp_path / "photo.png"), np.full((720, 1280, 3), 90, np.uint8))
    app = at_the_end(tmp_path, **{"camera.source": str(tmp_path / "photo.png")})

    async def drive(pilot) -> None:
        await pilot.press("k")
        await until(pilot, lambda: "✖ Not calibrated." in words(app, "said") and "▀" in words(app, "picture"))

    piloted(app, drive)


def test_logins_that_are_not_there_yet_are_left_to_make(tmp_path: Path, capsys) -> None:
    own = {"broker.url": "mqtts://b.lan:8883", "broker.logins": "logins"}
    assert unattended(tmp_path, "--yes", "--json", **SIZE, **own) == 0
    made = f"betline provision --table {tmp_path}/t/table.toml -o {tmp_path}/t/logins --host NAME"
    assert made in json.loads(capsys.readouterr().out)["left"][0]

    (tmp_path / "t/logins").mkdir()
    assert unattended(tmp_path, "--yes", "--json", **SIZE, **own) == 0
    assert json.loads(capsys.readouterr().out)["left"] == []


def broken(*_given: object) -> None:
    raise ZeroDivisionError("no such thing")


def explained(said: str, tmp_path: Path) -> bool:
    """One sentence of what happened, and the details where it says that they are."""
    log = tmp_path / "t/faults.log"
    one = "".join(said.split())
    return (
        "ZeroDivisionError:nosuchthing" in one
        and str(log) in one
        and "Traceback" in log.read_text()
        and log.stat().st_mode & 0o077 == 0
    )


def test_a_fault_while_chips_are_taught_is_a_sentence_and_they_can_be_taught_again(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("firmware_bridge.teaching.teach", broken)
    app = at_the_end(tmp_path, **READ)

    async def drive(pilot) -> None:
        await pilot.press("c", "enter")
        await until(pilot, lambda: "fault" in words(app, "problem"))
        assert explained(words(app, "problem"), tmp_path)
        assert isinstance(app.screen, ChipsScreen)
        assert app.screen.query_one("#choices").display

    piloted(app, drive)


def test_a_fault_of_the_calibration_is_a_sentence_and_k_tries_again(tmp_path: Path, monkeypatch) -> None:
    app = at_the_end(tmp_path, **{"camera.source": str(tmp_path / "photo.png")})
    tried = []
    monkeypatch.setattr("vision.finding.calibrated", lambda *_: tried.append(1) or broken())

    async def drive(pilot) -> None:
        await pilot.press("k")
        await until(pilot, lambda: "fault" in words(app, "said"))
        assert explained(words(app, "said"), tmp_path)
        await pilot.press("k")
        await until(pilot, lambda: len(tried) == 2 and "fault" in words(app, "said"))
        assert isinstance(app.screen, CameraScreen)

    piloted(app, drive)


def test_a_fault_of_the_test_hand_is_a_sentence_and_t_plays_it_again(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(wizard, "play", broken)
    app = at_the_end(tmp_path)

    async def drive(pilot) -> None:
        for _ in range(2):
            await pilot.press("t")
            await until(pilot, lambda: isinstance(app.screen, TrialScreen) and "fault" in words(app, "lines"))
            assert explained(words(app, "lines"), tmp_path)
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(app.screen, EndScreen))

    piloted(app, drive)


def test_a_fault_while_a_pin_is_kept_is_a_sentence_and_it_is_asked_again(tmp_path: Path, monkeypatch) -> None:
    app = at_the_end(tmp_path, **{"people.staff": "Ann floor"})
    monkeypatch.setattr("betline.setup.work.write_staff", broken)

    async def drive(pilot) -> None:
        await pilot.press("p", *"2468", "enter", *"2468", "enter")
        await until(pilot, lambda: "fault" in words(app, "problem"))
        assert explained(words(app, "problem"), tmp_path)
        assert isinstance(app.screen, PinScreen)
        assert "2468" not in (tmp_path / "t/faults.log").read_text()

    piloted(app, drive)


@pytest.mark.parametrize(("key", "part"), [("p", "staff"), ("k", "standing")])
def test_a_fault_as_a_step_begins_or_is_looked_at_leaves_the_other_steps(
    key: str, part: str, tmp_path: Path, monkeypatch
) -> None:
    app = at_the_end(tmp_path, **{"people.staff": "Ann floor", "camera.source": "usb:0"})

    async def drive(pilot) -> None:
        if part == "staff":
            monkeypatch.setattr(wizard.people, "staff", broken)
            await pilot.press(key)
            await until(pilot, lambda: "fault" in words(app, "lines"))
            assert explained(words(app, "lines"), tmp_path)
        else:
            monkeypatch.setattr("vision.finding.is_calibrated", broken)
            monkeypatch.setattr("vision.finding.calibrated", broken)
            await pilot.press(key, "escape")
            await until(pilot, lambda: "fault" in "".join(steps(app)))
            assert explained("".join(steps(app)), tmp_path)
        assert isinstance(app.screen, EndScreen)

    piloted(app, drive)


def test_esc_and_k_during_a_calibration_wait_for_it_and_begin_no_second(tmp_path: Path, monkeypatch) -> None:
    app = at_the_end(tmp_path, **{"camera.source": "usb:0"})
    begun, goes_on = [], threading.Event()

    def calibrated(*_: object) -> Look:
        begun.append(1)
        assert goes_on.wait(60)
        return Look(True, ("6 markers.",))

    monkeypatch.setattr("vision.finding.calibrated", calibrated)

    async def drive(pilot) -> None:
        try:
            for _ in range(2):
                await pilot.press("k", "k")
                await until(pilot, lambda: isinstance(app.screen, CameraScreen) and begun)
                await pilot.press("escape")
                await until(pilot, lambda: isinstance(app.screen, EndScreen))
            await pilot.press("k")
            await until(pilot, lambda: "Looking" in words(app, "said"))
        finally:
            goes_on.set()
        await until(pilot, lambda: "6 markers" in words(app, "said"))
        assert len(begun) == 1

    piloted(app, drive)


def test_a_second_test_hand_waits_until_the_first_has_let_go(tmp_path: Path, monkeypatch) -> None:
    app = at_the_end(tmp_path)
    playing, ended, goes_on = [], [], threading.Event()

    def play(tried: Tried, watcher: Watcher) -> Trial:
        playing.append(len(ended))
        assert goes_on.wait(60)
        ended.append(1)
        return Trial.of(load_table(tried.file), Push(2, 5))

    monkeypatch.setattr(wizard, "play", play)

    async def drive(pilot) -> None:
        try:
            await pilot.press("t")
            await until(pilot, lambda: len(playing) == 1)
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(app.screen, EndScreen))
            await pilot.press("t")
            await pilot.pause(0.2)
        finally:
            goes_on.set()
        await until(pilot, lambda: "try again" in words(app, "lines"))
        assert playing == [0, 1]

    piloted(app, drive)
