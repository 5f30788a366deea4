"""Floods, forged senders, replays, a second controller, a leaping clock: counted, said, and the table plays on."""

import logging
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from betline import topics
from betline.bus import HostClock, MemoryBus
from betline.bus.wire import WILL_SEQ, encode
from betline.messages.common import Birth, Command, Envelope, Presence
from betline.messages.devices import CameraView, LineEvent, SeatView
from betline.settings import load_chip_set, load_table
from betline.topics import topic
from betline.units import NS_PER_MS, NS_PER_S
from table_controller.journal.store import Journal
from table_controller.service import controller as service_module
from table_controller.service.controller import DEVICE, Controller, SecondController
from table_controller.service.intake import EACH
from table_controller.session.fold import resume
from tests.unit.service.room import NAMES, SETUP, Room

ROOT = f"{NAMES.root}/"
CAMERA = "overhead"


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path)
    yield room
    room.close()


def raised(room: Room, code: str) -> list[bool]:
    return [alert.active for alert in room.said(topics.ALERT) if alert.code == code]


def view(frame: int) -> CameraView:
    seats = (SeatView(seat=1, occupied=False, hand=False, area_mm2=0, footprints=0, occluded_ms=0),)
    return CameraView(seats=seats, frame=frame, fps=30)


def test_devices_that_the_table_file_does_not_name_are_not_kept_and_said_once(tmp_path: Path) -> None:
    room = Room(tmp_path, at=load_table("home-six"))
    room.key("setup", **SETUP)
    before = len(room.state.sensors)
    alerts = len(room.said(topics.ALERT))
    for number in range(2000):
        stranger = room.join(f"bridge-{number}", presence=topic(topics.DEVICE_STATUS, f"bridge-{number}"))
        birth = Birth(role="bridge", version="1", table="home-six", config_hash="")
        stranger.publish(topic(topics.DEVICE_BIRTH, f"bridge-{number}"), birth)
        stranger.publish(topic(topics.DEVICE_VIEW, f"bridge-{number}"), view(number))
        stranger.drop()
    for _ in range(20):
        room.controller.pump(0)

    assert room.health["bus_strangers"] == 6000
    assert len(room.state.sensors) == before
    assert [alert.code for alert in room.said(topics.ALERT)[alerts:]] == ["strangers"]
    assert "strangers" in [alert.code for alert in room.state.alerts]
    assert len(room.bus._inbox._sequences) < 50
    assert room.key("cards-out").ok
    room.close()


def test_a_console_that_says_it_is_there_is_no_stranger(room: Room) -> None:
    room.join("console", presence=topic(topics.DEVICE_STATUS, "console"))
    room.join("world", presence=topic(topics.DEVICE_STATUS, "world"))
    assert "bus_strangers" not in room.health
    assert raised(room, "strangers") == []


def test_the_numbers_of_messages_are_remembered_for_some_topics_only(room: Room) -> None:
    for number in range(5000):
        envelope = Envelope(sender="x", boot_id="b", seq=number, ts_ms=0, mono_ns=0)
        room.hub.inject(f"{ROOT}command/verb-{number}", encode(envelope, Command(id=f"id-{number:08}", expires_ms=1)))
    assert len(room.bus._inbox._sequences) <= 1024
    assert room.health["dropped_by_x"] > 0


def test_evidence_counts_only_from_the_program_that_the_table_file_makes_responsible(tmp_path: Path) -> None:
    room = Room(tmp_path, at=load_table("home-six"))
    room.key("setup", **SETUP)
    room.key("cards-out")
    mallory = room.join("mallory")
    room.push(4, "red-5", "white-1")
    room.round_no = 0
    for _ in range(12):
        room.round_no += 1
        mallory.publish(topic(topics.ZONE_CHIPS, "seat-4"), room.snapshot(4))
    mallory.publish(topic(topics.DEVICE_STATUS, "reader-1"), Presence(state="offline"))
    mallory.publish(topic(topics.DEVICE_STATUS, "bridge"), Presence(state="offline"))
    seen = LineEvent(id="e", event="cards_dealt", seat=1, t_first_ns=0, t_confirm_ns=0, conf=1, frame=1)
    mallory.publish(topic(topics.SEAT_LINE, 1), seen)
    room.controller.pump(0)

    assert room.state.to_act == 4
    assert {sensor.state for sensor in room.state.sensors} <= {"online", "unknown"}
    assert (room.health["bus_forged-sender"], room.health["dropped_by_mallory"]) == (15, 15)
    assert raised(room, "forged-sender") == [True]
    room.close()


def test_no_sensor_commands(room: Room) -> None:
    room.key("setup", **SETUP)
    command = Command(id="from-a-sensor", expires_ms=room.elsewhere.wall_ns() // NS_PER_MS + 10_000)
    room.bridge.publish(topic(topics.COMMAND, "cards-out"), command)
    room.controller.pump(0)

    reply = room.said(topics.REPLY)[-1]
    assert (reply.code, reply.ok) == ("not-a-console", False)
    assert room.state.phase == "posting"


def test_of_two_bridges_the_one_that_said_online_last_is_heard_until_it_is_silent(room: Room) -> None:
    room.key("setup", **SETUP)
    room.play(8)
    room.key("cards-out")
    former, room.bridge = room.bridge, room.join("bridge", presence=topic(topics.DEVICE_STATUS, "bridge"))
    room.play(8)
    room.push(4, "red-5", "white-1")
    for _ in range(12):
        room.round_no += 1
        former.publish(topic(topics.ZONE_CHIPS, "seat-4"), room.snapshot(4))
        room.controller.pump(0)

    assert room.state.to_act == 4
    assert room.health["bus_second-life"] == 12
    assert raised(room, "second-life") == [True]


def test_a_flood_of_one_sender_keeps_no_command_waiting_and_is_bounded(room: Room) -> None:
    room.key("setup", **SETUP)
    for number in range(4 * EACH):
        room.round_no = number + 1
        room.bridge.publish(topic(topics.ZONE_CHIPS, "seat-1"), room.snapshot(1))
    assert room.key("cards-out").ok  # in one turn of the loop
    assert room.health["bus_overrun"] == 3 * EACH
    assert room.health["dropped_by_bridge"] == 3 * EACH


def test_a_flood_of_garbage_is_a_line_a_minute_in_the_log(room: Room, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        for _ in range(1000):
            room.hub.inject(f"{ROOT}command/act", b"garbage")
    assert len(caplog.records) == 1
    assert room.health["dropped_by_command_act"] == 1000
    assert raised(room, "malformed") == [True]


def test_a_notice_passes_after_a_quiet_minute(tmp_path: Path) -> None:
    now_ns = [0]
    clock = HostClock(lambda: now_ns[0], lambda: now_ns[0])
    room = Room(tmp_path, clock, clock)
    room.hub.inject(f"{ROOT}command/act", b"garbage")
    assert room.health["bus_malformed"] == 1
    now_ns[0] += 61 * NS_PER_S
    assert room.health["bus_malformed"] == 1
    assert raised(room, "malformed") == [True, False]
    assert room.state.alerts == ()
    room.close()


def test_an_old_message_that_is_played_back_is_not_heard_again(room: Room) -> None:
    heard: list[tuple[str, bytes]] = []
    inject = room.hub.inject

    def recording(full_topic: str, payload: bytes, *, retained: bool = False) -> None:
        heard.append((full_topic, payload))
        inject(full_topic, payload, retained=retained)

    room.hub.inject = recording  # type: ignore[method-assign]
    room.key("setup", **SETUP)
    room.key("cards-out")
    room.key("act", seat=4, action="fold")
    first = [one for one in heard if "/command/act" in one[0]]
    for _ in range(200):
        room.key("act", seat=9, action="fold")
    before = room.health["bus_duplicates"]
    entries = len(room.journalled())
    for one in first:
        inject(*one)
    assert room.health["bus_duplicates"] == before + 1
    assert room.health["dropped_by_console"] == 1
    assert len(room.journalled()) == entries


def test_a_command_that_came_too_late_is_refused_and_counted_by_who_sent_it(room: Room) -> None:
    room.key("setup", **SETUP)
    late = Command(id="too-late", expires_ms=room.elsewhere.wall_ns() // NS_PER_MS - 1000)
    room.console.publish(topic(topics.COMMAND, "cards-out"), late)
    room.controller.pump(0)

    assert room.said(topics.REPLY)[-1].code == "expired"
    assert room.state.phase == "posting"
    assert (room.health["dropped_expired"], room.health["dropped_by_console"]) == (1, 1)


# --- starting


def test_what_is_asked_while_the_controller_starts_is_answered_and_online_comes_after(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.key("setup", **SETUP)
    room.kill()
    seen = len(room.heard)

    def slow(*args: object) -> object:
        command = Command(id="in-between", expires_ms=room.elsewhere.wall_ns() // NS_PER_MS + 10_000)
        room.console.publish(topic(topics.COMMAND, "cards-out"), command)
        assert "online" not in [body.state for kind, body in room.heard[seen:] if kind is topics.STATUS]
        return resume(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(service_module, "resume", slow)
    room.open()
    room.controller.pump(0)

    assert [reply.code for reply in room.said(topics.REPLY) if reply.command_id == "in-between"] == ["ok"]
    assert room.state.phase == "betting"


def test_a_retained_command_is_not_obeyed_by_a_controller_that_starts(room: Room) -> None:
    room.key("setup", **SETUP)
    room.kill()
    command = Command(id="kept-by-the-broker", expires_ms=room.elsewhere.wall_ns() // NS_PER_MS + 1_000_000)
    envelope = Envelope(sender="console", boot_id="b", seq=1, ts_ms=0, mono_ns=room.elsewhere.mono_ns())
    room.hub.inject(f"{ROOT}command/cards-out", encode(envelope, command), retained=True)
    room.open()
    room.controller.pump(0)

    assert room.state.phase == "posting"
    assert (room.health["bus_retained"], room.health["dropped_by_console"]) == (1, 1)


@pytest.fixture
def second(room: Room, tmp_path: Path) -> Iterator[Controller]:
    """A second controller of the same table, with a journal of its own."""
    journal = Journal.open(tmp_path / "another.journal", "home/home-six", 0, 0)
    bus = room.join(DEVICE, presence=topic(topics.STATUS), announces=False)
    yield Controller(room.terms, load_chip_set(room.terms.table.chip_set), bus, journal, clock=room.now)
    journal.close()


def presence(room: Room) -> str:
    """What the broker keeps of the controller's presence, and of whose life."""
    late: list[str] = []
    room.join("late").subscribe(topics.STATUS, lambda r: late.append(f"{r.body.state} {r.envelope.boot_id}"))  # type: ignore[attr-defined]
    return late[0]


def test_a_second_controller_gives_way_with_a_sentence_and_the_first_serves_on(room: Room, second: Controller) -> None:
    room.key("setup", **SETUP)
    second.start()
    room.controller.pump(0)
    with pytest.raises(SecondController, match="Another controller serves this table"):
        second.pump(0)
    second._bus.close()
    room.controller.pump(0)

    assert presence(room) == f"online {room.bus.boot_id}"
    assert room.state.phase == "posting"
    assert room.key("cards-out").ok


def test_a_controller_gives_signs_of_life_while_it_serves_and_none_while_it_waits_or_gives_way(
    room: Room, tmp_path: Path
) -> None:
    signs: list[str] = []
    journal = Journal.open(tmp_path / "another.journal", "home/home-six", 0, 0)
    bus = room.join(DEVICE, presence=topic(topics.STATUS), announces=False)
    chips = load_chip_set(room.terms.table.chip_set)
    second = Controller(room.terms, chips, bus, journal, clock=room.now, serves=lambda: signs.append("second"))
    second.start()
    room.controller.pump(0)
    with pytest.raises(SecondController):
        second.pump(0)
    assert signs == []
    room.controller._serves = lambda: signs.append("first")
    for _ in range(3):
        room.controller.pump(0)

    assert signs == ["first"] * 3
    journal.close()


def test_a_presence_that_the_broker_kept_of_a_dead_controller_locks_nobody_out(tmp_path: Path) -> None:
    now_ns = [10 * NS_PER_S]
    clock = HostClock(lambda: now_ns[0], lambda: now_ns[0])
    room = Room(tmp_path, clock, clock)
    room.key("setup", **SETUP)
    room.hub.leave(room.bus)  # its machine lost its power, and the broker does not know it
    room.journal.close()
    room.opens()
    room.controller.start()
    room.controller.pump(0)
    assert presence(room) != f"online {room.bus.boot_id}"
    now_ns[0] += 1_600 * NS_PER_MS
    room.controller.pump(0)

    assert presence(room) == f"online {room.bus.boot_id}"
    assert room.key("cards-out").ok
    room.close()


def test_of_two_controllers_that_start_together_one_gives_way(room: Room, second: Controller) -> None:
    room.kill()
    second.start()
    room.opens()
    standing = room.controller._standing
    standing.heard = lambda _: None  # type: ignore[method-assign]  # what the other said had not come yet
    standing._echoed = True
    room.controller.start()
    del standing.heard
    gave_way = []
    for controller in (second, room.controller, second, room.controller):
        try:
            controller.pump(0)
        except SecondController:
            gave_way.append(controller)
            break
    assert len(gave_way) == 1


def test_a_strange_offline_does_not_stand_as_this_controllers(room: Room) -> None:
    room.key("setup", **SETUP)
    gone = Envelope(sender=DEVICE, boot_id="another", seq=WILL_SEQ, ts_ms=0, mono_ns=0)
    room.hub.inject(f"{ROOT}status", encode(gone, Presence(state="offline", detail="lost")), retained=True)
    room.controller.pump(0)
    assert presence(room) == f"online {room.bus.boot_id}"


def test_a_second_controller_that_came_all_the_same_is_said(room: Room) -> None:
    room.key("setup", **SETUP)
    room.controller._standing._served_ns = time.monotonic_ns() - 60 * NS_PER_S
    room.join(DEVICE, presence=topic(topics.STATUS))
    assert room.health["faults"] == 0
    assert raised(room, "second-controller") == [True]
    assert room.key("cards-out").ok


# --- clocks and cameras


@pytest.mark.parametrize("hours", [2, -2])
def test_a_leap_of_the_controllers_clock_voids_no_key(tmp_path: Path, hours: int) -> None:
    now_ns, leap_ns = [100 * 3600 * NS_PER_S], [0]
    here = HostClock(lambda: now_ns[0] + leap_ns[0], lambda: now_ns[0] + leap_ns[0])
    there = HostClock(lambda: now_ns[0], lambda: now_ns[0])
    room = Room(tmp_path, here, there)
    assert room.key("setup", **SETUP).ok
    leap_ns[0] = hours * 3600 * NS_PER_S
    for _ in range(10):
        now_ns[0] += 50 * NS_PER_MS
        room.controller.pump(0)
    assert room.key("cards-out").ok
    room.close()


def test_a_command_that_waited_while_the_controller_stood_still_is_void(tmp_path: Path) -> None:
    now_ns = [100 * 3600 * NS_PER_S]
    clock = HostClock(lambda: now_ns[0], lambda: now_ns[0])
    room = Room(tmp_path, clock, clock)
    assert room.key("setup", **SETUP).ok
    room.controller.pump(0)
    command = Command(id="waited-long", expires_ms=now_ns[0] // NS_PER_MS + 10_000)
    envelope = Envelope(sender="console", boot_id=room.console.boot_id, seq=900, ts_ms=now_ns[0] // NS_PER_MS,
                        mono_ns=now_ns[0])  # fmt: skip
    now_ns[0] += 7200 * NS_PER_S
    room.controller.pump(0)
    room.hub.inject(f"{ROOT}command/cards-out", encode(envelope, command))
    room.controller.pump(0)
    assert room.said(topics.REPLY)[-1].code == "expired"
    room.close()


def test_views_of_one_frame_are_no_sign_of_life_of_a_camera(tmp_path: Path) -> None:
    now_ns = [100 * 3600 * NS_PER_S]
    clock = HostClock(lambda: now_ns[0], lambda: now_ns[0])
    room = Room(tmp_path, clock, clock, load_table("home-six"))
    camera = MemoryBus(room.hub, NAMES, CAMERA, presence=topic(topics.DEVICE_STATUS, CAMERA), clock=clock)

    def seconds(count: int, frames: Iterator[int]) -> str:
        for _ in range(count * 10):
            now_ns[0] += 100 * NS_PER_MS
            camera.publish(topic(topics.DEVICE_VIEW, CAMERA), view(next(frames)))
            room.controller._next_tick_s = 0
            room.controller.pump(0)
        return next(sensor.state for sensor in room.state.sensors if sensor.name == CAMERA)

    assert seconds(4, iter(range(1, 100))) == "online"
    assert seconds(2, iter([200] * 100)) == "stale"
    assert raised(room, "camera-down") == [True]
    assert seconds(1, iter(range(300, 400))) == "online"
    room.close()
