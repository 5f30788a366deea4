"""Every question is one: unambiguous, in plain words, and answered as the case that it is made of says."""

import re

import pytest

from betline.cases import holds
from table_controller.tools.answers import Answer
from table_controller.training import deck
from table_controller.training.asking import KINDS, MODES, Mode, Question, questions_of
from table_controller.training.explaining import explained
from table_controller.training.moments import moments_of
from tests.unit.training.questions import HOUSES, answers_by_hand, asked, expected

FEW = ("oversized-chip", "side-pots")
"""What the daily run looks at; nightly it is all of them."""
PLACEHOLDER = re.compile(r"[{}<>_]|\bNone\b|\bTrue\b|\bFalse\b|  |\.\.|,,|:\.")
INNER_NAME = re.compile(r"\b(?:amount-pending|chips-owed|[a-z]+:[a-z0-9]+|raise-not-open|R-\d+|TDA-\d+)\b")
KEBAB = re.compile(r"\b[a-z]+(?:-[a-z]+)+\b")
HYPHENATED = {"all-in", "no-limit", "fixed-limit", "pot-limit", "spread-limit", "bring-in", "home-game"}
"""Words of the game that have a hyphen."""


def words(question: Question) -> list[str]:
    return [*question.scene, question.asks, *(choice.text for choice in question.choices)]


def faults(question: Question) -> list[str]:
    """What is wrong with the form of a question."""
    found = []
    meanings = [choice.meaning for choice in question.choices]
    if question.choices and (meanings.count(question.right) != 1 or not 2 <= len(meanings) <= 4):
        found.append("the right answer is not there exactly once")
    if len(set(meanings)) < len(meanings) or len({choice.text for choice in question.choices}) < len(meanings):
        found.append("two choices are the same")
    if not question.choices and not question.right.isdigit():
        found.append("an amount that cannot be typed")
    for text in words(question):
        told = re.sub(r'"[^"]*"', "words", text)  # what a player says is the player's
        strange = {word for word in KEBAB.findall(told.casefold()) if word not in HYPHENATED}
        if (
            PLACEHOLDER.search(text)
            or INNER_NAME.search(told)
            or strange - {"fixed-limit", "pot-limit", "spread-limit"}
        ):
            found.append(f"inner words: {text}")
        if not text[:1].isupper() and text[:1] != '"' and not text[:1].isdigit():
            found.append(f"no sentence: {text}")
    if not all(line.endswith(".") for line in question.scene):
        found.append("a scene that does not end")
    return found


def disagreements(question: Question) -> list[str]:
    return [f"{key}: {got} is no {want}" for key, got, want in answers_by_hand(question) if got != want]


@pytest.mark.parametrize("mode", MODES)
def test_questions_are_unambiguous_and_answered_as_their_cases_say(mode: Mode) -> None:
    found = asked(None, mode, *FEW)

    assert len(found) > 20
    assert {name: wrong for name, one in found.items() if (wrong := faults(one) + disagreements(one))} == {}


@pytest.mark.nightly
@pytest.mark.parametrize("mode", MODES)
def test_all_questions_are_unambiguous_and_answered_as_their_cases_say(mode: Mode) -> None:
    found = asked(None, mode)

    assert len(found) > 500
    assert {name: wrong for name, one in found.items() if (wrong := faults(one) + disagreements(one))} == {}


@pytest.mark.nightly
@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("mode", MODES)
def test_all_questions_are_unambiguous_in_every_house(mode: Mode, house: str) -> None:
    found = asked(house, mode)

    assert len(found) > 500
    assert {name: wrong for name, one in found.items() if (wrong := faults(one))} == {}


@pytest.mark.nightly
def test_the_moment_of_each_question_is_as_its_case_says() -> None:
    """Under the plain rules that are nearest to those of the case, without what it sets otherwise."""
    wrong = {}
    for question in (*asked(None, "dealer").values(), *asked(None, "player").values()):
        answer = Answer(question.moment.after, question.moment.outcome)
        told = {key: value for key, value in expected(question).values.items() if key != "announce"}
        differs = [key for key, value in told.items() if not holds(key, value, answer.value(key))]
        if differs:
            wrong[question.id] = differs

    assert wrong == {}


@pytest.mark.nightly
@pytest.mark.parametrize("mode", MODES)
def test_every_explanation_says_why_in_plain_words(mode: Mode) -> None:
    wrong = {}
    for name, question in list(asked(None, mode).items())[::5]:
        told = explained(question)
        lines = [told.why, *told.arithmetic, told.floor, *[text for _, text in told.rules]]
        said = [re.sub(r'"[^"]*"', "words", line) for line in lines]
        if not (told.why or told.arithmetic) or not all(text for _, text in told.rules):
            wrong[name] = "says nothing"
        elif found := [line for line in said if PLACEHOLDER.search(line) or re.search(r"\b[a-z]+:[a-z0-9]+", line)]:
            wrong[name] = str(found)

    assert wrong == {}


@pytest.mark.parametrize(
    ("topic", "case", "kind", "mode", "right"),
    [
        ("oversized-chip", "overchip-facing-bet-call", "what", "dealer", "A call"),
        ("oversized-chip", "overchip-facing-bet-call", "money", "dealer", "Give 700 back to seat 2"),
        ("oversized-chip", "overchip-facing-bet-call", "what", "player", "You have called"),
        ("several-chips", "own-second-rulings-mc-450", "amount", "dealer", "600"),
        ("several-chips", "own-second-rulings-mc-450", "money", "dealer", "Ask seat 2 for 150 more"),
        ("side-pots", "side-three-levels", "who", "dealer", "Seats 1, 2, 3 and 4"),
        (
            "out-of-turn",
            "own-second-rulings-oot-call-released",
            "binding",
            "dealer",
            "No: it goes back, and seat 3 may do anything",
        ),
        ("pot-limit", "pl-rrop-100-50-250", "most", "dealer", "250"),
        ("reopening", "reopen-wsop173-B-no", "may", "player", "No, only call or fold"),
    ],
)
def test_the_right_answer_is_the_tables(topic: str, case: str, kind: str, mode: Mode, right: str) -> None:
    told = [
        question.right_text
        for moment in moments_of(deck.case_named(case))
        for question in questions_of(moment, topic, frozenset({kind}), mode)
    ]

    assert right in told


def test_a_scene_is_told_as_a_dealer_tells_it() -> None:
    question = asked(None, "dealer", *FEW)["dealer/tda/overchip-facing-bet-call/2/what"]

    assert " ".join(question.scene) == (
        "No-limit hold'em, blinds 50-100, tournament rules. We are on the flop, with 300 in the pot. Seat 1 bets 300. "
        "Seat 2 silently puts in one 1,000 chip."
    )
    assert question.asks == "How do you rule it?"


def test_another_house_has_another_answer() -> None:
    (moment,) = moments_of(deck.case_named("own-bb-option-overchip-raise"))
    (question,) = questions_of(moment, "oversized-chip", frozenset({"what"}), "dealer")

    assert question.right_text.startswith("A raise")
    assert explained(question).elsewhere == ("A check (house option big_blind_overchip: check; R-064).",)


def test_another_house_with_the_same_answer_is_not_named() -> None:
    """There the floor may choose between other rulings: a matter for the floor it is all the same."""
    moment = [*moments_of(deck.case_named("own-second-rulings-uc-chips-then-call"))][-1]
    (question,) = questions_of(moment, "short-calls", frozenset({"what"}), "dealer")

    assert question.right == "floor"
    assert explained(question).elsewhere == ("A call (house option undercall: full-call; R-240).",)
    assert explained(question).floor == "The floor may make it a full call or a fold."


def test_an_answer_is_a_number_of_a_choice_or_an_amount() -> None:
    found = asked(None, "dealer", *FEW)
    choosing = found["dealer/tda/overchip-facing-bet-call/2/what"]
    typing = found["dealer/tda/side-three-levels/7/pots1"]

    assert choosing.meant("1") == choosing.choices[0].meaning
    assert [choosing.meant(text) for text in ("0", "5", "call", "", "²")] == [None] * 5
    assert typing.meant(" 1,075 ") == "1075"
    assert typing.meant("0075") == "75"
    assert [typing.meant(text) for text in ("-5", "5.5", "all")] == [None] * 3


def test_the_kinds_of_every_topic_are_known_and_teach_in_some_mode() -> None:
    for topic in deck.topics():
        assert topic.asks <= set(KINDS), topic.name
        assert topic.level in deck.LEVELS
