"""How far somebody is, topic by topic."""

from table_controller.training import deck
from table_controller.training.leitner import KNOWN_FROM, Card
from table_controller.training.score import Progress, as_table, progress
from table_controller.training.sitting import all_questions

TODAY = 739_000


def test_a_topic_counts_what_was_met_is_known_and_is_due() -> None:
    topics = deck.chosen(("change",))
    questions = all_questions(topics, "dealer", None, 1)
    first, second, third, *_ = questions
    cards = {
        first: Card(0, TODAY, seen=2, right=0),
        second: Card(KNOWN_FROM, TODAY + 1, seen=3, right=3),
        third: Card(KNOWN_FROM - 1, TODAY - 1, seen=1, right=1),
        "dealer/tda/gone/1/what": Card(5, TODAY),
    }

    (row,) = progress(topics, questions, cards, TODAY)

    assert row == Progress(
        topic="change", title="Change, splashed pots and other chips", questions=len(questions), met=3, known=1, due=2,
        answers=6, right=4,
    )  # fmt: skip
    assert as_table([row]).splitlines()[1].split()[-6:] == [str(len(questions)), "3", "1", "2", "66", "%"]


def test_a_topic_that_was_never_asked_has_no_share() -> None:
    rows = progress(deck.chosen(("change",)), {}, {}, TODAY)

    assert as_table(rows).endswith("-")
