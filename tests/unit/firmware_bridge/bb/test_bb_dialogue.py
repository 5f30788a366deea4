"""The host's talk with a BB..7E module, frame by frame."""

from __future__ import annotations

import pytest

from firmware_bridge.protocols.bb.commands import (
    CHANNELS_BUSY,
    COMMAND_ERROR,
    error,
    multiple_poll,
    single_poll,
    stop,
)
from firmware_bridge.protocols.bb.dialogue import MAX_ROUND_MS, POLLS, BbDialogue
from firmware_bridge.protocols.bb.family import BbFamily
from firmware_bridge.protocols.bb.frames import Command, Frame, FrameType, TagNotice
from firmware_bridge.protocols.family import Ask, Inventory, Listen, Refused, Step, TagKind, TagRead

NO_TAG = bytes.fromhex("BB 01 FF 00 01 15 16 7E")
STOPPED = bytes.fromhex("BB 01 28 00 01 00 2A 7E")
STOP = stop().to_bytes()
POLL = multiple_poll(POLLS).to_bytes()
EPCS = [bytes((0xE2, 0x80, *bytes(9), number)) for number in range(40)]


def notice(number: int, rssi: int = -50) -> bytes:
    return TagNotice.of(EPCS[number], rssi).to_frame().to_bytes()


def polling() -> BbDialogue:
    """A dialogue that has just asked to poll."""
    dialogue = BbDialogue()
    assert asked(dialogue.inventory(None)) == STOP
    assert asked(dialogue.feed(STOPPED, 0.0)) == POLL
    return dialogue


def asked(step: Step | None) -> bytes:
    assert isinstance(step, Ask)
    return step.data


def uids(step: Step | None) -> list[str]:
    assert isinstance(step, Inventory)
    return sorted(tag.uid for tag in step.tags)


def test_first_round_stops_what_an_earlier_host_began() -> None:
    dialogue = BbDialogue()
    assert asked(dialogue.inventory(None)) == STOP
    assert dialogue.feed(notice(0) + NO_TAG, 1.0) is None
    assert asked(dialogue.feed(STOPPED, 2.0)) == POLL
    assert dialogue.counters.late_replies == 2


def test_round_ends_with_the_answer_to_the_stop() -> None:
    dialogue = polling()
    assert dialogue.feed(notice(0, -60), 1.0) == Listen(MAX_ROUND_MS)
    assert [dialogue.feed(notice(0, rssi), 2.0) for rssi in (-55, -58, -57)] == [None] * 3
    assert asked(dialogue.feed(notice(0), 3.0)) == STOP
    assert dialogue.feed(notice(1), 4.0) is None
    step = dialogue.feed(STOPPED, 5.0)
    uid, other = EPCS[0].hex().upper(), EPCS[1].hex().upper()
    assert step == Inventory((TagRead(uid, TagKind.EPC, rssi=-50), TagRead(other, TagKind.EPC, rssi=-50)))


def test_second_round_needs_no_stop_before_it() -> None:
    dialogue = polling()
    dialogue.feed(NO_TAG * 3, 1.0)
    assert dialogue.feed(STOPPED, 2.0) == Inventory(())
    assert asked(dialogue.inventory(None)) == POLL


def test_no_tag_three_times_is_an_empty_field_and_no_fault() -> None:
    dialogue = polling()
    assert isinstance(dialogue.feed(NO_TAG, 1.0), Listen)
    assert dialogue.feed(NO_TAG, 2.0) is None
    assert asked(dialogue.feed(NO_TAG, 3.0)) == STOP
    assert dialogue.feed(STOPPED, 4.0) == Inventory(())


def test_each_tag_gets_another_chance_after_the_last_new_one() -> None:
    dialogue = polling()
    heard = [dialogue.feed(notice(number), 1.0) for number in (*range(20), *range(20), 20, *range(20))]
    assert not any(isinstance(step, Ask) for step in heard)
    repeated = [dialogue.feed(notice(number), 2.0) for number in range(4)]
    assert [isinstance(step, Ask) for step in repeated] == [False, False, False, True]
    assert len(uids(dialogue.feed(STOPPED, 3.0))) == 21


def test_stop_without_any_poll_is_no_empty_field() -> None:
    dialogue = polling()
    assert asked(dialogue.silence()) == STOP
    assert asked(dialogue.feed(STOPPED, 1.0)) == POLL
    assert dialogue.silence() is None
    assert asked(dialogue.inventory(None)) == STOP


def test_module_that_falls_silent_in_the_middle_is_stopped_and_doubted() -> None:
    dialogue = polling()
    dialogue.feed(notice(0), 1.0)
    assert asked(dialogue.silence()) == STOP
    step = dialogue.feed(STOPPED, 2.0)
    assert uids(step) == [EPCS[0].hex().upper()]
    assert isinstance(step, Inventory)
    assert step.warnings == ("unfinished",)


def test_lost_answer_to_the_stop_is_asked_for_again() -> None:
    dialogue = polling()
    dialogue.feed(NO_TAG * 3, 1.0)
    assert [asked(dialogue.silence()) for _ in range(2)] == [STOP, STOP]
    assert dialogue.feed(STOPPED, 2.0) == Inventory(())
    assert dialogue.feed(STOPPED, 3.0) is None
    assert dialogue.counters.late_replies == 1


def test_module_that_never_answers_the_stop_gives_no_round() -> None:
    dialogue = polling()
    dialogue.feed(NO_TAG * 3, 1.0)
    assert [dialogue.silence() is None for _ in range(3)] == [False, False, True]
    assert asked(dialogue.inventory(None)) == STOP


def test_module_that_still_talks_is_asked_to_stop_for_longer() -> None:
    dialogue = polling()
    dialogue.feed(NO_TAG * 3, 1.0)
    for _ in range(9):
        dialogue.feed(notice(0), 2.0)
        assert asked(dialogue.silence()) == STOP
    assert dialogue.silence() is None


def test_loss_gives_every_tag_another_chance() -> None:
    dialogue = polling()
    for number in (0, 1, 0, 1, 0, 1):
        assert not isinstance(dialogue.feed(notice(number), 1.0), Ask)
    broken = bytearray(notice(2))
    broken[9] ^= 1
    assert dialogue.feed(bytes(broken), 1.0) is None
    assert dialogue.damaged
    steps = [dialogue.feed(notice(number), 2.0) for number in (0, 1, 0, 1, 0, 1, 0)]
    assert [isinstance(step, Ask) for step in steps] == [False] * 6 + [True]
    assert dialogue.feed(STOPPED, 3.0) == Inventory(
        tuple(TagRead(EPCS[number].hex().upper(), TagKind.EPC, rssi=-50) for number in (0, 1))
    )


def test_line_that_loses_too_much_ends_the_round_with_a_doubt() -> None:
    dialogue = polling()
    broken = bytearray(notice(2))
    broken[9] ^= 1
    for _ in range(15):
        assert not isinstance(dialogue.feed(notice(0) + bytes(broken), 1.0), Ask)
    assert asked(dialogue.feed(notice(0), 2.0)) == STOP
    step = dialogue.feed(STOPPED, 3.0)
    assert isinstance(step, Inventory)
    assert step.warnings == ("damaged",)


@pytest.mark.parametrize("code", [CHANNELS_BUSY, 0x77])
def test_any_other_error_is_a_refusal_after_which_it_is_stopped(code: int) -> None:
    dialogue = polling()
    step = dialogue.feed(error(code).to_bytes(), 1.0)
    assert isinstance(step, Refused)
    assert step.code == f"error_{code:02x}"
    assert f"{code:02X}" in step.sentence
    assert asked(dialogue.inventory(None)) == STOP


def test_module_that_does_not_know_the_multiple_poll_is_read_by_single_polls() -> None:
    dialogue = polling()
    assert asked(dialogue.feed(error(COMMAND_ERROR).to_bytes(), 1.0)) == single_poll().to_bytes()
    assert [asked(dialogue.feed(NO_TAG, at_ms)) for at_ms in (2.0, 3.0)] == [single_poll().to_bytes()] * 2
    assert dialogue.feed(NO_TAG, 4.0) == Inventory(())
    assert asked(dialogue.inventory(None)) == single_poll().to_bytes()


def test_error_without_a_code_is_a_refusal() -> None:
    step = polling().feed(Frame(FrameType.RESPONSE, Command.ERROR).to_bytes(), 1.0)
    assert isinstance(step, Refused)


def test_notices_between_two_rounds_are_late_and_call_for_a_stop() -> None:
    dialogue = polling()
    dialogue.feed(NO_TAG * 3, 1.0)
    dialogue.feed(STOPPED, 2.0)
    assert dialogue.feed(notice(0), 3.0) is None
    assert dialogue.counters.late_replies == 1
    assert asked(dialogue.inventory(None)) == STOP


def test_there_is_one_antenna() -> None:
    assert asked(BbDialogue().inventory(1)) == STOP
    assert isinstance(BbDialogue().inventory(2), Refused)


def test_module_is_found_by_its_version() -> None:
    family = BbFamily()
    assert family.probe == bytes.fromhex("BB 00 03 00 01 00 04 7E")
    told = bytes.fromhex("BB 01 03 00 10 00 4D 31 30 30 20 32 36 64 42 6D 20 56 31 2E 30 92 7E")
    assert family.recognise(told) == "UHF module of the YRM100 kind, M100 26dBm V1.0"
    assert family.recognise(told[:-1]) is None
    assert family.recognise(family.probe) is None
    assert family.recognise(bytes.fromhex("BB 01 03 00 00 04 7E")) == "UHF module of the YRM100 kind"
    assert (family.traits.name, family.traits.line.baud, family.traits.line.parity) == ("bb", 115_200, "N")


POWERED = bytes.fromhex("BB 01 B6 00 01 00 B8 7E")
POWER = bytes.fromhex("BB 00 B6 00 02 07 D0 8F 7E")
UNKNOWN = bytes.fromhex("BB 01 FF 00 01 17 18 7E")


def powering() -> BbDialogue:
    """A dialogue that has just asked for 20 dBm."""
    dialogue = BbDialogue(2000)
    assert asked(dialogue.inventory(None)) == STOP
    assert asked(dialogue.feed(STOPPED, 0.0)) == POWER
    return dialogue


def test_power_that_was_asked_for_is_set_before_the_first_poll_and_not_again() -> None:
    dialogue = powering()
    assert asked(dialogue.feed(POWERED, 1.0)) == POLL
    dialogue.feed(NO_TAG * 3, 2.0)
    assert dialogue.feed(STOPPED, 3.0) == Inventory(())
    assert asked(dialogue.inventory(None)) == POLL


def test_power_is_set_anew_after_a_failure() -> None:
    dialogue = powering()
    assert asked(dialogue.feed(POWERED, 1.0)) == POLL
    assert asked(dialogue.silence()) == STOP
    assert asked(dialogue.feed(STOPPED, 2.0)) == POWER
    assert asked(dialogue.feed(POWERED, 3.0)) == POLL


def test_poll_of_an_earlier_host_is_no_refusal_of_the_power() -> None:
    dialogue = powering()
    assert dialogue.feed(NO_TAG + notice(1), 1.0) is None
    assert asked(dialogue.feed(POWERED, 2.0)) == POLL


@pytest.mark.parametrize("answer", [UNKNOWN, b""], ids=["refused", "silent"])
def test_module_that_does_not_take_the_power_is_not_read(answer: bytes) -> None:
    dialogue = powering()
    step = dialogue.feed(answer, 1.0) if answer else dialogue.silence()
    assert isinstance(step, Refused)
    assert step.code == "power"
    assert "correct power_dbm in its settings" in step.sentence
    assert asked(dialogue.inventory(None)) == STOP


def test_module_that_knows_no_stop_gets_its_power_before_single_polls() -> None:
    dialogue = BbDialogue(2000)
    assert asked(dialogue.inventory(None)) == STOP
    assert asked(dialogue.feed(UNKNOWN, 1.0)) == POWER
    assert asked(dialogue.feed(POWERED, 2.0)) == single_poll().to_bytes()


def test_module_that_says_nothing_at_all_is_silent_and_not_refused() -> None:
    dialogue = BbDialogue(2000)
    dialogue.inventory(None)
    steps = [dialogue.silence() for _ in range(4)]
    assert [asked(step) for step in steps[:3]] == [STOP, STOP, POWER]
    assert steps[3] is None
