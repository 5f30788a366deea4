"""Numbers, letters and words of the plain console name the same keys, and their numbers stand still."""

import pytest

from table_controller.console.keys import KEYS
from table_controller.console.plain.wording import NUMBERS, Spoken, number_of, understood


@pytest.mark.parametrize(
    ("line", "spoken"),
    [
        ("1", Spoken("passive")),
        ("call", Spoken("call")),
        ("C", Spoken("call")),
        ("3 165", Spoken("raise", 165)),
        ("165 b", Spoken("raise", 165)),
        ("raise 165", Spoken("raise", 165)),
        ("rest folds", Spoken("rest-folds")),
        ("rest-folds", Spoken("rest-folds")),
        ("7 j", Spoken("jump", 7)),
        ("4 e l", Spoken("seating", 4, "l")),
        ("seating 4 s 400 Ann Lee", Spoken("seating", 4, "s 400 Ann Lee")),
        ("menu K 3 1200", Spoken("menu", None, "K 3 1200")),
        ("says 800", Spoken("says", None, "800")),
        ("4 s Raise eight thousand", Spoken("says", 4, "Raise eight thousand")),
        ("1-6 e", Spoken("seating", seats="1-6")),
        ("sign in Ann Lee 4711", Spoken("sign-in", None, "Ann Lee 4711")),
        ("+", Spoken("redo")),
        ("?", Spoken("help")),
    ],
)
def test_a_line_names_a_key(line, spoken):
    assert understood(line) == spoken


@pytest.mark.parametrize("line", ["", "99", "hello", "k", "camera", "12345678901 b", "1-6 b"])
def test_what_names_no_key_is_not_understood(line):
    assert understood(line) is None


def test_every_key_that_commands_something_has_a_number_of_its_own():
    for key in KEYS:
        if key.sends:
            assert NUMBERS[number_of(key.action)] is key


def test_the_numbers_that_hands_have_learned_stay_as_they_are():
    learned = {1: "passive", 2: "call", 3: "raise", 4: "fold", 5: "all-in", 6: "jump", 7: "rest-folds", 11: "answer-1"}
    assert {number: NUMBERS[number].action for number in learned} == learned
