"""The view-model: what is shown of a state, without Textual."""

import pytest

from betline.messages.table import (
    Alert,
    PotLimitCount,
    PotView,
    PushView,
    Question,
    RuledBefore,
    Ruling,
    SeatState,
    SensorState,
)
from table_controller.console.keys import cap
from table_controller.console.view import Line, view_of
from tests.unit.console.table import TABLE, showdown, state, three_pots


def seat(number, view):
    return next(plate for plate in view.plates if plate.number == number)


def seats(**changed):
    """The seats of the plain state with seat 4 changed."""
    return tuple(s.model_copy(update=changed) if s.seat == 4 else s for s in state().seats)


def ruling(**fields):
    plain = {"hand_no": 3, "act_no": 1, "street": "preflop", "seat": 4, "source": "chips", "sentence": "So it is."}
    return Ruling(**{**plain, **fields})


def sizes(**changes):
    return [(size.label, size.value) for size in view_of(state(**changes), TABLE).sizes]


def test_of_an_unknown_table_the_seats_are_shown_and_nothing_else():
    view = view_of(None, TABLE)
    assert [plate.number for plate in view.plates] == list(range(1, 11))
    assert (view.pot, view.sizes, view.acting) == ("", (), False)


def test_the_seat_to_act_is_marked_in_signs_and_words():
    plate = seat(4, view_of(state(), TABLE))
    assert (plate.mark, plate.look, plate.notes) == ("►", "acting", ("TO ACT",))


@pytest.mark.parametrize(
    ("status", "mark", "word"), [("folded", "×", "folded"), ("all-in", "◆", "ALL-IN"), ("out", "–", "sits out")]
)
def test_every_status_has_its_own_sign_and_word(status, mark, word):
    plate = seat(4, view_of(state(seats=seats(status=status), to_act=None), TABLE))
    assert (plate.mark, plate.notes) == (mark, (word,))


def test_who_has_sat_down_before_the_first_hand_does_not_sit_out():
    before = state(phase="idle", hand_no=0, seats=seats(status="out"), to_act=None)
    assert seat(4, view_of(before, TABLE)).notes == ()
    away = state(phase="idle", hand_no=0, seats=seats(status="out", away=True), to_act=None)
    assert seat(4, view_of(away, TABLE)).notes == ("away",)


def test_button_and_blinds_are_tagged():
    view = view_of(state(), TABLE)
    assert [seat(number, view).tag for number in (1, 2, 3, 4)] == ["D", "SB", "BB", ""]


def test_heads_up_the_button_is_shown_rather_than_its_small_blind():
    assert seat(1, view_of(state(button=1, small_blind=1, big_blind=2), TABLE)).tag == "D"


def test_r_042_an_antenna_that_differs_from_the_ruled_bet_is_noted():
    assert seat(4, view_of(state(seats=seats(bet=400, on_felt=500)), TABLE)).notes[0] == "≠ reads 500"
    assert seat(4, view_of(state(seats=seats(bet=400, on_felt=400)), TABLE)).notes == ("TO ACT",)
    assert seat(4, view_of(state(seats=seats(bet=400, on_felt=None)), TABLE)).notes == ("TO ACT",)


def test_what_a_seat_owes_and_is_due_is_noted_before_its_status():
    assert seat(4, view_of(state(seats=seats(owes=50, change_due=1250)), TABLE)).notes == (
        "! owes 50",
        "! due 1,250",
        "TO ACT",
    )


@pytest.mark.parametrize(
    "changed", [{"bet": 880, "on_felt": 1000, "change_due": 120}, {"bet": 50, "on_felt": 30, "owes": 20}]
)
def test_chips_to_come_or_to_go_back_are_not_told_twice(changed):
    notes = seat(4, view_of(state(seats=seats(**changed), to_act=None), TABLE)).notes
    assert len(notes) == 1
    assert "reads" not in notes[0]


def test_a_seat_that_the_table_has_not_is_ignored():
    small = TABLE.model_copy(update={"seats": TABLE.seats[:4]})
    assert [plate.number for plate in view_of(state(to_act=9), small).plates] == [1, 2, 3, 4]


def test_call_minimum_and_maximum():
    assert sizes() == [("TO CALL", "10"), ("MIN RAISE TO", "20"), ("MAX RAISE TO", "1,000")]


def test_a_check_and_an_option_are_named():
    bet = {"call": 0, "may": ("check", "bet"), "min_raise_to": 10}
    assert sizes(**bet)[:2] == [("TO CALL · check", "0"), ("MIN BET", "10")]
    assert sizes(call=0, option=True, may=("check", "raise"))[0] == ("TO CALL · option", "0")


def test_what_the_seat_may_do_is_listed_in_the_order_of_the_game():
    assert view_of(state(may=("raise", "fold", "call")), TABLE).may == "call · raise · fold"


def test_in_pot_limit_the_pot_bet_is_shown_and_r_152_what_it_costs():
    assert sizes(pot_bet=35, max_raise_to=35)[-1] == ("POT BET", "35")
    assert sizes(pot_bet=60, max_raise_to=60, seats=seats(bet=25))[-1] == ("POT BET · adds 35", "60")


def test_r_150_the_pot_bet_comes_with_its_reckoning():
    count = PotLimitCount(last_wager=10, trail=5, start=20, call=10, maximum=55)
    shown = view_of(state(pot_bet=55, max_raise_to=55, pot_count=count), TABLE).sizes
    assert [size.terms for size in shown] == [(), (), (), ("3×10", "+ 5", "+ 20")]


def test_r_260_an_all_in_seat_shows_what_it_can_win():
    plate = seat(4, view_of(state(seats=seats(status="all-in", stack=0, can_win=1935), to_act=None), TABLE))
    assert (plate.mark, plate.stack, plate.notes) == ("◆", "ALL-IN", ("wins ≤ 1,935",))
    capped = seat(4, view_of(state(seats=seats(status="all-in", stack=60, can_win=90), to_act=None), TABLE))
    assert (capped.stack, capped.notes) == ("60", ("ALL-IN", "wins ≤ 90"))
    others = view_of(state(seats=seats(status="in", can_win=90), to_act=None), TABLE)
    assert seat(4, others).notes == ()


def test_how_the_bets_are_taken_in_is_shown_when_the_round_is_over():
    assert [step.label for step in view_of(three_pots(), TABLE).taking_in] == ["main", "side 1", "side 2", "back"]
    assert view_of(state(), TABLE).taking_in == ()


def test_a_seat_that_can_only_go_all_in_sees_one_size():
    assert sizes(min_raise_to=15, max_raise_to=15)[1:] == [("RAISE TO ONLY", "15")]


def test_tda_47_a_seat_that_may_not_raise_sees_why():
    closed = {"min_raise_to": None, "max_raise_to": None, "may": ("call", "fold")}
    reason = "20 more is less than the full raise of 30 (TDA 47)."
    shown = view_of(state(**closed, why_no_raise=reason), TABLE)
    assert (len(shown.sizes), shown.no_raise) == (1, f"NO RAISE: {reason}")
    checks = view_of(state(**{**closed, "call": 0}, why_no_raise="Nobody else has chips left to call (R-106)."), TABLE)
    assert checks.no_raise == "NO BET: nobody else has chips left to call (R-106)."
    assert view_of(state(), TABLE).no_raise == ""


def test_side_pots_name_the_seats_that_can_win_them():
    view = view_of(showdown((300, (1, 2, 3)), (120, (1, 3)), (40, (1, 2))), TABLE)
    assert view.pots == ("main 300: 1 2 3", "side 1 120: 1 3", "side 2 40: 1 2")
    assert view_of(state(pots_now=(PotView(amount=15, seats=(1, 2)),)), TABLE).pots == ()


@pytest.mark.parametrize(
    ("phase", "action"),
    [
        ("posting", "deal"),
        ("round-over", "deal"),
        ("showdown", "award"),
        ("hand-over", "next-hand"),
        ("idle", "next-hand"),
    ],
)
def test_where_nobody_acts_the_key_that_goes_on_is_named(phase, action):
    view = view_of(state(phase=phase, to_act=None), TABLE)
    assert not view.acting
    assert f" {cap(action)} " in view.headline


def test_rulings_are_newest_first_with_rules_and_what_must_move():
    first = ruling(ruling="call", to=10, adds=10)
    second = ruling(
        act_no=2, seat=1, ruling="raise", to=1000, returned=500, owes=20, all_in=True, cites=("TDA-44", "R-054")
    )
    shown = view_of(state(rulings=(first, second)), TABLE).rulings
    assert [line.what for line in shown] == ["1 raise to 1,000", "4 call 10"]
    assert (shown[0].money, shown[0].flags) == (("returned 500", "owes 20"), ("ALL-IN",))
    assert (shown[0].cites, shown[0].sentence) == ("TDA-44 R-054", "So it is.")


@pytest.mark.parametrize(
    ("fields", "what", "more"),
    [
        ({"ruling": "fold", "sentence": "Seat 4 folds."}, "4 fold", ""),
        ({"ruling": "call", "adds": 10, "to": 10, "sentence": "Seat 4 calls 10."}, "4 call 10", ""),
        ({"ruling": "fold", "sentence": "Seat 4 folds: its cards are in the muck."}, "4 fold",
         "Its cards are in the muck."),
        ({"ruling": "raise", "to": 30, "returned": 5, "owes": 0, "cites": ("TDA-49", "R-054"),
          "sentence": "Seat 4 raises to 30: one motion (TDA 49, R 054); 5 goes back."}, "4 raise to 30", "One motion."),
        ({"ruling": "call", "adds": 10, "all_in": True, "sentence": "Seat 4 calls 10, all-in."}, "4 call 10", ""),
    ],
)  # fmt: skip
def test_the_line_of_an_act_never_says_the_same_twice(fields, what, more):
    shown = view_of(state(rulings=(ruling(**fields),)), TABLE).rulings[0]
    assert (shown.what, shown.sentence) == (what, more)


def test_what_waits_for_the_floor_names_its_offers_and_the_key():
    waiting = Question(id="f1", seat=4, kind="floor", sentence="Floor: seat 4, unclear.", choices=("call", "raise:20"))
    view = view_of(state(rulings=(ruling(ruling="floor"),), questions=(waiting,)), TABLE)
    assert view.rulings[0].what == "4 FLOOR DECIDES"
    assert view.questions == (("Floor: seat 4, unclear.", "Y = call / raise:20"),)


def test_the_answering_keys_are_named_for_one_question_only():
    first = Question(id="a", seat=1, kind="unreported", sentence="One?", choices=("yes", "no"))
    second = first.model_copy(update={"id": "b", "seat": None, "sentence": "Two?"})
    assert view_of(state(questions=(first, second)), TABLE).questions == (
        ("Seat 1: One?", "Enter = yes · O = no"),
        ("Two?", "(asked next)"),
    )


def test_an_inferred_act_says_so():
    assert view_of(state(rulings=(ruling(ruling="fold", source="inferred"),)), TABLE).rulings[0].flags == ("inferred",)


def test_r_039_a_question_names_the_key_of_each_answer():
    question = Question(
        id="q", seat=7, kind="unreported", sentence="4 and 5 folded?", choices=("folded", "out-of-turn")
    )
    assert view_of(state(questions=(question,)), TABLE).questions == (
        ("Seat 7: 4 and 5 folded?", "Enter = folded · O = out of turn"),
    )


def test_alerts_that_have_passed_are_not_shown():
    alerts = (
        Alert(severity="error", code="reader-down", sentence="reader-2 is down."),
        Alert(severity="warning", code="splash", seat=3, sentence="chips were thrown."),
        Alert(severity="info", code="old", sentence="It was.", active=False),
    )
    assert view_of(state(alerts=alerts), TABLE).alerts == (
        Line("✖", "reader-2 is down.", "bad"),
        Line("▲", "Seat 3: chips were thrown.", "warn"),
    )


@pytest.mark.parametrize(
    ("states", "summary"),
    [
        (("online", "online"), ("●", "sensors 2/2", "good")),
        (("online", "stale"), ("◐", "sensors 1/2", "warn")),
        (("stale", "offline"), ("✖", "sensors 0/2", "bad")),
        (("unknown", "unknown"), ("○", "sensors 0/2", "plain")),
        ((), ("○", "no sensors", "plain")),
    ],
)
def test_the_worst_sensor_is_in_the_summary(states, summary):
    sensors = tuple(SensorState(name=f"reader-{place}", state=s) for place, s in enumerate(states))
    assert view_of(state(sensors=sensors), TABLE).sensor_summary == Line(*summary)


def test_an_empty_seat_shows_no_stack():
    assert seat(5, view_of(state(), TABLE)).stack == ""
    assert isinstance(state().seats[4], SeatState)


OUT = {"status": "out", "stack": 200}


@pytest.mark.parametrize(
    ("changed", "notes"),
    [
        ({**OUT}, ("sits out",)),
        ({**OUT, "stack": 0}, ("busted",)),
        ({**OUT, "comes": "waits"}, ("waits BB",)),
        ({**OUT, "comes": "posts", "missed": (10, 5)}, ("missed 10+5", "posts")),
        ({**OUT, "comes": "buys-button"}, ("buys btn",)),
        ({**OUT, "away": True, "missed": (10, 5), "missed_straddle": 20}, ("missed 10+5+20", "away")),
        ({**OUT, "away": True, "pick_up": True, "missed": (10, 5)}, ("! pick up", "missed 10+5", "away")),
        ({**OUT, "penalty": 2, "away": True}, ("penalty 2",)),
        ({**OUT, "needs_chips": True}, ("! rebuy", "sits out")),
        ({"straddle": 20}, ("STR 20",)),
        ({"sleeper": 40}, ("SLEEPER 40",)),
        ({"kill": 20, "legs": 2}, ("KILL 20", "2 legs")),
        ({"rock": True}, ("ROCK",)),
        ({"borrowed": 300}, ("marker 300",)),
        ({"deferred": (10,)}, ("missed 10",)),
    ],
)
def test_what_stands_between_a_seat_and_its_hand_is_on_the_plate(changed, notes):
    assert seat(4, view_of(state(seats=seats(**changed), to_act=None), TABLE)).notes == notes


def test_who_gets_what_and_what_the_house_takes_is_shown_once_the_hand_is_over():
    pushes = (
        PushView(to=4, pot=None, amount=50),
        PushView(to=2, pot=1, amount=100),
        PushView(to="rake", pot=0, amount=4),
        PushView(to=1, pot=0, amount=19),
        PushView(to=2, pot=0, amount=19),
    )
    over = state(phase="hand-over", to_act=None, call=None, payouts=pushes)
    view = view_of(over, TABLE)
    assert view.plan == "pay out"
    assert [(step.label, step.text) for step in view.taking_in] == [
        ("back", "50 to 4"),
        ("side", "100 to 2"),
        ("main", "4 rake · 19 to 1 · 19 to 2"),
    ]
    assert view_of(three_pots(), TABLE).plan == "take in the bets"


def test_r_049_an_act_that_is_ruled_otherwise_shows_both_rulings_and_what_moves():
    before = RuledBefore(ruling="raise", to=1200, sentence="Seat 2 raises to 1200.")
    otherwise = ruling(seat=2, ruling="call", to=600, adds=600, returned=600, source="floor", instead_of=before)
    shown = view_of(state(rulings=(otherwise,)), TABLE).rulings[0]
    assert (shown.what, shown.money, shown.flags) == ("2 call 600", ("gets back 600",), ("was raise to 1,200",))
    puts = otherwise.model_copy(update={"returned": 0, "owes": 200})
    assert view_of(state(rulings=(puts,)), TABLE).rulings[0].money == ("puts in 200",)
