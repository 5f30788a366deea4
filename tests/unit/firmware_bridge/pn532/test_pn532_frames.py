"""Every frame of hardware_docs/protocols/pn532.md, byte for byte, both ways."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.protocols.frame_error import FrameError
from firmware_bridge.protocols.pn532.commands import (
    DESELECT_ALL,
    ENDLESS,
    FIELD_OFF,
    FIELD_ON,
    GET_FIRMWARE_VERSION,
    MAX_RETRIES,
    SAM_NORMAL,
    TWO_RETRIES,
    FirmwareVersion,
)
from firmware_bridge.protocols.pn532.decoder import command_decoder, reply_decoder
from firmware_bridge.protocols.pn532.frames import MAX_PACKET, WAKE, Code, Command, Frame, Response, Signal, from_bytes
from firmware_bridge.protocols.pn532.targets import ListTargets, Modulation, Target, encode_targets

REPOSITORY = Path(__file__).parents[4]
ONE = Target(Modulation.A_106, bytes.fromhex("DE AD BE EF"))
NTAGS = [
    Target(Modulation.A_106, bytes.fromhex(uid), sens_res=0x0044, sel_res=0x00)
    for uid in ("04 11 22 33 44 55 66", "04 AA BB CC DD EE FF")
]

COMMANDS: dict[str, Frame] = {
    "00 00 FF 03 FD D4 14 01 17 00": SAM_NORMAL,
    "00 00 FF 05 FB D4 14 01 14 01 02 00": Command(Code.SAM_CONFIGURATION, b"\x01\x14\x01"),
    "00 00 FF 02 FE D4 02 2A 00": GET_FIRMWARE_VERSION,
    "00 00 FF 06 FA D4 32 05 00 01 02 F2 00": TWO_RETRIES,
    "00 00 FF 06 FA D4 32 05 FF FF FF F8 00": Command(Code.RF_CONFIGURATION, bytes((MAX_RETRIES, 0xFF, 0xFF, ENDLESS))),
    "00 00 FF 04 FC D4 4A 01 00 E1 00": ListTargets(Modulation.A_106, 1).to_command(),
    "00 00 FF 04 FC D4 4A 02 00 E0 00": ListTargets(Modulation.A_106).to_command(),
    "00 00 FF 09 F7 D4 4A 02 01 00 FF FF 01 03 DD 00": ListTargets(Modulation.FELICA_212).to_command(),
    "00 00 FF 04 FC D4 32 01 00 F9 00": FIELD_OFF,
    "00 00 FF 04 FC D4 32 01 01 F8 00": FIELD_ON,
    "00 00 FF 03 FD D4 44 00 E8 00": DESELECT_ALL,
    "00 00 FF 00 FF 00": Signal.ACK,
    "00 00 FF FF 00 00": Signal.NACK,
}
RESPONSES: dict[str, Frame] = {
    "00 00 FF 00 FF 00": Signal.ACK,
    "00 00 FF 01 FF 7F 81 00": Signal.ERROR,
    "00 00 FF 02 FE D5 15 16 00": Response(Code.SAM_CONFIGURATION),
    "00 00 FF 06 FA D5 03 32 01 06 07 E8 00": FirmwareVersion(0x32, 1, 6, 7).to_response(),
    "00 00 FF 02 FE D5 33 F8 00": Response(Code.RF_CONFIGURATION),
    "00 00 FF 03 FD D5 45 00 E6 00": Response(Code.IN_DESELECT, b"\x00"),
    "00 00 FF 03 FD D5 4B 00 E0 00": Response(Code.IN_LIST_PASSIVE_TARGET, encode_targets([])),
    "00 00 FF 03 FD D5 41 00 EA 00": Response(Code.IN_DATA_EXCHANGE, b"\x00"),
    "00 00 FF 0C F4 D5 4B 01 01 00 04 08 04 DE AD BE EF 96 00": Response(
        Code.IN_LIST_PASSIVE_TARGET, encode_targets([ONE])
    ),
    "00 00 FF 1B E5 D5 4B 02 01 00 44 00 07 04 11 22 33 44 55 66 02 00 44 00 07 04 AA BB CC DD EE FF DD 00": Response(
        Code.IN_LIST_PASSIVE_TARGET, encode_targets(NTAGS)
    ),
}


@pytest.mark.parametrize("published", COMMANDS)
def test_published_commands(published: str) -> None:
    raw, frame = bytes.fromhex(published), COMMANDS[published]
    assert frame.to_bytes() == raw
    assert from_bytes(raw) == frame
    assert command_decoder().feed(raw, 0.0) == [frame]


@pytest.mark.parametrize("published", RESPONSES)
def test_published_responses(published: str) -> None:
    raw, frame = bytes.fromhex(published), RESPONSES[published]
    assert frame.to_bytes() == raw
    assert from_bytes(raw) == frame
    assert reply_decoder().feed(raw, 0.0) == [frame]


WAKING = "55 55 00 00 00 00 00 00 00 00 00 00 00 00 00 00 FF 03 FD D4 14 01 17 00"


def test_wake_up_and_configuration_as_published() -> None:
    assert WAKE + SAM_NORMAL.to_bytes() == bytes.fromhex(WAKING)


def test_page_shows_no_frame_that_is_not_tested() -> None:
    page = (REPOSITORY / "hardware_docs/protocols/pn532.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"`((?:00 00 FF|55 55)(?: [0-9A-F]{2})+)`", page))
    assert len(shown) > 10
    assert shown <= {*COMMANDS, *RESPONSES, WAKING}


@pytest.mark.parametrize(("before", "behind"), [(0, 0), (1, 0), (0, 5), (40, 40)])
@pytest.mark.parametrize("published", RESPONSES)
def test_any_number_of_zeros_may_stand_around_a_frame(published: str, before: int, behind: int) -> None:
    bare = bytes.fromhex(published)[1:-1]
    raw = bytes(before) + bare + bytes(behind)
    assert from_bytes(raw) == RESPONSES[published]
    decoder = reply_decoder()
    assert decoder.feed(raw, 0.0) == [RESPONSES[published]]
    assert decoder.feed(raw, 1.0) == [RESPONSES[published]]
    assert decoder.counters.dropped_bytes == 0


@given(st.integers(0, 0xFE), st.binary(max_size=MAX_PACKET - 2), st.booleans())
def test_any_packet_survives_the_way_there_normal_or_extended(code: int, data: bytes, extended: bool) -> None:
    for frame in (Command(code, data), Response(code, data)):
        raw = frame.to_bytes(extended=extended)
        assert from_bytes(raw) == frame
        decoder = command_decoder() if isinstance(frame, Command) else reply_decoder()
        assert decoder.feed(raw, 0.0)[-1] == frame


def test_longer_packets_are_extended_and_the_longest_has_264_bytes_of_data() -> None:
    assert Response(0x4A, bytes(253)).to_bytes()[3:5] == bytes((0xFF, 0x01))
    raw = Response(0x4A, bytes(254)).to_bytes()
    assert raw[3:8] == bytes.fromhex("FF FF 01 00 FF")
    assert from_bytes(Response(0x4A, bytes(263)).to_bytes()) == Response(0x4A, bytes(263))
    with pytest.raises(FrameError) as refused:
        Response(0x4A, bytes(264)).to_bytes()
    assert refused.value.code == "too_long"


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ("", "start"),
        ("01 00 FF 00 FF 00", "start"),
        ("00 00 FF 02 FD D5 15 16 00", "lcs"),
        ("00 00 FF 02 FE D5 15 17 00", "dcs"),
        ("00 00 FF 02 FE D5 15", "length"),
        ("00 00 FF 02 FE D5 15 16 01", "length"),
        ("00 00 FF 02 FE D6 15 15 00", "lcs"),
        ("00 00 FF FF FF 02 00 FE D5 15 16 00", "lcs"),
        ("00 00 FF FF FF 00 02 FD D5 15 16 00", "lcs"),
    ],
)
def test_malformed_frames_are_refused_with_their_reason(raw: str, code: str) -> None:
    with pytest.raises(FrameError) as refused:
        from_bytes(bytes.fromhex(raw))
    assert refused.value.code == code


def test_firmware_version_is_read_from_its_response_only() -> None:
    version = FirmwareVersion(0x32, 1, 6, 7)
    assert FirmwareVersion.from_response(version.to_response()) == version
    for other in (Response(Code.SAM_CONFIGURATION), Response(Code.GET_FIRMWARE_VERSION, b"\x32")):
        with pytest.raises(FrameError):
            FirmwareVersion.from_response(other)
