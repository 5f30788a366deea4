"""The world's process: it owns the chips, the players, the far ends of the pseudo-terminals and the rendered frames."""

from __future__ import annotations

import contextlib
import json
import math
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from betline.bus import Bus, Received
from betline.joining import join
from betline.messages.common import Birth, Presence
from betline.messages.devices import CameraView
from betline.messages.people import StaffState
from betline.messages.versions import own_capability
from betline.options import Address
from betline.settings import TableSettings, load_chip_set
from betline.settings.readers import BY_ID
from betline.steps import SitDown
from betline.topics import DEVICE_BIRTH, DEVICE_STATUS, DEVICE_VIEW, STAFF, STATUS, Namespace, topic
from firmware_bridge.protocols.catalogue import family
from firmware_bridge.protocols.family import LineSettings
from virtual_table.camera import MjpegServer
from virtual_table.faults.plan import NO_FAULTS, TablePlan
from virtual_table.play.clock import HostClock, Stopped
from virtual_table.play.director import Director
from virtual_table.play.link import PATIENCE_S, ControllerLink, ControllerSilent
from virtual_table.play.pace import Pace, Pauses
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.cables import pull_cables
from virtual_table.readers.catalogue import virtual_reader
from virtual_table.readers.device import SerialDevice
from virtual_table.readers.events import Eventful
from virtual_table.readers.field import FieldTag
from virtual_table.readers.reach import neighbours_of, tags_in_reach
from virtual_table.readers.reader import VirtualReader
from virtual_table.readers.server import ReaderServer
from virtual_table.run.run_table import RunFiles
from virtual_table.run.table_faults import CameraFaults
from virtual_table.run.timeline import carried_out
from virtual_table.run.zones import Zones, ZoneTeller
from virtual_table.scripts.script import HandScript
from virtual_table.table.bank import BankError
from virtual_table.table.world import World

DEVICE = "world"
SPARE_CHIPS = 400
READY_WAIT_S = 60.0
CAMERA_READY = "camera's word that it is ready"


class PartMissing(Exception):
    """A part of the system did not come online; the text says which."""


@dataclass(frozen=True, slots=True)
class Senses:
    """How bad the virtual readers are: shares of missed reads, of reads of a neighbour's chips, and of chips lost for
    each other chip in their pile.
    """

    missed: float = 0.05
    neighbour: float = 0.01
    detuned: float = 0.0

    def behaviour(self, antennas: int) -> Behaviour:
        """The behaviour of such a reader with that many antennas."""
        return Behaviour(antennas, self.missed, self.neighbour, self.detuned)


@dataclass(frozen=True, slots=True)
class Evening:
    """What to play, and how."""

    hands: Iterable[HandScript]
    first: tuple[SitDown, ...]
    """Who sits down before the first hand; empty if scripts set the table up."""
    seed: int
    pauses: Pauses
    speed: float
    senses: Senses = Senses()
    plan: TablePlan = NO_FAULTS
    stays: bool = False
    wait_s: float = READY_WAIT_S
    """How long it waits for the programs of the table to come online."""
    away_s: float = PATIENCE_S
    """How long the dealer waits for a controller that is away."""
    badge: str = ""
    """The tag that the dealer lays on the badge antenna; empty where nobody has to sign in."""
    leave_out: tuple[str, ...] = ()
    """Readers that are no virtual ones: somebody else's are on their ports."""


def virtual_readers(
    table: TableSettings,
    world: World,
    server: ReaderServer,
    senses: Senses,
    seed: int,
    plan: TablePlan = NO_FAULTS,
    leave_out: Collection[str] = (),
    wrap: Callable[[str, VirtualReader], SerialDevice] = lambda _name, device: device,
) -> tuple[Eventful, ...]:
    """Plugs in a virtual reader for every reader of the table file but those left out.

    A plan says what is otherwise than ``senses``; ``wrap`` may put something around the device of a reader. Returns
    those to which something happens once play begins.
    """
    beside = neighbours_of(table)
    struck: list[Eventful] = []
    for number, reader in enumerate(table.readers):
        if reader.id in leave_out:
            continue
        zones = {antenna.antenna: antenna.zone for antenna in reader.antennas}

        def field(zones: Mapping[int, str] = zones) -> Iterator[FieldTag]:
            return tags_in_reach(world, zones, beside, time.monotonic())

        behaviour = plan.behaviour(reader.id, senses.behaviour(max(zones)))
        own_seed = seed * 1000 + number
        virtual = virtual_reader(reader.protocol, field, behaviour, own_seed)
        device = wrap(reader.id, virtual)
        if plan.events:
            coming = plan.happenings(table, seed, reader.id, of_cable=False)
            eventful = Eventful(device, coming, own_seed, virtual.antennas, waits=True)
            struck.append(eventful)
            device = eventful
        line = LineSettings(reader.baud, family(reader.protocol).traits.line.parity)
        server.add(reader.id, device, line)
    return tuple(struck)


def run_world(
    table: TableSettings,
    address: Address,
    namespace: Namespace,
    files: RunFiles,
    camera_port: int,
    evening: Evening,
    stop: threading.Event,
    notify: Callable[[str], None],
) -> bool:
    """Runs the world until its hands are played or ``stop`` is set; False if anything was wrong.

    With ``evening.stays`` the world stays up after the hands.
    """
    haste = evening.pauses.dealer_haste * min(evening.speed, 2.0)
    world = World(table, load_chip_set(table.chip_set), evening.seed, dealer_haste=haste)
    world.stock_cage(SPARE_CHIPS)
    for sits in evening.first:
        world.fill_stack(sits.seat, sits.stack, time.monotonic())
    if evening.badge:
        world.lay_badge(evening.badge, -math.inf)
    write_register(files, world)
    with contextlib.ExitStack() as closing:
        readers = ReaderServer(files.ports)
        closing.callback(readers.close)
        struck = virtual_readers(table, world, readers, evening.senses, evening.seed, evening.plan, evening.leave_out)
        lend_names(table, files.ports)
        camera = None
        if table.cameras:
            camera = MjpegServer(world, table.cameras[0], camera_port, seed=evening.seed)
            closing.callback(camera.close)
        bus = join(address, namespace, DEVICE, presence=topic(DEVICE_STATUS, DEVICE))
        closing.callback(bus.close)
        bus.publish(topic(DEVICE_BIRTH, DEVICE), _birth(table))
        if evening.leave_out:
            closing.callback(ZoneTeller(bus, Zones(table, world), time.monotonic).close)
        clock = HostClock(stop)
        link = ControllerLink(bus, clock, away_s=evening.away_s)
        attendance = Attendance(bus, table, evening.badge)
        files.ready.touch()
        director = Director(world, link, evening.seed, Pace(evening.pauses, evening.speed, clock))
        try:
            attendance.wait(stop, evening.wait_s)
            for reader in struck:
                reader.begin(time.monotonic() * 1000)
            closing.enter_context(_cables(readers, table, evening, notify))
            if camera is not None:
                closing.enter_context(_faulty_camera(camera, table, evening, notify))
            files.playing.touch()
            director.seat_everybody(evening.first)
            for script in evening.hands:
                director.play(script, notify)
                if camera is not None and camera.failure is not None:
                    director.report.faults.append(f"the virtual camera failed: {camera.failure}")
                _write_report(files, director)
        except Stopped:
            _write_report(files, director)
            return True
        except ControllerSilent:
            _write_report(files, director)
            raise
        except BankError as error:
            director.report.faults.append(f"The chips on the table no longer make what the script wants: {error}")
            _write_report(files, director)
            return False
        if evening.stays:
            stop.wait()
        return director.report.good


def lend_names(table: TableSettings, ports: Path) -> None:
    """Gives each reader's port the name of /dev/serial/by-id that the table file has for it, beside the reader's id.

    With them ``betline bridge run --by-id`` and ``betline doctor --by-id`` work on that file as it is.
    """
    for reader in table.readers:
        port = Path(reader.port)
        if port.parent == BY_ID and port.name != reader.id:
            link = ports / port.name
            link.unlink(missing_ok=True)
            link.symlink_to(reader.id)


@contextlib.contextmanager
def _cables(
    readers: ReaderServer, table: TableSettings, evening: Evening, notify: Callable[[str], None]
) -> Iterator[None]:
    """Pulls cables as the plan says, while the world is up."""
    over = threading.Event()
    plan, seed = evening.plan, evening.seed
    coming = {reader.id: plan.happenings(table, seed, reader.id, of_cable=True) for reader in table.readers}
    hand = threading.Thread(target=pull_cables, args=(readers, coming, over, notify), name="cables")
    hand.start()
    try:
        yield
    finally:
        over.set()
        hand.join()


def _faulty_camera(
    camera: MjpegServer, table: TableSettings, evening: Evening, notify: Callable[[str], None]
) -> contextlib.AbstractContextManager[None]:
    """The camera's faults as the plan says, while the world is up."""
    coming = evening.plan.occurrences(table, evening.seed, lambda event: event.strikes == "camera")
    return carried_out(coming, CameraFaults(camera).strike, notify)


class Attendance:
    """Which of controller, bridge and camera have come online, whether the camera has learnt the felt, and whether the
    dealer's badge was read.
    """

    def __init__(self, bus: Bus, table: TableSettings, badge: str = "") -> None:
        self._missing = {"controller"}
        if badge:
            self._missing.add("dealer's sign-in by badge")
            bus.subscribe(STAFF, self._note_staff)
        if table.readers:
            self._missing.add("bridge")
        if table.cameras:
            self._missing.update(("vision", CAMERA_READY, "camera's view of every seat"))
        self._seats = {seat.number for seat in table.seats}
        self._cameras = {camera.id for camera in table.cameras}
        self._changed = threading.Event()
        bus.subscribe(STATUS, lambda received: self._note("controller", received))
        bus.subscribe(DEVICE_BIRTH, self._note_device)
        bus.subscribe(DEVICE_STATUS, self._note_camera)
        bus.subscribe(DEVICE_VIEW, self._note_view)

    def wait(self, stop: threading.Event, wait_s: float) -> None:
        """Waits until all are online; raises PartMissing if one does not come."""
        deadline_s = time.monotonic() + wait_s
        while self._missing:
            if stop.is_set():
                raise Stopped
            if time.monotonic() > deadline_s:
                raise PartMissing(f"The {' and the '.join(sorted(self._missing))} did not come online; see their logs.")
            self._changed.wait(0.1)
            self._changed.clear()

    def _note(self, who: str, received: Received) -> None:
        if isinstance(received.body, Presence) and received.body.state == "online":
            self._missing.discard(who)
            self._changed.set()

    def _note_device(self, received: Received) -> None:
        if isinstance(received.body, Birth):
            self._missing.discard(received.body.role)
            self._changed.set()

    def _note_camera(self, received: Received) -> None:
        if received.topic.name not in self._cameras or not isinstance(received.body, Presence):
            return
        if received.body.state == "online":
            self._missing.discard(CAMERA_READY)
        else:
            self._missing.add(CAMERA_READY)
        self._changed.set()

    def _note_staff(self, received: Received) -> None:
        if isinstance(received.body, StaffState) and received.body.badge:
            self._missing.discard("dealer's sign-in by badge")
            self._changed.set()

    def _note_view(self, received: Received) -> None:
        if isinstance(received.body, CameraView) and self._seats <= {view.seat for view in received.body.seats}:
            self._missing.discard("camera's view of every seat")
            self._changed.set()


def write_register(files: RunFiles, world: World) -> None:
    """Writes a chip register that knows every chip of the world."""
    lines = [json.dumps({"uid": chip.uid, "chip_type": chip.key}) for chip in world.chips()]
    files.register.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _write_report(files: RunFiles, director: Director) -> None:
    report = director.report
    document = {
        "json": report.as_json(),
        "text": report.as_text(),
        "good": report.good,
        "remarks": [*report.alert_lines(), *report.faults],
        "faults": report.faults,
    }
    fresh = files.report.with_suffix(".new")
    fresh.write_text(json.dumps(document), encoding="utf-8")
    fresh.replace(files.report)


def _birth(table: TableSettings) -> Birth:
    return Birth(
        role="world",
        version=version("betline"),
        table=table.name,
        config_hash=table.config_hash(),
        seats=tuple(seat.number for seat in table.seats),
        capabilities=("virtual-readers", "virtual-camera", "virtual-dealer", own_capability()),
    )
