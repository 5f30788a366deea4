"""A controller that was killed comes back to the same table and tells the dealer what lies there otherwise."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from betline import topics
from betline.bus import HOST_CLOCK
from betline.messages.common import Birth
from betline.topics import topic
from betline.units import NS_PER_MS
from tests.unit.service.room import SETUP, Room

BIRTH = Birth(role="bridge", version="1", table="home-six", config_hash="1")


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path)
    room.key("setup", **SETUP)
    room.play(8)
    room.key("cards-out")
    room.push(4, "red-5", "white-1")
    room.play()
    yield room
    room.close()


def told(room: Room) -> list[tuple[int | None, str]]:
    return [(one.seat, one.sentence) for one in room.said(topics.ALERT) if one.code == "since-restart"]


def test_where_nothing_has_changed_nothing_is_said(room: Room) -> None:
    room.kill()
    room.open()
    room.play()
    assert told(room) == []
    assert room.controller.session.remembered is None


def test_chips_that_came_to_a_seat_that_is_not_to_act_are_said_once(room: Room) -> None:
    room.kill()
    room.push(3, "green-25")
    room.open()
    room.play(12)
    assert told(room) == [
        (3, "Since the restart: seat 3 has 25 more than was ruled on. It counts in turn; key it if no ruling comes.")
    ]
    assert "alert" in room.journalled()


def test_a_bet_that_was_made_meanwhile_is_said_and_ruled_on(room: Room) -> None:
    room.kill()
    room.push(1, "red-5", "white-1")
    room.open()
    room.play(12)
    assert [seat for seat, _ in told(room)] == [1]
    assert [(one.seat, one.ruling, one.to) for one in room.said(topics.RULING)][-1] == (1, "call", 6)


def test_a_bet_that_was_taken_away_meanwhile_is_said(room: Room) -> None:
    room.kill()
    room.lying[4] = {}
    room.open()
    room.play(12)
    assert told(room) == [
        (
            4,
            "Since the restart: 6 of seat 4's bet no longer lies there. The bet stands: have it put back, or key it.",
        )
    ]


def test_what_was_settled_by_a_new_street_is_not_compared(room: Room) -> None:
    room.kill()
    room.push(3, "green-25")
    room.open()
    for seat in (1, 2, 3):
        room.key("act", seat=seat, action="call" if seat == 1 else "fold")
    room.key("deal", street="flop")
    room.play(12)
    assert told(room) == []


def test_it_is_published_which_seats_have_their_base_line(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.key("setup", **SETUP)
    assert not any(seat.based for seat in room.state.seats)
    room.play(8)
    assert all(seat.based for seat in room.state.seats)
    room.close()


class Later:
    """A host's clock that can be put on."""

    def __init__(self) -> None:
        self.on_ns = 0

    def wall_ns(self) -> int:
        return HOST_CLOCK.wall_ns() + self.on_ns

    def mono_ns(self) -> int:
        return HOST_CLOCK.mono_ns() + self.on_ns


def silent(room: Room) -> set[str]:
    return {one.name for one in room.state.sensors if one.state in ("stale", "offline")}


def test_readers_that_are_silent_after_a_restart_are_said_to_be_down(tmp_path: Path) -> None:
    clock = Later()
    room = Room(tmp_path, here=clock)
    room.key("setup", **SETUP)
    room.bridge.publish(topic(topics.DEVICE_BIRTH, "bridge"), BIRTH)
    room.play(8)
    assert room.health["journal_failures"] == 0  # devices are journalled with the health message
    room.kill()
    room.open()
    clock.on_ns += 3_000 * NS_PER_MS
    room.controller.pump(0)
    down = {f"reader-{seat}" for seat in range(1, 7)}
    assert down <= silent(room)
    assert {one.code for one in room.state.alerts} >= {"reader-down"}
    assert any("reader-1 is " in one.sentence for one in room.said(topics.ALERT))
    room.close()


def test_readers_that_this_journal_never_heard_of_are_not_missed_after_a_restart(tmp_path: Path) -> None:
    clock = Later()
    room = Room(tmp_path, here=clock)
    room.key("setup", **SETUP)
    room.kill()
    room.open()
    clock.on_ns += 3_000 * NS_PER_MS
    room.controller.pump(0)
    assert silent(room) == set()
    room.close()


def test_what_a_seat_owes_is_shown_from_the_first_state_after_a_restart(room: Room) -> None:
    room.key("says", seat=1, text="raise to 20")
    assert {seat.seat: seat.owes for seat in room.state.seats if seat.owes} == {1: 20}
    room.kill()
    before = len(room.said(topics.STATE))
    room.open()
    first = room.said(topics.STATE)[before]
    assert {seat.seat: seat.owes for seat in first.seats if seat.owes} == {1: 20}
