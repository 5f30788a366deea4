"""A bet that moves when it may not: told within seconds, once, and never read as others' acts."""

from __future__ import annotations

import pytest

from table_controller.sensing import Alert, Implied, attention
from tests.unit.sensing.felt import MS, Chip, Felt
from tests.unit.sensing.test_acts import at_ease

BOTH = pytest.mark.parametrize("camera", [True, False], ids=["camera", "readers alone"])
HOUSES = pytest.mark.parametrize("house", ["ask", "assume", "skipped"])


def bet_and_called(
    camera: bool, *, by: int = 1, chips: tuple[int, ...] = (5, 5, 5, 5)
) -> tuple[Felt, dict[int, list[Chip]]]:
    """Seat 1 bets, seats 2 to `by` call; the next seat is to act."""
    felt = at_ease(camera=camera)
    bets = {}
    for seat in range(1, by + 1):
        bets[seat] = felt.push(seat, chips)
        felt.run(2500)
    felt.run(2000)
    assert not felt.alerts()
    assert len(felt.acts) == by
    return felt, bets


def closed(felt: Felt, phase: str = "round-over") -> None:
    """Nobody is left to act; the bets still lie there."""
    felt.tell(phase=phase, to_act=None, order=())


def told(felt: Felt, code: str) -> list[Alert]:
    return [one for one in felt.told if isinstance(one, Alert) and one.code == code]


def nobody_has_folded(felt: Felt) -> bool:
    return not [one for one in felt.told if isinstance(one, Implied)] and all(act.in_turn for act in felt.acts)


# --- in the round


@pytest.mark.one_in(6)
@BOTH
@HOUSES
def test_r042_chips_added_to_a_bet_while_others_are_to_act_are_a_cap_and_no_act(camera: bool, house: str) -> None:
    felt, _ = bet_and_called(camera)
    felt.tell(implied_passive=house)
    since_ns = felt.now_ns
    felt.push(1, [5, 5])
    felt.run(12_000)

    assert nobody_has_folded(felt)
    assert felt.hand.to_act == 2
    assert len(felt.acts) == 1
    assert len(felt.raised_ms("bet-capped", since_ns)) == 1
    assert felt.raised_ms("bet-capped", since_ns)[0] < 360 + 2000
    assert felt.sentence("bet-capped", 1) == ("Seat 1: give 10 back or call the floor: 30 lies there, 20 was bet.")
    assert not felt.sensing.questions


@BOTH
def test_a_chip_that_is_slipped_on_a_bet_without_a_hand_is_told_once_within_seconds(camera: bool) -> None:
    felt, _ = bet_and_called(camera)
    since_ns = felt.now_ns
    felt.put("seat-1", felt.chips([25]))
    felt.run(8000)
    (ms,) = felt.raised_ms("bet-capped", since_ns)
    assert ms < 2000
    assert len(felt.acts) == 1


@BOTH
def test_a_cap_that_grows_is_told_again_and_one_that_shrinks_is_not(camera: bool) -> None:
    felt, _ = bet_and_called(camera)
    first = felt.push(1, [5, 5])
    felt.run(4000)
    felt.push(1, [25])
    felt.run(4000)
    assert [one.amount for one in told(felt, "bet-capped")] == [10, 35]
    felt.take("seat-1", first)
    felt.run(4000)
    assert [one.amount for one in told(felt, "bet-capped")] == [10, 35]
    assert felt.sensing.raised["bet-capped", 1].amount == 25


@pytest.mark.one_in(5)
@BOTH
@HOUSES
@pytest.mark.parametrize("less", [[1, 1, 1, 1], [5]], ids=["four for four", "one for four"])
def test_a_bet_replaced_by_less_is_told_and_nobody_folded(camera: bool, house: str, less: list[int]) -> None:
    felt, bets = bet_and_called(camera)
    felt.tell(implied_passive=house)
    since_ns = felt.now_ns
    felt.take("seat-1", bets[1])
    felt.push(1, less, reach_ms=100, leave_ms=200)
    felt.run(9000)

    assert nobody_has_folded(felt)
    assert len(felt.acts) == 1
    (ms,) = felt.raised_ms("bet-swapped", since_ns)
    assert ms < 2600
    assert felt.sensing.raised["bet-swapped", 1].amount == 20 - sum(less)
    assert not felt.raised_ms("bet-capped", since_ns)


@BOTH
def test_a_bet_replaced_by_as_much_is_no_act_and_nobody_folded(camera: bool) -> None:
    felt, bets = bet_and_called(camera)
    felt.tell(implied_passive="assume")
    felt.take("seat-1", bets[1])
    felt.push(1, [10, 10], reach_ms=100, leave_ms=200)
    felt.run(9000)

    assert nobody_has_folded(felt)
    assert [one.why for one in felt.covered] == ["swap"]


@BOTH
def test_r042_a_chip_taken_from_a_bet_in_the_round_is_told_within_seconds_with_evidence(camera: bool) -> None:
    felt, bets = bet_and_called(camera)
    since_ns = felt.now_ns
    felt.take("seat-1", bets[1][:2])
    felt.run(6000)

    (ms,) = felt.raised_ms("chips-taken-back", since_ns)
    assert ms < 2200
    (alert,) = told(felt, "chips-taken-back")
    assert (alert.amount, alert.count) == (10, 2)
    assert {chip.uid for chip in alert.chips} == {chip.uid for chip in bets[1][:2]}
    assert alert.sentence == ("Seat 1: put 10 back or call the floor: it was taken from its bet of 20, which stands.")


def test_what_the_camera_saw_at_the_seat_is_in_the_alert() -> None:
    felt, _ = bet_and_called(True)
    felt.picture("chips_crossing", 1, "event-7")
    felt.push(1, [5, 5])
    felt.run(4000)
    assert told(felt, "bet-capped")[0].pictures == ("event-7",)


@BOTH
def test_a_seat_that_was_raised_may_put_its_chips_out_early(camera: bool) -> None:
    felt, _ = bet_and_called(camera)
    felt.push(2, [25, 25])
    felt.run(2500)
    felt.push(1, [5] * 6)
    felt.run(2500)
    assert not told(felt, "bet-capped")


@BOTH
def test_chips_out_of_turn_are_to_be_held_until_the_seats_before_have_acted(camera: bool) -> None:
    felt = at_ease(camera=camera)
    since_ns = felt.now_ns
    felt.push(2, [100])
    felt.run(4000)
    (ms,) = felt.raised_ms("chips-out-of-turn", since_ns)
    assert ms < 360 + 3000
    assert felt.sentence("chips-out-of-turn", 2) == "Seat 2: hold its 100: seat 1 has not acted."
    felt.passes()
    felt.run(2500)
    assert [act.seat for act in felt.acts] == [2]
    assert ("chips-out-of-turn", 2) not in felt.alerts()


# --- after the round


@BOTH
@pytest.mark.parametrize("phase", ["round-over", "showdown"])
def test_chips_added_after_the_round_and_before_the_bets_are_gathered_are_told(camera: bool, phase: str) -> None:
    felt, _ = bet_and_called(camera, by=2)
    closed(felt, phase)
    felt.run(500)
    since_ns = felt.now_ns
    felt.push(1, [5, 5])
    felt.push(4, [25])
    felt.run(6000)
    assert len(felt.raised_ms("bet-capped", since_ns)) == 1
    assert felt.sensing.raised["bet-capped", 1].amount == 10
    assert felt.sensing.raised["late-bet", 4].amount == 25
    assert max(felt.raised_ms("late-bet", since_ns) + felt.raised_ms("bet-capped", since_ns)) < 360 + 2000


def call_keyed(felt: Felt, phase: str) -> None:
    """The dealer keys the call of seat 3, which ends the betting before its chips have come."""
    felt.book(3, bet=20, keyed=20)
    closed(felt, phase)


@BOTH
@pytest.mark.parametrize("phase", ["round-over", "showdown"])
def test_r042_a_keyed_call_that_ends_the_betting_and_whose_chips_are_less_is_told(camera: bool, phase: str) -> None:
    felt, _ = bet_and_called(camera, by=2)
    call_keyed(felt, phase)
    since_ns = felt.now_ns
    felt.push(3, [5, 5, 5])
    felt.run(6000)
    (ms,) = felt.raised_ms("ledger-off", since_ns)
    assert ms < 360 + 2000
    assert felt.sensing.raised["ledger-off", 3].amount == 5

    felt.push(3, [5])
    felt.run(2500)
    assert not felt.alerts()


@BOTH
def test_a_keyed_call_whose_chips_are_gathered_with_the_bets_is_not_told(camera: bool) -> None:
    felt, bets = bet_and_called(camera, by=2)
    call_keyed(felt, "round-over")
    since_ns = felt.now_ns
    bets[3] = felt.push(3, [5, 5, 5, 5])
    felt.run(1500)
    for seat in (3, 1, 2):
        felt.take(f"seat-{seat}", bets[seat][:3])
        felt.run(300)
    felt.run(2500)
    assert not felt.raised_ms("ledger-off", since_ns)


@pytest.mark.one_in(4)
@BOTH
@pytest.mark.parametrize("phase", ["round-over", "showdown"])
def test_chips_taken_back_after_the_round_and_before_the_bets_are_gathered_are_told(camera: bool, phase: str) -> None:
    felt, bets = bet_and_called(camera, by=3)
    closed(felt, phase)
    felt.run(500)
    since_ns = felt.now_ns
    felt.take("seat-2", bets[2][:1])
    felt.run(6000)
    (ms,) = felt.raised_ms("chips-taken-back", since_ns)
    assert ms < 2200


@BOTH
@pytest.mark.parametrize("after_ms", [1000, 2300])
def test_chips_taken_back_soon_after_another_seats_change_are_told(camera: bool, after_ms: int) -> None:
    felt, bets = bet_and_called(camera, by=3)
    felt.book(2, bet=15, change_due=5)
    closed(felt)
    felt.run(500)
    felt.take("seat-2", bets[2][:1])
    felt.run(after_ms)
    assert not felt.alerts()
    since_ns = felt.now_ns
    felt.take("seat-3", bets[3][:2])
    felt.run(6000)
    (ms,) = felt.raised_ms("chips-taken-back", since_ns)
    assert ms < 2200
    assert felt.sensing.raised["chips-taken-back", 3].amount == 10


@pytest.mark.one_in(8)
@BOTH
@pytest.mark.parametrize("on_its_way_ms", [900, 1100, 1300, 1500])
def test_a_bet_that_the_pots_reader_begins_to_hear_is_being_gathered(on_its_way_ms: int, camera: bool) -> None:
    """The pot's reader is slow, and the next bet is taken only when the first one lies in the pot."""
    felt, bets = bet_and_called(camera, by=2)
    closed(felt)
    felt.run(500)
    felt.take("seat-1", bets[1])
    felt.at(on_its_way_ms, lambda: felt.put("pot", bets[1]))
    felt.at(3500, lambda: felt.take("seat-2", bets[2]))
    felt.at(3600, lambda: felt.put("pot", bets[2]))
    felt.run(8000)
    assert not felt.raised_ms("chips-taken-back", 0)


@BOTH
def test_bets_that_the_dealer_gathers_seat_by_seat_are_no_alert(camera: bool) -> None:
    felt, bets = bet_and_called(camera, by=4)
    closed(felt)
    felt.run(500)
    for place, seat in enumerate((1, 2, 3, 4)):
        felt.at(place * 350, lambda seat=seat: felt.take(f"seat-{seat}", bets[seat]))  # type: ignore[misc]
    felt.at(2200, lambda: felt.put("pot", [chip for chips in bets.values() for chip in chips]))
    felt.run(8000)
    assert not felt.alerts()


@pytest.mark.parametrize("after_ms", range(0, 400, 50))
def test_bets_that_are_gathered_are_no_alert_before_a_full_pot_was_read(
    after_ms: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first seat's reader has missed its chips six times before the next one's, or the pot's, was read again."""
    felt, bets = bet_and_called(False, by=2)
    felt.attends, felt.acting_ms, felt.full_pot_ms = True, 35, 400
    monkeypatch.setattr(attention, "wanted", lambda *_: {"seat-1": 1000})
    closed(felt)
    felt.run(700 + after_ms)
    felt.take("seat-1", bets[1])
    felt.at(150, lambda: felt.take("seat-2", bets[2]))
    felt.at(250, lambda: felt.put("pot", [*bets[1], *bets[2]]))
    felt.run(5000)
    assert not felt.raised_ms("chips-taken-back", 0)


@BOTH
def test_what_nobody_matched_goes_back_without_an_alert(camera: bool) -> None:
    felt, bets = bet_and_called(camera, by=2)
    felt.book(1, bet=10)
    felt.tell(phase="round-over", to_act=None, order=(), back={1: 10})
    felt.take("seat-1", bets[1][:2])
    felt.run(5000)
    assert not felt.alerts()


@BOTH
def test_chips_that_make_good_a_call_keyed_last_are_no_late_chips(camera: bool) -> None:
    felt, _ = bet_and_called(camera, by=1)
    felt.book(2, bet=20, keyed=20, acted=True)
    felt.tell(phase="round-over", to_act=None, order=())
    felt.push(2, [5, 5, 5, 5])
    felt.run(5000)
    assert not told(felt, "bet-capped")
    assert not told(felt, "late-bet")


@BOTH
def test_chips_that_come_when_the_bets_are_in_belong_to_the_next_street(camera: bool) -> None:
    felt, bets = bet_and_called(camera, by=2)
    closed(felt)
    for seat in (1, 2):
        felt.take(f"seat-{seat}", bets[seat])
        felt.put("pot", bets[seat])
    felt.run(4000)
    felt.push(1, [25])
    felt.run(3000)
    assert not felt.alerts()


# --- nothing flaps


def test_an_alert_whose_evidence_comes_and_goes_is_told_once() -> None:
    felt, bets = bet_and_called(False, by=2)
    for _ in range(4):
        felt.take("seat-1", bets[1][:1])
        felt.run(2400)
        felt.put("seat-1", bets[1][:1])
        felt.run(700)
    assert len(told(felt, "chips-taken-back")) == 1
    felt.run(4000)
    assert not felt.alerts()
    assert felt.now_ns > MS


@BOTH
def test_change_that_is_given_when_the_round_is_over_is_no_chip_taken_back(camera: bool) -> None:
    felt, bets = bet_and_called(camera, by=2, chips=(25,))
    felt.book(2, bet=5, change_due=20)
    closed(felt)
    felt.run(1000)
    felt.take("seat-2", bets[2])
    felt.run(1500)
    felt.put("seat-2", felt.chips([5]))
    felt.run(5000)
    assert not felt.raised_ms("chips-taken-back", 0)


@BOTH
@pytest.mark.parametrize("phase", ["betting", "round-over", "showdown"])
def test_change_that_nobody_gives_is_asked_for_with_its_amount_of_who_called_last_too(camera: bool, phase: str) -> None:
    felt, bets = bet_and_called(camera, by=2, chips=(25,))
    due_ns = felt.now_ns
    felt.book(2, bet=5, change_due=20)
    if phase == "betting":
        felt.tell()
    else:
        closed(felt, phase)
    felt.run(9000)
    [raised_ms] = felt.raised_ms("change-not-given", due_ns)
    assert 5500 < raised_ms < 7500
    alert = felt.sensing.raised["change-not-given", 2]
    assert (alert.amount, [read.uid for read in alert.chips]) == (20, [chip.uid for chip in bets[2]])
    assert alert.sentence == "Seat 2: give 20 change: 25 lies there, 5 was bet."


def test_chips_of_a_seat_that_has_checked_go_back_while_others_are_to_act() -> None:
    felt = Felt()
    felt.run(1000)
    felt.begin(to_act=1)
    felt.run(2500)
    felt.passes()
    felt.push(1, [100])
    felt.run(4000)

    said = "Seat 1: give 100 back: it has acted, and nobody has raised."
    assert felt.sentence("chips-out-of-turn", 1) == said
    assert not felt.acts


@pytest.mark.parametrize("seat_left", [1, 2])
def test_a_chip_taken_once_the_change_was_made_is_told_as_soon_as_one_of_any_bet(seat_left: int) -> None:
    felt, bets = bet_and_called(False, by=2, chips=(25, 1, 1))
    felt.attends = True
    felt.book(seat_left, bet=7, change_due=20)
    closed(felt)
    felt.take(f"seat-{seat_left}", bets[seat_left][:1])
    felt.put(f"seat-{seat_left}", felt.chips([5]))
    felt.run(1200)
    since_ns = felt.now_ns
    felt.take(f"seat-{seat_left}", bets[seat_left][1:2])
    felt.run(4000)

    assert felt.raised_ms("bet-swapped", since_ns)[0] < 1500
    assert felt.sensing.raised["bet-swapped", seat_left].amount == 1


def test_a_chip_of_the_last_bet_is_told_so_long_after_it_left_as_one_may_be_on_its_way_to_the_pot() -> None:
    felt, bets = bet_and_called(False)
    felt.attends = True
    closed(felt)
    felt.run(1000)
    since_ns = felt.now_ns
    felt.take("seat-1", bets[1][:1])
    felt.run(4000)

    [raised_ms] = felt.raised_ms("chips-taken-back", since_ns)
    assert 1200 < raised_ms < 1700


@pytest.mark.parametrize("seed", range(10))
def test_the_last_bet_that_a_dealer_carries_slowly_to_a_pot_that_is_read_slowly_is_no_alert(seed: int) -> None:
    felt = at_ease(camera=False, seed=seed)
    bet = felt.push(1, [5, 5, 5, 5])
    felt.run(3500)
    felt.full_pot_ms = 450
    closed(felt)
    felt.run(500)
    felt.attends = True
    felt.take("seat-1", bet)
    felt.at(1200, lambda: felt.put("pot", bet))
    felt.run(4000)

    assert not told(felt, "chips-taken-back")
