"""The laboratory's dealer answers what chips are by what their player meant."""

from typing import Any

import pytest

from betline.messages.table import Question
from betline.settings import load_table
from virtual_table.bench.cheats import play_honestly
from virtual_table.laboratory.laboratory import Conditions, Laboratory, with_stack_readers, without_camera
from virtual_table.play.dealer import KEEP, NO_BET, Dealer

ASKED = Question(id="early-chips-1-flop-3", seat=3, kind="early-chips", sentence="?", choices=("bet", NO_BET))
OF_MANY = ASKED.model_copy(
    update={"id": "unreported-1-flop-2-3", "kind": "unreported", "seat": 2, "choices": ("passive", "out-of-turn")}
)


class Table:
    """A state with one question."""

    def __init__(self, question: Question) -> None:
        self.state: Any = type("State", (), {"questions": (question,), "hand_no": 1, "street": "flop"})()


def dealer(question: Question, toying: int) -> Dealer:
    lab = Laboratory(without_camera(load_table("home-six")), 1, Conditions())
    made = lab.director._dealer
    made._link = Table(question)  # type: ignore[assignment]
    made.no_bet = lambda seat: seat == toying
    return made


@pytest.mark.parametrize(("toying", "choice"), [(3, NO_BET), (4, "bet")])
def test_who_toys_has_made_no_bet(toying: int, choice: str) -> None:
    assert dealer(ASKED, toying)._choice(ASKED) == choice


def test_a_key_stands_where_dead_money_lies_beside_the_bet() -> None:
    question = ASKED.model_copy(update={"kind": "key-or-felt", "choices": ("raise-to-50", KEEP)})
    assert dealer(question, toying=3)._choice(question) == KEEP
    assert dealer(question, toying=4)._choice(question) == "raise-to-50"


def test_what_is_first_asked_about_the_seat_that_acts_is_about_its_act() -> None:
    made = dealer(ASKED, toying=3)
    made.performing = 3
    assert made._choice(ASKED) == "bet"


def test_a_question_that_has_no_true_answer_waits_until_the_chips_are_taken_up() -> None:
    assert dealer(OF_MANY, toying=3).new_questions() == []
    assert [one.id for one in dealer(OF_MANY, toying=5).new_questions()] == [OF_MANY.id]


@pytest.mark.nightly
def test_honest_play_over_antennas_under_the_stacks_accuses_nobody() -> None:
    honest = play_honestly(with_stack_readers(load_table("home-six")), seed=5003, hands=3)
    assert dict(honest.false) == {}
