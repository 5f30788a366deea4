"""What a ThingMagic module can do, and how one is found."""

from __future__ import annotations

from typing import Final

from firmware_bridge.protocols.family import Delivery, Dialogue, LineSettings, TagKind, Traits
from firmware_bridge.protocols.frame_error import FrameError
from firmware_bridge.protocols.m6e.dialogue import POWER_CENTI_DBM, M6eDialogue
from firmware_bridge.protocols.m6e.frames import reply_decoder
from firmware_bridge.protocols.m6e.setup import GET_VERSION, Region, Version

_TRAITS: Final = Traits(
    name="m6e",
    title="ThingMagic M6e",
    line=LineSettings(baud=115_200, parity="N"),
    bauds=(115_200, 9_600),
    kinds=frozenset({TagKind.EPC}),
    antennas=4,
    tells_rssi=True,
    delivery=Delivery.ASKED,
)


class M6eFamily:
    """Implements `family.Family`. Region and power are for all modules of one bridge."""

    def __init__(self, region: Region = Region.EUROPE, power_centi_dbm: int = POWER_CENTI_DBM) -> None:
        self._region = region
        self._power_centi_dbm = power_centi_dbm

    @property
    def traits(self) -> Traits:
        return _TRAITS

    def dialogue(self) -> Dialogue:
        return M6eDialogue(self._region, self._power_centi_dbm)

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
