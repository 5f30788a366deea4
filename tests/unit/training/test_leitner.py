"""What was missed comes soon, what is known comes later, and chance comes from a seed."""

from random import Random

from table_controller.training.leitner import DAYS, KNOWN_FROM, Candidate, Card, after, chosen

TODAY = 739_000


def pool(count: int, topics: int = 1) -> list[Candidate]:
    return [Candidate(f"q{n}", f"m{n}", f"t{n % topics}", 1 + n % topics % 3) for n in range(count)]


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


def test_what_is_due_is_asked_before_what_is_new_and_that_before_what_is_known() -> None:
    cards = {
        "q0": Card(0, TODAY),
        "q1": Card(2, TODAY - 3),
        "q2": Card(KNOWN_FROM, TODAY + 5),
        "q3": Card(5, TODAY + 9),
    }

    assert set(chosen(pool(5), cards, 3, TODAY, Random(1))) == {"q0", "q1", "q4"}
    assert set(chosen(pool(5), cards, 4, TODAY, Random(1))) == {"q0", "q1", "q4", "q2"}


def test_of_one_moment_one_question_is_asked() -> None:
    twins = [Candidate("a", "m", "t", 1), Candidate("b", "m", "t", 1), Candidate("c", "n", "t", 1)]

    found = chosen(twins, {}, 3, TODAY, Random(1))

    assert len(found) == 2
    assert "c" in found


def test_new_questions_are_easy_first_and_of_all_topics_in_turn() -> None:
    found = chosen(pool(60, topics=6), {}, 8, TODAY, Random(1))
    by_topic = {topic: sum(int(name[1:]) % 6 == topic for name in found) for topic in range(6)}

    assert by_topic[0] == by_topic[3] == 4  # level 1; nothing of the higher ones before they are all asked


def test_the_same_seed_deals_the_same() -> None:
    assert chosen(pool(40), {}, 10, TODAY, Random(7)) == chosen(pool(40), {}, 10, TODAY, Random(7))
    assert chosen(pool(40), {}, 10, TODAY, Random(7)) != chosen(pool(40), {}, 10, TODAY, Random(8))
