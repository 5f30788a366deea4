"""The host's talk with a ThingMagic module, frame by frame."""

from __future__ import annotations

import pytest

from firmware_bridge.protocols.family import Ask, Inventory, Listen, Refused, Step
from firmware_bridge.protocols.m6e.dialogue import STOP_TIMEOUT_MS, M6eDialogue
from firmware_bridge.protocols.m6e.family import M6eFamily
from firmware_bridge.protocols.m6e.frames import Command, Opcode, Response
from firmware_bridge.protocols.m6e.records import TagRecord
from firmware_bridge.protocols.m6e.rounds import (
    CONTINUOUS_MOST_MS,
    SEARCH_LEAST_MS,
    SEARCH_MOST_MS,
    SEARCH_PER_TAG_MS,
)
from firmware_bridge.protocols.m6e.search import (
    CLEAR_BUFFER,
    GET_BUFFER,
    STOP_CONTINUOUS,
    Search,
    buffer_response,
    found_response,
    pushed_response,
)
from firmware_bridge.protocols.m6e.setup import (
    BOOT,
    GET_PROGRAM,
    GET_REGION,
    GET_VERSION,
    SET_GEN2,
    Region,
    Version,
    choose_antenna,
    set_power,
    set_region,
)

VERSION = Version(bytes.fromhex("30 00 00 02"), bytes.fromhex("01 03 01 47")).to_response()
RUNNING = Response(Opcode.CURRENT_PROGRAM, 0, b"\x12")
WAITING = Response(Opcode.CURRENT_PROGRAM, 0, b"\x11")
NO_REGION = Response(Opcode.GET_REGION, 0, b"\x00")
NO_TAGS = Response(Opcode.READ_MULTIPLE, 0x0400)
SET_UP = (VERSION, RUNNING, NO_REGION, *(Response(op) for op in (Opcode.SET_REGION, Opcode.SET_PROTOCOL)))
SET_UP += (Response(Opcode.SET_POWER), Response(Opcode.SET_ANTENNA))
CLEARED = Response(Opcode.CLEAR_TAG_BUFFER)
FIRST_SEARCH = Search(SEARCH_LEAST_MS + 2 * SEARCH_PER_TAG_MS)
TAGS = [TagRecord(bytes((0xE2, *bytes(10), number)), -50, 1) for number in range(100)]


def tell(dialogue: M6eDialogue, *responses: Response) -> Step | None:
    step: Step | None = None
    for response in responses:
        step = dialogue.feed(response.to_bytes(), 0.0)
    return step


def asked(step: Step | None, command: Command) -> None:
    assert isinstance(step, Ask)
    assert step.data == command.to_bytes()


def searched(step: Step | None) -> Search:
    assert isinstance(step, Ask)
    return Search.from_command(Command.from_bytes(step.data))


def ready(antenna: int | None = None) -> M6eDialogue:
    """A dialogue that was set up, and has just asked to clear the buffer."""
    dialogue = M6eDialogue()
    dialogue.inventory(antenna)
    asked(tell(dialogue, *SET_UP), CLEAR_BUFFER)
    return dialogue


def searching(antenna: int | None = None) -> M6eDialogue:
    """A dialogue that has just asked for the first search."""
    dialogue = ready(antenna)
    assert searched(tell(dialogue, CLEARED)) == FIRST_SEARCH
    return dialogue


def hear(dialogue: M6eDialogue, tags: list[TagRecord]) -> Step | None:
    """Answer a search and the fetching of its tags."""
    step = tell(dialogue, found_response(len(tags)))
    while tags:
        asked(step, GET_BUFFER)
        response, count = buffer_response(tags)
        step, tags = tell(dialogue, response), tags[count:]
    return step


def uids(step: Step | None) -> list[str]:
    assert isinstance(step, Inventory)
    return [tag.uid for tag in step.tags]


def test_first_round_sets_the_module_up() -> None:
    dialogue = M6eDialogue(Region.NORTH_AMERICA, 500)
    asked(dialogue.inventory(None), GET_VERSION)
    asked(tell(dialogue, VERSION), GET_PROGRAM)
    asked(tell(dialogue, RUNNING), GET_REGION)
    asked(tell(dialogue, NO_REGION), set_region(Region.NORTH_AMERICA))
    asked(tell(dialogue, Response(Opcode.SET_REGION)), SET_GEN2)
    asked(tell(dialogue, Response(Opcode.SET_PROTOCOL)), set_power(500))
    asked(tell(dialogue, Response(Opcode.SET_POWER)), choose_antenna(1))
    asked(tell(dialogue, Response(Opcode.SET_ANTENNA)), CLEAR_BUFFER)


def test_region_that_the_module_keeps_is_left_alone() -> None:
    dialogue = M6eDialogue()
    dialogue.inventory(None)
    asked(tell(dialogue, VERSION, RUNNING, Response(Opcode.GET_REGION, 0, b"\x0d")), SET_GEN2)


def test_module_that_waits_in_its_bootloader_is_started() -> None:
    dialogue = M6eDialogue()
    dialogue.inventory(None)
    asked(tell(dialogue, VERSION, WAITING), BOOT)
    asked(tell(dialogue, Response(Opcode.BOOT)), GET_REGION)
    assert dialogue.counters.reboots == 0


def test_no_tags_is_a_good_answer() -> None:
    assert tell(searching(), NO_TAGS) == Inventory(())


def test_next_round_only_clears_and_searches_and_another_antenna_is_chosen_first() -> None:
    dialogue = searching(1)
    tell(dialogue, NO_TAGS)
    asked(dialogue.inventory(1), CLEAR_BUFFER)
    tell(dialogue, CLEARED, NO_TAGS)
    asked(dialogue.inventory(3), choose_antenna(3))


def test_tags_are_fetched_until_all_were_told() -> None:
    dialogue = searching(2)
    step = tell(dialogue, found_response(2))
    asked(step, GET_BUFFER)
    asked(tell(dialogue, buffer_response(TAGS[:1])[0]), GET_BUFFER)
    over = tell(dialogue, buffer_response(TAGS[1:2])[0])
    assert uids(over) == [tag.epc.hex().upper() for tag in TAGS[:2]]
    assert isinstance(over, Inventory)
    assert [(tag.antenna, tag.rssi) for tag in over.tags] == [(2, -50)] * 2


def test_search_that_found_more_than_it_had_time_for_is_followed_by_a_longer_one() -> None:
    dialogue = searching()
    asked(hear(dialogue, TAGS[:12]), CLEAR_BUFFER)
    longer = searched(tell(dialogue, CLEARED))
    assert longer.duration_ms == SEARCH_LEAST_MS + (12 + 2) * SEARCH_PER_TAG_MS
    assert len(uids(hear(dialogue, TAGS[8:20]))) == 20


def test_time_that_was_enough_is_remembered_for_each_antenna() -> None:
    dialogue = searching(1)
    hear(dialogue, TAGS[:12])
    tell(dialogue, CLEARED)
    hear(dialogue, TAGS[:12])
    for expected in (12, 11, 10):
        dialogue.inventory(1)
        assert searched(tell(dialogue, CLEARED)).duration_ms == SEARCH_LEAST_MS + (expected + 2) * SEARCH_PER_TAG_MS
        assert tell(dialogue, NO_TAGS) == Inventory(())
    dialogue.inventory(2)
    assert searched(tell(dialogue, Response(Opcode.SET_ANTENNA), CLEARED)) == FIRST_SEARCH


def test_crowd_is_searched_until_nothing_new_comes() -> None:
    crowd = [TagRecord(bytes((0xE2, number >> 8, *bytes(9), number & 0xFF)), -50, 1) for number in range(400)]
    dialogue = searching()
    asked(hear(dialogue, crowd[:370]), CLEAR_BUFFER)
    assert searched(tell(dialogue, CLEARED)).duration_ms == SEARCH_MOST_MS
    asked(hear(dialogue, crowd[10:]), CLEAR_BUFFER)
    assert searched(tell(dialogue, CLEARED)).duration_ms == SEARCH_MOST_MS
    over = hear(dialogue, crowd)
    assert len(uids(over)) == 400
    assert isinstance(over, Inventory)
    assert over.warnings == ()


def test_crowd_that_came_at_once_is_told_early_as_doubtful_and_whole_in_a_later_round() -> None:
    dialogue = searching()
    assert tell(dialogue, NO_TAGS) == Inventory(())
    dialogue.inventory(None)
    tell(dialogue, CLEARED)
    asked(hear(dialogue, TAGS[:60]), CLEAR_BUFFER)
    tell(dialogue, CLEARED)
    early = hear(dialogue, TAGS)
    assert isinstance(early, Inventory)
    assert (len(early.tags), early.warnings) == (100, ("unfinished",))
    dialogue.inventory(None)
    assert searched(tell(dialogue, CLEARED)).duration_ms > SEARCH_LEAST_MS + 100 * SEARCH_PER_TAG_MS
    whole = hear(dialogue, TAGS)
    assert isinstance(whole, Inventory)
    assert (len(whole.tags), whole.warnings) == (100, ())


def test_crowd_that_never_ends_makes_the_round_doubtful() -> None:
    dialogue = ready()
    step: Step | None = None
    for number in range(8):
        too_many = (searched(tell(dialogue, CLEARED)).duration_ms - SEARCH_LEAST_MS) // SEARCH_PER_TAG_MS + 1
        step = hear(
            dialogue, [TagRecord(tag.to_bytes(12, "big")) for tag in range(1000 * number, 1000 * number + too_many)]
        )
    assert isinstance(step, Inventory)
    assert step.warnings == ("unfinished",)
    assert len(step.tags) > 30


def test_strongest_reading_of_a_tag_is_kept() -> None:
    dialogue = searching()
    hear(dialogue, [TagRecord(TAGS[0].epc, -70, 1), *TAGS[1:12]])
    tell(dialogue, CLEARED)
    over = hear(dialogue, [TagRecord(TAGS[0].epc, -40, 1), TagRecord(TAGS[1].epc, -90, 1)])
    assert isinstance(over, Inventory)
    assert [tag.rssi for tag in over.tags[:2]] == [-40, -50]


@pytest.mark.parametrize(
    ("status", "words"), [(0x0504, "let it cool"), (0x0505, "check the antenna"), (0x7F01, "supply"), (0x0777, "0777")]
)
def test_error_of_a_search_is_a_refusal_with_a_sentence(status: int, words: str) -> None:
    dialogue = searching()
    step = tell(dialogue, Response(Opcode.READ_MULTIPLE, status))
    assert isinstance(step, Refused)
    assert step.code == f"status_{status:04x}"
    assert words in step.sentence
    asked(dialogue.inventory(None), GET_VERSION)


@pytest.mark.parametrize(("status", "warning"), [(0x0504, "too_hot"), (0x0505, "return_loss")])
def test_error_after_some_tags_makes_the_round_doubtful(status: int, warning: str) -> None:
    dialogue = searching()
    hear(dialogue, TAGS[:12])
    over = tell(dialogue, CLEARED, Response(Opcode.READ_MULTIPLE, status))
    assert isinstance(over, Inventory)
    assert (len(over.tags), over.warnings) == (12, (warning,))


def test_full_buffer_is_fetched_and_makes_the_round_doubtful() -> None:
    dialogue = searching()
    full = found_response(1, status=0x0601)
    over = tell(dialogue, full, buffer_response(TAGS[:1])[0])
    assert isinstance(over, Inventory)
    assert (len(over.tags), over.warnings) == (1, ("overflow",))


@pytest.mark.parametrize("end", [Response(Opcode.GET_TAG_BUFFER, 0x0600), buffer_response([])[0]])
def test_buffer_with_fewer_tags_than_were_found_is_refused(end: Response) -> None:
    dialogue = searching()
    step = tell(dialogue, found_response(3), buffer_response(TAGS[:2])[0], end)
    assert isinstance(step, Refused)
    assert "found 3 tags, but only reported 2" in step.sentence


def test_setting_that_is_refused_is_a_refusal() -> None:
    dialogue = M6eDialogue()
    dialogue.inventory(None)
    step = tell(dialogue, VERSION, RUNNING, NO_REGION, Response(Opcode.SET_REGION, 0x010B))
    assert isinstance(step, Refused)
    assert "region" in step.sentence
    dialogue.inventory(4)
    step = tell(dialogue, *SET_UP[:-1], Response(Opcode.SET_ANTENNA, 0x0105))
    assert isinstance(step, Refused)
    assert "antenna" in step.sentence


def test_broken_answers_are_refusals() -> None:
    step = tell(searching(), found_response(1), Response(Opcode.GET_TAG_BUFFER, 0, b"\x00\x47\x00\x01\x05"))
    assert isinstance(step, Refused)
    assert step.code == "truncated"


def test_late_answer_to_another_command_is_discarded() -> None:
    dialogue = ready()
    assert tell(dialogue, Response(Opcode.SET_POWER)) is None
    assert dialogue.counters.late_replies == 1
    assert searched(tell(dialogue, CLEARED)) == FIRST_SEARCH


def test_late_search_is_not_taken_for_the_next_one() -> None:
    dialogue = searching()
    assert isinstance(hear(dialogue, []), Inventory)
    asked(dialogue.inventory(None), CLEAR_BUFFER)
    assert searched(tell(dialogue, CLEARED)) == FIRST_SEARCH
    assert dialogue.silence() is None
    asked(dialogue.inventory(None), GET_VERSION)
    assert tell(dialogue, found_response(7)) is None
    asked(tell(dialogue, VERSION), GET_PROGRAM)


def test_search_that_was_never_answered_is_asked_for_twice_and_then_done_without() -> None:
    dialogue = searching()
    assert searched(dialogue.silence()) == FIRST_SEARCH
    asked(dialogue.silence(), Search(SEARCH_LEAST_MS, pushing=True).to_command())
    assert tell(dialogue, Response(Opcode.CONTINUOUS)) == Listen(CONTINUOUS_MOST_MS)
    asked(tell(dialogue, pushed_response(TAGS[0]), NO_TAGS), STOP_CONTINUOUS)
    step = tell(dialogue, Response(Opcode.CONTINUOUS))
    assert isinstance(step, Inventory)
    assert [tag.uid for tag in step.tags] == [TAGS[0].epc.hex().upper()]
    asked(dialogue.inventory(None), CLEAR_BUFFER)


def test_module_that_was_left_pushing_tags_is_stopped_and_set_up() -> None:
    dialogue = M6eDialogue()
    dialogue.inventory(None)
    step = tell(dialogue, pushed_response(TAGS[0]))
    asked(step, STOP_CONTINUOUS)
    assert isinstance(step, Ask)
    assert step.timeout_ms == STOP_TIMEOUT_MS
    assert tell(dialogue, pushed_response(TAGS[0]), NO_TAGS) is None
    asked(tell(dialogue, Response(Opcode.CONTINUOUS, 0, b"\x02")), GET_VERSION)


def test_module_that_pushes_nothing_but_signs_of_life_is_stopped() -> None:
    dialogue = M6eDialogue()
    dialogue.inventory(None)
    assert tell(dialogue, NO_TAGS) is None
    asked(dialogue.silence(), STOP_CONTINUOUS)
    assert dialogue.silence() is None
    dialogue.inventory(None)
    asked(tell(dialogue, NO_TAGS, NO_TAGS), STOP_CONTINUOUS)


def test_module_that_began_anew_is_set_up_anew() -> None:
    dialogue = searching()
    step = tell(dialogue, Response(Opcode.BOOT, 0, bytes(20)))
    assert isinstance(step, Refused)
    assert step.code == "rebooted"
    assert dialogue.counters.reboots == 1
    asked(dialogue.inventory(None), GET_VERSION)


def test_answer_behind_a_stray_header_is_found_when_the_request_ends() -> None:
    dialogue = searching()
    assert dialogue.feed(bytes.fromhex("FF F8 22 00 00") + NO_TAGS.to_bytes(), 1.0) is None
    assert dialogue.silence() == Inventory(())


def test_damage_is_seen_until_the_next_request() -> None:
    dialogue = searching()
    assert not dialogue.damaged
    dialogue.feed(NO_TAGS.to_bytes()[:-1] + b"\x00", 1.0)
    assert dialogue.damaged
    dialogue.inventory(None)
    assert not dialogue.damaged


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (
            "FF 14 03 00 00 14 12 08 00 30 00 00 02 20 15 03 10 01 03 01 47 00 00 00 10 EB FF",
            "ThingMagic M6e or a relative, hardware 30.00.00.02, firmware 01.03.01.47",
        ),
        ("FF 00 22 04 00 84 E0", None),
        ("06 00 52 00 FC A8", None),
        ("", None),
    ],
)
def test_module_is_recognised_by_its_version(answer: str, said: str | None) -> None:
    assert M6eFamily().recognise(bytes.fromhex(answer)) == said


def test_region_and_power_of_the_family_reach_the_module() -> None:
    dialogue = M6eFamily(Region.NORTH_AMERICA, 300).dialogue()
    assert isinstance(dialogue, M6eDialogue)
    dialogue.inventory(None)
    asked(tell(dialogue, *SET_UP[:3]), set_region(Region.NORTH_AMERICA))
    asked(tell(dialogue, *SET_UP[3:5]), set_power(300))


def test_region_that_was_asked_for_replaces_the_modules_own() -> None:
    dialogue = M6eDialogue(Region.EUROPE_3)
    dialogue.inventory(None)
    others = Response(Opcode.GET_REGION, 0, bytes((Region.NORTH_AMERICA_2,)))
    asked(tell(dialogue, VERSION, RUNNING, others), set_region(Region.EUROPE_3))


def test_region_that_the_module_has_already_is_not_set_again() -> None:
    dialogue = M6eDialogue(Region.EUROPE_3)
    dialogue.inventory(None)
    asked(tell(dialogue, VERSION, RUNNING, Response(Opcode.GET_REGION, 0, bytes((Region.EUROPE_3,)))), SET_GEN2)


@pytest.mark.parametrize(
    ("dialogue", "answered", "opcode", "name"),
    [
        (M6eDialogue(Region.JAPAN), 3, Opcode.SET_REGION, "region"),
        (M6eDialogue(power_centi_dbm=500), 5, Opcode.SET_POWER, "power_dbm"),
    ],
)
def test_module_that_cannot_be_set_as_asked_is_not_read(
    dialogue: M6eDialogue, answered: int, opcode: Opcode, name: str
) -> None:
    for _ in range(2):
        dialogue.inventory(None)
        step = tell(dialogue, *SET_UP[:answered], Response(opcode, 0x0101))
        assert step == Refused(
            "status_0101", f"the reader does not take the {name} of its settings: set it with another tool"
        )
