"""Every frame of hardware_docs/protocols/feig.md, byte for byte, both ways."""

from __future__ import annotations

import pytest

from firmware_bridge.protocols.crc16 import crc16_mcrf4xx, crc_holds
from firmware_bridge.protocols.feig.frames import (
    ANY_READER,
    Control,
    Reply,
    Request,
    reply_decoder,
    request_decoder,
)
from firmware_bridge.protocols.feig.inventory import InventoryMode, decode_data_sets
from firmware_bridge.protocols.frame_error import FrameError

INVENTORY = InventoryMode().to_request()
ONE_TAG = bytes.fromhex("01 03 00 E0 04 01 53 06 A2 2D 70")
TWO_TAGS = bytes.fromhex("02 03 00 E0 04 01 53 06 A2 2D 70 03 00 E0 04 01 53 06 A2 2D 80")

REQUESTS = {
    "02 00 09 FF B0 01 00 18 43": InventoryMode().to_request(advanced=True),
    "07 FF B0 01 00 1C 56": INVENTORY,
    "07 FF B0 01 80 14 D2": InventoryMode(more=True).to_request(),
    "02 00 09 FF B0 01 80 10 C7": InventoryMode(more=True).to_request(advanced=True),
    "08 FF B0 01 10 01 2A 63": InventoryMode(antennas=1).to_request(),
    "05 FF 69 89 01": Request(Control.RF_RESET),
    "06 FF 52 00 0F 6E": Request(Control.BAUD_DETECTION, b"\x00"),
    "05 FF 65 E5 CB": Request(Control.SOFTWARE_VERSION),
    "06 FF 6A 00 6D 16": Request(Control.RF_ON_OFF, b"\x00"),
    "06 FF 6A 01 E4 07": Request(Control.RF_ON_OFF, b"\x01"),
}
REPLIES = {
    "06 00 B0 01 5C 63": Reply(0xB0, 0x01),
    "02 00 08 00 B0 01 19 CE": Reply(0xB0, 0x01, advanced=True),
    "11 00 B0 00 01 03 00 E0 04 01 53 06 A2 2D 70 BF 2B": Reply(0xB0, 0x00, ONE_TAG),
    "02 00 13 00 B0 00 01 03 00 E0 04 01 53 06 A2 2D 70 64 6F": Reply(0xB0, 0x00, ONE_TAG, advanced=True),
    "1B 00 B0 00 02 03 00 E0 04 01 53 06 A2 2D 70 03 00 E0 04 01 53 06 A2 2D 80 6C D4": Reply(0xB0, 0x00, TWO_TAGS),
    "11 00 B0 94 01 03 00 E0 04 01 53 06 A2 2D 70 D1 95": Reply(0xB0, 0x94, ONE_TAG),
    "06 00 69 00 F6 FA": Reply(0x69, 0x00),
    "06 00 52 00 FC A8": Reply(0x52, 0x00),
    "06 00 B0 80 DD F6": Reply(0xB0, 0x80),
    "06 00 B0 81 54 E7": Reply(0xB0, 0x81),
}


def test_crc_is_mcrf4xx() -> None:
    assert crc16_mcrf4xx(b"123456789") == 0x6F91
    assert all(crc_holds(bytes.fromhex(frame)) for frame in (*REQUESTS, *REPLIES))


@pytest.mark.parametrize("published", REQUESTS)
def test_published_requests(published: str) -> None:
    raw, frame = bytes.fromhex(published), REQUESTS[published]
    assert frame.to_bytes() == raw
    assert Request.from_bytes(raw) == frame
    assert request_decoder().feed(raw, 0.0) == [frame]


@pytest.mark.parametrize("published", REPLIES)
def test_published_replies(published: str) -> None:
    raw, frame = bytes.fromhex(published), REPLIES[published]
    assert frame.to_bytes() == raw
    assert Reply.from_bytes(raw) == frame
    assert reply_decoder().feed(raw, 0.0) == [frame]


def test_published_tags_are_read() -> None:
    assert [one.uid.hex().upper() for one in decode_data_sets(TWO_TAGS, antenna_records=False)] == [
        "E004015306A22D70",
        "E004015306A22D80",
    ]


def test_inventory_mode_survives_the_way_there() -> None:
    for mode in (InventoryMode(), InventoryMode(more=True), InventoryMode(more=True, antennas=0x80)):
        assert InventoryMode.from_request(mode.to_request()) == mode


@pytest.mark.parametrize("data", ["01", "01 10", "01 00 01", "01 40", "02 00"])
def test_malformed_inventory_requests_are_refused(data: str) -> None:
    with pytest.raises(FrameError):
        InventoryMode.from_request(Request(Control.ISO_HOST_COMMAND, bytes.fromhex(data)))


def test_notify_timeout_is_skipped() -> None:
    request = Request(Control.ISO_HOST_COMMAND, bytes.fromhex("01 50 0A 02"))
    assert InventoryMode.from_request(request) == InventoryMode(antennas=2)


def test_damaged_and_short_frames_are_refused_with_their_reason() -> None:
    raw = INVENTORY.to_bytes()
    with pytest.raises(FrameError) as damaged:
        Request.from_bytes(raw[:-1] + bytes((raw[-1] ^ 1,)))
    assert damaged.value.code == "crc"
    with pytest.raises(FrameError) as short:
        Request.from_bytes(raw[:-1])
    assert short.value.code == "length"
    with pytest.raises(FrameError):
        Request.from_bytes(b"")


def test_standard_frames_end_at_255_bytes_and_advanced_at_65535() -> None:
    assert len(Reply(0xB0, 0, bytes(249)).to_bytes()) == 255
    assert not Reply(0xB0, 0, bytes(250)).fits_standard
    with pytest.raises(FrameError, match="255"):
        Reply(0xB0, 0, bytes(250)).to_bytes()
    longest = Reply(0xB0, 0, bytes(65_535 - 8), advanced=True).to_bytes()
    assert reply_decoder().feed(longest, 0.0)[0].data == bytes(65_535 - 8)
    with pytest.raises(FrameError, match="65535"):
        Reply(0xB0, 0, bytes(65_535 - 7), advanced=True).to_bytes()


def test_any_reader_is_address_255() -> None:
    assert INVENTORY.to_bytes()[1] == ANY_READER == 255
