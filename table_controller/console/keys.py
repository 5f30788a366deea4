"""The key map as data: the bindings, the help screen and the dealer's card in docs all come from it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal

from betline.steps import (
    Act,
    Answer,
    Award,
    BoardCards,
    BringIn,
    CardsOut,
    Command,
    Deal,
    FloorDecision,
    Jump,
    NextHand,
    Override,
    Passive,
    PassOut,
    PlayerClock,
    Recall,
    Redo,
    RestFolds,
    Says,
    SeatPlayers,
    ShownCards,
    Straddle,
    Undo,
    UndoKey,
)

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
    means, ``sends`` the commands that it may send (those of a menu stand in its rows), ``hint`` the words at the bottom
    of the screen (none: not shown).
    """

    action: str
    binding: str
    shown: str
    group: Group
    meaning: str
    sends: tuple[type[Command], ...] = ()
    number: str = ""
    hint: str = ""


KEYS: tuple[Key, ...] = (
    Key("passive", "space", "Space", "act", "the seat to act checks, or folds where a check is not free", (Passive,),
        hint="check/fold"),
    Key("call", "c", "C", "act", "call, or check where it is free", (Act,), hint="call"),
    Key("raise", "b,r", "B R", "act", "bet or raise: type the total, then Enter; M minimum, P pot or maximum", (Act,),
        number="the total", hint="raise"),
    Key("fold", "f", "F", "act", "fold; with another seat's number: that hand went into the muck", (Act,),
        number="a seat", hint="fold"),
    Key("all-in", "a", "A", "act", "all-in (asks once)", (Act,), hint="all-in"),
    Key("jump", "j", "J", "act", "that seat acts now: those before it check or fold (7 J)", (Jump,),
        number="a seat", hint="seat acts"),
    Key("rest-folds", "x", "X", "act", "every seat still to act folds, but the one that bet last", (RestFolds,),
        hint="rest folds"),
    Key("tap", "t", "T", "act", "taps the table", (Act,), number="a seat"),
    Key("says", "s", "S", "act", "free words of the seat to act: “raise eight thousand”", (Says,), number="a seat"),
    Key("deal", "d", "D", "hand", "the cards are out; later: the next street is dealt", (CardsOut, Deal),
        number="stud: who opens it", hint="deal"),
    Key("straddle", "g", "G", "hand", "straddles for the least, under the gun where no number is typed", (Straddle,),
        number="a seat"),
    Key("bring-in", "i", "I", "hand", "stud: brings it in", (BringIn,), number="a seat"),
    Key("award", "w", "W", "hand", "award the pots: winners by their digits, 0 is seat 10", (Award,), hint="award"),
    Key("pass-out", "p", "P", "hand", "draw: nobody has opened, the antes stay for the next hand", (PassOut,)),
    Key("next-hand", "n", "N", "hand", "next hand", (NextHand,), number="the button", hint="next hand"),
    Key("undo", "u", "U", "hand", "takes back all that the last key did, and names it", (UndoKey, Undo),
        number="how many acts", hint="undo"),
    Key("redo", "plus,equals_sign", "+", "hand", "puts back what U took back last", (Redo,)),
    Key("seating", "e", "E", "hand",
        "a seat: sits down (Enter: with the starting stack), leaves, changes seats, buys chips, is away or back, tips",
        (SeatPlayers,), number="a seat; 1-6: players sit down there"),
    Key("menu", "m", "M", "hand",
        "the table: straddle, chop, button, misdeal, corrections, chips that move, bomb pot, levels, game",
        hint="table"),
    Key("floor", "y", "Y", "hand",
        "the floor: its decision where a ruling waits for one, else it rules otherwise on an act",
        (FloorDecision, Override)),
    Key("player-clock", "f7", "F7", "hand", "the player's clock: starts it, and gives more time while it runs",
        (PlayerClock,), number="seconds"),
    Key("cards", "comma", ",", "hand",
        "cards, where the house keeps them: the board, then the hands that are shown, two keys a card (A S)",
        (BoardCards, ShownCards), number="a seat", hint="cards"),
    Key("answer-1", "enter", "Enter", "answer", "the first answer; nothing asked: as Space", (Answer,)),
    Key("answer-2", "o", "O", "answer", "the other answer", (Answer,)),
    Key("answer-3", "f3", "F3", "answer", "the third answer, F4 the fourth", (Answer,)),
    Key("answer-4", "f4", "F4", "answer", "the fourth answer", (Answer,)),
    Key("log", "l", "L", "look", "rulings, alerts and replies since the console began", hint="log"),
    Key("hands", "z", "Z", "look", "the last ten hands: their acts, what was ruled, and the table as it was at each",
        (Recall,)),
    Key("sensors", "v", "V", "look", "sensors: what each says, and what was dropped", hint="sensors"),
    Key("camera", "k", "K", "look", "the camera: what it sees now, as a small picture"),
    Key("contrast", "h", "H", "look", "high contrast on and off"),
    Key("seen", "f2", "F2", "look", "the alerts are seen: they shrink to one row, and come back when they grow",
        hint="alerts seen"),
    Key("again", "f8", "F8", "look", "the voice: says the turn once more, with what the house tells on request"),
    Key("voice", "f9", "F9", "look", "the voice: every act, bets and turns, only questions, silent"),
    Key("sign-in", "f6", "F6", "look", "the staff: sign in with a PIN, or sign out"),
    Key("help", "question_mark,f1", "? F1", "look", "this list", hint="help"),
    Key("quit", "q", "Q", "look", "quit: says what ends, and under `betline run` asks twice in mid-hand", hint="quit"),
    Key("colours", "f5", "F5", "look", "the colours: dark, light, for the colour-blind, high contrast"),
    Key("number", "number_sign", "#", "look", "a pad for the number before a key, where there is no keyboard"),
)  # fmt: skip


class KeyMap:
    """The keys of a console: each action's, by its name and by what is printed on them."""

    def __init__(self, keys: tuple[Key, ...]) -> None:
        self.keys = keys
        self.by_action = {key.action: key for key in keys}
        self.by_cap = {printed: key.action for key in keys for printed in key.shown.split()}


STANDARD = KeyMap(KEYS)
_in_force: ContextVar[KeyMap] = ContextVar("keys in force", default=STANDARD)


def keys_in_force() -> KeyMap:
    """The keys of this console, as its sentences name them."""
    return _in_force.get()


@contextmanager
def using(keys: KeyMap) -> Iterator[None]:
    """Everything within names these keys."""
    before = _in_force.set(keys)
    try:
        yield
    finally:
        _in_force.reset(before)


def key_of(action: str) -> Key:
    """The key of an action; raises KeyError where there is none."""
    return keys_in_force().by_action[action]


def cap(action: str) -> str:
    """What is printed on the key of an action, the first where it has two."""
    return key_of(action).shown.split()[0]


def bindings(key: Key) -> str:
    """Textual's names of a key; letters in both cases, so that Caps Lock does no harm."""
    names = key.binding.split(",")
    return ",".join(names + [name.upper() for name in names if len(name) == 1])


def answer_cap(place: int) -> str | None:
    """The key of the answer at a place, counted from 0; None where there are more answers than keys."""
    key = keys_in_force().by_action.get(f"answer-{place + 1}")
    return key.shown.split()[0] if key else None
