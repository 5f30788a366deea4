"""The board: cards that the dealer laid in the middle of the felt, beside pot and muck, once it has come to rest.

What is new is counted by the felt that it covers, since board cards lie edge to edge. Three at once begin a row; a
single card is surely one of the board only where it goes on with the row. A burn card that comes with them shows its
back, so that it differs in colour from the row, and is left out. Anything else may be a hand that was thrown away: it
is reported, unsure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
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
IN_ROW: Final = 0.9
"""Cosine of the angle by which the fifth card may lie off the way from the first three to the fourth."""
BACK_LEVELS: Final = 45.0
"""A card that differs from those of the row by so many levels, in some channel, shows its back."""
SURE_CONF, UNSURE_CONF = 0.9, 0.6
"""Of what goes on with the row, and of anything else, which may be a hand thrown away."""

Placed = tuple[Thing, Point]
"""A thing and its middle in millimetres."""


@dataclass(frozen=True, slots=True)
class Row:
    """The board as far as it was seen to be laid: how many cards, where the middle of the first three is and of the
    fourth, and how the cards look: mean colour, BGR.
    """

    cards: int = 0
    middle_mm: Point = (0.0, 0.0)
    fourth_mm: Point | None = None
    colour: tuple[float, float, float] = (0.0, 0.0, 0.0)


def judge(
    row: Row,
    fresh: Sequence[Placed],
    lies_ns: Callable[[Sequence[Thing]], int],
    now: tuple[int, int],
    thresholds: Thresholds,
) -> tuple[Row, tuple[CameraEvent, ...]]:
    """The row after a look at what is new under the dealer's arm, and the event where that is cards.

    ``fresh`` are things with their middles in millimetres, ``lies_ns`` says since when the first of some of them lies
    there, ``now`` is the time and the number of the frame. A burn card is not reported where it can be told from the
    board's cards.
    """
    cards = _without_burnt([one for one in fresh if one[0].kind in ("card", "cards")], thresholds)
    if row.cards >= FLOP and not _is_flop(cards, thresholds):
        cards = [one for one in cards if not _shows_back(one[0], row.colour)]
    count = _count(cards, thresholds)
    if not 0 < count <= BOARD:
        return row, ()
    laid = row
    middle = _middle(cards)
    if _is_flop(cards, thresholds):
        laid = Row(FLOP, middle, None, _colour(cards))
    elif _is_whole(cards, 1, thresholds) and FLOP <= row.cards < BOARD and _goes_on(row, middle):
        laid = replace(row, cards=row.cards + 1, fourth_mm=row.fourth_mm or middle)
    event = CameraEvent(
        kind="board_dealt",
        seat=None,
        t_first_ns=lies_ns([thing for thing, _ in cards]),
        t_confirm_ns=now[0],
        frame=now[1],
        conf=UNSURE_CONF if laid is row else SURE_CONF,
        area_mm2=sum(thing.area_mm2 for thing, _ in cards),
        footprints=count,
    )
    return laid, (event,)


def _without_burnt(cards: list[Placed], thresholds: Thresholds) -> list[Placed]:
    """The cards without the one that was burnt before a flop: three are left, and it looks different from them."""
    for at, one in enumerate(cards):
        others = cards[:at] + cards[at + 1 :]
        if _is_whole([one], 1, thresholds) and _is_flop(others, thresholds) and _shows_back(one[0], _colour(others)):
            return others
    return cards


def _is_flop(cards: Sequence[Placed], thresholds: Thresholds) -> bool:
    if not _is_whole(cards, FLOP, thresholds):
        return False
    middle = _middle(cards)
    return all(distance_mm(middle, at) <= FLOP_WIDE_MM for _, at in cards)


def _is_whole(cards: Sequence[Placed], count: int, thresholds: Thresholds) -> bool:
    """Whether so many cards lie there, each of them whole."""
    areas = sum(thing.area_mm2 for thing, _ in cards) / thresholds.card_mm2
    return _count(cards, thresholds) == count and abs(areas - count) <= MOST_OFF


def _count(cards: Sequence[Placed], thresholds: Thresholds) -> int:
    return round(sum(thing.area_mm2 for thing, _ in cards) / thresholds.card_mm2)


def _middle(cards: Sequence[Placed]) -> Point:
    area_mm2 = sum(thing.area_mm2 for thing, _ in cards)
    x_mm = sum(thing.area_mm2 * at[0] for thing, at in cards) / area_mm2
    return x_mm, sum(thing.area_mm2 * at[1] for thing, at in cards) / area_mm2


def _colour(cards: Sequence[Placed]) -> tuple[float, float, float]:
    area_mm2 = sum(thing.area_mm2 for thing, _ in cards)
    blue, green, red = (sum(thing.area_mm2 * thing.colour[at] for thing, _ in cards) / area_mm2 for at in range(3))
    return blue, green, red


def _shows_back(card: Thing, faces: tuple[float, float, float]) -> bool:
    """Whether a card looks different from those that lie face up."""
    return max(abs(one - other) for one, other in zip(card.colour, faces, strict=True)) >= BACK_LEVELS


def _goes_on(row: Row, at: Point) -> bool:
    near_mm, far_mm = NEXT_MM[row.cards - FLOP]
    away_mm = distance_mm(row.middle_mm, at)
    if not near_mm <= away_mm <= far_mm:
        return False
    if row.fourth_mm is None:
        return True
    (x0, y0), (x1, y1) = row.middle_mm, row.fourth_mm
    along = (x1 - x0) * (at[0] - x0) + (y1 - y0) * (at[1] - y0)
    return along >= IN_ROW * away_mm * distance_mm(row.middle_mm, row.fourth_mm)
