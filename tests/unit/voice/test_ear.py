"""From the table's messages to what is said, at each loudness."""

from __future__ import annotations

from typing import Any

from betline.messages.common import Body
from betline.messages.table import (
    Alert,
    Announcement,
    PushView,
    Question,
    Ruling,
    SeatState,
    TableState,
    VoiceAgain,
    VoiceSetting,
)
from betline.settings import load_house_rules
from table_controller.voice.ear import Ear

CASH = load_house_rules("cash", {})
HOME = load_house_rules("home", {})


def ear(says: str = "bets") -> Ear:
    return Ear.of(CASH, "en").heard(VoiceSetting(says=says))  # type: ignore[arg-type]


def after(start: Ear, *bodies: Body) -> list[str]:
    for body in bodies:
        start = start.heard(body)
    waiting, texts = start.waiting, []
    while True:
        one, waiting = waiting.next()
        if one is None:
            return texts
        texts.append(one.text)


def turn(act_no: int = 2, seat: int = 4, call: int = 30) -> Announcement:
    return Announcement(
        hand_no=1, act_no=act_no, seat=seat, text="", call=call, min_raise_to=60, max_raise_to=900, wager="raise"
    )


def ruling(kind: str = "raise", act_no: int = 2, seat: int = 3, to: int = 30) -> Ruling:
    return Ruling(
        hand_no=1, act_no=act_no, street="flop", seat=seat, ruling=kind, to=to, source="chips", sentence=""
    )  # fmt: skip


def table(**changes: Any) -> TableState:
    seats = tuple(SeatState(seat=seat, stack=100, status="in" if seat < 4 else "folded") for seat in range(1, 6))
    plain = {
        "version": 1, "journal_seq": 1, "journal_head": "", "phase": "betting", "hand_no": 1, "game": "",
        "street": "preflop", "button": 1, "small_blind": 2, "big_blind": 3, "seats": seats, "to_act": 4, "call": 30,
        "min_raise_to": 60, "max_raise_to": 900, "pot": 45, "pots": (), "rulings": (),
    }  # fmt: skip
    return TableState(**{**plain, **changes})


QUESTION = Question(id="q1", seat=5, kind="mucked", sentence="Seat 5 folded?", choices=("yes",))


def test_a_raise_and_the_turn_after_it_are_said_in_their_order() -> None:
    assert after(ear(), turn(), ruling(), table()) == [
        "Seat three raises to thirty.",
        "Seat four, thirty to call. Minimum raise to sixty.",
    ]


def test_until_somebody_chooses_the_house_says_how_much_is_said() -> None:
    assert after(Ear.of(CASH, "en"), turn()) == []
    assert after(Ear.of(HOME, "en"), turn()) == ["Seat four, thirty to call. Minimum raise to sixty."]


def test_the_choice_at_the_console_holds_from_then_on_and_hushes_what_waits() -> None:
    assert after(ear("all"), turn(), VoiceSetting(says="off"), turn(act_no=3)) == []
    assert after(ear("off"), turn(), VoiceSetting(says="bets"), turn(act_no=3, call=40)) == [
        "Seat four, forty to call. Minimum raise to sixty."
    ]
    assert after(ear("bets"), turn(), VoiceSetting(says="bets")) != []


def test_a_question_is_said_once_and_not_after_its_answer() -> None:
    asked = table(questions=(QUESTION,))
    assert after(ear("exceptions"), asked, asked) == ["Dealer, did seat five fold?"]
    assert after(ear("exceptions"), asked, table()) == []


def test_the_turn_of_a_round_that_is_over_is_not_said() -> None:
    assert after(ear(), turn(), table(), table(phase="round-over", to_act=None)) == []
    assert after(ear(), turn(), table(hand_no=2, phase="posting", to_act=4)) == []


def test_streets_and_winners_are_said_to_the_chatty() -> None:
    started = ear("all").heard(table())
    flop = table(street="flop", to_act=2)
    assert after(started, flop) == ["Flop. Three players."]
    pushes = (
        PushView(to=2, pot=None, amount=5),
        PushView(to=3, pot=0, amount=90),
        PushView(to="rake", pot=0, amount=2),
    )
    over = table(street="flop", phase="hand-over", to_act=None, payouts=pushes)
    assert after(started, over) == ["Seat three wins."]
    assert after(started, over, over) == ["Seat three wins."]
    assert after(ear("bets").heard(table()), flop, over) == []


def test_what_was_there_before_the_voice_came_is_no_news() -> None:
    assert after(ear("all"), table(street="flop", phase="hand-over", payouts=(PushView(to=3, pot=0, amount=90),))) == []


ASKED = VoiceAgain()


def test_on_request_the_turn_is_said_once_more_with_the_all_in_and_the_pot() -> None:
    facing = turn().model_copy(update={"facing_all_in": True, "in_the_middle": 45})
    private = load_house_rules("cash", {"announce_all_in": "on-request", "voice": "exceptions"})
    here = Ear.of(private, "en").heard(facing).heard(table())
    assert after(here) == []
    assert after(here, ASKED) == ["Seat four, thirty to call. Minimum raise to sixty. Pot is forty-five."]
    assert after(here, ASKED, ASKED) == after(here, ASKED)


def test_on_request_nothing_is_said_that_has_passed_and_nothing_to_the_silent() -> None:
    asked_late = ear().heard(turn()).heard(ruling("fold", act_no=3, seat=4)).heard(table(to_act=5))
    assert after(asked_late, ASKED) == []
    assert after(ear(), ASKED) == []
    assert after(ear("off").heard(turn()), ASKED) == []


def test_an_alert_sends_the_dealer_to_the_seat() -> None:
    alert = Alert(severity="warning", code="short-pot", seat=2, sentence="Seat 2 took 20 from the pot.")
    assert after(ear("exceptions"), alert, alert) == ["Dealer, please check seat two."]


def test_what_is_nothing_to_the_voice_changes_nothing() -> None:
    here = ear()
    assert here.heard(Body()) is here
