"""The key map: free of conflicts, and the same on the dealer's card."""

import string
from collections import Counter
from pathlib import Path

from table_controller.console.card import card
from table_controller.console.keys import HINTS, KEYS, answer_cap, bindings, cap
from table_controller.console.screens.table import TableScreen

CARD = Path(__file__).parents[3] / "docs" / "console.md"


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


def test_every_hint_has_words():
    assert all(key.hint for key in HINTS)
    assert cap("raise") == "B"


def test_the_dealers_card_is_the_key_map():
    assert CARD.read_text(encoding="utf-8") == card()
