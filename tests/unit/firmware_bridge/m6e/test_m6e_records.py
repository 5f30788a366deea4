"""Tags in the answers of the module: pushed ones, and those of its buffer, as recorded and as built."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.protocols.family import TagKind, TagRead
from firmware_bridge.protocols.frame_error import FrameError
from firmware_bridge.protocols.m6e.frames import Command, Opcode, Response
from firmware_bridge.protocols.m6e.records import Cursor, Metadata, TagRecord, decode_records, encode_records
from firmware_bridge.protocols.m6e.search import (
    STOP_CONTINUOUS,
    Search,
    buffer_response,
    buffered,
    found_count,
    found_response,
    is_pushed,
    is_stop,
    pushed,
    pushed_response,
)
from firmware_bridge.protocols.m6e.setup import choose_antenna, chosen_antennas

PUSHED = [
    "FF 28 22 00 00 10 00 1B 01 FF 01 01 C4 11 0E 16 40 00 00 01 27 00 00 05 00 00 0F 00 80 30 00 00 00 00 00 00 00 "
    "00 00 00 00 15 45 E9 4A 56 1D",
    "FF 20 22 00 00 10 00 1B 01 FF 01 01 C7 11 0E 08 30 00 00 00 0F 00 00 05 00 00 0F 00 40 10 00 59 6F 59 6F F3 13 "
    "89 90",
    "FF 28 22 00 00 10 00 1B 01 FF 01 01 C9 11 0E 08 30 00 00 00 13 00 00 05 00 00 0F 00 80 30 00 E2 00 10 26 76 0E "
    "01 79 15 90 71 25 19 85 57 97",
]
"""The first is published (hardware_docs/protocols/m6e.md); the others come with SparkFun's library."""
BANKS = "3020" + "00" * 64 + "0004" + "00" * 8 + "1008 78DE 3000 E2000015860E026815507DBB"
BANKS += "200C E200 3412 015F FF00 062F 7DBB 0219 015C 300D 5FFB FFFF DC00"
BUFFER = (
    "0F FF 00 03"
    f"01 E9 11 0E0E70 00000039 00AE 05 03C0 {BANKS} 80 02 00 00 0080 3000 E2000015860E026815507DBB 78DE"
    "01 E9 11 0E0E70 00000052 0081 05 0000 80 02 00 00 0080 3000 E2000015860E027215408009 9B4D"
    "01 E9 11 0E0E70 00000066 0081 05 0000 80 02 00 00 0080 3000 E2000015860E027215408009 9B4D"
)
"""The data of an answer to 29 with all metadata, from a comment in a driver for the M6e Nano, where it has no CRC."""
FLAGS = st.integers(0, 0x0FFF).map(lambda flags: flags | Metadata.RSSI | Metadata.ANTENNA | Metadata.READ_COUNT)


def records() -> st.SearchStrategy[TagRecord]:
    return st.builds(
        TagRecord,
        st.integers(1, 15).flatmap(lambda words: st.binary(min_size=2 * words, max_size=2 * words)),
        st.integers(-128, 0),
        st.integers(1, 4),
        st.integers(0, 255),
    )


def test_published_tag_is_read() -> None:
    [one] = pushed(Response.from_bytes(bytes.fromhex(PUSHED[0])))
    assert one == TagRecord(
        bytes.fromhex("00 00 00 00 00 00 00 00 00 00 15 45"),
        rssi=-60,
        antenna=1,
        read_count=1,
        frequency_khz=923_200,
        timestamp_ms=295,
        gpio=0x0F,
    )
    assert one.to_tag_read(None) == TagRead("000000000000000000001545", TagKind.EPC, None, -60)
    assert one.to_tag_read(1).antenna == 1


@pytest.mark.parametrize("recorded", PUSHED)
def test_recorded_tags_are_written_as_they_were_read(recorded: str) -> None:
    raw = bytes.fromhex(recorded)
    response = Response.from_bytes(raw)
    assert is_pushed(response)
    [one] = pushed(response)
    assert pushed_response(one).to_bytes() == raw


def test_recorded_buffer_is_read() -> None:
    data = bytes.fromhex(BUFFER)
    assert len(data) == 0xEB
    found = buffered(Response(Opcode.GET_TAG_BUFFER, 0, data))
    assert [one.epc.hex().upper() for one in found] == ["E2000015860E026815507DBB"] + ["E2000015860E027215408009"] * 2
    assert [(one.rssi, one.antenna, one.timestamp_ms, len(one.data)) for one in found] == [
        (-23, 1, 0x39, 120),
        (-23, 1, 0x52, 0),
        (-23, 1, 0x66, 0),
    ]


@given(st.lists(records(), max_size=5), FLAGS)
def test_records_survive_the_way_there_with_any_metadata(tags: list[TagRecord], flags: int) -> None:
    assert decode_records(Cursor(encode_records(tags, flags)), flags, len(tags)) == tuple(tags)


@given(st.binary(max_size=120))
def test_any_bytes_are_tags_or_a_frame_error(data: bytes) -> None:
    for read, response in ((buffered, Response(Opcode.GET_TAG_BUFFER, 0, data)), (pushed, Response(0x22, 0, data))):
        try:
            tags = read(response)
        except FrameError:
            continue
        assert all(tag.epc for tag in tags)


def test_extended_protocol_control_is_no_part_of_the_epc() -> None:
    for told in ("32 00 00 01 E2 00 AB CD 12 34", "32 00 80 01 00 02 E2 00 AB CD 12 34"):
        record = bytes.fromhex(f"{len(bytes.fromhex(told)) * 8:04X}" + told)
        [one] = decode_records(Cursor(record), 0, 1)
        assert one.epc.hex() == "e200abcd"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ("00", "truncated"),
        ("10 00 00 01", "metadata"),
        ("00 00 00 01 00 80 30 00", "truncated"),
        ("00 00 00 01 00 20 30 00 12 34", "truncated"),
        ("00 00 00 00 00", "surplus"),
    ],
)
def test_broken_buffers_are_refused_with_their_reason(data: str, code: str) -> None:
    with pytest.raises(FrameError) as refused:
        buffered(Response(Opcode.GET_TAG_BUFFER, 0, bytes.fromhex(data)))
    assert refused.value.code == code


@pytest.mark.parametrize("epc", [b"", b"\x01", bytes(64)])
def test_tags_that_cannot_be_are_not_written(epc: bytes) -> None:
    with pytest.raises(FrameError):
        pushed_response(TagRecord(epc))


def test_buffer_is_told_in_answers_of_255_bytes_at_most() -> None:
    tags = [TagRecord(bytes((0xE2, *bytes(10), number)), -50, 1) for number in range(30)]
    told: list[TagRecord] = []
    while len(told) < len(tags):
        response, count = buffer_response(tags[len(told) :])
        assert count > 5
        assert len(response.to_bytes()) <= 255
        told += buffered(response)
    assert told == tags


@pytest.mark.parametrize(
    ("data", "count"), [("00 00 13 05", 5), ("00 00 13 00 05", 5), ("10 00 13 00 00 01 02", 258), ("00" * 7 + "09", 9)]
)
def test_count_of_a_search_has_one_byte_or_four(data: str, count: int) -> None:
    assert found_count(Response(Opcode.READ_MULTIPLE, 0, bytes.fromhex(data))) == count
    assert found_count(found_response(count)) == count
    with pytest.raises(FrameError):
        found_count(Response(Opcode.READ_MULTIPLE, 0, bytes(6)))


def test_searches_survive_the_way_there_and_others_are_refused() -> None:
    for search in (Search(60), Search(65_535), Search(1000, pushing=True)):
        assert Search.from_command(search.to_command()) == search
    for other in (STOP_CONTINUOUS, Command(Opcode.READ_MULTIPLE), Command(Opcode.READ_MULTIPLE, bytes(7))):
        with pytest.raises(FrameError):
            Search.from_command(other)
    assert is_stop(STOP_CONTINUOUS)
    assert not is_stop(Search(1000, pushing=True).to_command())


def test_antennas_are_chosen_by_pairs() -> None:
    assert chosen_antennas(choose_antenna(3)) == (3,)
    for other in (b"", b"\x02", b"\x02\x01", b"\x01\x01\x01"):
        with pytest.raises(FrameError):
            chosen_antennas(Command(Opcode.SET_ANTENNA, other))
