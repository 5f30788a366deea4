"""What was missed comes soon, what is known comes later, and chance comes from a seed."""

from random import Random

from table_controller.training.leitner import DAYS, Card, after, due, in_turn, later

TODAY = 739_000


def test_a_right_answer_moves_a_question_on_and_a_wrong_one_back() -> None:
    card, boxes = None, []
    for day in range(8):
        card = after(card, TODAY + day, right=True)
        boxes.append((card.box, card.due - TODAY - day))

    assert boxes[:5] == [(1, 1), (2, 3), (3, 7), (4, 16), (5, 35)]
    assert boxes[5:] == [(5, DAYS[-1])] * 3
    assert card == Card(5, TODAY + 7 + DAYS[-1], seen=8, right=8)
    assert after(card, TODAY, right=False) == Card(0, TODAY, seen=9, right=8)


def test_what_comes_back_in_the_same_sitting_is_not_counted_and_waits_a_day_at_most() -> None:
    missed = after(Card(4, TODAY, seen=4, right=4), TODAY, right=False)

    assert after(missed, TODAY, right=True, again=True) == Card(0, TODAY + 1, seen=5, right=4)
    assert after(missed, TODAY, right=False, again=True) == Card(0, TODAY, seen=5, right=4)


def test_what_was_missed_is_due_first_and_then_what_has_waited_longest() -> None:
    cards = {"a": Card(2, TODAY - 1), "b": Card(2, TODAY - 3), "c": Card(0, TODAY), "d": Card(1, TODAY + 1)}

    assert due(cards, TODAY, Random(1)) == ["c", "b", "a"]
    assert later({**cards, "e": Card(5, TODAY + 9)}, TODAY) == ["d", "e"]


def test_rows_are_taken_in_turn_each_in_an_order_by_chance() -> None:
    rows = [list(range(10)), list(range(100, 103))]

    found = list(in_turn(rows, Random(7)))

    assert [one >= 100 for one in found[:6]] == [False, True] * 3
    assert sorted(found) == sorted([*rows[0], *rows[1]])
    assert found == list(in_turn(rows, Random(7)))
    assert found != list(in_turn(rows, Random(8)))
