"""The camera's small picture in the terminal: asked for while it is open, drawn in half cells, or said why not."""

import pytest

from betline import topics
from betline.bus import MemoryBus, MemoryHub
from betline.half_blocks import HALF, Room, cells
from betline.messages.pictures import PictureWanted, SmallPicture
from betline.messages.table import SensorState
from betline.topics import topic
from table_controller.console.app import ConsoleApp
from table_controller.console.client import PICTURE_LIFE_MS
from table_controller.console.screens import camera as camera_screen
from table_controller.console.screens.camera import CameraScreen, colours_missing
from table_controller.console.screens.table import TableScreen
from tests.unit.console.table import NAMESPACE, TABLE, FrozenClock, playing, state

CAMERA = TABLE.cameras[0].id
RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)


def quarters(width=64, height=36):
    """A picture of four colours, one a quarter."""
    half = width // 2
    upper, lower = bytes(RED) * half + bytes(GREEN) * half, bytes(BLUE) * half + bytes(WHITE) * half
    return SmallPicture.made(7, width, height, upper * (height // 2) + lower * (height // 2))


@pytest.fixture(autouse=True)
def colours(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setattr(camera_screen, "ASK_S", 3600.0)  # on a busy machine a second wish would come in between


@pytest.fixture
def wishes():
    """The wishes that a camera hears, after `listens`."""
    return []


def camera_of(table, wishes):
    camera = MemoryBus(table.hub, NAMESPACE, CAMERA)
    camera.subscribe(topics.DEVICE_PICTURE_WANTED, wishes.append)
    return camera


async def shows(table, camera, picture, name=CAMERA):
    camera.publish(topic(topics.DEVICE_PICTURE, name), picture)
    await table.draws()


def colours_of(table):
    """The ink of each half cell that the screen shows, by rows."""
    strips = table.app.screen._compositor.render_strips()
    return [
        [segment.style.color.triplet for segment in strip for character in segment.text if character == HALF]
        for strip in strips
    ]


def test_a_picture_is_as_large_as_its_room_and_keeps_its_shape():
    assert Room(120, 36).fits(64, 36) == Room(120, 33)
    assert Room(200, 20).fits(64, 36) == Room(71, 20)


def test_each_cell_has_two_pixels_above_one_another():
    drawn = cells(SmallPicture.made(0, 16, 16, bytes(RED) * 128 + bytes(BLUE) * 128), Room(16, 1))
    assert drawn == [[(RED, BLUE)] * 2]
    drawn = cells(quarters(), Room(4, 2))
    assert drawn == [[(RED, BLUE), (RED, BLUE), (GREEN, WHITE), (GREEN, WHITE)]]
    assert cells(quarters(), Room(64, 18))[8:10] == [
        [(RED, RED)] * 32 + [(GREEN, GREEN)] * 32,
        [(BLUE, BLUE)] * 32 + [(WHITE, WHITE)] * 32,
    ]


@pytest.mark.parametrize(
    "fields",
    [
        {"rgb": "AAAA"},
        {"rgb": "no base 64"},
        {"width_px": 8},
        {"height_px": 1000},
    ],
)
def test_a_picture_that_is_not_whole_is_no_picture(fields):
    with pytest.raises(ValueError, match=r"pixels|base64|greater|less"):
        SmallPicture.model_validate({**quarters().model_dump(), **fields})


async def test_the_picture_is_asked_for_while_its_screen_is_open_and_drawn(wishes):
    async with playing(state(), size=(120, 40)) as table:
        camera = camera_of(table, wishes)
        await table.press("k")
        assert isinstance(table.app.screen, CameraScreen)
        assert [wish.body for wish in wishes] == [PictureWanted(for_ms=PICTURE_LIFE_MS, width_px=120)]
        assert wishes[0].topic.path == f"device/{CAMERA}/picture-wanted"
        assert "No picture has come yet" in table.text

        await shows(table, camera, quarters())
        rows = [row for row in colours_of(table) if row]
        assert len(rows) == 33
        assert {tuple(row) for row in rows} == {(RED,) * 60 + (GREEN,) * 60, (BLUE,) * 60 + (WHITE,) * 60}
        assert "No picture" not in table.text

        await table.press("k")
        assert isinstance(table.app.screen, TableScreen)
        assert len(wishes) == 1


async def test_a_picture_that_is_too_old_is_taken_away_and_the_reason_told(wishes):
    async with playing(state(), size=(80, 24)) as table:
        camera = camera_of(table, wishes)
        await table.press("k")
        await shows(table, camera, quarters())
        assert any(colours_of(table))
        table.clock.now_s += 9
        await table.tells(state(version=2, sensors=(SensorState(name=CAMERA, state="stale", detail="No light."),)))
        assert "No picture has come for 11 s" in table.text
        assert f"{CAMERA} stale: No light." in table.text
        assert not any(colours_of(table))


async def test_a_screen_opened_again_does_not_show_the_picture_of_before(wishes):
    async with playing(state()) as table:
        camera = camera_of(table, wishes)
        await table.press("k")
        await shows(table, camera, quarters())
        await table.press("escape")
        table.clock.now_s += 60
        await table.press("k")
        assert "No picture has come yet" in table.text


async def test_the_picture_of_another_camera_is_not_shown(wishes):
    async with playing(state()) as table:
        camera = camera_of(table, wishes)
        await table.press("k")
        await shows(table, camera, quarters(), name="side")
        assert "No picture has come yet" in table.text


async def test_a_lost_broker_is_not_asked(wishes):
    async with playing(state()) as table:
        camera_of(table, wishes)
        table.app._client._on_connection(False)
        await table.press("k")
        assert wishes == []
        assert "NO BROKER" in table.text


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"COLORTERM": "", "TERM": "linux"}, "TERM=linux"),
        ({"COLORTERM": "", "TERM": "dumb"}, "TERM=dumb"),
        ({"NO_COLOR": "1"}, "NO_COLOR is set"),
    ],
)
async def test_a_terminal_without_the_colours_is_told_and_asks_for_nothing(monkeypatch, wishes, environment, sentence):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    async with playing(state()) as table:
        camera_of(table, wishes)
        await table.press("k")
        assert sentence in table.text
        assert "betline vision run --watch 8765" in " ".join(table.text.split())
        assert wishes == []


def test_256_colours_are_enough():
    assert colours_missing("256", False, "xterm-256color") == colours_missing("truecolor", False, "xterm") == ""
    assert "TERM=vt100" in colours_missing("standard", False, "vt100")


async def test_a_table_without_camera_says_so():
    blind = TABLE.model_copy(update={"cameras": ()})
    app = ConsoleApp(MemoryBus(MemoryHub(), NAMESPACE, "console"), blind, FrozenClock())
    async with app.run_test() as pilot:
        await pilot.press("k")
        await pilot.pause()
        text = "\n".join("".join(part.text for part in line) for line in app.screen._compositor.render_strips())
        assert "This table has no camera" in text


async def test_the_picture_of_an_act_is_asked_for_until_it_has_come_and_no_other_is_shown(wishes):
    async with playing(state(), size=(120, 40)) as table:
        camera = camera_of(table, wishes)
        table.app.push_screen(CameraScreen(TABLE.cameras[0], table.app._snapshot(), "e7"))
        await table.draws()
        assert [wish.body for wish in wishes] == [PictureWanted(for_ms=PICTURE_LIFE_MS, width_px=120, of="e7")]

        await shows(table, camera, quarters())
        assert not any(colours_of(table))
        await shows(table, camera, quarters().model_copy(update={"of": "e7"}))
        assert len([row for row in colours_of(table) if row]) == 33

        table.app.screen._ask()
        await table.draws()
        assert len(wishes) == 1
