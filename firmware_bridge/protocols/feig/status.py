"""STATUS of a reply: what each code means, and which replies carry data."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from firmware_bridge.protocols.doubt import Doubt


class Status(IntEnum):
    """The status codes that the driver and the virtual reader act on."""

    OK = 0x00
    NO_TRANSPONDER = 0x01
    COLLISION = 0x0B
    BUSY = 0x0F
    PARAMETER_RANGE = 0x11
    UNKNOWN_COMMAND = 0x80
    LENGTH_ERROR = 0x81
    COMMAND_NOT_AVAILABLE = 0x82
    RF_COMMUNICATION_ERROR = 0x83
    RF_WARNING = 0x84
    DATA_OVERFLOW = 0x93
    MORE_DATA = 0x94
    ISO_ERROR = 0x95


CARRIES_DATA: Final = frozenset(
    {
        Status.OK,
        Status.RF_COMMUNICATION_ERROR,
        Status.RF_WARNING,
        Status.DATA_OVERFLOW,
        Status.MORE_DATA,
        Status.ISO_ERROR,
    }
)
"""An inventory reply with any other status has no data sets."""

WARNINGS: Final = {
    Status.RF_COMMUNICATION_ERROR: Doubt.RF_ERROR,
    Status.RF_WARNING: Doubt.RF_WARNING,
    Status.DATA_OVERFLOW: Doubt.OVERFLOW,
    Status.ISO_ERROR: Doubt.ISO_ERROR,
}
"""Statuses under which tags may be missing from the reply, and the code of that doubt."""

_MEANING: Final = {
    0x00: "OK",
    0x01: "no transponder",
    0x02: "data false (CRC)",
    0x03: "write error",
    0x04: "address error",
    0x05: "wrong transponder type",
    0x06: "read error",
    0x07: "select error",
    0x08: "authentication error",
    0x0A: "transponder changed",
    0x0B: "collision",
    0x0E: "general error",
    0x0F: "busy",
    0x10: "EEPROM failure",
    0x11: "parameter out of range",
    0x13: "login needed",
    0x14: "login failed",
    0x15: "read protected",
    0x16: "write protected",
    0x17: "firmware activation required",
    0x18: "wrong firmware",
    0x80: "unknown command",
    0x81: "length error",
    0x82: "command not available",
    0x83: "RF communication error",
    0x84: "RF warning",
    0x85: "synchronisation error",
    0x86: "unsupported option",
    0x90: "data table overrun",
    0x92: "no valid data",
    0x93: "data table overflow",
    0x94: "more data",
    0x95: "ISO error",
    0x96: "ISO 14443 error",
    0xF1: "hardware warning",
    0xF2: "initialisation warning",
    0xF8: "cancelled",
}

_ADVICE: Final = {
    0x13: "log in or remove its password",
    0x17: "activate its firmware with the vendor's tool",
    0x82: "switch it from scan, buffered-read or notification mode to ISO host mode",
    0xF1: "check its antenna and supply",
}


def meaning(status: int) -> str:
    """The status in words; an undocumented one by its number."""
    return _MEANING.get(status, f"undocumented status {status:02X}")


def sentence(status: int) -> str:
    """What the reader complained of, and what to do where that is known."""
    advice = _ADVICE.get(status)
    said = f"the reader answered {status:02X}, {meaning(status)}"
    return f"{said}: {advice}" if advice else said
