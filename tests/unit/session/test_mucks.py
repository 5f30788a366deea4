"""Mucks and later acts at the session: folds that are shown as inferred and taken back by U (R-039)."""

import pytest

from betline.messages.table import Alert, Ruling
from table_controller.sensing.witness import LineSeen
from table_controller.session.hand_view import hand_view
from tests.unit.session.desk import Desk, home_table, terms


class Watched(Desk):
    """The home table with its camera, which is silent but for what a test lets it say."""

    def sees(self, kind: str, seat: int, conf: float = 0.95) -> None:
        self.give(LineSeen(kind, seat, self.now.mono_ns, camera="overhead", conf=conf))


@pytest.fixture(params=["ask", "assume", "skipped"])
def desk(request: pytest.FixtureRequest) -> Watched:
    desk = Watched(terms(implied_passive=request.param))
    desk.begin(house={"profile": "home", "implied_passive": request.param})
    return desk


def inferred(desk: Desk) -> list[tuple[int | None, str]]:
    return [(one.seat, one.ruling) for one in desk.heard(Ruling) if one.source == "inferred"]


def test_two_seats_muck_and_the_third_calls_without_any_key(desk: Watched) -> None:
    desk.sees("cards_mucked", 4)
    desk.sees("cards_mucked", 1)
    desk.push(2, 1)
    desk.play(14)

    assert inferred(desk) == [(4, "fold"), (1, "fold")]
    assert desk.rulings == [(4, "fold", 0), (1, "fold", 0), (2, "call", 2)]
    said = [one.sentence for one in desk.heard(Alert) if one.code == "unreported"]
    assert " ".join(said).count("cards mucked. U takes it back.") == len(said) > 0


def test_less_than_a_call_put_with_a_blind_folds_nobody_whose_cards_seem_to_have_gone(desk: Watched) -> None:
    assert desk.key("act", seat=4, action="raise", to=6).ok
    desk.sees("cards_mucked", 1)
    desk.push(2, 1)
    desk.play(80)

    assert inferred(desk) == []
    [question] = desk.session.table_state(1, 1, "").questions
    assert (question.kind, question.choices) == ("unreported", ("passive", "out-of-turn", "no-bet"))


@pytest.mark.one_in(3)
def test_each_u_takes_one_of_it_back_and_the_fold_is_not_implied_again(desk: Watched) -> None:
    desk.sees("cards_mucked", 4)
    desk.push(1, 1, 1)
    desk.play(14)
    assert desk.rulings == [(4, "fold", 0), (1, "call", 2)]
    assert desk.key("undo", count=2).ok
    desk.play(80)

    assert desk.hand.in_hand == frozenset({1, 2, 3, 4})
    assert desk.hand.next_seat == 4
    assert inferred(desk) == [(4, "fold")]


def test_a_muck_where_a_check_is_free_is_a_fold() -> None:
    desk = Watched(terms(implied_passive="ask"))
    desk.begin(house={"profile": "home", "implied_passive": "ask"})
    for seat, action in ((4, "call"), (1, "call"), (2, "call"), (3, "check")):
        assert desk.key("act", seat=seat, action=action).ok
    desk.lying.clear()
    desk.play(10)
    assert desk.key("deal").ok
    desk.play(8)
    desk.sees("cards_mucked", 2)
    desk.push(3, 5)
    desk.play(14)

    assert desk.rulings[-2:] == [(2, "fold", 0), (3, "bet", 5)]


def test_a_key_that_jumps_over_a_muck_folds_that_seat() -> None:
    desk = Watched(terms(implied_passive="ask"))
    desk.begin(house={"profile": "home", "implied_passive": "ask"})
    for seat in (4, 1, 2):
        assert desk.key("act", seat=seat, action="call").ok
    assert desk.key("act", seat=3, action="check").ok
    desk.key("deal")
    desk.sees("cards_mucked", 3)
    assert desk.key("jump", seat=4).ok

    assert desk.rulings[-2:] == [(2, "check", 0), (3, "fold", 0)]


def test_a_muck_before_its_turn_is_shown_and_kept(desk: Watched) -> None:
    desk.sees("cards_mucked", 2)
    desk.play(4)
    [alert] = [one for one in desk.heard(Alert) if one.code == "muck-out-of-turn"]
    assert (alert.seat, "2 F" in alert.sentence) == (2, True)
    assert desk.rulings == []
    [seat] = [one for one in desk.session.table_state(1, 1, "").seats if one.seat == 2]
    assert seat.mucked

    desk.key("act", seat=2, gesture="muck")
    [seat] = [one for one in desk.session.table_state(1, 1, "").seats if one.seat == 2]
    assert (seat.status, seat.mucked) == ("folded", False)


def test_a_muck_in_turn_raises_no_alert(desk: Watched) -> None:
    desk.sees("cards_mucked", 4)
    desk.sees("cards_mucked", 1)
    assert "muck-out-of-turn" not in desk.alerts


def test_chips_of_a_seat_whose_fold_was_inferred_say_how_to_take_it_back(desk: Watched) -> None:
    desk.sees("cards_mucked", 4)
    desk.push(1, 1, 1)
    desk.play(14)
    assert inferred(desk) == [(4, "fold")]
    desk.push(4, 1, 1)
    desk.play(14)

    [alert] = [one for one in desk.session.table_state(1, 1, "").alerts if one.code == "not-in-hand"]
    assert alert.sentence == (
        "Seat 4: give 2 back, or take its fold back with 2 U if it is still in: the fold was inferred."
    )


def test_inferred_mucks_survive_a_restart() -> None:
    desk = Watched(terms(implied_passive="ask"))
    desk.begin(house={"profile": "home", "implied_passive": "ask"})
    desk.sees("cards_mucked", 4)
    desk.restart()
    desk.push(1, 1, 1)
    desk.play(14)

    assert desk.rulings == [(4, "fold", 0), (1, "call", 2)]
    assert hand_view(desk.session.book).to_act == 2


def test_the_camera_of_the_home_table_is_left_out_of_these_tests() -> None:
    assert home_table().cameras == ()
