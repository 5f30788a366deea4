"""`betline doctor` on readers at pseudo-terminals: what lies there, how well it is read, and what is wrong."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from pathlib import Path

import pytest

from betline.doctor.answer import Answer, State, Visit
from betline.options import Address
from betline.settings import TableSettings, load_table
from firmware_bridge import doctor
from firmware_bridge.protocols.family import LineSettings
from tests.unit.firmware_bridge.test_cli import Mute, virtual
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.device import OnlyAnswers
from virtual_table.readers.feig import VirtualFeigReader
from virtual_table.readers.server import ReaderServer

LINE = LineSettings(115200, "E")
ALL_READ = "seat-1: 10 chips, 0% of reads missed, weakest signal 128 on the reader's scale; 12 rounds without noise"
CHIPS = tuple(f"E004015306A22D{number:02X}" for number in range(10))


@pytest.fixture(autouse=True)
def _no_chips(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(doctor, "usual_register", lambda: tmp_path / "chips.sqlite")


def visit(table: TableSettings, path: str) -> list[Answer]:
    """What the doctor finds of the first reader of a table, at that port."""
    one = table.model_copy(update={"readers": (table.readers[0].model_copy(update={"port": path}),)})
    found = doctor.examine(Visit(one, "home-six", Address("127.0.0.1", 1), Path("/dev/serial/by-id")))
    return [answer for answer in found if answer.what != "chip register"]


def of(device: OnlyAnswers, server: ReaderServer) -> list[Answer]:
    return visit(load_table("home-six"), server.add("one", device, LINE))


@pytest.mark.nightly
def test_chips_that_lie_there_are_counted_with_the_share_of_missed_reads(server: ReaderServer) -> None:
    line, antenna = of(virtual(*CHIPS), server)

    assert line.state is State.OK
    assert antenna == replace(antenna, state=State.OK, sentence=ALL_READ)


@pytest.mark.nightly
def test_an_empty_antenna_is_well(server: ReaderServer) -> None:
    _, antenna = of(virtual(), server)

    assert (antenna.state, antenna.sentence) == (State.OK, "seat-1: nothing lies there; 12 rounds without noise")


@pytest.mark.nightly
def test_an_antenna_that_misses_a_third_of_its_reads_is_a_fault_with_a_remedy(server: ReaderServer) -> None:
    _, antenna = of(virtual(*CHIPS, missed=0.4), server)

    assert antenna.state is State.FAULT
    assert "of reads missed" in antenna.sentence
    assert antenna.remedy


@pytest.mark.nightly
def test_the_chip_that_is_read_least_is_named_with_its_rounds(server: ReaderServer) -> None:
    _, antenna = of(virtual(*CHIPS, missed=0.12), server)

    assert re.search(r"the weakest \(E004015306A22D0\d\) read in \d+ of 12 rounds", antenna.sentence)


@pytest.mark.nightly
def test_a_reader_that_calls_the_air_disturbed_is_found_on_an_empty_antenna(
    server: ReaderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "ROUNDS", 3)
    line = of(virtual(rf_warning=0.5), server)[0]

    assert line.state is State.FAULT
    assert "inventories disturbed in the air" in line.sentence
    assert "Something disturbs the air" in line.remedy


@pytest.mark.nightly
def test_tags_that_nobody_has_and_that_are_heard_once_are_noise(server: ReaderServer) -> None:
    numbers = itertools.count()

    def air() -> list[tuple[str, int, float]]:
        number = next(numbers)
        return [(f"E0040153{number:08X}", 1, 0.5)] if number % 6 == 5 else []

    _, antenna = of(VirtualFeigReader(air, Behaviour(), seed=1), server)

    assert antenna.state is State.WARNING
    assert "that nobody has, heard once (E0040153" in antenna.sentence


def test_a_reader_that_says_nothing_is_a_fault(server: ReaderServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_SILENCE_S", 0.6)
    [answer] = of(Mute(), server)

    assert answer.state is State.FAULT
    assert "check its supply, cable and family" in answer.sentence


def test_a_port_that_is_not_there_is_a_fault_that_names_it() -> None:
    [answer] = visit(load_table("home-six"), "/dev/serial/by-id/usb-nobody")

    assert answer.state is State.FAULT
    assert "usb-nobody" in answer.sentence
    assert "betline bridge ports" in answer.remedy


def test_a_table_without_readers_needs_none() -> None:
    table = load_table("home-six").model_copy(update={"readers": ()})

    [answer] = doctor.examine(Visit(table, "home-six", Address("127.0.0.1", 1), Path("/dev/serial/by-id")))

    assert answer.state is State.SKIPPED
