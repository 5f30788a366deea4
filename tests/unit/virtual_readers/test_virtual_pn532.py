"""The virtual PN532, byte for byte where frames are published."""

from __future__ import annotations

import pytest

from firmware_bridge.protocols.pn532.commands import DESELECT_ALL, FIELD_OFF, FIELD_ON, SAM_NORMAL, TWO_RETRIES
from firmware_bridge.protocols.pn532.frames import WAKE, Code, Command, Frame, Response, Signal, from_bytes
from firmware_bridge.protocols.pn532.targets import ListTargets, Modulation, decode_targets
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.faults import FaultPlan
from virtual_table.readers.pn532 import SEARCH_AGAIN_MS, Pn532Setup, VirtualPn532Reader

UIDS = [f"04AABBCCDD{number:04X}" for number in range(60)]
BADGE = "012E3D4C5B6A7988"
ACK = Signal.ACK.to_bytes()
LIST = ListTargets(Modulation.A_106).to_command()


def chip(*uids: str, setup: Pn532Setup | None = None, **behaviour: object) -> VirtualPn532Reader:
    """A chip that was just plugged in."""
    return VirtualPn532Reader(lambda: [(uid, 1, 1.0) for uid in uids], Behaviour(**behaviour), 1, setup)


def ready(*uids: str, setup: Pn532Setup | None = None, **behaviour: object) -> VirtualPn532Reader:
    """A chip that was woken and configured, with its field on."""
    one = chip(*uids, setup=setup, **behaviour)
    one.receive(WAKE + SAM_NORMAL.to_bytes(), 0.0)
    for command in (TWO_RETRIES, FIELD_ON):
        ask(one, command)
    return one


def ask(one: VirtualPn532Reader, command: Command, now_ms: float = 0.0) -> Frame:
    acknowledged, answer = one.receive(command.to_bytes(), now_ms)
    assert acknowledged[1] == ACK
    assert acknowledged[0] < answer[0]
    return from_bytes(answer[1])


def found(one: VirtualPn532Reader, modulation: Modulation = Modulation.A_106, most: int = 2) -> list[str]:
    answer = ask(one, ListTargets(modulation, most).to_command())
    assert isinstance(answer, Response)
    return [target.uid.hex().upper() for target in decode_targets(answer.data, modulation)]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("00 00 FF 03 FD D4 14 01 17 00", "00 00 FF 02 FE D5 15 16 00"),
        ("00 00 FF 02 FE D4 02 2A 00", "00 00 FF 06 FA D5 03 32 01 06 07 E8 00"),
        ("00 00 FF 06 FA D4 32 05 00 01 02 F2 00", "00 00 FF 02 FE D5 33 F8 00"),
        ("00 00 FF 04 FC D4 4A 01 00 E1 00", "00 00 FF 0C F4 D5 4B 01 01 00 04 08 04 DE AD BE EF 96 00"),
    ],
)
def test_published_exchanges(command: str, expected: str) -> None:
    pieces = ready("DEADBEEF").receive(bytes.fromhex(command), 0.0)
    assert [raw for _, raw in pieces] == [ACK, bytes.fromhex(expected)]


def test_two_ntags_and_an_empty_field_as_published() -> None:
    two = ready("04112233445566", "04AABBCCDDEEFF")
    expected = "00 00 FF 1B E5 D5 4B 02 01 00 44 00 07 04 11 22 33 44 55 66 02 00 44 00 07 04 AA BB CC DD EE FF DD 00"
    assert ask(two, LIST).to_bytes() == bytes.fromhex(expected)
    assert ask(ready(), LIST).to_bytes() == bytes.fromhex("00 00 FF 03 FD D5 4B 00 E0 00")


def test_chip_sleeps_until_it_is_woken() -> None:
    one = chip(UIDS[0])
    assert one.receive(SAM_NORMAL.to_bytes(), 0.0) == []
    assert [raw for _, raw in one.receive(WAKE + SAM_NORMAL.to_bytes(), 1.0)][:1] == [ACK]


def test_no_card_is_found_before_the_chip_was_configured() -> None:
    one = chip(UIDS[0])
    one.receive(WAKE + TWO_RETRIES.to_bytes(), 0.0)
    assert found(one) == []
    ask(one, SAM_NORMAL)
    assert found(one) == [UIDS[0]]


def test_cards_that_sleep_are_not_listed_again_until_the_field_was_off() -> None:
    one = ready(*UIDS[:5])
    heard = []
    for _ in range(3):
        heard += found(one)
        ask(one, DESELECT_ALL)
    assert sorted(heard) == UIDS[:5]
    assert found(one) == []
    ask(one, FIELD_OFF)
    ask(one, FIELD_ON)
    assert found(one) == UIDS[:2]


def test_cards_that_were_left_selected_answer_the_next_search_only_if_it_is_repeated() -> None:
    one = ready(UIDS[0])
    assert found(one) == [UIDS[0]]
    assert found(one) == [UIDS[0]]
    ask(one, Command(Code.RF_CONFIGURATION, b"\x05\xff\x01\x00"))
    assert [found(one) for _ in range(4)] == [[], [UIDS[0]], [], [UIDS[0]]]


def test_sleepless_card_is_listed_again() -> None:
    one = ready(*UIDS[:2], setup=Pn532Setup(sleepless=frozenset(UIDS[:1])))
    found(one)
    ask(one, DESELECT_ALL)
    assert found(one) == UIDS[:1]


def test_card_that_left_and_came_back_is_awake() -> None:
    there = [UIDS[0]]
    one = VirtualPn532Reader(lambda: [(uid, 1, 1.0) for uid in there])
    one.receive(WAKE + SAM_NORMAL.to_bytes(), 0.0)
    ask(one, TWO_RETRIES)
    assert found(one) == [UIDS[0]]
    ask(one, DESELECT_ALL)
    there.clear()
    assert found(one) == []
    there.append(UIDS[0])
    assert found(one) == [UIDS[0]]


def test_search_without_end_answers_when_a_card_comes() -> None:
    there: list[str] = []
    one = VirtualPn532Reader(lambda: [(uid, 1, 1.0) for uid in there])
    one.receive(WAKE + SAM_NORMAL.to_bytes(), 0.0)
    assert [raw for _, raw in one.receive(LIST.to_bytes(), 10.0)] == [ACK]
    assert one.next_ms is not None
    assert one.speak(one.next_ms) == []
    there.append(UIDS[0])
    due_ms = one.next_ms
    assert due_ms is not None
    [(_, raw)] = one.speak(due_ms)
    answer = from_bytes(raw)
    assert isinstance(answer, Response)
    assert [target.uid.hex().upper() for target in decode_targets(answer.data, Modulation.A_106)] == there
    assert one.next_ms is None


@pytest.mark.parametrize("ending", [ACK, SAM_NORMAL.to_bytes()])
def test_search_without_end_is_ended_by_the_host(ending: bytes) -> None:
    one = chip()
    one.receive(WAKE + SAM_NORMAL.to_bytes() + LIST.to_bytes(), 0.0)
    assert one.next_ms is not None
    assert one.next_ms >= SEARCH_AGAIN_MS
    one.receive(ending, 50.0)
    assert one.next_ms is None


def test_nack_brings_the_last_response_again() -> None:
    one = ready(UIDS[0])
    listed = ask(one, LIST)
    [(_, again)] = one.receive(Signal.NACK.to_bytes(), 100.0)
    assert from_bytes(again) == listed
    assert chip().receive(WAKE + Signal.NACK.to_bytes(), 0.0) == []


@pytest.mark.parametrize(
    "command",
    [
        Command(0x99),
        Command(Code.SAM_CONFIGURATION),
        Command(Code.RF_CONFIGURATION, b"\x05\x00"),
        Command(Code.RF_CONFIGURATION, b"\x77"),
        Command(Code.IN_DESELECT),
        Command(Code.IN_LIST_PASSIVE_TARGET, b"\x03\x00"),
    ],
)
def test_what_it_does_not_know_is_a_syntax_error(command: Command) -> None:
    assert ask(ready(), command) is Signal.ERROR


def test_damaged_command_gets_nothing() -> None:
    one = ready(UIDS[0])
    raw = LIST.to_bytes()
    assert one.receive(raw[:6] + b"\x4b" + raw[7:], 0.0) == []
    assert found(one) == [UIDS[0]]


def test_badges_answer_at_their_own_rate_and_other_tags_not_at_all() -> None:
    one = ready(UIDS[0], BADGE, "E004015306A22D70", "30751FEB705C5904E3D50D70")
    assert found(one) == [UIDS[0]]
    for modulation in (Modulation.FELICA_212, Modulation.FELICA_424):
        assert found(one, modulation) == [BADGE]
    assert found(one, Modulation.B_106) == []


def test_search_for_one_takes_one() -> None:
    one = ready(*UIDS[:2])
    assert found(one, most=1) == UIDS[:1]


def test_search_takes_longer_with_cards_that_have_longer_identifiers() -> None:
    times = []
    for uids in (["DEADBEEF", "DEADBEF0"], UIDS[:2], ["0" * 19 + "1", "0" * 19 + "2"]):
        times.append(ready(*uids).receive(LIST.to_bytes(), 0.0)[1][0])
    assert times == sorted(times)


def rate(one: VirtualPn532Reader, rounds: int = 2000) -> float:
    heard = 0
    for _ in range(rounds):
        ask(one, FIELD_OFF)
        for _ in range(3):
            heard += len(found(one))
            ask(one, DESELECT_ALL)
    return heard / rounds


def test_card_is_missed_for_as_long_as_the_field_is_on() -> None:
    assert rate(ready(UIDS[0], missed=0.1)) == pytest.approx(0.9, abs=0.03)


def test_neighbours_cards_are_read_at_the_rate_that_was_set() -> None:
    one = VirtualPn532Reader(lambda: [(UIDS[0], 1, 0.2)], Behaviour(neighbour=0.1), 2)
    one.receive(WAKE + SAM_NORMAL.to_bytes(), 0.0)
    ask(one, TWO_RETRIES)
    assert rate(one) == pytest.approx(0.1, abs=0.03)


def test_same_seed_same_bytes() -> None:
    def spoken() -> list[list[tuple[float, bytes]]]:
        plan = FaultPlan(garbage=0.3, damage=0.3, split=0.3, late=0.1, silence=0.1, truncate=0.1)
        one = ready_with_faults(plan)
        return [one.receive(command.to_bytes(), 0.0) for command in (FIELD_OFF, LIST, DESELECT_ALL) * 30]

    def ready_with_faults(plan: FaultPlan) -> VirtualPn532Reader:
        one = chip(*UIDS[:10], missed=0.2, faults=plan)
        one.receive(WAKE + SAM_NORMAL.to_bytes() + TWO_RETRIES.to_bytes(), 0.0)
        return one

    assert spoken() == spoken()
