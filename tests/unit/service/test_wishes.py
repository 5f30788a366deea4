"""The controller asks for zones that it wants to know now: again as long as it does, and no more often than it must."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from betline import topics
from betline.messages.devices import ZoneWanted
from betline.units import NS_PER_MS
from table_controller.wishes import AGAIN_NS, WISH, Wishes
from tests.unit.service.room import SETUP, Room


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path)
    yield room
    room.close()


def test_a_wish_is_said_once_and_again_before_it_ends() -> None:
    wishes = Wishes()
    said = [at_ms for at_ms in range(0, 2000, 50) if wishes.due({"pot"}, at_ms * NS_PER_MS)]
    assert said == [0, 500, 1000, 1500]
    assert WISH.for_ms * NS_PER_MS > AGAIN_NS


def test_a_zone_that_is_wanted_anew_is_asked_for_at_once() -> None:
    wishes = Wishes()
    assert wishes.due({"pot"}, 0) == ("pot",)
    assert wishes.due({"pot", "tray"}, 100 * NS_PER_MS) == ("tray",)
    assert wishes.due(set(), 700 * NS_PER_MS) == ()
    assert wishes.due({"pot"}, 750 * NS_PER_MS) == ("pot",)


def test_the_bridge_is_asked_for_a_zone_in_which_chips_are_in_doubt(room: Room) -> None:
    heard: list[tuple[str, int]] = []
    room.bridge.subscribe(
        topics.ZONE_WANTED,
        lambda one: heard.append((one.topic.name, one.body.for_ms)) if isinstance(one.body, ZoneWanted) else None,
    )
    room.key("setup", **SETUP)
    room.play(8)
    room.key("cards-out")
    assert not heard
    room.push(2, "red-5", "red-5")
    room.play(1)
    room.controller._next_tick_s = 0
    room.controller.pump(0)
    assert heard == [("seat-2", WISH.for_ms)]
