"""What is fuzzed: the decoders of every family, both ways, with undamaged frames and false headers of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Protocol

from firmware_bridge.protocols.bb import frames as bb
from firmware_bridge.protocols.betline import messages as betline
from firmware_bridge.protocols.betline.frames import Frame, FrameDecoder
from firmware_bridge.protocols.catalogue import FAMILIES
from firmware_bridge.protocols.chafon import frames as chafon
from firmware_bridge.protocols.feig import frames as feig
from firmware_bridge.protocols.m6e import frames as m6e
from firmware_bridge.protocols.pn532 import decoder as pn532
from firmware_bridge.protocols.pn532.frames import Command


class Decoder(Protocol):
    """What every decoder is to the fuzzer; frames are values that can be compared."""

    def feed(self, data: bytes, now_ms: float) -> list[Any]: ...

    def end_of_request(self) -> list[Any]: ...

    @property
    def pending(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Subject:
    """One decoder, and what it is fed besides noise."""

    family: str
    direction: str
    make: Callable[[], Decoder]
    frames: tuple[bytes, ...]
    """Undamaged frames."""
    strays: tuple[bytes, ...]
    """Headers that announce what never comes."""
    own_last_byte: bool
    """A frame is due with its own last byte, not only by the next gap."""

    @property
    def name(self) -> str:
        return f"{self.family} {self.direction}"


TO_HOST: Final = "to the host"
TO_READER: Final = "to the reader"

_Row = tuple[str, Callable[[], Decoder], str, str, bool]
_TABLE: Final[dict[str, tuple[_Row, ...]]] = {
    "feig": (
        (
            TO_HOST,
            feig.reply_decoder,
            "06 00 B0 01 5C 63 | 11 00 B0 00 01 03 00 E0 04 01 53 06 A2 2D 70 BF 2B | 06 00 69 00 F6 FA |"
            "02 00 13 00 B0 00 01 03 00 E0 04 01 53 06 A2 2D 70 64 6F |"
            "1B 00 B0 00 02 03 00 E0 04 01 53 06 A2 2D 70 03 00 E0 04 01 53 06 A2 2D 80 6C D4",
            "02 40 00 | 02 40 00 00 B0 | FF 00 B0 | 80 00 69 | 02 FF FF 00 52 00",
            False,
        ),
        (
            TO_READER,
            feig.request_decoder,
            "02 00 09 FF B0 01 00 18 43 | 07 FF B0 01 00 1C 56 | 08 FF B0 01 10 01 2A 63 | 05 FF 69 89 01",
            "02 40 00 | 02 40 00 FF B0 | FF FF B0 | 80 00 69",
            False,
        ),
    ),
    "pn532": (
        (
            TO_HOST,
            pn532.reply_decoder,
            "00 00 FF 00 FF 00 | 00 00 FF 02 FE D5 15 16 00 | 00 00 FF 06 FA D5 03 32 01 06 07 E8 00 |"
            "00 00 FF 0C F4 D5 4B 01 01 00 04 08 04 DE AD BE EF 96 00 | 00 00 FF 01 FF 7F 81 00",
            "00 FF | 00 FF FF FF 01 08 F7 D5 | 00 FF F0 10 D5 4B",
            True,
        ),
        (
            TO_HOST + ", settled",
            lambda: pn532.SettledDecoder(echo=Command),
            "00 00 FF 00 FF 00 | 00 00 FF 02 FE D5 15 16 00 | 00 00 FF 03 FD D5 4B 00 E0 00",
            "00 FF | 00 FF FF FF 01 08 F7 D5 | 00 FF F0 10 D5 4B",
            False,
        ),
        (
            TO_READER,
            pn532.command_decoder,
            "00 00 FF 03 FD D4 14 01 17 00 | 00 00 FF 04 FC D4 4A 01 00 E1 00 | 00 00 FF 02 FE D4 02 2A 00",
            "00 FF | 00 FF F0 10 D4 4A",
            True,
        ),
    ),
    "bb": (
        (
            TO_HOST,
            bb.reply_decoder,
            "BB 02 22 00 11 C9 34 00 30 75 1F EB 70 5C 59 04 E3 D5 0D 70 3A 76 EF 7E | BB 01 FF 00 01 15 16 7E |"
            "BB 02 22 00 11 C4 30 00 E2 00 00 1D 73 15 01 65 21 40 8F C6 B8 3E C2 7E | BB 01 28 00 01 00 2A 7E",
            "BB 01 22 00 F0 | BB 02 22 00 30 7E | BB 01 | BB",
            True,
        ),
        (
            TO_READER,
            bb.command_decoder,
            "BB 00 22 00 00 22 7E | BB 00 27 00 03 22 27 10 83 7E | BB 00 28 00 00 28 7E | BB 00 B6 00 02 07 D0 8F 7E",
            "BB 00 22 00 F0 | BB 00 | BB",
            True,
        ),
    ),
    "m6e": (
        (
            TO_HOST,
            m6e.reply_decoder,
            "FF 00 21 04 00 B4 83 | FF 00 97 00 00 77 9E | FF 03 61 00 00 01 01 00 21 5B | FF 00 22 04 00 84 E0 |"
            "FF 28 22 00 00 10 00 1B 01 FF 01 01 C4 11 0E 16 40 00 00 01 27 00 00 05 00 00 0F 00 80 30 00 00 00 00 00"
            "00 00 00 00 00 00 15 45 E9 4A 56 1D",
            "FF | FF F0 22 00 00 | FF 80 21",
            False,
        ),
        (
            TO_READER,
            m6e.command_decoder,
            "FF 00 03 1D 0C | FF 00 04 1D 0B | FF 02 21 03 E8 D5 09 | FF 01 97 02 4B BF | FF 01 61 01 BD BC",
            "FF | FF F0 22 | FF 80 21",
            False,
        ),
    ),
    "chafon": (
        (
            TO_HOST,
            chafon.reply_decoder,
            "13 00 01 01 01 0C E2 00 68 16 00 00 00 60 12 34 56 78 9D 78 | 05 00 01 FB F2 3D |"
            "15 00 01 01 01 01 0C E2 00 68 16 00 00 00 60 12 34 56 78 4B C5 36",
            "FF 00 01 | 80 00 EE | 40 00 21 01",
            False,
        ),
        (
            TO_READER,
            chafon.request_decoder,
            "04 FF 21 19 95 | 04 FF 01 1B B4 | 09 00 01 01 00 00 80 0A 76 FC | 05 00 2F 1E 72 34",
            "FF 00 01 | 80 FF 21 | 40 00 22",
            False,
        ),
    ),
}
"""By family: direction, decoder, frames, strays, whether a frame comes with its own last byte."""


def subjects() -> Iterator[Subject]:
    """The decoders of every family of the catalogue. Raises KeyError for one that nobody has entered here."""
    for family in FAMILIES:
        if family == "betline":
            yield from _betline()
            continue
        for direction, decoder, frames, strays, own_last_byte in _TABLE[family]:
            yield Subject(family, direction, decoder, _bytes(frames), _bytes(strays), own_last_byte)


def _bytes(text: str) -> tuple[bytes, ...]:
    return tuple(bytes.fromhex(one) for one in text.split("|"))


class _BetlineDecoder(FrameDecoder):
    """Frames of our own format end by a byte, and need neither time nor the end of a request."""

    def feed(self, data: bytes, _now_ms: float = 0.0) -> list[Any]:
        return super().feed(data)

    def end_of_request(self) -> list[Any]:
        return []


class _Message(Protocol):
    @property
    def TYPE(self) -> int: ...  # noqa: N802 -- a constant of the class

    def to_payload(self) -> bytes: ...


def _betline() -> Iterator[Subject]:
    records = tuple(betline.Record(bytes((0xE0, 4, 1, 0, 0, 0, 0, number)), 90, 8, 0) for number in range(24))
    to_host: tuple[_Message, ...] = (
        betline.Hello(1, 0, betline.Board.RP2040, 3, 1, 120, betline.Capability(0), "BL-0003"),
        betline.Snapshot(1, 1, betline.SnapshotFlag.READ, 40, records[:1]),
        betline.Snapshot(2, 1, betline.SnapshotFlag.READ, 140, records),
        betline.Health(60_000, 400, 1, 2, 3, 0, 0),
        betline.Ack(1, betline.Result.OK),
    )
    asked: tuple[_Message, ...] = (
        betline.Identify(1),
        betline.Read(2),
        betline.Pace(3, 1, 250),
        betline.Field(4, on=True),
    )
    for direction, messages in ((TO_HOST, to_host), (TO_READER, asked)):
        frames = tuple(
            Frame(message.TYPE, message.to_payload(), number, 0x5EED, 100 * number).to_bytes()
            for number, message in enumerate(messages, start=1)
        )
        strays = (frames[0][:3], b"\xff\x01\x02", b"\xff\x01" * 40)
        yield Subject("betline", direction, _BetlineDecoder, frames, strays, own_last_byte=True)
