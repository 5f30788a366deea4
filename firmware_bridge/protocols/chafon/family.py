"""What a Chafon reader can do, and how one is found."""

from __future__ import annotations

from typing import Final

from firmware_bridge.protocols.chafon.dialogue import ChafonDialogue
from firmware_bridge.protocols.chafon.frames import Command, Reply, Request, reply_decoder
from firmware_bridge.protocols.chafon.inventory import ANTENNAS, ReaderInfo
from firmware_bridge.protocols.family import (
    Delivery,
    Dialogue,
    Identity,
    LineSettings,
    Question,
    TagKind,
    Traits,
)
from firmware_bridge.protocols.frame_error import FrameError

_TRAITS: Final = Traits(
    name="chafon",
    title="Chafon UHF reader",
    line=LineSettings(baud=57_600, parity="N"),
    bauds=(57_600, 115_200, 38_400, 19_200, 9_600),
    kinds=frozenset({TagKind.EPC}),
    antennas=ANTENNAS,
    tells_rssi=True,
    delivery=Delivery.ASKED,
)


class ChafonFamily:
    """Implements `family.Family`."""

    @property
    def traits(self) -> Traits:
        return _TRAITS

    def dialogue(self) -> Dialogue:
        return ChafonDialogue()

    @property
    def questions(self) -> tuple[Question, ...]:
        """The firmware's version, and the serial number, which the older readers do not tell."""
        return (
            Question(Request(Command.READER_INFO).to_bytes(), _firmware_in),
            Question(Request(Command.SERIAL_NUMBER).to_bytes(), _serial_in),
        )

    @property
    def probe(self) -> bytes:
        """The question what the reader is."""
        return Request(Command.READER_INFO).to_bytes()

    def recognise(self, answer: bytes) -> str | None:
        for reply in _replies(answer):
            if reply.command == Command.ACTIVE:
                return f"{_TRAITS.title} in active mode, address {reply.address}: set it to answer mode"
            if reply.command == Command.READER_INFO:
                return f"{_TRAITS.title}, address {reply.address}{_model(reply.data)}"
        return None


def _replies(answer: bytes) -> list[Reply]:
    decoder = reply_decoder()
    return decoder.feed(answer, 0.0) + decoder.end_of_request()


def _firmware_in(answer: bytes) -> Identity | None:
    reply = next((one for one in _replies(answer) if one.command == Command.READER_INFO), None)
    if reply is None:
        return None
    try:
        version = ReaderInfo.from_data(reply.data).version
    except FrameError:
        return Identity()
    return Identity(firmware=f"{version[0]}.{version[1]}")


def _serial_in(answer: bytes) -> Identity | None:
    reply = next((one for one in _replies(answer) if one.command == Command.SERIAL_NUMBER), None)
    return None if reply is None else Identity(reply.data.hex().upper())


def _model(data: bytes) -> str:
    try:
        info = ReaderInfo.from_data(data)
    except FrameError:
        return ""
    return f", model {info.model:02X}, version {info.version[0]}.{info.version[1]}"
