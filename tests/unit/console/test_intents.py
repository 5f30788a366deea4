"""What each key means: the number typed before it and the state decide, without Textual."""

import re

import pytest

from betline.messages.table import PotView, Question, StraddleView
from betline.steps import (
    Act,
    Answer,
    BringIn,
    CardsOut,
    Deal,
    FloorDecision,
    Jump,
    NextHand,
    Passive,
    PassOut,
    Rebuy,
    Redo,
    RestFolds,
    Straddle,
    Undo,
    UndoKey,
)
from table_controller.console.intents import (
    COMMANDING,
    Ask,
    Refused,
    amount_problem,
    intent,
    pot_or_maximum,
    what_next,
)
from table_controller.console.keys import KEYS
from table_controller.console.typed import floor_decision, winners
from tests.unit.console.table import showdown, state

ASKING = (Question(id="q1", seat=4, kind="unreported", sentence="2 and 3 folded?", choices=("folded", "out-of-turn")),)
NOBODY = {"to_act": None, "call": None, "min_raise_to": None, "max_raise_to": None, "may": ()}
CHECKED_TO = {"call": 0, "may": ("check", "bet"), "min_raise_to": 10}
POT = PotView(amount=40, seats=(1, 3, 10))


@pytest.mark.parametrize(
    ("action", "number", "changes", "wanted"),
    [
        ("passive", None, {}, Passive(seat=4)),
        ("answer-1", None, {}, Passive(seat=4)),
        ("call", None, {}, Act(seat=4, action="call")),
        ("call", None, CHECKED_TO, Act(seat=4, action="check")),
        ("raise", None, {}, Ask("amount", 4)),
        ("raise", 60, {}, Act(seat=4, action="raise", to=60)),
        ("raise", 60, CHECKED_TO, Act(seat=4, action="bet", to=60)),
        ("raise", 60, {"may": ("call", "complete", "fold")}, Act(seat=4, action="complete", to=60)),
        ("raise", 19, {}, Refused("19 is below the minimum: at least 20.")),
        ("raise", 1001, {}, Refused("1,001 is above the maximum: at most 1,000.")),
        ("raise", None, {"may": ("call", "fold")}, Refused("Seat 4 may not bet or raise now.")),
        ("fold", None, {}, Act(seat=4, action="fold")),
        ("fold", 4, {}, Act(seat=4, action="fold")),
        ("fold", 2, {}, Act(seat=2, gesture="muck")),
        ("all-in", None, {}, Ask("all-in", 4)),
        ("jump", 2, {}, Jump(seat=2)),
        ("answer-1", 2, {}, Refused("Press J for seat 2, B for a bet of 2.")),
        ("answer-1", 2, {"questions": ASKING}, Refused("Press J for seat 2, B for a bet of 2.")),
        ("jump", None, {}, Refused("Type the seat's number first, then J: 7 J.")),
        ("rest-folds", None, {}, RestFolds()),
        ("tap", None, {}, Act(seat=4, gesture="tap")),
        ("tap", 2, {}, Act(seat=2, gesture="tap")),
        ("says", None, {}, Ask("says", 4)),
        ("says", 2, {}, Ask("says", 2)),
        ("deal", None, {"phase": "posting"}, CardsOut()),
        ("deal", None, {"phase": "round-over", **NOBODY}, Deal()),
        ("award", None, {}, Refused("The betting is not over: there is nothing to award yet.")),
        ("award", None, {"phase": "hand-over", **NOBODY}, Refused("There is no pot to award.")),
        ("award", None, {"phase": "showdown", "pots": (POT,), **NOBODY}, Ask("award")),
        ("pass-out", None, {"phase": "round-over", **NOBODY}, PassOut()),
        ("pass-out", None, {}, PassOut()),
        ("next-hand", None, {}, NextHand()),
        ("next-hand", 3, {}, NextHand(button=3)),
        ("undo", None, {}, UndoKey()),
        ("redo", None, {}, Redo()),
        ("undo", 3, {}, Undo(count=3)),
        ("undo", 0, {}, Refused("Take back 1 to 100 acts.")),
        ("seating", 5, {}, Ask("seating", 5)),
        ("seating", None, {}, Refused("Type the seat's number first, then E: 7 E.")),
        ("floor", None, {}, Ask("override")),
        ("floor", None, {"closed": {"override": "No hand is in progress."}}, Refused("No hand is in progress.")),
        ("answer-1", None, {"questions": ASKING}, Answer(question="q1", choice="folded")),
        ("answer-2", None, {"questions": ASKING}, Answer(question="q1", choice="out-of-turn")),
        ("answer-3", None, {"questions": ASKING}, Refused("This question has 2 answers.")),
        ("answer-2", None, {}, Refused("Nothing is asked.")),
    ],
)
def test_a_key_means(action, number, changes, wanted):
    assert intent(action, number, state(**changes)) == wanted


@pytest.mark.parametrize("action", ["passive", "call", "raise", "fold", "all-in", "rest-folds", "tap", "says"])
def test_where_nobody_acts_the_refusal_names_what_goes_on(action):
    refused = intent(action, None, showdown((40, (1, 2))))
    assert refused == Refused("Nobody is to act: W awards the pots.")


NOBODY_BET = tuple(one.model_copy(update={"bet": 0}) for one in state().seats)
PASSED = {"phase": "round-over", "street": "predraw", "seats": NOBODY_BET, **NOBODY}


def test_an_empty_table_is_seated_before_the_first_hand():
    nobody = tuple(one.model_copy(update={"status": "empty"}) for one in state().seats)
    words = what_next(state(phase="idle", seats=nobody, **NOBODY))
    assert words == "1-10 E seats players, then N begins the first hand."


def test_r_002_who_opens_the_next_street_is_told_before_it_is_dealt():
    assert what_next(state(phase="round-over", **NOBODY)) == "D deals the next street."
    told = what_next(state(phase="round-over", first_next=2, **NOBODY))
    assert told == "D deals the next street, seat 2 opens it."


def test_r_307_passing_out_is_told_where_it_is_open_and_only_there():
    assert what_next(state(**PASSED, first_next=2)) == (
        "D deals the next street, seat 2 opens it; P passes the hand out."
    )
    for elsewhere in ({"street": "postdraw"}, {"street": "preflop"}, {"seats": state().seats}, {"phase": "showdown"}):
        assert "passes the hand out" not in what_next(state(**{**PASSED, **elsewhere}))


def test_r_307_what_is_carried_is_told_with_the_next_hand():
    assert what_next(state(phase="hand-over", carried=1015, **NOBODY)) == (
        "N begins the next hand; 1,015 lie in its pot."
    )


@pytest.mark.parametrize("action", ["jump", "fold", "tap", "says", "next-hand", "seating"])
def test_a_seat_that_is_not_there_is_refused(action):
    refused = intent(action, 165, state())
    assert refused == Refused("There is no seat 165; the table has 1, 2, 3, 4, 5, 6, 7, 8, 9 and 10.")


@pytest.mark.parametrize("action", sorted(COMMANDING))
def test_of_an_unknown_table_nothing_is_asked(action):
    assert isinstance(intent(action, None, None), Refused)


def test_every_key_either_commands_or_looks():
    looks = {key.action for key in KEYS if key.group == "look"}
    assert {key.action for key in KEYS} - COMMANDING == looks
    menus = {"menu"}
    asking = {"hands"}
    assert all(bool(key.sends) == (key.action in COMMANDING - menus | asking) for key in KEYS)


def test_a_ruling_that_waits_for_the_floor_is_asked():
    waiting = Question(id="f1", seat=4, kind="floor", sentence="Floor: seat 4.", choices=("call", "raise:20"))
    assert intent("floor", None, state(questions=(waiting,))) == Ask("floor", 4)


def test_no_single_key_decides_for_the_floor():
    waiting = Question(id="f1", seat=4, kind="floor", sentence="Floor: seat 4.", choices=("call", "raise:20"))
    assert intent("answer-1", None, state(questions=(waiting,))) == Passive(seat=4)
    answer = Answer(question="q1", choice="folded")
    assert intent("answer-1", None, state(questions=(waiting, *ASKING))) == answer


def test_the_floor_decides_with_the_size_of_the_offer():
    assert floor_decision("raise:400") == FloorDecision(ruling="raise", to=400)
    assert floor_decision("withdraw") == FloorDecision(ruling="withdraw")


def test_the_limits_are_inside():
    assert amount_problem(state(), 20) is None
    assert amount_problem(state(), 1000) is None
    assert amount_problem(state(max_raise_to=None), 20) is not None


def test_the_pot_bet_ends_at_the_stack():
    assert pot_or_maximum(state(pot_bet=35)) == 35
    assert pot_or_maximum(state(pot_bet=5000, max_raise_to=1000)) == 1000
    assert pot_or_maximum(state()) == 1000


@pytest.mark.parametrize(
    ("typed", "won"),
    [("1", ((1,),)), ("30", ((3, 10),)), ("01", ((1, 10),)), ("1/13", ((1,), (1, 3)))],
)
def test_winners_are_typed_as_digits(typed, won):
    assert winners(typed, POT) == won


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "Type the winner's seat."),
        ("2", "Seat 2 cannot win this pot; 1, 3 and 10 can."),
        ("11", "Seat 1 stands there twice."),
        ("1/", "A part of the pot has no winner."),
        ("x", "x is no seat: digits only, 0 for seat 10."),
    ],
)
def test_winners_that_cannot_be_are_refused_in_words(typed, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        winners(typed, POT)


@pytest.mark.parametrize("action", ["jump", "seating", "straddle"])
def test_the_seat_of_an_example_is_one_of_the_table(action):
    six = state(seats=state().seats[:6])
    assert re.search(r"first, then [JEG]: 6 [JEG]\.$", intent(action, None, six).sentence)


STRADDLES = (
    StraddleView(seat=1, kind="mississippi", least=20),
    StraddleView(seat=4, kind="live", least=20),
)
STUD = {"phase": "round-over", "names_first": True, **NOBODY}


@pytest.mark.parametrize(
    ("action", "number", "changes", "wanted"),
    [
        ("straddle", None, {"straddles": STRADDLES}, Straddle(seat=4)),
        ("straddle", 1, {"straddles": STRADDLES}, Straddle(seat=1)),
        ("straddle", None, {"straddles": STRADDLES[:1]}, Refused("Type the seat's number first, then G: 7 G.")),
        ("straddle", 4, {"closed": {"straddle": "Too late."}}, Refused("Too late.")),
        ("bring-in", None, {"bring_in_due": True}, Ask("bring-in")),
        ("bring-in", 3, {"bring_in_due": True}, BringIn(seat=3)),
        ("bring-in", 3, {"closed": {"bring-in": "This game has no bring-in."}}, Refused("This game has no bring-in.")),
        ("deal", None, STUD, Ask("first")),
        ("deal", 3, STUD, Deal(first=3)),
        ("deal", 3, {**STUD, "names_first": False}, Deal()),
        ("deal", None, {"phase": "showdown", "names_first": True, **NOBODY}, Deal()),
        ("menu", None, {}, Ask("menu")),
    ],
)
def test_before_the_cards_and_in_stud_a_key_means(action, number, changes, wanted):
    assert intent(action, number, state(**changes)) == wanted


def test_stud_and_a_hand_that_is_dealt_again_are_told_in_the_headline():
    assert what_next(state(bring_in_due=True, **NOBODY)) == "I names who brings it in."
    by_suit = state(bring_in_due=True, bring_in_tie="suit", **NOBODY)
    assert what_next(by_suit) == "I names who brings it in; equal cards: by suit, clubs lowest."
    by_place = state(bring_in_due=True, bring_in_tie="position", **NOBODY)
    assert what_next(by_place) == "I names who brings it in; equal cards: the first left of the dealer."
    assert what_next(state(**STUD)) == "D deals the next street, and asks who opens it."
    again = state(phase="posting", again=True, **NOBODY)
    assert what_next(again) == "Dealt again as it was: D when the cards are out."


@pytest.mark.parametrize(
    ("to_come", "said"),
    [
        ((), "W awards the pots."),
        (("river",), "Burn, river: D."),
        (("flop", "turn", "river"), "Burn, flop: D."),
        (("seventh",), "Deal the seventh: D."),
    ],
)
def test_a_run_out_is_guided_street_by_street_and_the_award_comes_when_all_are_out(to_come, said):
    assert what_next(state(phase="showdown", to_act=None, to_come=to_come)) == said


def test_r_008_an_all_in_says_first_whose_cards_are_turned_up():
    run_out = {"phase": "showdown", "to_act": None, "to_come": ("turn", "river"), "turn_up": (2, 5)}
    assert what_next(state(**run_out, must_turn_up=True)) == "Seats 2 and 5: turn the cards up. Burn, turn: D."
    assert what_next(state(**run_out)) == "Seats 2 and 5 may turn the cards up. Burn, turn: D."


def test_r_268_a_run_out_says_on_which_board_the_next_street_goes_and_how_often_it_may_be_run():
    run_out = {"phase": "showdown", "to_act": None, "to_come": ("turn", "river")}
    assert what_next(state(**run_out, may_run=3)) == "All agree to run it twice or three times: M I. Burn, turn: D."
    assert what_next(state(**run_out, runs=2, board=2)) == "Board 2: burn, turn: D."
    assert what_next(state(phase="showdown", to_act=None, runs=2)) == "W awards the pots, board by board."


REBUY = Question(id="rebuy-3-4", seat=4, kind="rebuy", sentence="Rebuy?", choices=("rebuy:200", "leaves", "sits-out"))


def test_r_306_a_rebuy_is_answered_by_one_key_or_its_amount_and_the_next_hand_waits_for_it():
    over = state(phase="hand-over", to_act=None, call=None, questions=(REBUY,))
    assert intent("answer-1", None, over) == Answer(question="rebuy-3-4", choice="rebuy:200")
    assert intent("answer-2", None, over) == Answer(question="rebuy-3-4", choice="leaves")
    assert intent("raise", 300, over) == Rebuy(seat=4, amount=300)
    assert intent("raise", None, over) == Refused("Type the amount first, then B: 300 B.")
    assert intent("next-hand", None, over) == Refused("Answer for seat 4 first: Rebuy?")
