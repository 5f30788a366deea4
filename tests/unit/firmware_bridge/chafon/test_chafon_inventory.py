"""Both layouts of the inventory, the reader's description of itself, and the reports of an active reader."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.protocols.chafon.frames import Command, Reply, Request
from firmware_bridge.protocols.chafon.inventory import (
    InventoryRequest,
    Layout,
    ReaderInfo,
    TagRecord,
    decode_active,
    decode_records,
    encode_active,
    encode_records,
)
from firmware_bridge.protocols.family import TagKind, TagRead
from firmware_bridge.protocols.frame_error import FrameError

EPC = bytes.fromhex("E20068160000006012345678")
OTHER = bytes.fromhex("49440000000000000A000334")
EPCS = st.integers(1, 31).flatmap(lambda words: st.binary(min_size=2 * words, max_size=2 * words))


def test_older_layout() -> None:
    raw = bytes.fromhex("02 0C") + EPC + b"\x0c" + OTHER
    assert decode_records(raw, Layout.OLDER) == (TagRecord(EPC), TagRecord(OTHER))
    assert encode_records((TagRecord(EPC), TagRecord(OTHER)), Layout.OLDER) == raw


def test_newer_layout_names_antenna_and_strength() -> None:
    raw = bytes.fromhex("04 02 0C") + EPC + b"\x4b\x0c" + OTHER + b"\x64"
    records = (TagRecord(EPC, 0b100, 0x4B), TagRecord(OTHER, 0b100, 0x64))
    assert decode_records(raw, Layout.NEWER) == records
    assert encode_records(records, Layout.NEWER, antenna=3) == raw
    assert records[0].to_tag_reads() == (TagRead(EPC.hex().upper(), TagKind.EPC, 3, 0x4B),)


def test_one_read_for_each_antenna_that_heard_the_tag() -> None:
    reads = TagRecord(EPC, 0b1000_0101, 9).to_tag_reads()
    assert [read.antenna for read in reads] == [1, 3, 8]
    assert TagRecord(EPC).to_tag_reads() == (TagRead(EPC.hex().upper(), TagKind.EPC),)


@pytest.mark.parametrize("layout", Layout)
@given(st.lists(EPCS, max_size=7), st.integers(1, 8), st.integers(0, 255))
def test_any_tags_survive_the_way(layout: Layout, epcs: list[bytes], antenna: int, rssi: int) -> None:
    newer = layout is Layout.NEWER
    records = tuple(TagRecord(epc, 1 << (antenna - 1) if newer else None, rssi if newer else None) for epc in epcs)
    raw = encode_records(records, layout, antenna)
    assert decode_records(raw, layout) == records


@pytest.mark.parametrize(
    ("raw", "layout"),
    [
        ("01", Layout.OLDER),
        ("01 0C E2 00", Layout.OLDER),
        ("01 02 E2 00 4B", Layout.OLDER),
        ("02 02 E2 00", Layout.OLDER),
        ("01 00", Layout.OLDER),
        ("01 01 02 E2 00", Layout.NEWER),
        ("01 01 02 E2 00 4B 00", Layout.NEWER),
        ("01 02 02 E2 00 4B", Layout.NEWER),
    ],
)
def test_reply_of_the_other_layout_is_refused(raw: str, layout: Layout) -> None:
    with pytest.raises(FrameError) as refused:
        decode_records(bytes.fromhex(raw), layout)
    assert refused.value.code == "layout"


@pytest.mark.parametrize("layout", Layout)
def test_published_replies_are_of_one_layout_only(layout: Layout) -> None:
    older = bytes.fromhex("01 0C") + EPC
    newer = bytes.fromhex("01 01 0C") + EPC + b"\x4b"
    right, wrong = (newer, older) if layout is Layout.NEWER else (older, newer)
    assert [record.epc for record in decode_records(right, layout)] == [EPC]
    with pytest.raises(FrameError):
        decode_records(wrong, layout)


def test_reply_without_data_or_without_tags_has_no_tags() -> None:
    assert decode_records(b"", Layout.OLDER) == decode_records(b"", Layout.NEWER) == ()
    assert decode_records(b"\x00", Layout.OLDER) == decode_records(b"\x01\x00", Layout.NEWER) == ()


@pytest.mark.parametrize("antenna", range(1, 9))
def test_antenna_is_asked_by_its_number_and_told_by_its_bit(antenna: int) -> None:
    asked = InventoryRequest(antenna=antenna)
    assert asked.to_request().data[3] == 0x7F + antenna
    assert InventoryRequest.from_request(asked.to_request()) == asked


def test_request_with_a_mask_is_read_too() -> None:
    raw = bytes.fromhex("04 00 01 00 00 00 00 82 14")
    assert InventoryRequest.from_request(Request(Command.INVENTORY, raw)) == InventoryRequest(3, 20, 4)


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (Request(Command.READER_INFO), "not_inventory"),
        (Request(Command.INVENTORY), "length"),
        (Request(Command.INVENTORY, bytes(6)), "length"),
        (Request(Command.INVENTORY, bytes.fromhex("04 00 00 01 0A")), "antenna"),
        (Request(Command.INVENTORY, bytes.fromhex("04 00 00 88 0A")), "antenna"),
    ],
)
def test_malformed_inventory_requests_are_refused(request_: Request, code: str) -> None:
    with pytest.raises(FrameError) as refused:
        InventoryRequest.from_request(request_)
    assert refused.value.code == code


@pytest.mark.parametrize("antenna", [0, 9])
def test_antenna_that_no_reader_has_cannot_be_asked(antenna: int) -> None:
    with pytest.raises(FrameError):
        InventoryRequest(antenna=antenna).to_request()


def test_published_report_of_an_active_uhfreader18() -> None:
    raw = bytes.fromhex("11 00 EE 00 20 00 70 8C 2B 38 0B 2D 00 00 00 00 E0 56")
    record = decode_active(Reply.from_bytes(raw))
    assert record == TagRecord(bytes.fromhex("2000708C2B380B2D00000000"))
    assert encode_active(record, Layout.OLDER).to_bytes() == raw


@given(EPCS, st.integers(1, 255), st.integers(0, 255))
def test_reports_of_active_readers_tell_their_layout_by_parity(epc: bytes, antennas: int, rssi: int) -> None:
    assert decode_active(encode_active(TagRecord(epc), Layout.OLDER)) == TagRecord(epc)
    told = TagRecord(epc, antennas, rssi)
    assert decode_active(encode_active(told, Layout.NEWER)) == told


@pytest.mark.parametrize("data", ["", "01", "01 02 E2", "01 04 E2 00 4B"])
def test_report_that_is_no_tag_is_refused(data: str) -> None:
    with pytest.raises(FrameError):
        decode_active(Reply(Command.ACTIVE, 0x00, bytes.fromhex(data)))


def test_published_description_of_a_newer_reader() -> None:
    data = bytes.fromhex("00 16 0C 03 4E 00 1E 0A 01 00 00 00")
    info = ReaderInfo.from_data(data)
    assert info == ReaderInfo((0, 22), 0x0C, 10, Layout.NEWER, 30)
    assert info.to_data() == data


def test_reader_that_tells_nothing_of_antennas_is_an_older_one() -> None:
    info = ReaderInfo((3, 1), 0x09, 10, Layout.OLDER, 20)
    assert len(info.to_data()) == 8
    assert ReaderInfo.from_data(info.to_data()) == info
    with pytest.raises(FrameError):
        ReaderInfo.from_data(bytes(7))
