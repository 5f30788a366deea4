"""The virtual ThingMagic module, byte for byte where frames are published."""

from __future__ import annotations

import pytest

from firmware_bridge.protocols.m6e.frames import Command, Opcode, Response, reply_decoder
from firmware_bridge.protocols.m6e.search import (
    CLEAR_BUFFER,
    GET_BUFFER,
    STOP_CONTINUOUS,
    Search,
    buffered,
    found_count,
    is_pushed,
    pushed,
)
from firmware_bridge.protocols.m6e.setup import (
    BOOT,
    GET_PROGRAM,
    GET_VERSION,
    SET_GEN2,
    Region,
    choose_antenna,
    set_power,
    set_region,
)
from firmware_bridge.protocols.m6e.status import Status
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.faults import FaultPlan
from virtual_table.readers.m6e import SIGN_OF_LIFE_MS, M6eSetup, VirtualM6eReader

UIDS = [f"E2801160600002{number:010X}" for number in range(200)]
START = Search(1000, pushing=True).to_command()


def module(*uids: str, setup: M6eSetup | None = None, **behaviour: object) -> VirtualM6eReader:
    """A module that was just plugged in."""
    return VirtualM6eReader(lambda: [(uid, 1, 1.0) for uid in uids], Behaviour(**behaviour), 1, setup)


def ready(*uids: str, setup: M6eSetup | None = None, **behaviour: object) -> VirtualM6eReader:
    """A module with its region and protocol."""
    one = module(*uids, setup=setup, **behaviour)
    for command in (set_region(Region.EUROPE), SET_GEN2, set_power(1000)):
        assert ask(one, command).status == 0
    return one


def ask(one: VirtualM6eReader, command: Command, now_ms: float = 0.0) -> Response:
    [(_, raw)] = one.receive(command.to_bytes(), now_ms)
    return Response.from_bytes(raw)


def found(one: VirtualM6eReader, duration_ms: int = 600) -> list[str]:
    ask(one, CLEAR_BUFFER)
    response = ask(one, Search(duration_ms).to_command())
    if response.status == Status.NO_TAGS:
        return []
    sent: list[str] = []
    while len(sent) < found_count(response):
        sent += [record.epc.hex().upper() for record in buffered(ask(one, GET_BUFFER))]
    return sent


def spoken(one: VirtualM6eReader, until_ms: float) -> list[Response]:
    frames, decoder = [], reply_decoder()
    while one.next_ms is not None and one.next_ms <= until_ms:
        at_ms = one.next_ms
        for _, raw in one.speak(at_ms):
            frames += decoder.feed(raw, at_ms)
        assert one.next_ms is None or one.next_ms > at_ms
    return frames


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("FF 00 03 1D 0C", "FF 14 03 00 00 14 12 08 00 30 00 00 02 20 15 03 10 01 03 01 47 00 00 00 10 EB FF"),
        ("FF 01 97 02 4B BF", "FF 00 97 00 00 77 9E"),
        ("FF 02 92 0A 8C 4B D5", "FF 00 92 00 00 27 3B"),
        ("FF 03 91 02 01 01 42 C5", "FF 00 91 00 00 17 58"),
        ("FF 10 2F 00 00 01 22 00 00 05 07 22 10 00 1B 03 E8 01 FF DD 2B", "FF 04 2F 00 00 01 22 00 00 6D C3"),
        ("FF 03 2F 00 00 02 5E 86", "FF 01 2F 00 00 02 30 E6"),
    ],
)
def test_published_exchanges(command: str, expected: str) -> None:
    assert ask(ready(), Command.from_bytes(bytes.fromhex(command))).to_bytes() == bytes.fromhex(expected)


def test_empty_field_is_no_tags_as_published() -> None:
    one = ready()
    assert ask(one, Search(100).to_command()).to_bytes() == bytes.fromhex("FF 00 22 04 00 84 E0")
    assert ask(one, GET_BUFFER).status == Status.BUFFER_HAS_NO_MORE


def test_it_does_not_send_before_it_has_region_and_protocol() -> None:
    one = module(UIDS[0])
    assert ask(one, Search(100).to_command()).status == Status.INVALID_FREQUENCY
    ask(one, set_region(Region.EUROPE))
    assert ask(one, Search(100).to_command()).status == Status.NO_PROTOCOL
    assert ask(one, START).status == Status.NO_PROTOCOL
    assert one.next_ms is None
    ask(one, SET_GEN2)
    assert found(one) == [UIDS[0]]


def test_bootloader_obeys_little_until_the_firmware_runs() -> None:
    one = module(setup=M6eSetup(in_bootloader=True))
    assert ask(one, GET_VERSION).status == 0
    assert ask(one, GET_PROGRAM).data == b"\x11"
    assert ask(one, SET_GEN2).status == Status.INVALID_OPCODE
    assert ask(one, BOOT).status == 0
    assert ask(one, GET_PROGRAM).data == b"\x12"
    assert ask(one, SET_GEN2).status == 0


def test_search_lasts_as_long_as_it_was_told_to_and_may_be_too_short() -> None:
    one = ready(*UIDS[:100])
    [(took_ms, _)] = one.receive(Search(300).to_command().to_bytes(), 100.0)
    assert 300 < took_ms < 320
    assert 10 < len(found(one, 200)) < 60
    assert sorted(found(one, 2000)) == UIDS[:100]


def test_buffer_gathers_until_it_is_cleared() -> None:
    there = [UIDS[0]]
    one = VirtualM6eReader(lambda: [(uid, 1, 1.0) for uid in there])
    for command in (set_region(Region.EUROPE), SET_GEN2):
        ask(one, command)
    ask(one, Search(100).to_command())
    there[0] = UIDS[1]
    assert found_count(ask(one, Search(100).to_command())) == 2
    assert found(one) == [UIDS[1]]


def test_chosen_antenna_hears_its_own_tags_with_their_strength() -> None:
    one = VirtualM6eReader(lambda: [(UIDS[0], 1, 1.0), (UIDS[1], 2, 0.5)], Behaviour(antennas=2))
    for command in (set_region(Region.EUROPE), SET_GEN2, choose_antenna(2), Search(100).to_command()):
        ask(one, command)
    [record] = buffered(ask(one, GET_BUFFER))
    assert (record.epc.hex().upper(), record.antenna, record.rssi) == (UIDS[1], 2, -55)


@pytest.mark.parametrize(
    ("command", "status"),
    [
        (Command(Opcode.SET_REGION, b"\x77"), Status.INVALID_REGION),
        (Command(Opcode.SET_PROTOCOL, b"\x00\x03"), Status.INVALID_PROTOCOL),
        (set_power(3000), Status.POWER_TOO_HIGH),
        (choose_antenna(2), Status.INVALID_PARAMETER),
        (Command(Opcode.SET_ANTENNA, b"\x00"), Status.WRONG_LENGTH),
        (Command(Opcode.READ_MULTIPLE), Status.WRONG_LENGTH),
        (Command(Opcode.CONTINUOUS, b"\x00"), Status.WRONG_LENGTH),
        (Command(Opcode.READ_DATA, b"\x00"), Status.INVALID_OPCODE),
    ],
)
def test_what_it_does_not_know_is_refused_by_status(command: Command, status: Status) -> None:
    assert ask(ready(), command).status == status


def test_pushing_module_sends_each_tag_and_a_sign_of_life_a_second() -> None:
    one = ready(*UIDS[:3])
    ask(one, START)
    sent = spoken(one, 5 * SIGN_OF_LIFE_MS)
    tags = {record.epc.hex().upper() for response in sent if is_pushed(response) for record in pushed(response)}
    assert tags == set(UIDS[:3])
    assert 4 <= sum(response.status == Status.NO_TAGS for response in sent) <= 6


def test_pushing_module_obeys_nothing_but_the_stop() -> None:
    one = ready(UIDS[0])
    ask(one, START)
    assert one.receive(GET_VERSION.to_bytes(), 10.0) == []
    assert ask(one, STOP_CONTINUOUS, 20.0).opcode == Opcode.CONTINUOUS
    assert one.next_ms is None
    assert ask(one, GET_VERSION, 30.0).status == 0


def test_module_forgets_its_settings_without_supply() -> None:
    one = ready(UIDS[0])
    one.power_on(100.0)
    assert ask(one, Search(100).to_command(), 200.0).status == Status.INVALID_FREQUENCY


@pytest.mark.parametrize("ailment", [Status.TOO_HOT, Status.RETURN_LOSS])
def test_ailing_module_says_so(ailment: Status) -> None:
    one = ready(UIDS[0], setup=M6eSetup(ailment=ailment))
    assert ask(one, Search(100).to_command()).status == ailment


def test_disturbed_field_is_return_loss() -> None:
    assert ask(ready(UIDS[0], rf_warning=1.0), Search(100).to_command()).status == Status.RETURN_LOSS


def test_damaged_command_gets_no_answer() -> None:
    one = ready(UIDS[0])
    raw = GET_VERSION.to_bytes()
    assert one.receive(raw[:-1] + b"\x00", 0.0) == []
    assert found(one) == [UIDS[0]]


def test_only_tags_with_an_epc_are_heard() -> None:
    assert found(ready(UIDS[0], "04112233445566")) == [UIDS[0]]


@pytest.mark.nightly
@pytest.mark.parametrize(("duration_ms", "rate"), [(1, 0.0), (8, 0.5), (60, 1 - 0.5**3)])
def test_longer_search_gives_tags_that_were_missed_another_chance(duration_ms: int, rate: float) -> None:
    one = ready(UIDS[0], missed=0.5)
    assert sum(len(found(one, duration_ms)) for _ in range(2000)) / 2000 == pytest.approx(rate, abs=0.03)


def test_same_seed_same_bytes() -> None:
    def said() -> list[list[tuple[float, bytes]]]:
        plan = FaultPlan(garbage=0.3, damage=0.3, split=0.3, late=0.1, silence=0.1, truncate=0.1)
        one = module(*UIDS[:10], missed=0.2, faults=plan)
        commands = (set_region(Region.EUROPE), SET_GEN2, *(CLEAR_BUFFER, Search(100).to_command(), GET_BUFFER) * 30)
        return [one.receive(command.to_bytes(), 0.0) for command in commands]

    assert said() == said()
