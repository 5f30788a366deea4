"""The controller asks for zones that it wants to know now: again as long as it does, and no more often than it must."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from betline import topics
from betline.messages.devices import ZoneWanted
from betline.units import NS_PER_MS
from table_controller.sensing.attention import WHILE_MS
from table_controller.service.wishes import Wishes
from tests.unit.service.room import SETUP, Room


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path)
    yield room
    room.close()


def test_a_wish_is_said_once_and_again_before_it_ends() -> None:
    wishes = Wishes()
    said = [at_ms for at_ms in range(0, 2000, 50) if wishes.due({"pot": 1000}, at_ms * NS_PER_MS)]
    assert said == [0, 500, 1000, 1500]


def test_a_short_wish_is_said_again_sooner() -> None:
    wishes = Wishes()
    zones = {"pot": 1000, "seat-2": 100}
    said = [one for at_ms in range(0, 500, 10) for one, _ in wishes.due(zones, at_ms * NS_PER_MS)]
    assert said.count("seat-2") == 10
    assert said.count("pot") == 1


def test_a_zone_that_is_wanted_anew_is_asked_for_at_once() -> None:
    wishes = Wishes()
    wish = ZoneWanted(for_ms=1000)
    assert wishes.due({"pot": 1000}, 0) == (("pot", wish),)
    assert wishes.due({"pot": 1000, "tray": 1000}, 100 * NS_PER_MS) == (("tray", wish),)
    assert wishes.due({}, 700 * NS_PER_MS) == ()
    assert wishes.due({"pot": 1000}, 750 * NS_PER_MS) == (("pot", wish),)


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
    assert ("seat-2", WHILE_MS) in heard


def test_the_bridge_is_asked_as_soon_as_chips_come_and_not_by_the_clock(room: Room) -> None:
    heard: list[str] = []
    room.bridge.subscribe(topics.ZONE_WANTED, lambda one: heard.append(one.topic.name))
    room.key("setup", **SETUP)
    room.play(8)
    room.key("cards-out")
    room.controller._next_tick_s = float("inf")
    room.push(2, "red-5", "red-5")
    room.play(1)
    assert "seat-2" in heard
