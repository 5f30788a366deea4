"""What a ThingMagic module can do, and how one is found."""

from __future__ import annotations

from collections.abc import Mapping
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
from firmware_bridge.protocols.m6e.dialogue import M6eDialogue
from firmware_bridge.protocols.m6e.frames import Opcode, Response, reply_decoder
from firmware_bridge.protocols.m6e.setup import GET_SERIAL, GET_VERSION, Region, Version, serial_in
from firmware_bridge.protocols.settings import Amount, Choice, SettingValue

_REGIONS: Final = {region.word: region for region in Region}
_SETTINGS: Final = (
    Choice(
        "region",
        "whose radio rules the module keeps; without it the module keeps its own, and gets europe where it has none",
        tuple(_REGIONS),
    ),
    Amount("power_dbm", "power of reading, in dBm; without it 10", 0.0, 31.5),
)
_TRAITS: Final = Traits(
    name="m6e",
    title="ThingMagic M6e",
    line=LineSettings(baud=115_200, parity="N"),
    bauds=(115_200, 9_600),
    kinds=frozenset({TagKind.EPC}),
    antennas=4,
    tells_rssi=True,
    delivery=Delivery.ASKED,
    settings=_SETTINGS,
)


class M6eFamily:
    """Implements `family.Family` and `family.Configurable`."""

    def __init__(self, region: Region | None = None, power_centi_dbm: int | None = None) -> None:
        self._region = region
        self._power_centi_dbm = power_centi_dbm

    @property
    def traits(self) -> Traits:
        return _TRAITS

    def dialogue(self) -> Dialogue:
        return M6eDialogue(self._region, self._power_centi_dbm)

    def configured(self, values: Mapping[str, SettingValue]) -> M6eFamily:
        region, power_dbm = values.get("region"), values.get("power_dbm")
        return M6eFamily(
            None if region is None else _REGIONS[str(region)],
            None if power_dbm is None else round(float(power_dbm) * 100),
        )

    @property
    def questions(self) -> tuple[Question, ...]:
        """The versions, and the serial number, which not every module has."""
        return Question(GET_VERSION.to_bytes(), _firmware_in), Question(GET_SERIAL.to_bytes(), _serial_in)

    @property
    def probe(self) -> bytes:
        """The question for the version, which bootloader and firmware both answer."""
        return GET_VERSION.to_bytes()

    def recognise(self, answer: bytes) -> str | None:
        found = _version_in(answer)
        if found is None:
            return None
        return f"{_TRAITS.title} or a relative, hardware {_dotted(found.hardware)}, firmware {_dotted(found.firmware)}"


def _responses(answer: bytes) -> list[Response]:
    decoder = reply_decoder()
    return decoder.feed(answer, 0.0) + decoder.end_of_request()


def _version_in(answer: bytes) -> Version | None:
    for response in _responses(answer):
        try:
            return Version.from_response(response)
        except FrameError:
            continue
    return None


def _firmware_in(answer: bytes) -> Identity | None:
    found = _version_in(answer)
    return None if found is None else Identity(firmware=_dotted(found.firmware))


def _serial_in(answer: bytes) -> Identity | None:
    found = next((one for one in _responses(answer) if one.opcode == Opcode.HARDWARE_VERSION), None)
    return None if found is None else Identity(serial_in(found))


def _dotted(number: bytes) -> str:
    return ".".join(f"{byte:02X}" for byte in number)
