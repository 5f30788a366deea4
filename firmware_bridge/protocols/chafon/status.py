"""STATUS of a reply: what each code means."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from firmware_bridge.protocols.doubt import Doubt


class Status(IntEnum):
    """The status codes that the driver and the virtual reader act on."""

    OK = 0x00
    FINISHED = 0x01
    TIME_OVERFLOW = 0x02
    MORE_FRAMES = 0x03
    MEMORY_FULL = 0x04
    HEARTBEAT = 0x28
    ANTENNA_ERROR = 0xF8
    EXECUTION_ERROR = 0xF9
    POOR_COMMUNICATION = 0xFA
    NO_TAG = 0xFB
    TAG_ERROR = 0xFC
    LENGTH_ERROR = 0xFD
    ILLEGAL_COMMAND = 0xFE
    PARAMETER_ERROR = 0xFF


CARRIES_TAGS: Final = frozenset({Status.FINISHED, Status.TIME_OVERFLOW, Status.MORE_FRAMES, Status.MEMORY_FULL})
"""An inventory reply with any other status has no tags."""

WARNINGS: Final = {Status.TIME_OVERFLOW: Doubt.TIME_OVERFLOW, Status.MEMORY_FULL: Doubt.OVERFLOW}
"""Statuses under which tags may be missing from the inventory, and the code of that doubt."""

NOT_UNDERSTOOD: Final = frozenset({Status.LENGTH_ERROR, Status.ILLEGAL_COMMAND, Status.PARAMETER_ERROR})

_MEANING: Final = {
    Status.OK: "OK",
    Status.FINISHED: "inventory finished",
    Status.TIME_OVERFLOW: "inventory time is up",
    Status.MORE_FRAMES: "more frames follow",
    Status.MEMORY_FULL: "reader memory full",
    Status.HEARTBEAT: "no tag for a while",
    Status.ANTENNA_ERROR: "antenna error: connect an antenna to this output",
    Status.EXECUTION_ERROR: "command failed",
    Status.POOR_COMMUNICATION: "poor communication with the tags",
    Status.NO_TAG: "no tag",
    Status.TAG_ERROR: "tag error",
    Status.LENGTH_ERROR: "length error",
    Status.ILLEGAL_COMMAND: "illegal command",
    Status.PARAMETER_ERROR: "parameter error",
}


def meaning(status: int) -> str:
    """The status in words; an undocumented one by its number."""
    try:
        return _MEANING[Status(status)]
    except ValueError:
        return f"undocumented status {status:02X}"
