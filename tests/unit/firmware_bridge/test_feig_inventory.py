"""Data sets of the inventory reply for each tag type of hardware_docs/protocols/feig.md, with antennas and without."""

from __future__ import annotations

import pytest

from firmware_bridge.protocols.family import TagKind, TagRead
from firmware_bridge.protocols.feig.frames import Control, Request
from firmware_bridge.protocols.feig.inventory import (
    AntennaReading,
    DataSet,
    StayQuiet,
    TransponderType,
    decode_data_sets,
    encode_data_sets,
)
from firmware_bridge.protocols.frame_error import FrameError

UID8 = bytes.fromhex("E004015306A22D70")
EPC = bytes.fromhex("30751FEB705C5904E3D50D70")

SETS = {
    "03 00 E0 04 01 53 06 A2 2D 70": (DataSet(TransponderType.ISO15693, UID8), TagKind.ISO15693),
    "00 00 E0 04 01 53 06 A2 2D 70": (DataSet(TransponderType.I_CODE_1, UID8), None),
    "01 00 E0 04 01 53 06 A2 2D 70": (DataSet(TransponderType.TAG_IT, UID8), None),
    "04 00 01 04 11 22 33 44 55 66": (
        DataSet(TransponderType.ISO14443A, bytes.fromhex("04112233445566"), b"\x00\x01"),
        TagKind.ISO14443A,
    ),
    "04 04 01 04 11 22 33 44 55 66 77 88 99": (
        DataSet(TransponderType.ISO14443A, bytes.fromhex("04112233445566778899"), b"\x04\x01"),
        TagKind.ISO14443A,
    ),
    "05 07 E0 04 01 53 06 A2 2D 70": (DataSet(TransponderType.ISO14443B, UID8, b"\x07"), TagKind.ISO14443B),
    "09 00 0E 30 00 30 75 1F EB 70 5C 59 04 E3 D5 0D 70": (
        DataSet(TransponderType.ISO18000_3M3, EPC),
        TagKind.ISO18000_3M3,
    ),
    "84 00 0E 30 00 30 75 1F EB 70 5C 59 04 E3 D5 0D 70": (DataSet(TransponderType.EPC_C1G2, EPC), TagKind.EPC),
}


@pytest.mark.parametrize("published", SETS)
def test_each_transponder_type_both_ways(published: str) -> None:
    raw = b"\x01" + bytes.fromhex(published)
    one, kind = SETS[published]
    assert decode_data_sets(raw, antenna_records=False) == (one,)
    assert encode_data_sets([one], antenna_records=False) == raw
    assert one.kind == kind


def test_xpc_word_is_no_part_of_the_epc() -> None:
    raw = bytes.fromhex("01 09 00 10 32 00 80 01 30 75 1F EB 70 5C 59 04 E3 D5 0D 70")
    told = DataSet(TransponderType.ISO18000_3M3, EPC, xpc=b"\x80\x01")
    assert decode_data_sets(raw, antenna_records=False) == (told,)
    assert encode_data_sets([told], antenna_records=False) == raw
    assert told.to_tag_reads() == (TagRead(EPC.hex().upper(), TagKind.ISO18000_3M3),)
    heard = DataSet(TransponderType.ISO18000_3M3, EPC, antennas=(AntennaReading(1, 0, 9),), xpc=b"\x80\x01")
    records = encode_data_sets([heard], antenna_records=True)
    assert decode_data_sets(records, antenna_records=True) == (heard,)


@pytest.mark.parametrize("words", [1, 4, 6, 8, 16, 31])
def test_epc_of_any_length_is_told_by_its_control_word(words: int) -> None:
    told = DataSet(TransponderType.ISO18000_3M3, bytes(range(2 * words)))
    raw = encode_data_sets([told], antenna_records=False)
    assert raw[4] >> 3 == words
    assert decode_data_sets(raw, antenna_records=False) == (told,)
    with pytest.raises(FrameError, match="whole words"):
        encode_data_sets([DataSet(TransponderType.EPC_C1G2, bytes(2 * words - 1))], antenna_records=False)


def test_stay_quiet_names_its_tag() -> None:
    request = StayQuiet(UID8).to_request()
    assert request.data == bytes.fromhex("02 01") + UID8
    assert StayQuiet.from_request(request) == StayQuiet(UID8)
    for data, code in (("01 00", "not_stay_quiet"), ("02 01", "length"), ("02 00 E0 04 01 53 06 A2 2D 70", "length")):
        with pytest.raises(FrameError) as refused:
            StayQuiet.from_request(Request(Control.ISO_HOST_COMMAND, bytes.fromhex(data)))
        assert refused.value.code == code


@pytest.mark.parametrize("published", SETS)
def test_antenna_records_survive_the_way_there(published: str) -> None:
    one, _ = SETS[published]
    heard = DataSet(
        one.transponder_type, one.uid, one.info[:1], (AntennaReading(1, 0, 0x40), AntennaReading(3, 0, 0x90))
    )
    raw = encode_data_sets([heard], antenna_records=True)
    assert decode_data_sets(raw, antenna_records=True) == (heard,)


def test_antenna_record_layout() -> None:
    heard = DataSet(TransponderType.ISO15693, UID8, antennas=(AntennaReading(2, 0, 0x55),))
    layout = "01 | 11 03 00 08 E0 04 01 53 06 A2 2D 70 | 01 02 00 55 00 00 00 00".replace("|", "")
    assert encode_data_sets([heard], antenna_records=True) == bytes.fromhex(layout)


def test_one_read_for_each_antenna_that_heard_the_tag() -> None:
    heard = DataSet(
        TransponderType.ISO15693,
        UID8,
        antennas=(AntennaReading(1, 0, 10), AntennaReading(2, 0x84, 0), AntennaReading(3, 0, 20)),
    )
    uid, kind = "E004015306A22D70", TagKind.ISO15693
    assert heard.to_tag_reads() == (TagRead(uid, kind, 1, 10), TagRead(uid, kind, 3, 20))


def test_set_without_tag_fields_is_passed_over() -> None:
    raw = bytes.fromhex("02 10 01 01 00 55 00 00 00 00 | 01 03 00 08 E0 04 01 53 06 A2 2D 70".replace("|", ""))
    assert [one.uid for one in decode_data_sets(raw, antenna_records=True)] == [UID8]


@pytest.mark.parametrize(
    "data", ["01", "01 03", "02 03 00 E0 04 01 53 06 A2 2D 70", "01 09 00 01 30", "01 09 00 02 32 00", "01 04 04 00 01"]
)
def test_data_that_end_within_a_tag_are_refused(data: str) -> None:
    with pytest.raises(FrameError) as refused:
        decode_data_sets(bytes.fromhex(data), antenna_records=False)
    assert refused.value.code == "truncated"


def test_unknown_transponder_type_is_refused_by_its_number() -> None:
    with pytest.raises(FrameError, match="7F"):
        decode_data_sets(bytes.fromhex("01 7F 00"), antenna_records=False)


def test_reply_without_data_has_no_tags() -> None:
    assert decode_data_sets(b"", antenna_records=False) == ()


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(FrameError, match="5 bytes"):
        encode_data_sets([DataSet(TransponderType.ISO15693, UID8[:5])], antenna_records=False)
    with pytest.raises(FrameError, match="256"):
        encode_data_sets([DataSet(TransponderType.ISO15693, UID8)] * 256, antenna_records=False)
