"""What the state tells of seats for whoever looks on: what was posted, whose act is held, substantial action."""

from betline.messages.table import TableState
from tests.unit.session.desk import Desk, terms

BLINDS = {"limit": "no-limit", "blinds": [50, 100], "streets": "holdem"}


def begun(**more: object) -> Desk:
    desk = Desk(terms())
    seats = dict.fromkeys(("1", "2", "3", "4"), 9000)
    desk.key("setup", game=BLINDS, seats=seats, button=4, house={"profile": "tda"}, **more)
    return desk


def state(desk: Desk) -> TableState:
    return desk.session.table_state(1, 1, "")


def test_the_blinds_of_a_hand_stand_at_their_seats() -> None:
    desk = begun()

    assert {one.seat: one.posts for one in state(desk).seats if one.posts} == {1: (50,), 2: (100,)}


def test_tda_53_an_act_out_of_turn_is_held_until_the_action_reaches_it() -> None:
    desk = begun()
    desk.key("cards-out")
    assert desk.key("says", seat=4, text="raise to 300").ok
    assert [one.seat for one in state(desk).seats if one.held] == [4]

    desk.key("act", seat=3, action="call")

    assert [one.seat for one in state(desk).seats if one.held] == []


def test_r_224_two_acts_with_chips_are_substantial_action() -> None:
    desk = begun()
    desk.key("cards-out")
    desk.key("act", seat=3, action="raise", to=300)
    assert not state(desk).substantial

    desk.key("act", seat=4, action="call")

    assert state(desk).substantial
