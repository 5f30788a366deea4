"""Pictures side by side on one sheet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.calibration.annotate import WHITE, worded
from vision.imaging.pictures import Picture, resized

TILE_PX: Final = (640, 360)
COLUMNS: Final = 3
BAR_PX: Final = 22


def contact_sheet(
    tiles: Sequence[tuple[Picture, str]], tile_px: tuple[int, int] = TILE_PX, most_columns: int = COLUMNS
) -> Picture:
    """Pictures, (H, W, 3) uint8 BGR, side by side, each with its title above it and no larger than ``tile_px``.

    At least one is needed.
    """
    if not tiles:
        raise ValueError("a contact sheet needs a picture")
    width, height = tile_px
    columns = min(most_columns, len(tiles))
    rows = -(-len(tiles) // columns)
    sheet = np.zeros((rows * (height + BAR_PX), columns * width, 3), np.uint8)
    for at, (picture, title) in enumerate(tiles):
        x, y = at % columns * width, at // columns * (height + BAR_PX)
        share = min(width / picture.shape[1], height / picture.shape[0])
        tile = resized(picture, (max(1, int(picture.shape[1] * share)), max(1, int(picture.shape[0] * share))))
        sheet[y + BAR_PX : y + BAR_PX + tile.shape[0], x : x + tile.shape[1]] = tile
        worded(sheet, title, np.array([x + 6.0, y + 15.0]), WHITE)
    return sheet
