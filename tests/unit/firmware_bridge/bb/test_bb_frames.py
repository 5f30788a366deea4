"""Each frame of hardware_docs/protocols/bb.md and of the modules' manual, both ways, byte for byte; wrong as wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.protocols.bb.commands import (
    CHANNELS_BUSY,
    COMMAND_ERROR,
    DONE,
    NO_TAG,
    error,
    get_power,
    info_text,
    meaning,
    module_info,
    multiple_poll,
    poll_count,
    set_power,
    single_poll,
    stop,
)
from firmware_bridge.protocols.bb.frames import (
    MAX_PARAMETERS,
    Command,
    Frame,
    FrameType,
    TagNotice,
    command_decoder,
    is_notice,
    reply_decoder,
)
from firmware_bridge.protocols.frame_error import FrameError
from firmware_bridge.protocols.gen2 import MAX_EPC, epc_length, pc_of, tag_crc16

COMMANDS = {
    "BB 00 22 00 00 22 7E": single_poll(),
    "BB 00 27 00 03 22 27 10 83 7E": multiple_poll(10_000),
    "BB 00 27 00 03 22 00 00 4C 7E": multiple_poll(0),
    "BB 00 27 00 03 22 FF FF 4A 7E": multiple_poll(65_535),
    "BB 00 27 00 03 22 00 08 54 7E": multiple_poll(8),
    "BB 00 28 00 00 28 7E": stop(),
    "BB 00 B6 00 02 07 D0 8F 7E": set_power(2000),
    "BB 00 B7 00 00 B7 7E": get_power(),
    "BB 00 03 00 01 00 04 7E": module_info(),
    "BB 00 03 00 01 01 05 7E": module_info(1),
    "BB 00 03 00 01 02 06 7E": module_info(2),
}
RESPONSES = {
    "BB 01 FF 00 01 15 16 7E": error(NO_TAG),
    "BB 01 28 00 01 00 2A 7E": Frame(FrameType.RESPONSE, Command.STOP, DONE),
    "BB 01 B6 00 01 00 B8 7E": Frame(FrameType.RESPONSE, Command.SET_POWER, DONE),
    "BB 01 B7 00 02 07 D0 91 7E": Frame(FrameType.RESPONSE, Command.GET_POWER, bytes.fromhex("07 D0")),
    "BB 01 C1 00 01 00 C3 7E": Frame(FrameType.RESPONSE, 0xC1, DONE),
    "BB 01 FF 00 01 09 0A 7E": error(0x09),
    "BB 01 03 00 0B 00 4D 31 30 30 20 56 31 2E 30 30 22 7E": Frame(1, Command.MODULE_INFO, b"\x00M100 V1.00"),
    "BB 01 03 00 10 00 4D 31 30 30 20 32 36 64 42 6D 20 56 31 2E 30 92 7E": Frame(
        1, Command.MODULE_INFO, b"\x00M100 26dBm V1.0"
    ),
    "BB 01 03 00 07 01 56 32 2E 33 2E 31 54 7E": Frame(1, Command.MODULE_INFO, b"\x01V2.3.1"),
}
NOTICES = {
    "BB 02 22 00 11 C9 34 00 30 75 1F EB 70 5C 59 04 E3 D5 0D 70 3A 76 EF 7E": (
        "30751FEB705C5904E3D50D70",
        -55,
        0x3400,
    ),
    "BB 02 22 00 11 C4 30 00 E2 00 00 1D 73 15 01 65 21 40 8F C6 B8 3E C2 7E": (
        "E200001D7315016521408FC6",
        -60,
        0x3000,
    ),
    "BB 02 22 00 11 CB 34 00 E2 00 47 1B B0 00 60 13 04 45 09 D0 95 82 D4 7E": (
        "E200471BB0006013044509D0",
        -53,
        0x3400,
    ),
    "BB 02 22 00 11 DC 30 00 E2 80 68 94 00 00 50 24 58 95 B5 EB D5 F9 6E 7E": (
        "E2806894000050245895B5EB",
        -36,
        0x3000,
    ),
}
WRONG = {
    "BB 01 03 00 10 00 4D 31 30 30 20 32 36 64 42 6D 20 56 31 2E 30 22 7E": "checksum",
    "BB 00 65 00 04 00 00 FF 70 67 7E": "checksum",
    "BB 02 27 00 11 C9 34 00 30 75 1F EB 70 5C 59 04 E3 D5 0D 70 3A 76 EF 7E": "checksum",
    "BB 00 0D 00 0D 7E": "length",
}
"""These circulate: the first with the checksum of another version's text, the third with that of command 22."""


@pytest.mark.parametrize("published", COMMANDS)
def test_published_commands(published: str) -> None:
    raw, frame = bytes.fromhex(published), COMMANDS[published]
    assert frame.to_bytes() == raw
    assert Frame.from_bytes(raw) == frame
    assert command_decoder().feed(raw, 0.0) == [frame]
    assert reply_decoder().feed(raw, 0.0) == []


@pytest.mark.parametrize("published", RESPONSES)
def test_published_responses(published: str) -> None:
    raw, frame = bytes.fromhex(published), RESPONSES[published]
    assert frame.to_bytes() == raw
    assert Frame.from_bytes(raw) == frame
    assert reply_decoder().feed(raw, 0.0) == [frame]
    assert command_decoder().feed(raw, 0.0) == []


@pytest.mark.parametrize("published", NOTICES)
def test_published_notices_with_the_tags_own_crc(published: str) -> None:
    raw, (epc, rssi, pc) = bytes.fromhex(published), NOTICES[published]
    [frame] = reply_decoder().feed(raw, 0.0)
    notice = TagNotice.from_frame(frame)
    assert notice == TagNotice(bytes.fromhex(epc), rssi, pc)
    assert notice.to_frame().to_bytes() == raw


@pytest.mark.parametrize("published", WRONG)
def test_published_frames_that_are_wrong_are_refused(published: str) -> None:
    raw = bytes.fromhex(published)
    with pytest.raises(FrameError) as refused:
        Frame.from_bytes(raw)
    assert refused.value.code == WRONG[published]
    for decoder in (reply_decoder(), command_decoder()):
        assert decoder.feed(raw, 0.0) + decoder.end_of_request() == []
        assert decoder.counters.dropped_bytes == len(raw)


def test_notice_of_a_multiple_poll_may_bear_its_command_code() -> None:
    notice = TagNotice.of(bytes(12), -40)
    other = Frame(FrameType.NOTICE, Command.MULTIPLE_POLL, notice.to_frame().parameters)
    assert is_notice(other)
    assert TagNotice.from_frame(other) == notice


def test_tag_crc_is_a_second_check_where_the_checksum_holds() -> None:
    raw = bytearray.fromhex("BB 02 22 00 11 C9 34 00 30 75 1F EB 70 5C 59 04 E3 D5 0D 70 3A 76 EF 7E")
    raw[8] += 1
    raw[9] -= 1
    assert Frame.from_bytes(bytes(raw)).parameters[3] == 0x31
    with pytest.raises(FrameError) as refused:
        TagNotice.from_frame(Frame.from_bytes(bytes(raw)))
    assert refused.value.code == "tag_crc"
    decoder = reply_decoder()
    assert decoder.feed(bytes(raw), 0.0) == []
    assert decoder.counters.crc_errors == 1


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (Frame(FrameType.RESPONSE, Command.SINGLE_POLL, bytes(17)), "not_notice"),
        (Frame(FrameType.NOTICE, Command.SINGLE_POLL, b""), "epc"),
        (Frame(FrameType.NOTICE, Command.SINGLE_POLL, bytes(4)), "epc"),
        (Frame(FrameType.NOTICE, Command.SINGLE_POLL, bytes.fromhex("C9 34 00") + bytes(12)), "epc"),
    ],
)
def test_what_is_no_notice_of_a_tag(frame: Frame, code: str) -> None:
    with pytest.raises(FrameError) as refused:
        TagNotice.from_frame(frame)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ("", "head"),
        ("BC 00 22 00 00 22 7E", "head"),
        ("BB 00 22 00 00 22", "length"),
        ("BB 00 22 00 01 22 7E", "length"),
        ("BB 00 22 00 00 22 7F", "tail"),
        ("BB 00 22 00 00 23 7E", "checksum"),
    ],
)
def test_broken_frames_are_refused_with_their_reason(raw: str, code: str) -> None:
    with pytest.raises(FrameError) as refused:
        Frame.from_bytes(bytes.fromhex(raw))
    assert refused.value.code == code


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(FrameError, match="255"):
        Frame(FrameType.COMMAND, Command.STOP, bytes(MAX_PARAMETERS + 1)).to_bytes()
    with pytest.raises(FrameError):
        TagNotice(bytes(12), -40, pc_of(bytes(10))).to_frame()
    for epc in (bytes(3), bytes(MAX_EPC + 2)):
        with pytest.raises(ValueError, match="EPC"):
            pc_of(epc)


@given(st.binary(max_size=MAX_EPC // 2).map(lambda half: half * 2), st.integers(-128, 127))
def test_any_notice_survives_the_way(epc: bytes, rssi: int) -> None:
    notice = TagNotice.of(epc, rssi)
    raw = notice.to_frame().to_bytes()
    assert len(raw) == len(epc) + 5 + 7
    assert TagNotice.from_frame(Frame.from_bytes(raw)) == notice
    assert epc_length(notice.pc) == len(epc)
    told = notice.pc.to_bytes(2, "big") + epc
    assert tag_crc16(told + (tag_crc16(told)).to_bytes(2, "big")) == 0x1D0F ^ 0xFFFF


@given(st.sampled_from(FrameType), st.integers(0, 255), st.binary(max_size=MAX_PARAMETERS))
def test_any_frame_survives_the_way(kind: FrameType, command: int, parameters: bytes) -> None:
    frame = Frame(kind, command, parameters)
    assert Frame.from_bytes(frame.to_bytes()) == frame


def test_counts_and_versions_are_read_from_their_frames() -> None:
    assert poll_count(multiple_poll(10_000)) == 10_000
    assert info_text(Frame(FrameType.RESPONSE, Command.MODULE_INFO, b"\x00M100 26dBm V1.0 ")) == "M100 26dBm V1.0"
    with pytest.raises(FrameError):
        poll_count(stop())
    with pytest.raises(FrameError):
        info_text(Frame(FrameType.RESPONSE, Command.MODULE_INFO, b"\x00"))


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (NO_TAG, "no tag"),
        (COMMAND_ERROR, "command"),
        (CHANNELS_BUSY, "channels"),
        (0x09, "reading"),
        (0x10, "writing"),
        (0x12, "killing"),
        (0x13, "locking"),
        (0x16, "password"),
        (0xA3, "error 3"),
        (0xB4, "error 4"),
        (0xC0, "error 0"),
        (0x77, "undocumented error 77"),
    ],
)
def test_error_codes_in_words(code: int, words: str) -> None:
    assert words in meaning(code)
