"""The host's talk with a PN532, frame by frame."""

from __future__ import annotations

import pytest

from firmware_bridge.protocols.family import Ask, Inventory, Refused, Step, TagKind, TagRead
from firmware_bridge.protocols.pn532.commands import DESELECT_ALL, FIELD_OFF, FIELD_ON, SAM_NORMAL, TWO_RETRIES
from firmware_bridge.protocols.pn532.dialogue import Pn532Dialogue
from firmware_bridge.protocols.pn532.family import Pn532Family
from firmware_bridge.protocols.pn532.frames import WAKE, Code, Command, Response, Signal
from firmware_bridge.protocols.pn532.targets import ListTargets, Modulation, Target, encode_targets

ACK, NACK = Signal.ACK.to_bytes(), Signal.NACK.to_bytes()
LIST_A = ListTargets(Modulation.A_106).to_command()
LIST_FELICA = ListTargets(Modulation.FELICA_212).to_command()
DONE = Response(Code.RF_CONFIGURATION).to_bytes()
ASLEEP = Response(Code.IN_DESELECT, b"\x00").to_bytes()


def card(number: int) -> Target:
    return Target(Modulation.A_106, bytes((4, 0x11, 0x22, 0x33, 0x44, 0x55, number)), 0x0044, 0x00)


def listed(*targets: Target) -> bytes:
    return Response(Code.IN_LIST_PASSIVE_TARGET, encode_targets(targets)).to_bytes()


def asked(step: Step | None, command: Command) -> None:
    assert isinstance(step, Ask)
    assert step.data == command.to_bytes()


def tell(dialogue: Pn532Dialogue, *answers: bytes) -> Step | None:
    step: Step | None = None
    for answer in answers:
        step = dialogue.feed(ACK + answer, 0.0)
    return step


def awake() -> Pn532Dialogue:
    """A dialogue that was set up, and has just asked for the field to go off."""
    dialogue = Pn532Dialogue((Modulation.A_106,))
    dialogue.inventory(None)
    asked(tell(dialogue, Response(Code.SAM_CONFIGURATION).to_bytes(), DONE), FIELD_OFF)
    return dialogue


def listing() -> Pn532Dialogue:
    """A dialogue that has just asked for the cards."""
    dialogue = awake()
    asked(tell(dialogue, DONE, DONE), LIST_A)
    return dialogue


def listing_again() -> Pn532Dialogue:
    """As `listing`, of a chip that has answered to all commands before."""
    dialogue = listing()
    tell(dialogue, listed(card(9)), ASLEEP, listed())
    dialogue.inventory(None)
    asked(tell(dialogue, DONE, DONE), LIST_A)
    return dialogue


def uids(step: Step | None) -> list[str]:
    assert isinstance(step, Inventory)
    return [tag.uid for tag in step.tags]


def test_first_round_wakes_the_chip_and_limits_its_retries_before_any_search() -> None:
    dialogue = Pn532Dialogue()
    first = dialogue.inventory(None)
    assert isinstance(first, Ask)
    assert first.data == WAKE + SAM_NORMAL.to_bytes()
    asked(tell(dialogue, Response(Code.SAM_CONFIGURATION).to_bytes()), TWO_RETRIES)
    asked(tell(dialogue, DONE), FIELD_OFF)
    asked(tell(dialogue, DONE), FIELD_ON)
    asked(tell(dialogue, DONE), LIST_A)


def test_ack_alone_is_no_answer_and_an_answer_may_follow_later() -> None:
    dialogue = awake()
    assert dialogue.feed(ACK, 1.0) is None
    asked(dialogue.feed(DONE, 2.0), FIELD_ON)


def test_cards_are_listed_and_put_to_sleep_until_none_is_awake() -> None:
    dialogue = listing()
    asked(tell(dialogue, listed(card(1), card(2))), DESELECT_ALL)
    asked(tell(dialogue, ASLEEP), LIST_A)
    asked(tell(dialogue, listed(card(3))), DESELECT_ALL)
    asked(tell(dialogue, ASLEEP), LIST_A)
    over = tell(dialogue, listed())
    assert over == Inventory(tuple(TagRead(card(n).uid.hex().upper(), TagKind.ISO14443A) for n in (1, 2, 3)))


def test_next_round_needs_no_setting_up() -> None:
    dialogue = listing()
    assert uids(tell(dialogue, listed())) == []
    asked(dialogue.inventory(None), FIELD_OFF)


def test_no_card_is_a_good_answer_and_felica_is_asked_for_too() -> None:
    dialogue = Pn532Dialogue()
    dialogue.inventory(1)
    tell(dialogue, Response(Code.SAM_CONFIGURATION).to_bytes(), DONE, DONE, DONE)
    asked(tell(dialogue, listed()), LIST_FELICA)
    assert tell(dialogue, listed()) == Inventory(())


def test_card_that_does_not_sleep_makes_the_round_doubtful() -> None:
    dialogue = listing()
    over = tell(dialogue, listed(card(1), card(2)), ASLEEP, listed(card(1), card(2)))
    assert uids(over) == [card(1).uid.hex().upper(), card(2).uid.hex().upper()]
    assert isinstance(over, Inventory)
    assert over.warnings == ("not_asleep",)


def test_sleepless_card_beside_new_ones_does_not_end_the_round() -> None:
    dialogue = listing()
    over = tell(dialogue, listed(card(1), card(2)), ASLEEP, listed(card(1), card(3)), ASLEEP, listed(card(1)))
    assert len(uids(over)) == 3


def test_chip_that_finds_new_cards_for_ever_is_refused() -> None:
    dialogue = listing()
    step: Step | None = None
    for number in range(256):
        step = tell(dialogue, listed(card(number)), ASLEEP)
    assert isinstance(step, Refused)
    assert step.code == "endless"


def test_felica_cards_are_listed_until_none_is_new() -> None:
    first, second = (
        Target(Modulation.FELICA_212, bytes((1, 0x2E, 0, 0, 0, 0, 0, number)), rest=bytes(8)) for number in (1, 2)
    )
    dialogue = Pn532Dialogue((Modulation.FELICA_212,))
    dialogue.inventory(None)
    tell(dialogue, Response(Code.SAM_CONFIGURATION).to_bytes(), DONE, DONE, DONE)
    over = tell(
        dialogue, listed(first), ASLEEP, listed(second), ASLEEP, listed(), listed(first, second), ASLEEP, listed()
    )
    assert uids(over) == ["012E000000000001", "012E000000000002"]
    assert isinstance(over, Inventory)
    assert over.warnings == ()


def test_more_than_two_felica_cards_make_the_round_doubtful() -> None:
    cards = [Target(Modulation.FELICA_212, bytes((1, 0x2E, *bytes(5), number)), rest=bytes(8)) for number in range(3)]
    dialogue = Pn532Dialogue((Modulation.FELICA_212,))
    dialogue.inventory(None)
    tell(dialogue, Response(Code.SAM_CONFIGURATION).to_bytes(), DONE, DONE, DONE)
    over = tell(dialogue, listed(*cards[:2]), ASLEEP, listed(cards[2]), ASLEEP, listed(), listed(), listed())
    assert isinstance(over, Inventory)
    assert (len(over.tags), over.warnings) == (3, ("felica_crowd",))


def test_damaged_answer_is_asked_for_again_with_nack() -> None:
    dialogue = listing()
    broken = bytearray(listed(card(1)))
    broken[12] ^= 1
    assert dialogue.feed(ACK + bytes(broken), 1.0) is None
    assert dialogue.damaged
    again = dialogue.silence()
    assert isinstance(again, Ask)
    assert again.data == NACK
    asked(dialogue.feed(listed(card(1)), 2.0), DESELECT_ALL)


def test_answer_whose_ack_was_damaged_is_taken_in_step() -> None:
    dialogue = listing()
    asked(dialogue.feed(b"\x00\x00\xff\x00\xfe\x00" + listed(card(1)), 1.0), DESELECT_ALL)


def test_answer_without_an_ack_is_a_late_one_when_out_of_step() -> None:
    dialogue = Pn532Dialogue()
    dialogue.inventory(None)
    assert dialogue.feed(Response(Code.SAM_CONFIGURATION).to_bytes(), 1.0) is None
    assert dialogue.counters.late_replies == 1
    asked(tell(dialogue, Response(Code.SAM_CONFIGURATION).to_bytes()), TWO_RETRIES)


def test_late_list_is_not_taken_for_another_answer() -> None:
    dialogue = listing_again()
    assert dialogue.silence() is None
    first = dialogue.inventory(None)
    assert isinstance(first, Ask)
    assert first.data == ACK + WAKE + SAM_NORMAL.to_bytes()
    assert dialogue.feed(ACK + listed(card(1)), 1.0) is None
    assert dialogue.counters.late_replies == 1


def test_silence_after_the_ack_is_answered_with_nack_twice_at_most() -> None:
    dialogue = listing_again()
    dialogue.feed(ACK, 1.0)
    steps = [dialogue.silence() for _ in range(3)]
    assert [step.data for step in steps if isinstance(step, Ask)] == [NACK, NACK]
    assert steps[-1] is None


def test_nack_that_brings_the_last_answer_but_one_is_not_believed() -> None:
    dialogue = listing()
    dialogue.feed(ACK, 1.0)
    dialogue.silence()
    assert dialogue.feed(DONE, 2.0) is None
    assert dialogue.counters.late_replies == 1


def test_error_frame_and_broken_lists_are_refusals() -> None:
    assert tell(listing_again(), Signal.ERROR.to_bytes()) == Refused(
        "syntax", "the PN532 did not understand the bridge: check its firmware version"
    )
    broken = tell(listing(), Response(Code.IN_LIST_PASSIVE_TARGET, b"\x03").to_bytes())
    assert isinstance(broken, Refused)
    assert broken.code == "targets"


ERROR = Signal.ERROR.to_bytes()


def unknown(dialogue: Pn532Dialogue, way: str) -> Step | None:
    """The chip does not know what it was asked: it says so, or says nothing, twice."""
    if way == "error":
        return tell(dialogue, ERROR)
    dialogue.silence()
    return dialogue.silence()


WAYS = pytest.mark.parametrize("way", ["error", "silence"])


@WAYS
def test_chip_whose_field_cannot_be_switched_is_read_without_putting_cards_to_sleep(way: str) -> None:
    dialogue = awake()
    asked(unknown(dialogue, way), FIELD_ON)
    asked(unknown(dialogue, way), LIST_A)
    over = tell(dialogue, listed(card(1), card(2)))
    assert isinstance(over, Inventory)
    assert (len(over.tags), over.warnings) == (2, ("no_field",))
    asked(dialogue.inventory(None), LIST_A)


@WAYS
def test_chip_that_puts_no_card_to_sleep_is_read_once_a_round(way: str) -> None:
    dialogue = listing()
    asked(tell(dialogue, listed(card(1), card(2))), DESELECT_ALL)
    over = unknown(dialogue, way)
    assert isinstance(over, Inventory)
    assert (len(over.tags), over.warnings) == (2, ("not_asleep",))


@WAYS
def test_chip_that_lists_one_card_only_is_asked_for_one(way: str) -> None:
    dialogue = listing()
    asked(unknown(dialogue, way), ListTargets(Modulation.A_106, 1).to_command())
    asked(tell(dialogue, listed(card(1))), DESELECT_ALL)


@WAYS
def test_chip_that_lists_nothing_is_refused(way: str) -> None:
    dialogue = listing()
    unknown(dialogue, way)
    step = unknown(dialogue, way)
    assert isinstance(step, Refused)
    assert step.code == "no_list"


@WAYS
def test_chip_without_felica_is_read_without(way: str) -> None:
    dialogue = Pn532Dialogue()
    dialogue.inventory(None)
    tell(dialogue, Response(Code.SAM_CONFIGURATION).to_bytes(), DONE, DONE, DONE)
    asked(tell(dialogue, listed()), LIST_FELICA)
    assert unknown(dialogue, way) == Inventory(())
    dialogue.inventory(None)
    assert tell(dialogue, DONE, DONE, listed()) == Inventory(())


def test_command_that_was_answered_once_is_known_for_ever() -> None:
    dialogue = listing_again()
    assert dialogue.silence() is None


def test_antenna_that_it_has_not_is_refused() -> None:
    refused = Pn532Dialogue().inventory(2)
    assert isinstance(refused, Refused)
    assert "antenna 2" in refused.sentence
    dialogue = Pn532Dialogue((Modulation.A_106,))
    dialogue.inventory(1)
    over = tell(
        dialogue, Response(Code.SAM_CONFIGURATION).to_bytes(), DONE, DONE, DONE, listed(card(1)), ASLEEP, listed()
    )
    assert isinstance(over, Inventory)
    assert over.tags[0].antenna == 1


def test_damage_is_seen_until_the_next_request() -> None:
    dialogue = listing()
    assert not dialogue.damaged
    dialogue.feed(listed(card(1))[:-2] + b"\x00", 1.0)
    assert dialogue.damaged
    dialogue.inventory(None)
    assert not dialogue.damaged


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("00 00 FF 00 FF 00 00 00 FF 06 FA D5 03 32 01 06 07 E8 00", "NXP PN532, firmware 1.6"),
        ("00 00 FF 00 FF 00", None),
        ("00 00 FF 02 FE D5 15 16 00", None),
        ("06 00 52 00 FC A8", None),
        ("", None),
    ],
)
def test_chip_is_recognised_by_its_firmware_version(answer: str, said: str | None) -> None:
    assert Pn532Family().recognise(bytes.fromhex(answer)) == said


def test_probe_wakes_and_asks_for_the_version() -> None:
    assert Pn532Family().probe == WAKE + bytes.fromhex("00 00 FF 02 FE D4 02 2A 00")
