"""Levels and games in a session: what a hand begins with, what the clock tells, what a restart comes to."""

from dataclasses import replace
from typing import Any

import pytest

from betline.messages.table import Alert, TableState
from betline.settings import Level, Rotation
from betline.steps import BringIn, CommandError, FouledDeck, Misdeal, Step, read_command
from table_controller.session import Tick
from table_controller.session.draft import Draft
from tests.unit.session.desk import FOUR, GAME, Desk, home_table, terms

MINUTE = 60_000
LEVELS = (
    Level(minutes=20),
    Level(minutes=20, blinds=(2, 4), break_minutes=10),
    Level(minutes=20, blinds=(5, 10), unit=5, colour_up=1),
)
OMAHA = {"name": "Omaha", "limit": "pot-limit", "blinds": (1, 2), "streets": "omaha"}
STUD = {
    "name": "Stud", "limit": "fixed-limit", "blinds": (), "bets": (2, 2, 4, 4, 4), "streets": "stud",
    "bring_in": 1, "ante": 1,
}  # fmt: skip
HOLDEM = {"name": "Hold'em", "limit": "no-limit", "blinds": (1, 2)}


def a_desk(**keys: Any) -> Desk:
    """Three players at a table with those keys, nothing dealt."""
    desk = Desk(terms(home_table().model_copy(update=keys)))
    for seat in (1, 2, 3):
        desk.key("sit-down", seat=seat, stack=100)
    return desk


@pytest.fixture
def desk() -> Desk:
    return a_desk(levels=LEVELS)


def turns(by: str, count: int | None = None, *games: dict[str, Any]) -> dict[str, Any]:
    return {"rotation": Rotation.model_validate({"by": by, "count": count, "games": games or (OMAHA, HOLDEM)})}


def after(desk: Desk, minutes: float) -> None:
    """Time passes in one piece, and the clock is looked at."""
    desk.now_ms += minutes * MINUTE
    desk.wait(100)


def state(desk: Desk) -> TableState:
    return desk.session.table_state(1, 1, "")


def level(desk: Desk) -> tuple[int, str, bool]:
    shown = state(desk).level
    assert shown is not None
    return shown.number, shown.stakes, shown.in_break


def play(desk: Desk) -> str:
    """One hand that everybody folds; returns the game it had."""
    assert desk.key("next-hand").ok
    game = state(desk).game
    desk.key("rest-folds")
    return game


def take(desk: Desk, step: Step) -> None:
    """A step that no command asks for here."""
    draft = Draft(desk.session.book, desk.session.sensing, desk.session.sensors, desk.now)
    assert draft.apply(step, "keyed") is None
    desk.entries += draft.entries
    desk.session = replace(desk.session, book=draft.book)


def told(desk: Desk) -> list[str]:
    return [one.sentence for one in desk.heard(Alert) if one.code in ("level", "level-ending", "break", "colour-up")]


# --- levels


def test_a_hand_has_the_level_that_is_in_force_when_it_begins(desk: Desk) -> None:
    desk.key("clock", action="start")
    assert play(desk) == "Pot-limit Omaha 1/2"
    after(desk, 20)
    assert play(desk) == "Pot-limit Omaha 2/4"


def test_a_level_that_ends_in_the_middle_of_a_hand_changes_the_next_one(desk: Desk) -> None:
    """R-293."""
    desk.key("clock", action="start")
    desk.key("next-hand")
    after(desk, 21)
    assert (state(desk).game, desk.hand.level, level(desk)) == ("Pot-limit Omaha 1/2", 2, (2, "2/4", False))
    desk.key("rest-folds")
    assert state(desk).game == "Pot-limit Omaha 1/2"
    desk.key("next-hand")
    assert (state(desk).game, desk.hand.level) == ("Pot-limit Omaha 2/4", 4)


@pytest.mark.parametrize("step", [Misdeal(), FouledDeck()])
def test_a_hand_that_was_dealt_wrong_is_dealt_again_at_its_own_limits(step: Step) -> None:
    """R-292: an exact replay; the level and the turn of the game go on with the hand after it."""
    desk = a_desk(levels=LEVELS, **turns("hands", 2))
    desk.key("clock", action="start")
    desk.key("next-hand")
    after(desk, 20)
    button = state(desk).button
    take(desk, step)

    assert play(desk) == "Pot-limit Omaha 1/2"
    assert state(desk).button == button
    assert [play(desk), play(desk)] == ["Pot-limit Omaha 2/4", "No-limit hold'em 2/4"]


def test_the_level_stays_until_the_clock_is_started(desk: Desk) -> None:
    after(desk, 90)
    assert play(desk) == "Pot-limit Omaha 1/2"
    shown = state(desk).level
    assert shown is not None
    assert (shown.started, shown.ends_ms, shown.left_ms, shown.next_stakes) == (False, None, 20 * MINUTE, "2/4")
    assert told(desk) == []


def test_the_clock_tells_what_ends_and_what_begins(desk: Desk) -> None:
    desk.key("clock", action="start")
    started_ms = desk.now_ms
    for minute in range(1, 76):
        desk.now_ms = started_ms + minute * MINUTE
        desk.give(Tick())
    assert told(desk) == [
        "Level 1, 1/2, from the next hand on.",
        "Level 1 ends in 1 minute, then level 2, 2/4.",
        "Level 2, 2/4, from the next hand on.",
        "Level 2 ends in 1 minute, then level 3, 5/10.",
        "Level 2 has ended: break of 10 minutes, then level 3, 5/10.",
        "Colour up before level 3: the 1s leave the table.",
        "The break ends in 1 minute, then level 3, 5/10.",
        "The break is over. Level 3, 5/10, from the next hand on.",
        "Level 3 ends in 1 minute.",
        "The time of level 3, the last one, is up; it goes on.",
    ]
    assert play(desk) == "Pot-limit Omaha 5/10"


def test_a_colour_up_without_a_break_is_due_when_the_level_begins() -> None:
    desk = a_desk(levels=(Level(minutes=20), Level(minutes=20, colour_up=1, unit=5, blinds=(5, 10))))
    desk.key("clock", action="start")
    after(desk, 20)
    assert told(desk)[1:] == [
        "Level 2, 5/10, from the next hand on.",
        "Colour up before level 2: the 1s leave the table.",
    ]


def test_colour_ups_of_levels_that_are_skipped_are_due_too_and_going_back_makes_none_due() -> None:
    raced = (Level(minutes=20, colour_up=1, unit=5, blinds=(5, 10)), Level(minutes=20, colour_up=5, unit=25))
    desk = a_desk(levels=(Level(minutes=20), *raced, Level(minutes=20, unit=25, blinds=(50, 100))))
    desk.key("clock", action="set", level=4)
    assert [one for one in told(desk) if "Colour" in one] == [
        "Colour up before level 2: the 1s leave the table.",
        "Colour up before level 3: the 5s leave the table.",
    ]
    desk.key("clock", action="back")
    assert told(desk)[-1] == "Level 3, 1/2, from the next hand on."


def test_the_state_changes_with_the_level_and_not_every_second(desk: Desk) -> None:
    desk.key("clock", action="start")
    book, shown = desk.session.book, state(desk).level
    assert shown is not None
    assert shown.ends_ms == desk.now.at_ms + 20 * MINUTE
    after(desk, 5)
    assert (desk.session.book is book, state(desk).level) == (True, shown)
    after(desk, 15)
    later = state(desk).level
    assert later is not None
    assert (later.number, later.ends_ms) == (2, shown.ends_ms + 20 * MINUTE)


def test_a_paused_clock_loses_no_time(desk: Desk) -> None:
    desk.key("clock", action="start")
    after(desk, 5)
    assert desk.key("clock", action="pause").sentence.startswith("Level 1, 15:00 left, paused")
    after(desk, 60)
    assert level(desk)[0] == 1
    assert desk.key("clock", action="resume").sentence.startswith("Level 1, 15:00 left")
    after(desk, 14)
    assert level(desk)[0] == 1
    after(desk, 1)
    assert level(desk)[0] == 2


def test_the_staff_goes_on_and_back_and_sets_the_clock(desk: Desk) -> None:
    desk.key("clock", action="start")
    desk.key("clock", action="next")
    assert level(desk) == (2, "2/4", False)
    desk.key("clock", action="set", left_s=0)
    assert level(desk) == (2, "2/4", True)
    desk.key("clock", action="next")
    assert level(desk) == (3, "5/10", False)
    desk.key("clock", action="back")
    desk.key("clock", action="back")
    assert level(desk) == (1, "1/2", False)
    assert desk.key("clock", action="set", level=3, left_s=90).sentence == "Level 3, 1:30 left."
    assert play(desk) == "Pot-limit Omaha 5/10"


@pytest.mark.parametrize(
    ("action", "sentence"),
    [("pause", "Start it first: the clock is not running."), ("back", "Stay on it: level 1 is the first one.")],
)
def test_what_the_clock_cannot_do_is_refused_and_changes_nothing(desk: Desk, action: str, sentence: str) -> None:
    before = desk.session.book
    reply = desk.key("clock", action=action)
    assert (reply.code, reply.sentence) == ("not-open", sentence)
    assert desk.session.book is before


@pytest.mark.parametrize("args", [{"action": "set"}, {"action": "next", "level": 2}, {"action": "set", "level": 0}])
def test_a_clock_command_that_says_too_little_or_too_much_is_refused(args: dict[str, Any]) -> None:
    with pytest.raises(CommandError):
        read_command("clock", args)


def test_a_restart_in_the_middle_of_a_level_comes_to_the_same_level_and_time(desk: Desk) -> None:
    desk.key("clock", action="start")
    desk.key("next-hand")
    after(desk, 23)
    before = desk.session
    desk.restart()
    assert desk.session.book == before.book
    assert state(desk).level == before.table_state(1, 1, "").level
    desk.key("rest-folds")
    assert play(desk) == "Pot-limit Omaha 2/4"
    sentences = told(desk)
    desk.wait(200)
    assert told(desk) == sentences


def test_a_level_that_ended_while_the_controller_was_away_is_told_when_it_is_back(desk: Desk) -> None:
    desk.key("clock", action="start")
    desk.now_ms += 36 * MINUTE
    desk.restart()
    desk.wait(100)
    assert level(desk) == (2, "2/4", False)
    assert told(desk)[-1] == "Level 2, 2/4, from the next hand on."


def test_taking_back_acts_does_not_turn_the_clock_back(desk: Desk) -> None:
    desk.key("clock", action="start")
    desk.key("next-hand")
    desk.key("act", seat=1, action="call")
    after(desk, 21)
    desk.key("undo")
    assert level(desk)[0] == 2


def test_a_table_without_levels_has_no_clock() -> None:
    desk = a_desk()
    reply = desk.key("clock", action="start")
    assert (reply.code, "no levels" in reply.sentence) == ("not-open", True)
    assert (state(desk).level, state(desk).rotation) == (None, None)


def test_a_table_that_a_script_set_up_has_the_game_of_the_script() -> None:
    desk = Desk(terms(home_table().model_copy(update={"levels": LEVELS})))
    desk.key("setup", game=GAME, seats=FOUR, button=1)
    assert desk.key("clock", action="start").code == "not-open"
    assert state(desk).level is None


# --- games in turn


def test_games_change_after_so_many_hands() -> None:
    desk = a_desk(**turns("hands", 2))
    assert [play(desk)[:9] for _ in range(5)] == ["Pot-limit", "Pot-limit", "No-limit ", "No-limit ", "Pot-limit"]
    shown = state(desk).rotation
    assert shown is not None
    assert (shown.game, shown.next_game, shown.chosen, shown.hands_left) == ("Omaha", "Hold'em", False, 1)


def test_games_change_when_the_button_has_gone_round() -> None:
    desk = a_desk(**turns("orbits", 1))
    played = []
    for _ in range(7):
        game = play(desk)
        played.append((state(desk).button, game[:3]))
    first = played[0][0]
    changes = [number for number in range(1, 7) if played[number][1] != played[number - 1][1]]
    assert changes == [3, 6]
    assert [played[number][0] for number in (3, 6)] == [first, first]


def test_an_orbit_ends_although_the_seat_where_it_began_has_been_left() -> None:
    desk = a_desk(**turns("orbits", 1))
    desk.key("sit-down", seat=4, stack=100)
    play(desk)
    first = state(desk).button
    desk.key("leave", seat=first)
    games = [play(desk)[:3] for _ in range(4)]
    assert games[0] == "Pot"
    assert games[-1] == "No-"


def test_an_orbit_of_stud_is_a_hand_a_seat_and_the_button_stands_still() -> None:
    """R-302: the button moves once when stud begins, and blinds go on from where it stood."""
    desk = a_desk(**turns("orbits", 1, OMAHA, STUD))
    played = []
    for _ in range(9):
        assert desk.key("next-hand").ok
        shown = state(desk)
        if "stud" in shown.game:
            take(desk, BringIn(seat=1))
        desk.key("cards-out")
        while (seat := state(desk).to_act) is not None:
            desk.key("act", seat=seat, action="fold")
        played.append((shown.game.split()[1], shown.button))
    first = played[0][1]
    assert [game for game, _ in played] == ["Omaha"] * 3 + ["stud"] * 3 + ["Omaha"] * 3
    assert {button for game, button in played if game == "stud"} == {first}
    assert played[6][1] == first


def test_the_dealer_chooses_the_game_of_the_next_hand_and_it_stays() -> None:
    desk = a_desk(**turns("choice"))
    assert play(desk) == "Pot-limit Omaha 1/2"
    desk.key("next-hand")
    assert desk.key("game", name="hold'EM").sentence == "The next hand is Hold'em."
    shown = state(desk).rotation
    assert shown is not None
    assert (shown.game, shown.next_game, shown.chosen) == ("Omaha", "Hold'em", True)
    assert state(desk).game == "Pot-limit Omaha 1/2"
    desk.key("rest-folds")
    assert [play(desk), play(desk)] == ["No-limit hold'em 1/2"] * 2
    assert "game" in desk.alerts


def test_a_choice_outlives_an_undo_and_a_restart_and_is_used_once() -> None:
    desk = a_desk(**turns("hands", 3))
    desk.key("next-hand")
    desk.key("act", seat=1, action="call")
    desk.key("game", name="Hold'em")
    desk.key("undo")
    desk.restart()
    desk.key("rest-folds")
    assert [play(desk)[:3] for _ in range(4)] == ["No-", "No-", "No-", "Pot"]


def test_a_game_that_there_is_not_is_refused_with_the_nearest() -> None:
    desk = a_desk(**turns("choice"))
    reply = desk.key("game", name="Holdem")
    assert (reply.code, reply.sentence) == ("bad-arguments", "There is no game Holdem; did you mean Hold'em?")
    assert a_desk().key("game", name="Omaha").code == "not-open"


def test_a_restart_in_the_middle_of_a_turn_goes_on_with_it() -> None:
    desk = a_desk(**turns("hands", 3))
    play(desk)
    play(desk)
    desk.restart()
    assert [play(desk)[:3] for _ in range(2)] == ["Pot", "No-"]


def test_levels_and_games_go_together() -> None:
    levels = (Level(minutes=20), Level(minutes=20, blinds=(2, 4), games={"Hold'em": {"ante": 1}}))  # type: ignore[dict-item]
    desk = a_desk(levels=levels, **turns("hands", 1))
    desk.key("clock", action="start")
    after(desk, 20)
    assert play(desk) == "Pot-limit Omaha 2/4"
    desk.key("next-hand")
    assert (desk.hand.structure.blinds, desk.hand.structure.ante) == ((2, 4), 1)
