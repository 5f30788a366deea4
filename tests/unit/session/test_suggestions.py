"""What was seen of the dealer's hands suggests a key and does nothing else."""

from betline.messages.table import Suggestion
from table_controller.console.intents import what_next
from table_controller.sensing.witness import LineSeen
from tests.unit.session.desk import Desk


def suggested(desk: Desk) -> list[Suggestion]:
    return list(desk.session.table_state(1, 1, "").suggestions)


def sees(desk: Desk, kind: str, seat: int = 0) -> None:
    desk.give(LineSeen(kind, seat, desk.now.mono_ns, camera="overhead"))


def round_over(desk: Desk) -> None:
    for seat in (4, 1, 2):
        desk.push(seat, *[1] * (2 - desk.hand.bet(seat)))
        desk.play(10)
    assert desk.key("act", seat=3, action="check").ok


def test_bets_that_the_camera_saw_swept_suggest_the_next_street() -> None:
    desk = Desk()
    desk.begin()
    round_over(desk)
    assert suggested(desk) == []
    sees(desk, "pot_swept", 2)
    [one] = suggested(desk)
    assert (one.kind, desk.hand.street) == ("deal", "preflop")
    assert what_next(desk.session.table_state(1, 1, "")).startswith(
        "The bets are gathered: is the next street dealt? D"
    )

    desk.key("deal")
    assert suggested(desk) == []


def test_bets_that_have_left_all_readers_do_too() -> None:
    desk = Desk()
    desk.begin()
    round_over(desk)
    desk.lying["seat-4"].clear()
    desk.play(10)
    assert suggested(desk) == []
    desk.lying.clear()
    desk.play(10)
    assert [one.kind for one in suggested(desk)] == ["deal"]


def test_a_pot_pushed_to_a_seat_while_chips_lie_in_it_suggests_its_award_and_awards_nothing() -> None:
    desk = Desk()
    desk.begin()
    for seat in (4, 1, 2):
        assert desk.key("act", seat=seat, action="call").ok
    desk.key("act", seat=3, action="check")
    for street in ("flop", "turn", "river"):
        assert desk.key("deal", street=street).ok
        for seat in (2, 3, 4, 1):
            assert desk.key("act", seat=seat, action="check").ok
    desk.lying["pot"] = {"E0040000FFFF0001": (2, 0)}
    desk.play(8)
    sees(desk, "pot_pushed", 3)
    [one] = suggested(desk)
    assert (one.kind, one.seat, one.sentence) == ("award", 3, "The pot was pushed to seat 3: award it?")
    assert desk.hand.pot == 8


def test_cards_dealt_after_a_hand_suggest_the_next_one() -> None:
    desk = Desk()
    desk.begin()
    desk.key("rest-folds")
    hand_no = desk.session.book.hand_no
    sees(desk, "cards_dealt", 2)
    assert [one.kind for one in suggested(desk)] == ["next-hand"]
    assert desk.session.book.hand_no == hand_no
