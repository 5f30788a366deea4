"""What the detector believes beside the bet lines, drawn: card spots, the middle of the felt, its pot and its muck.

What is watched has a thin outline, what lies there a violet one. Words stand at a place only while there is something
to say of it: what lies there, why it is open, and its events.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from betline.units import NS_PER_S
from vision.calibration.annotate import GREY, ORANGE, VIOLET, YELLOW, Bgr, mask_outlines
from vision.calibration.calibration import Floats
from vision.display.captions import Line, captioned, outwards
from vision.imaging.pictures import Mask, Picture
from vision.places.snapshot import MiddleSnapshot, PlacePhase, SpotSnapshot

DIM: Final[Bgr] = (120, 120, 120)
FOUND_NS: Final = 10_000_000_000
"""How long it is shown what was last found in the middle."""
PLACE_COLOURS: Final[dict[PlacePhase, Bgr]] = {
    "learning": GREY,
    "unknown": ORANGE,
    "rest": DIM,
    "open": YELLOW,
    "frozen": GREY,
}


def spot_colour(spot: SpotSnapshot) -> Bgr:
    """The colour of a card spot's outline: what is believed to lie there, where nothing is open."""
    if spot.phase != "rest":
        return PLACE_COLOURS[spot.phase]
    return ORANGE if spot.state.strange else VIOLET if spot.state.cards else DIM


def draw_spot(drawn: Picture, spot: SpotSnapshot, table_middle: Floats, events: Sequence[Line]) -> None:
    """A seat's card spot, drawn into a (H, W, 3) uint8 BGR, with its words and events on the rail's side."""
    colour = spot_colour(spot)
    outline = mask_outlined(drawn, spot.place.mask, (spot.place.x0, spot.place.y0), colour)
    mask_outlined(drawn, spot.lying, (spot.place.x0, spot.place.y0), VIOLET)
    words = spot.reason if spot.phase in ("rest", "open") else "" if spot.phase == "frozen" else spot.phase
    lines = [(spot.holds, ORANGE if spot.state.strange else VIOLET), (words, YELLOW if spot.phase == "open" else GREY)]
    captioned(drawn, [*lines, *events], outline, outwards(outline, table_middle))


def draw_middle(drawn: Picture, middle: MiddleSnapshot, t_ns: int, events: Sequence[Line]) -> None:
    """What is watched inside the line, drawn into a (H, W, 3) uint8 BGR, with its words and events beside the pot."""
    place = middle.place
    at = (place.x0, place.y0)
    colour = PLACE_COLOURS[middle.phase]
    said = GREY if colour == DIM else colour
    mask_outlined(drawn, place.mask, at, DIM)
    mask_outlined(drawn, middle.lying, at, VIOLET)
    muck = mask_outlined(drawn, middle.muck, at, colour)
    pot = mask_outlined(drawn, middle.pot, at, colour)
    captioned(drawn, [("muck", said)], muck, "right")
    phase = "pot" if middle.phase in ("rest", "frozen") else f"middle {middle.phase}"
    lines: list[Line] = [(phase, said), (middle.reason, said)]
    if middle.found_ns is not None and t_ns - middle.found_ns < FOUND_NS:
        lines.append((f"found {(t_ns - middle.found_ns) / NS_PER_S:.0f} s ago: {middle.found}", GREY))
    captioned(drawn, [*lines, *events], pot, "right")


def mask_outlined(drawn: Picture, mask: Mask, at_px: tuple[int, int], colour: Bgr, width: int = 1) -> Floats:
    """Draws the outlines of a mask, (H, W) uint8, into a (H, W, 3) uint8 BGR.

    Returns their points in the picture, (N, 2) float64; the place's corner if the mask is empty.
    """
    outlines = mask_outlines(mask, at_px)
    cv2.polylines(drawn, [outline.astype(np.int32) for outline in outlines], True, colour, width)
    return np.concatenate(outlines or [np.array([at_px], np.float64)])
