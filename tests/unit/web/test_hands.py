"""The last hands of a seat, of nothing but what the board was shown."""

from __future__ import annotations

from typing import Any

from betline.messages.cards import CardsAt, HandMade
from betline.messages.views import SeatView, TableView
from table_controller.web.hands import KEPT, Hands
from tests.unit.web.serving import view


def seats(*stacks: int | None, bets: tuple[int, ...] = (0, 0, 0), name: str = "Ben") -> tuple[SeatView, ...]:
    return tuple(
        SeatView(seat=number, name=who, status="in", stack=stack, bet=bet)
        for number, who, stack, bet in zip((1, 2, 3), ("Ada", name, "Cleo"), stacks, bets, strict=True)
    )


def over(hand_no: int, *stacks: int | None, **said: Any) -> TableView:
    usual: dict[str, Any] = {"hand_no": hand_no, "phase": "hand-over", "turn": None, "winners": (2,)}
    return view(**{"seats": seats(*stacks), **usual, **said})


def after(*views: TableView) -> Hands:
    hands = Hands()
    for one in views:
        hands = hands.seen(one)
    return hands


def test_a_hand_that_was_seen_whole_has_what_it_gained_with_antes_and_blinds() -> None:
    hands = after(
        over(6, 1000, 1000, 1000),
        view(hand_no=7, seats=seats(990, 985, 970, bets=(0, 5, 20))),
        over(7, 990, 1050, 960),
    )

    assert [hands.of[seat][0].change for seat in (1, 2, 3)] == [-10, 50, -40]
    assert [hands.of[seat][0].outcome for seat in (1, 2, 3)] == ["lost", "won", "lost"]


def test_a_hand_that_was_not_seen_from_its_beginning_has_no_amount() -> None:
    hands = after(view(hand_no=7, seats=seats(1000, 985, 980)), over(7, 1000, 1020, 980))

    assert hands.of[2][0].change is None


def test_chips_bought_as_the_hand_began_leave_no_amount_rather_than_a_wrong_one() -> None:
    hands = after(over(6, 1000, 0, 1000), view(hand_no=7, seats=seats(1000, 495, 980)), over(7, 1000, 520, 960))

    assert (hands.of[1][0].change, hands.of[2][0].change) == (0, None)


def test_stacks_that_the_house_keeps_back_are_not_told_by_the_hands() -> None:
    hands = after(over(6, None, None, None), view(hand_no=7, seats=seats(None, None, None)), over(7, None, None, None))

    assert [hand.change for past in hands.of.values() for hand in past] == [None] * 6
    assert hands.of[2][0].outcome == "won"


def test_a_hand_has_the_cards_that_lay_face_up_and_what_it_won_with() -> None:
    cards = (CardsAt(seat=None, street="flop", cards="AsKdTc"), CardsAt(seat=2, street="", cards="AhAd"))
    hands = after(over(7, 1, 2, 3, cards=cards, won_with=(HandMade(seat=2, kind="three", ranks=("A",)),)))

    assert (hands.of[2][0].cards, hands.of[2][0].board, hands.of[2][0].made) == ("AhAd", ("AsKdTc",), "three")
    assert (hands.of[1][0].cards, hands.of[1][0].made) == ("", "")


def test_a_hand_that_is_taken_up_again_is_gone_until_it_is_over_again_and_then_told_once() -> None:
    once = after(over(7, 1, 2, 3))
    again = once.seen(view(hand_no=7))
    twice = again.seen(over(7, 1, 2, 3, winners=(1,)))

    assert again.of[2] == ()
    assert len(twice.of[2]) == 1
    assert twice.of[2][0].outcome == "lost"


def test_a_hand_stays_while_the_next_one_is_made_ready() -> None:
    waiting = view(hand_no=7, phase="idle", turn=None, winners=())

    assert [hand.hand_no for hand in after(over(7, 1, 2, 3), waiting).of[2]] == [7]


def test_who_sits_down_does_not_see_the_hands_of_who_has_left() -> None:
    hands = after(over(6, 1, 2, 3), over(7, 1, 2, 3).model_copy(update={"seats": seats(1, 2, 3, name="Dora")}))

    assert [hand.hand_no for hand in hands.of[2]] == [7]
    assert [hand.hand_no for hand in hands.of[1]] == [7, 6]


def test_the_last_hands_are_kept_and_no_more() -> None:
    hands = after(*(over(number, 1, 2, 3) for number in range(1, 30)))

    assert [hand.hand_no for hand in hands.of[1]] == list(range(29, 29 - KEPT, -1))


def test_a_seat_that_was_not_dealt_in_has_no_hand() -> None:
    out = tuple(seat.model_copy(update={"status": "out"}) for seat in seats(1, 2, 3))

    assert after(over(7, 1, 2, 3).model_copy(update={"seats": out})).of == {}
