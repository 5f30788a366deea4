"""Readers with Betline's own firmware."""

from __future__ import annotations

from typing import Final

from firmware_bridge.conform.heard import CodecEar, Ear, Heard
from firmware_bridge.conform.kit import ISO15693_AIR_MS, Kit, Reckoning, Said, flipped
from firmware_bridge.protocols.betline.family import BetlineFamily
from firmware_bridge.protocols.betline.frames import Frame, FrameDecoder
from firmware_bridge.protocols.betline.messages import (
    Ack,
    Field,
    Health,
    Hello,
    Read,
    Reboot,
    Result,
    Snapshot,
    SnapshotFlag,
    read_message,
)
from firmware_bridge.protocols.family import LineCounters
from firmware_bridge.protocols.frame_error import FrameError

_PAGE: Final = "hardware_docs/firmware.md"
_TALK: Final = "hardware_docs/protocols/betline.md"
_NO_SUCH_COMMAND: Final = 0x9F
_FIRST_ID: Final = 0x7F00
"""Numbers that no session of the bridge comes to in the time of a check."""
_PROBE: Final = BetlineFamily().probe


class _Decoder:
    """The family's decoder, whose frames end by a byte and not by time."""

    def __init__(self) -> None:
        self._decoder = FrameDecoder()

    @property
    def counters(self) -> LineCounters:
        return self._decoder.line

    def feed(self, data: bytes, now_ms: float) -> list[Frame]:  # noqa: ARG002 -- the shape of Decoder
        return self._decoder.feed(data)

    def end_of_request(self) -> list[Frame]:
        return []


def _begins(request: bytes) -> bool:
    return any(frame.type == Read.TYPE for frame in FrameDecoder().feed(request))


def _hear(frame: Frame, request: bytes) -> Heard:  # noqa: ARG001 -- a message says by itself what it is
    try:
        message = read_message(frame.type, frame.payload)
    except FrameError:
        return Heard(frame.to_bytes())
    if isinstance(message, Snapshot):
        asked = bool(message.flags & SnapshotFlag.READ)
        tags = [f"{one.uid.hex().upper()}@{message.antenna}" for one in message.records if one.age_ms == 0]
        return Heard(frame.to_bytes(), tuple(tags) if asked else (), unasked=not asked)
    refuses = isinstance(message, Ack) and message.result != Result.OK
    return Heard(frame.to_bytes(), refuses=refuses, unasked=isinstance(message, Hello | Health))


def _ear() -> Ear:
    return CodecEar(_Decoder(), _hear)


def _command(number: int, type_: int, payload: bytes) -> bytes:
    return b"\0" + Frame(type_, payload, seq=number).to_bytes()


KIT: Final = Kit(
    name="betline",
    page=_PAGE,
    ear=_ear,
    begins=_begins,
    damaged_request=flipped(_PROBE, -2),
    cut_request=_PROBE[:8],
    impossible_request=_command(1, _NO_SUCH_COMMAND, (_FIRST_ID + 1).to_bytes(2, "little")),
    reckoning=Reckoning(fixed_ms=20.0, air_ms=ISO15693_AIR_MS, each_ms=4.1, each_bytes=13),
    field_reset=(
        _command(2, Field.TYPE, Field(_FIRST_ID + 2, on=False).to_payload()),
        _command(3, Field.TYPE, Field(_FIRST_ID + 3, on=True).to_payload()),
    ),
    soft_reset=_command(4, Reboot.TYPE, Reboot(_FIRST_ID + 4).to_payload()),
    says={
        "answers": Said("IDENTIFY is answered by HELLO and ACK.", _PAGE),
        "identity": Said("HELLO tells serial number, board and version.", _PAGE),
        "impossible-request": Said("ACK with the result 1, unknown command.", _PAGE),
        "damaged-request": Said("A frame with a wrong CRC is dropped and counted.", _PAGE),
        "cut-request": Said("A frame that does not end is dropped at the next one's end.", _PAGE),
        "frames-intact": Said("COBS with a CRC-32, ended by 00.", _PAGE),
        "unasked": Said("HELLO at boot, HEALTH every 500 ms, and snapshots at the pace that was asked for.", _PAGE),
        "duplicates": Said("A snapshot holds the whole set of an antenna.", _PAGE),
        "answer-times": Said("A command is answered within 0.4 s, READ within 1.5 s.", _TALK),
        "round-time": Said("Reckoned: the air time of ISO 15693 with a Stay Quiet for each tag.", _TALK),
        "field-reset": Said("FIELD switches the field off and on.", _PAGE),
        "soft-reset": Said("REBOOT is acknowledged and then done; HELLO with another boot_id follows.", _PAGE),
        "strength": Said("RSSI where the board says that it measures it.", _TALK),
    },
)
