"""Lines and prompts of the plain console: what is asked, what is sent, and what is refused."""

import pytest

from betline.messages.table import Question, Ruling
from betline.settings import FloorSettings
from betline.steps import Act, Answer, Award, CorrectBet, Misdeal, Override, Passive
from table_controller.console.guard import READING_S
from table_controller.console.plain.talk import NOT_UNDERSTOOD, Looks, Talk, possible
from tests.unit.console.table import showdown, state

FLOOR = FloorSettings(people=("Maria",), reasons=("misheard",))


def ruled(seat, ruling, source="keyed", **more):
    sentence = f"Seat {seat} {ruling}s."
    return Ruling(
        hand_no=3, act_no=seat, street="preflop", seat=seat, ruling=ruling, source=source, sentence=sentence, **more
    )


def talk(**changes):
    return Talk(FLOOR).after_state(state(**changes), 0.0)[0]


def conversation(begun, *lines):
    """What the last line said and sent, after all of them."""
    said, does = (), None
    for line in lines:
        begun, said, does = begun.hear(line, 10.0)
    return begun, said, does


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("1", Passive(seat=4)),
        ("call", Act(seat=4, action="call")),
        ("3 40", Act(seat=4, action="raise", to=40)),
        ("fold", Act(seat=4, action="fold")),
        ("menu k 3 1200", CorrectBet(seat=3, to=1200)),
    ],
)
def test_a_whole_line_is_sent_at_once(line, command):
    _, said, does = talk().hear(line, 10.0)
    assert (does, said) == (command, ())


def test_an_amount_is_asked_for_with_its_limits():
    begun, said, does = talk().hear("raise", 10.0)
    assert said == ("Seat 4 raises to how much? min 20, max 1,000.",)
    assert does is None
    begun, said, does = begun.hear("7", 10.0)
    assert (said[0], does) == ("7 is below the minimum: at least 20.", None)
    assert begun.hear("min", 10.0)[2] == Act(seat=4, action="raise", to=20)


def test_all_in_takes_a_yes():
    begun, _, does = talk().hear("all in", 10.0)
    assert does is None
    assert begun.hear("1", 10.0)[2] is None
    assert begun.hear("yes", 10.0)[2] == Act(seat=4, action="all-in")


def test_a_prompt_is_left_without_anything_sent():
    begun, said, does = conversation(talk(), "all in", "cancel")
    assert (begun.prompt, said, does) == (None, ("Left: nothing was sent.",), None)


def test_a_prompt_that_nobody_asks_any_more_is_over_and_says_so():
    begun, _, _ = talk().hear("raise", 10.0)
    begun, said = begun.after_state(state(to_act=1), 11.0)
    assert begun.prompt is None
    assert said == ("Seat 4 can no longer bet or raise: nothing was sent.",)


def test_each_pot_is_asked_for_and_a_refusal_asks_for_the_last_again():
    begun, _ = Talk(FLOOR).after_state(showdown((400, (2, 3, 5)), (120, (2, 5))), 0.0)
    begun, said, _ = begun.hear("award 3", 10.0)
    assert said == ("Side pot 1 of 120: which of seats 2 and 5 wins? Digits, 0 is seat 10; high/low.",)
    begun, said, _ = begun.hear("3", 10.0)
    assert said[0] == "Seat 3 cannot win this pot; 2 and 5 can."
    begun, _, does = begun.hear("25", 10.0)
    assert does == Award(pots=(((3,),), ((2, 5),)))
    begun, said = begun.answered(False)
    assert said[0].startswith("Side pot 1")
    assert begun.hear("2", 10.0)[0].answered(True)[0].prompt is None


def test_what_is_hard_to_take_back_is_asked_twice():
    begun, said, does = talk(phase="posting").hear("menu x", 10.0)
    assert does is None
    assert said == ("Table: misdeal: every chip back, dealt again? Type yes, or cancel.",)
    assert begun.hear("yes", 10.0)[2] == Misdeal()


def test_a_closed_row_of_a_menu_says_why():
    _, said, does = talk(closed={"chop-blinds": "Somebody has acted."}).hear("menu c", 10.0)
    assert (said[0], does) == ("Somebody has acted.", None)


def test_the_floor_rules_otherwise_by_numbers_and_words():
    acts = (ruled(3, "call", to=10), ruled(4, "raise", to=40))
    begun, said, _ = talk(rulings=acts).hear("floor", 10.0)
    assert len(said) == 3
    begun, _, _ = conversation(begun, "1", "1")
    assert begun.prompt is not None
    begun, _, does = conversation(begun, *(("60",) if begun.prompt.so_far.asked == "to" else ()), "Eva", "1")
    assert isinstance(does, Override)
    assert (does.seat, does.by, does.why) == (4, "Eva", "misheard")


def test_answers_have_numbers_of_their_own():
    question = Question(id="q1", seat=4, kind="protector", sentence="Is it?", choices=("protector", "bet"))
    begun = talk(questions=(question,))
    assert begun.hear("12", 10.0)[2] == Answer(question="q1", choice="bet")
    assert "Read" not in begun.hear("11", 10.0)[1]


def test_a_line_just_after_the_sensors_moved_the_turn_is_dropped():
    begun, _ = talk().after_state(state(to_act=1, rulings=(ruled(4, "call", to=10, source="chips"),)), 5.0)
    _, said, does = begun.hear("call", 5.0 + READING_S / 2)
    assert does is None
    assert said[0].startswith("Key dropped: ")
    assert begun.hear("call", 5.1 + READING_S)[2] == Act(seat=1, action="call")


def test_what_is_not_understood_says_how_to_learn_more():
    assert talk().hear("abracadabra", 10.0)[1] == (NOT_UNDERSTOOD,)
    assert talk().hear("?", 10.0)[2] == Looks("help")


def test_nothing_is_sent_before_the_table_is_known():
    _, said, does = Talk(FLOOR).hear("call", 10.0)
    assert (does, said) == (None, ("Nothing is known of the table yet: wait for the controller.",))


def test_what_is_possible_now_is_listed_by_number():
    assert possible(talk().state).startswith("Now: 1 fold, 2 call, 3 raise, 4 fold, 5 all-in")
