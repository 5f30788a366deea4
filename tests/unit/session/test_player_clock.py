"""The player's clock: who starts it, what it says, and what is asked when the time is up (R-288)."""

from typing import Any

import pytest

from betline.messages.table import Alert, Question
from betline.steps import CommandError, read_command
from tests.unit.session.desk import Desk
from tests.unit.session.test_between import begun, folds_the_same, refused


def state(desk: Desk) -> Any:
    return desk.session.table_state(1, 1, "")


def asked(desk: Desk) -> Question | None:
    return next((one for one in state(desk).questions if one.kind == "clock"), None)


def said(desk: Desk) -> list[str]:
    return [one.sentence for one in desk.told if (isinstance(one, Alert) and "clock" in one.code) or _is_up(one)]


def _is_up(body: Any) -> bool:
    return isinstance(body, Alert) and body.code == "time-up"


def passes(desk: Desk, seconds: float) -> None:
    desk.now_ms += seconds * 1000
    desk.wait(100)


def test_the_floor_starts_it_with_the_time_of_the_house() -> None:
    desk = begun(clock_seconds=30)
    assert state(desk).player_clock is None
    assert desk.key("player-clock", action="start").sentence == "Seat 4 has 30 seconds."
    clock = state(desk).player_clock
    assert (clock.seat, clock.stage, clock.ends_ms) == (4, "running", desk.now.at_ms + 30_000)
    assert folds_the_same(desk)


def test_it_warns_at_10_and_3_seconds_once_and_says_when_the_time_is_up() -> None:
    desk = begun(clock_seconds=30)
    desk.key("player-clock", action="start")
    for _ in range(40):
        passes(desk, 0.9)
    assert said(desk) == ["Seat 4 has 10 seconds left.", "Seat 4 has 3 seconds left.", "Seat 4's time is up."]


def test_when_the_time_is_up_a_person_is_asked_and_nothing_is_folded() -> None:
    desk = begun(clock_seconds=30)
    desk.key("player-clock", action="start")
    passes(desk, 31)
    question = asked(desk)
    assert question is not None
    assert (question.sentence, question.choices) == ("Seat 4's time is up: fold?", ("fold", "more-time"))
    assert state(desk).to_act == 4
    passes(desk, 600)
    assert state(desk).to_act == 4


def test_the_answer_folds_as_tda_29_says_and_one_key_takes_it_back() -> None:
    desk = begun(clock_seconds=30)
    desk.key("player-clock", action="start")
    passes(desk, 31)
    question = asked(desk)
    assert question is not None
    assert desk.key("answer", question=question.id, choice="fold").ok
    (ruling,) = state(desk).rulings
    assert (ruling.seat, ruling.ruling, ruling.cites) == (4, "fold", ("TDA-29",))
    assert state(desk).player_clock is None
    assert asked(desk) is None
    assert desk.key("undo-key").ok
    assert state(desk).to_act == 4


def test_where_a_check_is_free_the_question_is_that() -> None:
    desk = begun(clock_seconds=30)
    desk.key("act", seat=4, action="call")
    desk.key("act", seat=1, action="call")
    desk.key("act", seat=2, action="call")
    desk.key("player-clock", action="start")
    passes(desk, 31)
    question = asked(desk)
    assert question is not None
    assert question.choices[0] == "check"
    desk.key("answer", question=question.id, choice="check")
    assert state(desk).phase == "round-over"


def test_an_act_ends_it() -> None:
    desk = begun(clock_seconds=30)
    desk.key("player-clock", action="start")
    desk.key("act", seat=4, action="call")
    assert state(desk).player_clock is None
    passes(desk, 60)
    assert said(desk) == []


def test_more_time_without_banks_is_the_time_of_the_house_once_more() -> None:
    desk = begun(clock_seconds=30)
    desk.key("player-clock", action="start")
    passes(desk, 31)
    question = asked(desk)
    assert question is not None
    assert desk.key("answer", question=question.id, choice="more-time").sentence == "Seat 4 has 30 seconds more."
    assert asked(desk) is None
    assert state(desk).player_clock.ends_ms == desk.now.at_ms + 30_000


def test_time_banks_are_counted_by_seat_until_they_are_used() -> None:
    desk = begun(clock_seconds=30, time_banks=1, time_bank_seconds=60)
    desk.key("player-clock", action="start")
    assert state(desk).player_clock.time_banks == 1
    assert desk.key("player-clock", action="more").sentence == "Seat 4 has 60 seconds more. No time banks left."
    assert state(desk).player_clock.ends_ms - desk.now.at_ms == pytest.approx(90_000, abs=50)
    refused(desk, "player-clock", "not-open", "used its time banks", action="more")
    assert desk.key("player-clock", action="more", seconds=10).sentence == "Seat 4 has 10 seconds more."
    desk.key("act", seat=4, action="call")
    desk.key("player-clock", action="start")
    assert state(desk).player_clock.time_banks == 1
    assert folds_the_same(desk)


def test_the_floor_gives_it_any_number_of_seconds_and_calls_it_off() -> None:
    desk = begun(clock_seconds=0)
    refused(desk, "player-clock", "not-open", "say how many seconds", action="start")
    assert desk.key("player-clock", action="start", seconds=45).ok
    refused(desk, "player-clock", "not-open", "is running", action="start", seconds=45)
    assert desk.key("player-clock", action="stop").ok
    refused(desk, "player-clock", "not-open", "No clock runs", action="stop")
    passes(desk, 60)
    assert asked(desk) is None


@pytest.mark.parametrize("args", [{"action": "stop", "seconds": 3}, {"action": "start", "seconds": 601}, {}])
def test_a_clock_that_makes_no_sense_is_refused(args: dict[str, Any]) -> None:
    with pytest.raises(CommandError):
        read_command("player-clock", args)


def test_where_the_house_says_so_each_turn_has_its_clock() -> None:
    desk = begun(clock_seconds=30, clock_starts="each-turn")
    assert state(desk).player_clock.seat == 4
    desk.key("act", seat=4, action="call")
    assert state(desk).player_clock.seat == 1
    desk.key("player-clock", action="stop")
    passes(desk, 60)
    assert state(desk).player_clock is None, "called off for this turn"
    desk.key("act", seat=1, action="call")
    assert state(desk).player_clock.seat == 2
    assert folds_the_same(desk)


def test_no_clock_runs_before_the_cards_are_out_nor_between_hands() -> None:
    desk = begun(out=False, clock_seconds=30, clock_starts="each-turn")
    assert state(desk).player_clock is None
    refused(desk, "player-clock", "not-open", "Nobody is to act", action="start")
    desk.key("cards-out")
    assert state(desk).player_clock is not None
    desk.key("rest-folds")
    assert state(desk).player_clock is None


def test_a_restart_goes_on_with_the_same_end() -> None:
    desk = begun(clock_seconds=30)
    desk.key("player-clock", action="start")
    ends_ms = state(desk).player_clock.ends_ms
    passes(desk, 12)
    assert desk.restarted().table_state(1, 1, "").player_clock.ends_ms == ends_ms


def test_whoever_sits_down_has_all_time_banks() -> None:
    desk = begun(clock_seconds=30, time_banks=1)
    desk.key("player-clock", action="start")
    desk.key("player-clock", action="more")
    desk.key("rest-folds")
    desk.key("leave", seat=4)
    desk.key("sit-down", seat=4, stack=200)
    assert desk.session.book.banks_used == {}
