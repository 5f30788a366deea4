"""The two menus as data: what the table settles beside the acts, and what happens at one seat. Pure.

An entry is chosen by its letter. It sends at once, asks once more, or takes a line of words; one that is not possible
now says why.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from betline.messages.table import SeatState, TableState
from betline.steps import (
    Borrow,
    ChangeSeat,
    ChopBlinds,
    Clock,
    ClockExpired,
    ColorUp,
    Command,
    CorrectBet,
    CorrectButton,
    CorrectRecord,
    Count,
    Dealer,
    FouledDeck,
    Game,
    KeepSeat,
    KillHand,
    KillPot,
    LastTwo,
    Leave,
    LetGo,
    Misdeal,
    MoneyBehind,
    MoveChips,
    NamePlayer,
    NextHand,
    Penalty,
    PlayerClock,
    Rebuy,
    ReopenAward,
    Return,
    RunIt,
    SitDown,
    SitOut,
    Straddle,
    TakeRock,
)
from table_controller.console import typed
from table_controller.console.intents import Refused, listed, why_closed

Read = Callable[[str], Command | Refused]
BOMB_POT = "bomb-pot"
_NOBODY = "Nobody sits here."


@dataclass(frozen=True, slots=True)
class Entry:
    """One row for a command: ``closed`` says why it is not possible now, ``hint`` what is typed, empty: nothing."""

    letter: str
    command: type[Command]
    meaning: str
    read: Read
    hint: str = ""
    confirm: bool = False
    closed: str = ""
    enter: Command | None = None
    """What bare Enter in the menu sends, without a question; None: nothing."""
    hidden: bool = False
    """It has no row of its own: another one names its letter."""


def _at_once(command: Command) -> Read:
    return lambda _text: command


# --- the table -------------------------------------------------------------------------------------------------------


def table_menu(state: TableState) -> tuple[Entry, ...]:
    """What is settled between hands, before the cards, and in disputes."""
    ways = " · ".join(f"{one.seat} {one.kind} {one.least:,}" for one in state.straddles)
    whose = f"the clock of seat {state.to_act}" if state.to_act else "a clock"
    games = state.rotation.games if state.rotation else ()

    def at_once(letter: str, command: Command, meaning: str) -> Entry:
        return Entry(
            letter, type(command), meaning, _at_once(command), confirm=True, closed=why_closed(state, type(command))
        )

    def words(letter: str, command: type[Command], meaning: str, read: Read, hint: str) -> Entry:
        return Entry(letter, command, meaning, read, hint, closed=why_closed(state, command))

    return (
        *(
            Entry(str(place), Game, f"the next hand is {name}", _at_once(Game(name=name)), hidden=True)
            for place, name in enumerate(games[:9], 1)
        ),
        words("S", Straddle, f"straddle: {ways}" if ways else "straddle", typed.straddle, "4 · 4 20 · 5 sleeper 20"),
        at_once("C", ChopBlinds(), "the blinds chop"),
        words("B", CorrectButton, "the button stood wrong", typed.correct_button, "the seat that it belongs to"),
        at_once("X", Misdeal(), "misdeal: every chip back, dealt again"),
        at_once("F", FouledDeck(), "fouled deck: every chip back"),
        at_once("E", ClockExpired(seat=state.to_act or 0), f"{whose} has run out"),
        at_once("A", ReopenAward(), "the last award is taken back"),
        words("K", CorrectBet, "a bet of this street stands corrected", typed.correct_bet,
              "3 1200: seat 3 makes it 1200"),
        words("D", CorrectRecord, "the record is put right", typed.correct_record,
              "3 1200: what it put in · 3 1200 flop · 3 0"),
        words("M", MoveChips, "chips move: tip, tray, kitty, rake", typed.move_chips,
              "4 tray 5 tip · tray 4 100 change"),
        Entry("O", NextHand, "the next hand is a bomb pot", typed.bomb_pot, "the ante · nothing: the house's",
              closed=state.closed.get(BOMB_POT, "")),
        words("I", RunIt, "the board is run more than once", typed.run_it, "2 · 3, where all in the pot agree"),
        words("R", ColorUp, "colour up: a chip leaves the table", typed.color_up, "25 · 25 won 3 5 · 25 to 100 won 3"),
        Entry("L", Clock, "the clock of the levels", typed.clock, "start · pause · next · back · level 3 · left 12:30",
              closed="" if state.level else "This table has no levels."),
        words("T", PlayerClock, "the player's clock", typed.player_clock, "start · start 60 · more · more 30 · stop"),
        Entry("G", Game, f"the game of the next hand{_by_digit(games)}", typed.game, " · ".join(games),
              closed="" if state.rotation else "This table has one game."),
        Entry("N", Dealer, f"who deals: {state.dealer or 'not named'}", typed.dealer, "the name · nothing: nobody"),
        Entry("H", LetGo, "the table is held no longer", _at_once(LetGo()), confirm=True,
              closed="" if state.hold else "Nobody holds this table."),
        Entry("Z", LastTwo, "two players are left: no cap on raises", _at_once(LastTwo()), confirm=True,
              closed=why_closed(state, MoveChips)),
    )  # fmt: skip


def _by_digit(games: tuple[str, ...]) -> str:
    """The games with their digits, as a row has them behind its words."""
    return f": {' · '.join(f'{place} {name}' for place, name in enumerate(games[:9], 1))}" if games else ""


# --- a seat ----------------------------------------------------------------------------------------------------------


def seat_menu(seat: int, state: TableState) -> tuple[Entry, ...]:
    """What happens at one seat, in the middle of a hand and between two."""
    here = next((one for one in state.seats if one.seat == seat and one.status != "empty"), None)

    def words(
        letter: str, command: type[Command], meaning: str, read: Callable[[int, str], Command | Refused], hint: str
    ) -> Entry:
        why = (_NOBODY if here is None else why_closed(state, command)) or _why_not(command, seat, here, state)
        return Entry(letter, command, meaning, partial(read, seat), hint, closed=why)

    def at_once(letter: str, command: Command, meaning: str) -> Entry:
        why = _NOBODY if here is None else why_closed(state, type(command))
        return Entry(letter, type(command), meaning, _at_once(command), confirm=True, closed=why)

    return (
        *_comings(seat, here),
        words("C", NamePlayer, "is called", typed.name_player, "the name · nothing: nobody knows"),
        words("A", Rebuy, "adds chips", partial(typed.amount, Rebuy), "the amount"),
        Entry("L", Leave, _leaving(here, state), _at_once(Leave(seat=seat)), confirm=True,
              closed=_NOBODY if here is None else "It leaves after the hand already." if here.leaves else ""),
        words("X", ChangeSeat, "changes seats", typed.change_seat, "the empty seat: 7 · 7 waits · 7 buys"),
        Entry("Y", KeepSeat, "stays after all", _at_once(KeepSeat(seat=seat)), closed=_staying(here)),
        Entry("O", SitOut, "is away (out)", _at_once(SitOut(seat=seat)), closed=_going(here)),
        words("M", MoneyBehind, "money behind that plays", partial(typed.amount, MoneyBehind), "the amount"),
        words("B", Borrow, "borrows", typed.borrow, "200 5: of seat 5 · 200 pot · 200 pot declined 3"),
        words("T", MoveChips, "gives a tip", typed.tip, "the amount"),
        words("P", Penalty, "penalty of the floor", typed.penalty, "so many hands · 0 lifts it"),
        words("N", Count, "its chips are counted", typed.count, "180: behind · bet 40"),
        words("K", KillHand, "its hand is dead", partial(typed.reason, KillHand), "why"),
        at_once("G", TakeRock(seat=seat), "gets the rock"),
        at_once("Z", KillPot(seat=seat), "kills the next hand"),
        words("R", Straddle, "straddles", typed.straddle_of, "nothing: the least · 20 · sleeper 20"),
    )  # fmt: skip


_COMINGS = (
    ("S", True, False, "posts what is due"),
    ("W", False, False, "waits for the big blind"),
    ("D", True, True, "buys the button"),
)
"""The letter, whether the seat posts, whether it buys the button, and what that means."""


def _comings(seat: int, here: SeatState | None) -> tuple[Entry, ...]:
    """Sitting down at an empty seat, coming back at one that is away; three ways to post (R-192, R-193)."""
    if here is None:
        return tuple(
            Entry(
                letter,
                SitDown,
                f"sits down, {words}",
                partial(typed.sit_down, seat, post=post, buys_button=buys),
                "400 Ann · Ann · nothing: the starting stack",
                enter=SitDown(seat=seat) if post and not buys else None,
            )
            for letter, post, buys, words in _COMINGS
        )
    closed = "" if here.away else "It is not away."
    return tuple(
        Entry(
            letter,
            Return,
            f"is back, {words}",
            _at_once(Return(seat=seat, post=post, buys_button=buys)),
            closed=closed,
            enter=Return(seat=seat) if post and not buys and not closed else None,
        )
        for letter, post, buys, words in _COMINGS
    )


def _going(here: SeatState | None) -> str:
    return _NOBODY if here is None else "It is away already." if here.away else ""


def _leaving(here: SeatState | None, state: TableState) -> str:
    playing = here is not None and here.status != "out" and state.phase not in ("idle", "hand-over")
    return "leaves after the hand" if playing else "leaves with its chips"


def _staying(here: SeatState | None) -> str:
    if here is None:
        return _NOBODY
    return "" if here.leaves or here.moves_to else "It has not asked to leave or to change seats."


def _why_not(command: type[Command], seat: int, here: SeatState | None, state: TableState) -> str:
    if command is KillHand and (here is None or here.status not in ("in", "all-in")):
        return "It has no hand."
    may = tuple(sorted({one.seat for one in state.straddles}))
    if command is Straddle and seat not in may:
        return f"Seat {listed(may)} may straddle." if may else "Nobody may straddle now."
    return ""
