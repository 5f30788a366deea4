"""A reader's own settings: what a family lets be set, what is refused and with which words, and that it is obeyed."""

from __future__ import annotations

import json

import pytest

from betline.bus import MemoryBus, MemoryHub
from betline.front_door import run
from betline.settings import TableSettings, load_table
from firmware_bridge.chips.register import ChipRegister
from firmware_bridge.protocols.bb.commands import set_power as bb_power
from firmware_bridge.protocols.catalogue import FAMILIES, configured
from firmware_bridge.protocols.family import Configurable
from firmware_bridge.protocols.m6e.setup import Region, set_power, set_region
from firmware_bridge.protocols.settings import SettingError, SettingValue
from firmware_bridge.service import BridgeError, BridgeService
from tests.unit.firmware_bridge.bench import Bench
from tests.unit.firmware_bridge.test_service import NAMES
from virtual_table.readers.bb import VirtualBbReader
from virtual_table.readers.m6e import VirtualM6eReader
from virtual_table.readers.server import ReaderServer

EPC = "E2" * 12
REFUSED: list[tuple[str, dict[str, SettingValue], str]] = [
    ("m6e", {"region": "mars"}, "region of a reader of the family m6e must be one of north-america, europe, .*'mars'"),
    ("m6e", {"region": 2}, "must be one of north-america"),
    ("m6e", {"power_dbm": 31.6}, "power_dbm of a reader of the family m6e must be a number from 0 to 31.5, not 31.6"),
    ("m6e", {"power_dbm": -1}, "from 0 to 31.5, not -1"),
    ("m6e", {"power_dbm": "much"}, "from 0 to 31.5, not 'much'"),
    ("m6e", {"power_dbm": True}, "from 0 to 31.5, not True"),
    (
        "m6e",
        {"power": 10},
        r"no setting power; .* are region \(whose .*; one of .*\); power_dbm \(power of .*; a number from 0",
    ),
    ("bb", {"power_dbm": 33.5}, "power_dbm of a reader of the family bb must be a number from 0 to 33, not 33.5"),
    ("feig", {"power_dbm": 10}, "the family feig takes no settings: take power_dbm out"),
]


def table(protocol: str, settings: dict[str, object]) -> TableSettings:
    whole = load_table("home-six").model_dump()
    whole["readers"] = [whole["readers"][0] | {"protocol": protocol, "settings": settings}]
    return TableSettings.model_validate(whole)


def m6e(**values: SettingValue) -> Bench:
    return Bench.of(configured("m6e", values), VirtualM6eReader(lambda: [(EPC, 1, 1.0)]))


@pytest.mark.parametrize(("family", "values", "words"), REFUSED)
def test_what_a_family_does_not_take_is_refused_with_what_it_takes(
    family: str, values: dict[str, SettingValue], words: str
) -> None:
    with pytest.raises(SettingError, match=words):
        configured(family, values)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_that_has_settings_can_be_set_and_no_other(name: str) -> None:
    family = FAMILIES[name]
    assert isinstance(family, Configurable) == bool(family.traits.settings)
    assert all(setting.says for setting in family.traits.settings)
    assert configured(name, {}) is family


@pytest.mark.parametrize("region", Region)
def test_each_region_has_a_word_and_reaches_the_module(region: Region) -> None:
    one = m6e(region=region.word)
    one.run(2000)
    assert set_region(region).to_bytes() in one.sent
    assert one.heard[0] == {EPC}


@pytest.mark.parametrize(("power_dbm", "centi_dbm"), [(0, 0), (4.35, 435), (27, 2700)])
def test_the_power_of_one_reader_reaches_it(power_dbm: float, centi_dbm: int) -> None:
    one = m6e(power_dbm=power_dbm)
    one.run(2000)
    assert set_power(centi_dbm).to_bytes() in one.sent
    assert one.rounds


def test_the_power_of_a_bb_module_reaches_it() -> None:
    one = Bench.of(configured("bb", {"power_dbm": 18.5}), VirtualBbReader(lambda: [(EPC, 1, 1.0)]))
    one.run(2000)
    assert one.sent.count(bb_power(1850).to_bytes()) == 1
    assert one.heard[0] == {EPC}
    assert one.troubles == []


def test_a_power_that_the_module_does_not_have_is_trouble_and_no_round() -> None:
    one = m6e(power_dbm=31.5)
    one.run(2000)
    assert one.rounds == []
    assert "power too high: lower power_dbm in its settings" in one.troubles[-1].sentence


def test_a_table_file_with_settings_that_a_reader_does_not_take_is_refused() -> None:
    bus = MemoryBus(MemoryHub(), NAMES, "bridge")
    with pytest.raises(BridgeError, match=r"The reader reader-1 cannot be set like that: .* a number from 0 to"):
        BridgeService(table("m6e", {"power_dbm": 99}), bus, ChipRegister())


def test_a_setting_is_a_text_or_a_number() -> None:
    with pytest.raises(ValueError, match="settings"):
        table("m6e", {"power_dbm": True})


def test_bridge_once_takes_settings(server: ReaderServer, capsys: pytest.CaptureFixture[str]) -> None:
    path = server.add("one", VirtualM6eReader(lambda: [(EPC, 1, 1.0)]), FAMILIES["m6e"].traits.line)
    ask = ["bridge", "once", "--protocol", "m6e", "--port", path]
    assert run([*ask, "--setting", "region=japan", "--setting", "power_dbm=4.5", "--json"]) == 0
    assert [tag["uid"] for tag in json.loads(capsys.readouterr().out)["tags"]] == [EPC]
    for wrong, words in (
        ("region=mars", "must be one of"),
        ("power_dbm=99", "from 0 to 31.5, not 99"),
        ("region", "Write --setting NAME=VALUE"),
        ("volume=11", "no setting volume"),
    ):
        assert run([*ask, "--setting", wrong]) == 2
        assert words in capsys.readouterr().err
