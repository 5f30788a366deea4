"""A zone that somebody wants to know now, over the bus."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from betline.bus import MemoryBus, MemoryHub
from betline.front_door import run
from betline.messages.devices import ZoneChips, ZoneWanted
from betline.topics import ZONE_CHIPS, ZONE_WANTED, topic
from firmware_bridge.read_zone import ReadZoneError, read_zone
from tests.unit.firmware_bridge.test_service import KNOWN, NAMES, bridging, plug, table
from virtual_table.readers.server import ReaderServer


def test_a_bridge_reads_the_zone_at_once(server: ReaderServer, tmp_path: Path) -> None:
    settings = table()
    plug(server, settings, {1: [KNOWN]})
    with bridging(tmp_path, settings) as listener:
        seen = read_zone(listener.bus, "seat-2")
        assert [chip.uid for chip in seen.chips] == [KNOWN]
        assert seen.chips[0].hits >= 5


def test_what_was_retained_from_before_is_no_answer_and_the_wish_is_taken_back() -> None:
    hub = MemoryHub()
    bridge, asker = MemoryBus(hub, NAMES, "bridge"), MemoryBus(hub, NAMES, "asker")
    wishes: list[int] = []
    old = ZoneChips(zone="tray", reader="r", round_no=9, chips=(), last_byte_ns=1)
    bridge.publish(topic(ZONE_CHIPS, "tray"), old)
    bridge.subscribe(
        ZONE_WANTED, lambda one: wishes.append(one.body.for_ms) if isinstance(one.body, ZoneWanted) else None
    )
    with pytest.raises(ReadZoneError, match="the zone tray was not read in 0 s"):
        read_zone(asker, "tray", longest_s=0.2)
    assert wishes == [200, 0]


def test_a_zone_that_is_not_at_the_table_and_a_broker_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bridge", "zone", "seat-11"]) == 2
    assert "There is no zone seat-11 at this table; its zones are seat-1," in capsys.readouterr().err


def test_no_broker_is_one_sentence(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_bridge.cli.VISIT_S", 0.2)
    assert run(["bridge", "zone", "tray", "--broker", "127.0.0.1:1"]) == 1
    assert "There is no broker at 127.0.0.1:1" in capsys.readouterr().err


Said = Callable[..., tuple[str, str]]


@pytest.fixture
def tray_says(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Said:
    """What the verb prints, output and errors, of a tray with two chips."""
    chip = {"uid": KNOWN, "chip_type": "red-5", "hits": 5, "rounds": 5, "missed": 0}
    chips = (chip, chip | {"uid": "E004010000000002", "chip_type": None, "missed": 1})
    hub = MemoryHub()
    monkeypatch.setattr("firmware_bridge.cli.join", lambda _where, names, sender, **_: MemoryBus(hub, names, sender))

    def says(*options: str, **more: Any) -> tuple[str, str]:
        told = {"zone": "tray", "reader": "r", "round_no": 7, "chips": chips, "last_byte_ns": 1, **more}
        seen = ZoneChips.model_validate(told)
        monkeypatch.setattr("firmware_bridge.read_zone.read_zone", lambda _bus, _zone: seen)
        assert run(["bridge", "zone", "tray", "--table", "casino-oval", *options]) == 0
        return capsys.readouterr()

    return says


def test_the_verb_tells_the_chips_by_type(tray_says: Said) -> None:
    out, err = tray_says("--json")
    assert [one["uid"] for one in json.loads(out)["chips"]] == [KNOWN, "E004010000000002"]
    assert (json.loads(out)["partial"], err) == (False, "")
    expected = "    1  red-5\n    1  unknown\n2 chips in tray, 1 of them heard in the last round\n"
    assert tray_says() == (expected, "")


def test_the_verb_says_where_more_chips_may_lie_than_the_reader_told(tray_says: Said) -> None:
    warning = "Warning: the reader did not tell all that answered, more chips may lie in tray: count them by hand.\n"
    out, err = tray_says("--json", partial=True)
    assert (json.loads(out)["partial"], err) == (True, warning)
    out, err = tray_says(partial=True)
    assert out.splitlines()[-1] == "at least 2 chips in tray, 1 of them heard in the last round"
    assert err == warning


def test_the_verb_says_that_the_reader_warns_of_its_antenna(tray_says: Said) -> None:
    out, err = tray_says(rf_warning=True)
    assert out.splitlines()[-1].startswith("2 chips in tray")
    assert err == "Warning: the reader warns of its antenna, its power or noise: check antenna and cable.\n"
