"""A table that is held between two hands: hand for hand, or too short of players (TDA 11-D)."""

from typing import Any

from betline.messages.table import Alert
from tests.unit.session.desk import Desk
from tests.unit.session.test_between import begun, folds_the_same


def state(desk: Desk) -> Any:
    return desk.session.table_state(1, 1, "")


def passed_out(desk: Desk) -> None:
    """Everybody folds to the big blind."""
    while state(desk).to_act is not None:
        assert desk.key("act", seat=state(desk).to_act, action="fold").ok
    assert state(desk).phase == "hand-over"


def told(desk: Desk, code: str) -> list[str]:
    return [one.sentence for one in desk.told if isinstance(one, Alert) and one.code == code]


def test_the_hand_is_played_out_and_the_next_one_waits_until_the_room_says_so() -> None:
    desk = begun()
    hand_no = state(desk).hand_no
    assert desk.key("hold", why="hand-for-hand", after_hand=hand_no).ok
    assert not state(desk).hold.waits
    passed_out(desk)

    refused = desk.key("next-hand")

    assert (refused.code, state(desk).hand_no) == ("held", hand_no)
    assert "hand for hand" in refused.sentence
    assert state(desk).hold.waits
    assert state(desk).closed["next-hand"] == refused.sentence
    assert desk.key("hold", why="hand-for-hand", after_hand=hand_no + 1).ok
    assert desk.key("next-hand").ok
    passed_out(desk)
    assert desk.key("next-hand").code == "held"
    assert folds_the_same(desk)


def test_a_hold_that_nobody_says_again_ends_and_the_dealer_is_told() -> None:
    desk = begun()
    desk.key("hold", why="short", after_hand=0, for_s=60)
    passed_out(desk)
    desk.now_ms += 59_000
    desk.wait(100)
    assert desk.key("hold", why="short", after_hand=0, for_s=60).ok
    desk.now_ms += 59_000
    desk.wait(100)
    assert desk.key("next-hand").code == "held"
    assert len(told(desk, "held")) == 1

    desk.now_ms += 2_000
    desk.wait(100)

    assert told(desk, "hold-over") == [
        "The room was not heard in time: the table is held no longer and plays on by itself."
    ]
    assert state(desk).hold is None
    assert state(desk).hold_ended == "time"
    assert desk.key("next-hand").ok
    assert folds_the_same(desk)
    assert desk.key("hold", why="short", after_hand=0).ok
    assert state(desk).hold_ended == ""


def test_the_floor_lets_the_table_go() -> None:
    desk = begun()
    assert desk.key("let-go").sentence == "Nobody holds this table."
    desk.key("hold", why="hand-for-hand", after_hand=0)
    passed_out(desk)
    assert desk.key("let-go").ok
    assert desk.key("next-hand").ok
    assert state(desk).hold_ended == "asked"
    assert folds_the_same(desk)


def test_a_hand_that_is_dealt_again_is_that_hand() -> None:
    desk = begun()
    desk.key("hold", why="short", after_hand=0)
    assert desk.key("misdeal").ok
    assert desk.key("next-hand").ok
    passed_out(desk)
    assert desk.key("next-hand").code == "held"


def test_what_was_taken_back_begins_no_hand_at_a_table_that_waits() -> None:
    desk = begun()
    passed_out(desk)
    assert desk.key("next-hand").ok
    assert desk.key("undo-key").ok
    desk.key("hold", why="hand-for-hand", after_hand=state(desk).hand_no)
    assert desk.key("redo").code == "held"


def test_undo_takes_back_the_act_before_and_not_the_hold() -> None:
    desk = begun()
    assert desk.key("act", seat=4, action="fold").ok
    desk.key("hold", why="short", after_hand=0)
    assert desk.key("undo-key").ok
    assert state(desk).to_act == 4
    assert state(desk).hold is not None
