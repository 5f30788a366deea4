"""The tray in a hand: what is stolen from it is told, what left it before the hand, was bought or changed is not."""

from __future__ import annotations

import pytest

from table_controller.sensing import Alert, HandView
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


@pytest.mark.one_in(5)
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


@pytest.mark.one_in(4)
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


def in_a_hand(seed: int) -> tuple[Felt, list[Chip]]:
    """A full tray, and a hand that has begun a while ago."""
    felt, chips = with_tray(seed)
    felt.begin(hand_no=2, in_play=1000)
    felt.run(12_000)
    return felt, chips


@pytest.mark.nightly
def test_too_little_for_a_chip_is_told_once_what_came_for_it_was_read_three_times() -> None:
    """The chips that come say that change is made, so the one that went need not be silent for six rounds."""
    told = []
    for seed in range(1, 13):
        felt, chips = in_a_hand(seed)
        felt.take("tray", chips[-1:])
        felt.run(1000)
        felt.put("tray", felt.chips([5, 5]))
        came_ns = felt.now_ns
        felt.run(12_000)
        told.append(felt.raised_ms("uneven-change", came_ns)[0])
        assert felt.sentence("uneven-change", None) == (
            "Tray: find 15 or call the floor: 25 was taken out in this hand, 10 was put in for it."
        )
        assert not felt.raised_ms("tray-short", 0)
    assert sorted(told)[8] < 3.5 * ROUND_MS
    assert max(told) < 5 * ROUND_MS


@pytest.mark.parametrize("away_ms", [300, 1000])
@pytest.mark.parametrize("seed", range(1, 21))
def test_even_change_raises_nothing(seed: int, away_ms: int) -> None:
    felt, chips = in_a_hand(seed)
    felt.take("tray", chips[-1:])
    felt.run(away_ms)
    felt.put("tray", felt.chips([5] * 5))
    felt.run(15_000)
    assert not {code for code, _ in felt.alerts()} & {"uneven-change", "tray-short", "pot-to-tray"}
    assert not felt.raised_ms("uneven-change", 0)
    assert not felt.raised_ms("tray-short", 0)


def hand_with_bets(seed: int, back: dict[int, int]) -> tuple[Felt, list[Chip]]:
    """Seats 1 and 2 have bet, and the round is over; the chips are those of seat 1."""
    felt, _ = with_tray(seed)
    felt.attends = True
    felt.begin(hand_no=2, street="river", in_play=1000)
    felt.run(12_000)
    bet = felt.push(1, [5] * 6)
    felt.run(2500)
    felt.push(2, [5] * 6)
    felt.run(2500)
    felt.tell(phase="showdown", to_act=None, order=(), back=back)
    felt.run(1500)
    return felt, bet


@pytest.mark.parametrize("seed", range(1, 7))
def test_bets_that_go_to_the_tray_before_the_pot_was_read_are_told(seed: int) -> None:
    felt, bet = hand_with_bets(seed, {})
    for seat in (1, 2):
        zone = f"seat-{seat}"
        chips = [chip for chip in bet if chip.uid in felt.lying[zone]] or [Chip(uid, 5) for uid in felt.lying[zone]]
        felt.take(zone, chips)
        felt.put("pot", [chip for chip in chips if chip not in bet[:2]])
    felt.tell(phase="hand-over", won={2: 60}, pot=0)
    felt.run(600)
    felt.put("tray", bet[:2])
    put_ns = felt.now_ns
    felt.run(8000)
    assert felt.raised_ms("pot-to-tray", put_ns)
    assert felt.sentence("pot-to-tray", None).startswith("Tray: put 10 back into the pot: 10 of the pot ")
    assert felt.raised_ms("pot-to-tray", put_ns)[0] <= 4 * ROUND_MS


@pytest.mark.parametrize("seed", range(1, 7))
def test_a_winner_who_changes_what_was_won_puts_no_pot_into_the_tray(seed: int) -> None:
    """What was won lies in the winner's stack first; large chips come out of the tray for it a moment later."""
    felt, _ = hand_with_bets(seed, {})
    for zone in ("seat-1", "seat-2"):
        chips = [Chip(uid, 5) for uid in felt.lying[zone]]
        felt.take(zone, chips)
        felt.put("pot", chips)
    felt.run(3000)
    won = [Chip(uid, 5) for uid in felt.lying["pot"]]
    felt.tell(phase="hand-over", won={2: 60}, pot=0)
    felt.run(500)
    felt.take("pot", won)
    felt.run(5000)
    large = [Chip(uid, felt.values[uid] or 0) for uid in felt.lying["tray"]][:1]
    felt.put("tray", won[: (large[0].value or 5) // 5])
    felt.run(600)
    felt.take("tray", large)
    felt.run(8000)
    assert not felt.raised_ms("pot-to-tray", 0)


@pytest.mark.parametrize("seed", range(1, 7))
def test_change_that_is_bet_and_gathered_at_once_is_no_pot_in_the_tray(seed: int) -> None:
    """The tray's reader, slow as it is, heard these chips in the tray before they were given, and not since."""
    felt, chips = in_a_hand(seed)
    felt.attends = True
    felt.push(1, [5] * 5)
    felt.run(2500)
    felt.take("tray", chips[:5])
    felt.put("tray", felt.chips([25]))
    felt.run(800)
    felt.hand_visits(2, 0, 400)
    felt.put("seat-2", chips[:5])
    felt.run(1500)
    felt.tell(phase="showdown", to_act=None, order=())
    for zone in ("seat-1", "seat-2"):
        felt.take(zone, [Chip(uid, 5) for uid in felt.lying[zone]])
    felt.run(600)
    felt.tell(phase="hand-over", won={2: 50}, pot=0)
    felt.run(5000)
    assert not felt.raised_ms("pot-to-tray", 0)


@pytest.mark.parametrize("seed", range(1, 7))
def test_an_uncalled_bet_that_is_changed_after_the_hand_is_no_chip_of_the_pot(seed: int) -> None:
    """The bet goes into the tray first, and small chips come out of it a while later."""
    felt, bet = hand_with_bets(seed, {1: 10})
    felt.tell(phase="hand-over", won={2: 50}, pot=0)
    felt.take("seat-1", bet[:2])
    felt.put("tray", bet[:2])
    felt.run(1800)
    felt.take("tray", [Chip(uid, 5) for uid in list(felt.lying["tray"])[:2]])
    felt.run(10_000)
    assert not felt.raised_ms("pot-to-tray", 0)


def test_chips_out_of_the_tray_are_named_at_once_and_an_alarm_once_nothing_has_come_for_them() -> None:
    felt, chips = in_a_hand(1)
    felt.full_tray_ms = 150.0
    felt.attends = True
    felt.run(3000)
    felt.take("tray", chips[-2:])
    out_ns = felt.now_ns
    felt.run(15_000)
    [open_ms], [short_ms] = felt.raised_ms("tray-open", out_ns), felt.raised_ms("tray-short", out_ns)
    assert open_ms + 900 < short_ms
    assert ("tray-open", None) not in felt.alerts()
    noticed = [one for one in felt.told if isinstance(one, Alert) and one.code == "tray-open"]
    assert [(one.sentence, one.amount, one.count) for one in noticed] == [
        ("Tray: put in 50 for what was taken out, or put it back.", 50, 2)
    ]


def test_a_tray_that_owes_change_is_not_called_open() -> None:
    felt, chips = in_a_hand(1)
    felt.book(2, bet=15, change_due=10)
    felt.tell()
    felt.take("tray", chips[:2])
    felt.run(12_000)
    assert not felt.raised_ms("tray-open", 0)
