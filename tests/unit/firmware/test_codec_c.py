"""The codec in C and the codec in Python are one: the same bytes, the same meaning, the same counters on a bad line."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Iterable
from dataclasses import fields

import pytest

from firmware_bridge.protocols.betline.frames import DecoderCounters, Frame, FrameDecoder
from firmware_bridge.protocols.betline.messages import Hello, Message, Record, Snapshot, SnapshotFlag, read_message
from firmware_bridge.protocols.frame_error import FrameError
from tests.unit.firmware.c_build import TESTS, core, shared_library
from tests.unit.firmware_bridge.betline.examples import EXAMPLES
from tests.unit.firmware_bridge.betline.strategies import random_frame

MESSAGES = 10_000
SOURCES = (*core("bl_cobs", "bl_crc32", "bl_frame", "bl_message"), TESTS / "frames_shim.c")


class Codec:
    """The compiled codec: a decoder, and what it makes of each frame."""

    def __init__(self) -> None:
        self.code = ctypes.CDLL(str(shared_library("codec", SOURCES)))
        self.code.shim_feed.restype = self.code.shim_random.restype = ctypes.c_size_t
        self.out = ctypes.create_string_buffer(400_000)
        self.words = ctypes.create_string_buffer(2_000_000)
        self.begin()

    def begin(self) -> None:
        self.code.shim_begin()

    def feed(self, data: bytes) -> tuple[bytes, list[str]]:
        """What it wrote again, and what it said of each frame."""
        told = ctypes.c_size_t()
        sizes = ctypes.c_size_t(len(self.out)), ctypes.c_size_t(len(self.words))
        made = self.code.shim_feed(
            data, ctypes.c_size_t(len(data)), self.out, sizes[0], self.words, sizes[1], ctypes.byref(told)
        )
        return ctypes.string_at(self.out, made), ctypes.string_at(self.words, told.value).decode("ascii").splitlines()

    def random(self, seed: int) -> bytes:
        made = self.code.shim_random(ctypes.c_uint64(seed), self.out, ctypes.c_size_t(len(self.out)))
        return ctypes.string_at(self.out, made)

    @property
    def counters(self) -> DecoderCounters:
        found = (ctypes.c_uint32 * 6)()
        self.code.shim_counters(found)
        return DecoderCounters(*found)


@pytest.fixture(scope="module")
def codec() -> Codec:
    return Codec()


def in_words(frame: Frame) -> str:
    """What the C codec says of this frame, said by Python."""
    try:
        values = " ".join(map(str, values_of(read_message(frame.type, frame.payload))))
    except FrameError:
        values = "no message"
    return f"{frame.type} {frame.seq} {frame.boot_id} {frame.t_ms}: {values}"


def values_of(message: Message) -> Iterable[object]:
    for name in (one.name for one in fields(message)):
        value = getattr(message, name)
        if isinstance(message, Snapshot) and name == "records":
            for record in value:
                assert isinstance(record, Record)
                yield f"{record.uid.hex()} {record.rssi} {record.hits} {record.age_ms}"
        else:
            yield value if isinstance(message, Hello) and name == "serial" else int(value)


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_of_the_page(codec: Codec, name: str) -> None:
    _, frame = EXAMPLES[name]
    codec.begin()
    assert codec.feed(frame.to_bytes()) == (frame.to_bytes(), [in_words(frame)])


def test_what_python_writes_c_reads_and_writes_again(codec: Codec) -> None:
    rng = random.Random(6)
    codec.begin()
    for _ in range(MESSAGES // 100):
        frames = [random_frame(rng)[1] for _ in range(100)]
        raw = b"".join(frame.to_bytes() for frame in frames)
        assert codec.feed(raw) == (raw, [in_words(frame) for frame in frames])
    assert codec.counters == DecoderCounters(frames=MESSAGES)


def test_what_c_writes_python_reads_and_writes_again(codec: Codec) -> None:
    decoder, types = FrameDecoder(), set()
    for seed in range(MESSAGES):
        raw = codec.random(seed)
        [frame] = decoder.feed(raw)
        message = read_message(frame.type, frame.payload)
        again = Frame(message.TYPE, message.to_payload(), frame.seq, frame.boot_id, frame.t_ms)
        assert again.to_bytes() == raw
        types.add(type(message))
    assert len(types) == 10
    assert decoder.counters == DecoderCounters(frames=MESSAGES)


@pytest.mark.parametrize("noise", [b"\x77" * 5000, b"\x03\x01\x02" * 9], ids=["long", "beginnings"])
@pytest.mark.parametrize("count", [0, 1, 18, 19, 20, 39, 58, 78, 119, 120])
def test_a_long_message_behind_noise_is_found_by_both(codec: Codec, count: int, noise: bytes) -> None:
    snapshot = Snapshot(0x01010101, 1, SnapshotFlag(0x1F), 0x0101, (Record(b"\x11" * 8, 1, 1, 0x0101),) * count)
    frame = Frame(snapshot.TYPE, snapshot.to_payload(), 0x0101, 0x01010101, 0x01010101)
    codec.begin()
    assert FrameDecoder().feed(noise + frame.to_bytes()) == [frame]
    assert codec.feed(noise + frame.to_bytes()) == (frame.to_bytes(), [in_words(frame)])


@pytest.mark.parametrize("seed", range(4))
def test_a_bad_line_is_the_same_to_both(codec: Codec, seed: int) -> None:
    rng = random.Random(seed)
    decoder = FrameDecoder()
    codec.begin()
    said = 0
    for _ in range(2500):
        burst = damaged(rng, random_frame(rng)[1].to_bytes())
        while burst:
            cut = rng.randint(1, len(burst))
            found = [in_words(frame) for frame in decoder.feed(burst[:cut])]
            assert codec.feed(burst[:cut])[1] == found
            said += len(found)
            burst = burst[cut:]
    assert codec.counters == decoder.counters
    assert said == decoder.counters.frames > 500
    counters = decoder.counters
    assert min(counters.damaged, counters.versions, counters.overruns, counters.resyncs) > 10


def damaged(rng: random.Random, raw: bytes) -> bytes:
    """A frame as a bad line, or another version, would leave it."""
    what = rng.randrange(9)
    broken = bytearray(raw)
    if what == 0:
        broken[rng.randrange(len(broken))] ^= 1 << rng.randrange(8)
    elif what == 1:
        return raw[: rng.randrange(len(raw))]
    elif what == 2:
        return rng.randbytes(rng.randint(1, 12)) + raw
    elif what == 3:
        return raw[:-1] + raw
    elif what == 4 and rng.random() < 0.3:
        return bytes(byte or 1 for byte in rng.randbytes(rng.randint(1500, 6000))) + raw
    elif what == 4:
        return b"\x03\x01" * rng.randint(1, 300) + raw
    elif what == 5:
        at = rng.randrange(len(raw))
        return raw[:at] + rng.randbytes(rng.randint(1, 4)) + raw[at:]
    elif what == 6:
        return of_another_version(raw)
    elif what == 7:
        return Frame(rng.randrange(256), rng.randbytes(rng.randrange(30)), 1, 2, 3).to_bytes()
    return bytes(broken)


def of_another_version(raw: bytes) -> bytes:
    from binascii import crc32

    from firmware_bridge.protocols.betline import cobs

    body = cobs.decode(raw[:-1])
    assert body is not None
    covered = b"\x02" + body[1:-4]
    return cobs.encode(covered + crc32(covered).to_bytes(4, "little")) + b"\0"
