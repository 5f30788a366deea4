"""The host's talk with a Chafon reader, reply by reply."""

from __future__ import annotations

import pytest

from firmware_bridge.protocols.chafon.dialogue import ACTIVE_MS, AFTER_DAMAGE_MS, ChafonDialogue
from firmware_bridge.protocols.chafon.family import ChafonFamily
from firmware_bridge.protocols.chafon.frames import Command, Reply, Request
from firmware_bridge.protocols.chafon.inventory import (
    InventoryRequest,
    Layout,
    ReaderInfo,
    TagRecord,
    encode_active,
    encode_records,
)
from firmware_bridge.protocols.chafon.status import Status
from firmware_bridge.protocols.family import Ask, Inventory, Listen, Refused, Step, TagKind, TagRead

INFO = bytes.fromhex("04 FF 21 19 95")
OLDER_INVENTORY = bytes.fromhex("04 FF 01 1B B4")
NEWER_INVENTORY = InventoryRequest().to_request().to_bytes()
EPCS = [bytes((0xE2, 0x00, *bytes(9), number)) for number in range(4)]


def info(layout: Layout, scan_time: int = 10) -> bytes:
    return Reply(Command.READER_INFO, 0x00, ReaderInfo((0, 22), 0x09, scan_time, layout).to_data()).to_bytes()


def tags(status: int, *numbers: int, layout: Layout = Layout.NEWER, antenna: int = 1) -> bytes:
    records = (TagRecord(EPCS[number], 1 << (antenna - 1), 0x40) for number in numbers)
    return Reply(Command.INVENTORY, status, encode_records(records, layout, antenna)).to_bytes()


def report(number: int, antennas: int = 1, layout: Layout = Layout.NEWER) -> bytes:
    return encode_active(TagRecord(EPCS[number], antennas, 0x40), layout).to_bytes()


def reading(layout: Layout = Layout.NEWER, antenna: int | None = None) -> ChafonDialogue:
    """A dialogue that has just asked for the inventory."""
    dialogue = ChafonDialogue()
    assert asked(dialogue.inventory(antenna)) == INFO
    asked(dialogue.feed(info(layout), 0.0))
    return dialogue


def asked(step: Step | None) -> bytes:
    assert isinstance(step, Ask)
    return step.data


def broken(raw: bytes) -> bytes:
    return raw[:6] + bytes((raw[6] ^ 0x10,)) + raw[7:]


def heard(step: Step | None) -> list[tuple[str, int | None, int | None]]:
    assert isinstance(step, Inventory)
    return [(tag.uid, tag.antenna, tag.rssi) for tag in step.tags]


def told(*numbers: int) -> list[tuple[str, int | None, int | None]]:
    return [(EPCS[number].hex().upper(), 1, 0x40) for number in numbers]


def test_reader_is_asked_once_what_it_is() -> None:
    dialogue = ChafonDialogue()
    assert asked(dialogue.inventory(None)) == INFO
    assert asked(dialogue.feed(info(Layout.NEWER), 0.0)) == NEWER_INVENTORY
    assert heard(dialogue.feed(tags(Status.FINISHED, 0), 1.0)) == told(0)
    assert asked(dialogue.inventory(None)) == NEWER_INVENTORY


def test_older_reader_is_asked_its_own_way_and_given_its_own_time() -> None:
    dialogue = ChafonDialogue()
    dialogue.inventory(1)
    step = dialogue.feed(info(Layout.OLDER, scan_time=20), 0.0)
    assert step == Ask(OLDER_INVENTORY, 2400.0)
    uid = EPCS[0].hex().upper()
    assert dialogue.feed(tags(Status.FINISHED, 0, layout=Layout.OLDER), 1.0) == Inventory((TagRead(uid, TagKind.EPC),))


def test_antenna_is_selected_by_its_number() -> None:
    dialogue = ChafonDialogue()
    dialogue.inventory(3)
    request = Request.from_bytes(asked(dialogue.feed(info(Layout.NEWER), 0.0)))
    assert InventoryRequest.from_request(request).antenna == 3


@pytest.mark.parametrize("layout", Layout)
def test_no_tag_is_a_good_answer(layout: Layout) -> None:
    assert reading(layout).feed(bytes.fromhex("05 00 01 FB F2 3D"), 1.0) == Inventory(())


def test_finished_without_tags_is_a_good_answer() -> None:
    assert reading().feed(bytes.fromhex("07 00 01 01 01 00 1E 4B"), 1.0) == Inventory(())


def test_frames_are_taken_until_none_follows() -> None:
    dialogue = reading()
    assert isinstance(dialogue.feed(tags(Status.MORE_FRAMES, 0), 1.0), Listen)
    assert isinstance(dialogue.feed(tags(Status.MORE_FRAMES, 1, 2), 2.0), Listen)
    assert heard(dialogue.feed(tags(Status.FINISHED), 3.0)) == told(0, 1, 2)


def test_a_whole_chain_in_one_read() -> None:
    chain = tags(Status.MORE_FRAMES, 0, 1) + tags(Status.MORE_FRAMES, 2) + tags(Status.FINISHED, 3)
    assert heard(reading().feed(chain, 1.0)) == told(0, 1, 2, 3)


@pytest.mark.parametrize(
    ("status", "warning"), [(Status.TIME_OVERFLOW, "time_overflow"), (Status.MEMORY_FULL, "overflow")]
)
def test_doubtful_inventories_say_so(status: int, warning: str) -> None:
    step = reading().feed(tags(status, 0), 1.0)
    assert heard(step) == told(0)
    assert isinstance(step, Inventory)
    assert step.warnings == (warning,)


@pytest.mark.parametrize("status", [0xF8, 0xF9, 0xFA, 0xFC, 0x26, 0x77])
def test_error_status_is_a_refusal_with_a_sentence(status: int) -> None:
    step = reading().feed(Reply(Command.INVENTORY, status).to_bytes(), 1.0)
    assert isinstance(step, Refused)
    assert step.code == f"status_{status:02x}"
    assert f"{status:02X}" in step.sentence


@pytest.mark.parametrize("status", [0xFD, 0xFE, 0xFF])
def test_reader_that_does_not_understand_the_newer_inventory_is_asked_the_older_way(status: int) -> None:
    dialogue = reading()
    assert asked(dialogue.feed(Reply(Command.INVENTORY, status).to_bytes(), 1.0)) == OLDER_INVENTORY
    assert isinstance(dialogue.feed(tags(Status.FINISHED, 0, layout=Layout.OLDER), 2.0), Inventory)
    assert asked(dialogue.inventory(None)) == OLDER_INVENTORY


def test_reader_that_understands_neither_inventory_is_refused() -> None:
    dialogue = reading(Layout.OLDER)
    refused = Reply(Command.INVENTORY, 0xFE).to_bytes()
    assert InventoryRequest.from_request(Request.from_bytes(asked(dialogue.feed(refused, 1.0)))).scan_time == 10
    step = dialogue.feed(refused, 2.0)
    assert isinstance(step, Refused)
    assert step.code == "status_fe"


def test_reader_that_cannot_describe_itself_is_asked_the_older_way() -> None:
    dialogue = ChafonDialogue()
    dialogue.inventory(None)
    assert asked(dialogue.feed(Reply(Command.READER_INFO, 0xFE).to_bytes(), 0.0)) == OLDER_INVENTORY
    dialogue = ChafonDialogue()
    dialogue.inventory(None)
    assert asked(dialogue.feed(Reply(Command.READER_INFO, 0x00, b"\x01").to_bytes(), 0.0)) == OLDER_INVENTORY


def test_reply_of_the_other_layout_is_read_and_asked_for_from_then_on() -> None:
    dialogue = reading()
    uid = EPCS[0].hex().upper()
    assert dialogue.feed(tags(Status.FINISHED, 0, layout=Layout.OLDER), 1.0) == Inventory((TagRead(uid, TagKind.EPC),))
    assert asked(dialogue.inventory(None)) == OLDER_INVENTORY
    dialogue = reading(Layout.OLDER)
    assert heard(dialogue.feed(tags(Status.MORE_FRAMES, 0) + tags(Status.FINISHED, 1), 1.0)) == told(0, 1)


def test_reply_of_no_layout_is_a_refusal() -> None:
    step = reading().feed(Reply(Command.INVENTORY, Status.FINISHED, bytes.fromhex("01 0C E2 00")).to_bytes(), 1.0)
    assert isinstance(step, Refused)
    assert step.code == "layout"


def test_antennas_that_are_not_there_are_refused() -> None:
    assert isinstance(ChafonDialogue().inventory(9), Refused)
    dialogue = ChafonDialogue()
    dialogue.inventory(2)
    assert isinstance(dialogue.feed(info(Layout.OLDER), 0.0), Refused)


def test_reader_that_never_stops_having_more_is_refused() -> None:
    dialogue = reading()
    step: Step | None = None
    for number in range(512):
        step = dialogue.feed(tags(Status.MORE_FRAMES, 0), float(number))
    assert isinstance(step, Refused)
    assert step.code == "endless"


def test_damage_within_a_chain_is_asked_again_and_doubted_in_the_end() -> None:
    dialogue = reading()
    chain = broken(tags(Status.MORE_FRAMES, 0)) + tags(Status.MORE_FRAMES, 1) + tags(Status.FINISHED)
    assert asked(dialogue.feed(chain, 1.0)) == NEWER_INVENTORY
    assert heard(dialogue.feed(tags(Status.FINISHED, 0, 1), 2.0)) == told(1, 0)
    dialogue = reading()
    assert [asked(dialogue.feed(chain, number)) for number in (1.0, 2.0)] == [NEWER_INVENTORY] * 2
    step = dialogue.feed(chain, 3.0)
    assert heard(step) == told(1)
    assert isinstance(step, Inventory)
    assert step.warnings == ("damaged",)


def test_chain_whose_end_was_damaged_is_over_soon_and_asked_again_in_step() -> None:
    dialogue = reading()
    assert isinstance(dialogue.feed(tags(Status.MORE_FRAMES, 0), 1.0), Listen)
    assert dialogue.feed(broken(tags(Status.FINISHED, 1)), 2.0) is None
    assert dialogue.feed(b"", 25.0) == Listen(AFTER_DAMAGE_MS)
    assert dialogue.feed(b"", 50.0) is None
    assert asked(dialogue.silence()) == INFO
    assert asked(dialogue.feed(info(Layout.NEWER), 300.0)) == NEWER_INVENTORY
    assert heard(dialogue.feed(tags(Status.FINISHED, 0, 1), 400.0)) == told(0, 1)


def test_late_inventory_is_not_taken_for_the_next_one() -> None:
    dialogue = reading()
    assert dialogue.silence() is None
    assert asked(dialogue.inventory(None)) == INFO
    assert dialogue.feed(tags(Status.FINISHED, 3), 1.0) is None
    assert dialogue.counters.late_replies == 1
    assert asked(dialogue.feed(info(Layout.NEWER), 2.0)) == NEWER_INVENTORY
    assert heard(dialogue.feed(tags(Status.FINISHED, 0), 3.0)) == told(0)


def test_late_answer_behind_a_new_request_is_late() -> None:
    dialogue = reading()
    lost = broken(tags(Status.MORE_FRAMES, 0)) + tags(Status.FINISHED) + tags(Status.FINISHED, 3)
    assert asked(dialogue.feed(lost, 1.0)) == NEWER_INVENTORY
    assert dialogue.counters.late_replies == 1


def test_reader_that_does_not_say_what_it_is_is_asked_in_both_layouts() -> None:
    dialogue = ChafonDialogue()
    assert asked(dialogue.inventory(None)) == INFO
    assert [asked(dialogue.silence()) for _ in range(3)] == [INFO, OLDER_INVENTORY, NEWER_INVENTORY]
    assert dialogue.silence() is None


def test_reader_in_active_mode_is_listened_to_with_a_doubt() -> None:
    dialogue = ChafonDialogue()
    dialogue.inventory(None)
    assert dialogue.feed(report(0) + report(1), 1.0) is None
    step = dialogue.silence()
    assert heard(step) == told(0, 1)
    assert isinstance(step, Inventory)
    assert step.warnings == ("active_mode",)
    assert dialogue.inventory(None) == Listen(ACTIVE_MS)
    assert dialogue.feed(report(2) * 3, 2.0) is None
    assert heard(dialogue.silence()) == told(2)


def test_active_reader_that_hears_nothing_says_so() -> None:
    dialogue = ChafonDialogue()
    dialogue.inventory(None)
    dialogue.feed(Reply(Command.ACTIVE, Status.HEARTBEAT, bytes(16)).to_bytes(), 1.0)
    assert dialogue.silence() == Inventory((), ("active_mode",))


def test_active_reader_tells_each_antenna_its_own_tags() -> None:
    dialogue = ChafonDialogue()
    dialogue.inventory(2)
    dialogue.feed(report(0, 0b01) + report(1, 0b10) + report(2, 0b11), 1.0)
    assert [(uid, antenna) for uid, antenna, _ in heard(dialogue.silence())] == [
        (EPCS[1].hex().upper(), 2),
        (EPCS[2].hex().upper(), 2),
    ]


def test_active_reader_is_asked_again_now_and_then_and_when_it_falls_silent() -> None:
    dialogue = ChafonDialogue()
    dialogue.inventory(None)
    dialogue.feed(report(0), 1.0)
    dialogue.silence()
    for _ in range(16):
        assert isinstance(dialogue.inventory(None), Listen)
        dialogue.feed(report(0), 2.0)
        dialogue.silence()
    assert asked(dialogue.inventory(None)) == INFO
    dialogue.feed(report(0), 3.0)
    dialogue.silence()
    assert isinstance(dialogue.inventory(None), Listen)
    assert asked(dialogue.silence()) == INFO


def test_reports_between_answers_change_nothing() -> None:
    dialogue = reading()
    broken_report = Reply(Command.ACTIVE, 0x00, b"\x01").to_bytes()
    assert heard(dialogue.feed(report(3) + broken_report + tags(Status.FINISHED, 0), 1.0)) == told(0)
    assert asked(dialogue.inventory(None)) == NEWER_INVENTORY


def test_a_report_of_a_reader_that_answers_is_counted_and_never_taken_for_its_round() -> None:
    dialogue = reading()
    heard(dialogue.feed(tags(Status.FINISHED, 0), 1.0))
    asked(dialogue.inventory(None))
    dialogue.feed(report(3), 2.0)
    assert dialogue.silence() is None
    assert dialogue.counters.late_replies == 1
    assert asked(dialogue.inventory(None)) == INFO
    asked(dialogue.feed(info(Layout.NEWER), 3.0))
    assert heard(dialogue.feed(tags(Status.FINISHED, 0), 4.0)) == told(0)


def test_a_reader_that_is_switched_to_active_mode_is_listened_to_after_three_requests_without_an_answer() -> None:
    dialogue = reading()
    heard(dialogue.feed(tags(Status.FINISHED, 0), 1.0))
    asked(dialogue.inventory(None))
    unanswered = 0
    step = None
    while not isinstance(step, Inventory):
        dialogue.feed(report(3), 2.0)
        step = dialogue.silence() or dialogue.inventory(None)
        unanswered += 1
    assert (heard(step), step.warnings, unanswered) == (told(3), ("active_mode",), 3)


def test_damage_is_seen_until_the_next_request() -> None:
    dialogue = reading()
    assert not dialogue.damaged
    dialogue.feed(broken(tags(Status.FINISHED, 0)), 1.0)
    dialogue.feed(b"", 25.0)
    assert dialogue.damaged
    dialogue.inventory(None)
    assert not dialogue.damaged


def test_reader_is_found_by_its_description() -> None:
    family = ChafonFamily()
    assert family.probe == INFO
    told_by_a_288 = bytes.fromhex("11 00 21 00 00 16 0C 03 4E 00 1E 0A 01 00 00 00 E6 51")
    assert family.recognise(told_by_a_288) == "Chafon UHF reader, address 0, model 0C, version 0.22"
    assert family.recognise(told_by_a_288[:-1]) is None
    assert family.recognise(INFO) is None
    assert family.recognise(Reply(Command.READER_INFO, 0xFE, address=4).to_bytes()) == "Chafon UHF reader, address 4"
    active = bytes.fromhex("11 00 EE 00 20 00 70 8C 2B 38 0B 2D 00 00 00 00 E0 56")
    assert "active mode" in str(family.recognise(active))
    assert family.recognise(bytes.fromhex("06 00 52 00 FC A8")) is None
    assert (family.traits.line.baud, family.traits.line.parity, family.traits.antennas) == (57_600, "N", 8)
    assert 115_200 in family.traits.bauds
