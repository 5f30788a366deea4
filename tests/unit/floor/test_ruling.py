"""A ruling that waits is taken from the floor: by a real controller, by whoever has the right to it, by name."""

from contextlib import asynccontextmanager

import pytest

from betline import topics
from betline.bus import MemoryBus
from betline.people.roll import write_staff
from betline.topics import SiteNamespace
from cardroom.floor.desk import TableFiles
from cardroom.floor.ear import Ear
from cardroom.floor.screen.app import FloorApp
from cardroom.floor.screen.ruling import GONE, RulingDialog
from table_controller.console.clock import SystemClock
from tests.unit.service.room import SETUP, Room
from tests.unit.service.staff import ANN, STAFF, Visitor

SIZE = (80, 24)


class Hall:
    """The floor beside a real controller that has a ruling to wait."""

    def __init__(self, room, app, pilot):
        self.room, self.app, self.pilot = room, app, pilot

    async def press(self, *keys):
        for key in keys:
            await self.pilot.press(key)
            await self.turn()

    async def turn(self):
        """The controller answers, and the floor draws."""
        for _ in range(3):
            self.room.controller.pump(0)
            await self.pilot.pause()
        self.app.draw()
        await self.pilot.pause()

    @property
    def dialog(self):
        assert isinstance(self.app.screen, RulingDialog)
        return "\n".join(
            str(self.app.screen.query_one(f"#{part}").content) for part in ("title", "content", "problem", "hint")
        )

    def digit(self, what):
        """The digit of a row of the dialog."""
        return next(line.split()[0] for line in self.dialog.splitlines() if line.endswith(what))

    @property
    def message(self):
        return self.app.screen_stack[0].query_one("#message")._canvas.text


def waits(ask):
    """Seat 1 says what only the floor can rule on."""
    assert ask("setup", **SETUP).ok
    assert ask("cards-out").ok
    assert ask("act", seat=4, action="call").ok
    ask("says", seat=1, text="if you bet, I will raise")


@asynccontextmanager
async def floor_of(room):
    clock = SystemClock()
    ear = Ear(MemoryBus(room.hub, SiteNamespace("home"), "floor"), "home", clock.steady_s)
    ear.start()
    app = FloorApp(ear, lambda _: room.join("floor"), TableFiles({}), clock)
    async with app.run_test(size=SIZE) as pilot:
        hall = Hall(room, app, pilot)
        await hall.turn()
        yield hall


@pytest.fixture
def staffed(tmp_path):
    write_staff(tmp_path / "people.toml", STAFF)
    room = Room(tmp_path, people=tmp_path / "people.toml")
    ann = Visitor(room)
    assert ann.signs_in(ANN, "4711").ok
    waits(ann.asks)
    yield room
    room.close()


@pytest.fixture
def free(tmp_path):
    room = Room(tmp_path)
    waits(room.key)
    yield room
    room.close()


def question(room):
    return next((one for one in room.state.questions if one.kind == "floor"), None)


async def test_whoever_decides_proves_it_with_a_pin_and_stands_in_the_ruling(staffed):
    choice = question(staffed).choices[0]
    async with floor_of(staffed) as hall:
        await hall.press("y")
        assert f"1  {choice.replace(':', ' to ')}" in hall.dialog
        await hall.press("1")
        assert "Ann" in hall.dialog
        await hall.press("0", "0", "0", "0", "enter")
        assert "not the PIN of Ann" in hall.dialog
        assert question(staffed) is not None
        await hall.press("4", "7", "1", "1")
        assert "●●●●" in hall.dialog
        assert "4711" not in hall.dialog
        await hall.press("enter")
        assert not isinstance(hall.app.screen, RulingDialog)
        assert question(staffed) is None
        assert hall.message.strip().startswith("✓ home-six: ")
        assert [one.by for one in staffed.state.rulings if one.by][-1] == "Ann"


@pytest.mark.nightly
async def test_a_sign_in_is_for_one_ruling_only(staffed):
    async with floor_of(staffed) as hall:
        await hall.press("y", "1", "4", "7", "1", "1", "enter")
        assert question(staffed) is None
        assert len(staffed.controller._edge.door._signed_in) == 1, "the one by which the ruling came to wait"


@pytest.mark.nightly
async def test_escape_gives_up_and_the_ruling_waits_on(staffed):
    async with floor_of(staffed) as hall:
        await hall.press("y", "1", "escape")
        assert "its digit decides" in hall.dialog
        await hall.press("escape")
        assert not isinstance(hall.app.screen, RulingDialog)
        assert question(staffed) is not None


@pytest.mark.nightly
async def test_an_open_table_is_ruled_by_a_name_that_is_typed(free):
    async with floor_of(free) as hall:
        await hall.press("y")
        assert "Nobody is enrolled" in hall.dialog
        await hall.press("o")
        assert "What is it?" in hall.dialog
        await hall.press(hall.digit("fold"), *"Kim", "enter", "8")
        assert not isinstance(hall.app.screen, RulingDialog), hall.dialog
        assert free.state.rulings[-1].by == "Kim"
        assert question(free) is None


@pytest.mark.nightly
async def test_a_refusal_is_shown_and_another_choice_can_be_made(free):
    async with floor_of(free) as hall:
        await hall.press("y", "o")
        await hall.press(hall.digit("check"), *"Kim", "enter", "8")
        assert "There is a bet of 2: call or fold." in hall.dialog
        assert question(free) is not None
        await hall.press("9")
        assert question(free) is not None
        await hall.press("1")
        assert question(free) is None


@pytest.mark.nightly
async def test_another_ruling_goes_back_step_by_step(free):
    async with floor_of(free) as hall:
        await hall.press("y", "o")
        await hall.press(hall.digit("raise"), *"30", "enter", *"Ki")
        assert "> Ki" in hall.dialog
        await hall.press("escape")
        assert "Who decides?" in hall.dialog
        await hall.press("escape")
        assert "To how much?" in hall.dialog
        await hall.press("escape", "escape")
        assert "its digit decides" in hall.dialog


@pytest.mark.nightly
async def test_a_ruling_that_was_taken_elsewhere_meanwhile_cannot_be_taken_twice(free):
    waiting = question(free)
    async with floor_of(free) as hall:
        await hall.press("y")
        assert free.key("answer", question=waiting.id, choice=waiting.choices[0]).ok
        await hall.turn()
        assert GONE in hall.dialog
        asked = []
        free.join("watcher").subscribe(topics.COMMAND, asked.append)
        await hall.press("1", "o", "1")
        assert asked == []
