"""What readers and camera had seen of each act, as the journal tells it in a dispute."""

from table_controller.accounts.evidence import evidence_of
from table_controller.accounts.recall import recall
from tests.unit.session.desk import Desk, Pages


class History(Pages):
    def names(self) -> dict[str, str]:
        return {}


def test_chips_that_were_read_are_the_evidence_of_their_act_and_a_key_has_none() -> None:
    desk = Desk()
    desk.begin()
    uids = desk.push(4, 2)
    desk.play(10)
    desk.key("act", seat=1, action="fold")
    (hand,) = recall(History(desk.entries), 1)
    acts = [one for one in hand.as_json({})["acts"] if one.get("rulings")]

    (chips,) = [one for one in acts if one["source"] == "chips"]
    (keyed,) = [one for one in acts if one["source"] == "keyed"]
    (line,) = chips["evidence"]
    assert "Antenna of seat 4: 2," in line
    assert uids[0] in line
    assert line < chips["at"][11:] + "~"  # it was read before it was ruled on
    assert keyed["evidence"] == []


def test_an_act_that_was_taken_back_and_keyed_anew_is_no_act_of_the_antenna() -> None:
    desk = Desk()
    desk.begin()
    desk.push(4, 2)
    desk.play(10)
    desk.key("undo")
    desk.key("act", seat=4, action="fold")
    found = evidence_of(Pages(desk.entries).recorded)

    assert len(found) == 1
