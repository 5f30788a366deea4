"""What the plain console tells: every change once, who acts last, nothing of what stays as it was."""

from betline.messages.table import Alert, Question, RuledBefore, Ruling, SensorState
from table_controller.console.plain.story import changes, standing
from tests.unit.console.table import TABLE, paid_out, showdown, state, three_pots


def told(before, now):
    return changes(before, now, TABLE, 1_000_000)


def ruling(**fields):
    plain = {"hand_no": 3, "act_no": 4, "street": "preflop", "seat": 4, "ruling": "call", "source": "chips"}
    return Ruling(**{**plain, "sentence": "Seat 4 calls 10.", **fields})


def test_a_console_that_comes_hears_the_seats_the_hand_and_the_turn():
    lines = told(None, state())
    assert lines[0] == "Seat 1, Ann: stack 1,000."
    assert "Hand 3: No-limit hold'em 5/10, button seat 1." in lines
    assert lines[-1].startswith("Seat 4, Dan: ")


def test_nothing_new_is_nothing_told():
    assert told(state(), state(version=2)) == ()


def test_an_act_is_told_with_its_rules_and_then_the_turn():
    now = state(rulings=(ruling(cites=("R-050",)),), to_act=1, announcement="Seat 1: call 10")
    assert told(state(), now) == ("Seat 4 calls 10 (R-050).", "Seat 1, Ann: call 10.")


def test_an_inferred_act_says_so_and_how_it_is_undone():
    lines = told(state(), state(rulings=(ruling(source="inferred", sentence="Seat 4 folds."),)))
    assert lines == ("Seat 4 folds. Inferred: U takes it back.",)


def test_an_act_that_is_ruled_otherwise_is_told_with_the_ruling_before():
    before = ruling()
    now = ruling(ruling="raise", to=30, sentence="Seat 4 raises to 30.", source="floor",
                 instead_of=RuledBefore(ruling="call", to=10, sentence="Seat 4 calls 10."))  # fmt: skip
    lines = told(state(rulings=(before,)), state(rulings=(now,)))
    assert lines == ("Seat 4 raises to 30. Before: Seat 4 calls 10.",)


def test_a_street_is_told_with_the_pot():
    assert "Flop. Pot 15." in told(state(), state(street="flop", call=0))


def test_why_there_is_no_raise_is_told():
    now = state(to_act=1, may=("call", "fold"), min_raise_to=None, max_raise_to=None,
                why_no_raise="20 more is less than the full raise of 30 (TDA-47).")  # fmt: skip
    assert told(state(), now)[-1] == "NO RAISE: 20 more is less than the full raise of 30 (TDA-47)."


def test_questions_come_with_the_numbers_of_their_answers():
    question = Question(id="q1", seat=4, kind="protector", sentence="Is it a protector?", choices=("protector", "bet"))
    later = question.model_copy(update={"id": "q2", "seat": 2})
    lines = told(state(), state(questions=(question, later)))
    assert lines == (
        "Question: Seat 4: Is it a protector? 11 protector, 12 bet.",
        "Asked next: Seat 2: Is it a protector?",
    )
    assert told(state(questions=(question, later)), state(questions=(later,)))[0].startswith("Question: Seat 2")


def test_what_waits_for_the_floor_names_the_number_that_decides():
    question = Question(id="q1", seat=4, kind="floor", sentence="Seat 4 said “raise”.", choices=("call", "raise:20"))
    (line,) = told(state(), state(questions=(question,)))
    assert line == "Question for the floor: Seat 4 said “raise”. 31 decides."


def test_alerts_are_told_when_they_come_grow_and_go():
    alert = Alert(severity="warning", code="short", seat=2, sentence="5 too little.", amount=5)
    grown = alert.model_copy(update={"sentence": "10 too little.", "amount": 10})
    assert told(state(), state(alerts=(alert,))) == ("Alert: Seat 2: 5 too little.",)
    assert told(state(alerts=(alert,)), state(alerts=(alert,), version=2)) == ()
    assert told(state(alerts=(alert,)), state(alerts=(grown,))) == ("Alert: Seat 2: 10 too little.",)
    assert told(state(alerts=(alert,)), state()) == ("Over: Seat 2: 5 too little.",)


def test_a_sensor_is_told_when_it_fails_and_when_it_is_well_again():
    well, gone = SensorState(name="reader-1", state="online"), SensorState(name="reader-1", state="offline")
    assert told(state(), state(sensors=(well,))) == ()
    assert told(state(sensors=(well,)), state(sensors=(gone,))) == ("Sensor reader-1 offline.",)
    assert told(state(sensors=(gone,)), state(sensors=(well,))) == ("Sensor reader-1 online.",)


def test_taking_in_and_paying_out_are_told_step_by_step():
    over = state(phase="round-over", to_act=None, call=None, may=())
    lines = told(over, three_pots())
    assert any(line.startswith("Take in the bets: main ") for line in lines)
    assert any(line.startswith("Pay out: ") for line in told(showdown((100, (1, 2))), paid_out()))


def test_what_stands_is_the_question_and_the_turn():
    assert standing(showdown((100, (1, 2))), TABLE)[-1] == "Showdown: W awards the pots."
