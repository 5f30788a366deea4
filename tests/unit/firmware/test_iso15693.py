"""The firmware finds every ISO 15693 tag of a simulated field: frames, anticollision, air time, errors and bounds."""

from __future__ import annotations

import random
import statistics
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.nightly import examples
from tests.unit.firmware.c_build import FIRMWARE, TESTS, core, sanitized_program
from tests.unit.firmware.inventory import Inventory

IDEAL_MS = {1: 14, 5: 39, 10: 82, 20: 183, 40: 379, 60: 551, 100: 876}
EMPTY_ROUND_US = 1623 + 16 * 510
STAY_QUIET_US = 4058
SETTLE_US = 10_000


@pytest.fixture(scope="module")
def firmware() -> Inventory:
    return Inventory()


def some_uids(count: int, seed: int) -> list[bytes]:
    rng = random.Random(seed)
    return list(dict.fromkeys(b"\xe0\x04" + rng.randbytes(6) for _ in range(count)))


def test_the_crc_is_that_of_iso_15693(firmware: Inventory) -> None:
    assert firmware.crc(b"123456789") == 0x906E
    # The worked example of ISO/IEC 15693-3, annex C.
    assert firmware.crc(bytes([1, 2, 3, 4])) == 0x3991
    # An inventory of one slot as published for PN532Killer: 26 01 00 F6 0A.
    assert firmware.crc(bytes.fromhex("260100")).to_bytes(2, "little").hex() == "f60a"


def test_requests_byte_for_byte(firmware: Inventory) -> None:
    assert firmware.inventory_request([]).hex(" ") == "06 01 00 cd 09"
    assert firmware.inventory_request([0xA])[:-2].hex(" ") == "06 01 04 0a"
    assert firmware.inventory_request([0xA, 0xB])[:-2].hex(" ") == "06 01 08 ba"
    assert firmware.inventory_request([0xA, 0xB, 0xC])[:-2].hex(" ") == "06 01 0c ba 0c"
    assert firmware.inventory_request(range(15))[:-2].hex(" ") == "06 01 3c 10 32 54 76 98 ba dc 0e"
    quiet = firmware.stay_quiet_request(bytes.fromhex("e004015306a22d70"))
    assert quiet[:-2].hex(" ") == "22 02 70 2d a2 06 53 01 04 e0"
    assert int.from_bytes(quiet[-2:], "little") == firmware.crc(quiet[:-2])


def reply(firmware: Inventory, uid: bytes, flags: int = 0, dsfid: int = 0) -> bytes:
    body = bytes([flags, dsfid]) + uid[::-1]
    return body + firmware.crc(body).to_bytes(2, "little")


@given(uid=st.binary(min_size=8, max_size=8), dsfid=st.integers(0, 255), bit=st.integers(0, 95))
def test_a_reply_is_read_whole_or_not_at_all(firmware: Inventory, uid: bytes, dsfid: int, bit: int) -> None:
    sound = reply(firmware, uid, dsfid=dsfid)
    assert firmware.read_reply(sound) == (uid, dsfid)
    damaged = bytearray(sound)
    damaged[bit // 8] ^= 1 << bit % 8
    assert firmware.read_reply(bytes(damaged)) is None
    assert firmware.read_reply(sound[:-1]) is None
    assert firmware.read_reply(sound + b"\0") is None
    assert firmware.read_reply(reply(firmware, uid, flags=1)) is None


@pytest.mark.parametrize("count", range(121))
def test_all_tags_are_found_and_silenced(firmware: Inventory, count: int) -> None:
    uids = some_uids(count, count)
    reading = firmware.read(uids, seed=count)
    assert sorted(reading.uids) == sorted(uids)
    assert reading.figures["quiet_tags"] == count
    assert all(reading.rssi)
    assert not any(reading.figures[name] for name in ("overflow", "unsettled", "errors", "fault"))
    assert reading.figures["passes"] == (1 if count == 0 else 2)


def test_no_tag_costs_one_round(firmware: Inventory) -> None:
    figures = firmware.read([]).figures
    assert figures["rounds"] == 1
    assert figures["elapsed_us"] == pytest.approx(SETTLE_US + EMPTY_ROUND_US, rel=0.001)


@pytest.mark.parametrize("shared_bits", [4, 8, 20, 32, 56, 60])
def test_identifiers_that_share_their_low_bits_are_told_apart(firmware: Inventory, shared_bits: int) -> None:
    """The worst of them share 60 bits, and differ in the slot of the longest mask only."""
    low = 0xE0040153_06A22D70 & (1 << shared_bits) - 1
    uids = [(high << shared_bits | low).to_bytes(8, "big") for high in range(16)]
    reading = firmware.read(uids)
    assert sorted(reading.uids) == sorted(uids)
    assert reading.figures["collisions"] == shared_bits // 4
    assert not reading.figures["unsettled"]


def test_a_full_tray_of_worst_identifiers(firmware: Inventory) -> None:
    uids = [(high << 60 | group * 0x0123_4567_89AB_CDE).to_bytes(8, "big") for group in range(8) for high in range(15)]
    assert len(set(uids)) == 120
    reading = firmware.read(uids)
    assert sorted(reading.uids) == sorted(uids)
    assert not reading.figures["unsettled"]


@settings(max_examples=examples(100), deadline=None)
@given(uids=st.lists(st.binary(min_size=8, max_size=8), unique=True, max_size=40))
def test_any_identifiers_are_found(firmware: Inventory, uids: list[bytes]) -> None:
    assert sorted(firmware.read(uids).uids) == sorted(uids)


@pytest.mark.parametrize(("count", "ideal_ms"), IDEAL_MS.items())
def test_air_time_of_the_first_pass_is_that_of_the_timing_model(firmware: Inventory, count: int, ideal_ms: int) -> None:
    """hardware_docs/readers.md counts one pass over random identifiers; Stay Quiet and the empty pass come on top."""
    readings = [firmware.read(some_uids(count, 1000 * count + n), seed=n).figures for n in range(400)]
    mean_ms = statistics.mean(figures["first_pass_us"] for figures in readings) / 1000
    assert mean_ms == pytest.approx(ideal_ms, rel=0.03)
    for figures in readings:
        assert figures["settle_us"] == SETTLE_US
        assert figures["quiet_us"] == pytest.approx(count * STAY_QUIET_US, rel=0.001)
        assert figures["inventory_us"] - figures["first_pass_us"] == pytest.approx(EMPTY_ROUND_US, rel=0.001)


def test_a_step_is_short_enough_for_a_heartbeat(firmware: Inventory) -> None:
    longest = [firmware.read(some_uids(n, n), seed=n).figures["longest_step_us"] for n in range(121)]
    assert max(longest) < 140_000


def test_damaged_answers_are_counted_and_asked_again(firmware: Inventory) -> None:
    errors = 0
    for seed in range(50):
        uids = some_uids(30, seed)
        reading = firmware.read(uids, seed=seed, damaged=100)
        assert sorted(reading.uids) == sorted(uids)
        errors += reading.figures["errors"]
    assert 100 < errors < 300


def test_collisions_that_look_like_damage_are_told_apart(firmware: Inventory) -> None:
    for seed in range(50):
        uids = some_uids(40, seed)
        reading = firmware.read(uids, seed=seed, garbled=1000)
        assert sorted(reading.uids) == sorted(uids)
        assert reading.figures["collisions"] == 0
        assert reading.figures["errors"] > 0
        assert not reading.figures["unsettled"]


def test_a_strong_tag_that_hides_another_is_silenced_and_the_other_found(firmware: Inventory) -> None:
    for seed in range(50):
        uids = some_uids(40, seed)
        reading = firmware.read(uids, seed=seed, captured=1000)
        assert sorted(reading.uids) == sorted(uids)
        assert reading.figures["collisions"] == 0
        assert reading.figures["passes"] > 2


def test_missed_answers_are_mostly_healed_by_further_passes(firmware: Inventory) -> None:
    """A tag is lost for good only if it is missed in the very pass that is heard as quiet."""
    found = 0
    for seed in range(200):
        uids = some_uids(20, seed)
        reading = firmware.read(uids, seed=seed, missed=50)
        assert set(reading.uids) <= set(uids)
        found += len(reading.uids)
    assert found > 0.99 * 200 * 20


def test_detuned_tags_are_not_found_and_nothing_is_invented(firmware: Inventory) -> None:
    uids = some_uids(100, 7)
    reading = firmware.read(uids, seed=7, detuned=200)
    assert 60 < len(reading.uids) < 95
    assert set(reading.uids) < set(uids)


def test_a_tag_that_ignores_stay_quiet_is_told_once(firmware: Inventory) -> None:
    for count in (1, 5, 30):
        uids = some_uids(count, count)
        reading = firmware.read(uids, seed=count, deaf=1000)
        assert sorted(reading.uids) == sorted(uids)


def test_two_chips_of_one_identifier_are_heard_as_one(firmware: Inventory) -> None:
    uids = some_uids(3, 3)
    assert sorted(firmware.read([*uids, uids[0]]).uids) == sorted(uids)


@pytest.mark.parametrize(("count", "room"), [(121, 120), (200, 120), (5, 4), (1, 0)])
def test_more_tags_than_fit_are_told(firmware: Inventory, count: int, room: int) -> None:
    uids = some_uids(count, count)
    reading = firmware.read(uids, room)
    assert len(reading.uids) == room
    assert set(reading.uids) <= set(uids)
    assert reading.figures["overflow"]
    assert reading.figures["unsettled"]


def test_as_many_tags_as_fit_are_no_overflow(firmware: Inventory) -> None:
    reading = firmware.read(some_uids(4, 4), 4)
    assert len(reading.uids) == 4
    assert not reading.figures["overflow"]


def test_a_field_that_stays_off_is_a_fault_and_not_an_empty_field(firmware: Inventory) -> None:
    reading = firmware.read(some_uids(3, 3), broken=1)
    assert reading.uids == ()
    assert reading.figures["fault"] == 1
    assert reading.figures["unsettled"] == 1


def test_each_reading_wakes_the_tags_that_the_last_one_silenced(firmware: Inventory) -> None:
    first, second = some_uids(12, 1), some_uids(12, 2)
    assert sorted(firmware.read_after_another_antenna(first, second)) == sorted(first)


@pytest.mark.nightly
def test_every_number_of_tags_under_sanitizers() -> None:
    sources = (*core("bl_iso15693"), FIRMWARE / "sim" / "sim_radio.c", TESTS / "inventory_sanitized.c")
    program = sanitized_program("inventory_sanitized", sources)
    done = subprocess.run([program, "1"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 0.99 * sum(range(121))


def test_any_answers_of_the_radio_end_within_the_bounds() -> None:
    program = sanitized_program("inventory_fuzz", (*core("bl_iso15693"), TESTS / "inventory_fuzz.c"))
    done = subprocess.run([program, "1", "1000"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 1_000_000


READY, QUIET, SELECTED = 1, 2, 3


def with_crc(firmware: Inventory, text: str) -> bytes:
    body = bytes.fromhex(text)
    return body + firmware.crc(body).to_bytes(2, "little")


def test_simulated_tags_follow_the_states_of_the_standard(firmware: Inventory) -> None:
    """ISO/IEC 15693-3: ready, quiet and selected, by Stay Quiet, Select, Reset to Ready and the field."""
    first, second = "e004010000000010", "e004010000000020"
    one, two = (bytes.fromhex(uid)[::-1].hex() for uid in (first, second))
    yes = with_crc(firmware, "00")
    steps = [
        ("22 25" + one, yes, [SELECTED, READY]),
        ("22 25" + two, yes, [READY, SELECTED]),
        ("22 02" + one, b"", [QUIET, SELECTED]),
        ("02 26", yes, [QUIET, READY]),
        ("22 26" + one, yes, [READY, READY]),
        ("22 25" + one, yes, [SELECTED, READY]),
        ("12 26", yes, [READY, READY]),
        ("12 26", b"", [READY, READY]),
        ("02 02", b"", [READY, READY]),
        ("02 25", b"", [READY, READY]),
        ("22 2b" + one, b"", [READY, READY]),
        ("22 02" + two, b"", [READY, QUIET]),
        ("06 01 00", reply(firmware, bytes.fromhex(first)), [READY, QUIET]),
        ("06 01 3d" + "00" * 8, b"", [READY, QUIET]),
        ("26 01 00", b"", [READY, QUIET]),
    ]
    firmware.begin_talk([bytes.fromhex(first), bytes.fromhex(second)])
    for text, heard, states in steps:
        assert firmware.talk(with_crc(firmware, text), 2) == (heard, states), text
    assert firmware.talk(with_crc(firmware, "06 01 00")[:-1] + b"!", 2)[0] == b""
