"""The key map as data: the bindings, the help screen and the dealer's card in docs all come from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Group = Literal["act", "hand", "answer", "look"]

GROUPS: dict[Group, str] = {
    "act": "Acts at the seats",
    "hand": "The hand",
    "answer": "Questions",
    "look": "Screens",
}


@dataclass(frozen=True, slots=True)
class Key:
    """One key of the table screen.

    ``binding`` is Textual's name of it, ``shown`` what is printed on the key, ``number`` what a number typed before it
    means, ``sends`` the command that follows, ``hint`` the words at the bottom of the screen (none: not shown there).
    """

    action: str
    binding: str
    shown: str
    group: Group
    meaning: str
    sends: str = ""
    number: str = ""
    hint: str = ""


KEYS: tuple[Key, ...] = (
    Key("passive", "space", "Space", "act", "the seat to act checks, or folds where a check is not free", "passive",
        hint="check/fold"),
    Key("call", "c", "C", "act", "call, or check where it is free", "act", hint="call"),
    Key("raise", "b,r", "B R", "act", "bet or raise: type the total, then Enter; M minimum, P pot or maximum", "act",
        number="the total", hint="raise"),
    Key("fold", "f", "F", "act", "fold; with another seat's number: that hand went into the muck", "act, gesture",
        number="a seat", hint="fold"),
    Key("all-in", "a", "A", "act", "all-in (asks once)", "act", hint="all-in"),
    Key("jump", "j", "J", "act", "that seat acts now: those between were passive (7 J, or 7 Enter)", "jump",
        number="a seat", hint="seat acts"),
    Key("rest-folds", "x", "X", "act", "every seat still to act folds, but the one that bet last", "rest-folds",
        hint="rest folds"),
    Key("tap", "t", "T", "act", "taps the table", "gesture", number="a seat"),
    Key("says", "s", "S", "act", "free words of the seat to act: “raise eight thousand”", "says", number="a seat"),
    Key("deal", "d", "D", "hand", "the cards are out; later: the next street is dealt", "cards-out, deal",
        number="stud: who opens it", hint="deal"),
    Key("straddle", "g", "G", "hand", "straddles for the least, under the gun where no number is typed", "straddle",
        number="a seat"),
    Key("bring-in", "i", "I", "hand", "stud: brings it in", "bring-in", number="a seat"),
    Key("award", "w", "W", "hand", "award the pots: winners by their digits, 0 is seat 10", "award", hint="award"),
    Key("pass-out", "p", "P", "hand", "draw: nobody has opened, the antes stay for the next hand", "pass-out"),
    Key("next-hand", "n", "N", "hand", "next hand", "next-hand", number="the button", hint="next hand"),
    Key("undo", "u", "U", "hand", "take the last act back", "undo", number="how many", hint="undo"),
    Key("seating", "e", "E", "hand", "a seat: sits down, leaves, buys chips, is away or back, tips, is counted",
        "sits, leaves, adds, away, back, behind, borrows, moves, penalty, counts, kills, straddle, rock, kill",
        number="a seat"),
    Key("menu", "m", "M", "hand",
        "the table: straddle, chop, button, misdeal, corrections, chips that move, bomb pot, levels, game",
        "straddle, chop, button, misdeal, fouled, expires, reopens, corrects, records, moves, next-hand, race, clock, "
        "game, last-two",
        hint="table"),
    Key("floor", "y", "Y", "hand",
        "the floor: its decision where a ruling waits for one, else it rules otherwise on an act", "floor, overrides"),
    Key("answer-1", "enter", "Enter", "answer", "the first answer; nothing asked: as Space", "answer"),
    Key("answer-2", "o", "O", "answer", "the other answer", "answer"),
    Key("answer-3", "f3", "F3", "answer", "the third answer, F4 the fourth", "answer"),
    Key("answer-4", "f4", "F4", "answer", "the fourth answer", "answer"),
    Key("log", "l", "L", "look", "rulings, alerts and replies since the console began", hint="log"),
    Key("sensors", "v", "V", "look", "sensors: what each says, and what was dropped", hint="sensors"),
    Key("camera", "k", "K", "look", "the camera: what it sees now, as a small picture"),
    Key("contrast", "h", "H", "look", "high contrast on and off"),
    Key("help", "question_mark,f1", "? F1", "look", "this list", hint="help"),
    Key("quit", "q", "Q", "look", "quit (asks once); the table plays on", hint="quit"),
)  # fmt: skip

_BY_ACTION = {key.action: key for key in KEYS}


def key_of(action: str) -> Key:
    """The key of an action; raises KeyError where there is none."""
    return _BY_ACTION[action]


def cap(action: str) -> str:
    """What is printed on the key of an action, the first where it has two."""
    return key_of(action).shown.split()[0]


HINTS: tuple[Key, ...] = tuple(
    key_of(action)
    for action in (
        *("passive", "call", "raise", "fold", "deal", "award", "undo"),
        *("menu", "all-in", "jump", "rest-folds", "next-hand", "log", "sensors", "quit"),
    )
)
"""The keys shown at the bottom of the screen, as many from the first as there is room for."""


def bindings(key: Key) -> str:
    """Textual's names of a key; letters in both cases, so that Caps Lock does no harm."""
    names = key.binding.split(",")
    return ",".join(names + [name.upper() for name in names if len(name) == 1])


def answer_cap(place: int) -> str | None:
    """The key of the answer at a place, counted from 0; None where there are more answers than keys."""
    key = _BY_ACTION.get(f"answer-{place + 1}")
    return key.shown if key else None
