"""A small picture in the cells of a terminal: each cell shows two pixels, one above the other. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from betline.messages.pictures import SmallPicture

HALF = "▀"
"""The character that is painted for each cell: its ink is the upper pixel, its ground the lower one."""
Rgb = tuple[int, int, int]
Cell = tuple[Rgb, Rgb]


@dataclass(frozen=True, slots=True)
class Room:
    """Cells that are free for a picture."""

    columns: int
    rows: int

    def fits(self, width_px: int, height_px: int) -> Room:
        """The largest part of it with the shape of a picture; a cell is twice as high as wide."""
        share = min(self.columns / width_px, 2 * self.rows / height_px)
        return Room(max(1, int(width_px * share)), max(1, int(height_px * share / 2)))


def cells(picture: SmallPicture, room: Room) -> list[list[Cell]]:
    """The picture's rows of cells, as large as it fits."""
    size = room.fits(picture.width_px, picture.height_px)
    data, stride = picture.pixels, 3 * picture.width_px
    across = [3 * _nearest(x, size.columns, picture.width_px) for x in range(size.columns)]
    down = [stride * _nearest(y, 2 * size.rows, picture.height_px) for y in range(2 * size.rows)]
    lines = [[_rgb(data, start + at) for at in across] for start in down]
    return [list(zip(upper, lower, strict=True)) for upper, lower in zip(lines[::2], lines[1::2], strict=True)]


def _nearest(at: int, of: int, pixels: int) -> int:
    return (2 * at + 1) * pixels // (2 * of)


def _rgb(data: bytes, at: int) -> Rgb:
    return data[at], data[at + 1], data[at + 2]
