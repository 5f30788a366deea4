"""A reader with our firmware and neighbours: its field is on in a round only, and it reads nothing by itself."""

from __future__ import annotations

from firmware_bridge.link import ReaderLink
from firmware_bridge.protocols.betline.dialogue import BetlineDialogue
from firmware_bridge.protocols.betline.family import BetlineFamily
from firmware_bridge.protocols.betline.frames import FrameDecoder
from firmware_bridge.protocols.betline.messages import PACE_OFF, Field, Identify, Pace, Read, read_message
from firmware_bridge.protocols.family import SharesField
from firmware_bridge.schedule import Channel
from tests.unit.firmware_bridge.bench import Bench
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.betline import VirtualBetlineReader
from virtual_table.readers.faults import FaultPlan
from virtual_table.readers.memory import MemoryLine

UIDS = {f"E00401{number * 7919:010X}" for number in range(1, 21)}


def bench(faults: FaultPlan | None = None) -> Bench:
    link = ReaderLink(BetlineFamily(), [Channel("seat-1")], shares_field=True)
    link.attend(frozenset({"seat-1"}), 0)
    reader = VirtualBetlineReader(
        lambda: [(uid, 1, 1.0) for uid in UIDS], Behaviour(faults=faults or FaultPlan()), seed=2
    )
    return Bench(link, MemoryLine(reader, BetlineFamily().traits.line))


def commands(one: Bench) -> list[object]:
    decoder = FrameDecoder()
    return [read_message(frame.type, frame.payload) for data in one.sent for frame in decoder.feed(data)]


def test_field_is_on_in_a_round_only_and_the_reader_tells_nothing_by_itself() -> None:
    one = bench()
    one.run(5000)
    told = commands(one)
    assert isinstance(told[0], Identify)
    paces = [command.cycle_ms for command in told if isinstance(command, Pace)]
    assert set(paces) == {PACE_OFF}
    order = ["on" if command.on else "off" for command in told if isinstance(command, Field)]
    assert order == (["on", "off"] * len(order))[: len(order)]
    assert len(order) > 10
    on = False
    for command in told:
        on = command.on if isinstance(command, Field) else on
        assert on or not isinstance(command, Read)
    assert len(one.rounds) > 5
    assert all(heard == UIDS for heard in one.heard)


def test_no_fault_of_the_line_hides_a_tag() -> None:
    one = bench(FaultPlan(silence=0.03, damage=0.05, garbage=0.1))
    one.run(60_000)
    assert len(one.rounds) > 20
    assert all(heard == UIDS for heard in one.heard)


def test_it_is_known_to_share() -> None:
    assert isinstance(BetlineDialogue(), SharesField)
