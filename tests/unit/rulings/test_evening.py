"""Whole evenings at random: chips are conserved, refusals change nothing, the same story makes the same table.

`BETLINE_EVENINGS=2000 pytest tests/unit/rulings/test_evening.py` plays as many as that.
"""

from __future__ import annotations

import os

import pytest

from tests.unit.rulings.evening import Evening

EVENINGS = int(os.environ.get("BETLINE_EVENINGS", "150"))
STEPS = 500
OFTEN = (
    "action", "chips", "says", "deal", "award", "next_hand", "sits", "leaves", "away", "back", "adds", "moves", "undo",
    "after_minutes", "penalty", "counts", "fouled", "kills", "straddle", "reopens", "floor",
    "corrects", "records", "overrides",
)  # fmt: skip


@pytest.mark.timeout(0 if EVENINGS > 150 else 300)
@pytest.mark.parametrize("first", [0, *(pytest.param(first, marks=pytest.mark.nightly) for first in range(1, 10))])
def test_chips_are_conserved_over_whole_evenings(first: int) -> None:
    hands = 0
    kinds: dict[str, int] = {}
    for seed in range(first, EVENINGS, 10):
        evening = Evening(seed)
        evening.play(STEPS)
        hands += evening.hands
        for kind, count in evening.kinds.items():
            kinds[kind] = kinds.get(kind, 0) + count

    assert hands > 10 * len(range(first, EVENINGS, 10))
    assert all(kinds.get(kind, 0) > 0 for kind in OFTEN), kinds
