"""From where chips came: change, payouts, a runner's rack, exchanged chips, card protectors, told from bets."""

from __future__ import annotations

import json

import pytest

from table_controller.sensing import ChipNote, SensingState
from table_controller.sensing import steps as sensing_steps
from table_controller.sensing.observations import Asked
from tests.unit.sensing.felt import MS, Chip, Felt
from tests.unit.sensing.test_acts import at_ease


def from_house(felt: Felt, seat: int, values: list[int], zone: str = "tray", carried_ms: int = 1500) -> list[Chip]:
    """Chips that lay in the tray or the pot until `carried_ms` ago are put before a seat, by nobody's hand there."""
    felt.run(2000)
    chips = felt.chips(values)
    felt.came |= {chip.uid: (zone, felt.now_ns - carried_ms * MS) for chip in chips}
    felt.put(f"seat-{seat}", chips)
    return chips


def asked(felt: Felt) -> Asked:
    (question,) = felt.sensing.questions.values()
    return question


def answer(felt: Felt, choice: str) -> None:
    felt.step(sensing_steps.answer(felt.sensing, asked(felt).id, choice, felt.now_ns))


# --- chips of the house


@pytest.mark.one_in(4)
@pytest.mark.parametrize("camera", [True, False])
@pytest.mark.parametrize("zone", ["tray", "pot"])
def test_chips_straight_from_the_tray_or_the_pot_are_no_bet_and_asked_about_once(camera: bool, zone: str) -> None:
    felt = at_ease(camera=camera)
    from_house(felt, 1, [25, 25], zone)
    felt.run(6000)
    assert not felt.acts
    question = asked(felt)
    assert (question.kind, question.seats, question.choices) == ("house-chips", (1,), ("no-bet", "bet"))
    assert "50" in question.sentence

    answer(felt, "no-bet")
    felt.run(4000)
    assert not felt.acts
    assert not felt.sensing.questions

    felt.push(1, [100])
    felt.run(2500)
    assert [act.pushed for act in felt.acts] == [(100,)]


def test_such_chips_are_an_act_when_the_dealer_says_so() -> None:
    felt = at_ease(camera=False)
    from_house(felt, 1, [25, 25])
    felt.run(5000)
    answer(felt, "bet")
    felt.run(2000)
    assert [act.pushed for act in felt.acts] == [(25, 25)]
    assert not felt.sensing.questions


def test_the_rack_of_a_runner_is_no_bet_of_the_seat_where_it_stands() -> None:
    felt = at_ease(camera=False, missed=0.02)
    from_house(felt, 2, [25] * 20)
    felt.run(8000)
    assert not felt.acts
    assert asked(felt).seats == (2,)


def test_chips_from_the_tray_that_the_seats_own_hand_brings_are_its_bet() -> None:
    felt = at_ease()
    chips = felt.push(1, [25, 25])
    felt.came |= {chip.uid: ("tray", felt.now_ns - 1000 * MS) for chip in chips}
    felt.run(4000)
    assert [act.pushed for act in felt.acts] == [(25, 25)]


@pytest.mark.one_in(6)
@pytest.mark.parametrize("camera", [True, False])
@pytest.mark.parametrize(("played_ms", "carried_ms"), [(0, 2500), (30_000, 20_000), (30_000, 8_000)])
def test_chips_that_were_won_or_bought_before_the_hand_or_a_while_ago_are_a_bet(
    camera: bool, played_ms: int, carried_ms: int
) -> None:
    felt = at_ease(camera=camera)
    felt.run(played_ms)
    from_house(felt, 1, [25, 25], carried_ms=carried_ms)
    felt.run(4000)
    assert [act.pushed for act in felt.acts] == [(25, 25)]


def test_change_from_the_tray_waits_for_the_big_chip_to_go_and_is_no_act() -> None:
    felt = at_ease(camera=False)
    big = felt.push(1, [1000])
    felt.run(2500)
    felt.book(1, bet=300, change_due=700)
    felt.tell(to_act=1, order=felt.seats)
    from_house(felt, 1, [100, 100, 100])
    felt.run(8000)
    assert [act.pushed for act in felt.acts] == [(1000,)]
    assert not felt.sensing.questions

    felt.take("seat-1", big)
    felt.run(4000)
    assert [(one.why, one.amount) for one in felt.covered] == [("change", 700)]
    assert len(felt.acts) == 1


def test_own_chips_beside_chips_of_the_house_are_an_act() -> None:
    felt = at_ease(camera=False)
    from_house(felt, 1, [25])
    felt.push(1, [100])
    felt.run(5000)
    assert [sorted(act.pushed) for act in felt.acts] == [[25, 100]]


@pytest.mark.parametrize(("carried_ms", "waits"), [(3_000, True), (8_000, False)])
def test_change_in_a_bet_waits_for_its_other_half_only_while_the_dealer_may_hold_it(
    carried_ms: int, waits: bool
) -> None:
    """A chip that left the tray long ago stood in a stack since: nobody makes change with it. Here it comes half a
    second after a chip of the seat.
    """
    felt = Felt(1, camera=False, missed=0.0, stray=0.0)
    change = felt.chips([100])
    felt.put("tray", change)
    felt.run(2500)
    felt.begin()
    felt.run(300)
    felt.take("tray", change)
    felt.run(carried_ms)
    felt.came |= {chip.uid: ("tray", felt.now_ns - carried_ms * MS) for chip in change}
    felt.tell(to_act=2, order=(2, 3, 4, 5, 6, 1))
    felt.put("seat-1", felt.chips([500]))
    felt.run(1000)
    felt.put("seat-1", change)
    felt.run(600)
    felt.tell(to_act=1, order=felt.seats)
    felt.run(700)
    assert bool(felt.acts) is not waits
    felt.run(1500)
    assert [sorted(act.pushed) for act in felt.acts] == [[100, 500]]


def test_chips_of_the_tray_pushed_together_with_chips_of_a_stack_wait_for_no_change() -> None:
    """A player who has just got change bets it: a dealer would bring the house's chips alone."""
    felt = Felt(1, camera=False, missed=0.0, stray=0.0)
    change = felt.chips([100])
    felt.put("tray", change)
    felt.run(2500)
    felt.begin()
    felt.run(300)
    felt.take("tray", change)
    felt.run(3000)
    felt.came |= {chip.uid: ("tray", felt.now_ns - 3000 * MS) for chip in change}
    felt.put("seat-1", [*change, *felt.chips([25])])
    felt.run(800)
    assert [sorted(act.pushed) for act in felt.acts] == [[25, 100]]


def test_chips_heard_together_because_their_reader_was_away_wait_all_the_same() -> None:
    """Change may have come after the chip that it is for while nobody read the zone."""
    felt = Felt(1, camera=False, missed=0.0, stray=0.0)
    change = felt.chips([100])
    felt.put("tray", change)
    felt.run(2500)
    felt.begin()
    felt.run(300)
    felt.take("tray", change)
    felt.antennas["seat-1"].dead = True
    felt.run(1200)
    felt.came |= {chip.uid: ("tray", felt.now_ns - 1200 * MS) for chip in change}
    felt.put("seat-1", [*change, *felt.chips([500])])
    felt.run(200)
    felt.antennas["seat-1"].dead = False
    felt.run(900)
    assert not felt.acts
    felt.run(1500)
    assert [sorted(act.pushed) for act in felt.acts] == [[100, 500]]


def test_what_is_known_of_chips_of_the_house_survives_a_restart_of_the_controller() -> None:
    felt = at_ease(camera=False)
    from_house(felt, 1, [25, 25])
    felt.run(5000)
    before = asked(felt)
    plain = json.loads(json.dumps(felt.sensing.durable()))
    hand = felt.hand
    felt.sensing = SensingState.initial(felt.sensing.setup).restored(plain)
    felt.step(sensing_steps.view(felt.sensing, hand, felt.now_ns))
    felt.run(5000)
    assert asked(felt) == before
    assert not felt.acts


def test_a_journal_of_before_origins_were_kept_can_be_restored() -> None:
    plain = SensingState.initial(Felt().sensing.setup).durable()
    del plain["origins"]
    for seat in plain["seats"].values():
        del seat["aside"]
    assert not SensingState.initial(Felt().sensing.setup).restored(plain).origins.protectors


# --- exchanged chips


def lying(camera: bool = True, values: tuple[int, ...] = (100,)) -> tuple[Felt, list[Chip]]:
    """Chips that lay before seat 1 when the street began."""
    felt = Felt(3, camera=camera)
    chips = felt.chips(values)
    felt.put("seat-1", chips)
    felt.run(2500)
    felt.begin()
    felt.run(500)
    return felt, chips


@pytest.mark.parametrize("camera", [True, False])
@pytest.mark.parametrize("first", ["new", "old"])
def test_chips_of_the_base_line_that_are_exchanged_for_others_in_one_visit_are_no_bet(camera: bool, first: str) -> None:
    felt, old = lying(camera)
    new = felt.chips([25] * 4)
    felt.hand_visits(1, 0, 1400)
    felt.at(700 if first == "new" else 900, lambda: felt.put("seat-1", new))
    felt.at(900 if first == "new" else 500, lambda: felt.take("seat-1", old))
    felt.run(6000)

    assert not felt.acts
    assert [(one.why, one.amount, set(one.uids)) for one in felt.covered] == [("swap", 0, {chip.uid for chip in new})]
    assert felt.sensing.accounts[1].base == {chip.uid for chip in new}
    felt.push(1, [100])
    felt.run(2500)
    assert [act.pushed for act in felt.acts] == [(100,)]


@pytest.mark.parametrize("camera", [True, False])
def test_chips_that_were_taken_up_in_an_earlier_visit_and_others_bet_are_a_bet(camera: bool) -> None:
    felt, old = lying(camera)
    felt.hand_visits(1, 0, 600)
    felt.at(300, lambda: felt.take("seat-1", old))
    felt.push(1, [25] * 4, after_ms=1600)
    felt.run(6000)
    assert [sorted(act.pushed) for act in felt.acts] == [[25] * 4]


def test_chips_of_another_value_than_those_taken_are_a_bet() -> None:
    felt, old = lying()
    new = felt.chips([100, 25])
    felt.hand_visits(1, 0, 1400)
    felt.at(500, lambda: felt.put("seat-1", new))
    felt.at(900, lambda: felt.take("seat-1", old))
    felt.run(6000)
    assert [sorted(act.pushed) for act in felt.acts] == [[25, 100]]


# --- card protectors


def facing_a_bet(camera: bool = True) -> Felt:
    """Seat 3 puts one chip of 5 down long before its turn; seats 1 and 2 make it 100."""
    felt = at_ease(camera=camera)
    felt.push(3, [5])
    felt.run(2500)
    felt.push(1, [100])
    felt.run(3000)
    felt.push(2, [100])
    felt.run(2500)
    return felt


@pytest.mark.parametrize("camera", [True, False])
def test_r041_a_chip_below_the_call_that_lay_there_since_long_before_the_turn_is_asked_about(camera: bool) -> None:
    felt = facing_a_bet(camera)
    assert [act.seat for act in felt.acts] == [1, 2]
    question = asked(felt)
    assert (question.kind, question.seats, question.choices) == ("protector", (3,), ("no-bet", "bet"))

    answer(felt, "no-bet")
    felt.push(3, [100])
    felt.run(2500)
    assert [act.pushed for act in felt.acts] == [(100,)] * 3


def test_r041_it_is_an_act_when_the_dealer_says_so_and_is_asked_once() -> None:
    felt = facing_a_bet()
    answer(felt, "bet")
    felt.run(1000)
    assert [(act.seat, act.pushed) for act in felt.acts][2:] == [(3, (5,))]
    assert not felt.sensing.questions


def test_r041_a_protector_is_remembered_for_the_chip_from_hand_to_hand() -> None:
    felt = facing_a_bet()
    [(uid, _)] = felt.lying["seat-3"].items()
    answer(felt, "no-bet")
    felt.run(500)
    for seat in (1, 2, 3):
        felt.lying[f"seat-{seat}"].clear()
    felt.tell(phase="hand-over", to_act=None)
    felt.run(3000)
    felt.sensing = SensingState.initial(felt.sensing.setup).restored(json.loads(json.dumps(felt.sensing.durable())))
    felt.begin(hand_no=2, to_act=3)
    felt.run(2000)
    before = len(felt.acts)
    felt.put("seat-3", [Chip(uid, 5)])
    felt.run(5000)
    assert len(felt.acts) == before
    assert not felt.sensing.questions

    felt.push(3, [100])
    felt.run(2500)
    assert [act.pushed for act in felt.acts[before:]] == [(100,)]


def test_r041_a_protector_put_down_while_the_hand_is_posted_is_no_straddle() -> None:
    felt = facing_a_bet()
    [(uid, _)] = felt.lying["seat-3"].items()
    answer(felt, "no-bet")
    felt.lying["seat-3"].clear()
    felt.tell(phase="hand-over", to_act=None)
    felt.run(3000)
    felt.begin(hand_no=2, phase="posting")
    felt.run(1000)
    felt.put("seat-3", [Chip(uid, 5)])
    felt.run(3000)
    assert not felt.posted


def test_r041_another_seats_chip_of_that_number_is_a_bet() -> None:
    felt = facing_a_bet()
    [(uid, _)] = felt.lying["seat-3"].items()
    answer(felt, "no-bet")
    felt.lying["seat-3"].clear()
    felt.tell(phase="hand-over", to_act=None)
    felt.run(3000)
    felt.begin(hand_no=2, to_act=4)
    felt.run(2000)
    before = len(felt.acts)
    felt.put("seat-4", [Chip(uid, 5)])
    felt.run(3000)
    assert [act.pushed for act in felt.acts[before:]] == [(5,)]


def test_r041_the_dealer_who_is_asked_about_the_seats_before_it_may_say_that_a_single_chip_is_no_bet() -> None:
    felt = at_ease(missed=0.0)
    felt.push(3, [100])
    felt.run(6000)
    question = asked(felt)
    assert (question.kind, question.choices) == ("unreported", ("passive", "out-of-turn", "no-bet"))
    assert "seat 3's chip of 100" in question.sentence

    answer(felt, "no-bet")
    felt.run(2000)
    assert not felt.acts
    assert not felt.sensing.questions
    felt.tell(to_act=3, order=(3, 4, 5, 6, 1, 2))
    felt.run(8000)
    assert not felt.acts


def test_a_chip_that_covers_the_call_and_came_early_is_an_act() -> None:
    felt = at_ease()
    felt.push(3, [100])
    felt.run(2500)
    felt.push(1, [100])
    felt.run(3000)
    felt.push(2, [100])
    felt.run(3000)
    assert [(act.seat, act.pushed) for act in felt.acts] == [(1, (100,)), (2, (100,)), (3, (100,))]
    assert not felt.sensing.questions


# --- the last place of a chip that two zones hear alike


def between_zones(felt: Felt, chip: Chip, ms: float) -> None:
    """The chip lies between seats 4 and 5: both hear it in every round."""
    felt.put("seat-4", [chip])
    felt.put("seat-5", [chip])
    felt.run(ms)


def laid_back(felt: Felt, left_ms: float) -> Chip:
    """Seat 4's chip, which lay before it until `left_ms` ago, comes to lie between seats 4 and 5."""
    [chip] = felt.chips([100])
    felt.came[chip.uid] = ("seat-4", felt.now_ns - int(left_ms * MS))
    return chip


def test_a_chip_whose_last_place_in_this_hand_was_seat_4_is_seat_4s_wager() -> None:
    felt = at_ease(camera=False, missed=0.0, others_ms=75)
    felt.tell(to_act=4, order=(4, 5, 6, 1, 2, 3))
    felt.run(1000)
    between_zones(felt, laid_back(felt, 800), 5000)
    assert [(act.seat, act.pushed) for act in felt.acts] == [(4, (100,))]
    assert felt.alerts() == {("readers-overlap", 4)}, "a copy before seat 5 would be heard in the same way"


@pytest.mark.parametrize("left_ms", [60_000, None])
def test_where_it_lay_in_an_earlier_hand_proves_nothing(left_ms: float | None) -> None:
    felt = at_ease(camera=False, missed=0.0, others_ms=75)
    felt.tell(to_act=4, order=(4, 5, 6, 1, 2, 3))
    felt.run(1000)
    chip = laid_back(felt, left_ms) if left_ms else felt.chips([100])[0]
    between_zones(felt, chip, 5000)
    assert not felt.acts
    assert {("unsure-chip", 4), ("unsure-chip", 5)} <= felt.alerts()


def test_a_place_that_two_zones_began_to_hear_at_once_proves_nothing() -> None:
    """The readers' side gives a chip to the zone that has heard it three times first: that may be either."""
    felt = at_ease(camera=False, missed=0.0, others_ms=75)
    felt.tell(to_act=4, order=(4, 5, 6, 1, 2, 3))
    felt.run(1000)
    [chip] = felt.chips([100])
    between_zones(felt, chip, 250)
    felt.came[chip.uid] = ("seat-4", felt.now_ns)
    felt.run(5000)
    assert not felt.acts
    assert {("unsure-chip", 4), ("unsure-chip", 5)} <= felt.alerts()


@pytest.mark.parametrize("seed", range(4))
def test_a_chip_that_the_seat_beside_overhears_as_it_comes_is_part_of_the_bet(seed: int) -> None:
    """Three of three are overheard, and then the readers' side says that the chip lay last beside: nobody knows yet."""
    felt = at_ease(seed, camera=False, missed=0.0, stray=0.0, acting_ms=75, others_ms=100)
    felt.tell(to_act=4, order=(4, 5, 6, 1, 2, 3))
    felt.run(1000)
    own, beside = felt.antennas["seat-4"], felt.antennas["seat-5"]
    big, small = felt.chips([25, 10])
    felt.put("seat-4", [big, small])
    felt.put("seat-5", [small])
    lies_ns = felt.now_ns
    while not own.heard(small.uid):
        felt.run(1)
    felt.take("seat-4", [small])
    misses = own.round_no + 1
    while own.round_no < misses:
        felt.run(1)
    felt.lying["seat-4"][small.uid] = lies_ns
    while beside.heard(small.uid) < 3:
        felt.run(1)
    felt.came[small.uid] = ("seat-5", felt.now_ns)
    felt.take("seat-5", [small])
    felt.run(3000)

    assert [(act.seat, sorted(act.pushed)) for act in felt.acts] == [(4, [10, 25])]
    assert not felt.alerts()
    assert not felt.sensing.questions


# --- chips in the pot


def into_pot(felt: Felt, last: tuple[str, float] | None) -> Chip:
    """A chip comes into the pot whose last place was that, so many milliseconds ago."""
    [chip] = felt.chips([100])
    if last is not None:
        felt.came[chip.uid] = (last[0], felt.now_ns - int(last[1] * MS))
    felt.put("pot", [chip])
    felt.run(3000)
    return chip


def test_a_chip_thrown_into_the_pot_is_told_with_the_seat_that_had_it_last() -> None:
    felt = at_ease()
    felt.run(4000)
    chip = into_pot(felt, ("seat-4", 600_000))
    assert felt.sentence("chips-in-pot", 4) == (
        "Seat 4: key what it did: 100 that it had came into the pot past every zone."
    )
    assert not felt.acts
    felt.book(4, bet=100, keyed=100)
    felt.tell()
    felt.run(1200)
    assert ("chips-in-pot", 4) not in felt.alerts()
    felt.take("pot", [chip])


@pytest.mark.parametrize(
    "last", [None, ("tray", 3000), ("pot", 600_000), ("seat-4", 1500)], ids=["never seen", "tray", "won", "gathered"]
)
def test_what_comes_into_the_pot_otherwise_is_no_alert(last: tuple[str, float] | None) -> None:
    felt = at_ease()
    felt.run(4000)
    felt.middle = 100
    felt.tell()
    into_pot(felt, last)
    felt.run(3000)
    assert not felt.alerts()


def test_antes_that_were_thrown_in_before_the_cards_came_are_no_alert() -> None:
    felt = Felt(4)
    felt.run(2500)
    felt.begin(phase="posting")
    felt.run(3000)
    felt.middle = 100
    felt.tell(phase="betting")
    into_pot(felt, ("seat-4", 600_000))
    felt.run(3000)
    assert not felt.alerts()


def test_a_bet_that_is_gathered_while_others_still_act_is_no_alert() -> None:
    felt = at_ease()
    chips = felt.push(1, [100])
    felt.run(6000)
    felt.came |= {chip.uid: ("seat-1", felt.now_ns) for chip in chips}
    felt.take("seat-1", chips)
    felt.put("pot", chips)
    felt.run(5000)
    assert not felt.alerts()


# --- chips that a person should know of


@pytest.mark.parametrize(
    ("code", "zone", "seat", "words"),
    [
        ("hot-chip", "seat-2", 2, "Seat 2: tell the floor of black-100 E0: it is on the hot list"),
        ("retired-chip", "pot", None, "The pot: change black-100 E0: it is retired"),
        ("cloned-chip", "tray", None, "The tray: call the floor about black-100 E0"),
    ],
)
def test_a_noted_chip_is_an_alert_wherever_it_lies_as_long_as_it_lies_there(
    code: str, zone: str, seat: int | None, words: str
) -> None:
    felt = at_ease()
    [chip] = felt.chips([100])
    felt.notes[chip.uid] = ChipNote(code, "black-100 E0")  # type: ignore[arg-type]
    felt.put(zone, [chip])
    felt.run(3000)
    assert (code, seat) in felt.alerts()
    assert felt.sentence(code, seat).startswith(words)
    felt.take(zone, [chip])
    felt.run(4000)
    assert not [one for one in felt.alerts() if one[0] == code]


def unanswered() -> Felt:
    """Seat 3's chip of 100, worth the call, is asked about when the dealer keys seats 1 and 2."""
    felt = at_ease(missed=0.0)
    felt.push(3, [100])
    felt.run(6000)
    assert asked(felt).choices == ("passive", "out-of-turn", "no-bet")
    felt.tell(to_act=3, order=(3, 4, 5, 6, 1, 2))
    felt.run(3000)
    return felt


def test_r041_a_chip_worth_the_call_is_no_act_while_its_question_is_unanswered() -> None:
    felt = unanswered()
    assert not felt.acts
    question = asked(felt)
    assert (question.kind, question.seats, question.choices) == ("protector", (3,), ("no-bet", "bet"))

    answer(felt, "no-bet")
    felt.push(3, [25])
    felt.run(2500)
    assert [act.pushed for act in felt.acts] == [(25,)]


def test_r041_it_is_an_act_when_the_answer_says_so() -> None:
    felt = unanswered()
    answer(felt, "bet")
    felt.run(1000)
    assert [(act.seat, act.pushed) for act in felt.acts] == [(3, (100,))]
    assert not felt.sensing.questions
