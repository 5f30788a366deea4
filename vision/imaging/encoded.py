"""Encoded pictures: what size they would decode to, read from their heads, so that none too large is ever decoded.

A file of some kilobytes can decode to gigabytes. Nothing but the kinds named here is decoded at all.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.imaging.pictures import Picture

MAX_PIXELS: Final = 50_000_000
"""Six times a 4K picture, the photos of most phones, and 150 MB when decoded."""
_PNG: Final = b"\x89PNG\r\n\x1a\n"
_JPEG: Final = b"\xff\xd8"
_FRAMES: Final = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""Markers of a JPEG that begin a frame and give its size (ITU-T T.81, table B.1)."""
_ALONE: Final = frozenset({0x01, *range(0xD0, 0xD9)})
"""Markers that have no length."""
_SCAN: Final = 0xDA


class PictureError(Exception):
    """A picture that is not decoded; the text is a sentence for a person, without the picture's name."""


def check_pixels(width_px: int, height_px: int) -> None:
    """Raises PictureError for a picture with too many pixels."""
    if width_px * height_px > MAX_PIXELS:
        raise PictureError(
            f"it would have {width_px}x{height_px} pixels, {MAX_PIXELS // 1_000_000} million are the most: make it "
            "smaller"
        )


def decode(data: bytes) -> Picture | None:
    """The picture of an encoded one, (H, W, 3) uint8 BGR; None where it is damaged or of no kind known here.

    Raises PictureError for one that would be too large.
    """
    size = size_of(data)
    if size is None:
        return None
    check_pixels(*size)
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if picture is None else np.asarray(picture, dtype=np.uint8)


def read_picture(path: Path) -> Picture | None:
    """The picture of a file, as `decode` gives it; None too where the file cannot be read."""
    try:
        return decode(path.read_bytes())
    except OSError:
        return None


def size_of(data: bytes) -> tuple[int, int] | None:
    """Width and height in pixels that the head of a PNG, JPEG, BMP or WebP says; None where it says none."""
    if data.startswith(_PNG):
        return (_big(data[16:20]), _big(data[20:24])) if data[12:16] == b"IHDR" and len(data) >= 24 else None
    if data.startswith(_JPEG):
        return _of_jpeg(data)
    if data.startswith(b"BM") and len(data) >= 26:
        return _little(data[18:22]), abs(int.from_bytes(data[22:26], "little", signed=True))
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP" and len(data) >= 30:
        return _of_webp(data)
    return None


def _of_jpeg(data: bytes) -> tuple[int, int] | None:
    """The largest frame before the first scan."""
    at, found = 2, None
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            at += 1  # decoders seek the next marker too
            continue
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
        elif marker in _ALONE or marker == 0:
            at += 2
        elif marker == _SCAN:
            break
        else:
            if marker in _FRAMES and at + 9 <= len(data):
                size = (_big(data[at + 7 : at + 9]), _big(data[at + 5 : at + 7]))
                found = size if found is None else max(found, size, key=lambda one: one[0] * one[1])
            at += 2 + _big(data[at + 2 : at + 4])
    return found


def _of_webp(data: bytes) -> tuple[int, int] | None:
    kind = data[12:16]
    if kind == b"VP8X":
        return _little(data[24:27]) + 1, _little(data[27:30]) + 1
    if kind == b"VP8L":
        bits = _little(data[21:25])
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 ":
        return _little(data[26:28]) & 0x3FFF, _little(data[28:30]) & 0x3FFF
    return None


def _big(data: bytes) -> int:
    return int.from_bytes(data, "big")


def _little(data: bytes) -> int:
    return int.from_bytes(data, "little")
