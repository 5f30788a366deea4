"""Each frame of hardware_docs/protocols/chafon.md and replies of other drivers' tests, both ways; none is FEIG's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.protocols.chafon.frames import (
    ANY_READER,
    MAX_REPLY_DATA,
    Command,
    Reply,
    Request,
    reply_decoder,
    request_decoder,
)
from firmware_bridge.protocols.chafon.inventory import InventoryRequest
from firmware_bridge.protocols.chafon.status import Status, meaning
from firmware_bridge.protocols.crc16 import crc_holds
from firmware_bridge.protocols.feig import frames as feig
from firmware_bridge.protocols.frame_error import FrameError

REQUESTS = {
    "04 FF 21 19 95": Request(Command.READER_INFO),
    "04 00 21 D9 6A": Request(Command.READER_INFO, address=0),
    "04 FF 01 1B B4": Request(Command.INVENTORY),
    "04 00 01 DB 4B": Request(Command.INVENTORY, address=0),
    "05 00 24 00 25 29": Request(Command.SET_ADDRESS, b"\x00", 0),
    "05 00 2F 1E 72 34": Request(Command.SET_POWER, b"\x1e", 0),
    "06 00 22 31 80 E1 96": Request(Command.SET_FREQUENCY, b"\x31\x80", 0),
    "09 00 01 01 00 00 80 0A 76 FC": Request(Command.INVENTORY, bytes.fromhex("01 00 00 80 0A"), 0),
}
EPC = "E2 00 68 16 00 00 00 60 12 34 56 78"
REPLIES = {
    f"13 00 01 01 01 0C {EPC} 9D 78": Reply(0x01, 0x01, bytes.fromhex(f"01 0C {EPC}")),
    f"15 00 01 01 01 01 0C {EPC} 4B C5 36": Reply(0x01, 0x01, bytes.fromhex(f"01 01 0C {EPC} 4B")),
    "05 00 01 FB F2 3D": Reply(0x01, Status.NO_TAG),
    "07 00 01 01 01 00 1E 4B": Reply(0x01, Status.FINISHED, b"\x01\x00"),
    "13 00 01 03 01 0C 00 00 00 00 00 00 00 00 00 00 03 13 3F 39": Reply(
        0x01, Status.MORE_FRAMES, bytes.fromhex("01 0C 00 00 00 00 00 00 00 00 00 00 03 13")
    ),
    "15 00 01 03 04 01 0C 49 44 00 00 00 00 00 00 0A 00 03 34 64 25 C0": Reply(
        0x01, Status.MORE_FRAMES, bytes.fromhex("04 01 0C 49 44 00 00 00 00 00 00 0A 00 03 34 64")
    ),
    "0D 00 01 03 01 01 04 00 32 30 38 6D A3 D2": Reply(
        0x01, Status.MORE_FRAMES, bytes.fromhex("01 01 04 00 32 30 38 6D")
    ),
    "11 00 21 00 00 16 0C 03 4E 00 1E 0A 01 00 00 00 E6 51": Reply(
        0x21, 0x00, bytes.fromhex("00 16 0C 03 4E 00 1E 0A 01 00 00 00")
    ),
    "11 00 EE 00 20 00 70 8C 2B 38 0B 2D 00 00 00 00 E0 56": Reply(
        0xEE, 0x00, bytes.fromhex("20 00 70 8C 2B 38 0B 2D 00 00 00 00")
    ),
}
"""From the fourth on they are from the test suites of public drivers; nobody says which were captured."""
FEIG_FRAMES = [
    "02 00 09 FF B0 01 00 18 43",
    "07 FF B0 01 00 1C 56",
    "07 FF B0 01 80 14 D2",
    "06 00 B0 01 5C 63",
    "02 00 08 00 B0 01 19 CE",
    "11 00 B0 00 01 03 00 E0 04 01 53 06 A2 2D 70 BF 2B",
    "02 00 13 00 B0 00 01 03 00 E0 04 01 53 06 A2 2D 70 64 6F",
    "05 FF 69 89 01",
    "06 00 69 00 F6 FA",
    "06 FF 52 00 0F 6E",
    "06 00 52 00 FC A8",
    "05 FF 65 E5 CB",
]


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


def test_published_newer_inventory_is_read() -> None:
    asked = InventoryRequest.from_request(REQUESTS["09 00 01 01 00 00 80 0A 76 FC"])
    assert asked == InventoryRequest(antenna=1, scan_time=10, q=1, session=0, target=0)
    assert asked.to_request().data == bytes.fromhex("01 00 00 80 0A")


def test_length_counts_what_follows_it() -> None:
    assert all(bytes.fromhex(frame)[0] == len(bytes.fromhex(frame)) - 1 for frame in (*REQUESTS, *REPLIES))


def test_no_command_is_a_control_of_feigs() -> None:
    assert not {int(command) for command in Command} & {int(control) for control in feig.Control}


@pytest.mark.parametrize("published", FEIG_FRAMES)
@pytest.mark.parametrize("behind", ["", "00", "00 00 00", "06 00 B0 01 5C 63"])
def test_feig_frames_are_none_of_ours_whatever_follows(published: str, behind: str) -> None:
    raw = bytes.fromhex(published + behind)
    for decoder in (reply_decoder(), request_decoder()):
        assert decoder.feed(raw, 0.0) + decoder.feed(b"", 25.0) + decoder.end_of_request() == []


@pytest.mark.parametrize("published", [*REQUESTS, *REPLIES])
@pytest.mark.parametrize("behind", ["", "00", "04 00 01 DB 4B"])
def test_our_frames_are_none_of_feigs_whatever_follows(published: str, behind: str) -> None:
    raw = bytes.fromhex(published + behind)
    for decoder in (feig.reply_decoder(), feig.request_decoder()):
        assert decoder.feed(raw, 0.0) + decoder.feed(b"", 25.0) + decoder.end_of_request() == []


def test_the_crc_alone_would_take_one_for_the_other() -> None:
    feigs = bytes.fromhex("06 00 B0 01 5C 63") + b"\x00"
    assert feigs[0] == len(feigs) - 1
    assert crc_holds(feigs)
    assert Reply.from_bytes(feigs).command == feig.Control.ISO_HOST_COMMAND
    assert reply_decoder().feed(feigs, 0.0) == []
    ours = next(
        raw for number in range(1 << 16) if (raw := Reply(0x01, 0x01, number.to_bytes(2, "big")).to_bytes())[-1] == 0
    )
    assert feig.Reply.from_bytes(ours[:-1]).control == Command.INVENTORY
    assert feig.reply_decoder().feed(ours, 0.0) == []


@given(st.sampled_from(feig.Control), st.integers(0, 255), st.binary(max_size=40), st.integers(0, 254))
def test_no_reply_of_feigs_is_one_of_ours(control: feig.Control, status: int, data: bytes, address: int) -> None:
    raw = feig.Reply(control, status, data, address).to_bytes()
    decoder = reply_decoder()
    assert decoder.feed(raw + b"\x00", 0.0) + decoder.end_of_request() == []


@given(st.sampled_from(Command), st.integers(0, 255), st.binary(max_size=40), st.integers(0, 254))
def test_no_reply_of_ours_is_one_of_feigs(command: Command, status: int, data: bytes, address: int) -> None:
    raw = Reply(command, status, data, address).to_bytes()
    decoder = feig.reply_decoder()
    assert decoder.feed(raw, 0.0) + decoder.end_of_request() == []


@given(st.sampled_from(Command), st.integers(0, 255), st.binary(max_size=MAX_REPLY_DATA), st.integers(0, 254))
def test_any_frame_survives_the_way(command: Command, status: int, data: bytes, address: int) -> None:
    reply, request = Reply(command, status, data, address), Request(command, data, address)
    assert Reply.from_bytes(reply.to_bytes()) == reply
    assert Request.from_bytes(request.to_bytes()) == request
    assert reply_decoder().feed(reply.to_bytes(), 0.0) == [reply]
    assert request_decoder().feed(request.to_bytes(), 0.0) == [request]


@given(st.binary(min_size=1, max_size=30), st.integers(0, 7), st.data())
def test_any_flipped_bit_is_noticed(data: bytes, bit: int, draw: st.DataObject) -> None:
    raw = bytearray(Reply(0x01, 0x01, data).to_bytes())
    at = draw.draw(st.integers(0, len(raw) - 1))
    raw[at] ^= 1 << bit
    with pytest.raises(FrameError):
        Reply.from_bytes(bytes(raw))


@pytest.mark.parametrize(("raw", "code"), [("", "length"), ("04 00 01 DB 4B", "length"), ("05 00 01 FB F2 3E", "crc")])
def test_broken_replies_are_refused_with_their_reason(raw: str, code: str) -> None:
    with pytest.raises(FrameError) as refused:
        Reply.from_bytes(bytes.fromhex(raw))
    assert refused.value.code == code


def test_longest_frame() -> None:
    assert len(Reply(0x01, 0x03, bytes(MAX_REPLY_DATA)).to_bytes()) == 256
    with pytest.raises(FrameError, match="255"):
        Reply(0x01, 0x03, bytes(MAX_REPLY_DATA + 1)).to_bytes()


def test_any_reader_is_address_255_and_no_reader_answers_as_it() -> None:
    assert Request(Command.INVENTORY).to_bytes()[1] == ANY_READER == 255
    echoed = Request(Command.READER_INFO, b"\x00").to_bytes()
    assert reply_decoder().feed(echoed, 0.0) == []


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (0x01, "finished"),
        (0x02, "time"),
        (0x03, "more frames"),
        (0x04, "memory full"),
        (0xF8, "antenna"),
        (0xF9, "failed"),
        (0xFA, "poor"),
        (0xFB, "no tag"),
        (0xFC, "tag error"),
        (0xFD, "length"),
        (0xFE, "illegal"),
        (0xFF, "parameter"),
        (0x77, "undocumented status 77"),
    ],
)
def test_status_codes_in_words(status: int, words: str) -> None:
    assert words in meaning(status)
