"""The last hands act by act, with the table as it was."""

from betline import topics
from betline.messages.recall import Recalled, RecalledAct, RecalledAlert, RecalledHand, SeatThen, TableThen
from betline.topics import topic
from table_controller.console.screens.then import ThenScreen
from table_controller.console.stepping import Stepping
from tests.unit.console.table import playing, state

AT = "2026-11-23 08:27:29.975"


def then(bet, to_act):
    seats = tuple(
        SeatThen(seat=seat, name=name, stack=1000 - (bet if seat == 1 else 0), bet=bet if seat == 1 else 0, status="in")
        for seat, name in ((1, "Ann"), (2, "Bob"))
    )
    return TableThen(
        phase="betting", game="NLHE", street="flop", button=1, small_blind=1, big_blind=2, seats=seats, to_act=to_act,
        pot=30 + bet,
    )  # fmt: skip


def hand(number):
    alert = RecalledAlert(code="c", seat=2, sentence="Count.")
    bets, folds = f"H{number}: seat 1 bets 70.", f"H{number}: seat 2 folds."
    acts = (
        RecalledAct(
            seq=1,
            at=AT,
            text=bets,
            source="chips",
            table=then(70, 2),
            pictures=("e7",),
            evidence=("reader-1: 70 in the zone of seat 1",),
        ),
        RecalledAct(seq=2, at=AT, text="Alert: count seat 2.", alert=alert),
        RecalledAct(seq=3, at=AT, text=folds, source="keyed", table=None),
    )
    return RecalledHand(
        hand=number, began=AT, button=1, seats={"1": 1000, "2": 1000}, pot=100, winners={"1": 100}, acts=acts
    )


def test_an_alert_leaves_the_table_as_it_was_before_it():
    at = Stepping((hand(5),))
    assert at.table == then(70, 2)
    assert at.by_act(1).table == then(70, 2)
    assert at.by_act(2).table is None


def test_acts_go_on_from_hand_to_hand_and_stop_at_the_ends():
    at = Stepping((hand(6), hand(5)), hand=1, act=2)
    assert (at.by_act(1).here.hand, at.by_act(1).act) == (6, 0)
    assert (at.by_act(1).by_act(-1).here.hand, at.by_act(1).by_act(-1).act) == (5, 2)
    assert at.by_act(9).by_act(9).by_act(9) == Stepping((hand(6), hand(5)), 0, 2)
    assert Stepping((hand(6), hand(5)), 1, 0).by_act(-1) == Stepping((hand(6), hand(5)), 1, 0)
    assert at.by_hand(1).here.hand == 6
    assert at.by_hand(1).by_hand(-5).here.hand == 5


def test_hands_that_come_later_leave_one_where_one_is():
    at = Stepping((hand(6), hand(5)), 1, 2).known((hand(7), hand(6), hand(5)))
    assert (at.here.hand, at.act) == (5, 2)
    assert Stepping(()).known((hand(7),)).here.hand == 7
    assert Stepping(()).by_act(1).now is None


async def test_the_table_is_drawn_as_it_was_and_stepped_by_arrow_keys():
    async with playing(state(), size=(100, 30)) as table:
        await table.press("z")
        asked = table.commands[-1].body.id
        for number, recalled in enumerate((hand(5), hand(6)), 1):
            message = Recalled(command_id=asked, number=number, of=2, hand=recalled)
            table.controller.publish(topic(topics.RECALL, asked), message)
        await table.draws()
        await table.press("right")
        assert isinstance(table.app.screen, ThenScreen)
        assert "Hand 6, act 1 of 3" in table.text
        assert "● 70" in table.text
        assert "930" in table.text
        assert "►2 Bob" in table.text
        assert "H6: seat 1 bets 70." in table.text
        assert "reader-1: 70 in the zone of seat 1" in table.text
        assert "betline vision ring show e7" in table.text
        await table.press("k")
        assert "The picture of that act" in table.text
        await table.press("k")
        assert "Hand 6, act 1 of 3" in table.text
        await table.press("right")
        assert "Alert: count seat 2." in table.text
        assert "● 70" in table.text
        await table.press("right")
        assert "cannot be replayed" in table.text
        await table.press("up")
        assert "Hand 5, act 1 of 3" in table.text
        await table.click("→")
        assert "Hand 5, act 2 of 3" in table.text
        await table.press("escape", "escape")
        assert table.asked == [("recall", {})]


async def test_an_act_is_clicked_for_its_table():
    async with playing(state(), size=(100, 30)) as table:
        await table.press("z")
        asked = table.commands[-1].body.id
        table.controller.publish(topic(topics.RECALL, asked), Recalled(command_id=asked, number=1, of=1, hand=hand(5)))
        await table.draws()
        await table.click("H5: seat 2 folds.")
        assert "Hand 5, act 3 of 3" in table.text
