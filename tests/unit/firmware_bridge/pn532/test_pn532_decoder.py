"""The PN532 decoder on a bad line: damage, noise, splits, frames within frames. It never raises, hangs or grows."""

from __future__ import annotations

import random

import pytest

from firmware_bridge.protocols.pn532.decoder import SettledDecoder, command_decoder, reply_decoder
from firmware_bridge.protocols.pn532.frames import Code, Command, Response, Signal, from_bytes

ACK = Signal.ACK.to_bytes()
NONE = bytes.fromhex("00 00 FF 03 FD D5 4B 00 E0 00")
ONE = bytes.fromhex("00 00 FF 0C F4 D5 4B 01 01 00 04 08 04 DE AD BE EF 96 00")
FRAMES = [from_bytes(raw) for raw in (ACK, ONE, NONE)]
SPOOF = Response(Code.IN_LIST_PASSIVE_TARGET, bytes.fromhex("01 01 00 84 08 0A 00 FF 03 FD D5 4B 00 E0 00 00"))
"""A card whose identifier of ten bytes says "no card"."""


def test_one_byte_at_a_time_each_frame_comes_with_its_last_byte() -> None:
    decoder = reply_decoder()
    came = {}
    for at, byte in enumerate(ACK + ONE + NONE):
        for frame in decoder.feed(bytes((byte,)), at * 0.1):
            came[at] = frame
    dcs_of_one, dcs_of_none = len(ACK + ONE) - 2, len(ACK + ONE + NONE) - 2
    assert came == {len(ACK) - 2: FRAMES[0], dcs_of_one: FRAMES[1], dcs_of_none: FRAMES[2]}
    assert decoder.counters.resyncs == decoder.counters.dropped_bytes == 0


def test_merged_frames_come_out_in_order() -> None:
    assert reply_decoder().feed(ACK + ONE + NONE, 0.0) == FRAMES


@pytest.mark.parametrize("request_", ["00 00 FF 04 FC D4 4A 02 00 E0 00", "00 00 FF 02 FE D4 02 2A 00"])
def test_the_echo_of_our_own_command_is_no_answer(request_: str) -> None:
    decoder = reply_decoder()
    assert decoder.feed(bytes.fromhex(request_) + ONE, 0.0) == [FRAMES[1]]
    assert decoder.counters.dropped_bytes == len(bytes.fromhex(request_)) - 3
    assert command_decoder().feed(ONE + bytes.fromhex(request_), 0.0) == [from_bytes(bytes.fromhex(request_))]


@pytest.mark.parametrize("at", range(1, len(ONE) - 1))
@pytest.mark.parametrize("bit", range(8))
def test_any_flipped_bit_costs_one_frame_only(at: int, bit: int) -> None:
    decoder = reply_decoder()
    damaged = ONE[:at] + bytes((ONE[at] ^ 1 << bit,)) + ONE[at + 1 :]
    found = decoder.feed(damaged + ACK + NONE, 0.0)
    assert found == [FRAMES[0], FRAMES[2]]
    decoder.end_of_request()
    assert decoder.counters.resyncs == 1
    assert 10 <= decoder.counters.dropped_bytes <= len(ONE)


@pytest.mark.parametrize(
    "stray", ["00 FF", "00 00 FF 40 C0 D5", "00 FF FF FF 01 08 F7 D5", "00 FF FF", "FF", "55 55 00"]
)
def test_frame_behind_a_stray_header_comes_with_its_own_last_byte(stray: str) -> None:
    decoder = reply_decoder()
    assert decoder.feed(bytes.fromhex(stray), 0.0) == []
    assert decoder.feed(ONE[:-1], 1.0) == [FRAMES[1]]
    for number in range(200):
        assert decoder.feed(ONE, 2.0 + number) == [FRAMES[1]]


def test_frame_behind_a_truncated_one_comes_with_its_own_last_byte() -> None:
    for cut in range(1, len(ONE) - 2):
        decoder = reply_decoder()
        assert decoder.feed(ONE[:cut], 0.0) == []
        assert decoder.feed(NONE[:-1], 1.0) == [FRAMES[2]]


def test_damage_is_counted_once_a_frame() -> None:
    decoder = reply_decoder()
    damaged = ONE[:10] + b"\x00" + ONE[11:]
    decoder.feed(damaged + ONE + damaged + ONE, 0.0)
    assert (decoder.counters.crc_errors, decoder.counters.resyncs, decoder.counters.frames) == (2, 2, 2)


def test_end_of_request_forgets_half_a_frame() -> None:
    decoder = reply_decoder()
    decoder.feed(ONE[:9], 0.0)
    assert decoder.pending > 0
    assert decoder.end_of_request() == []
    assert decoder.pending == 0
    assert decoder.feed(ONE[9:], 1.0) == []
    assert decoder.feed(ONE, 2.0) == [FRAMES[1]]


def test_buffer_is_capped() -> None:
    decoder = reply_decoder()
    header = bytes.fromhex("00 FF FF FF 01 09 F6 D5")
    for number in range(200):
        decoder.feed(header * 40, number)
        assert decoder.pending < 300


@pytest.mark.parametrize("seed", range(4))
def test_fuzz_every_undamaged_frame_comes_with_its_last_byte(seed: int) -> None:
    rng = random.Random(seed)
    decoder = reply_decoder()
    swallowed = 0
    for _ in range(3000):
        what = rng.random()
        if what < 0.3:
            decoder.feed(rng.randbytes(rng.randint(1, 60)), 0.0)
        elif what < 0.5:
            broken = bytearray(ONE)
            broken[rng.randrange(len(broken))] ^= 1 << rng.randrange(8)
            decoder.feed(bytes(broken[: rng.randint(1, len(broken))]), 0.0)
        elif what < 0.6:
            decoder.feed(bytes.fromhex("00 FF 20 E0 D5"), 0.0)
        else:
            cut = rng.randint(0, len(ONE) - 2)
            found = decoder.feed(ONE[:cut], 0.0) + decoder.feed(ONE[cut:-1], 0.0)
            assert found
            swallowed += FRAMES[1] not in found
        assert decoder.pending < 600
    assert swallowed <= 3000 / 256


def test_frame_within_a_frame_is_the_longer_ones_data() -> None:
    raw = SPOOF.to_bytes()
    assert reply_decoder().feed(raw, 0.0) == [SPOOF]


@pytest.mark.parametrize("cut", range(1, len(SPOOF.to_bytes())))
def test_card_cannot_pass_its_identifier_off_as_an_answer(cut: int) -> None:
    raw = SPOOF.to_bytes()
    decoder = SettledDecoder(echo=Command)
    found = decoder.feed(raw[:cut], 0.0) + decoder.feed(b"", 5.0) + decoder.feed(raw[cut:], 10.0)
    assert found == [SPOOF]


def test_frame_that_is_kept_back_is_let_go_after_a_gap_or_the_request() -> None:
    for ending in (
        lambda one: one.feed(b"", 21.0),
        lambda one: one.end_of_request(),
        lambda one: one.feed(ACK, 30.0)[:1],
    ):
        decoder = SettledDecoder(echo=Command)
        assert decoder.feed(bytes.fromhex("00 00 FF 20 E0 D5") + NONE, 0.0) == []
        assert decoder.feed(b"", 10.0) == []
        assert ending(decoder) == [FRAMES[2]]
