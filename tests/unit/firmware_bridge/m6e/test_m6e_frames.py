"""Every frame of hardware_docs/protocols/m6e.md, both ways, byte for byte; published wrong ones are wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.protocols.frame_error import FrameError
from firmware_bridge.protocols.m6e.frames import (
    MAX_DATA,
    Command,
    Opcode,
    Response,
    command_decoder,
    message_crc,
    reply_decoder,
)
from firmware_bridge.protocols.m6e.search import CLEAR_BUFFER, STOP_CONTINUOUS, Search
from firmware_bridge.protocols.m6e.setup import (
    BOOT,
    GET_PROGRAM,
    GET_REGION,
    GET_SERIAL,
    GET_VERSION,
    Region,
    Version,
    choose_antenna,
    in_bootloader,
    serial_response,
    set_power,
    set_region,
)

PUSHED = "01 C4 11 0E 16 40 00 00 01 27 00 00 05 00 00 0F 00 80 30 00 00 00 00 00 00 00 00 00 00 00 15 45 E9 4A"
REPOSITORY = Path(__file__).parents[4]
NANO = Version(*(bytes.fromhex(part) for part in ("30 00 00 02", "01 03 01 47", "14 12 08 00", "20 15 03 10")))
M5E = Version(*(bytes.fromhex(part) for part in ("01 00 00 03", "01 07 02 09", "07 10 23 00", "20 14 10 07")))

COMMANDS = {
    "FF 00 03 1D 0C": GET_VERSION,
    "FF 00 04 1D 0B": BOOT,
    "FF 02 10 00 40 F0 D3": GET_SERIAL,
    "FF 02 10 00 00 F0 93": Command(Opcode.HARDWARE_VERSION, bytes(2)),
    "FF 02 21 03 E8 D5 09": Command(Opcode.READ_SINGLE, b"\x03\xe8"),
    "FF 01 97 02 4B BF": set_region(Region.EUROPE),
    "FF 01 97 01 4B BC": set_region(Region.NORTH_AMERICA),
    "FF 01 61 01 BD BC": Command(Opcode.GET_ANTENNA, b"\x01"),
    "FF 0A 24 03 E8 00 00 00 00 00 03 00 EE 58 9D": Command(
        Opcode.WRITE_TAG_DATA, bytes.fromhex("03 E8 00 00 00 00 00 03 00 EE")
    ),
    "FF 10 2F 00 00 01 22 00 00 05 07 22 10 00 1B 03 E8 01 FF DD 2B": Search(1000, pushing=True).to_command(),
    "FF 03 2F 00 00 02 5E 86": STOP_CONTINUOUS,
    "FF 07 22 10 00 13 00 64 00 47 8D 72": Search(100).to_command(),
    "FF 00 2A 1D 25": CLEAR_BUFFER,
    "FF 00 0C 1D 03": GET_PROGRAM,
    "FF 00 67 1D 68": GET_REGION,
    "FF 02 92 0A 8C 4B D5": set_power(2700),
    "FF 03 91 02 01 01 42 C5": choose_antenna(1),
}
"""Those from the clearing of the buffer on are of recordings and comments in libraries for the M6e Nano."""
RESPONSES = {
    "FF 10 10 00 00 00 40 00 0C 30 30 30 30 30 30 30 30 32 37 34 38 2E C2": serial_response("000000002748"),
    "FF 14 03 00 00 07 10 23 00 01 00 00 03 20 14 10 07 01 07 02 09 00 00 00 10 5B D1": M5E.to_response(),
    "FF 0E 21 00 00 E2 00 32 2F E2 0D F9 31 13 28 B7 E3 D1 00 AA D0": Response(
        Opcode.READ_SINGLE, 0, bytes.fromhex("E2 00 32 2F E2 0D F9 31 13 28 B7 E3 D1 00")
    ),
    "FF 00 21 04 00 B4 83": Response(Opcode.READ_SINGLE, 0x0400),
    "FF 00 97 00 00 77 9E": Response(Opcode.SET_REGION),
    "FF 03 61 00 00 01 01 00 21 5B": Response(Opcode.GET_ANTENNA, 0, b"\x01\x01\x00"),
    f"FF 28 22 00 00 10 00 1B 01 FF 01 {PUSHED} 56 1D": Response(
        Opcode.READ_MULTIPLE, 0, bytes.fromhex("10 00 1B 01 FF 01" + PUSHED)
    ),
    "FF 00 22 04 00 84 E0": Response(Opcode.READ_MULTIPLE, 0x0400),
    "FF 04 2F 00 00 01 22 00 00 6D C3": Response(Opcode.CONTINUOUS, 0, bytes.fromhex("01 22 00 00")),
    "FF 01 2F 00 00 02 30 E6": Response(Opcode.CONTINUOUS, 0, b"\x02"),
    "FF 01 0C 00 00 52 63 03": Response(Opcode.CURRENT_PROGRAM, 0, b"\x52"),
    "FF 01 67 00 00 0D B4 8C": Response(Opcode.GET_REGION, 0, b"\x0d"),
    "FF 00 91 00 00 17 58": Response(Opcode.SET_ANTENNA),
    "FF 00 92 00 00 27 3B": Response(Opcode.SET_POWER),
    "FF 14 03 00 00 14 12 08 00 30 00 00 02 20 15 03 10 01 03 01 47 00 00 00 10 EB FF": NANO.to_response(),
}
WRONG = {
    "FF 01 97 02 4B BE": "FF 01 97 02 4B BF",
    "FF 0A 97 03 E8 00 00 00 00 00 03 00 EE 58 9D": "FF 0A 97 03 E8 00 00 00 00 00 03 00 EE 3E 69",
}
"""Published, and what they should have been."""


def test_crc_is_not_ccitt_false() -> None:
    assert message_crc(b"123456789") == 0xA69D


@pytest.mark.parametrize("published", COMMANDS)
def test_published_commands(published: str) -> None:
    raw, frame = bytes.fromhex(published), COMMANDS[published]
    assert frame.to_bytes() == raw
    assert Command.from_bytes(raw) == frame
    assert command_decoder().feed(raw, 0.0) == [frame]


@pytest.mark.parametrize("published", RESPONSES)
def test_published_responses(published: str) -> None:
    raw, frame = bytes.fromhex(published), RESPONSES[published]
    assert frame.to_bytes() == raw
    assert Response.from_bytes(raw) == frame
    assert reply_decoder().feed(raw, 0.0) == [frame]


def test_page_shows_no_frame_that_is_not_tested() -> None:
    page = (REPOSITORY / "hardware_docs/protocols/m6e.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"`(FF [0-9A-F]{2}(?: [0-9A-F]{2}){3,})`", page))
    assert len(shown) > 15
    assert shown <= {*COMMANDS, *RESPONSES, *WRONG}


@pytest.mark.parametrize(("published", "right"), WRONG.items())
def test_frames_that_are_published_wrong_are_refused(published: str, right: str) -> None:
    raw = bytes.fromhex(published)
    with pytest.raises(FrameError) as refused:
        Command.from_bytes(raw)
    assert refused.value.code == "crc"
    decoder = command_decoder()
    assert decoder.feed(raw, 0.0) + decoder.end_of_request() == []
    assert Command.from_bytes(bytes.fromhex(right)).to_bytes()[:-2] == raw[:-2]


@given(st.sampled_from(Opcode), st.integers(0, 0xFFFF), st.binary(max_size=MAX_DATA))
def test_any_frame_survives_the_way_there(opcode: int, status: int, data: bytes) -> None:
    command, response = Command(opcode, data), Response(opcode, status, data)
    assert Command.from_bytes(command.to_bytes()) == command
    assert Response.from_bytes(response.to_bytes()) == response
    assert command_decoder().feed(command.to_bytes(), 0.0) == [command]
    assert reply_decoder().feed(response.to_bytes(), 0.0) == [response]


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ("", "header"),
        ("FE 00 97 00 00 77 9E", "header"),
        ("FF 00 97 00 77 9E", "length"),
        ("FF 01 97 00 00 77 9E", "length"),
        ("FF 00 97 00 00 9E 77", "crc"),
    ],
)
def test_malformed_frames_are_refused_with_their_reason(raw: str, code: str) -> None:
    with pytest.raises(FrameError) as refused:
        Response.from_bytes(bytes.fromhex(raw))
    assert refused.value.code == code


def test_longest_message_has_248_bytes() -> None:
    assert len(Response(Opcode.VERSION, 0, bytes(248)).to_bytes()) == 255
    with pytest.raises(FrameError) as refused:
        Command(Opcode.VERSION, bytes(249)).to_bytes()
    assert refused.value.code == "too_long"


def test_version_is_read_from_its_response_only() -> None:
    assert Version.from_response(M5E.to_response()) == M5E
    for other in (
        Response(Opcode.VERSION),
        Response(Opcode.BOOT, 0, bytes(20)),
        Response(Opcode.VERSION, 1, bytes(20)),
    ):
        with pytest.raises(FrameError):
            Version.from_response(other)


@pytest.mark.parametrize(("program", "waits"), [(b"\x11", True), (b"\x52", False), (b"", False)])
def test_bootloader_is_known_by_the_low_bits_of_the_program(program: bytes, waits: bool) -> None:
    assert in_bootloader(Response(Opcode.CURRENT_PROGRAM, 0, program)) is waits
