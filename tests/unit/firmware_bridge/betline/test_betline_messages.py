"""What the frames say: each message both ways, and payloads that say nothing."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from firmware_bridge.protocols.betline.messages import (
    Ack,
    Capability,
    Hello,
    Record,
    Snapshot,
    SnapshotFlag,
    read_message,
)
from firmware_bridge.protocols.frame_error import FrameError
from tests.unit.firmware_bridge.betline.examples import EXAMPLES, UID, row
from tests.unit.firmware_bridge.betline.strategies import random_message

PAGE = Path(__file__).parents[4] / "hardware_docs" / "firmware.md"


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_both_ways(name: str) -> None:
    message, frame = EXAMPLES[name]
    assert read_message(frame.type, frame.payload) == message


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_page_shows_the_example_as_it_is(name: str) -> None:
    assert row(name) in PAGE.read_text(encoding="utf-8").splitlines()


def test_random_messages_both_ways() -> None:
    rng = random.Random(1)
    seen = set()
    for _ in range(2000):
        message = random_message(rng)
        seen.add(type(message))
        assert read_message(message.TYPE, message.to_payload()) == message
    assert len(seen) == 10


def test_a_record_has_its_uid_first_byte_first() -> None:
    payload = Snapshot(1, 2, SnapshotFlag.MORE, 3, (Record(UID, 4, 5, 0x0607),)).to_payload()
    assert payload.hex(" ") == "01 00 00 00 02 01 03 00 01 08 e0 04 01 53 06 a2 2d 70 04 05 07 06"


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("change", [lambda payload: payload[:-1], lambda payload: payload + b"\0"])
def test_a_wrong_length_is_no_message(name: str, change) -> None:
    _, frame = EXAMPLES[name]
    with pytest.raises(FrameError) as wrong:
        read_message(frame.type, change(frame.payload))
    assert wrong.value.code == "payload"


@pytest.mark.parametrize(
    ("type_", "payload"),
    [
        (0x84, "01 00 02"),
        (0x02, "00 00 00 00 01 00 00 00 01 07" + "00" * 12),
        (0x02, "00 00 00 00 01 00 00 00 79" + ("08" + "00" * 12) * 121),
        (0x01, "01 00 00 00 01 F0 03 00 02 41 0A"),
        (0x01, "01 00 00 00 01 F0 03 00 21" + "41" * 33),
    ],
)
def test_a_value_out_of_range_is_no_message(type_: int, payload: str) -> None:
    with pytest.raises(FrameError) as wrong:
        read_message(type_, bytes.fromhex(payload))
    assert wrong.value.code == "payload"


@pytest.mark.parametrize("type_", [0x00, 0x05, 0x80, 0x87, 0xFF])
def test_an_unknown_type_is_no_message(type_: int) -> None:
    with pytest.raises(FrameError) as wrong:
        read_message(type_, b"\0\0")
    assert wrong.value.code == "type"


def test_unknown_bits_and_results_survive() -> None:
    hello = Hello(9, 9, 9, 9, 9, 9, Capability(0x8001), "")
    assert read_message(0x01, hello.to_payload()) == hello
    assert read_message(0x04, Ack(1, 77).to_payload()) == Ack(1, 77)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(FrameError):
        Snapshot(1, 1, SnapshotFlag(0), 1, (Record(UID, 1, 1, 1),) * 121).to_payload()
    for serial in ("x" * 33, "Küche"):
        with pytest.raises(FrameError):
            Hello(1, 0, 0, 0, 1, 240, Capability(0), serial).to_payload()
