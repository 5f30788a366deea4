"""Dialogue against virtual reader of every family on a line in memory: whole rounds, every fault, silence, lost supply.

What only one family does is in the family's own folder.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest

from firmware_bridge.protocols.bb.family import BbFamily
from firmware_bridge.protocols.betline.family import BetlineFamily
from firmware_bridge.protocols.chafon.family import ChafonFamily
from firmware_bridge.protocols.chafon.inventory import Layout
from firmware_bridge.protocols.family import Family
from firmware_bridge.protocols.m6e.family import M6eFamily
from firmware_bridge.protocols.pn532.family import Pn532Family
from tests.unit.firmware_bridge.bad_lines import (
    BB_FAULTS,
    BETLINE_FAULTS,
    CHAFON_FAULTS,
    M6E_FAULTS,
    PN532_FAULTS,
)
from tests.unit.firmware_bridge.bench import Bench
from virtual_table.readers.bb import VirtualBbReader
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.betline import BetlineSetup, CoreMaker, VirtualBetlineReader
from virtual_table.readers.betline_c import FirmwareCore, has_firmware
from virtual_table.readers.betline_twin import TwinCore
from virtual_table.readers.chafon import ChafonSetup, VirtualChafonReader
from virtual_table.readers.device import SerialDevice
from virtual_table.readers.faults import FaultPlan
from virtual_table.readers.m6e import VirtualM6eReader
from virtual_table.readers.pn532 import VirtualPn532Reader

EPC = [f"E2801160600002{number * 7919:010X}" for number in range(1, 61)]
CARDS = [f"04{number * 7919:012X}" for number in range(1, 61)]
VICINITY = [f"E0040153{number * 7919 % 65521:04X}{number:04X}" for number in range(1, 61)]

Tags = Callable[[], Sequence[tuple[str, int, float]]]


@dataclass(frozen=True)
class Line:
    """A family with its virtual reader, how bad a line it bears, and what it owes there."""

    family: Family
    reader: Callable[[Tags, Behaviour, int], SerialDevice]
    uids: list[str]
    faults: dict[str, FaultPlan]
    rounds: int
    """At least so many in 5 s on a good line with 60 tags."""
    bad_ms: float
    """How long the bad line is watched, and how many rounds come at least."""
    bad_rounds: int
    sure: float = 0.0
    """Of the rounds on a bad line at least this share is told without a warning."""
    right: float = 1.0
    """Of those with a warning at least this share has every tag."""

    def bench(self, tags: Tags, bytes_per_read: int = 64, seed: int = 1, faults: FaultPlan | None = None) -> Bench:
        behaviour = Behaviour(faults=faults) if faults else Behaviour()
        return Bench.of(self.family, self.reader(tags, behaviour, seed), bytes_per_read=bytes_per_read)

    def of(self, count: int, bytes_per_read: int = 64, seed: int = 1, faults: FaultPlan | None = None) -> Bench:
        return self.bench(lambda: [(uid, 1, 1.0) for uid in self.uids[:count]], bytes_per_read, seed, faults)


def chafon(setup: ChafonSetup) -> Line:
    def reader(tags: Tags, behaviour: Behaviour, seed: int) -> SerialDevice:
        return VirtualChafonReader(tags, behaviour, seed, setup)

    return Line(ChafonFamily(), reader, EPC, CHAFON_FAULTS, 6, 20_000, 7, sure=0.9, right=0.0)


def betline(core: CoreMaker) -> Line:
    def reader(tags: Tags, behaviour: Behaviour, seed: int) -> SerialDevice:
        return VirtualBetlineReader(tags, behaviour, seed, BetlineSetup(core=core))

    return Line(BetlineFamily(), reader, VICINITY, BETLINE_FAULTS, 4, 30_000, 21)


LINES = {
    "bb": Line(BbFamily(), VirtualBbReader, EPC, BB_FAULTS, 5, 20_000, 7, right=0.9),
    "m6e": Line(M6eFamily(), VirtualM6eReader, EPC, M6E_FAULTS, 4, 60_000, 41),
    "pn532": Line(Pn532Family(), VirtualPn532Reader, CARDS, PN532_FAULTS, 5, 30_000, 11),
    "chafon-older": chafon(ChafonSetup(Layout.OLDER)),
    "chafon-newer": chafon(ChafonSetup()),
    "chafon-tag-by-tag": chafon(ChafonSetup(tags_per_frame=1)),
    "betline-twin": betline(TwinCore),
    "betline-firmware": betline(FirmwareCore),
}


def needs(name: str, *values: object) -> object:
    """A line as a parameter; the firmware needs a C compiler."""
    missing = name == "betline-firmware" and not has_firmware()
    marks = [pytest.mark.skipif(missing, reason="no C compiler (cc, gcc or clang) is installed")]
    return pytest.param(LINES[name], *values, id="-".join([name, *map(str, values)]), marks=marks)


lines = pytest.mark.parametrize("line", [needs(name) for name in LINES])


@pytest.mark.one_in(13)
@lines
@pytest.mark.parametrize("bytes_per_read", [1, 7, 4096, pytest.param(64, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 30, pytest.param(60, marks=pytest.mark.nightly)])
def test_every_round_finds_every_tag_however_the_bytes_come(line: Line, count: int, bytes_per_read: int) -> None:
    one = line.of(count, bytes_per_read)
    one.run(5000)
    assert len(one.rounds) >= line.rounds
    assert all(heard == set(line.uids[:count]) for heard in one.heard)
    assert not any(over.warnings for over in one.rounds)
    assert one.troubles == []
    health = one.link.health
    assert (health.timeouts, health.late_replies, health.dropped_bytes, health.reboots) == (0, 0, 0, 0)


@lines
def test_tag_that_was_taken_away_is_not_in_the_next_round(line: Line) -> None:
    there = line.uids[:3]
    one = line.bench(lambda: [(uid, 1, 1.0) for uid in there])
    one.run(1000)
    assert one.heard[-1] == set(line.uids[:3])
    there.pop()
    before = len(one.rounds)
    one.run(2000)
    assert all(heard == set(line.uids[:2]) for heard in one.heard[before + 1 :])
    assert len(one.rounds) > before + 3


@pytest.mark.one_in(29)
@pytest.mark.parametrize(
    ("line", "fault"), [needs(name, fault) for name, line in LINES.items() for fault in line.faults]
)
@pytest.mark.parametrize("count", [0, 2, 30])
def test_no_fault_of_the_line_invents_or_hides_a_tag(line: Line, fault: str, count: int) -> None:
    tags = set(line.uids[:count])
    one = line.of(count, bytes_per_read=7, seed=5, faults=line.faults[fault])
    one.run(line.bad_ms)
    assert len(one.rounds) >= line.bad_rounds
    assert all(heard <= tags for heard in one.heard)
    sure = [heard for heard, over in zip(one.heard, one.rounds, strict=True) if not over.warnings]
    assert all(heard == tags for heard in sure)
    assert len(sure) >= line.sure * len(one.rounds)
    doubtful = [heard for heard, over in zip(one.heard, one.rounds, strict=True) if over.warnings]
    assert sum(heard == tags for heard in doubtful) >= line.right * len(doubtful)
    assert one.link.health.reboots == 0


@lines
def test_silent_reader_gives_no_round(line: Line) -> None:
    one = line.of(8, faults=FaultPlan(silence=1.0))
    one.run(20_000)
    assert one.rounds == []
    assert {trouble.code for trouble in one.troubles} == {"silent"}
