"""What a FEIG OBID i-scan HF reader can do, and how one is found."""

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
from firmware_bridge.protocols.feig.dialogue import FeigDialogue
from firmware_bridge.protocols.feig.frames import Control, Reply, Request, reply_decoder
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


DEVICE: Final = b"\x80"
"""The mode of READER_INFO that tells the reader's number (FEIG's SDK 4.06, `_FEDM_ISC_READER_INFO`)."""
_SERIAL_BYTES: Final = 4
_VERSION_BYTES: Final = 2


class FeigFamily:
    """Implements `family.Family`."""

    @property
    def traits(self) -> Traits:
        return _TRAITS

    def dialogue(self) -> Dialogue:
        return FeigDialogue()

    @property
    def questions(self) -> tuple[Question, ...]:
        """The version of the firmware, and the number of the device."""
        return (
            Question(Request(Control.SOFTWARE_VERSION).to_bytes(), _version_in),
            Question(Request(Control.READER_INFO, DEVICE).to_bytes(), _number_in),
        )

    @property
    def probe(self) -> bytes:
        """Baud-rate detection: a reader answers it at the right baud rate and parity only."""
        return Request(Control.BAUD_DETECTION, b"\x00").to_bytes()

    def recognise(self, answer: bytes) -> str | None:
        reply = _reply_in(answer, Control.BAUD_DETECTION)
        return None if reply is None else f"{_TRAITS.title}, bus address {reply.address}"


def _reply_in(answer: bytes, control: Control) -> Reply | None:
    decoder = reply_decoder()
    replies = decoder.feed(answer, 0.0) + decoder.end_of_request()
    return next((reply for reply in replies if reply.control == control), None)


def _version_in(answer: bytes) -> Identity | None:
    """Major and minor version are the first bytes; a reader that refuses sends none."""
    reply = _reply_in(answer, Control.SOFTWARE_VERSION)
    if reply is None:
        return None
    said = reply.data[:_VERSION_BYTES]
    return Identity(firmware=".".join(map(str, said)) if len(said) == _VERSION_BYTES else "")


def _number_in(answer: bytes) -> Identity | None:
    """The number's four bytes come first, and behind them what the reader is licensed for."""
    reply = _reply_in(answer, Control.READER_INFO)
    if reply is None:
        return None
    said = reply.data[:_SERIAL_BYTES]
    return Identity(said.hex().upper() if len(said) == _SERIAL_BYTES else "")
