"""COBS, Consistent Overhead Byte Stuffing: no 00 within a frame, so that 00 can end it.

Stuart Cheshire and Mary Baker, "Consistent Overhead Byte Stuffing", IEEE/ACM Transactions on Networking 7(2), 1999.
"""

from __future__ import annotations

from typing import Final

_MAX_RUN: Final = 254
_FULL: Final = 0xFF


def longest(length: int) -> int:
    """The longest encoding of `length` bytes."""
    return length + length // _MAX_RUN + 1


def encode(data: bytes) -> bytes:
    """The encoding of `data`, without the 00 that ends a frame."""
    out = bytearray()
    pieces = data.split(b"\0")
    for number, piece in enumerate(pieces):
        run = piece
        while len(run) >= _MAX_RUN:
            out.append(_FULL)
            out += run[:_MAX_RUN]
            run = run[_MAX_RUN:]
        is_last = number == len(pieces) - 1
        if run or not is_last or not piece:
            out.append(len(run) + 1)
            out += run
    return bytes(out)


def decode(raw: bytes | bytearray, start: int = 0) -> bytes | None:
    """What `raw` encodes from `start` on; None if it is no encoding."""
    if start >= len(raw):
        return None
    out = bytearray()
    at, end = start, len(raw)
    while at < end:
        code = raw[at]
        following = at + code
        if code == 0 or following > end:
            return None
        out += raw[at + 1 : following]
        at = following
        if code != _FULL and at < end:
            out.append(0)
    return bytes(out)
