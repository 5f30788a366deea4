"""What a tag of EPC Gen2 sends of itself: protocol control word, EPC and CRC-16, as UHF readers pass it on.

EPC Gen2 is GS1's "EPC Radio-Frequency Identity Protocols Generation-2 UHF RFID Standard" (ISO/IEC 18000-63). Its
CRC-16 is that of ISO/IEC 13239 sent most significant bit first: CRC-16/GENIBUS in the RevEng catalogue.
"""

from __future__ import annotations

from binascii import crc_hqx
from typing import Final

from firmware_bridge.protocols.frame_error import FrameError

WORD: Final = 2
MAX_EPC: Final = 31 * WORD
"""The protocol control word counts the EPC in words with five bits."""
_LENGTH_SHIFT: Final = 11


def tag_crc16(data: bytes) -> int:
    """The CRC-16 that a tag appends to its PC and EPC: polynomial 1021, initial FFFF, final XOR FFFF."""
    return crc_hqx(data, 0xFFFF) ^ 0xFFFF


def epc_length(pc: int) -> int:
    """How many bytes of EPC the protocol control word announces."""
    return (pc >> _LENGTH_SHIFT) * WORD


def pc_of(epc: bytes) -> int:
    """The plain protocol control word of a tag with this EPC. Raises FrameError (`epc`) if no tag can carry it."""
    if len(epc) % WORD or len(epc) > MAX_EPC:
        raise FrameError("epc", f"an EPC has whole words and at most {MAX_EPC} bytes, not {len(epc)} bytes")
    return len(epc) // WORD << _LENGTH_SHIFT
