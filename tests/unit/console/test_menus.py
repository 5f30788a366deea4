"""The menus as data: what a line that is typed asks for, and what is not possible now."""

import json

import pytest

from betline.messages.table import LevelState, RotationState, SeatState, StraddleView
from betline.steps import (
    COMMANDS,
    Borrow,
    ChangeSeat,
    ChopBlinds,
    Clock,
    ClockExpired,
    ColorUp,
    CorrectBet,
    CorrectButton,
    CorrectRecord,
    Count,
    Dealer,
    FouledDeck,
    Game,
    Hold,
    KeepSeat,
    KillHand,
    KillPot,
    LastTwo,
    Leave,
    Misdeal,
    MoneyBehind,
    MoveChips,
    NamePlayer,
    NextHand,
    Penalty,
    Rebuy,
    ReopenAward,
    Return,
    RunIt,
    Setup,
    SitDown,
    SitOut,
    Straddle,
    TakeRock,
    command_args,
    read_command,
    verb_of,
)
from table_controller.console import typed
from table_controller.console.intents import Refused
from table_controller.console.keys import KEYS
from table_controller.console.menus import seat_menu, table_menu
from tests.unit.console.table import state

OVER = {"phase": "hand-over", "to_act": None, "call": None}
LEVEL = LevelState(number=1, stakes="5/10", next_number=None, started=True, ends_ms=None, left_ms=0)
ROTATION = RotationState(game="hold'em", next_game="razz", games=("hold'em", "razz"))
EVENING = state(level=LEVEL, rotation=ROTATION, straddles=(StraddleView(seat=4, kind="live", least=20),))


def entry(entries, letter):
    return next(one for one in entries if one.letter == letter)


def as_heard(command):
    """The command as the controller reads it from the bus."""
    return read_command(verb_of(type(command)), json.loads(json.dumps(command_args(command))))


def away(**more):
    seats = (SeatState(seat=5, name="Eve", stack=100, status="out", away=True), *state().seats[:4])
    return state(seats=seats, **more)


@pytest.mark.parametrize(
    ("letter", "text", "wanted"),
    [
        ("S", "4", Straddle(seat=4)),
        ("S", "4 20", Straddle(seat=4, to=20)),
        ("S", "5 sleeper 20", Straddle(seat=5, to=20, kind="sleeper")),
        ("S", "1 Mississippi", Straddle(seat=1, kind="mississippi")),
        ("C", "", ChopBlinds()),
        ("B", "10", CorrectButton(seat=10)),
        ("X", "", Misdeal()),
        ("F", "", FouledDeck()),
        ("E", "", ClockExpired(seat=4)),
        ("A", "", ReopenAward()),
        ("M", "4 tray 5 Tip", MoveChips(source=4, to="tray", amount=5, why="tip")),
        ("M", "tray 4 100", MoveChips(source="tray", to=4, amount=100)),
        ("M", "4 2 50 side bet", MoveChips(source=4, to=2, amount=50, why="side bet")),
        ("O", "", NextHand(bomb_pot=0)),
        ("O", "20", NextHand(bomb_pot=20)),
        ("R", "25", ColorUp(remove=25, wins=())),
        ("R", "25 won 3 5", ColorUp(remove=25, wins=(3, 5))),
        ("R", "25 to 100 won 3", ColorUp(remove=25, to=100, wins=(3,))),
        ("L", "pause", Clock(action="pause")),
        ("L", "level 3", Clock(action="set", level=3)),
        ("L", "left 12:30", Clock(action="set", left_s=750)),
        ("L", "left 5", Clock(action="set", left_s=300)),
        ("G", "razz", Game(name="razz")),
        ("I", "2", RunIt(times=2)),
        ("1", "", Game(name="hold'em")),
        ("2", "", Game(name="razz")),
        ("N", "Kim", Dealer(name="Kim")),
        ("N", "", Dealer()),
        ("Z", "", LastTwo()),
        ("K", "3 1200", CorrectBet(seat=3, to=1200)),
        ("D", "3 1200", CorrectRecord(seat=3, to=1200)),
        ("D", "10 0 Flop", CorrectRecord(seat=10, to=0, street="flop")),
    ],
)
def test_the_table_menu_sends(letter, text, wanted):
    chosen = entry(table_menu(EVENING), letter)
    assert (chosen.read(text), chosen.command) == (wanted, type(wanted))
    assert as_heard(wanted) == wanted


@pytest.mark.parametrize(
    ("letter", "text"),
    [
        *(("S", text) for text in ("", "11", "4 x", "4 20 30", "4 live sleeper", "sleeper")),
        *(("B", text) for text in ("", "x", "11", "0")),
        *(("M", text) for text in ("", "4 tray", "4 bank 5", "4 tray -5", "11 tray 5")),
        *(("O", text) for text in ("x", "-5", "5 5")),
        *(("R", text) for text in ("", "won 3", "25 100", "25 won x", "x")),
        *(("L", text) for text in ("", "stop", "level", "level x", "left", "left 1:x", "left :")),
        ("G", ""),
        *(("I", text) for text in ("", "1", "4", "x")),
        *(("K", text) for text in ("", "3", "3 0", "11 5", "3 5 flop", "3 x")),
        *(("D", text) for text in ("", "3", "x 5", "3 5 flop turn")),
    ],
)
def test_the_table_menu_says_what_it_does_not_understand(letter, text):
    refused = entry(table_menu(EVENING), letter).read(text)
    assert isinstance(refused, Refused)
    assert refused.sentence.startswith("That is not understood; type ")


@pytest.mark.parametrize(
    ("letter", "text", "wanted"),
    [
        ("S", "400 Ann Lee", SitDown(seat=5, stack=400, player="Ann Lee")),
        ("S", "Ann Lee", SitDown(seat=5, player="Ann Lee")),
        ("S", "", SitDown(seat=5)),
        ("C", "Ann Lee", NamePlayer(seat=5, player="Ann Lee")),
        ("C", "", NamePlayer(seat=5)),
        ("X", "7", ChangeSeat(seat=5, to=7)),
        ("X", "7 waits", ChangeSeat(seat=5, to=7, post=False)),
        ("X", "7 buys", ChangeSeat(seat=5, to=7, buys_button=True)),
        ("Y", "", KeepSeat(seat=5)),
        ("W", "400", SitDown(seat=5, stack=400, post=False)),
        ("D", "400 Ann", SitDown(seat=5, stack=400, player="Ann", buys_button=True)),
        ("A", "200", Rebuy(seat=5, amount=200)),
        ("L", "", Leave(seat=5)),
        ("O", "", SitOut(seat=5)),
        ("M", "300", MoneyBehind(seat=5, amount=300)),
        ("B", "200 pot", Borrow(seat=5, amount=200, source="pot")),
        ("B", "200 3", Borrow(seat=5, amount=200, source=3)),
        ("B", "200 pot declined 3 4", Borrow(seat=5, amount=200, source="pot", declined=(3, 4))),
        ("T", "5", MoveChips(source=5, to="tray", amount=5, why="tip")),
        ("P", "0", Penalty(seat=5, hands=0)),
        ("P", "3", Penalty(seat=5, hands=3)),
        ("N", "180", Count(seat=5, stack=180)),
        ("N", "bet 40", Count(seat=5, bet=40)),
        ("K", "exposed", KillHand(seat=5, why="exposed")),
        ("G", "", TakeRock(seat=5)),
        ("Z", "", KillPot(seat=5)),
        ("R", "", Straddle(seat=5)),
        ("R", "sleeper 20", Straddle(seat=5, to=20, kind="sleeper")),
    ],
)
def test_the_menu_of_a_seat_sends(letter, text, wanted):
    chosen = entry(seat_menu(5, state()), letter)
    assert (chosen.read(text), chosen.command) == (wanted, type(wanted))
    assert as_heard(wanted) == wanted


@pytest.mark.parametrize(("letter", "how"), [("S", {}), ("W", {"post": False}), ("D", {"buys_button": True})])
def test_who_is_away_comes_back_in_one_of_three_ways_without_typing(letter, how):
    chosen = entry(seat_menu(5, away()), letter)
    assert (chosen.hint, chosen.closed) == ("", "")
    assert chosen.read("") == Return(seat=5, **how)


@pytest.mark.parametrize(
    ("letter", "text"),
    [("S", "-5"), ("S", "0 Ann"), ("S", "4x"), ("X", ""), ("X", "11"), ("X", "7 free"),
     ("A", "x"), ("A", "２"), ("T", "0"), ("B", "200"), ("B", "200 pott"),
     ("B", "200 pot declined x"), ("P", "x"), ("N", ""), ("N", "bet"), ("K", "")],
)  # fmt: skip
def test_the_menu_of_a_seat_says_what_it_does_not_understand(letter, text):
    assert isinstance(entry(seat_menu(5, state()), letter).read(text), Refused)


def test_an_empty_seat_can_only_be_sat_in():
    assert [one.letter for one in seat_menu(5, state()) if not one.closed] == ["S", "W", "D"]
    assert entry(seat_menu(5, state()), "A").closed == "Nobody sits here."


def test_a_player_in_the_hand_leaves_after_it_and_is_not_sat_on():
    closed = {one.letter: one.closed for one in seat_menu(4, EVENING) if one.closed}
    assert closed == {
        "S": "It is not away.",
        "W": "It is not away.",
        "D": "It is not away.",
        "Y": "It has not asked to leave or to change seats.",
    }
    assert entry(seat_menu(4, EVENING), "L").meaning == "leaves after the hand"
    assert entry(seat_menu(4, state(**OVER)), "L").meaning == "leaves with its chips"


def test_who_is_to_leave_or_to_change_seats_may_stay():
    first, *others = state().seats
    for going in ({"leaves": True}, {"moves_to": 7}):
        menu = seat_menu(1, state(seats=(first.model_copy(update=going), *others)))
        assert entry(menu, "Y").closed == ""
    leaving = state(seats=(first.model_copy(update={"leaves": True}), *others))
    assert entry(seat_menu(1, leaving), "L").closed == "It leaves after the hand already."


def test_a_player_without_a_hand_has_none_to_kill_and_is_not_away_twice():
    menu = seat_menu(5, away())
    assert entry(menu, "K").closed == "It has no hand."
    assert entry(menu, "O").closed == "It is away already."
    assert entry(menu, "R").closed == "Nobody may straddle now."
    assert entry(seat_menu(3, EVENING), "R").closed == "Seat 4 may straddle."


def test_what_the_controller_refuses_stands_there_with_its_reason():
    shut = state(closed={"chop-blinds": "No.", "straddle": "Too late.", "borrow": "Table stakes."})
    assert {one.letter: one.closed for one in table_menu(shut) if one.closed} == {
        "S": "Too late.",
        "C": "No.",
        "L": "This table has no levels.",
        "G": "This table has one game.",
        "H": "Nobody holds this table.",
    }
    assert entry(seat_menu(4, shut), "B").closed == "Table stakes."


def test_every_letter_stands_once_in_its_menu():
    for entries in (table_menu(EVENING), seat_menu(4, EVENING), seat_menu(5, EVENING)):
        letters = [one.letter for one in entries]
        assert len(set(letters)) == len(letters)


def test_every_command_of_the_bus_is_reached_from_a_key_but_what_a_script_asks():
    rows = (*table_menu(EVENING), *seat_menu(5, EVENING), *seat_menu(5, away()))
    reached = {row.command for row in rows} | {command for key in KEYS for command in key.sends}
    assert reached == set(COMMANDS) - {Setup, Hold}


def test_what_straddles_are_open_stands_in_the_menu():
    assert entry(table_menu(EVENING), "S").meaning == "straddle: 4 live 20"
    assert typed.straddle_of(4, "20") == Straddle(seat=4, to=20)
