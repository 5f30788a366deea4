"""The wizard by its keys on 80x24: forward, back, wrong answers, leaving and going on, one part, antennas by chips."""

import asyncio
from collections import deque
from contextlib import contextmanager
from pathlib import Path

import pytest

from betline.settings import load_table
from betline.setup.antennas import Heard
from betline.setup.hardware import Hardware
from betline.setup.interview import completed
from betline.setup.question import NOTHING_FOUND, Found, FoundReader
from betline.setup.screens.app import SetupApp
from betline.setup.screens.ask import AskScreen
from betline.setup.screens.end import EndScreen
from betline.setup.sections.readers import Spot
from betline.setup.store import Folder

SIZE = {"shape.size": "1800x1000", "shape.seats": "3"}
READERS = Found((FoundReader("usb:A1", "feig", 115200), FoundReader("usb:B2", "feig", 115200)))


class ChipsOnAntennas(Hardware):
    """Antennas over which a test puts chips."""

    __slots__ = ("lying",)

    @contextmanager
    def listening(self, _readers, spots):
        yield _Ears(self, spots)


class _Ears:
    def __init__(self, hardware, spots):
        self._hardware, self._turn = hardware, deque(spots)
        self._left = 0

    def heard(self, _timeout_s):
        self._left = (self._left + 1) % (len(self._turn) + 1)
        if not self._left:
            return None
        self._turn.rotate(-1)
        return Heard(self._turn[0], frozenset(self._hardware.lying.get(self._turn[0], ())))

    def trouble(self):
        return ""


def antennas() -> ChipsOnAntennas:
    hardware = ChipsOnAntennas()
    object.__setattr__(hardware, "lying", {})
    return hardware


def piloted(app: SetupApp, drive) -> None:
    async def run() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            await drive(pilot)

    asyncio.run(run())


def app_is_running(app: SetupApp) -> bool:
    return app._exit is False


def key_of(app: SetupApp) -> str:
    assert isinstance(app.screen, AskScreen)
    return app.screen.asked.question.key


async def until(pilot, condition) -> None:
    for _ in range(200):
        if condition():
            return
        await pilot.pause(0.05)
    raise AssertionError("it did not come")


@pytest.mark.nightly
def test_enter_takes_what_is_preselected_until_the_files_are_written(tmp_path: Path) -> None:
    app = SetupApp(Folder(tmp_path), Hardware(), NOTHING_FOUND, {})

    async def drive(pilot) -> None:
        for _ in range(40):
            if isinstance(app.screen, EndScreen):
                break
            await pilot.press("enter")
            await pilot.pause()
        assert isinstance(app.screen, EndScreen)

    piloted(app, drive)
    assert len(load_table(tmp_path / "table.toml").seats) == 8


def test_escape_goes_back_and_what_was_answered_is_preselected(tmp_path: Path) -> None:
    app = SetupApp(Folder(tmp_path), Hardware(), NOTHING_FOUND, {})

    async def drive(pilot) -> None:
        await pilot.press("enter")
        await pilot.press("down", "down", "enter")
        await pilot.pause()
        assert app.answers["shape.form"] == "round"
        await pilot.press("escape")
        await pilot.pause()
        assert key_of(app) == "shape.form"
        await pilot.press("enter")
        await pilot.pause()
        assert (key_of(app), app.answers["shape.form"]) == ("shape.size", "round")

    piloted(app, drive)


def test_a_wrong_answer_is_said_and_asked_again(tmp_path: Path) -> None:
    app = SetupApp(Folder(tmp_path), Hardware(), NOTHING_FOUND, {"shape.title": "T", "shape.form": "oval"})

    async def drive(pilot) -> None:
        await pilot.press("ctrl+u", "x", "enter")
        await pilot.pause()
        assert key_of(app) == "shape.size"
        assert "is no size" in str(app.screen.query_one("#problem").render())
        assert "shape.size" not in app.answers

    piloted(app, drive)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("key", ["ctrl+q", "ctrl+c"])
def test_after_leaving_it_goes_on_with_the_first_open_question(key: str, tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    first = SetupApp(folder, Hardware(), NOTHING_FOUND, {})

    async def leave(pilot) -> None:
        await pilot.press("enter", "enter", key)
        await pilot.pause()
        assert not app_is_running(first)

    piloted(first, leave)
    again = SetupApp(folder, Hardware(), NOTHING_FOUND, folder.answers())

    async def look(_pilot) -> None:
        assert key_of(again) == "shape.size"

    piloted(again, look)
    assert folder.answers() == {"shape.title": "My table", "shape.form": "oval"}


def test_one_part_is_asked_again_and_nothing_else(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    full = completed(SIZE)
    app = SetupApp(folder, Hardware(), NOTHING_FOUND, full, ("voice",))

    async def drive(pilot) -> None:
        assert key_of(app) == "voice.language"
        await pilot.press("down", "down", "enter")
        await pilot.pause()
        assert isinstance(app.screen, EndScreen)

    piloted(app, drive)
    assert folder.answers() == {**full, "voice.language": "de"}


@pytest.mark.nightly
def test_a_chip_before_each_seat_names_its_antenna(tmp_path: Path) -> None:
    hardware, folder = antennas(), Folder(tmp_path)
    where = {"seat-1": Spot("usb:B2", 2), "seat-2": Spot("usb:A1", 1), "seat-3": Spot("usb:B2", 1)}
    full = completed({**SIZE, **{f"readers.{z}": str(s) for z, s in where.items()}, "readers.antennas": "2"}, READERS)
    start = {
        key: text for key, text in full.items() if not key.startswith(("readers.seat", "readers.pot", "readers.tray"))
    }
    app = SetupApp(folder, hardware, READERS, start)

    async def drive(pilot) -> None:
        for zone, spot in where.items():
            assert key_of(app) == f"readers.{zone}"
            await until(pilot, lambda: "Ready" in str(app.screen.query_one("#live").render()))
            object.__setattr__(hardware, "lying", {spot: {"E004015306A22D70"}})
            await until(pilot, lambda: "hears it" in str(app.screen.query_one("#live").render()))
            await pilot.press("enter")
            await pilot.pause()
        assert key_of(app) == "readers.pot"

    piloted(app, drive)
    assert {zone: app.answers[f"readers.{zone}"] for zone in where} == {z: str(s) for z, s in where.items()}


def test_what_an_antenna_hears_is_seen_however_many_there_are(tmp_path: Path) -> None:
    three = Found(tuple(FoundReader(f"usb:{name}", "feig", 115200) for name in "ABC"))
    start = {**SIZE, "readers.connected": ", ".join(map(str, three.readers)), "readers.antennas": "8"}
    app = SetupApp(Folder(tmp_path), antennas(), three, start, ("readers",))

    async def drive(pilot) -> None:
        await pilot.press("enter", "enter")
        await until(pilot, lambda: "Ready" in str(app.screen.query_one("#live").render()))
        assert len(app.screen.asked.question.choices) > 24
        assert app.screen.query_one("#live").region.bottom < 24
        await pilot.press("end")
        await pilot.pause()
        assert app.screen.query_one("#live").region.y > 1

    piloted(app, drive)


@pytest.mark.nightly
@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
def test_every_question_shows_its_answers_and_keys_on_a_small_screen(tmp_path: Path, size) -> None:
    app = SetupApp(Folder(tmp_path), Hardware(), NOTHING_FOUND, {**SIZE, "shape.title": "T", "shape.form": "oval"})

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            assert app.screen.query_one("#keys").region.bottom == size[1]
            assert app.screen.query_one("#choices").region.height >= 4

    asyncio.run(run())


@pytest.mark.parametrize("error", [OSError("gone"), RuntimeError("no such thing")])
def test_an_answer_that_cannot_be_kept_is_said_and_the_question_stays(error: Exception, tmp_path: Path, monkeypatch):
    app = SetupApp(Folder(tmp_path / "t"), Hardware(), NOTHING_FOUND, {})

    def broken(*_: object) -> None:
        raise error

    async def drive(pilot) -> None:
        monkeypatch.setattr("betline.setup.store.write_private", broken)
        first = key_of(app)
        await pilot.press("enter")
        await until(pilot, lambda: str(app.screen.query_one("#problem").render()))
        assert (key_of(app), app.answers) == (first, {})
        monkeypatch.undo()
        await pilot.press("enter")
        await until(pilot, lambda: key_of(app) != first)

    piloted(app, drive)


@pytest.mark.nightly
@pytest.mark.parametrize("when", ["opened", "heard"])
def test_a_fault_of_the_readers_is_said_and_the_antenna_can_be_named_by_hand(when: str, tmp_path: Path) -> None:
    class Broken(Hardware):
        @contextmanager
        def listening(self, _readers, _spots):
            if when == "opened":
                raise RuntimeError("no such thing")
            yield self

        def heard(self, _timeout_s):
            raise RuntimeError("no such thing")

    start = {**SIZE, "readers.connected": ", ".join(map(str, READERS.readers)), "readers.antennas": "1"}
    app = SetupApp(Folder(tmp_path / "t"), Broken(), READERS, start, ("readers",))

    async def drive(pilot) -> None:
        await pilot.press("enter", "enter")
        await until(pilot, lambda: "no such thing" in str(app.screen.query_one("#live").render()))
        assert key_of(app) == "readers.seat-1"
        assert (tmp_path / "t/faults.log").read_text().count("Traceback") == 1
        await pilot.press("enter")
        await until(pilot, lambda: key_of(app) == "readers.seat-2")

    piloted(app, drive)
