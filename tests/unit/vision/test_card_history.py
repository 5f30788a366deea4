"""Since when a place of the felt has looked as it does."""

from __future__ import annotations

import numpy as np

from vision.imaging.pictures import Picture
from vision.places.card_history import History

FELT, CARD = 60, 210
FIRST, SECOND = (slice(2, 12), slice(2, 10)), (slice(2, 12), slice(14, 22))


def shown(*cards: tuple[slice, slice]) -> Picture:
    picture = np.full((20, 30, 3), FELT, np.uint8)
    for card in cards:
        picture[card] = CARD
    return picture


def test_of_things_that_came_one_by_one_each_has_its_own_time() -> None:
    history = History(np.arange(20 * 30))
    history.settle(shown())
    for t_ns, cards in enumerate([(), (), (FIRST,), (FIRST,), (FIRST,), (FIRST, SECOND), (FIRST, SECOND)]):
        history.add(t_ns, shown(*cards))
    now = shown(FIRST, SECOND)
    second = np.zeros(now.shape[:2], np.bool_)
    second[SECOND] = True
    assert (history.since(now), history.since(now, second)) == (2, 5)
    assert history.since(now, np.zeros_like(second)) is None
