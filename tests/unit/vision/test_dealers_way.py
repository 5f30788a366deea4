"""Where the dealer's arm goes on to from a bet: to its player's stacks, or to the pot."""

from collections.abc import Sequence

import pytest

from vision.frame.dealers_way import BelowDealer, DealersWay

FRAME_NS, PAUSE_NS = 33_000_000, 300_000_000
NOWHERE, ZONE, STACKS = BelowDealer(), BelowDealer(zone=True), BelowDealer(stacks=True)
BOTH, ELSEWHERE = BelowDealer(zone=True, stacks=True), BelowDealer(elsewhere=True)


@pytest.mark.parametrize(
    ("way", "onward_frame"),
    [
        ([ZONE, ZONE, BOTH, BOTH, ZONE, NOWHERE], 2),  # the stacks lie beyond the bets
        ([STACKS, ZONE, ZONE, STACKS, STACKS, NOWHERE], 3),  # they lie on its way, and it came over them
        ([ZONE, ELSEWHERE, ELSEWHERE, STACKS, STACKS], None),  # home from the pot
        ([ELSEWHERE, ZONE, ZONE, STACKS, STACKS], 3),  # over the middle before, not since
        ([ZONE, STACKS, ELSEWHERE], None),  # one frame on its way to the pot
        ([STACKS, STACKS, ZONE, ZONE, ELSEWHERE], None),
        ([STACKS, STACKS], None),
        ([BOTH, BOTH, ZONE], None),  # over both at once
    ],
)
def test_an_arm_gives_back_that_comes_on_from_the_zone_to_the_stacks(
    way: Sequence[BelowDealer], onward_frame: int | None
) -> None:
    dealer = DealersWay()
    for frame, below in enumerate(way):
        dealer.note(frame * FRAME_NS, below, PAUSE_NS)

    assert dealer.onward_ns == (None if onward_frame is None else onward_frame * FRAME_NS)


@pytest.mark.parametrize(("gap", "came_frame"), [(4, 2), (40, 41)])
def test_an_arm_that_is_back_after_a_moment_never_left(gap: int, came_frame: int) -> None:
    dealer = DealersWay()
    for frame, below in enumerate([ZONE, ZONE, BOTH, *[ZONE] * (gap - 2), *[BOTH] * 2]):
        dealer.note(frame * FRAME_NS, below, PAUSE_NS)

    assert dealer.onward_ns == came_frame * FRAME_NS


@pytest.mark.parametrize(
    ("way", "hid_frame"),
    [([ZONE, ZONE, BOTH, BOTH, ZONE, NOWHERE], 4), ([STACKS, ZONE, ZONE, STACKS, STACKS], None), ([ZONE, ZONE], None)],
)
def test_an_arm_hides_the_zone_as_long_as_it_lies_over_it_on_its_way_to_the_stacks(
    way: Sequence[BelowDealer], hid_frame: int | None
) -> None:
    dealer = DealersWay()
    for frame, below in enumerate(way):
        dealer.note(frame * FRAME_NS, below, PAUSE_NS)

    assert dealer.hid_ns == (None if hid_frame is None else hid_frame * FRAME_NS)
