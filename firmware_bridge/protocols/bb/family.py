"""What a BB..7E module can do, and how one is found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from firmware_bridge.protocols.bb.commands import SOFTWARE, info_text, module_info
from firmware_bridge.protocols.bb.dialogue import BbDialogue
from firmware_bridge.protocols.bb.frames import Command, FrameType, reply_decoder
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
from firmware_bridge.protocols.settings import Amount, SettingValue

_TRAITS: Final = Traits(
    name="bb",
    title="UHF module of the YRM100 kind",
    line=LineSettings(baud=115_200, parity="N"),
    bauds=(115_200, 57_600, 38_400, 19_200, 9_600),
    kinds=frozenset({TagKind.EPC}),
    antennas=1,
    tells_rssi=True,
    delivery=Delivery.ASKED,
    settings=(Amount("power_dbm", "transmit power, in dBm; without it the module keeps what it has", 0.0, 33.0),),
)


class BbFamily:
    """Implements `family.Family` and `family.Configurable`."""

    def __init__(self, power_centi_dbm: int | None = None) -> None:
        self._power_centi_dbm = power_centi_dbm

    @property
    def traits(self) -> Traits:
        return _TRAITS

    def dialogue(self) -> Dialogue:
        return BbDialogue(self._power_centi_dbm)

    def configured(self, values: Mapping[str, SettingValue]) -> BbFamily:
        power_dbm = values.get("power_dbm")
        return BbFamily(None if power_dbm is None else round(float(power_dbm) * 100))

    @property
    def questions(self) -> tuple[Question, ...]:
        """The software's version; a module of this family tells no serial number."""
        return (Question(module_info(SOFTWARE).to_bytes(), _identity_in),)

    @property
    def probe(self) -> bytes:
        """The question for the hardware version."""
        return module_info().to_bytes()

    def recognise(self, answer: bytes) -> str | None:
        found = _version_in(answer)
        return None if found is None else ", ".join(filter(None, (_TRAITS.title, found)))


def _identity_in(answer: bytes) -> Identity | None:
    found = _version_in(answer)
    return None if found is None else Identity(firmware=found)


def _version_in(answer: bytes) -> str | None:
    """The text of the first answer to `module_info`, empty where it has none; None where there is no answer."""
    decoder = reply_decoder()
    for frame in decoder.feed(answer, 0.0) + decoder.end_of_request():
        if frame.type == FrameType.RESPONSE and frame.command == Command.MODULE_INFO:
            try:
                return info_text(frame)
            except FrameError:
                return ""
    return None
