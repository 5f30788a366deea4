"""The host's talk with a FEIG reader, reply by reply."""

from __future__ import annotations

import pytest

from firmware_bridge.protocols.family import Ask, Inventory, Refused, TagKind, TagRead
from firmware_bridge.protocols.feig.dialogue import FeigDialogue
from firmware_bridge.protocols.feig.frames import Control, Reply, Request
from firmware_bridge.protocols.feig.inventory import InventoryMode

RESET_OK = Reply(Control.RF_RESET, 0x00).to_bytes()
ONE_TAG = bytes.fromhex("01 03 00 E0 04 01 53 06 A2 2D 70")
OTHER_TAG = bytes.fromhex("01 03 00 E0 04 01 53 06 A2 2D 80")
TAG = TagRead("E004015306A22D70", TagKind.ISO15693)
OTHER = TagRead("E004015306A22D80", TagKind.ISO15693)


def reply(status: int, data: bytes = b"") -> bytes:
    return Reply(Control.ISO_HOST_COMMAND, status, data).to_bytes()


def reading(antenna: int | None = None) -> FeigDialogue:
    """A dialogue that has just asked for the inventory."""
    dialogue = FeigDialogue()
    dialogue.inventory(antenna)
    dialogue.feed(RESET_OK, 0.0)
    return dialogue


def test_round_begins_with_the_rf_reset_that_unmutes_the_tags() -> None:
    dialogue = FeigDialogue()
    first = dialogue.inventory(None)
    assert isinstance(first, Ask)
    assert Request.from_bytes(first.data).control == Control.RF_RESET
    second = dialogue.feed(RESET_OK, 1.0)
    assert isinstance(second, Ask)
    assert second.data == bytes.fromhex("07 FF B0 01 00 1C 56")
    assert second.timeout_ms > 3000


def test_antenna_is_selected_by_its_bit() -> None:
    dialogue = FeigDialogue()
    dialogue.inventory(3)
    asked = dialogue.feed(RESET_OK, 0.0)
    assert isinstance(asked, Ask)
    assert InventoryMode.from_request(Request.from_bytes(asked.data)).antennas == 0b100


def test_no_transponder_is_a_good_answer() -> None:
    assert reading().feed(reply(0x01), 1.0) == Inventory(())


def test_more_data_is_fetched_until_the_reader_has_told_all() -> None:
    dialogue = reading()
    more = dialogue.feed(reply(0x94, ONE_TAG), 1.0)
    assert isinstance(more, Ask)
    assert more.data == bytes.fromhex("07 FF B0 01 80 14 D2")
    assert dialogue.feed(reply(0x00, OTHER_TAG), 2.0) == Inventory((TAG, OTHER))


def test_reader_that_never_stops_having_more_is_refused() -> None:
    dialogue = reading()
    step = None
    for number in range(64):
        step = dialogue.feed(reply(0x94, ONE_TAG), float(number))
    assert isinstance(step, Refused)
    assert step.code == "endless"


@pytest.mark.parametrize("status", [0x83, 0x84, 0x93, 0x95])
def test_doubtful_inventories_say_so(status: int) -> None:
    data = ONE_TAG + (b"\x0f" if status == 0x95 else b"")
    step = reading().feed(reply(status, data), 1.0)
    assert isinstance(step, Inventory)
    assert step.tags == (TAG,)
    assert len(step.warnings) == 1


@pytest.mark.parametrize(("status", "data"), [(0x83, ""), (0x84, "00"), (0x93, ""), (0x95, "0F"), (0x95, "00 0F")])
def test_doubtful_inventory_without_a_tag_is_no_empty_zone(status: int, data: str) -> None:
    step = reading().feed(reply(status, bytes.fromhex(data)), 1.0)
    assert isinstance(step, Refused)
    assert f"{status:02X}" in step.sentence


def test_advanced_reply_to_a_standard_request_is_taken() -> None:
    advanced = Reply(Control.ISO_HOST_COMMAND, 0x00, ONE_TAG, advanced=True).to_bytes()
    assert reading().feed(advanced, 1.0) == Inventory((TAG,))


def test_antenna_that_no_reader_has_is_refused() -> None:
    for antenna in (0, 9):
        step = FeigDialogue().inventory(antenna)
        assert isinstance(step, Refused)
        assert step.code == "antenna"


def test_reader_in_scan_mode_says_what_to_do() -> None:
    step = reading().feed(reply(0x82), 1.0)
    assert isinstance(step, Refused)
    assert "switch it from scan" in step.sentence


@pytest.mark.parametrize("status", [0x0B, 0x0F, 0x82, 0x84, 0xF1, 0x5A])
def test_error_status_is_a_refusal_with_a_sentence(status: int) -> None:
    step = reading().feed(reply(status), 1.0)
    assert isinstance(step, Refused)
    assert f"{status:02X}" in step.sentence


def test_broken_data_sets_are_a_refusal() -> None:
    step = reading().feed(reply(0x00, ONE_TAG[:-1]), 1.0)
    assert isinstance(step, Refused)
    assert step.code == "truncated"


def test_late_reply_to_another_command_is_discarded() -> None:
    dialogue = reading()
    assert dialogue.feed(RESET_OK, 1.0) is None
    assert dialogue.feed(reply(0x01), 2.0) == Inventory(())
    assert dialogue.counters.late_replies == 1


def test_late_inventory_is_not_taken_for_the_next_one() -> None:
    dialogue = reading()
    assert dialogue.silence() is None
    dialogue.inventory(None)
    assert dialogue.feed(reply(0x00, ONE_TAG), 1.0) is None
    assert isinstance(dialogue.feed(RESET_OK, 2.0), Ask)
    assert dialogue.feed(reply(0x01), 3.0) == Inventory(())


@pytest.mark.parametrize("status", [0x80, 0x82])
def test_reader_without_rf_reset_is_read_without_it(status: int) -> None:
    dialogue = FeigDialogue()
    dialogue.inventory(None)
    assert isinstance(dialogue.feed(Reply(Control.RF_RESET, status).to_bytes(), 0.0), Ask)
    dialogue.feed(reply(0x01), 1.0)
    again = dialogue.inventory(None)
    assert isinstance(again, Ask)
    assert Request.from_bytes(again.data).control == Control.ISO_HOST_COMMAND


def test_reader_that_never_answers_the_rf_reset_is_asked_all_the_same() -> None:
    dialogue = FeigDialogue()
    dialogue.inventory(None)
    asked = [dialogue.silence(), dialogue.silence()]
    controls = [Request.from_bytes(step.data).control for step in asked if isinstance(step, Ask)]
    assert controls == [Control.RF_RESET, Control.ISO_HOST_COMMAND]
    assert dialogue.feed(reply(0x01), 1.0) == Inventory((), ("not_reset",))
    again = dialogue.inventory(None)
    assert isinstance(again, Ask)
    assert Request.from_bytes(again.data).control == Control.RF_RESET


def test_lost_rf_reset_is_no_reason_to_read_muted_tags() -> None:
    dialogue = reading()
    dialogue.feed(reply(0x00, ONE_TAG), 1.0)
    dialogue.inventory(None)
    again = dialogue.silence()
    assert isinstance(again, Ask)
    assert Request.from_bytes(again.data).control == Control.RF_RESET
    assert dialogue.silence() is None


def test_busy_rf_reset_fails_the_round() -> None:
    dialogue = FeigDialogue()
    dialogue.inventory(None)
    assert isinstance(dialogue.feed(Reply(Control.RF_RESET, 0x0F).to_bytes(), 0.0), Refused)
    again = dialogue.inventory(None)
    assert isinstance(again, Ask)
    assert Request.from_bytes(again.data).control == Control.RF_RESET


def test_answer_behind_a_stray_header_is_found_when_the_request_ends() -> None:
    dialogue = reading()
    assert dialogue.feed(bytes.fromhex("02 40 00 00 B0") + reply(0x00, ONE_TAG), 1.0) is None
    assert dialogue.silence() == Inventory((TAG,))


def test_damage_is_seen_until_the_next_request() -> None:
    dialogue = reading()
    assert not dialogue.damaged
    broken = bytearray(reply(0x00, ONE_TAG))
    broken[8] ^= 1
    dialogue.feed(bytes(broken), 1.0)
    assert dialogue.damaged
    dialogue.inventory(None)
    assert not dialogue.damaged


BUSY_ANSWER = Reply(Control.BAUD_DETECTION, 0x00).to_bytes()


def test_a_reader_that_answers_at_once_whether_it_is_busy_has_lost_its_answer() -> None:
    dialogue = reading()
    ask = dialogue.ask_whether_busy()
    assert isinstance(ask, Ask)
    assert Request.from_bytes(ask.data).control == Control.BAUD_DETECTION
    step = dialogue.feed(BUSY_ANSWER, 1.0)
    assert isinstance(step, Refused)
    assert step.code == "lost"


def test_a_reader_that_was_busy_tells_its_tags_first_and_the_other_answer_is_late() -> None:
    dialogue = reading()
    dialogue.ask_whether_busy()
    more = dialogue.feed(reply(0x94, ONE_TAG) + BUSY_ANSWER, 1.0)
    assert isinstance(more, Ask)
    assert dialogue.feed(BUSY_ANSWER, 2.0) is None
    assert dialogue.feed(reply(0x00, OTHER_TAG), 3.0) == Inventory((TAG, OTHER))
    assert dialogue.counters.late_replies == 2


def test_only_a_reader_that_is_reading_is_asked_whether_it_is_busy() -> None:
    dialogue = FeigDialogue()
    assert dialogue.ask_whether_busy() is None
    dialogue.inventory(None)
    assert dialogue.ask_whether_busy() is None
