"""The virtual BB..7E module, byte for byte where frames are published."""

from __future__ import annotations

import pytest

from firmware_bridge.protocols.bb.commands import (
    CHANNELS_BUSY,
    COMMAND_ERROR,
    NO_TAG,
    error,
    multiple_poll,
)
from firmware_bridge.protocols.bb.frames import Command, Frame, FrameType, TagNotice, reply_decoder
from virtual_table.readers.bb import VirtualBbReader
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.faults import FaultPlan

UID = "30751FEB705C5904E3D50D70"
UIDS = [f"E2801160600002{number:010X}" for number in range(60)]
SINGLE = bytes.fromhex("BB 00 22 00 00 22 7E")
STOP = bytes.fromhex("BB 00 28 00 00 28 7E")
STOPPED = bytes.fromhex("BB 01 28 00 01 00 2A 7E")
ERROR_15 = bytes.fromhex("BB 01 FF 00 01 15 16 7E")


def module(*uids: str, **behaviour: object) -> VirtualBbReader:
    return VirtualBbReader(lambda: [(uid, 1, 1.0) for uid in uids], Behaviour(**behaviour), 1)


def ask(one: VirtualBbReader, command: bytes, now_ms: float = 0.0) -> list[bytes]:
    return [raw for _, raw in one.receive(command, now_ms)]


def spoken(one: VirtualBbReader, until_ms: float) -> list[Frame]:
    frames = []
    decoder = reply_decoder()
    while one.next_ms is not None and one.next_ms <= until_ms:
        at_ms = one.next_ms
        for _, raw in one.speak(at_ms):
            frames += decoder.feed(raw, at_ms)
        assert one.next_ms is None or one.next_ms > at_ms
    return frames


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("BB 00 22 00 00 22 7E", "BB 01 FF 00 01 15 16 7E"),
        ("BB 00 28 00 00 28 7E", "BB 01 28 00 01 00 2A 7E"),
        ("BB 00 B6 00 02 07 D0 8F 7E", "BB 01 B6 00 01 00 B8 7E"),
        (
            "BB 00 03 00 01 00 04 7E",
            "BB 01 03 00 10 00 4D 31 30 30 20 32 36 64 42 6D 20 56 31 2E 30 92 7E",
        ),
    ],
)
def test_published_exchanges(command: str, expected: str) -> None:
    assert ask(module(), bytes.fromhex(command)) == [bytes.fromhex(expected)]


def test_single_poll_sends_each_tag_once_and_then_nothing() -> None:
    one = module(*UIDS[:20])
    notices = [TagNotice.from_frame(Frame.from_bytes(raw)) for raw in ask(one, SINGLE)]
    assert sorted(notice.epc.hex().upper() for notice in notices) == UIDS[:20]
    assert one.next_ms is None


def test_strength_is_sent_in_dbm() -> None:
    one = VirtualBbReader(lambda: [(UIDS[0], 1, 1.0), (UIDS[1], 1, 0.5)])
    sent = [TagNotice.from_frame(Frame.from_bytes(raw)) for raw in ask(one, SINGLE)]
    assert {notice.epc.hex().upper(): notice.rssi for notice in sent} == {UIDS[0]: -35, UIDS[1]: -55}


def test_multiple_poll_ends_with_its_count() -> None:
    one = module(UID)
    assert ask(one, multiple_poll(5).to_bytes()) == []
    frames = spoken(one, 10_000.0)
    assert [TagNotice.from_frame(frame).epc.hex().upper() for frame in frames] == [UID] * 5
    assert one.next_ms is None


def test_multiple_poll_of_an_empty_field_sends_error_15_each_time() -> None:
    one = module()
    ask(one, multiple_poll(4).to_bytes())
    assert spoken(one, 10_000.0) == [error(NO_TAG)] * 4


def test_no_poll_at_all_says_nothing() -> None:
    one = module(UID)
    assert ask(one, multiple_poll(0).to_bytes()) == []
    assert one.next_ms is None


def test_stop_ends_it_at_once_and_leaves_the_module_free() -> None:
    one = module(*UIDS[:30])
    ask(one, multiple_poll(100).to_bytes())
    assert spoken(one, 20.0)
    assert ask(one, STOP, 21.0) == [STOPPED]
    assert one.next_ms is None
    ask(one, multiple_poll(1).to_bytes(), 25.0)
    assert one.next_ms is not None
    assert one.next_ms < 60.0


def test_each_poll_reads_the_field_anew() -> None:
    there = [UIDS[0]]
    one = VirtualBbReader(lambda: [(uid, 1, 1.0) for uid in there])
    ask(one, multiple_poll(1000).to_bytes())
    assert len(spoken(one, 100.0)) > 3
    there.clear()
    assert spoken(one, 200.0)[-1] == error(NO_TAG)


def test_second_poll_while_one_is_under_way_is_an_error() -> None:
    one = module(UID)
    ask(one, multiple_poll(100).to_bytes())
    assert ask(one, multiple_poll(100).to_bytes(), 1.0) == [error(COMMAND_ERROR).to_bytes()]


@pytest.mark.parametrize(
    "command",
    [
        Frame(FrameType.COMMAND, 0x39, bytes(9)),
        Frame(FrameType.COMMAND, Command.MODULE_INFO, b"\x07"),
        Frame(FrameType.COMMAND, Command.MODULE_INFO),
        Frame(FrameType.COMMAND, Command.MULTIPLE_POLL, b"\x22"),
        Frame(FrameType.COMMAND, Command.SET_POWER, b"\x07"),
    ],
)
def test_what_it_does_not_know_is_a_command_error(command: Frame) -> None:
    assert ask(module(), command.to_bytes()) == [error(COMMAND_ERROR).to_bytes()]


def test_power_is_kept_until_the_supply_fails() -> None:
    one = module()
    ask(one, bytes.fromhex("BB 00 B6 00 02 07 D0 8F 7E"))
    get = bytes.fromhex("BB 00 B7 00 00 B7 7E")
    assert ask(one, get) == [bytes.fromhex("BB 01 B7 00 02 07 D0 91 7E")]
    one.power_on(10.0)
    assert Frame.from_bytes(ask(one, get, 11.0)[0]).parameters == (2600).to_bytes(2, "big")


def test_damaged_command_gets_no_answer() -> None:
    one = module(UID)
    assert ask(one, SINGLE[:-2] + b"\x23\x7e") == []
    assert len(ask(one, SINGLE, 100.0)) == 1


def test_disturbed_radio_is_error_20_and_ends_the_polling() -> None:
    one = module(UID, rf_warning=1.0)
    assert ask(one, SINGLE) == [error(CHANNELS_BUSY).to_bytes()]
    ask(one, multiple_poll(100).to_bytes(), 100.0)
    assert spoken(one, 10_000.0) == [error(CHANNELS_BUSY)]


def test_air_time_grows_with_the_tags_and_notices_come_one_by_one() -> None:
    delays = [[delay for delay, _ in module(*UIDS[:count]).receive(SINGLE, 0.0)] for count in (1, 10, 40)]
    assert all(one == sorted(one) for one in delays)
    ends = [one[-1] for one in delays]
    assert ends == sorted(ends)
    assert 150 < ends[-1] < 500


def test_same_seed_same_bytes() -> None:
    def run() -> list[tuple[float, bytes]]:
        plan = FaultPlan(garbage=0.3, damage=0.3, split=0.3, late=0.1, silence=0.1, truncate=0.1)
        one = module(*UIDS[:10], missed=0.2, faults=plan)
        said = one.receive(multiple_poll(50).to_bytes(), 0.0)
        while one.next_ms is not None:
            said += one.speak(one.next_ms)
        return said

    assert run() == run()
