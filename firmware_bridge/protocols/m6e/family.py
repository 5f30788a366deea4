"""What a ThingMagic module can do, and how one is found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from firmware_bridge.protocols.family import Delivery, Dialogue, LineSettings, TagKind, Traits
from firmware_bridge.protocols.frame_error import FrameError
from firmware_bridge.protocols.m6e.dialogue import M6eDialogue
from firmware_bridge.protocols.m6e.frames import reply_decoder
from firmware_bridge.protocols.m6e.setup import GET_VERSION, Region, Version
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
    def probe(self) -> bytes:
        """The question for the version, which bootloader and firmware both answer."""
        return GET_VERSION.to_bytes()

    def recognise(self, answer: bytes) -> str | None:
        decoder = reply_decoder()
        for response in decoder.feed(answer, 0.0) + decoder.end_of_request():
            try:
                found = Version.from_response(response)
            except FrameError:
                continue
            return (
                f"{_TRAITS.title} or a relative, hardware {_dotted(found.hardware)}, firmware {_dotted(found.firmware)}"
            )
        return None


def _dotted(number: bytes) -> str:
    return ".".join(f"{byte:02X}" for byte in number)
