"""The minutes of the table: told when a hand begins and when somebody comes or leaves, and to nobody in a pause."""

from betline.messages.table import Alert
from tests.unit.session.desk import Desk, terms

MINUTE_MS = 60_000


def seated(**house: object) -> Desk:
    desk = Desk(terms(**house))
    for seat in (1, 2, 3, 4):
        desk.key("sit-down", seat=seat, stack=200, player=f"Player {seat}")
    desk.key("next-hand")
    return desk


def passes(desk: Desk, minutes: float) -> None:
    desk.now_ms += minutes * MINUTE_MS


def a_hand(desk: Desk) -> None:
    desk.key("cards-out")
    desk.key("rest-folds")
    desk.key("next-hand")


def test_r_285_a_time_charge_is_collected_when_the_next_hand_begins_and_told() -> None:
    desk = seated(rake={"time": 5, "minutes": 30})
    for _ in range(3):
        passes(desk, 10.5)
        a_hand(desk)

    assert desk.session.table_state(1, 1, "").house_money == {"time": 20}
    assert [one.sentence for one in desk.heard(Alert) if one.code == "time-due"] == [
        "Time is up: the charge is taken when no hand is in progress (R-285)."
    ]
    assert desk.restarted().book == desk.session.book


def test_a_long_pause_is_charged_to_nobody() -> None:
    desk = seated(rake={"time": 5, "minutes": 30})
    passes(desk, 12 * 60)
    a_hand(desk)
    passes(desk, 29)
    a_hand(desk)
    assert desk.session.table_state(1, 1, "").house_money == {}
    passes(desk, 2)
    a_hand(desk)

    assert desk.session.table_state(1, 1, "").house_money == {"time": 20}


def test_r_282_who_comes_back_inside_the_lockout_brings_what_was_taken_away_and_after_it_may_bring_less() -> None:
    desk = seated(lockout_minutes=60, buy_in=[20, 200])
    desk.key("cards-out")
    desk.key("rest-folds")
    taken = desk.hand.stacks[3]
    desk.key("leave", seat=3)
    passes(desk, 30)
    refused = desk.key("sit-down", seat=5, stack=100, player="Player 3")
    assert (refused.ok, refused.code) == (False, "buy-in-range")
    assert f"{taken} left the table" in refused.sentence
    passes(desk, 29)
    assert not desk.key("sit-down", seat=5, stack=100, player="Player 3").ok
    desk.key("next-hand")
    passes(desk, 2)

    assert desk.key("sit-down", seat=5, stack=100, player="Player 3").ok
    assert desk.restarted().book == desk.session.book


def test_an_undo_takes_back_who_came_and_the_minutes_are_counted_all_the_same() -> None:
    desk = seated(lockout_minutes=60)
    desk.key("cards-out")
    desk.key("rest-folds")
    passes(desk, 5)
    desk.key("sit-down", seat=5, stack=100)
    desk.key("undo")
    desk.key("next-hand")

    table = desk.session.book.table
    assert table is not None
    assert (5 in table.state.players, table.state.minutes) == (False, 5)
