"""The bridge with every kind of reader: one a seat, one for all, neighbours, each family; and what is wanted now."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from betline.bus import MemoryBus, MemoryHub
from betline.messages.common import Birth, Health
from betline.messages.devices import ZoneChips, ZoneWanted
from betline.settings import SettingsError, TableSettings, load_table
from betline.topics import ZONE_WANTED, topic
from firmware_bridge.chips.register import ChipRegister
from firmware_bridge.protocols.catalogue import FAMILIES
from firmware_bridge.protocols.family import LineSettings
from firmware_bridge.service import BridgeError, BridgeService
from tests.unit.firmware_bridge.test_service import KNOWN, NAMES, bridging, eventually, plug
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.catalogue import virtual_reader
from virtual_table.readers.feig import VirtualFeigReader
from virtual_table.readers.server import ReaderServer

UIDS = {"pn532": "04112233445566", "bb": "E2" * 12, "m6e": "E3" * 12, "chafon": "E4" * 12}


def with_readers(*readers: dict[str, object]) -> TableSettings:
    whole = load_table("home-six").model_dump()
    usual = whole["readers"][0]
    whole["readers"] = [
        usual | {"id": f"reader-{n}", "port": f"/dev/serial/by-id/r{n}"} | r for n, r in enumerate(readers, start=1)
    ]
    return TableSettings.model_validate(whole)


def outputs(*zones: str) -> tuple[dict[str, object], ...]:
    return tuple({"antenna": number, "zone": zone} for number, zone in enumerate(zones, start=1))


ALL_ZONES = (*(f"seat-{number}" for number in range(1, 7)), "pot", "tray")


def test_one_reader_with_eight_antennas_serves_the_whole_table(server: ReaderServer, tmp_path: Path) -> None:
    settings = with_readers({"antennas": outputs(*ALL_ZONES)})
    chips = [(f"E00401000000000{number}", number, 0.5 + number / 20) for number in range(1, 9)]
    server.add("r1", VirtualFeigReader(lambda: chips, Behaviour(antennas=8)), LineSettings(115_200, "E"))
    with bridging(tmp_path, settings) as listener:
        assert eventually(lambda: all(len(listener.zone(zone)) > 2 for zone in ALL_ZONES))
        for number, zone in enumerate(ALL_ZONES, start=1):
            [chip] = listener.zone(zone)[-1].chips
            assert chip.uid == f"E00401000000000{number}"
            assert chip.rssi == round((0.5 + number / 20) * 255)


def test_chip_that_two_antennas_hear_has_hits_and_strength_in_both_zones(server: ReaderServer, tmp_path: Path) -> None:
    settings = with_readers({"antennas": outputs("seat-1", "seat-2")})
    tags = [(KNOWN, 1, 0.9), (KNOWN, 2, 0.2)]
    server.add("r1", VirtualFeigReader(lambda: tags, Behaviour(antennas=2, neighbour=0.5)), LineSettings(115_200, "E"))
    with bridging(tmp_path, settings) as listener:

        def both() -> list[ZoneChips]:
            return [told[-1] for zone in ("seat-1", "seat-2") if (told := listener.zone(zone)) and told[-1].chips]

        assert eventually(lambda: len(both()) == 2 and all(one.chips[0].rounds >= 6 for one in both()))
        own, stray = (one.chips[0] for one in both())
        assert own.hits == own.rounds
        assert stray.hits < stray.rounds
        assert (own.rssi or 0) > 3 * (stray.rssi or 0) > 0


def test_a_zone_that_is_wanted_is_read_often_for_a_while(server: ReaderServer, tmp_path: Path) -> None:
    settings = with_readers({"antennas": outputs("seat-1")}, {"antennas": outputs("tray")})
    plug(server, settings, {})
    with bridging(tmp_path, settings) as listener:
        assert eventually(lambda: len(listener.zone("tray")) > 1)
        listener.bus.publish(topic(ZONE_WANTED, "tray"), ZoneWanted(for_ms=3000))
        before = {zone: listener.zone(zone)[-1].round_no for zone in ("seat-1", "tray")}
        assert eventually(lambda: listener.zone("tray")[-1].round_no > before["tray"] + 12)
        rounds = {zone: listener.zone(zone)[-1].round_no - before[zone] for zone in before}
        assert rounds["tray"] > 2 * rounds["seat-1"]


@pytest.mark.nightly
def test_snapshot_is_told_again_while_a_long_round_goes_on(server: ReaderServer, tmp_path: Path) -> None:
    settings = with_readers({"antennas": outputs("tray")})
    plug(server, settings, {0: [KNOWN]}, air_factor=100.0)
    with bridging(tmp_path, settings) as listener:
        assert eventually(lambda: len(listener.zone("tray")) > 6)
        told = listener.zone("tray")
        repeated = [(a, b) for a, b in itertools.pairwise(told) if a.round_no == b.round_no]
        assert len(repeated) >= 3
        for earlier, later in repeated:
            assert later.last_byte_ns == earlier.last_byte_ns
            assert [chip.uid for chip in later.chips] == [KNOWN]
            assert 350 < later.chips[0].age_ms - earlier.chips[0].age_ms < 5000


@pytest.mark.nightly
def test_every_family_serves_a_seat_of_one_table(server: ReaderServer, tmp_path: Path) -> None:
    settings = with_readers(
        *({"protocol": name, "antennas": outputs(zone)} for name, zone in zip(FAMILIES, ALL_ZONES, strict=False))
    )
    for number, name in enumerate(FAMILIES, start=1):
        tag = (UIDS.get(name, KNOWN), 1, 1.0)
        line = LineSettings(115_200, FAMILIES[name].traits.line.parity)
        server.add(f"r{number}", virtual_reader(name, lambda tag=tag: [tag], seed=1), line)
    with bridging(tmp_path, settings) as listener:
        for number, name in enumerate(FAMILIES, start=1):
            zone = ALL_ZONES[number - 1]
            assert eventually(lambda zone=zone: bool(listener.zone(zone)) and bool(listener.zone(zone)[-1].chips)), name
            assert [chip.uid for chip in listener.zone(zone)[-1].chips] == [UIDS.get(name, KNOWN)]

        def counted() -> bool:
            told = [listener.newest(f"device/reader-{number}/health") for number in range(1, 7)]
            return all(isinstance(one, Health) and one.counters["cycles"] > 2 for one in told)

        assert eventually(counted)
        health = listener.newest("device/reader-6/health")
        assert isinstance(health, Health)
        assert {"cycles", "crc_errors", "resyncs", "timeouts", "reboots", "reconnects", "late_replies"} <= set(
            health.counters
        )


def test_neighbours_at_one_table_are_all_read(server: ReaderServer, tmp_path: Path) -> None:
    settings = with_readers(
        {"rf_neighbours": ("reader-2",)}, {"antennas": outputs("seat-2")}, {"antennas": outputs("seat-3")}
    )
    plug(server, settings, {number: [KNOWN] for number in range(3)})
    with bridging(tmp_path, settings) as listener:
        assert eventually(lambda: all(len(listener.zone(f"seat-{number}")) > 5 for number in (1, 2, 3)))


def test_an_antenna_that_the_family_does_not_have_is_refused() -> None:
    settings = with_readers({"protocol": "bb", "antennas": outputs("seat-1", "seat-2")})
    with pytest.raises(BridgeError, match="reader-1 has no antenna 2: a reader of the family bb switches between 1"):
        BridgeService(settings, MemoryBus(MemoryHub(), NAMES, "bridge"), ChipRegister())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"port": "/dev/ttyUSB0"}, "usb:SERIAL"),
        ({"port": "/dev/ttyACM12"}, "order of plugging in"),
        ({"rf_neighbours": ("reader-9",)}, "reader-9 is no other reader"),
        ({"rf_neighbours": ("reader-1",)}, "reader-1 is no other reader"),
    ],
)
def test_a_table_file_that_cannot_be_meant_is_refused(change: dict[str, object], words: str) -> None:
    with pytest.raises((SettingsError, ValueError), match=words):
        with_readers(change)


def test_each_reader_is_introduced_by_its_serial_number_and_so_is_its_successor(
    server: ReaderServer, tmp_path: Path
) -> None:
    settings = with_readers({"antennas": outputs("seat-1")}, {"antennas": outputs("seat-2")})
    devices = [VirtualFeigReader(list, seed=seed) for seed in (10, 11)]
    for number, device in enumerate(devices, start=1):
        server.add(f"r{number}", device, LineSettings(115_200, "E"))
    with bridging(tmp_path, settings) as listener:

        def said(reader: int) -> tuple[str, str, str] | None:
            birth = listener.newest(f"device/reader-{reader}/birth")
            return (birth.role, birth.serial, birth.version) if isinstance(birth, Birth) else None

        assert eventually(lambda: said(1) is not None and said(2) is not None)
        assert (said(1), said(2)) == (("reader", "0000000A", "2.0"), ("reader", "0000000B", "2.0"))
        server.unplug("r2")
        devices[1].number = 12
        server.replug("r2")
        assert eventually(lambda: said(2) == ("reader", "0000000C", "2.0"))
        births = [one for one in list(listener.all) if one.topic.path == "device/reader-1/birth"]
        assert len(births) == 1
