"""The decoder on a bad line: damage, noise, splits, gaps. It never raises, never hangs, never grows."""

from __future__ import annotations

import pytest

from firmware_bridge.protocols.feig.frames import MAX_ADVANCED, Reply, reply_decoder

ONE_TAG = bytes.fromhex("11 00 B0 00 01 03 00 E0 04 01 53 06 A2 2D 70 BF 2B")
NO_TAG = bytes.fromhex("06 00 B0 01 5C 63")
TAG, NOTHING = Reply.from_bytes(ONE_TAG), Reply.from_bytes(NO_TAG)


def test_one_byte_at_a_time() -> None:
    decoder = reply_decoder()
    stream = ONE_TAG + NO_TAG + ONE_TAG
    frames = [frame for at, byte in enumerate(stream) for frame in decoder.feed(bytes((byte,)), at * 0.3)]
    assert frames == [TAG, NOTHING, TAG]
    assert decoder.pending == 0
    assert decoder.counters.resyncs == 0


def test_merged_frames_come_out_in_order() -> None:
    assert reply_decoder().feed(ONE_TAG + NO_TAG + ONE_TAG, 0.0) == [TAG, NOTHING, TAG]


@pytest.mark.parametrize("request_", ["07 FF B0 01 00 1C 56", "02 00 09 FF B0 01 00 18 43", "05 FF 69 89 01"])
def test_the_echo_of_our_own_request_is_no_reply(request_: str) -> None:
    decoder = reply_decoder()
    frames = decoder.feed(bytes.fromhex(request_) + ONE_TAG, 0.0) + decoder.end_of_request()
    assert frames == [TAG]
    assert decoder.counters.dropped_bytes == len(bytes.fromhex(request_))


def test_damage_costs_one_frame_and_is_counted() -> None:
    decoder = reply_decoder()
    damaged = ONE_TAG[:9] + b"\x00" + ONE_TAG[10:]
    frames = decoder.feed(damaged + ONE_TAG, 0.0) + decoder.end_of_request()
    assert frames == [TAG]
    assert (decoder.counters.crc_errors, decoder.counters.resyncs) == (1, 1)
    assert decoder.counters.dropped_bytes == len(damaged)


@pytest.mark.parametrize(
    "stray", ["02 40 00", "02 40 00 00 B0", "FF", "FF 00 B0", "80 00 69", "02", "02 FF FF 00 52 00"]
)
def test_stray_header_swallows_nothing_beyond_the_next_gap(stray: str) -> None:
    decoder = reply_decoder()
    frames = decoder.feed(bytes.fromhex(stray) + ONE_TAG, 0.0)
    frames += decoder.feed(b"", 20.0)
    assert frames == [TAG]
    for number in range(1, 200):
        assert decoder.feed(ONE_TAG, 100.0 * number) == [TAG]
    assert decoder.counters.frames == 200


@pytest.mark.parametrize("stray", ["02 40 00", "02 40 00 00 B0"])
def test_stray_header_before_200_frames_without_any_gap(stray: str) -> None:
    decoder = reply_decoder()
    frames = decoder.feed(bytes.fromhex(stray), 0.0)
    for number in range(200):
        frames += decoder.feed(ONE_TAG, 1.0 + number)
    frames += decoder.end_of_request()
    assert frames == [TAG] * 200


def test_frame_after_a_truncated_one_is_delivered_at_once() -> None:
    decoder = reply_decoder()
    assert decoder.feed(ONE_TAG[:9], 0.0) == []
    assert decoder.feed(NO_TAG, 25.0) == [NOTHING]
    assert decoder.pending == 0


def test_frame_that_stalls_on_a_busy_host_is_still_read() -> None:
    decoder = reply_decoder()
    assert decoder.feed(ONE_TAG[:9], 0.0) == []
    assert decoder.feed(b"", 30.0) == []
    assert decoder.feed(ONE_TAG[9:14], 60.0) == []
    assert decoder.feed(ONE_TAG[14:], 90.0) == [TAG]
    assert decoder.counters.resyncs == 0


def test_unfinished_frame_is_given_up_after_several_gaps() -> None:
    decoder = reply_decoder()
    for number in range(4):
        decoder.feed(b"\xf0\x00\xb0" if number == 0 else b"\x00", 100.0 * number)
    decoder.feed(b"", 400.0)
    assert decoder.pending == 0
    assert decoder.counters.resyncs == 1


def test_end_of_request_forgets_half_a_frame() -> None:
    decoder = reply_decoder()
    decoder.feed(ONE_TAG[:9], 0.0)
    assert decoder.end_of_request() == []
    assert decoder.feed(ONE_TAG, 1.0) == [TAG]


def test_buffer_is_capped() -> None:
    decoder = reply_decoder()
    for number in range(40):
        decoder.feed(b"\x02\xff\xff\x00\xb0" + bytes(5000), number)
        assert decoder.pending <= MAX_ADVANCED
