"""The M6e decoder on a bad line: damage, noise, splits, gaps. It never raises, hangs or grows."""

from __future__ import annotations

import pytest

from firmware_bridge.protocols.m6e.frames import Response, reply_decoder

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
