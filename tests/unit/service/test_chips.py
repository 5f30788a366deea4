"""What the bridge tells of single chips reaches the table: worth, alerts in the state, where a chip came from."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from betline import topics
from betline.messages.devices import ChipEvidence, ZoneChips
from betline.topics import topic
from betline.units import NS_PER_MS
from tests.unit.service.room import SETUP, Room

UID = "E004000000000077"


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    one = Room(tmp_path)
    yield one
    one.close()


def shows(room: Room, zone: str, rounds: int = 8, **chip: Any) -> None:
    """One chip lies in a zone for so many rounds; the other zones are empty."""
    for _ in range(rounds):
        room.play(1)
        hits = min(8, room.round_no)
        evidence = ChipEvidence(
            **{"uid": UID, "chip_type": "black-100", "hits": hits, "rounds": hits, "missed": 0} | chip
        )
        reader = f"reader-{zone.removeprefix('seat-')}"
        room.bridge.publish(
            topic(topics.ZONE_CHIPS, zone),
            ZoneChips(
                zone=zone, reader=reader, round_no=1000 + room.round_no, chips=(evidence,),
                last_byte_ns=time.monotonic_ns(),
            ),
        )  # fmt: skip
        room.controller.pump(0)


def alerts(room: Room) -> dict[str, str]:
    return {alert.code: alert.sentence for alert in room.state.alerts}


@pytest.mark.parametrize(
    ("chip", "code", "words"),
    [
        ({"state": "hot"}, "hot-chip", f"tell the floor of black-100 {UID}: it is on the hot list; the hand goes on"),
        ({"state": "retired"}, "retired-chip", f"change black-100 {UID}: it is retired and worth nothing"),
        (
            {"also_in": "seat-5"},
            "cloned-chip",
            f"call the floor about black-100 {UID}: the same chip lies elsewhere too",
        ),
        ({"chip_type": None}, "unknown-chip", f"the register does not know {UID}"),
        (
            {"chip_type": "pink-7"},
            "foreign-chip",
            f"change pink-7 {UID}: the chip set in force does not have its type",
        ),
    ],
)
@pytest.mark.parametrize("zone", ["pot", "tray"])
def test_a_chip_that_people_should_know_of_stands_in_the_state(
    room: Room, zone: str, chip: dict[str, Any], code: str, words: str
) -> None:
    shows(room, zone, **chip)
    assert words in alerts(room)[code]
    assert alerts(room)[code].startswith(f"The {zone}: ")
    told_here = [alert.code for alert in room.said(topics.ALERT)]
    assert (code in told_here) is (code == "foreign-chip")


def test_a_good_chip_raises_nothing(room: Room) -> None:
    shows(room, "tray")
    assert not alerts(room)


@pytest.mark.parametrize(("state", "on_felt"), [("active", 100), ("hot", 100), ("retired", 0)])
def test_a_hot_chip_is_worth_what_it_was_and_a_retired_one_nothing(room: Room, state: str, on_felt: int) -> None:
    assert room.key("setup", **SETUP).ok
    for _ in range(8):
        room.play(1)
        hits = min(8, room.round_no)
        chip = ChipEvidence(uid=UID, chip_type="black-100", state=state, hits=hits, rounds=hits, missed=0)
        snapshot = room.snapshot(4).model_copy(update={"chips": (chip,), "round_no": room.round_no + 1000})
        room.bridge.publish(topic(topics.ZONE_CHIPS, "seat-4"), snapshot)
        room.controller.pump(0)
    assert next(seat.on_felt for seat in room.state.seats if seat.seat == 4) == on_felt


def test_the_time_at_which_a_chip_left_its_last_place_is_read_on_the_controllers_clock(room: Room) -> None:
    shows(room, "pot", from_zone="seat-2", from_ns=time.monotonic_ns() - 2000 * NS_PER_MS)
    track = room.controller.session.sensing.zones["pot"].tracks[UID]
    assert track.from_zone == "seat-2"
    assert 1900 < (time.monotonic_ns() - track.from_ns) / 1e6 < 10_000
