"""The tags of the world's chips follow from the table's readers; which readers a demonstration has can be chosen."""

from __future__ import annotations

import re
import time
from collections import Counter

import pytest

from betline.front_door import run
from betline.options import UserError
from betline.settings import TableSettings, load_chip_set, load_table
from firmware_bridge.protocols.catalogue import FAMILIES
from tests.unit.virtual_readers.lines import drive
from virtual_table.readers.catalogue import READERS
from virtual_table.readers.server import ReaderServer
from virtual_table.run.run_table import with_readers
from virtual_table.run.world_process import Senses, virtual_readers
from virtual_table.table.identifiers import form_of
from virtual_table.table.things import WorldError
from virtual_table.table.world import World

FORMS = {
    "feig": r"E004[0-9A-F]{12}",
    "betline": r"E004[0-9A-F]{12}",
    "pn532": r"04[0-9A-F]{12}",
    "bb": r"E280[0-9A-F]{20}",
    "m6e": r"E280[0-9A-F]{20}",
    "chafon": r"E280[0-9A-F]{20}",
}


def made(table: TableSettings) -> World:
    return World(table, load_chip_set(table.chip_set), seed=3)


def mixed(*protocols: str) -> TableSettings:
    table = load_table("home-six")
    readers = zip(table.readers, [*protocols] * len(table.readers), strict=False)
    return table.model_copy(
        update={"readers": tuple(reader.model_copy(update={"protocol": name}) for reader, name in readers)}
    )


@pytest.mark.parametrize("name", sorted(FORMS))
def test_chips_have_tags_that_the_tables_readers_hear(name: str) -> None:
    table = with_readers(load_table("home-six"), name)
    world = made(table)
    world.stock_cage(50)
    uids = [chip.uid for chip in world.chips()]
    assert len(set(uids)) == len(uids) > 200
    assert all(re.fullmatch(FORMS[name], uid) for uid in uids)
    assert all(READERS[name].airs[0].claims(uid) for uid in uids)
    assert set(FORMS) == set(FAMILIES)


def test_table_without_readers_has_chips_all_the_same() -> None:
    world = made(load_table("home-six").model_copy(update={"readers": ()}))
    assert all(re.fullmatch(FORMS["feig"], chip.uid) for chip in world.chips())


@pytest.mark.parametrize("pair", [("feig", "betline"), ("bb", "chafon", "m6e")])
def test_readers_of_one_air_interface_may_stand_together(pair: tuple[str, ...]) -> None:
    assert form_of(mixed(*pair).readers) == form_of(mixed(pair[0]).readers)


@pytest.mark.parametrize("pair", [("feig", "pn532"), ("feig", "bb"), ("pn532", "m6e")])
def test_readers_that_cannot_read_the_same_chips_are_refused(pair: tuple[str, ...]) -> None:
    with pytest.raises(WorldError, match="cannot all read the same chips") as caught:
        made(mixed(*pair))
    assert all(name in str(caught.value) for name in pair)


def test_demo_refuses_a_mixed_table_before_it_starts_anything(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    own = tmp_path / "own.toml"
    readers = "\n".join(
        f'[[readers]]\nid = "r{number}"\nprotocol = "{name}"\nport = "p{number}"\nbaud = 38400\n'
        f'antennas = [{{ antenna = 1, zone = "seat-{number}" }}]'
        for number, name in enumerate(("feig", "bb"), start=1)
    )
    own.write_text(f'based_on = "home-six"\nname = "own"\ntitle = "Own"\n{readers}\n')
    assert run(["demo", "--headless", "--hands", "1", "--table", str(own)]) == 2
    assert "they do not all read the same chips" in capsys.readouterr().err


def test_another_family_is_set_as_it_is_delivered() -> None:
    table = with_readers(load_table("casino-oval"), "chafon")
    assert {(reader.protocol, reader.baud) for reader in table.readers} == {("chafon", 57_600)}
    assert [reader.antennas for reader in table.readers] == [
        reader.antennas for reader in load_table("casino-oval").readers
    ]


def test_settings_of_one_family_are_not_those_of_another() -> None:
    table = load_table("casino-oval")
    own = table.readers[0].model_copy(update={"settings": {"region": "europe"}})
    changed = with_readers(table.model_copy(update={"readers": (own, *table.readers[1:])}), "bb")
    assert [reader.settings for reader in changed.readers] == [{}] * len(table.readers)


def test_family_that_switches_too_few_antennas_is_refused() -> None:
    with pytest.raises(UserError, match="has 5 antennas") as caught:
        with_readers(load_table("casino-mux"), "pn532")
    assert "\n" not in str(caught.value)


def test_family_that_nobody_knows_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["demo", "--headless", "--readers", "fieg"]) == 2
    assert "There is no reader family called 'fieg'" in capsys.readouterr().err


def test_multiplexed_table_serves_every_zone_with_readers_that_can() -> None:
    table = load_table("casino-mux")
    zones = Counter(antenna.zone for reader in table.readers for antenna in reader.antennas)
    assert zones == Counter(table.zones())
    assert len(table.readers) == 3
    assert all(FAMILIES[reader.protocol].traits.antennas >= 8 for reader in table.readers)


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["pn532", "m6e"])
def test_bridge_reads_the_worlds_chips_with_readers_of_another_family(name: str, tmp_path) -> None:
    table = with_readers(load_table("home-six"), name)
    world = made(table)
    world.fill_stack(1, 200, time.monotonic() - 10)
    tray = {chip.uid for chip in world.tray()}
    assert len(tray) > 50
    server = ReaderServer(tmp_path)
    try:
        virtual_readers(table, world, server, Senses(missed=0.0, neighbour=0.0), seed=1)
        reader = next(one for one in table.readers for antenna in one.antennas if antenna.zone == "tray")
        rounds = drive(server.path(reader.id), FAMILIES[name], lambda rounds: tray in rounds, 20)
    finally:
        server.close()
    assert tray in rounds


def test_piles_are_known_to_the_readers() -> None:
    world = made(load_table("casino-oval"))
    world.fill_pot(1000, 0.0)
    tags = world.in_field("pot", 1.0)
    piles = Counter(chip.key for chip in world.pot())
    assert len(tags) == len(world.pot())
    by_uid = {tag.uid: tag.pile for tag in tags}
    assert all(by_uid[chip.uid] == piles[chip.key] for chip in world.pot() if piles[chip.key] < 10)
    assert max(by_uid.values()) > 1
