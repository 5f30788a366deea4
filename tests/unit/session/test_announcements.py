"""What an announcement carries beside its line: all that the voice needs to say it in another language."""

from __future__ import annotations

from betline.messages.table import Announcement
from tests.unit.session.desk import Desk, terms

POT_LIMIT = {"limit": "pot-limit", "blinds": [1, 2], "streets": "holdem"}


def last(desk: Desk) -> Announcement:
    return desk.heard(Announcement)[-1]


def test_the_turn_and_the_pot_are_announced_as_values() -> None:
    desk = Desk(terms(pot_announcement="always"))
    desk.key(
        "setup",
        game=POT_LIMIT,
        seats={"1": 200, "2": 200, "3": 200},
        button=1,
        house={"profile": "cash", "pot_announcement": "always"},
    )
    desk.key("cards-out")
    first = last(desk)
    assert (first.seat, first.call, first.min_raise_to, first.wager) == (1, 2, 4, "raise")
    assert (first.most_is_pot, first.in_the_middle, first.option) == (True, 3, False)

    desk.key("act", seat=1, action="call")
    desk.key("act", seat=2, action="call")
    assert (last(desk).seat, last(desk).option) == (3, True)


def test_a_pot_that_may_be_counted_is_announced_as_a_value_for_who_asks() -> None:
    for game, pot in ((POT_LIMIT, 3), ({**POT_LIMIT, "limit": "no-limit"}, None)):
        desk = Desk()
        desk.key("setup", game=game, seats={"1": 200, "2": 200, "3": 200}, button=1, house={"profile": "tda"})
        desk.key("cards-out")
        assert last(desk).in_the_middle == pot
        assert "middle" not in last(desk).text


def test_who_faces_an_all_in_is_announced_so() -> None:
    desk = Desk()
    desk.begin(game={"limit": "no-limit", "blinds": [1, 2]})
    desk.key("act", seat=4, action="all-in")
    facing = last(desk)
    assert (facing.seat, facing.facing_all_in, facing.all_in_to_call, facing.wager) == (1, True, True, "")


def test_a_pile_that_is_counted_is_announced_without_an_amount() -> None:
    desk = Desk()
    desk.begin(game={"limit": "no-limit", "blinds": [1, 2]})
    desk.push(4, *[5] * 40)
    desk.play(4)
    counted = last(desk)
    assert (counted.seat, counted.counting, counted.call, counted.wager) == (4, "all-in", None, "")


def test_an_act_and_the_turn_after_it_bear_the_same_number() -> None:
    desk = Desk()
    desk.begin()
    desk.key("act", seat=4, action="raise", to=6)
    (ruled,) = [one for one in desk.session.table_state(1, 1, "").rulings if one.seat == 4]
    assert (last(desk).hand_no, last(desk).act_no) == (ruled.hand_no, ruled.act_no)
