"""The newest wins, what has passed is never said, and questions go first."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from table_controller.voice.waiting import MOST_WAITING, Utterance, Waiting

NOTHING: frozenset[str] = frozenset()


def turn(act_no: int, seat: int, text: str = "") -> Utterance:
    return Utterance("turn", text or f"turn of {seat}", (1, act_no), seat)


def act(act_no: int, seat: int = 3, text: str = "") -> Utterance:
    return Utterance("act", text or f"act {act_no}", (1, act_no), seat)


def question(name: str) -> Utterance:
    return Utterance("question", f"what of {name}?", question=name)


def heard(*utterances: Utterance) -> Waiting:
    waiting = Waiting()
    for one in utterances:
        waiting = waiting.heard(one)
    return waiting


def said(waiting: Waiting) -> list[str]:
    texts = []
    while True:
        one, waiting = waiting.next()
        if one is None:
            return texts
        texts.append(one.text)


def test_an_act_is_said_before_the_turn_that_it_led_to() -> None:
    assert said(heard(turn(5, 4), act(5))) == ["act 5", "turn of 4"]


def test_of_turns_only_the_newest_is_said() -> None:
    assert said(heard(turn(5, 4), act(5), turn(6, 5), act(6), turn(7, 6), act(7))) == ["act 7", "turn of 6"]


def test_a_turn_said_otherwise_replaces_the_one_before() -> None:
    assert said(heard(turn(5, 4), turn(5, 4, "seat four is all-in, counting"))) == ["seat four is all-in, counting"]


def test_an_act_of_which_nothing_is_said_ends_the_turn_before_it() -> None:
    assert said(heard(turn(5, 4), Utterance("act", "", (1, 6), 4))) == []


def test_the_acts_of_a_run_of_folds_are_not_said_after_the_turn_they_led_to() -> None:
    assert said(heard(turn(7, 8), act(5), act(6), act(7))) == ["act 7", "turn of 8"]


def test_after_an_act_was_taken_back_older_numbers_are_news() -> None:
    assert said(heard(act(5), turn(5, 4), turn(4, 3))) == ["turn of 3"]
    assert said(heard(turn(5, 4), turn(4, 3), turn(5, 4), act(5))) == ["act 5", "turn of 4"]


def test_a_turn_is_void_once_the_table_shows_another_seat_or_none() -> None:
    waiting = heard(turn(5, 4))
    assert said(waiting.table_is(1, 4, NOTHING)) == ["turn of 4"]
    assert said(waiting.table_is(1, 5, NOTHING)) == []
    assert said(waiting.table_is(1, None, NOTHING)) == []
    assert said(waiting.table_is(2, 4, NOTHING)) == []


def test_a_question_goes_first_and_is_void_once_it_is_answered() -> None:
    waiting = heard(turn(5, 4), question("a"), question("b"))
    assert said(waiting) == ["what of a?", "what of b?", "turn of 4"]
    assert said(waiting.table_is(1, 4, frozenset({"b"}))) == ["what of b?", "turn of 4"]


def test_what_is_being_said_is_broken_off_by_what_makes_it_void() -> None:
    one, waiting = heard(turn(5, 4)).next()
    assert one is not None
    assert waiting.still(one)
    assert not waiting.heard(turn(6, 5)).still(one)
    assert not waiting.heard(Utterance("act", "", (1, 6), 4)).still(one)
    assert not waiting.hush().still(one)


def test_a_correction_outlives_the_acts_after_it() -> None:
    assert said(heard(Utterance("correction", "correction", (1, 3), 2), turn(6, 5), act(6))) == [
        "correction",
        "act 6",
        "turn of 5",
    ]


def test_a_street_is_said_before_its_first_turn_and_not_after_it() -> None:
    waiting = heard(turn(5, 2), act(5)).heard(Utterance("street", "Flop.", (1, 5)))
    assert said(waiting) == ["act 5", "Flop.", "turn of 2"]
    assert said(waiting.heard(turn(6, 3))) == ["turn of 3"]


def test_an_alert_that_waits_is_not_said_twice() -> None:
    alert = Utterance("alert", "Dealer, please look at the screen.")
    assert said(heard(alert, alert)) == ["Dealer, please look at the screen."]


def test_after_a_hush_only_what_is_new_is_said() -> None:
    assert said(heard(turn(5, 4), question("a")).hush().heard(turn(6, 5))) == ["turn of 5"]


@given(
    st.lists(
        st.one_of(
            st.builds(turn, st.integers(1, 9), st.integers(1, 9)),
            st.builds(act, st.integers(1, 9), st.integers(1, 9)),
            st.builds(question, st.text("abcdefghijkl", min_size=1, max_size=1)),
        ),
        max_size=60,
    )
)
def test_whatever_comes_little_waits_and_of_turns_at_most_the_last(happened: list[Utterance]) -> None:
    waiting = heard(*happened)
    turns = [one for one in happened if one.kind == "turn"]

    assert len(waiting.sentences) <= MOST_WAITING
    assert [one.text for one in waiting.sentences if one.kind == "turn"] in ([], [turns[-1].text] if turns else [])
    assert all(waiting.still(one) for one in waiting.sentences)
