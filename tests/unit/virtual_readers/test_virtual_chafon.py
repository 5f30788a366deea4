"""The virtual Chafon reader of both layouts, byte for byte where frames are published."""

from __future__ import annotations

import pytest

from firmware_bridge.protocols.chafon.frames import Command, Reply, Request, reply_decoder
from firmware_bridge.protocols.chafon.inventory import InventoryRequest, Layout, decode_active, decode_records
from firmware_bridge.protocols.chafon.status import Status
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.chafon import ChafonSetup, VirtualChafonReader
from virtual_table.readers.faults import FaultPlan

UID = "E20068160000006012345678"
UIDS = [f"E2801160600002{number:010X}" for number in range(60)]
OLDER = ChafonSetup(Layout.OLDER)
INVENTORY = bytes.fromhex("04 FF 01 1B B4")
NEWER_INVENTORY = InventoryRequest().to_request().to_bytes()


def reader(*uids: str, setup: ChafonSetup | None = None, **behaviour: object) -> VirtualChafonReader:
    return VirtualChafonReader(lambda: [(uid, 1, 1.0) for uid in uids], Behaviour(**behaviour), 1, setup)


def ask(one: VirtualChafonReader, request: bytes, now_ms: float = 0.0) -> list[Reply]:
    decoder = reply_decoder()
    return [reply for _, raw in one.receive(request, now_ms) for reply in decoder.feed(raw, 0.0)]


def found(replies: list[Reply], layout: Layout) -> list[str]:
    return sorted(one.epc.hex().upper() for reply in replies for one in decode_records(reply.data, layout))


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ("04 FF 01 1B B4", "13 00 01 01 01 0C E2 00 68 16 00 00 00 60 12 34 56 78 9D 78"),
        ("04 00 01 DB 4B", "13 00 01 01 01 0C E2 00 68 16 00 00 00 60 12 34 56 78 9D 78"),
    ],
)
def test_published_exchanges_of_the_older_layout(request_: str, expected: str) -> None:
    [(delay_ms, raw)] = reader(UID, setup=OLDER).receive(bytes.fromhex(request_), 0.0)
    assert raw == bytes.fromhex(expected)
    assert delay_ms > 0


def test_empty_field_is_no_tag_or_a_frame_without_tags() -> None:
    assert ask(reader(setup=OLDER), INVENTORY)[0].to_bytes() == bytes.fromhex("05 00 01 FB F2 3D")
    asked = bytes.fromhex("09 00 01 01 00 00 80 0A 76 FC")
    assert ask(reader(), asked)[0].to_bytes() == bytes.fromhex("07 00 01 01 01 00 1E 4B")


def test_newer_layout_names_antenna_and_strength() -> None:
    one = VirtualChafonReader(lambda: [(UIDS[0], 1, 1.0), (UIDS[1], 3, 0.5)], Behaviour(antennas=4))
    replies = ask(one, InventoryRequest(antenna=3).to_request().to_bytes())
    assert [reply.status for reply in replies] == [Status.MORE_FRAMES, Status.FINISHED]
    [record] = decode_records(replies[0].data, Layout.NEWER)
    assert (record.epc.hex().upper(), record.antennas, record.rssi) == (UIDS[1], 0b100, 128)


@pytest.mark.parametrize("layout", Layout)
def test_many_tags_come_as_a_chain_of_frames(layout: Layout) -> None:
    one = reader(*UIDS[:30], setup=ChafonSetup(layout, tags_per_frame=12))
    replies = ask(one, INVENTORY if layout is Layout.OLDER else NEWER_INVENTORY)
    assert [reply.status for reply in replies[:-1]] == [Status.MORE_FRAMES] * (len(replies) - 1)
    assert replies[-1].status == Status.FINISHED
    assert found(replies, layout) == UIDS[:30]


def test_tags_answer_again_in_each_inventory() -> None:
    one = reader(*UIDS[:5], setup=OLDER)
    assert [found(ask(one, INVENTORY, 1000.0 * number), Layout.OLDER) for number in range(3)] == [UIDS[:5]] * 3


@pytest.mark.parametrize("layout", Layout)
def test_time_that_is_up_is_reported(layout: Layout) -> None:
    one = reader(*UIDS, setup=ChafonSetup(layout, scan_time=1))
    request = INVENTORY if layout is Layout.OLDER else InventoryRequest(scan_time=1).to_request().to_bytes()
    [(delay_ms, _)] = one.receive(request, 0.0)
    replies = ask(one, request, 5000.0)
    assert delay_ms < 110
    assert replies[-1].status == Status.TIME_OVERFLOW
    assert 5 < len(found(replies, layout)) < 40


def test_description_names_the_layout() -> None:
    asked = bytes.fromhex("04 FF 21 19 95")
    [newer] = ask(reader(), asked)
    assert newer.to_bytes() == bytes.fromhex("11 00 21 00 00 16 0C 03 4E 00 1E 0A 01 00 00 00 E6 51")
    [older] = ask(reader(setup=OLDER), asked)
    assert len(older.data) == 8


def test_reader_answers_to_its_own_address_and_keeps_a_new_one() -> None:
    one = reader(setup=ChafonSetup(Layout.OLDER, address=3))
    assert one.receive(Request(Command.INVENTORY, address=0).to_bytes(), 0.0) == []
    assert ask(one, Request(Command.INVENTORY, address=3).to_bytes())[0].address == 3
    [done] = ask(one, Request(Command.SET_ADDRESS, b"\x07", 3).to_bytes())
    assert (done.status, done.address) == (Status.OK, 3)
    one.power_on(10.0)
    assert ask(one, INVENTORY, 11.0)[0].address == 7


def test_power_and_inventory_time_are_kept() -> None:
    one = reader(setup=OLDER)
    assert ask(one, bytes.fromhex("05 00 2F 1E 72 34"))[0].status == Status.OK
    assert ask(one, Request(Command.SET_POWER, b"\x14").to_bytes())[0].status == Status.OK
    assert ask(one, Request(Command.SET_SCAN_TIME, b"\x05").to_bytes())[0].status == Status.OK
    assert ask(one, Request(Command.READER_INFO).to_bytes())[0].data[6:8] == b"\x14\x05"


@pytest.mark.parametrize(
    ("request_", "setup", "status"),
    [
        (Request(Command.INVENTORY, bytes(5)), OLDER, Status.LENGTH_ERROR),
        (Request(Command.INVENTORY), None, Status.LENGTH_ERROR),
        (Request(Command.INVENTORY, bytes(5)), None, Status.PARAMETER_ERROR),
        (InventoryRequest(antenna=2).to_request(), None, Status.ANTENNA_ERROR),
        (Request(Command.SET_FREQUENCY, b"\x31\x80"), None, Status.ILLEGAL_COMMAND),
        (Request(Command.SET_ADDRESS, b"\xff"), None, Status.PARAMETER_ERROR),
        (Request(Command.SET_SCAN_TIME), None, Status.LENGTH_ERROR),
        (Request(Command.SET_POWER), None, Status.LENGTH_ERROR),
    ],
)
def test_what_it_does_not_understand_is_refused_by_status(
    request_: Request, setup: ChafonSetup | None, status: int
) -> None:
    assert [reply.status for reply in ask(reader(UID, setup=setup), request_.to_bytes())] == [status]


def test_disturbed_radio_is_poor_communication_without_tags() -> None:
    [reply] = ask(reader(UID, setup=OLDER, rf_warning=1.0), INVENTORY)
    assert (reply.status, reply.data) == (Status.POOR_COMMUNICATION, b"")


def test_damaged_request_gets_no_answer() -> None:
    one = reader(UID, setup=OLDER)
    assert one.receive(INVENTORY[:-1] + b"\x00", 0.0) == []
    assert found(ask(one, INVENTORY, 100.0), Layout.OLDER) == [UID]


def test_requests_are_answered_one_after_the_other() -> None:
    one = reader(*UIDS[:20], setup=OLDER)
    [(first_ms, _)] = one.receive(INVENTORY, 0.0)
    [(second_ms, _)] = one.receive(bytes.fromhex("04 FF 21 19 95"), 1.0)
    assert first_ms > 50
    assert second_ms + 1.0 > first_ms


@pytest.mark.parametrize("layout", Layout)
def test_active_reader_is_deaf_and_sends_its_tags_unasked(layout: Layout) -> None:
    one = reader(*UIDS[:3], setup=ChafonSetup(layout, active=True, active_ms=100.0))
    assert one.receive(INVENTORY, 0.0) == []
    assert one.next_ms == 100.0
    sent = [decode_active(Reply.from_bytes(raw)) for _, raw in one.speak(100.0)]
    assert sorted(record.epc.hex().upper() for record in sent) == UIDS[:3]
    assert one.next_ms == 200.0


def test_active_reader_over_an_empty_field() -> None:
    newer = reader(setup=ChafonSetup(active=True))
    [(_, raw)] = newer.speak(200.0)
    assert (Reply.from_bytes(raw).command, Reply.from_bytes(raw).status) == (Command.ACTIVE, Status.HEARTBEAT)
    assert reader(setup=ChafonSetup(Layout.OLDER, active=True)).speak(200.0) == []
    assert reader().next_ms is None


def test_same_seed_same_bytes() -> None:
    def run() -> list[list[tuple[float, bytes]]]:
        plan = FaultPlan(garbage=0.3, damage=0.3, split=0.3, late=0.1, silence=0.1, truncate=0.1)
        one = reader(*UIDS[:10], missed=0.2, faults=plan)
        return [one.receive(NEWER_INVENTORY, 1000.0 * number) for number in range(50)]

    assert run() == run()
