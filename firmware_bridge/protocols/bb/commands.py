"""The commands to a BB..7E module, and what it answers beyond tags."""

from __future__ import annotations

from typing import Final

from firmware_bridge.protocols.bb.frames import Command, Frame, FrameType
from firmware_bridge.protocols.frame_error import FrameError

DONE: Final = b"\x00"
"""The parameter of a response to a command that carries nothing else."""
HARDWARE: Final = 0x00
"""Which of its versions the module is asked for; 02 is its maker."""
SOFTWARE: Final = 0x01
NO_TAG: Final = 0x15
"""Inventory fail: no tag answered, or none without damage. Not a fault."""
COMMAND_ERROR: Final = 0x17
CHANNELS_BUSY: Final = 0x20
_RESERVED: Final = 0x22

_ERRORS: Final = {
    0x09: "reading the tag failed",
    0x10: "writing the tag failed",
    0x12: "killing the tag failed",
    0x13: "locking the tag failed",
    0x14: "locking blocks of the tag failed",
    NO_TAG: "no tag answered",
    0x16: "the tag refused the access password",
    COMMAND_ERROR: "it does not know the command",
    CHANNELS_BUSY: "all its radio channels are occupied: look for another UHF reader close by",
}
_TAG_ERRORS: Final = frozenset({0xA0, 0xB0, 0xC0, 0xD0, 0xE0})


def module_info(what: int = HARDWARE) -> Frame:
    """Ask for a version."""
    return Frame(FrameType.COMMAND, Command.MODULE_INFO, bytes((what,)))


def single_poll() -> Frame:
    """One round of anticollision: a notice for each tag and then nothing, or the error "no tag"."""
    return Frame(FrameType.COMMAND, Command.SINGLE_POLL)


def multiple_poll(count: int) -> Frame:
    """Poll `count` times in a row, at most 65535, unless stopped."""
    return Frame(FrameType.COMMAND, Command.MULTIPLE_POLL, bytes((_RESERVED,)) + count.to_bytes(2, "big"))


def poll_count(command: Frame) -> int:
    """How often a multiple poll is to poll. Raises FrameError (`length`)."""
    if len(command.parameters) != 3:
        raise FrameError("length", "a multiple poll has three bytes of parameters")
    return int.from_bytes(command.parameters[1:], "big")


def stop() -> Frame:
    """End a multiple poll."""
    return Frame(FrameType.COMMAND, Command.STOP)


def set_power(centi_dbm: int) -> Frame:
    """Set the transmit power, in hundredths of a dBm."""
    return Frame(FrameType.COMMAND, Command.SET_POWER, centi_dbm.to_bytes(2, "big"))


def get_power() -> Frame:
    """Ask for the transmit power."""
    return Frame(FrameType.COMMAND, Command.GET_POWER)


def error(code: int) -> Frame:
    """The response to a command that failed."""
    return Frame(FrameType.RESPONSE, Command.ERROR, bytes((code,)))


def info_text(response: Frame) -> str:
    """The version in a response to `module_info`. Raises FrameError (`length`)."""
    if len(response.parameters) < 2:
        raise FrameError("length", "the response has no version")
    return response.parameters[1:].decode("ascii", "replace").strip()


def meaning(code: int) -> str:
    """An error code in words; one that is not documented by its number."""
    if code in _ERRORS:
        return _ERRORS[code]
    if code & 0xF0 in _TAG_ERRORS:
        return f"the tag refused with its error {code & 0x0F:X}"
    return f"undocumented error {code:02X}"
