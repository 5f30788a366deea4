"""Cards mucked and taps: evidence for folds and checks that nobody keyed (R-039)."""

import json

import pytest

from table_controller.sensing import Asked, HandView, Implied, LineSeen, SeatBook, SensingState
from table_controller.sensing import steps as sensing_steps
from table_controller.sensing.cues import CONTRADICTED_FOR, Cues
from tests.unit.sensing.felt import MS, Felt


def facing(bet: int = 10, seed: int = 1, missed: float = 0.05, **view: object) -> Felt:
    """Seat 6 has bet, seat 1 is to act."""
    felt = Felt(seed, missed=missed)
    felt.run(2500)
    felt.begin(**view)  # type: ignore[arg-type]
    if bet:
        felt.book(6, bet=bet)
        felt.tell(level=bet)
    felt.run(300)
    return felt


def implied(felt: Felt) -> list[Implied]:
    return [one for one in felt.told if isinstance(one, Implied)]


def asked(felt: Felt) -> Asked:
    [question] = felt.sensing.questions.values()
    return question


def answer(felt: Felt, choice: str) -> None:
    felt.step(sensing_steps.answer(felt.sensing, asked(felt).id, choice, felt.now_ns))


@pytest.mark.parametrize("conf", [0.8, 0.95])
@pytest.mark.parametrize("implied_passive", ["ask", "assume", "skipped"])
def test_mucks_in_turn_and_then_chips_of_a_later_seat_are_folds(conf: float, implied_passive: str) -> None:
    felt = facing(implied_passive=implied_passive)
    felt.line("cards_mucked", 1, 0, conf=conf)
    felt.line("cards_mucked", 2, 600, conf=conf)
    felt.run(1200)
    felt.push(3, [10])
    felt.run(1500)

    assert [seat for one in implied(felt) for seat in one.mucked] == [1, 2]
    assert [(act.seat, act.in_turn) for act in felt.acts] == [(3, True)]
    assert not [one for one in felt.told if isinstance(one, Asked)]


def test_a_muck_alone_folds_nobody_and_is_asked_about_after_a_while() -> None:
    felt = facing()
    felt.line("cards_mucked", 1)
    felt.run(2500)
    assert not felt.sensing.questions
    felt.run(1500)

    assert not implied(felt)
    assert (asked(felt).kind, asked(felt).seats, asked(felt).choices) == ("mucked", (1,), ("folded", "still-in"))
    assert asked(felt).sentence == "Seat 1 folded? The camera saw the cards go into the muck."

    answer(felt, "folded")
    assert implied(felt) == [Implied((1,), mucked=(1,))]
    assert not felt.sensing.questions


def test_the_dealer_says_that_a_seat_is_still_in_and_nothing_is_asked_again() -> None:
    felt = facing()
    felt.line("cards_mucked", 1)
    felt.run(4500)
    answer(felt, "still-in")
    felt.run(5000)

    assert not implied(felt)
    assert not felt.sensing.questions


def test_a_muck_of_a_seat_that_the_camera_saw_bet_is_not_asked_about() -> None:
    """Its reader hears nothing; what the camera took for cards were chips."""
    felt = facing()
    felt.antennas["seat-1"].dead = True
    felt.line("cards_mucked", 1)
    felt.hand_visits(1, 900, 1500)
    felt.line("bet_settled", 1, 1300)
    felt.run(6000)

    assert not implied(felt)
    assert "mucked" not in [one.kind for one in felt.told if isinstance(one, Asked)]


def test_a_muck_after_a_bet_that_the_camera_saw_and_no_reader_heard_is_asked_about() -> None:
    felt = facing()
    felt.hand_visits(1, 200, 800)
    felt.line("bet_settled", 1, 500)
    felt.line("cards_mucked", 1, 3000)
    felt.run(8000)

    assert asked(felt).kind == "mucked"


def test_it_is_not_asked_whether_a_seat_folded_while_its_hand_is_over_the_line_and_then_stays_asked() -> None:
    felt = facing()
    felt.line("cards_mucked", 1)
    felt.hand_visits(1, 2600, 5000)
    felt.run(4600)
    assert not felt.sensing.questions

    felt.run(1500)
    assert asked(felt).kind == "mucked"
    for _ in range(3):
        felt.hand_visits(1, 100, 400)
        felt.run(1000)
    assert [one.kind for one in felt.told if isinstance(one, Asked)] == ["mucked"]
    assert asked(felt).kind == "mucked"


def test_a_surer_muck_of_the_next_seat_is_the_later_act() -> None:
    felt = facing()
    felt.line("cards_mucked", 1, 0)
    felt.line("cards_mucked", 2, 800)
    felt.run(1200)

    assert implied(felt) == [Implied((1,), mucked=(1,))]


@pytest.mark.parametrize(("first", "second"), [(0.8, 0.95), (0.95, 0.8), (0.5, 0.5)])
def test_a_player_who_lifts_the_cards_while_another_mucks_has_not_folded(first: float, second: float) -> None:
    felt = facing()
    felt.line("cards_mucked", 1, 0, conf=first)
    felt.line("cards_mucked", 2, 300, conf=second)
    felt.run(2500)

    assert not implied(felt)


def test_a_muck_of_a_later_seat_that_came_first_folds_nobody() -> None:
    felt = facing()
    felt.line("cards_mucked", 2, 0)
    felt.line("cards_mucked", 1, 800)
    felt.run(2500)

    assert not implied(felt)


def test_a_muck_out_of_turn_waits_for_the_turn() -> None:
    felt = facing()
    felt.line("cards_mucked", 2)
    felt.run(8000)
    assert not implied(felt)
    assert not felt.sensing.questions

    felt.push(1, [10])
    felt.run(2000)
    felt.push(3, [10])
    felt.run(2000)
    assert implied(felt) == [Implied((2,), mucked=(2,))]
    assert [(act.seat, act.in_turn) for act in felt.acts] == [(1, True), (3, True)]


def test_an_act_after_seats_of_which_only_the_second_mucked_is_asked_about_in_the_right_words() -> None:
    felt = facing(missed=0.0)
    felt.line("cards_mucked", 2)
    felt.push(3, [5, 5], after_ms=500)
    felt.run(6500)

    assert not implied(felt)
    assert asked(felt).sentence == "Seats 1 and 2 folded before seat 3?"


def test_where_a_check_is_free_a_muck_is_a_fold_and_silence_a_check() -> None:
    felt = facing(bet=0, missed=0.0)
    felt.line("cards_mucked", 2)
    felt.push(3, [5, 5], after_ms=500)
    felt.run(6500)

    assert asked(felt).sentence == "Seat 1 checked and seat 2 folded before seat 3?"
    answer(felt, "passive")
    assert implied(felt) == [Implied((1, 2), mucked=(2,))]


def test_chips_of_the_seat_itself_in_its_turn_take_the_muck_back() -> None:
    felt = facing()
    felt.line("cards_mucked", 1)
    felt.run(500)
    felt.push(1, [10])
    felt.run(2000)
    assert [act.seat for act in felt.acts] == [1]
    felt.push(2, [10])
    felt.run(2000)
    felt.run(6000)

    assert not implied(felt)
    assert [act.seat for act in felt.acts] == [1, 2]


def test_a_fold_that_the_dealer_takes_back_is_not_implied_again() -> None:
    felt = facing()
    felt.line("cards_mucked", 1)
    felt.run(500)
    felt.push(2, [10])
    felt.run(2000)
    assert implied(felt) == [Implied((1,), mucked=(1,))]
    felt.book(1, live=False)
    felt.tell()
    felt.book(1, live=True)
    felt.book(2, bet=0)
    felt.tell(order=(1, 2, 3, 4, 5, 6), to_act=1)
    felt.run(6000)

    assert len(implied(felt)) == 1


def test_a_muck_of_the_hand_before_says_nothing_of_this_one() -> None:
    felt = facing()
    felt.line("cards_mucked", 1)
    felt.run(500)
    felt.begin(hand_no=2)
    felt.book(6, bet=10)
    felt.tell(level=10)
    felt.line("cards_mucked", 2, -2000, lag_ms=2100)
    felt.run(500)
    felt.push(3, [10])
    felt.run(2500)

    assert not implied(felt)


def test_taps_where_a_check_is_free_shorten_the_wait() -> None:
    felt = facing(bet=0, missed=0.0)
    felt.line("tap_suspect", 1)
    felt.push(2, [5, 5], after_ms=400)
    felt.run(3800)
    assert asked(felt).sentence == "Seat 1 checked before seat 2?"


def test_a_tap_of_a_seat_that_faces_a_bet_is_no_hint() -> None:
    felt = facing(missed=0.0)
    felt.line("tap_suspect", 1)
    felt.push(2, [5, 5], after_ms=400)
    felt.run(3800)
    assert not felt.sensing.questions


def test_a_house_that_takes_silent_seats_for_skipped_asks_where_they_tapped() -> None:
    felt = facing(bet=0, implied_passive="skipped")
    felt.line("tap_suspect", 1)
    felt.push(2, [5, 5], after_ms=400)
    felt.run(6000)
    assert not felt.acts
    assert asked(felt).kind == "unreported"


def test_a_seat_that_moved_a_second_time_is_no_later_act() -> None:
    felt = facing()
    felt.tell(to_act=6, order=(6, 1, 2, 3, 4, 5))
    felt.push(6, [10])
    felt.run(1200)
    felt.line("cards_mucked", 1, lag_ms=1)
    felt.push(6, [10])
    felt.run(4000)
    assert not implied(felt)


def test_mucks_survive_a_restart_of_the_controller() -> None:
    felt = facing()
    felt.line("cards_mucked", 1)
    felt.run(500)
    plain = json.loads(json.dumps(felt.sensing.durable()))
    felt.sensing = SensingState.initial(felt.sensing.setup).restored(plain)
    felt.tell()
    felt.push(2, [10])
    felt.run(3000)
    assert implied(felt) == [Implied((1,), mucked=(1,))]


@pytest.mark.parametrize("seed", range(6))
def test_hands_that_go_on_are_never_folded_by_false_mucks_alone(seed: int) -> None:
    """Each seat in turn is said to have mucked, falsely, and calls all the same."""
    felt = facing(seed=seed)
    for seat in (1, 2, 3, 4, 5):
        felt.line("cards_mucked", seat, lag_ms=20)
        felt.run(700)
        felt.push(seat, [10])
        felt.run(1800)

    assert not implied(felt)
    assert [act.seat for act in felt.acts] == [1, 2, 3, 4, 5]
    assert felt.now_ns > 15_000 * MS


def test_a_muck_that_the_seats_own_act_and_a_later_raise_followed_is_no_fold() -> None:
    """A camera that takes the hand which leaves a bet for one that mucked says so after the bet was ruled."""
    felt = facing(bet=0)
    felt.line("cards_mucked", 1, 600, lag_ms=900)
    felt.push(1, [10])
    felt.run(1600)
    felt.push(2, [30])
    felt.run(1500)
    felt.tell(order=(1, 3, 4, 5, 6, 2), to_act=1)
    felt.push(3, [30], after_ms=3500)
    felt.run(6500)

    assert not implied(felt)


def contradicted(how: str) -> Felt:
    """A muck on an earlier street was none; then seat 1 is to act and a check is free."""
    felt = facing()
    if how == "still-in":
        felt.line("cards_mucked", 1)
        felt.run(4500)
        answer(felt, "still-in")
    elif how == "bet":
        felt.line("cards_mucked", 1, 500, lag_ms=900)
        felt.push(1, [10])
        felt.run(2000)
    felt.tell(phase="round-over", to_act=None)
    felt.run(500)
    felt.begin(street="turn")
    felt.run(1000)
    if how == "tap":
        felt.line("tap_suspect", 1)
        felt.run(300)
    return felt


@pytest.mark.parametrize("how", ["none", "still-in", "bet", "tap"])
def test_a_muck_where_a_check_is_free_is_a_fold_until_a_muck_was_contradicted(how: str) -> None:
    felt = contradicted(how)
    felt.line("cards_mucked", 1)
    felt.push(2, [5, 5], after_ms=500)
    felt.run(2500)

    assert [one.seats for one in implied(felt)] == ([(1,)] if how == "none" else [])


def test_a_contradicted_muck_where_a_check_is_free_is_asked_about_as_a_check() -> None:
    felt = contradicted("still-in")
    felt.line("cards_mucked", 1)
    felt.push(2, [5, 5], after_ms=500)
    felt.run(6500)

    assert asked(felt).sentence == "Seat 1 checked before seat 2?"
    answer(felt, "passive")
    assert implied(felt) == [Implied((1,), mucked=())]


def test_a_camera_is_believed_again_after_many_mucks_that_were_folds() -> None:
    cues = Cues(doubted=CONTRADICTED_FOR)
    before = HandView("betting", 1, "flop", 1, (1, 2), (SeatBook(1), SeatBook(2, bet=10)))
    after = HandView("betting", 1, "flop", 2, (2,), (SeatBook(1, live=False), SeatBook(2, bet=10)))
    for number in range(CONTRADICTED_FOR):
        assert cues.doubted == CONTRADICTED_FOR - number
        cues = cues.line(LineSeen("cards_mucked", 1, number), before, None, number).after(before, after, number)

    assert not cues.doubted


def test_an_inferred_fold_that_is_taken_back_contradicts_its_muck() -> None:
    folded = HandView("betting", 1, "flop", 2, (2,), (SeatBook(1, live=False, inferred=1), SeatBook(2)))
    back = HandView("betting", 1, "flop", 1, (1, 2), (SeatBook(1), SeatBook(2)))

    assert Cues().after(folded, back, 0).doubted


def test_a_muck_of_a_seat_that_the_camera_saw_bet_in_the_same_visit_is_no_fold() -> None:
    felt = facing()
    felt.antennas["seat-1"].dead = True
    felt.line("bet_settled", 1, 100)
    felt.line("cards_mucked", 1, 200)
    felt.push(2, [10], after_ms=500)
    felt.run(3000)

    assert not implied(felt)
