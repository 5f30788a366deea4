"""A sitting counts first answers, and what was missed comes back in it."""

import pytest

from table_controller.training import deck
from table_controller.training.sitting import AT_MOST_AGAIN, Sitting, answered, begin, dealt
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


def test_the_same_seed_day_and_cards_deal_the_same() -> None:
    topics = deck.chosen(("change",))

    assert names(dealt(topics, "player", None, {}, 4, TODAY, 3)) == names(
        dealt(topics, "player", None, {}, 4, TODAY, 3)
    )
