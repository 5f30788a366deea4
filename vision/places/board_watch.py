"""The board: cards that the dealer laid in the middle of the felt, beside pot and muck, once it has come to rest.

What is new is counted by the felt that it covers, since board cards lie edge to edge. Three at once begin a row; a
single card is surely one of the board only where it goes on with the row. Anything else there may be a burn card or a
hand that was thrown away: it is reported, unsure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from betline.geometry import Point, distance_mm
from vision.frame.events import CameraEvent
from vision.places.card_eye import Thing
from vision.tuning.thresholds import Thresholds

MOST_OFF: Final = 0.3
"""Card areas by which what is new may miss a whole number."""
FLOP, BOARD = 3, 5
FLOP_WIDE_MM: Final = 110.0
"""So far from their middle the cards of a flop lie at most."""
NEXT_MM: Final = ((95.0, 190.0), (155.0, 270.0))
"""How far the fourth and the fifth card lie from the middle of the first three."""
SURE_CONF, UNSURE_CONF = 0.9, 0.6
"""Of what goes on with the row, and of anything else, which may be a burn card or a hand thrown away."""


@dataclass(frozen=True, slots=True)
class Row:
    """The board as far as it was seen to be laid: how many cards, and where the middle of the first three is."""

    cards: int = 0
    middle_mm: Point = (0.0, 0.0)


def judge(
    row: Row,
    fresh: Sequence[tuple[Thing, Point]],
    span_ns: tuple[int, int],
    frame: int,
    thresholds: Thresholds,
) -> tuple[Row, tuple[CameraEvent, ...]]:
    """The row after a look at what is new under the dealer's arm, and the event where that is cards.

    ``fresh`` are things with their middles in millimetres, ``span_ns`` is from when the middle of the felt was not at
    rest until it was looked at.
    """
    cards = [(thing.area_mm2, at) for thing, at in fresh if thing.kind in ("card", "cards")]
    area_mm2 = sum(area for area, _ in cards)
    count = round(area_mm2 / thresholds.card_mm2)
    if not 0 < count <= BOARD:
        return row, ()
    middle = (sum(area * at[0] for area, at in cards) / area_mm2, sum(area * at[1] for area, at in cards) / area_mm2)
    whole = abs(area_mm2 / thresholds.card_mm2 - count) <= MOST_OFF
    laid = row
    if whole and count == FLOP and all(distance_mm(middle, at) <= FLOP_WIDE_MM for _, at in cards):
        laid = Row(FLOP, middle)
    elif whole and count == 1 and FLOP <= row.cards < BOARD and _goes_on(row, middle):
        laid = Row(row.cards + 1, row.middle_mm)
    event = CameraEvent(
        kind="board_dealt",
        seat=None,
        t_first_ns=span_ns[0],
        t_confirm_ns=span_ns[1],
        frame=frame,
        conf=UNSURE_CONF if laid is row else SURE_CONF,
        area_mm2=area_mm2,
        footprints=count,
    )
    return laid, (event,)


def _goes_on(row: Row, at: Point) -> bool:
    near_mm, far_mm = NEXT_MM[row.cards - FLOP]
    return near_mm <= distance_mm(row.middle_mm, at) <= far_mm
