"""Frames of our own firmware: COBS, CRC, golden bytes, and a decoder that a bad line does not put out of step."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.protocols.betline import cobs
from firmware_bridge.protocols.betline.frames import MAX_ENCODED, MAX_PAYLOAD, Frame, FrameDecoder
from firmware_bridge.protocols.betline.messages import Record, Snapshot, SnapshotFlag
from firmware_bridge.protocols.frame_error import FrameError
from tests.unit.firmware_bridge.betline.examples import EXAMPLES
from tests.unit.firmware_bridge.betline.strategies import random_frame

READ = EXAMPLES["READ, antenna 1"][1]
LONG = EXAMPLES["SNAPSHOT, 2 tags"][1]

# The examples of the paper and of its article in Wikipedia.
PUBLISHED = {
    "": "01",
    "00": "01 01",
    "00 00": "01 01 01",
    "00 11 00": "01 02 11 01",
    "11 22 00 33": "03 11 22 02 33",
    "11 22 33 44": "05 11 22 33 44",
    "11 00 00 00": "02 11 01 01 01",
    bytes(range(1, 255)).hex(): "FF" + bytes(range(1, 255)).hex(),
    bytes(range(255)).hex(): "01 FF" + bytes(range(1, 255)).hex(),
    bytes(range(1, 256)).hex(): "FF" + bytes(range(1, 255)).hex() + "02 FF",
    (bytes(range(2, 256)) + b"\0").hex(): "FF" + bytes(range(2, 256)).hex() + "01 01",
    (bytes(range(3, 256)) + b"\0\1").hex(): "FE" + bytes(range(3, 256)).hex() + "02 01",
}


@pytest.mark.parametrize("data", PUBLISHED)
def test_published_cobs_both_ways(data: str) -> None:
    assert cobs.encode(bytes.fromhex(data)) == bytes.fromhex(PUBLISHED[data])
    assert cobs.decode(bytes.fromhex(PUBLISHED[data])) == bytes.fromhex(data)


@given(st.binary(max_size=1200))
def test_any_bytes_through_cobs(data: bytes) -> None:
    raw = cobs.encode(data)
    assert 0 not in raw
    assert len(raw) <= cobs.longest(len(data))
    assert cobs.decode(raw) == data


@pytest.mark.parametrize("raw", ["", "00", "02", "05 11 22", "03 11 22 05 11", "FF 01"])
def test_what_is_no_cobs_is_refused(raw: str) -> None:
    assert cobs.decode(bytes.fromhex(raw)) is None


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_both_ways(name: str) -> None:
    _, frame = EXAMPLES[name]
    raw = frame.to_bytes()
    assert raw.count(0) == 1
    assert raw[-1] == 0
    assert Frame.from_bytes(raw) == Frame.from_bytes(raw[:-1]) == frame


def test_the_body_is_little_endian_with_the_crc_at_its_end() -> None:
    body = cobs.decode(Frame(0x82, b"\x05\x00\x01", 0x0102, 0x03040506, 0x0708090A).to_bytes()[:-1])
    assert body is not None
    assert body[:-4] == bytes.fromhex("01 82 02 01 06 05 04 03 0A 09 08 07 05 00 01")
    assert body[-4:] == bytes.fromhex("0F D2 27 75")


def test_damage_and_another_version_are_refused_by_name() -> None:
    raw = bytearray(READ.to_bytes())
    raw[5] ^= 2
    with pytest.raises(FrameError) as damaged:
        Frame.from_bytes(bytes(raw))
    assert damaged.value.code == "damaged"
    with pytest.raises(FrameError) as newer:
        Frame.from_bytes(of_version(2, READ))
    assert newer.value.code == "version"
    with pytest.raises(FrameError, match="1584"):
        Frame(1, bytes(MAX_PAYLOAD + 1)).to_bytes()


def of_version(version: int, frame: Frame) -> bytes:
    """The same frame as another version would send it, with a sound CRC."""
    from binascii import crc32

    body = cobs.decode(frame.to_bytes()[:-1])
    assert body is not None
    covered = bytes((version,)) + body[1:-4]
    return cobs.encode(covered + crc32(covered).to_bytes(4, "little")) + b"\0"


def test_one_byte_at_a_time() -> None:
    decoder = FrameDecoder()
    stream = READ.to_bytes() + LONG.to_bytes() + READ.to_bytes()
    ends = [at for at, byte in enumerate(stream) if not byte]
    found = [(at, frame) for at, byte in enumerate(stream) for frame in decoder.feed(bytes((byte,)))]
    assert found == list(zip(ends, [READ, LONG, READ], strict=True))
    assert decoder.pending == 0


def test_merged_frames_and_empty_ones() -> None:
    decoder = FrameDecoder()
    assert decoder.feed(b"\0\0" + READ.to_bytes() + b"\0" + LONG.to_bytes() + b"\0") == [READ, LONG]
    assert decoder.counters.resyncs == 0


@pytest.mark.parametrize("noise", ["FF", "55 55 55", "03 01 82", "04 01 82 01 01", "01 01 01 01", "FF 01 81" * 40])
def test_a_frame_right_behind_noise_is_delivered_with_its_own_last_byte(noise: str) -> None:
    decoder = FrameDecoder()
    *before, last = decoder.feed(bytes.fromhex(noise) + LONG.to_bytes())
    assert (before, last) == ([], LONG)
    counters = decoder.counters
    assert (counters.frames, counters.damaged, counters.resyncs) == (1, 0, 1)
    assert counters.dropped == len(bytes.fromhex(noise))


def test_a_lost_delimiter_costs_one_frame() -> None:
    decoder = FrameDecoder()
    assert decoder.feed(READ.to_bytes()[:-1] + LONG.to_bytes() + READ.to_bytes()) == [LONG, READ]


def test_damage_costs_one_frame_and_is_counted() -> None:
    decoder = FrameDecoder()
    raw = bytearray(LONG.to_bytes())
    raw[20] ^= 4
    assert decoder.feed(bytes(raw) + READ.to_bytes()) == [READ]
    assert decoder.counters.damaged == 1
    assert decoder.line.crc_errors == 1
    assert decoder.line.dropped_bytes == len(raw) - 1


def test_another_version_is_counted_by_itself() -> None:
    decoder = FrameDecoder()
    assert decoder.feed(of_version(2, READ) + READ.to_bytes()) == [READ]
    assert (decoder.counters.versions, decoder.counters.damaged) == (1, 0)
    assert decoder.line.crc_errors == 1


def test_what_has_no_delimiter_is_forgotten_and_a_frame_behind_it_is_found() -> None:
    decoder = FrameDecoder()
    for _ in range(100):
        assert decoder.feed(b"\x55" * 1000) == []
        assert decoder.pending <= 2 * MAX_ENCODED
    assert decoder.feed(LONG.to_bytes()) == [LONG]
    assert decoder.counters.overruns == 1
    assert decoder.counters.dropped == 100_000


def test_the_longest_frame_fits() -> None:
    longest = Frame(0x02, b"\x01" * MAX_PAYLOAD, 1, 2, 3)
    raw = longest.to_bytes()
    assert len(raw) - 1 == MAX_ENCODED
    assert FrameDecoder().feed(raw) == [longest]


@pytest.mark.parametrize("byte", [1, 2, 0x77, 0xFF])
@pytest.mark.parametrize("count", [1, 17, 18, 19, 20, 39, 119, 120])
def test_the_longest_messages_are_found_behind_noise(count: int, byte: int) -> None:
    records = (Record(bytes((byte,)) * 8, byte, byte, 257 * byte),) * count
    snapshot = Snapshot(0x01010101, byte, SnapshotFlag(byte), 257 * byte, records)
    frame = Frame(snapshot.TYPE, snapshot.to_payload(), 257, 0x01020304, 0x01020304)
    assert FrameDecoder().feed(b"\x77" * 5000 + frame.to_bytes()) == [frame]
    assert FrameDecoder().feed(b"\x03\x01\x02" * 9 + frame.to_bytes()) == [frame]


@pytest.mark.parametrize("seed", range(3))
def test_fuzz_every_undamaged_frame_is_delivered_with_its_last_byte(seed: int) -> None:
    rng = random.Random(seed)
    decoder = FrameDecoder()
    fed = told = 0
    for _ in range(4000):
        what = rng.random()
        _, frame = random_frame(rng)
        raw = frame.to_bytes()
        expected = []
        if what < 0.3:
            burst = rng.randbytes(rng.randint(1, 80))
        elif what < 0.5:
            broken = bytearray(raw)
            broken[rng.randrange(len(broken))] ^= 1 << rng.randrange(8)
            burst = bytes(broken[: rng.randint(1, len(broken))])
        else:
            burst, expected = raw, [frame]
        found = decoder.feed(burst)
        if expected:
            assert found[-1:] == expected
        told += len(found)
        fed += len(burst)
        assert decoder.pending <= 2 * MAX_ENCODED
    counters = decoder.counters
    assert counters.frames == told
    assert counters.resyncs > 500


@pytest.mark.one_in(4)
@pytest.mark.parametrize("beginning", [b"\x03\x01", b"\x03\x01\x02", b"\x04\x01\x02\x09", b"\xff\x01\x02"])
def test_noise_made_of_beginnings_does_not_hold_the_line_up(beginning: bytes) -> None:
    noise = (beginning * (1600 // len(beginning)) + b"\0") * 30
    decoder = FrameDecoder()
    began_s = time.process_time()
    assert decoder.feed(noise) == []
    assert time.process_time() - began_s < len(noise) / 11_520
    assert decoder.counters.damaged == 30
    assert decoder.feed(beginning * 300 + LONG.to_bytes()) == [LONG]
