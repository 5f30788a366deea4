"""The Chafon decoder on a bad line: damage, noise, splits, gaps. It never raises, hangs or grows."""

from __future__ import annotations

import pytest

from firmware_bridge.protocols.chafon.frames import Reply, reply_decoder

NO_TAG = bytes.fromhex("05 00 01 FB F2 3D")
ONE_TAG = bytes.fromhex("15 00 01 01 01 01 0C E2 00 68 16 00 00 00 60 12 34 56 78 4B C5 36")
ACTIVE = bytes.fromhex("11 00 EE 00 20 00 70 8C 2B 38 0B 2D 00 00 00 00 E0 56")
NOTHING, TAG, REPORT = (Reply.from_bytes(raw) for raw in (NO_TAG, ONE_TAG, ACTIVE))


def test_one_byte_at_a_time() -> None:
    decoder = reply_decoder()
    frames = [
        frame
        for at, byte in enumerate(ONE_TAG + NO_TAG + ACTIVE + ONE_TAG)
        for frame in decoder.feed(bytes((byte,)), at * 0.2)
    ]
    assert frames == [TAG, NOTHING, REPORT, TAG]
    assert decoder.pending == decoder.counters.dropped_bytes == 0


def test_merged_frames_come_out_in_order() -> None:
    assert reply_decoder().feed(ONE_TAG + NO_TAG + ACTIVE, 0.0) == [TAG, NOTHING, REPORT]


@pytest.mark.parametrize("request_", ["04 FF 01 1B B4", "04 FF 21 19 95"])
def test_the_echo_of_our_own_request_is_no_reply(request_: str) -> None:
    decoder = reply_decoder()
    raw = bytes.fromhex(request_)
    assert decoder.feed(raw + ONE_TAG, 0.0) + decoder.end_of_request() == [TAG]
    assert decoder.counters.dropped_bytes == len(raw)


def test_damage_costs_one_frame_and_is_counted() -> None:
    decoder = reply_decoder()
    damaged = ONE_TAG[:9] + b"\xff" + ONE_TAG[10:]
    assert decoder.feed(damaged + ONE_TAG, 0.0) + decoder.end_of_request() == [TAG]
    assert (decoder.counters.crc_errors, decoder.counters.dropped_bytes) == (1, len(damaged))


@pytest.mark.parametrize("stray", ["FF", "FF 00 01", "80 00 EE", "56 00 00 00 00 00", "05", "15 00 01 03 01"])
def test_stray_header_swallows_nothing_beyond_the_next_gap(stray: str) -> None:
    decoder = reply_decoder()
    frames = decoder.feed(bytes.fromhex(stray) + ONE_TAG, 0.0)
    frames += decoder.feed(b"", 20.0)
    assert frames == [TAG]
    for number in range(1, 200):
        assert decoder.feed(ONE_TAG, 100.0 * number) == [TAG]
