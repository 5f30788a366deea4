"""Where the light of the table will make the camera miss chips, said at calibration: glare, a dim or noisy picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

import cv2
import numpy as np

from betline.geometry import centroid
from betline.settings import ChipSet, TableSettings
from vision.calibration.calibration import Calibration
from vision.calibration.felt_colours import Colour, felt_of_file, weak_colours, zone_of
from vision.calibration.prospects import seats_in_words
from vision.imaging.pictures import Mask, Picture, blurred
from vision.tuning.thresholds import Thresholds

BURNT_LEVEL: Final = 250
"""A pixel is burnt out from this level on in all channels: a chip there changes nothing."""
BURNT_CHIPS: Final = 0.5
"""Chip areas of a zone that must be burnt out before it is said."""
DIM_SHARE: Final = 0.5
"""The picture is dim where the felt has less than this share of the brightness that the table file gives it."""
NOISE_PERCENTILE: Final = 99.0
"""So many of a hundred pixels of a zone must stay below the level of a weak difference."""
LEAST_PICTURES: Final = 5
"""Fewer pictures say nothing of noise."""


def lighting(
    pictures: Sequence[Picture],
    table: TableSettings,
    calibration: Calibration,
    felt: Mapping[int, Colour],
    chips: ChipSet,
    thresholds: Thresholds,
) -> Iterator[str]:
    """Sentences on light that will not do, and what to do; ``pictures`` are (H, W, 3) uint8 BGR of the still table,
    ``felt`` is each seat's colour, (3,) float64 BGR.
    """
    zones = {seat.number: zone_of(seat, pictures[0].shape[:2], calibration) for seat in table.seats}
    for seat in table.seats:
        burnt_px = _burnt_px(pictures[0], zones[seat.number])
        if burnt_px * calibration.mm2_per_px(centroid(seat.bet_zone_mm)) >= BURNT_CHIPS * thresholds.chip_mm2:
            share = burnt_px / cv2.countNonZero(zones[seat.number])
            yield (
                f"A lamp glares on seat {seat.number}'s bet zone: {share:.0%} of it is burnt out, and chips there are "
                "not seen. Move the lamp or screen it, or shorten the exposure."
            )
    dim = {seat: colour for seat, colour in felt.items() if colour.sum() < DIM_SHARE * felt_of_file(table).sum()}
    hidden = _hidden_by_the_dark(dim, table, chips, thresholds)
    if hidden:
        yield (
            f"The picture is dark at {seats_in_words(list(dim))}: with more light, or a longer exposure, "
            f"{', '.join(hidden)} would stand out from the felt."
        )
    noise = {seat: _noise(pictures, zone) for seat, zone in zones.items() if cv2.countNonZero(zone)}
    loud = [seat for seat, levels in noise.items() if levels >= thresholds.weak_level]
    if loud:
        yield (
            f"The picture flickers at {seats_in_words(loud)} by {max(noise[seat] for seat in loud):.0f} levels of 255, "
            "as much as a chip may differ from the felt: give the table more light, so that the camera amplifies less."
        )


def _burnt_px(picture: Picture, zone: Mask) -> int:
    """How many pixels of a zone, (H, W) uint8, are burnt out in a picture, (H, W, 3) uint8 BGR."""
    return int(np.count_nonzero(picture[zone > 0].min(axis=1) >= BURNT_LEVEL))


def _hidden_by_the_dark(
    dim: dict[int, Colour], table: TableSettings, chips: ChipSet, thresholds: Thresholds
) -> list[str]:
    """The chips that are weak in the dim light, and would not be in the light that the table file tells of."""
    lit = dict.fromkeys(dim, felt_of_file(table))
    weak, always = ({one.key for one in weak_colours(felt, table, chips, thresholds)} for felt in (dim, lit))
    return [chip.key for chip in chips.chips if chip.key in weak - always]


def _noise(pictures: Sequence[Picture], zone: Mask) -> float:
    """By how many levels a zone, (H, W) uint8, differs from one picture to the next; 0 where there are too few."""
    if len(pictures) < LEAST_PICTURES:
        return 0.0
    x, y, width, height = cv2.boundingRect(zone)
    crops = [blurred(picture[y : y + height, x : x + width]).astype(np.int16) for picture in pictures]
    inside = zone[y : y + height, x : x + width] > 0
    steps = [np.abs(after - before).max(axis=2)[inside] for before, after in pairwise(crops)]
    return float(np.percentile(np.concatenate(steps), NOISE_PERCENTILE))
