"""What a FEIG OBID i-scan HF reader can do, and how one is found."""

from __future__ import annotations

from typing import Final

from firmware_bridge.protocols.family import Delivery, Dialogue, LineSettings, TagKind, Traits
from firmware_bridge.protocols.feig.dialogue import FeigDialogue
from firmware_bridge.protocols.feig.frames import Control, Request, reply_decoder
from firmware_bridge.protocols.feig.inventory import MAX_ANTENNAS

_TRAITS: Final = Traits(
    name="feig",
    title="FEIG OBID i-scan HF",
    line=LineSettings(baud=38_400, parity="E"),
    bauds=(38_400, 115_200, 57_600, 19_200, 9_600, 4_800),
    kinds=frozenset(TagKind) - {TagKind.FELICA},
    antennas=MAX_ANTENNAS,
    tells_rssi=True,
    delivery=Delivery.ASKED,
)


class FeigFamily:
    """Implements `family.Family`."""

    @property
    def traits(self) -> Traits:
        return _TRAITS

    def dialogue(self) -> Dialogue:
        return FeigDialogue()

    @property
    def probe(self) -> bytes:
        """Baud-rate detection: a reader answers it at the right baud rate and parity only."""
        return Request(Control.BAUD_DETECTION, b"\x00").to_bytes()

    def recognise(self, answer: bytes) -> str | None:
        decoder = reply_decoder()
        replies = decoder.feed(answer, 0.0) + decoder.end_of_request()
        for reply in replies:
            if reply.control == Control.BAUD_DETECTION:
                return f"{_TRAITS.title}, bus address {reply.address}"
        return None
