"""Readers, camera and console on another host, whose clocks are hours off: all goes as on one host."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from betline import topics
from betline.bus import HostClock, MemoryBus
from betline.bus.wire import encode
from betline.messages.common import Birth, Command, Envelope, Presence
from betline.messages.devices import CameraView, LineEvent, SeatEventType, SeatView
from betline.settings import load_table
from betline.topics import topic
from betline.units import NS_PER_MS, NS_PER_S
from tests.unit.service.room import NAMES, SETUP, Room

HOUR_S = 3600
CAMERA = "overhead"


@dataclass
class Time:
    """The one true time, by which all hosts' clocks go, each from a zero of its own."""

    now_ns: int = 50 * HOUR_S * NS_PER_S
    wall_step_s: int = 0
    """By how much the other host's wall clock was set while it ran."""

    def host(self, mono_s: int = 0, wall_s: int = 0, *, steps: bool = False) -> HostClock:
        return HostClock(
            lambda: self.now_ns + mono_s * NS_PER_S,
            lambda: 1_700_000_000 * NS_PER_S + self.now_ns + (wall_s + steps * self.wall_step_s) * NS_PER_S,
        )


class TwoHosts(Room):
    """A room whose bridge, camera and console are on another host."""

    def __init__(self, folder: Path, mono_s: int, wall_s: int) -> None:
        self.time = Time()
        super().__init__(folder, self.time.host(), self.time.host(mono_s, wall_s, steps=True), load_table("home-six"))
        self.camera = MemoryBus(self.hub, NAMES, CAMERA, clock=self.elsewhere)
        self._events = 0
        self.frame = 0

    def wait(self, milliseconds: int) -> None:
        """Time goes by, and the controller looks at it."""
        for _ in range(milliseconds // 10):
            self.time.now_ns += 10 * NS_PER_MS
            self.controller._next_tick_s = 0
            self.controller.pump(0)

    def play(self, rounds: int = 8) -> None:
        for _ in range(rounds):
            self.look()
            super().play(1)
            self.wait(70)

    def look(self) -> None:
        """The camera tells that no hand is anywhere."""
        self.frame += 1
        views = tuple(
            SeatView(seat=seat, occupied=False, hand=False, area_mm2=0, footprints=0, occluded_ms=0)
            for seat in range(1, 7)
        )
        self.camera.publish(topic(topics.DEVICE_VIEW, CAMERA), CameraView(seats=views, frame=self.frame, fps=30))

    def saw(self, event: SeatEventType, seat: int, ago_ms: int = 0) -> None:
        self._events += 1
        first_ns = self.elsewhere.mono_ns() - ago_ms * NS_PER_MS
        told = LineEvent(
            id=f"e-{self._events}", event=event, seat=seat, t_first_ns=first_ns, t_confirm_ns=first_ns, conf=1,
            motions=1, frame=1,
        )  # fmt: skip
        self.camera.publish(topic(topics.SEAT_LINE, seat), told)

    def bets(self, seat: int, *types: str) -> None:
        """A hand brings chips and leaves, before camera and readers."""
        self.saw("hand_entered", seat)
        self.wait(100)
        self.push(seat, *types)
        super().play(1)
        self.wait(70)
        self.saw("bet_settled", seat, ago_ms=50)
        super().play(1)
        self.saw("hand_left", seat)
        self.play(8)

    def begin(self) -> None:
        self.play(6)
        assert self.key("setup", **SETUP).ok
        self.push(2, "white-1")
        self.push(3, "white-1", "white-1")
        self.play()
        assert self.key("cards-out").ok
        self.play(2)

    def on_felt(self, seat: int) -> int | None:
        return next(one.on_felt for one in self.state.seats if one.seat == seat)

    @property
    def rulings(self) -> list[tuple[int | None, str, int]]:
        return [(one.seat, one.ruling, one.to) for one in self.said(topics.RULING)]


@pytest.fixture
def hosts(tmp_path: Path) -> Iterator[Callable[[int, int], TwoHosts]]:
    rooms: list[TwoHosts] = []

    def make(mono_s: int, wall_s: int) -> TwoHosts:
        folder = tmp_path / str(len(rooms))
        folder.mkdir()
        rooms.append(TwoHosts(folder, mono_s, wall_s))
        return rooms[-1]

    yield make
    for room in rooms:
        room.close()


elsewhere = pytest.mark.parametrize(
    ("mono_s", "wall_s"),
    [(0, 0), (-9 * HOUR_S, 5 * HOUR_S), (9 * HOUR_S, -5 * HOUR_S)],
    ids=["here", "behind", "ahead"],
)


@elsewhere
def test_a_reader_that_falls_silent_is_stale_after_its_time_and_not_before(
    hosts: Callable[[int, int], TwoHosts], mono_s: int, wall_s: int
) -> None:
    room = hosts(mono_s, wall_s)
    room.begin()
    assert (room.on_felt(2), room.on_felt(3)) == (1, 2)
    stale_ms = room.terms.table.sensing.stale_ms
    room.wait(stale_ms - 200)
    assert (room.on_felt(2), room.on_felt(3)) == (1, 2)
    room.wait(400)
    assert (room.on_felt(2), room.on_felt(3)) == (None, None)


@pytest.mark.one_in(3)
@elsewhere
def test_bets_before_reader_and_camera_are_ruled_as_on_one_host(
    hosts: Callable[[int, int], TwoHosts], mono_s: int, wall_s: int
) -> None:
    room = hosts(mono_s, wall_s)
    room.begin()
    room.bets(4, "white-1", "white-1")
    room.bets(1, "red-5", "white-1", "white-1")
    room.bets(2, "red-5", "white-1")
    assert room.rulings == [(4, "call", 2), (1, "raise", 7), (2, "call", 7)]
    moved = [one.data["observation"] for one in room.said(topics.EVENT) if one.type == "observed"]
    assert [(one["seat"], one["degraded"]) for one in moved if one["kind"] == "chips-moved"] == [
        (4, False), (1, False), (2, False),
    ]  # fmt: skip
    acts = [one for one in room.said(topics.ANNOUNCEMENT) if one.cause_ns is not None]
    assert all(0 <= room.time.now_ns - one.cause_ns < HOUR_S * NS_PER_S / 10 for one in acts)
    assert acts


@elsewhere
def test_a_console_commands_whatever_its_clocks_say_and_a_command_that_waited_is_refused(
    hosts: Callable[[int, int], TwoHosts], mono_s: int, wall_s: int
) -> None:
    room = hosts(mono_s, wall_s)
    assert room.key("setup", **SETUP).ok
    for waited_s, code in ((2, "ok"), (12, "expired")):
        expires_ms = room.elsewhere.wall_ns() // NS_PER_MS + 10_000
        command = Command(id=f"waited-{waited_s}", expires_ms=expires_ms, args={})
        envelope = Envelope(
            sender="console", boot_id=room.console.boot_id, seq=1000 + waited_s,
            ts_ms=room.elsewhere.wall_ns() // NS_PER_MS, mono_ns=room.elsewhere.mono_ns(),
        )  # fmt: skip
        room.time.now_ns += waited_s * NS_PER_S
        room.hub.inject(NAMES.full("command/cards-out"), encode(envelope, command))
        room.controller.pump(0)
        assert room.said(topics.REPLY)[-1].code == code
    assert "2.0 s too late" in room.said(topics.REPLY)[-1].sentence


def test_a_wall_clock_that_is_set_while_the_table_plays_changes_nothing(
    hosts: Callable[[int, int], TwoHosts],
) -> None:
    room = hosts(-2 * HOUR_S, 0)
    room.begin()
    room.time.wall_step_s = -HOUR_S
    room.bets(4, "white-1", "white-1")
    room.time.wall_step_s = HOUR_S
    assert room.key("act", seat=1, action="fold").ok
    room.bets(2, "white-1")
    assert room.rulings == [(4, "call", 2), (1, "fold", 0), (2, "call", 2)]


def test_the_offset_and_how_sure_it_is_stand_in_the_controllers_health(
    hosts: Callable[[int, int], TwoHosts],
) -> None:
    room = hosts(-9 * HOUR_S, 0)
    room.begin()
    assert room.health["clock_offset_ms_bridge"] == pytest.approx(9 * HOUR_S * 1000, abs=5)
    assert 20 <= room.health["clock_uncertainty_ms_bridge"] < 25


def test_what_was_overtaken_by_a_newer_snapshot_and_the_will_of_a_former_life_tell_nothing(
    hosts: Callable[[int, int], TwoHosts],
) -> None:
    room = hosts(HOUR_S, 0)
    former = room.bridge
    room.bridge = MemoryBus(
        room.hub, NAMES, "bridge", presence=topic(topics.DEVICE_STATUS, "bridge"), clock=room.elsewhere
    )
    birth = Birth(role="bridge", version="1", table="home-six", config_hash="")
    room.bridge.publish(topic(topics.DEVICE_BIRTH, "bridge"), birth)
    online = Presence(state="online")
    room.bridge.publish(topic(topics.DEVICE_STATUS, "reader-1"), online)
    room.controller.pump(0)
    overtaken = Envelope(sender="bridge", boot_id=room.bridge.boot_id, seq=0, ts_ms=0, mono_ns=room.elsewhere.mono_ns())
    room.hub.inject(NAMES.full("device/reader-1/status"), encode(overtaken, Presence(state="offline")))
    former.drop()
    room.controller.pump(0)
    states = {name: sensor.said for name, sensor in room.controller.session.sensors.known.items()}
    assert states["reader-1"] == "online"
    assert states["bridge"] == "online"
    assert room.controller._edge.dropped == {"overtaken": 2}
    room.bridge.drop()
    room.controller.pump(0)
    assert room.controller.session.sensors.known["bridge"].said == "offline"
