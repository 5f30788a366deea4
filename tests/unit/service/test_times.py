"""What the controller counts and times of its rulings, refusals and writes, for whoever watches many tables."""

from itertools import pairwise

from betline import topics
from tests.unit.service.room import SETUP, Room


def counted(room: Room, name: str) -> int:
    (timing,) = [one for one in room.controller.timings() if one.name == name]
    return timing.tally.up_to()[-1][1]


def with_chips_ruled_on(tmp_path) -> Room:
    room = Room(tmp_path)
    room.key("setup", **SETUP)
    room.play(8)
    room.key("cards-out")
    room.push(4, "red-5", "white-1")
    room.play()
    return room


def test_a_ruling_on_chips_is_timed_from_their_rest_and_one_on_a_key_is_not(tmp_path) -> None:
    room = with_chips_ruled_on(tmp_path)
    assert counted(room, "rest_to_ruling") == counted(room, "ready_to_ruling") == 1

    room.key("act", seat=1, action="fold")
    assert counted(room, "rest_to_ruling") == 1
    room.close()


def test_each_write_of_the_journal_and_each_input_is_timed(tmp_path) -> None:
    room = Room(tmp_path)
    before = counted(room, "journal")
    room.key("setup", **SETUP)

    assert counted(room, "journal") == before + 1
    assert counted(room, "input") == 1
    room.close()


def test_an_event_says_when_it_was_taken_ruled_and_written_in_this_order(tmp_path) -> None:
    room = with_chips_ruled_on(tmp_path)
    steps = [body for kind, body in room.heard if kind is topics.EVENT and body.type == "step"]

    assert steps
    for event in steps:
        times = (event.taken_ns, event.ruled_ns, event.written_ns)
        assert all(first <= after for first, after in pairwise(times))
    room.close()


def test_refusals_are_counted_by_code_and_rulings_by_what_they_followed_from(tmp_path) -> None:
    room = with_chips_ruled_on(tmp_path)
    code = room.key("act", seat=4, action="fold").code
    room.controller._next_health_s = 0.0
    room.controller.pump(0)

    health = [body for kind, body in room.heard if kind is topics.DEVICE_HEALTH][-1].counters
    assert health[f"refused_{code.replace('-', '_')}"] == 1
    assert health["rulings_chips"] == 1
    assert health["rulings_inferred"] == 0
    assert health["intake_waiting"] == 0
    room.close()
