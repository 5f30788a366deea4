"""Which reader it is: each family is asked for serial number and firmware, and read all the same if it does not say."""

from __future__ import annotations

import pytest

from firmware_bridge.link import ReaderLink
from firmware_bridge.protocols.catalogue import FAMILIES
from firmware_bridge.protocols.chafon.inventory import Layout
from firmware_bridge.protocols.family import Identity
from firmware_bridge.protocols.feig.frames import Control, Request
from firmware_bridge.protocols.m6e.setup import serial_in, serial_response
from firmware_bridge.schedule import Channel
from tests.unit.firmware_bridge.bench import Bench
from virtual_table.readers.catalogue import virtual_reader
from virtual_table.readers.chafon import ChafonSetup, VirtualChafonReader
from virtual_table.readers.device import SerialDevice
from virtual_table.readers.faults import Piece
from virtual_table.readers.memory import MemoryLine
from virtual_table.readers.reader import VirtualReader

SEED = 2_748
SAID = {
    "feig": Identity("00000ABC", "2.0"),
    "pn532": Identity("", "1.6"),
    "bb": Identity("", "V2.3.5"),
    "m6e": Identity("000000002748", "01.03.01.47"),
    "chafon": Identity("00000ABC", "0.22"),
    "betline": Identity("SIM002748", "1.0"),
}
READ_MS = 8_000


def introduced(name: str, device: SerialDevice) -> Bench:
    """A reader on a line in memory that is asked which one it is."""
    family = FAMILIES[name]
    link = ReaderLink(family, [Channel("seat-1")], introduces=True)
    link.attend(frozenset({"seat-1"}), 0)
    return Bench(link, MemoryLine(device, family.traits.line))


class Deaf(VirtualReader):
    """A reader that never hears requests of which a part begins like one of these."""

    def __init__(self, reader: VirtualReader, *unheard: bytes) -> None:
        self._reader, self._unheard = reader, unheard

    def power_on(self, now_ms: float) -> None:
        self._reader.power_on(now_ms)

    def answer(self, data: bytes, now_ms: float) -> list[Piece]:
        return self._reader.answer(data, now_ms)

    def receive(self, data: bytes, now_ms: float) -> list[Piece]:
        return [] if any(one in data for one in self._unheard) else self._reader.receive(data, now_ms)

    @property
    def next_ms(self) -> float | None:
        return self._reader.next_ms

    def speak(self, now_ms: float) -> list[Piece]:
        return self._reader.speak(now_ms)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_reader_of_each_family_says_which_one_it_is(name: str) -> None:
    bench = introduced(name, virtual_reader(name, list, seed=SEED))
    assert bench.link.identity is None
    bench.run(READ_MS)
    assert bench.link.identity == SAID[name]
    assert len(bench.rounds) > 5


@pytest.mark.parametrize("name", [name for name, said in SAID.items() if said.serial])
def test_two_readers_of_a_family_have_two_serial_numbers(name: str) -> None:
    serials = set()
    for seed in (1, 2):
        bench = introduced(name, virtual_reader(name, list, seed=seed))
        bench.run(READ_MS)
        serials.add(bench.link.identity and bench.link.identity.serial)
    assert len(serials) == 2


def test_an_unplugged_reader_is_no_reader_and_its_successor_is_asked_again() -> None:
    bench = introduced("feig", virtual_reader("feig", list, seed=1))
    bench.run(2_000)
    bench.link.lost(int(bench.now_ms * 1e6), "unplugged")
    assert bench.link.identity is None
    bench.line = MemoryLine(virtual_reader("feig", list, seed=2), FAMILIES["feig"].traits.line)
    bench.run(6_000)
    assert bench.link.identity == Identity("00000002", "2.0")


# The questions for the identity, as bytes that stand in no other request of the family.
QUESTIONS = {
    "feig": (bytes((0xFF, Control.SOFTWARE_VERSION)), bytes((0xFF, Control.READER_INFO))),
    "pn532": (bytes.fromhex("D4 02 2A"),),
    "bb": (bytes.fromhex("BB 00 03"),),
    "m6e": (bytes.fromhex("FF 02 10"),),
    "chafon": (bytes.fromhex("FF 4C"),),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_reader_that_does_not_say_which_one_it_is_is_read_all_the_same(name: str) -> None:
    bench = introduced(name, Deaf(virtual_reader(name, list, seed=SEED), *QUESTIONS[name]))
    bench.run(READ_MS)
    told = bench.link.identity
    assert told is not None
    assert told.serial == ""
    assert len(bench.rounds) > 5
    asked = [one for one in bench.sent if any(question in one for question in QUESTIONS[name])]
    assert 0 < len(asked) <= 2 * len(QUESTIONS[name])


def test_an_older_chafon_reader_has_no_serial_number_to_tell() -> None:
    bench = introduced("chafon", VirtualChafonReader(list, seed=SEED, setup=ChafonSetup(layout=Layout.OLDER)))
    bench.run(READ_MS)
    assert bench.link.identity == Identity("", "0.22")
    assert len(bench.rounds) > 5


def test_a_feig_reader_is_asked_after_its_first_round_which_nothing_may_delay() -> None:
    bench = introduced("feig", virtual_reader("feig", list, seed=SEED))
    bench.run(500)
    controls = [Request.from_bytes(one).control for one in bench.sent][:6]
    assert controls == [
        Control.RF_RESET,
        Control.ISO_HOST_COMMAND,
        Control.SOFTWARE_VERSION,
        Control.READER_INFO,
        Control.RF_RESET,
        Control.ISO_HOST_COMMAND,
    ]


def test_readers_are_not_asked_where_nobody_wants_to_know() -> None:
    bench = Bench.of(FAMILIES["feig"], virtual_reader("feig", list, seed=SEED))
    bench.run(READ_MS)
    assert bench.link.identity is None
    assert {Request.from_bytes(one).control for one in bench.sent} == {Control.RF_RESET, Control.ISO_HOST_COMMAND}


@pytest.mark.parametrize("cut", range(4))
def test_a_cut_answer_of_a_thingmagic_module_holds_no_serial_number(cut: int) -> None:
    whole = serial_response("123456789012")
    assert serial_in(whole) == "123456789012"
    assert serial_in(type(whole)(whole.opcode, 0, whole.data[: cut + 1])) == ""
    assert serial_in(type(whole)(whole.opcode, 0, whole.data[:-1])) == ""
