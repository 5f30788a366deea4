"""A sitting counts first answers, and what was missed comes back in it."""

import pytest

from table_controller.training import deck
from table_controller.training.leitner import Card
from table_controller.training.sitting import AT_MOST_AGAIN, Sitting, all_questions, answered, begin, dealt
from tests.unit.training.questions import asked

TODAY = 739_000


@pytest.fixture
def sitting() -> Sitting:
    return begin(list(asked(None, "dealer", "oversized-chip", "side-pots").values())[:6], {}, TODAY)


def names(sitting: Sitting) -> list[str]:
    return [one.question.id for one in sitting.row]


def test_a_missed_question_comes_back_after_three_others(sitting: Sitting) -> None:
    first, *others = names(sitting)

    after = answered(sitting, right=False)

    assert names(after) == [*others[:3], first, *others[3:]]
    assert after.row[3].again == 1


def test_at_the_end_of_the_row_it_comes_at_once_and_not_for_ever(sitting: Sitting) -> None:
    alone = begin([sitting.row[0].question], {}, TODAY)
    asked_so_often = 0
    while alone.row:
        alone = answered(alone, right=False)
        asked_so_often += 1

    assert asked_so_often == 1 + AT_MOST_AGAIN
    assert (alone.asked, alone.right, alone.of) == (1, 0, 1)


def test_only_first_answers_are_counted(sitting: Sitting) -> None:
    sitting = answered(answered(sitting, right=True), right=False)
    while sitting.row:
        sitting = answered(sitting, right=True)

    assert (sitting.asked, sitting.right, sitting.missed, sitting.of) == (6, 5, 1, 6)
    assert sitting.best == 5
    assert sorted(card.box for card in sitting.cards.values()) == [0, 1, 1, 1, 1, 1]
    assert sum(card.right for card in sitting.cards.values()) == 5


def test_what_was_missed_is_dealt_first_in_the_next_sitting() -> None:
    topics = deck.chosen(("oversized-chip",))
    first = dealt(topics, "dealer", None, {}, 5, TODAY, seed=1)
    missed = first.row[0].question.id
    first = answered(first, right=False)
    while first.row:
        first = answered(first, right=True)

    then = dealt(topics, "dealer", None, first.cards, 1, TODAY + 1, seed=2)

    assert names(then) == [missed]


def test_what_is_due_comes_before_what_is_new_and_that_before_what_is_known() -> None:
    topics = deck.chosen(("change",))
    every = list(all_questions(topics, "dealer", None, 1))
    moments = {name.rsplit("/", 1)[0]: name for name in every}
    overdue, known, *_ = sorted(moments.values())
    cards = {overdue: Card(2, TODAY - 5), known: Card(4, TODAY + 5)}

    few = names(dealt(topics, "dealer", None, cards, 3, TODAY, seed=1))
    more = names(dealt(topics, "dealer", None, cards, 200, TODAY, seed=1))

    assert overdue in few
    assert known not in few
    assert known in more


def test_what_was_never_asked_comes_before_what_is_known() -> None:
    topics = deck.chosen(("change",))
    *known, new = all_questions(topics, "dealer", None, 1)

    row = dealt(topics, "dealer", None, {name: Card(4, TODAY + 5) for name in known}, 1, TODAY, seed=1)

    assert names(row) == [new]


def test_of_one_moment_one_question_is_asked() -> None:
    found = names(dealt(deck.chosen(("change",)), "dealer", None, {}, 200, TODAY, seed=1))

    assert len(found) > 8
    assert len({name.rsplit("/", 1)[0] for name in found}) == len(found)


def test_new_questions_are_of_the_easy_topics_first_and_of_all_of_these_in_turn() -> None:
    easy = [topic.name for topic in deck.topics() if topic.level == 1]

    row = dealt(deck.topics(), "dealer", None, {}, len(easy), TODAY, seed=1).row

    assert sorted(one.question.topic for one in row) == sorted(easy)


def test_what_was_learnt_in_another_mode_or_is_no_question_any_more_is_passed_over() -> None:
    topics = deck.chosen(("change",))
    cards = {
        name: Card(0, TODAY) for name in (*all_questions(topics, "player", None, 1), "dealer/tda/gone/1/what", "x")
    }

    row = dealt(topics, "dealer", None, cards, 3, TODAY, seed=1).row

    assert [one.question.mode for one in row] == ["dealer"] * 3


def test_the_same_seed_day_and_cards_deal_the_same() -> None:
    topics = deck.chosen(("change",))

    assert names(dealt(topics, "player", None, {}, 4, TODAY, 3)) == names(
        dealt(topics, "player", None, {}, 4, TODAY, 3)
    )
