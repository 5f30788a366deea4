"""Names in a running room: shown, kept over a restart, on no event of the bus, and gone when they are erased."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from betline import topics
from betline.bus import Received
from betline.messages.common import Command, Envelope
from betline.settings import load_chip_set, load_table
from betline.topics import topic
from table_controller.accounts.erasure import erase
from table_controller.session import Keyed
from table_controller.session.edge import Edge
from tests.unit.service.room import Room


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path)
    assert room.key("sit-down", seat=1, stack=200, player="Ann").ok
    assert room.key("sit-down", seat=2, stack=200, player="Bob").ok
    yield room
    room.close()


def names(room: Room) -> list[str]:
    return [seat.name for seat in room.state.seats if seat.name]


def a_while(room: Room) -> None:
    """Until the health is told again."""
    room.controller._next_health_s = 0
    room.controller.pump(0)


def test_names_are_in_the_state_and_on_no_event(room: Room) -> None:
    assert names(room) == ["Ann", "Bob"]
    assert not [one for one in room.said(topics.EVENT) if "Ann" in json.dumps(one.data)]


def test_names_are_there_after_a_restart(room: Room) -> None:
    room.kill()
    room.open()

    assert names(room) == ["Ann", "Bob"]
    assert room.key("leave", seat=1).ok
    assert room.key("sit-down", seat=5, stack=200, player="ann").ok
    assert names(room) == ["Bob", "Ann"]


def test_an_erased_name_vanishes_from_the_state_of_a_running_controller(room: Room) -> None:
    erase(room.path, "Ann")
    assert names(room) == ["Ann", "Bob"]

    a_while(room)

    assert names(room) == ["Bob"]
    version = room.state.version
    a_while(room)
    assert room.state.version == version


def test_a_name_erased_between_two_runs_is_not_shown_again(room: Room) -> None:
    room.kill()
    erase(room.path, "Bob")
    room.open()

    assert names(room) == ["Ann"]


def test_every_person_who_comes_gets_an_id_of_chance() -> None:
    table = load_table("home-six")
    edge = Edge(table, load_chip_set(table.chip_set))

    def read(verb: str, **args: object) -> Keyed:
        command = Command(id="command-1", expires_ms=1, args=args)
        envelope = Envelope(sender="desk", seq=1, boot_id="b", ts_ms=1, mono_ns=1)
        found = edge.read(Received(topic(topics.COMMAND, verb), envelope, command, False, 0, 0))
        assert isinstance(found, tuple)
        (keyed,) = found
        assert isinstance(keyed, Keyed)
        return keyed

    ids = [read("sit-down", seat=3, stack=200, player="Ann").fresh[3] for _ in range(100)]
    assert len(set(ids)) == 100
    assert all(one.startswith("p-") and len(one) == 18 for one in ids)
    game = {"limit": "no-limit", "blinds": [1, 2]}
    setup = read("setup", game=game, seats={"1": 9, "2": 9}, button=1, names={"1": "Ann", "2": "Bob"})
    assert setup.fresh.keys() == {1, 2}
    assert read("leave", seat=3).fresh == {}
