"""CRC-16/MCRF4XX, the checksum that FEIG and Chafon readers share.

It is the CRC of ISO/IEC 13239 without the final inversion, named as in the RevEng catalogue of CRC algorithms.
"""

from __future__ import annotations

from binascii import crc_hqx
from typing import Final

_MIRRORED: Final = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def crc16_mcrf4xx(data: bytes) -> int:
    """The CRC-16 of `data`: reflected polynomial 8408, initial FFFF, no final XOR (hardware_docs/protocols/feig.md).

    This CRC is the mirror image of CCITT-FALSE, which the standard library computes in C: mirror the bits of
    each byte, and of the result.
    """
    mirrored = crc_hqx(data.translate(_MIRRORED), 0xFFFF)
    return _MIRRORED[mirrored & 0xFF] << 8 | _MIRRORED[mirrored >> 8]


def append_crc(body: bytes) -> bytes:
    """Return `body` followed by its CRC, low byte first."""
    return body + crc16_mcrf4xx(body).to_bytes(2, "little")


def crc_holds(frame: bytes) -> bool:
    """Whether `frame` ends with its own CRC: the CRC over the whole of such a frame is 0000."""
    return crc16_mcrf4xx(frame) == 0
