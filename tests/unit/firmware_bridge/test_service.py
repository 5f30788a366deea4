"""The bridge between virtual readers and the bus: snapshots, presence, health, the acting seat."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from betline.bus import MemoryBus, MemoryHub, Received
from betline.messages.common import Birth, Health, Presence
from betline.messages.devices import ZoneChips
from betline.messages.table import TableState
from betline.messages.versions import own_capability
from betline.settings import TableSettings, load_table
from betline.topics import BIRTH, DEVICE_BIRTH, DEVICE_HEALTH, DEVICE_STATUS, STATE, ZONE_CHIPS, Namespace, topic
from betline.units import NS_PER_S
from firmware_bridge import zone_feed
from firmware_bridge.chips.register import ChipRegister
from firmware_bridge.protocols.family import LineSettings
from firmware_bridge.service import BridgeError, BridgeService
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.betline import VirtualBetlineReader
from virtual_table.readers.feig import VirtualFeigReader
from virtual_table.readers.server import ReaderServer

KNOWN, STRANGE = "E004010000000001", "E004010000000002"
NAMES = Namespace("lab", "home-six")


def table(**changes: object) -> TableSettings:
    whole = load_table("home-six").model_dump()
    whole["readers"] = [reader | changes for reader in whole["readers"][:2]]
    return TableSettings.model_validate(whole)


def state(to_act: int | None) -> TableState:
    return TableState(
        version=1,
        journal_seq=1,
        journal_head="",
        phase="betting",
        hand_no=1,
        game="",
        street="preflop",
        button=1,
        small_blind=2,
        big_blind=3,
        seats=(),
        to_act=to_act,
        call=0,
        min_raise_to=None,
        max_raise_to=None,
        pot=0,
        pots=(),
        rulings=(),
    )


class Listener:
    """What the bus told, newest by topic."""

    def __init__(self, hub: MemoryHub) -> None:
        self.bus = MemoryBus(hub, NAMES, "listener")
        self.all: list[Received] = []
        for kind in (ZONE_CHIPS, DEVICE_STATUS, DEVICE_HEALTH, DEVICE_BIRTH):
            self.bus.subscribe(kind, self.all.append)

    def newest(self, path: str) -> object:
        return next((one.body for one in reversed(list(self.all)) if one.topic.path == path), None)

    def zone(self, zone: str) -> list[ZoneChips]:
        path = f"zone/{zone}/chips"
        return [one.body for one in list(self.all) if one.topic.path == path and isinstance(one.body, ZoneChips)]


@contextmanager
def bridging(
    tmp_path: Path, settings: TableSettings, register: ChipRegister | None = None, places: Path | None = None
) -> Iterator[Listener]:
    hub = MemoryHub()
    listener = Listener(hub)
    bus = MemoryBus(hub, NAMES, "bridge")
    chips = register or ChipRegister({KNOWN: "red-5"})
    service = BridgeService(settings, bus, chips, by_id=tmp_path / "by-id", places=places)
    thread = threading.Thread(target=service.run)
    thread.start()
    try:
        yield listener
    finally:
        service.stop()
        thread.join(5)
    assert not thread.is_alive()


def eventually(holds: Callable[[], bool], limit_s: float = 10.0) -> bool:
    deadline = time.monotonic() + limit_s
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.01)
    return False


def plug(server: ReaderServer, settings: TableSettings, chips: dict[int, list[str]], **behaviour: object) -> None:
    for number, reader in enumerate(settings.readers):
        device = VirtualFeigReader(
            lambda number=number: [(uid, 1, 1.0) for uid in chips.get(number, [])], Behaviour(**behaviour)
        )
        server.add(Path(reader.port).name, device, LineSettings(reader.baud, "E"))


def presence(listener: Listener, reader: str) -> str:
    body = listener.newest(f"device/{reader}/status")
    return body.state if isinstance(body, Presence) else ""


def test_snapshots_name_the_chips_of_their_zone(server: ReaderServer, tmp_path: Path) -> None:
    settings = table()
    plug(server, settings, {0: [KNOWN, STRANGE]})
    with bridging(tmp_path, settings) as listener:
        assert eventually(lambda: len(listener.zone("seat-1")) > 3 and len(listener.zone("seat-2")) > 1)
        newest = listener.zone("seat-1")[-1]
        assert [(chip.uid, chip.chip_type) for chip in newest.chips] == [(KNOWN, "red-5"), (STRANGE, None)]
        assert newest.reader == "reader-1"
        assert all(chip.hits == chip.rounds for chip in newest.chips)
        assert listener.zone("seat-2")[-1].chips == ()
        numbers = [snapshot.round_no for snapshot in listener.zone("seat-1")]
        assert numbers == sorted(set(numbers))


def test_a_controller_that_starts_is_told_at_once_what_lies_in_every_zone(
    server: ReaderServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zone_feed, "HEARTBEAT_NS", 3600 * NS_PER_S)
    monkeypatch.setattr(zone_feed, "MAX_NS", 3600 * NS_PER_S)
    settings = table()
    plug(server, settings, {0: [KNOWN]})
    with bridging(tmp_path, settings) as listener:
        assert eventually(lambda: presence(listener, "reader-1") == presence(listener, "reader-2") == "online")
        assert eventually(lambda: bool(listener.zone("seat-1")) and listener.zone("seat-1")[-1].chips[0].hits == 8)
        told = len(listener.zone("seat-1")), len(listener.zone("seat-2"))
        birth = Birth(role="controller", version="1", table="x", config_hash="")
        listener.bus.publish(topic(BIRTH), birth)
        assert eventually(lambda: len(listener.zone("seat-1")) > told[0] and len(listener.zone("seat-2")) > told[1])


def test_birth_presence_and_health_are_told(server: ReaderServer, tmp_path: Path) -> None:
    settings = table()
    plug(server, settings, {0: [STRANGE]})
    with bridging(tmp_path, settings) as listener:
        assert eventually(lambda: presence(listener, "reader-1") == presence(listener, "reader-2") == "online")
        birth = listener.newest("device/bridge/birth")
        assert isinstance(birth, Birth)
        assert (birth.role, birth.capabilities) == ("bridge", ("feig", own_capability()))

        def counted() -> bool:
            health = listener.newest("device/reader-1/health")
            return isinstance(health, Health) and health.counters["cycles"] > 0

        assert eventually(counted)
        health = listener.newest("device/reader-1/health")
        assert isinstance(health, Health)
        assert health.counters["unknown_chips"] == 1
        assert {"crc_errors", "resyncs", "timeouts", "reconnects", "cycle_ms"} <= health.counters.keys()
    assert presence(listener, "reader-1") == "offline"


def test_silent_reader_goes_stale_then_offline_and_its_zone_is_never_emptied(
    server: ReaderServer, tmp_path: Path
) -> None:
    settings = table()
    plug(server, settings, {0: [KNOWN]})
    with bridging(tmp_path, settings) as listener:
        assert eventually(lambda: bool(listener.zone("seat-1")))
        server.unplug(Path(settings.readers[0].port).name)
        assert eventually(lambda: presence(listener, "reader-1") == "stale")
        assert eventually(lambda: presence(listener, "reader-1") == "offline")
        told = listener.newest("device/reader-1/status")
        assert isinstance(told, Presence)
        assert "there is no port" in told.detail
        assert all(snapshot.chips for snapshot in listener.zone("seat-1"))
        assert presence(listener, "reader-2") == "online"
        before = len(listener.zone("seat-1"))
        server.replug(Path(settings.readers[0].port).name)
        assert eventually(lambda: presence(listener, "reader-1") == "online")
        assert eventually(lambda: len(listener.zone("seat-1")) > before)


def test_reader_that_only_refuses_is_not_online_and_says_why(server: ReaderServer, tmp_path: Path) -> None:
    settings = table()
    plug(server, settings, {0: [KNOWN]}, rf_warning=1.0)
    with bridging(tmp_path, settings) as listener:
        assert eventually(lambda: presence(listener, "reader-1") == "stale")
        told = listener.newest("device/reader-1/status")
        assert isinstance(told, Presence)
        assert "RF warning" in told.detail
        assert listener.zone("seat-1") == []


@pytest.mark.nightly
def test_a_reader_that_says_that_it_tells_a_part_is_online_and_what_it_says_is_seen_and_counted(
    server: ReaderServer, tmp_path: Path
) -> None:
    settings = table(protocol="betline")
    for reader in settings.readers:
        device = VirtualBetlineReader(lambda: [(KNOWN, 1, 1.0)], Behaviour(rf_warning=1.0))
        server.add(Path(reader.port).name, device, LineSettings(reader.baud, "N"))
    with bridging(tmp_path, settings) as listener:
        assert eventually(lambda: len(listener.zone("seat-1")) > 3)
        assert all(snapshot.partial for snapshot in listener.zone("seat-1"))
        assert eventually(lambda: presence(listener, "reader-1") == "online")
        told = listener.newest("device/reader-1/status")
        assert isinstance(told, Presence)
        assert "could not tell apart" in told.detail

        def counted() -> bool:
            health = listener.newest("device/reader-1/health")
            return isinstance(health, Health) and health.counters["partial_rounds"] > 0

        assert eventually(counted)


def test_acting_seat_is_read_more_often(server: ReaderServer, tmp_path: Path) -> None:
    settings = table()
    plug(server, settings, {})
    with bridging(tmp_path, settings) as listener:
        listener.bus.publish(topic(STATE), state(to_act=2))
        assert eventually(lambda: bool(listener.zone("seat-2")) and listener.zone("seat-2")[-1].round_no > 30)
        assert listener.zone("seat-2")[-1].round_no > 2 * listener.zone("seat-1")[-1].round_no


def test_table_without_readers_is_refused() -> None:
    settings = table().model_copy(update={"readers": ()})
    with pytest.raises(BridgeError, match="no readers"):
        BridgeService(settings, MemoryBus(MemoryHub(), NAMES, "bridge"), ChipRegister())
