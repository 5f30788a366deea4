"""A FEIG reader with neighbours: its field is on in a round only, and every tag is found in every round."""

from __future__ import annotations

import pytest

from firmware_bridge.link import ReaderLink
from firmware_bridge.protocols.family import Ask, Inventory, Refused, SharesField
from firmware_bridge.protocols.feig.dialogue import FeigDialogue
from firmware_bridge.protocols.feig.family import FeigFamily
from firmware_bridge.protocols.feig.frames import Control, Reply
from firmware_bridge.schedule import Channel
from tests.unit.firmware_bridge.bench import Bench
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.faults import FaultPlan
from virtual_table.readers.feig import VirtualFeigReader
from virtual_table.readers.memory import MemoryLine

ON, OFF = bytes.fromhex("06 FF 6A 01 E4 07"), bytes.fromhex("06 FF 6A 00 6D 16")
RESET, READ = bytes.fromhex("05 FF 69 89 01"), bytes.fromhex("07 FF B0 01 00 1C 56")
UIDS = {f"E00401{number * 7919:010X}" for number in range(1, 31)}


def bench(faults: FaultPlan | None = None) -> Bench:
    link = ReaderLink(FeigFamily(), [Channel("seat-1")], shares_field=True)
    link.attend(frozenset({"seat-1"}), 0)
    behaviour = Behaviour(faults=faults or FaultPlan())
    reader = VirtualFeigReader(lambda: [(uid, 1, 1.0) for uid in UIDS], behaviour, seed=2)
    return Bench(link, MemoryLine(reader, FeigFamily().traits.line))


def said(control: int, status: int = 0, data: bytes = b"") -> bytes:
    return Reply(control, status, data).to_bytes()


def sharing() -> FeigDialogue:
    dialogue = FeigDialogue()
    dialogue.share_field()
    return dialogue


def test_field_is_switched_off_after_each_round_and_on_before_the_next() -> None:
    one = bench()
    one.run(3000)
    fields = [data for data in one.sent if data in (ON, OFF, RESET)]
    assert fields[:5] == [RESET, OFF, ON, OFF, ON]
    assert RESET not in fields[1:]
    assert len(one.rounds) > 5
    assert all(heard == UIDS for heard in one.heard)


def test_no_fault_of_the_line_hides_a_tag() -> None:
    one = bench(FaultPlan(silence=0.05, damage=0.1, garbage=0.1, late=0.03))
    one.run(60_000)
    assert len(one.rounds) > 20
    assert all(heard == UIDS for heard in one.heard)
    assert RESET in one.sent[1:]


def test_round_counts_though_the_field_was_not_seen_to_go_off_and_the_next_begins_with_a_reset() -> None:
    dialogue = sharing()
    dialogue.inventory(None)
    dialogue.feed(said(Control.RF_RESET), 1.0)
    step = dialogue.feed(said(Control.ISO_HOST_COMMAND, 1), 2.0)
    assert isinstance(step, Ask)
    assert step.data == OFF
    assert dialogue.silence() == Inventory(())
    step = dialogue.inventory(None)
    assert isinstance(step, Ask)
    assert step.data == RESET


@pytest.mark.parametrize("status", [0x80, 0x82])
def test_reader_that_cannot_switch_is_read_all_the_same(status: int) -> None:
    dialogue = sharing()
    dialogue.inventory(None)
    dialogue.feed(said(Control.RF_RESET), 1.0)
    dialogue.feed(said(Control.ISO_HOST_COMMAND, 1), 2.0)
    assert dialogue.feed(said(Control.RF_ON_OFF, status), 3.0) == Inventory(())
    step = dialogue.inventory(None)
    assert isinstance(step, Ask)
    assert step.data == RESET


def test_refused_round_leaves_the_field_off_too() -> None:
    dialogue = sharing()
    dialogue.inventory(None)
    dialogue.feed(said(Control.RF_RESET), 1.0)
    step = dialogue.feed(said(Control.ISO_HOST_COMMAND, 0x84), 2.0)
    assert isinstance(step, Ask)
    assert step.data == OFF
    step = dialogue.feed(said(Control.RF_ON_OFF), 3.0)
    assert isinstance(step, Refused)
    assert step.code == "rf_warning"


def test_field_that_does_not_come_on_is_reset() -> None:
    dialogue = sharing()
    dialogue.inventory(None)
    dialogue.feed(said(Control.RF_RESET), 1.0)
    dialogue.feed(said(Control.ISO_HOST_COMMAND, 1), 2.0)
    dialogue.feed(said(Control.RF_ON_OFF), 3.0)
    step = dialogue.inventory(None)
    assert isinstance(step, Ask)
    assert step.data == ON
    step = dialogue.silence()
    assert isinstance(step, Ask)
    assert step.data == RESET


def test_reader_without_neighbours_keeps_its_field() -> None:
    assert isinstance(FeigDialogue(), SharesField)
    link = ReaderLink(FeigFamily(), [Channel("seat-1")])
    reader = VirtualFeigReader(lambda: [], Behaviour())
    one = Bench(link, MemoryLine(reader, FeigFamily().traits.line))
    one.run(3000)
    assert OFF not in one.sent
    assert READ in one.sent
