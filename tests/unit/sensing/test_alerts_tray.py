"""The tray in a hand: what is stolen from it is told, what left it before the hand or was bought is not."""

from __future__ import annotations

import pytest

from table_controller.sensing import HandView
from tests.unit.sensing.felt import Chip, Felt

ROUND_MS = 1200.0


def with_tray(seed: int = 1) -> tuple[Felt, list[Chip]]:
    """A felt with a full tray, which is read slowly, after the first hand."""
    felt = Felt(seed)
    felt.full_tray_ms = ROUND_MS
    chips = felt.chips([5] * 20 + [25] * 20)
    felt.put("tray", chips)
    felt.run(12_000)
    felt.begin(in_play=1000)
    felt.run(3000)
    felt.tell(HandView("hand-over", 1, "river", None, (), in_play=1000))
    felt.run(3000)
    return felt, chips


@pytest.mark.parametrize("before_ms", [0, 200, 800, 1500, 3000])
@pytest.mark.parametrize("seed", [1, 2])
def test_chips_that_left_the_tray_just_before_the_hand_began_are_not_missed(before_ms: int, seed: int) -> None:
    felt, chips = with_tray(seed)
    felt.take("tray", chips[:4])
    felt.run(before_ms)
    felt.begin(hand_no=2, in_play=1000)
    felt.run(30_000)
    assert ("tray-short", None) not in felt.alerts()
    assert not felt.raised_ms("tray-short", 0)


@pytest.mark.parametrize("paid_ms", [0, 2000, 5000, 12_000])
def test_chips_that_were_bought_between_the_hands_may_leave_the_tray_when_the_next_one_has_begun(paid_ms: int) -> None:
    felt, chips = with_tray()
    felt.tell(HandView("hand-over", 1, "river", None, (), in_play=1100))
    felt.run(500)
    felt.begin(hand_no=2, in_play=1100)
    felt.run(paid_ms)
    felt.take("tray", chips[-4:])
    felt.run(30_000)
    assert not felt.raised_ms("tray-short", 0)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_chips_that_nobody_bought_are_missed(seed: int) -> None:
    felt, chips = with_tray(seed)
    felt.begin(hand_no=2, in_play=1000)
    felt.run(12_000)
    felt.take("tray", chips[-4:])
    felt.run(15_000)
    assert ("tray-short", None) in felt.alerts()
    assert felt.sentence("tray-short", None).startswith("Tray: find 100 ")
