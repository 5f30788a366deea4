"""Acts come out in turn order whatever order they settle in, and unseen passive acts are found out (R-039, R-067)."""

import itertools

import pytest

from table_controller.sensing import Asked, AskedNoMore, Implied
from table_controller.sensing import steps as sensing_steps
from tests.unit.sensing.felt import Felt


def at_ease(seed: int = 1, camera: bool = True, **view: object) -> Felt:
    felt = Felt(seed, camera=camera)
    felt.run(2500)
    felt.begin(**view)  # type: ignore[arg-type]
    felt.run(300)
    return felt


def kinds(felt: Felt, *wanted: type) -> list[object]:
    return [one for one in felt.told if isinstance(one, wanted)]


@pytest.mark.one_in(12)
@pytest.mark.parametrize("camera", [True, False])
@pytest.mark.parametrize("order", list(itertools.permutations((0, 350, 700))))
def test_three_calls_within_a_second_come_out_in_turn_order(order: tuple[int, ...], camera: bool) -> None:
    felt = at_ease(seed=sum(order) + order[0], camera=camera)
    for seat, after_ms in zip((1, 2, 3), order, strict=True):
        felt.push(seat, [50 + seat], after_ms=after_ms)
    felt.run(5000)

    assert [(act.seat, act.pushed, act.in_turn) for act in felt.acts] == [
        (1, (51,), True),
        (2, (52,), True),
        (3, (53,), True),
    ]
    assert not kinds(felt, Asked, Implied)


def test_an_act_waits_for_the_hand_of_a_seat_before_it() -> None:
    felt = at_ease()
    felt.push(2, [100])
    felt.hand_visits(1, 200, 6000)
    felt.run(6500)
    assert not kinds(felt, Asked)

    felt.push(1, [100])
    felt.run(2500)
    assert [act.seat for act in felt.acts] == [1, 2]


def test_the_dealers_late_fold_lets_the_waiting_act_go_at_once() -> None:
    felt = at_ease()
    felt.push(2, [100])
    felt.run(3000)
    assert not felt.acts
    felt.passes(fold=True)

    assert [(act.seat, act.in_turn) for act in felt.acts] == [(2, True)]
    assert not kinds(felt, Asked)


def test_each_key_of_the_dealer_gives_the_next_seat_its_time_again() -> None:
    felt = at_ease()
    felt.push(4, [100])
    for _ in range(3):
        felt.run(2500)
        felt.passes(fold=True)

    assert [act.seat for act in felt.acts] == [4]
    assert not kinds(felt, Asked)


def test_r039_ask_names_the_seats_and_waits() -> None:
    felt = at_ease()
    felt.push(3, [100, 25])
    felt.run(9000)

    (asked,) = kinds(felt, Asked)
    assert isinstance(asked, Asked)
    assert (asked.kind, asked.seats, asked.choices) == ("unreported", (1, 2), ("passive", "out-of-turn"))
    assert asked.sentence == "Seats 1 and 2 checked before seat 3?"
    assert not felt.acts


def test_r039_the_answer_passive_implies_the_seats_and_the_act_follows_in_turn() -> None:
    felt = at_ease()
    felt.push(3, [100])
    felt.run(6000)
    (asked,) = felt.sensing.questions
    felt.step(sensing_steps.answer(felt.sensing, asked, "passive", felt.now_ns))

    assert kinds(felt, Implied) == [Implied((1, 2))]
    assert [(act.seat, act.in_turn) for act in felt.acts] == [(3, True)]
    assert not felt.sensing.questions


def test_r067_the_answer_out_of_turn_tells_the_act_as_that() -> None:
    felt = at_ease()
    felt.push(3, [100])
    felt.run(6000)
    (asked,) = felt.sensing.questions
    felt.step(sensing_steps.answer(felt.sensing, asked, "out-of-turn", felt.now_ns))

    assert [(act.seat, act.in_turn, act.again) for act in felt.acts] == [(3, False, False)]
    assert not kinds(felt, Implied)
    assert not felt.sensing.questions


def test_answers_to_nothing_change_nothing() -> None:
    felt = at_ease()
    felt.push(3, [100])
    felt.run(6000)
    (asked,) = felt.sensing.questions

    assert sensing_steps.answer(felt.sensing, "unreported-9", "passive", felt.now_ns) == (felt.sensing, ())
    assert sensing_steps.answer(felt.sensing, asked, "maybe", felt.now_ns) == (felt.sensing, ())


def test_r039_assume_implies_the_seats_without_a_question() -> None:
    felt = at_ease(implied_passive="assume")
    felt.push(3, [100])
    felt.run(6000)

    assert kinds(felt, Implied, Asked) == [Implied((1, 2))]
    assert [(act.seat, act.in_turn) for act in felt.acts] == [(3, True)]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("camera", [True, False], ids=["camera", "readers alone"])
def test_r039_a_house_that_assumes_asks_where_chips_were_put_with_a_blind(camera: bool) -> None:
    """Whoever slips chips onto a blind folds nobody who still thinks."""
    felt = at_ease(implied_passive="assume", camera=camera)
    felt.book(3, bet=10)
    felt.tell(level=10)
    felt.push(3, [5, 5])
    felt.run(9000)

    assert not kinds(felt, Implied)
    assert not felt.acts
    (asked,) = kinds(felt, Asked)
    assert isinstance(asked, Asked)
    assert asked.sentence == "Seats 1 and 2 folded before seat 3?"
    felt.step(sensing_steps.answer(felt.sensing, asked.id, "passive", felt.now_ns))
    assert kinds(felt, Implied) == [Implied((1, 2))]


def test_r039_chips_that_are_not_heard_any_more_fold_nobody_in_a_house_that_assumes() -> None:
    """The reader's program was away while a player took up the chip with which it had toyed."""
    felt = at_ease(implied_passive="assume", camera=False)
    chips = felt.push(3, [100])
    felt.run(2600)
    felt.take("seat-3", chips)
    felt.restart_bridge(away_ms=900)
    felt.run(6000)

    assert not kinds(felt, Implied)
    assert not felt.acts


def test_r039_time_in_which_nobody_read_is_no_time_that_chips_have_lain_there() -> None:
    """Seat 3 takes its chip up while the program is away, and puts it out again: that is not one push of 3 s."""
    felt = at_ease(implied_passive="assume", camera=False)
    felt.push(3, [100])
    felt.run(2600)
    felt.restart_bridge(away_ms=700)
    felt.run(3000)
    assert not kinds(felt, Implied)

    felt.run(2000)
    assert kinds(felt, Implied) == [Implied((1, 2))]
    assert [(act.seat, act.in_turn) for act in felt.acts] == [(3, True)]


def test_r039_where_readers_come_and_go_the_dealer_is_asked_once_in_the_end() -> None:
    felt = at_ease(implied_passive="assume", camera=False)
    felt.push(2, [100])
    felt.run(1500)
    for _ in range(6):
        felt.restart_bridge(away_ms=500)
        felt.run(2000)

    assert not kinds(felt, Implied)
    assert len(kinds(felt, Asked)) == 1
    assert not kinds(felt, AskedNoMore)
    felt.run(6000)
    assert not kinds(felt, Implied)
    (asked,) = felt.sensing.questions
    felt.step(sensing_steps.answer(felt.sensing, asked, "passive", felt.now_ns))
    assert kinds(felt, Implied) == [Implied((1,))]


@pytest.mark.parametrize("silent", [1, 2], ids=["a seat before", "the seat itself"])
@pytest.mark.parametrize("house", ["assume", "skipped"])
def test_r039_where_the_reader_of_one_of_the_seats_is_silent_the_dealer_is_asked(house: str, silent: int) -> None:
    """What seat 1 has put out nobody hears: seat 2's chips may answer it. Or they have been taken up by now."""
    felt = at_ease(implied_passive=house, camera=False)
    felt.push(2, [100])
    felt.run(1500)
    felt.antennas[f"seat-{silent}"].dead = True
    felt.run(6000)

    assert not kinds(felt, Implied)
    assert not felt.acts
    (asked,) = kinds(felt, Asked)
    assert isinstance(asked, Asked)
    assert asked.kind == "unreported"


def test_r039_skipped_tells_the_act_out_of_turn() -> None:
    felt = at_ease(implied_passive="skipped")
    felt.push(3, [100])
    felt.run(6000)

    assert not kinds(felt, Implied, Asked)
    assert [(act.seat, act.in_turn) for act in felt.acts] == [(3, False)]


def test_a_question_is_withdrawn_when_the_seat_before_moves_after_all() -> None:
    felt = at_ease()
    felt.push(2, [100])
    felt.run(6000)
    assert len(felt.sensing.questions) == 1
    felt.push(1, [100])
    felt.run(3000)

    assert len(kinds(felt, AskedNoMore)) == 1
    assert not felt.sensing.questions
    assert [(act.seat, act.in_turn) for act in felt.acts] == [(1, True), (2, True)]


def test_a_question_is_withdrawn_when_the_chips_go_back() -> None:
    felt = at_ease()
    chips = felt.push(2, [100])
    felt.run(6000)
    felt.take("seat-2", chips)
    felt.run(3000)

    assert not felt.sensing.questions
    assert not felt.acts


def test_an_act_told_out_of_turn_that_is_handed_back_is_no_alert() -> None:
    felt = at_ease(implied_passive="skipped")
    felt.answers = False
    chips = felt.push(3, [100])
    felt.run(6000)
    felt.tell()
    felt.answers = True
    felt.take("seat-3", chips)
    felt.run(6000)

    assert len(felt.acts) == 1
    assert [one.why for one in felt.covered] == ["change"]
    assert not felt.alerts()


def test_the_next_act_waits_until_the_table_has_told_its_books() -> None:
    felt = at_ease()
    felt.answers = False
    felt.push(1, [100])
    felt.push(2, [100])
    felt.run(3000)
    assert [act.seat for act in felt.acts] == [1]

    felt.book(1, bet=100)
    felt.passes()
    assert [act.seat for act in felt.acts] == [1, 2]
