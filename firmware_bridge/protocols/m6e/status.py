"""STATUS of a response: what each code means, and what to do about it."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from firmware_bridge.protocols.doubt import Doubt


class Status(IntEnum):
    """The codes that the driver and the virtual module act on."""

    OK = 0x0000
    WRONG_LENGTH = 0x0100
    INVALID_OPCODE = 0x0101
    POWER_TOO_HIGH = 0x0103
    INVALID_PARAMETER = 0x0105
    POWER_TOO_LOW = 0x0106
    INVALID_REGION = 0x010B
    NO_TAGS = 0x0400
    """No tag answered; from a module that pushes, a sign of life."""
    NO_PROTOCOL = 0x0401
    INVALID_PROTOCOL = 0x0402
    INVALID_FREQUENCY = 0x0500
    NO_ANTENNA = 0x0503
    TOO_HOT = 0x0504
    RETURN_LOSS = 0x0505
    BUFFER_HAS_NO_MORE = 0x0600
    BUFFER_FULL = 0x0601


WARNINGS: Final = {
    Status.TOO_HOT: Doubt.TOO_HOT,
    Status.RETURN_LOSS: Doubt.RETURN_LOSS,
    Status.BUFFER_FULL: Doubt.OVERFLOW,
}
"""Statuses under which tags may be missing from a search, and the code of that doubt."""

UNKNOWN_COMMAND: Final = frozenset({0x0101, 0x0102, 0x0109})
"""The module does not have the command; it can be read without it."""

_MEANING: Final = {
    0x0100: "wrong number of data bytes",
    0x0101: "unknown opcode",
    0x0102: "opcode not built in",
    0x0103: "power too high",
    0x0104: "frequency not allowed",
    0x0105: "parameter out of range",
    0x0106: "power too low",
    0x0109: "not built in",
    0x010A: "baud rate not possible",
    0x010B: "region not possible",
    0x0400: "no tags",
    0x0401: "no protocol chosen",
    0x0402: "protocol not possible",
    0x0500: "frequency not possible",
    0x0501: "channel occupied",
    0x0502: "transmitter already on",
    0x0503: "no antenna connected",
    0x0504: "module too hot",
    0x0505: "antenna reflects too much power",
    0x0507: "antenna configuration not possible",
    0x0600: "no more tags in the buffer",
    0x0601: "tag buffer full",
    0x7F00: "unknown error",
    0x7F01: "internal error of the module",
}

_ADVICE: Final = {
    0x0101: "check that it is a ThingMagic module with its firmware loaded",
    0x0103: "lower power_dbm in its settings",
    0x0105: "check the number of the antenna in the table file",
    0x0106: "raise power_dbm in its settings",
    0x010B: "check for which region the module was bought",
    0x0500: "check for which region the module was bought",
    0x0503: "connect the antenna before power is sent into nothing",
    0x0504: "let it cool, and give it a heat sink or less power",
    0x0505: "check the antenna, its cable and metal near it",
    0x7F01: "take its supply away and give it back",
}


def sentence(status: int) -> str:
    """What the module complained of, and what to do where that is known."""
    meaning = _MEANING.get(status, "a code without a published meaning")
    advice = _ADVICE.get(status)
    said = f"the reader answered {status:04X}, {meaning}"
    return f"{said}: {advice}" if advice else said
