"""Places survive a restart, writing disturbs nobody, and the bridge tells of chips on the bus while it runs."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path

import pytest

from betline.messages.devices import ChipEvidence
from betline.messages.table import Alert
from betline.topics import ALERT
from betline.units import NS_PER_MS
from firmware_bridge.chips.keeper import ChipKeeper, ChipNews
from firmware_bridge.chips.places import Place, PlacesError, PlacesFile, last_place, places_beside
from firmware_bridge.chips.record import Chip, ChipState, set_state
from firmware_bridge.chips.register import ChipRegister, load_register, write_register
from firmware_bridge.chips.store import RegisterFile
from firmware_bridge.chips.whereabouts import Whereabouts
from firmware_bridge.evidence import Heard
from tests.unit.firmware_bridge.test_service import KNOWN, STRANGE, bridging, eventually, plug, table
from virtual_table.readers.server import ReaderServer

A, B = "E004010000000001", "E004010000000002"


def keeper(file: Path | None, told: list[str] | None = None, register: ChipRegister | None = None) -> ChipKeeper:
    chips = register or ChipRegister({A: "red-5", B: "red-5"})
    return ChipKeeper(
        chips,
        lambda places: Whereabouts("lab", chips, {}, 6, 3000 * NS_PER_MS, places),
        file,
        (told if told is not None else []).append,
        mono_minus_wall_ns=lambda: 0,
    )


def lies(*uids: str) -> list[Heard]:
    return [Heard(uid, 8, 8, 0, None) for uid in uids]


def test_places_are_written_by_themselves_and_known_after_a_restart(tmp_path: Path) -> None:
    file = places_beside(tmp_path / "chips.sqlite")
    one = keeper(file)
    one.start()
    one.after("seat-4", lies(A, B), 1000 * NS_PER_MS)
    assert eventually(lambda: last_place(tmp_path / "chips.sqlite", A) == Place("lab", "seat-4", 1000, 1000))
    one.after("seat-4", lies(A), 2000 * NS_PER_MS)
    one.stop()

    other = keeper(file)
    assert other.place(A) == Place("lab", "seat-4", 1000, 2000)
    assert other.place(B) == Place("lab", "seat-4", 1000, 1000)
    assert other.news(A, "seat-4") == ChipNews()
    other.after("pot", lies(A), 5000 * NS_PER_MS)
    assert other.news(A, "pot") == ChipNews("", "seat-4", 2000 * NS_PER_MS)


def test_a_file_that_cannot_be_used_is_told_and_the_table_plays_on(tmp_path: Path) -> None:
    file = tmp_path / "chips.places.sqlite"
    file.write_bytes(b"no database at all, but long enough to be looked at as one")
    told: list[str] = []
    one = keeper(file, told)
    one.start()
    one.after("seat-4", lies(A), 1000 * NS_PER_MS)
    one.stop()
    assert one.place(A) == Place("lab", "seat-4", 1000, 1000)
    assert len(told) == 1
    assert "not kept" in told[0]


def test_a_write_that_fails_is_told_once_and_made_up_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "chips.places.sqlite"
    told: list[str] = []
    one = keeper(file, told)
    keep = PlacesFile.keep
    broken: list[bool] = [True]

    def failing(self: PlacesFile, places: list[tuple[str, Place]]) -> None:
        if broken:
            raise PlacesError("the disk is full")
        keep(self, places)

    monkeypatch.setattr(PlacesFile, "keep", failing)
    monkeypatch.setattr("firmware_bridge.chips.keeper.WRITE_S", 0.02)
    one.start()
    one.after("seat-4", lies(A), 1000 * NS_PER_MS)
    assert eventually(lambda: bool(told))
    time.sleep(0.1)
    assert told == ["the disk is full"]
    broken.clear()
    assert eventually(lambda: last_place(tmp_path / "chips.sqlite", A) == Place("lab", "seat-4", 1000, 1000))
    one.stop()


@pytest.mark.nightly
def test_a_round_never_waits_for_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = keeper(tmp_path / "chips.places.sqlite")
    monkeypatch.setattr(PlacesFile, "keep", lambda self, places: time.sleep(1.0))
    monkeypatch.setattr("firmware_bridge.chips.keeper.WRITE_S", 0.01)
    one.start()
    one.after("seat-4", lies(A), 1000 * NS_PER_MS)
    time.sleep(0.1)
    began = time.monotonic()
    for number in range(50):
        one.after("seat-4", lies(A, B), (2000 + number) * NS_PER_MS)
    assert time.monotonic() - began < 0.5
    one.stop()


def test_places_of_another_version_are_refused(tmp_path: Path) -> None:
    import sqlite3

    file = tmp_path / "chips.places.sqlite"
    with closing(sqlite3.connect(file)) as database:
        database.execute("PRAGMA user_version = 9")
    with pytest.raises(PlacesError, match="version 9"):
        PlacesFile.open(file)


def test_a_change_of_the_register_changes_the_alerts() -> None:
    marked = {A: Chip(A, "red-5", ChipState.HOT, reason="stolen")}
    register = ChipRegister({A: "red-5"})
    one = keeper(None, register=register)
    assert one.after("seat-4", lies(A), 1000 * NS_PER_MS) == ()
    register._chips = marked
    assert [(alert.code, alert.active) for alert in one.looked_again()] == [("hot-chip", True)]
    assert one.looked_again() == ()


@pytest.mark.nightly
def test_the_bridge_tells_of_chips_that_people_should_know_of(server: ReaderServer, tmp_path: Path) -> None:
    settings = table()
    path = tmp_path / "chips.sqlite"
    write_register(path, [(KNOWN, "red-5")])
    plug(server, settings, {0: [KNOWN, STRANGE]})
    with bridging(tmp_path, settings, load_register(path), places_beside(path)) as listener:
        told: list[Alert] = []
        listener.bus.subscribe(ALERT, lambda one: told.append(one.body) if isinstance(one.body, Alert) else None)
        assert eventually(lambda: any(alert.code == "unknown-chip" for alert in told))
        assert not any(alert.code == "hot-chip" for alert in told)

        with closing(RegisterFile.open(path)) as file:
            file.apply(set_state(file.chips()[KNOWN], ChipState.HOT, "stolen", 5, "ann"))
        assert eventually(lambda: any(alert.code == "hot-chip" for alert in told))

        def marked() -> ChipEvidence:
            return next(chip for chip in listener.zone("seat-1")[-1].chips if chip.uid == KNOWN)

        assert eventually(lambda: marked().state == "hot")
        assert marked().chip_type == "red-5"
        time.sleep(0.5)
        assert sorted(alert.code for alert in told) == ["hot-chip", "unknown-chip"]
    place = last_place(path, KNOWN)
    assert place is not None
    assert (place.table, place.zone) == ("home-six", "seat-1")


def test_the_bridge_tells_from_where_a_chip_came(server: ReaderServer, tmp_path: Path) -> None:
    settings = table()
    chips: dict[int, list[str]] = {0: [KNOWN], 1: []}
    plug(server, settings, chips)
    with bridging(tmp_path, settings) as listener:
        assert eventually(lambda: bool(listener.zone("seat-1")) and listener.zone("seat-1")[-1].round_no > 5)
        chips[0], chips[1] = [], [KNOWN]
        assert eventually(lambda: bool(listener.zone("seat-2")) and bool(listener.zone("seat-2")[-1].chips))
        assert eventually(lambda: listener.zone("seat-2")[-1].chips[0].from_zone == "seat-1")
        from_ns = listener.zone("seat-2")[-1].chips[0].from_ns
        assert from_ns is not None
        assert 0 <= time.monotonic_ns() - from_ns < 5000 * NS_PER_MS
