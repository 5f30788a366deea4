"""The two menus as data: what the table settles beside the acts, and what happens at one seat. Pure.

An entry is chosen by its letter. It sends at once, asks once more, or takes a line of words; one that is not possible
now says why.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from betline.messages.table import SeatState, TableState
from table_controller.console import typed
from table_controller.console.intents import Refused, Send, listed

Read = Callable[[str], Send | Refused]
_NOBODY = "Nobody sits here."


@dataclass(frozen=True, slots=True)
class Entry:
    """One row: ``closed`` says why it is not possible now; ``hint`` what is typed, none sends without words."""

    letter: str
    meaning: str
    read: Read
    hint: str = ""
    confirm: bool = False
    closed: str = ""


def _at_once(verb: str, **args: object) -> Read:
    return lambda _text: Send(verb, dict(args))


# --- the table -------------------------------------------------------------------------------------------------------


def table_menu(state: TableState) -> tuple[Entry, ...]:
    """What is settled between hands, before the cards, and in disputes."""
    closed = state.closed
    ways = " · ".join(f"{one.seat} {one.kind} {one.least:,}" for one in state.straddles)
    whose = f"the clock of seat {state.to_act}" if state.to_act else "a clock"
    clock_of = {"seat": state.to_act} if state.to_act else {}
    games = state.rotation.games if state.rotation else ()

    def at_once(letter: str, verb: str, meaning: str, **args: object) -> Entry:
        return Entry(letter, meaning, _at_once(verb, **args), confirm=True, closed=closed.get(verb, ""))

    def words(letter: str, verb: str, meaning: str, read: Read, hint: str) -> Entry:
        return Entry(letter, meaning, read, hint, closed=closed.get(verb, ""))

    return (
        words("S", "straddle", f"straddle: {ways}" if ways else "straddle", typed.straddle, "4 · 4 20 · 5 sleeper 20"),
        at_once("C", "chop", "the blinds chop"),
        words("B", "button", "the button stood wrong", typed.button, "the seat that it belongs to"),
        at_once("X", "misdeal", "misdeal: every chip back, dealt again"),
        at_once("F", "fouled", "fouled deck: every chip back"),
        at_once("E", "expires", f"{whose} has run out", **clock_of),
        at_once("A", "reopens", "the last award is taken back"),
        words("K", "corrects", "a bet of this street stands corrected", typed.corrects, "3 1200: seat 3 makes it 1200"),
        words("D", "records", "the record is put right", typed.records, "3 1200: what it put in · 3 1200 flop · 3 0"),
        words("M", "moves", "chips move: tip, tray, kitty, rake", typed.moves, "4 tray 5 tip · tray 4 100 change"),
        words("O", "bomb-pot", "the next hand is a bomb pot", typed.bomb_pot, "the ante · nothing: the house's"),
        words("R", "race", "colour up: a chip leaves the table", typed.race, "25 · 25 won 3 5 · 25 to 100 won 3"),
        Entry("L", "the clock of the levels", typed.clock, "start · pause · next · back · level 3 · left 12:30",
              closed="" if state.level else "This table has no levels."),
        Entry("G", "the game of the next hand", typed.game, " · ".join(games),
              closed="" if state.rotation else "This table has one game."),
        Entry("Z", "two players are left: no cap on raises", _at_once("last-two"), confirm=True,
              closed=closed.get("moves", "")),
    )  # fmt: skip


# --- a seat ----------------------------------------------------------------------------------------------------------


def seat_menu(seat: int, state: TableState) -> tuple[Entry, ...]:
    """What happens at one seat, in the middle of a hand and between two."""
    here = next((one for one in state.seats if one.seat == seat and one.status != "empty"), None)

    def words(letter: str, verb: str, meaning: str, read: Callable[..., Send | Refused], hint: str) -> Entry:
        why = (_NOBODY if here is None else state.closed.get(verb, "")) or _why_not(verb, seat, here, state)
        return Entry(letter, meaning, partial(read, seat), hint, closed=why)

    def at_once(letter: str, verb: str, meaning: str) -> Entry:
        why = _NOBODY if here is None else state.closed.get(verb, "")
        return Entry(letter, meaning, _at_once(verb, seat=seat), confirm=True, closed=why)

    return (
        *_comings(seat, here),
        words("A", "adds", "adds chips", partial(typed.amount, "adds"), "the amount"),
        Entry("L", "leaves with its chips", _at_once("leaves", seat=seat), confirm=True, closed=_leaving(here, state)),
        Entry("O", "is away (out)", _at_once("away", seat=seat), closed=_going(here)),
        words("M", "behind", "money behind that plays", partial(typed.amount, "behind"), "the amount"),
        words("B", "borrows", "borrows", typed.borrows, "200 5: of seat 5 · 200 pot · 200 pot declined 3"),
        words("T", "moves", "gives a tip", typed.tip, "the amount"),
        words("P", "penalty", "penalty of the floor", typed.penalty, "so many hands · 0 lifts it"),
        words("N", "counts", "its chips are counted", typed.count, "180: behind · bet 40"),
        words("K", "kills", "its hand is dead", typed.kills, "why"),
        at_once("G", "rock", "gets the rock"),
        at_once("Z", "kill", "kills the next hand"),
        words("R", "straddle", "straddles", typed.straddle_of, "nothing: the least · 20 · sleeper 20"),
    )


_COMINGS: tuple[tuple[str, dict[str, object], str], ...] = (
    ("S", {}, "posts what is due"),
    ("W", {"post": False}, "waits for the big blind"),
    ("D", {"buys_button": True}, "buys the button"),
)


def _comings(seat: int, here: SeatState | None) -> tuple[Entry, ...]:
    """Sitting down at an empty seat, coming back at one that is away; three ways to post (R-192, R-193)."""
    if here is None:
        return tuple(
            Entry(letter, f"sits down, {words}", partial(typed.sits, seat, how), "the stack and the name: 400 Ann")
            for letter, how, words in _COMINGS
        )
    closed = "" if here.away else f"Seat {seat} is taken."
    return tuple(
        Entry(letter, f"is back, {words}", _at_once("back", seat=seat, **how), closed=closed)
        for letter, how, words in _COMINGS
    )


def _going(here: SeatState | None) -> str:
    return _NOBODY if here is None else "It is away already." if here.away else ""


def _leaving(here: SeatState | None, state: TableState) -> str:
    playing = here is not None and here.status != "out" and state.phase not in ("idle", "hand-over")
    return _NOBODY if here is None else "It is in the hand: it leaves when that is over." if playing else ""


def _why_not(verb: str, seat: int, here: SeatState | None, state: TableState) -> str:
    if verb == "kills" and (here is None or here.status not in ("in", "all-in")):
        return "It has no hand."
    may = tuple(sorted({one.seat for one in state.straddles}))
    if verb == "straddle" and seat not in may:
        return f"Seat {listed(may)} may straddle." if may else "Nobody may straddle now."
    return ""
