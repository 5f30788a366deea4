"""The key map: free of conflicts, and the same on the dealer's card."""

import string
from collections import Counter
from pathlib import Path
from typing import get_args, get_type_hints

from betline.messages.table import Question
from table_controller.console.asked import QUESTIONS
from table_controller.console.card import card
from table_controller.console.keys import KEYS, answer_cap, bindings, cap
from table_controller.console.screens.table import TableScreen
from table_controller.sensing.observations import Asked

CARD = Path(__file__).parents[3] / "docs" / "console.md"


def test_every_question_stands_on_the_dealers_card_and_in_the_bus_document() -> None:
    felt = get_args(get_type_hints(Asked)["kind"])
    others = ("count", "key-or-felt", "which-first", "straddle", "rules-changed", "rebuy", "clock", "floor")
    described = str(Question.model_fields["kind"].description)
    assert set(QUESTIONS) == {*felt, *others}
    assert not [kind for kind in QUESTIONS if kind not in described]


def test_no_key_means_two_things():
    names = Counter(name for binding in TableScreen.BINDINGS for name in binding.key.split(","))
    assert [name for name, count in names.items() if count > 1] == []


def test_letters_work_with_caps_lock():
    for key in KEYS:
        names = set(bindings(key).split(","))
        letters = {name for name in names if len(name) == 1 and name in string.ascii_letters}
        assert {letter.swapcase() for letter in letters} == letters


def test_answers_have_their_keys():
    assert [answer_cap(place) for place in range(5)] == ["Enter", "O", "F3", "F4", None]


def test_the_first_name_is_printed_on_a_key():
    assert cap("raise") == "B"


def test_the_dealers_card_is_the_key_map():
    assert CARD.read_text(encoding="utf-8") == card()
