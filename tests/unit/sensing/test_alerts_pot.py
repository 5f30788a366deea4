"""The pot against the bets that go into it: what is taken, added or never arrives is named, honest gathering is not."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from table_controller.sensing import Alert, SeatBook
from tests.unit.sensing.felt import Chip, Felt

SOON_MS = 2_000


def at_flop(middle: int = 40, seed: int = 1) -> tuple[Felt, list[Chip]]:
    """A flop with so much in the middle, in chips of 5."""
    felt = Felt(seed)
    felt.attends = True
    felt.middle = middle
    pot = felt.chips([5] * (middle // 5))
    felt.put("pot", pot)
    felt.put("tray", felt.chips([100] * 10 + [1] * 20))
    felt.run(2500)
    felt.begin()
    felt.run(4000)
    return felt, pot


def round_is_over(felt: Felt, seats: tuple[int, ...] = (1, 2)) -> dict[int, list[Chip]]:
    """These seats bet 20 each, and the round is over."""
    chips = {}
    for seat in seats:
        chips[seat] = felt.push(seat, [10, 5, 5])
        felt.run(2500)
    felt.tell(phase="round-over", to_act=None, order=())
    return chips


def sweep(felt: Felt, seat: int, chips: Iterable[Chip], kept: Iterable[Chip] = (), after_ms: float = 0) -> None:
    """The bet leaves its zone then, and lies in the pot 600 ms later but for what is kept."""
    bet, palmed = list(chips), {chip.uid for chip in kept}
    felt.at(after_ms, lambda: felt.take(f"seat-{seat}", bet))
    felt.at(after_ms + 600, lambda: felt.put("pot", [chip for chip in bet if chip.uid not in palmed]))


def pot_alerts(felt: Felt) -> set[str]:
    return {code for code, _ in felt.alerts() if code.startswith("pot")}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("apart_ms", [0, 300, 1000])
def test_bets_that_are_swept_in_one_after_the_other_raise_nothing(seed: int, apart_ms: int) -> None:
    felt, _ = at_flop(seed=seed)
    for place, (seat, chips) in enumerate(round_is_over(felt, (1, 2, 3)).items()):
        sweep(felt, seat, chips, after_ms=place * apart_ms)
    felt.run(9000)
    assert not [one for code in ("pot-short", "pot-over") for one in felt.raised_ms(code, 0)]


@pytest.mark.parametrize("seed", range(6))
def test_what_leaves_the_pot_while_people_bet_is_missed_within_two_seconds(seed: int) -> None:
    felt, pot = at_flop(seed=seed)
    felt.run(100 * seed)
    taken_ns = felt.now_ns
    felt.take("pot", pot[:2])
    felt.run(4000)
    [raised_ms] = felt.raised_ms("pot-short", taken_ns)
    assert raised_ms < SOON_MS
    assert felt.sentence("pot-short", None) == "Pot: put 10 back or call the floor: it lay in the pot and has left it."
    alert = felt.sensing.raised["pot-short", None]
    assert (alert.amount, alert.count, {read.uid for read in alert.chips}) == (10, 2, {chip.uid for chip in pot[:2]})


@pytest.mark.one_in(3)
@pytest.mark.parametrize("away_ms", [200, 500, 900])
def test_a_dealer_who_straightens_the_pot_is_not_suspected(away_ms: int) -> None:
    for seed in range(4):
        felt, pot = at_flop(seed=seed)
        began_ns = felt.now_ns
        felt.take("pot", pot[:3])
        felt.at(away_ms, lambda felt=felt, pot=pot: felt.put("pot", pot[:3]))  # type: ignore[misc]
        felt.run(5000)
        assert not felt.raised_ms("pot-short", began_ns)


def test_chips_of_the_pot_that_are_changed_out_of_the_tray_are_not_missed() -> None:
    felt, pot = at_flop()
    ones = [Chip(uid, 1) for uid in felt.lying["tray"] if felt.values[uid] == 1][:5]
    felt.take("tray", ones)
    felt.run(400)
    felt.put("pot", ones)
    felt.run(400)
    felt.take("pot", pot[:1])
    felt.run(400)
    felt.put("tray", pot[:1])
    felt.run(8000)
    assert not [one for code in ("pot-short", "pot-over") for one in felt.raised_ms(code, 0)]


@pytest.mark.parametrize("seed", range(6))
def test_chips_that_are_added_to_the_pot_are_named_within_a_second(seed: int) -> None:
    felt, _ = at_flop(seed=seed)
    for seat, chips in round_is_over(felt).items():
        sweep(felt, seat, chips)
    felt.run(2000)
    added_ns, added = felt.now_ns, felt.chips([25])
    felt.put("pot", added)
    felt.run(4000)
    [raised_ms] = felt.raised_ms("pot-over", added_ns)
    assert raised_ms < 700, "no bet lies in front of a seat any more, so nothing is waited for but the pot's reader"
    assert felt.sensing.raised["pot-over", None].amount == 25
    assert [read.uid for read in felt.sensing.raised["pot-over", None].chips] == [added[0].uid]


def test_a_chip_that_left_the_tray_long_ago_is_no_change_when_it_is_added_to_the_pot() -> None:
    felt, _ = at_flop()
    hundred = next(Chip(uid, 100) for uid in felt.lying["tray"] if felt.values[uid] == 100)
    felt.take("tray", [hundred])
    felt.run(9000)
    added_ns = felt.now_ns
    felt.put("pot", [hundred])
    felt.run(4000)
    assert felt.raised_ms("pot-over", added_ns)[0] < SOON_MS


@pytest.mark.parametrize("seed", range(6))
def test_a_part_of_a_bet_that_never_arrives_is_missed_within_two_seconds(seed: int) -> None:
    felt, _ = at_flop(seed=seed)
    bets = round_is_over(felt)
    sweep(felt, 1, bets[1])
    sweep(felt, 2, bets[2], kept=bets[2][:1])
    felt.run(600)
    gathered_ns = felt.now_ns
    felt.run(4000)
    assert felt.raised_ms("pot-short", gathered_ns)[0] < SOON_MS
    assert "find 10 of the bet of seat 2" in felt.sentence("pot-short", None)


@pytest.mark.parametrize("seed", range(6))
def test_a_whole_bet_that_never_arrives_is_missed_within_two_seconds(seed: int) -> None:
    felt, _ = at_flop(seed=seed)
    bets = round_is_over(felt)
    sweep(felt, 1, bets[1])
    sweep(felt, 2, bets[2], kept=bets[2])
    felt.run(600)
    gathered_ns = felt.now_ns
    felt.run(4000)
    assert felt.raised_ms("pot-short", gathered_ns)[0] < SOON_MS
    assert "find 20 of the bet of seat 2" in felt.sentence("pot-short", None)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", [2, 15, 19, 29, 0, 1])
def test_a_bet_that_a_dealers_other_hand_brings_a_second_later_is_not_missed(seed: int) -> None:
    felt, _ = at_flop(seed=seed)
    bets = round_is_over(felt)
    sweep(felt, 1, bets[1])
    felt.at(0, lambda: felt.take("seat-2", bets[2]))
    felt.at(1200, lambda: felt.put("pot", bets[2]))
    felt.run(6000)
    assert not felt.raised_ms("pot-short", 0)


def test_an_uncalled_part_that_goes_back_to_its_seat_is_not_missed() -> None:
    felt, _ = at_flop()
    bets = round_is_over(felt)
    felt.middle = None
    felt.tell(back={2: 10}, pot=70)
    sweep(felt, 1, bets[1])
    sweep(felt, 2, bets[2], kept=bets[2][:1])
    felt.run(8000)
    assert not pot_alerts(felt)


@pytest.mark.parametrize("seed", range(4))
def test_change_that_goes_back_when_the_round_is_over_is_not_missed_on_the_next_street(seed: int) -> None:
    felt, _ = at_flop(seed=seed)
    bets = {}
    for seat in (1, 2):
        bets[seat] = felt.push(seat, [10, 5, 5])
        felt.run(2500)
    felt.book(2, bet=15, change_due=5)
    felt.tell(phase="round-over", to_act=None, order=())
    sweep(felt, 1, bets[1])
    sweep(felt, 2, bets[2], kept=bets[2][1:2])
    felt.run(3000)
    felt.middle = 75
    felt.books = {seat: SeatBook(seat, stack=10**6) for seat in felt.seats}
    felt.tell(phase="betting", street="turn", to_act=1, order=(1, 2, 3))
    felt.run(4000)
    assert not felt.raised_ms("pot-short", 0)


def test_the_alert_passes_when_the_chips_are_put_back() -> None:
    felt, pot = at_flop()
    felt.take("pot", pot[:2])
    felt.run(4000)
    assert pot_alerts(felt) == {"pot-short"}
    felt.put("pot", pot[:2])
    felt.run(6000)
    assert not pot_alerts(felt)


@pytest.mark.parametrize("seed", range(6))
def test_a_bet_that_is_changed_just_before_it_is_gathered_is_not_missed(seed: int) -> None:
    """The tray's chips go into the pot before their new zone has owned them, the bet's chip into a tray read slowly."""
    felt, _ = at_flop(seed=seed)
    bets = round_is_over(felt)
    felt.full_tray_ms = 1200
    felt.run(1500)
    ones = [Chip(uid, 1) for uid in felt.lying["tray"] if felt.values[uid] == 1][:10]
    felt.take("tray", ones)
    felt.put("seat-2", ones)
    felt.run(400)
    felt.take("seat-2", bets[2][:1])
    felt.at(300, lambda: felt.put("tray", bets[2][:1]))
    sweep(felt, 1, bets[1])
    sweep(felt, 2, [*ones, *bets[2][1:]])
    felt.run(9000)
    assert not felt.raised_ms("pot-short", 0)


@pytest.mark.parametrize("seed", range(3))
def test_a_bet_that_never_arrives_is_missed_although_its_change_was_due_when_the_round_was_over(seed: int) -> None:
    felt, _ = at_flop(seed=seed)
    bets = {}
    for seat in (1, 2):
        bets[seat] = felt.push(seat, [25, 5, 5])
        felt.run(2500)
    felt.book(2, bet=15, change_due=20)
    felt.tell(phase="round-over", to_act=None, order=())
    ones = [Chip(uid, 1) for uid in felt.lying["tray"] if felt.values[uid] == 1][:5]
    felt.take("seat-2", bets[2][:1])
    felt.put("tray", bets[2][:1])
    felt.take("tray", ones)
    felt.put("seat-2", ones)
    felt.run(4000)
    sweep(felt, 1, bets[1])
    changed = [*bets[2][1:], *ones]
    sweep(felt, 2, changed, kept=changed)
    felt.run(600)
    gathered_ns = felt.now_ns
    felt.run(4000)
    assert felt.raised_ms("pot-short", gathered_ns)[0] < SOON_MS
    assert felt.sentence("pot-short", None).startswith("Pot: find 15 of the bet of seat 2 or")


def change_is_made(felt: Felt) -> tuple[dict[int, list[Chip]], list[Chip]]:
    """The round is over; seat 2 called 15 with a chip of 20, which was changed: 15 in ones lie there, 5 went back."""
    bets = {}
    for seat, values in ((1, [10, 5]), (2, [20])):
        bets[seat] = felt.push(seat, values)
        felt.run(2500)
    felt.book(2, bet=15, change_due=5)
    felt.tell(phase="round-over", to_act=None, order=())
    ones = [Chip(uid, 1) for uid in felt.lying["tray"] if felt.values[uid] == 1]
    felt.take("seat-2", bets[2])
    felt.put("tray", bets[2])
    felt.take("tray", ones)
    felt.put("seat-2", ones[:15])
    felt.run(4000)
    return bets, ones[:15]


@pytest.mark.one_in(8)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kept", [15, 7])
def test_what_lay_there_for_a_bet_that_was_changed_whole_is_missed_like_the_bet(kept: int, seed: int) -> None:
    felt, _ = at_flop(seed=seed)
    bets, ones = change_is_made(felt)
    sweep(felt, 1, bets[1])
    sweep(felt, 2, ones, kept=ones[:kept])
    felt.run(600)
    gathered_ns = felt.now_ns
    felt.run(4000)
    assert felt.raised_ms("pot-short", gathered_ns)[0] < SOON_MS
    assert {code for code, _ in felt.sensing.raised} == {"pot-short"}
    assert felt.sentence("pot-short", None).startswith(f"Pot: find {kept} of the bet of seat 2 or")


@pytest.mark.one_in(8)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("apart_ms", [0, 500])
def test_a_bet_that_was_changed_whole_and_is_gathered_is_not_missed(apart_ms: int, seed: int) -> None:
    felt, _ = at_flop(seed=seed)
    bets, ones = change_is_made(felt)
    sweep(felt, 1, bets[1])
    sweep(felt, 2, ones, after_ms=apart_ms)
    felt.run(6000)
    assert not [one for one in felt.told if isinstance(one, Alert)]


@pytest.mark.nightly
def test_change_that_a_player_takes_up_with_the_bet_when_the_round_is_over_is_the_players() -> None:
    felt, _ = at_flop()
    _, ones = change_is_made(felt)
    felt.take("seat-2", ones)
    taken_ns = felt.now_ns
    felt.run(6000)
    assert felt.raised_ms("chips-taken-back", taken_ns)
