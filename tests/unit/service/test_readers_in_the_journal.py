"""The controller journals which readers serve its table, by serial number, and each exchange once."""

from __future__ import annotations

from pathlib import Path

import pytest

from betline import topics
from betline.bus import MemoryBus
from betline.messages.common import Birth
from betline.topics import topic
from table_controller.journal.entries import ReaderKnown
from table_controller.journal.reader import JournalReader
from tests.unit.service.room import Room


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def known(room: Room) -> list[tuple[str, str, str]]:
    """The readers that the journal has, in order."""
    with JournalReader(room.path) as reader:
        found = [one.entry for one in reader.entries() if one.kind == ReaderKnown.kind]
    return [(one.name, one.serial, one.firmware) for one in found if isinstance(one, ReaderKnown)]


def tell(room: Room, bus: MemoryBus, reader: str, serial: str, firmware: str = "2.0") -> None:
    birth = Birth(role="reader", version=firmware, table="home-six", config_hash="1", serial=serial)
    bus.publish(topic(topics.DEVICE_BIRTH, reader), birth)
    assert room.health


def test_a_reader_is_journalled_once_and_again_when_another_one_is_in_its_place(room: Room) -> None:
    tell(room, room.bridge, "reader-2", "0000000A")
    tell(room, room.bridge, "reader-2", "0000000A")
    assert known(room) == [("reader-2", "0000000A", "2.0")]
    tell(room, room.bridge, "reader-2", "0000000B")
    tell(room, room.bridge, "reader-2", "0000000B", "2.1")
    assert known(room)[1:] == [("reader-2", "0000000B", "2.0"), ("reader-2", "0000000B", "2.1")]
    events = [event.data for event in room.said(topics.EVENT) if event.type == ReaderKnown.kind]
    assert [event["serial"] for event in events] == ["0000000A", "0000000B", "0000000B"]


def test_a_reader_that_was_exchanged_while_the_controller_was_away_is_journalled_at_its_start(room: Room) -> None:
    tell(room, room.bridge, "reader-2", "0000000A")
    room.kill()
    birth = Birth(role="reader", version="2.0", table="home-six", config_hash="1", serial="0000000B")
    room.bridge.publish(topic(topics.DEVICE_BIRTH, "reader-2"), birth)
    room.open()
    assert room.health
    assert known(room) == [("reader-2", "0000000A", "2.0"), ("reader-2", "0000000B", "2.0")]


def test_a_reader_that_the_table_does_not_have_is_not_journalled(room: Room) -> None:
    tell(room, room.bridge, "reader-99", "0000000A")
    assert known(room) == []


def test_only_the_bridge_speaks_for_a_reader(room: Room) -> None:
    tell(room, room.join("reader-2"), "reader-2", "0000000A")
    tell(room, room.join("console-9"), "reader-2", "0000000A")
    assert known(room) == []
