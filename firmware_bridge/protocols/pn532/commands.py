"""The commands of the PN532 that a round needs, besides the listing of targets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from firmware_bridge.protocols.frame_error import FrameError
from firmware_bridge.protocols.pn532.frames import Code, Command, Response

ALL_TARGETS: Final = 0x00
RF_FIELD: Final = 0x01
MAX_RETRIES: Final = 0x05
ENDLESS: Final = 0xFF

SAM_NORMAL: Final = Command(Code.SAM_CONFIGURATION, b"\x01")
"""No security module. The command ends the low-battery mode in which the chip starts."""
TWO_RETRIES: Final = Command(Code.RF_CONFIGURATION, bytes((MAX_RETRIES, 0x00, 0x01, 0x02)))
"""A search for targets gives up after two retries. Without this it lasts until a card comes."""
FIELD_OFF: Final = Command(Code.RF_CONFIGURATION, bytes((RF_FIELD, 0x00)))
FIELD_ON: Final = Command(Code.RF_CONFIGURATION, bytes((RF_FIELD, 0x01)))
DESELECT_ALL: Final = Command(Code.IN_DESELECT, bytes((ALL_TARGETS,)))
"""The cards that were listed last go to sleep (HLTA, or S(DESELECT)), and do not answer the next search."""
GET_FIRMWARE_VERSION: Final = Command(Code.GET_FIRMWARE_VERSION)


@dataclass(frozen=True, slots=True)
class FirmwareVersion:
    """The response to GetFirmwareVersion."""

    chip: int
    version: int
    revision: int
    support: int
    """Bit 0 ISO 14443A, bit 1 ISO 14443B, bit 2 ISO 18092."""

    def to_response(self) -> Response:
        return Response(Code.GET_FIRMWARE_VERSION, bytes((self.chip, self.version, self.revision, self.support)))

    @classmethod
    def from_response(cls, response: Response) -> FirmwareVersion:
        """Read the response. Raises FrameError (`version`)."""
        if response.code != Code.GET_FIRMWARE_VERSION or len(response.data) != 4:
            raise FrameError("version", "the response has no firmware version")
        return cls(*response.data)
