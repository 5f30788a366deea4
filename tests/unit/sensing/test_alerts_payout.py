"""What leaves the pot once a hand is over, against what was won."""

from __future__ import annotations

import pytest

from tests.unit.sensing.felt import Chip, Felt

SOON_MS = 2_000


def hand_is_over(won: dict[int, int], seed: int = 1, taken: int = 0, camera: bool = True) -> tuple[Felt, list[Chip]]:
    """A river with 60 in the pot, in chips of 5, and the award of it."""
    felt = Felt(seed, camera=camera)
    felt.attends = True
    felt.middle = 60
    pot = felt.chips([5] * 12)
    felt.put("pot", pot)
    felt.put("tray", felt.chips([1] * 10))
    felt.run(2500)
    felt.begin(street="river")
    felt.run(2500)
    felt.tell(phase="showdown", to_act=None, order=())
    felt.run(2500)
    felt.middle = 0
    felt.tell(phase="hand-over", won=won, taken=taken)
    felt.run(600)
    return felt, pot


def push(felt: Felt, seat: int, chips: list[Chip]) -> None:
    """The dealer pushes these chips to the seat; only the camera sees where they go."""
    felt.take("pot", chips)
    felt.line("pot_pushed", seat)


def raised(felt: Felt) -> set[tuple[str, int | None]]:
    return {one for one in felt.alerts() if one[0] in ("wrong-payout", "wrong-seat-paid", "pot-to-tray")}


@pytest.mark.parametrize("seed", range(4))
def test_a_pot_that_goes_to_its_winner_raises_nothing(seed: int) -> None:
    felt, pot = hand_is_over({1: 60}, seed)
    push(felt, 1, pot)
    felt.run(8000)
    assert not raised(felt)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("apart_ms", [300, 800])
def test_a_large_pot_may_be_pushed_in_two_parts(seed: int, apart_ms: int) -> None:
    felt, pot = hand_is_over({1: 60}, seed)
    push(felt, 1, pot[:6])
    felt.run(apart_ms)
    push(felt, 1, pot[6:])
    felt.run(8000)
    assert not felt.raised_ms("wrong-payout", 0)


@pytest.mark.parametrize("told_ms", [500, 900, 1300, 1500])
def test_a_part_of_a_split_pot_may_have_gone_before_the_camera_says_to_whom(told_ms: int) -> None:
    felt, pot = hand_is_over({1: 30, 2: 30})
    push(felt, 1, pot[:6])
    felt.run(800)
    felt.take("pot", pot[6:])
    felt.line("pot_pushed", 2, lag_ms=told_ms)
    felt.run(8000)
    assert not felt.raised_ms("wrong-payout", 0)


def test_a_split_pot_may_be_counted_out_for_some_seconds() -> None:
    felt, pot = hand_is_over({1: 30, 2: 30})
    push(felt, 1, pot[:6])
    felt.run(3000)
    push(felt, 2, pot[6:])
    felt.run(8000)
    assert not felt.raised_ms("wrong-payout", 0)


@pytest.mark.parametrize("camera", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_a_winner_who_gets_too_little_is_named_within_two_seconds(seed: int, camera: bool) -> None:
    felt, pot = hand_is_over({1: 60}, seed, camera=camera)
    pushed_ns = felt.now_ns
    push(felt, 1, pot[:-1])
    felt.run(4000)
    assert felt.raised_ms("wrong-payout", pushed_ns)[0] < SOON_MS
    assert felt.sensing.raised["wrong-payout", 1].sentence == (
        "Seat 1: push 5 more: 55 left the pot, 60 was won; 5 lies there."
    )


def test_bets_that_go_to_the_winner_straight_from_their_zones_are_not_missed_in_the_pot() -> None:
    felt, pot = hand_is_over({1: 100})
    push(felt, 1, pot)
    felt.run(8000)
    assert not raised(felt)


def test_a_winner_who_gets_too_much_of_a_split_pot_is_named_within_two_seconds() -> None:
    felt, pot = hand_is_over({1: 30, 2: 30})
    pushed_ns = felt.now_ns
    push(felt, 1, pot[:8])
    felt.run(3000)
    assert felt.raised_ms("wrong-payout", pushed_ns)[0] < SOON_MS
    assert felt.sentence("wrong-payout", 1).startswith("Seat 1: bring 10 back")


def test_a_seat_that_has_not_won_is_named_as_soon_as_the_camera_sees_the_push() -> None:
    felt, pot = hand_is_over({1: 60})
    pushed_ns = felt.now_ns
    push(felt, 3, pot)
    felt.run(1000)
    assert felt.raised_ms("wrong-seat-paid", pushed_ns)[0] < 1000
    assert felt.sentence("wrong-seat-paid", 3).endswith("seat 1 won this hand.")


def test_without_a_camera_a_seat_that_has_not_won_is_named_where_its_reader_hears_the_chips() -> None:
    felt, pot = hand_is_over({1: 60}, camera=False)
    felt.take("pot", pot)
    felt.put("seat-3", pot)
    felt.run(3000)
    assert felt.sensing.raised["wrong-seat-paid", 3].amount == 60


def test_the_rake_leaves_the_pot_too() -> None:
    felt, pot = hand_is_over({1: 55}, taken=5)
    felt.take("pot", pot[:1])
    felt.put("tray", pot[:1])
    felt.run(800)
    push(felt, 1, pot[1:])
    felt.run(8000)
    assert not raised(felt)


def test_chips_of_the_pot_in_the_tray_are_named_where_nothing_needs_to_be_changed() -> None:
    felt, pot = hand_is_over({1: 60})
    felt.take("pot", pot[-2:])
    felt.run(600)
    put_ns = felt.now_ns
    felt.put("tray", pot[-2:])
    felt.run(4000)
    assert felt.raised_ms("pot-to-tray", put_ns)[0] < SOON_MS
    assert felt.sensing.raised["pot-to-tray", None].amount == 10


def test_nothing_is_said_of_a_hand_that_nobody_has_won_yet() -> None:
    felt, pot = hand_is_over({})
    push(felt, 3, pot)
    felt.run(6000)
    assert not raised(felt)
