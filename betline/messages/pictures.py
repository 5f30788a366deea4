"""The camera's small picture for whoever asks for it: raw colours, so that nobody needs a decoder to show it."""

from __future__ import annotations

import base64
import binascii
from typing import Self

from pydantic import Field, model_validator

from betline.messages.common import Body

MIN_PX, MAX_PX = 16, 192
"""Bounds of a small picture's sides."""


class PictureWanted(Body):
    """Somebody wants to see what a camera sees: small pictures are published for so long; the newest wish decides.

    With ``of`` one picture is wanted that was kept of that event of the camera.
    """

    of: str = Field(default="", max_length=200, description="an event of the camera; empty: what it sees now")
    for_ms: int = Field(default=5000, ge=0, le=60_000, strict=True)
    width_px: int = Field(ge=MIN_PX, le=MAX_PX, strict=True)


class SmallPicture(Body):
    """What a camera sees now, with what it makes of it drawn in: twice a second at most, while somebody wants it.

    With ``of`` a picture that was kept of that event, as it was.
    """

    of: str = Field(default="", max_length=200, description="an event of the camera; empty: what it sees now")
    frame: int = Field(ge=0)
    width_px: int = Field(ge=MIN_PX, le=MAX_PX)
    height_px: int = Field(ge=MIN_PX, le=MAX_PX)
    rgb: str = Field(description="base64 of one byte red, green, blue a pixel, by rows from the top left")

    @model_validator(mode="after")
    def _whole(self) -> Self:
        try:
            size = len(self.pixels)
        except binascii.Error:
            raise ValueError("rgb is no base64") from None
        if size != 3 * self.width_px * self.height_px:
            raise ValueError(f"{size} bytes are no {self.width_px} x {self.height_px} pixels")
        return self

    @classmethod
    def made(cls, frame: int, width_px: int, height_px: int, pixels: bytes, of: str = "") -> Self:
        """A picture from its bytes."""
        rgb = base64.b64encode(pixels).decode()
        return cls(of=of, frame=frame, width_px=width_px, height_px=height_px, rgb=rgb)

    @property
    def pixels(self) -> bytes:
        """The bytes of `rgb`."""
        return base64.b64decode(self.rgb, validate=True)
