"""The grammar of what players say."""

from __future__ import annotations

from fractions import Fraction

import pytest

from table_controller.rulings.values.numbers import Number, read_number
from table_controller.rulings.values.words import Said, Verb, conditional, understand


@pytest.mark.parametrize(
    ("text", "value", "loose"),
    [
        ("five", 5, True),
        ("twenty five", 25, True),
        ("ninety nine", 99, True),
        ("one hundred", 100, False),
        ("a hundred", 100, False),
        ("three hundred and fifty", 350, False),
        ("fourteen hundred", 1400, False),
        ("twenty five hundred", 2500, False),
        ("two fifty", 250, False),
        ("twelve fifty", 1250, False),
        ("two twenty five", 225, False),
        ("eight thousand", 8000, False),
        ("two thousand five hundred", 2500, False),
        ("one hundred twenty thousand", 120_000, False),
        ("two million", 2_000_000, False),
        ("1400", 1400, False),
        ("1,400", 1400, False),
        ("40", 40, True),
        ("5k", 5000, False),
        ("2.5k", 2500, False),
        ("5 k", 5000, False),
        ("3 hundred", 300, False),
        ("2.5", Fraction(5, 2), True),
        ("two and a half", Fraction(5, 2), True),
        ("six and a half thousand", 6500, False),
    ],
)
def test_amounts(text: str, value: int | Fraction, loose: bool) -> None:
    words = text.removeprefix("a ").split()

    assert read_number(words) == (Number(value, loose), len(words))


@pytest.mark.parametrize("text", ["five five", "twenty thirty forty", "zero", "fold"])
def test_what_makes_no_amount(text: str) -> None:
    assert read_number(text.split()) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Check.", Said(Verb.CHECK)),
        ("I call", Said(Verb.CALL)),
        ("I'll see you", Said(Verb.CALL)),
        ("I call, and raise one hundred", Said(Verb.CALL)),
        ("Fold!", Said(Verb.FOLD)),
        ("I'm all in", Said(Verb.ALL_IN)),
        ("all-in", Said(Verb.ALL_IN)),
        ("raise all in", Said(Verb.ALL_IN)),
        ("pot", Said(Verb.POT)),
        ("I bet the pot", Said(Verb.POT)),
        ("raise pot", Said(Verb.POT)),
        ("raise", Said(Verb.RAISE)),
        ("complete", Said(Verb.COMPLETE)),
        ("bet", Said(Verb.BET)),
        ("I bet five", Said(Verb.BET, 5, loose=True)),
        ("raise, eight thousand", Said(Verb.RAISE, 8000)),
        ("raise to eight thousand", Said(Verb.RAISE, 8000, to=True)),
        ("I raise by fifteen", Said(Verb.RAISE, 15, by=True, loose=True)),
        ("re-raise to $1,200", Said(Verb.RAISE, 1200, to=True)),
        ("make it 1400", Said(Verb.RAISE, 1400, to=True)),
        ("two hundred more", Said(Verb.AMOUNT, 200, by=True)),
        ("thirty-five", Said(Verb.AMOUNT, 35, loose=True)),
        ("fourteen hundred", Said(Verb.AMOUNT, 1400)),
    ],
)
def test_declarations(text: str, said: Said) -> None:
    assert understand(text) == said


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("banana", Verb.UNCLEAR), ("half pot", Verb.UNCLEAR), ("to", Verb.UNCLEAR), ("nice hand, I call", Verb.UNCLEAR),
        ("five thousand two", Verb.UNCLEAR), ("a buck fifty", Verb.UNCLEAR), ("bet half the pot", Verb.BET),
        ("raise five five", Verb.RAISE), ("raise twenty or forty", Verb.RAISE),
    ],
)  # fmt: skip
def test_what_is_not_understood_is_unclear_and_its_amount_is_never_guessed(text: str, verb: Verb) -> None:
    assert understand(text) == Said(verb, unclear=True)


def test_a_figure_longer_than_any_stack_is_no_amount() -> None:
    assert understand("raise " + 5000 * "9") == Said(Verb.RAISE, unclear=True)


@pytest.mark.parametrize(
    "text",
    [
        "three-bet", "I four bet", "3bet to 900", "check-raise", "c-bet", "all-in or fold", "fold or call?", "raise?",
        "is it three hundred?", "how much", "do I call", "call the floor", "call the clock", "check your cards",
        "let's see", "you bet", "your call", "out of turn", "the bet is three hundred", "raise the blinds", "open seat",
        "push the pot", "three hundred in the pot", "one of you", "make change", "your three hundred",
    ],
)  # fmt: skip
def test_words_that_hold_a_number_or_a_verb_but_are_no_act_do_nothing(text: str) -> None:
    assert understand(text) == Said(Verb.UNCLEAR, unclear=True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Three hundred? I call.", Said(Verb.CALL)),
        ("I call. How much?", Said(Verb.CALL)),
        ("call, nice bet", Said(Verb.CALL)),
        ("call and good luck", Said(Verb.CALL)),
        ("I make the call", Said(Verb.CALL)),
        ("fold my hand", Said(Verb.FOLD)),
        ("check in the dark", Said(Verb.CHECK)),
        ("min-raise", Said(Verb.RAISE, least=True)),
        ("pot-sized bet", Said(Verb.POT)),
        ("five hundred bet", Said(Verb.BET, 500)),
        ("raise, 300, please", Said(Verb.RAISE, 300)),
        ("raise to two and a half", Said(Verb.RAISE, Fraction(5, 2), to=True, loose=True)),
    ],
)
def test_an_act_is_understood_beside_other_words(text: str, said: Said) -> None:
    assert understand(text) == said


def test_to_before_an_action_word_makes_no_amount_a_total() -> None:
    assert understand("I'd like to raise 800") == Said(Verb.RAISE, 800)
    assert understand("I want to raise to 800") == Said(Verb.RAISE, 800, to=True)
    assert understand("make it 800 to go") == Said(Verb.RAISE, 800, to=True)


def test_a_conditional_statement_is_known_as_one() -> None:
    assert conditional("if you bet, I will raise")
    assert not conditional("I raise")
