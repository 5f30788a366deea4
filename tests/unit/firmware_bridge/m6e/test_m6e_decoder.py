"""The M6e decoder on a bad line: damage, noise, splits, gaps. It never raises, hangs or grows."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.protocols.m6e.frames import Response, command_decoder, reply_decoder

NO_TAGS = bytes.fromhex("FF 00 22 04 00 84 E0")
PUSHED = bytes.fromhex(
    "FF 28 22 00 00 10 00 1B 01 FF 01 01 C4 11 0E 16 40 00 00 01 27 00 00 05 00 00 0F 00 80 30 00 00 00 00 00 00 00 "
    "00 00 00 00 15 45 E9 4A 56 1D"
)
NOTHING, TAG = Response.from_bytes(NO_TAGS), Response.from_bytes(PUSHED)


def test_one_byte_at_a_time() -> None:
    decoder = reply_decoder()
    stream = PUSHED + NO_TAGS + PUSHED
    frames = [frame for at, byte in enumerate(stream) for frame in decoder.feed(bytes((byte,)), at * 0.1)]
    assert frames == [TAG, NOTHING, TAG]
    assert decoder.pending == 0
    assert decoder.counters.resyncs == 0


def test_merged_frames_come_out_in_order() -> None:
    assert reply_decoder().feed(PUSHED + NO_TAGS + PUSHED, 0.0) == [TAG, NOTHING, TAG]


@pytest.mark.parametrize("request_", ["FF 00 03 1D 0C", "FF 03 2F 00 00 02 5E 86", "FF 02 92 0A 8C 4B D5"])
def test_the_echo_of_our_own_command_is_no_response(request_: str) -> None:
    decoder = reply_decoder()
    echo = bytes.fromhex(request_)
    assert decoder.feed(echo + PUSHED, 0.0) + decoder.end_of_request() == [TAG]
    assert decoder.counters.dropped_bytes == len(echo)


@pytest.mark.parametrize("at", range(len(PUSHED)))
def test_any_damaged_byte_costs_one_frame_only(at: int) -> None:
    decoder = reply_decoder()
    damaged = PUSHED[:at] + bytes((PUSHED[at] ^ 0x41,)) + PUSHED[at + 1 :]
    frames = decoder.feed(damaged + PUSHED, 0.0) + decoder.feed(b"", 25.0)
    assert frames == [TAG]
    assert decoder.counters.dropped_bytes == len(PUSHED)


@pytest.mark.parametrize("stray", ["FF", "FF FF FF FF", "FF F8 22", "FF F8 22 00 00", "FF 28", "FF FF 28 22"])
def test_stray_header_swallows_nothing_beyond_the_next_gap(stray: str) -> None:
    decoder = reply_decoder()
    frames = decoder.feed(bytes.fromhex(stray) + PUSHED, 0.0)
    frames += decoder.feed(b"", 20.0)
    assert frames == [TAG]
    for number in range(1, 200):
        assert decoder.feed(PUSHED, 100.0 * number) == [TAG]


def test_end_of_request_finds_the_frame_behind_a_stray_header_and_forgets_half_a_one() -> None:
    decoder = reply_decoder()
    assert decoder.feed(bytes.fromhex("FF F8 22 00 00") + PUSHED + PUSHED[:9], 0.0) == []
    assert decoder.end_of_request() == [TAG]
    assert decoder.pending == 0
    assert decoder.feed(PUSHED, 1.0) == [TAG]


def test_buffer_is_capped() -> None:
    decoder = reply_decoder()
    for number in range(200):
        decoder.feed(bytes.fromhex("FF F8 22 00 00") * 40, number)
        assert decoder.pending <= 4 * 255


@given(st.lists(st.binary(max_size=40), max_size=20), st.randoms(use_true_random=False))
def test_any_noise_then_a_gap_then_a_frame(pieces: list[bytes], rng: random.Random) -> None:
    for decoder, raw in ((reply_decoder(), PUSHED), (command_decoder(), bytes.fromhex("FF 00 03 1D 0C"))):
        now = 0.0
        for piece in pieces:
            decoder.feed(piece, now)
            now += rng.choice((0.0, 1.0, 25.0))
        found = decoder.feed(raw, now + 20.0) + decoder.feed(b"", now + 40.0)
        assert [one.to_bytes() for one in found][-1:] == [raw]


@pytest.mark.parametrize("seed", range(4))
def test_fuzz_every_undamaged_frame_is_delivered_by_the_next_gap(seed: int) -> None:
    rng = random.Random(seed)
    decoder = reply_decoder()
    now, due = 0.0, 0
    for _ in range(1500):
        burst = b""
        for _ in range(rng.randint(1, 4)):
            what = rng.random()
            if what < 0.4:
                burst += rng.randbytes(rng.randint(1, 60))
            elif what < 0.6:
                broken = bytearray(PUSHED)
                broken[rng.randrange(len(broken))] ^= 1 << rng.randrange(8)
                burst += broken[: rng.randint(1, len(broken))]
            else:
                burst += PUSHED
                due += 1
        while burst:
            cut = rng.randint(1, len(burst))
            due -= sum(frame == TAG for frame in decoder.feed(burst[:cut], now))
            burst = burst[cut:]
            now += 0.5
        now += 20.0
        due -= sum(frame == TAG for frame in decoder.feed(b"", now))
        assert due == 0
        assert decoder.pending <= 4 * 255
