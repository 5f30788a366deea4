"""The BB..7E decoder on a bad line: BB and 7E within frames, damage, noise, splits. It never raises or grows."""

from __future__ import annotations

import random

import pytest

from firmware_bridge.protocols.bb.frames import (
    Frame,
    FrameType,
    TagNotice,
    reply_decoder,
)

NO_TAG = bytes.fromhex("BB 01 FF 00 01 15 16 7E")
NOTICE = bytes.fromhex("BB 02 22 00 11 C9 34 00 30 75 1F EB 70 5C 59 04 E3 D5 0D 70 3A 76 EF 7E")
FULL_OF_MARKS = TagNotice.of(bytes.fromhex("BB7E BB02 2200 11BB 7E7E BBBB"), -69).to_frame().to_bytes()
FRAMES = [Frame.from_bytes(raw) for raw in (NO_TAG, NOTICE, FULL_OF_MARKS)]


def test_one_byte_at_a_time_with_head_and_tail_within() -> None:
    decoder = reply_decoder()
    stream = NO_TAG + NOTICE + FULL_OF_MARKS
    frames = [frame for at, byte in enumerate(stream) for frame in decoder.feed(bytes((byte,)), at * 0.1)]
    assert frames == FRAMES
    assert decoder.pending == 0
    assert decoder.counters.dropped_bytes == 0


def test_merged_frames_come_out_in_order() -> None:
    assert reply_decoder().feed(NO_TAG + NOTICE + FULL_OF_MARKS, 0.0) == FRAMES


def test_the_echo_of_our_own_command_is_no_reply() -> None:
    decoder = reply_decoder()
    assert decoder.feed(bytes.fromhex("BB 00 22 00 00 22 7E") + NOTICE, 0.0) == [FRAMES[1]]
    assert decoder.counters.dropped_bytes == 7


@pytest.mark.parametrize("at", range(len(NOTICE)))
@pytest.mark.parametrize("bit", [0, 7])
def test_any_flipped_bit_costs_one_frame_only(at: int, bit: int) -> None:
    decoder = reply_decoder()
    damaged = NOTICE[:at] + bytes((NOTICE[at] ^ 1 << bit,)) + NOTICE[at + 1 :]
    frames = decoder.feed(damaged + NO_TAG + NOTICE, 0.0) + decoder.feed(b"", 25.0)
    assert frames == [FRAMES[0], FRAMES[1]]
    assert decoder.counters.dropped_bytes == len(NOTICE)


@pytest.mark.parametrize("stray", ["BB", "BB 01", "BB 02 22 00", "BB 02 22 00 40", "BB 01 FF 00 FF", "7E", "BB BB BB"])
def test_frame_behind_a_stray_header_comes_with_its_own_last_byte(stray: str) -> None:
    decoder = reply_decoder()
    assert decoder.feed(bytes.fromhex(stray), 0.0) == []
    assert decoder.feed(NOTICE, 1.0) == [FRAMES[1]]
    for number in range(200):
        assert decoder.feed(NO_TAG, 2.0 + number) == [FRAMES[0]]


def test_truncated_frame_does_not_hold_back_the_next() -> None:
    decoder = reply_decoder()
    assert decoder.feed(NOTICE[:9], 0.0) == []
    assert decoder.feed(NO_TAG, 1.0) == [FRAMES[0]]


@pytest.mark.parametrize("seed", range(4))
def test_fuzz_every_undamaged_notice_is_delivered_and_nothing_else(seed: int) -> None:
    rng = random.Random(seed)
    decoder = reply_decoder()
    now, due, found = 0.0, 0, 0
    for number in range(3000):
        notice = TagNotice.of(rng.randbytes(12), rng.randint(-90, -30)).to_frame().to_bytes()
        if rng.random() < 0.3:
            at = rng.randrange(len(notice))
            notice = notice[:at] + bytes((notice[at] ^ 1 << rng.randrange(8),)) + notice[at + 1 :]
        else:
            due += 1
        cut = rng.randrange(1, len(notice))
        frames = decoder.feed(notice[:cut], now) + decoder.feed(notice[cut:], now + 0.5)
        if number % 5 == 0:
            now += 25.0
            frames += decoder.feed(b"", now)
        assert all(frame.type == FrameType.NOTICE for frame in frames)
        found += len(frames)
    found += len(decoder.end_of_request())
    assert found == due
