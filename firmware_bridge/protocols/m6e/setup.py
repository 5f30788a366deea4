"""Commands that identify the module and set it up."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from firmware_bridge.protocols.frame_error import FrameError
from firmware_bridge.protocols.m6e.frames import Command, Opcode, Response
from firmware_bridge.protocols.m6e.records import GEN2

NO_REGION: Final = 0x00
_VERSION_BYTES: Final = 20
_SERIAL_AT: Final = 4
"""Option, flags, one byte more, the length: then the text."""
_PROGRAM_MASK: Final = 0x03
_BOOTLOADER: Final = 0x01
_SEARCH_LIST: Final = 0x02

GET_VERSION: Final = Command(Opcode.VERSION)
GET_PROGRAM: Final = Command(Opcode.CURRENT_PROGRAM)
GET_SERIAL: Final = Command(Opcode.HARDWARE_VERSION, b"\x00\x40")
"""The hardware's description with its serial number; not every module has one (Mercury API, `getSerialNumber`)."""
BOOT: Final = Command(Opcode.BOOT)
GET_REGION: Final = Command(Opcode.GET_REGION)
SET_GEN2: Final = Command(Opcode.SET_PROTOCOL, GEN2.to_bytes(2, "big"))


class Region(IntEnum):
    """Whose radio rules the module keeps. A module that was never told one does not send.

    Some have two codes: the M6e Nano and its like take the second one only.
    """

    NORTH_AMERICA = 0x01
    EUROPE = 0x02
    INDIA = 0x04
    JAPAN = 0x05
    CHINA = 0x06
    EUROPE_3 = 0x08
    KOREA_2 = 0x09
    AUSTRALIA = 0x0B
    NEW_ZEALAND = 0x0C
    NORTH_AMERICA_2 = 0x0D

    @property
    def word(self) -> str:
        """Its name in a table file."""
        return self.name.lower().replace("_", "-")


def set_region(region: Region) -> Command:
    return Command(Opcode.SET_REGION, bytes((region,)))


def set_power(centi_dbm: int) -> Command:
    """Power of reading, in hundredths of a dBm."""
    return Command(Opcode.SET_POWER, centi_dbm.to_bytes(2, "big"))


def choose_antenna(antenna: int) -> Command:
    """Search on this output only, to send and to hear."""
    return Command(Opcode.SET_ANTENNA, bytes((_SEARCH_LIST, antenna, antenna)))


def chosen_antennas(command: Command) -> tuple[int, ...]:
    """The outputs that such a command chooses. Raises FrameError (`antennas`)."""
    pairs = command.data[1:]
    if command.data[:1] != bytes((_SEARCH_LIST,)) or len(pairs) % 2 or not pairs:
        raise FrameError("antennas", "the command is no list of antennas")
    return tuple(pairs[::2])


@dataclass(frozen=True, slots=True)
class Version:
    """The response to `GET_VERSION`."""

    hardware: bytes
    """Four bytes, of which the first is the model."""
    firmware: bytes
    bootloader: bytes = bytes(4)
    date: bytes = bytes(4)
    protocols: int = 0x10
    """A bit for each protocol: bit 4 is EPC Gen 2."""

    def to_response(self) -> Response:
        data = self.bootloader + self.hardware + self.date + self.firmware + self.protocols.to_bytes(4, "big")
        return Response(Opcode.VERSION, 0, data)

    @classmethod
    def from_response(cls, response: Response) -> Version:
        """Read the response. Raises FrameError (`version`)."""
        data = response.data
        if response.opcode != Opcode.VERSION or response.status or len(data) != _VERSION_BYTES:
            raise FrameError("version", "the response has no version")
        return cls(data[4:8], data[12:16], data[:4], data[8:12], int.from_bytes(data[16:], "big"))


def serial_response(serial: str) -> Response:
    """The response to `GET_SERIAL`."""
    text = serial.encode("ascii")
    return Response(Opcode.HARDWARE_VERSION, 0, GET_SERIAL.data + b"\x00" + bytes((len(text),)) + text)


def serial_in(response: Response) -> str:
    """The serial number in the response to `GET_SERIAL`, empty where the module did not tell one."""
    if response.status or len(response.data) <= _SERIAL_AT:
        return ""
    text = response.data[_SERIAL_AT:]
    length = response.data[_SERIAL_AT - 1]
    return text[:length].decode("ascii", "replace").strip("\0 ") if length <= len(text) else ""


def in_bootloader(response: Response) -> bool:
    """Whether the response to `GET_PROGRAM` says that the module has not started its firmware."""
    return response.status == 0 and len(response.data) == 1 and response.data[0] & _PROGRAM_MASK == _BOOTLOADER
