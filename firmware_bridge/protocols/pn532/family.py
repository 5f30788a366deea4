"""What an NXP PN532 on its serial line can do, and how one is found."""

from __future__ import annotations

from typing import Final

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
from firmware_bridge.protocols.pn532.commands import GET_FIRMWARE_VERSION, FirmwareVersion
from firmware_bridge.protocols.pn532.decoder import SettledDecoder
from firmware_bridge.protocols.pn532.dialogue import Pn532Dialogue
from firmware_bridge.protocols.pn532.frames import WAKE, Command, Response

_TRAITS: Final = Traits(
    name="pn532",
    title="NXP PN532",
    line=LineSettings(baud=115_200, parity="N"),
    bauds=(115_200,),
    kinds=frozenset({TagKind.ISO14443A, TagKind.FELICA}),
    antennas=1,
    tells_rssi=False,
    delivery=Delivery.ASKED,
)


class Pn532Family:
    """Implements `family.Family`."""

    @property
    def traits(self) -> Traits:
        return _TRAITS

    def dialogue(self) -> Dialogue:
        return Pn532Dialogue()

    @property
    def questions(self) -> tuple[Question, ...]:
        """The firmware's version; the chip has no serial number."""
        return (Question(GET_FIRMWARE_VERSION.to_bytes(), _identity_in),)

    @property
    def probe(self) -> bytes:
        """The wake-up, and the question for the firmware version."""
        return WAKE + GET_FIRMWARE_VERSION.to_bytes()

    def recognise(self, answer: bytes) -> str | None:
        found = _identity_in(answer)
        return None if found is None else f"{_TRAITS.title}, firmware {found.firmware}"


def _identity_in(answer: bytes) -> Identity | None:
    decoder = SettledDecoder(echo=Command)
    for frame in decoder.feed(answer, 0.0) + decoder.end_of_request():
        if isinstance(frame, Response):
            try:
                found = FirmwareVersion.from_response(frame)
            except FrameError:
                continue
            return Identity(firmware=f"{found.version}.{found.revision}")
    return None
