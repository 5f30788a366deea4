"""What players say, as a grammar: one action word or an amount, and what belongs to it (TDA 40-B; R-020 to R-033).

The first action word binds: "I call, and raise one hundred" is a call (R-029). Of what the grammar does not understand
it says so; it never guesses an amount.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import takewhile

from betline.steps import Act
from table_controller.rulings.values.numbers import is_number, read_number


class Verb(StrEnum):
    """The action word of a declaration; `amount` where only a number was said, `unclear` where nothing was."""

    CHECK = "check"
    CALL = "call"
    BET = "bet"
    RAISE = "raise"
    COMPLETE = "complete"
    FOLD = "fold"
    ALL_IN = "all-in"
    POT = "pot"
    AMOUNT = "amount"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Said:
    """A declaration as understood."""

    verb: Verb
    amount: int | None = None
    by: bool = False
    """The amount is added to the bet ("by"), where False and `to` False leave it to the house (R-024)."""
    to: bool = False
    """The amount is the total ("to", "make it")."""
    loose: bool = False
    """A small bare number, which may have several meanings (TDA 57)."""
    least: bool = False
    """The least there is ("min raise")."""
    unclear: bool = False
    """Not all of it is understood, so that it names no amount (R-032)."""


_VERBS = {
    "pass": Verb.CHECK, "passes": Verb.CHECK,
    "check": Verb.CHECK, "checks": Verb.CHECK, "checking": Verb.CHECK, "knock": Verb.CHECK, "tap": Verb.CHECK,
    "call": Verb.CALL, "calls": Verb.CALL, "calling": Verb.CALL, "see": Verb.CALL, "match": Verb.CALL,
    "bet": Verb.BET, "bets": Verb.BET, "betting": Verb.BET, "open": Verb.BET,
    "raise": Verb.RAISE, "raises": Verb.RAISE, "raising": Verb.RAISE, "reraise": Verb.RAISE, "bump": Verb.RAISE,
    "complete": Verb.COMPLETE, "completes": Verb.COMPLETE,
    "fold": Verb.FOLD, "folds": Verb.FOLD, "folding": Verb.FOLD, "muck": Verb.FOLD, "out": Verb.FOLD,
    "allin": Verb.ALL_IN, "shove": Verb.ALL_IN, "jam": Verb.ALL_IN, "push": Verb.ALL_IN,
    "pot": Verb.POT,
}  # fmt: skip
_SIZED = frozenset({Verb.BET, Verb.RAISE, Verb.COMPLETE})
_FILLERS = frozenset(
    {
        *("i", "i'll", "i'm", "ill", "im", "i've", "you", "your", "me", "my", "it", "that", "this", "the", "a", "an"),
        *("of", "for", "in", "with", "and", "then", "up", "just", "will", "let's", "lets", "go", "going", "gonna"),
        *("i'd", "like", "want", "let", "alright", "sure", "fine", "guys", "dealer"),
        *("please", "okay", "ok", "yes", "so", "well", "uh", "um", "dollars", "dollar", "bucks", "chips"),
        *("total", "straight", "altogether", "size", "full", "on"),
    }
)
_ADDED = frozenset({"by", "another", "more", "extra", "top", "plus"})
_LEAST = frozenset({"min", "minimum", "smallest"})
_CONDITIONS = frozenset({"if", "unless", "when", "maybe", "might", "would"})
_WORD = re.compile(r"\d[\d,]*(?:\.\d+)?(?:k|m)?|[a-z][a-z']*")


def conditional(text: str) -> bool:
    """Whether a statement is about future action ("if you bet I will raise"): the floor's business (TDA 59-A)."""
    return any(word in _CONDITIONS for word in _words(text))


def heard(act: Act) -> Said | None:
    """The words that define an act: what comes first does, and of both at once clear words (TDA 40-A).

    None where the chips define it.
    """
    chips = act.motions or act.splashes
    if act.says is None or (chips and act.first == "chips"):
        return None
    said = understand(act.says)
    return None if said.unclear and chips and act.first == "both" else said


def is_talk(act: Act) -> bool:
    """Words alone that are not understood and begin no bet or raise: they are no act."""
    if act.says is None or act.motions or act.splashes or conditional(act.says):
        return False
    return understand(act.says).verb is Verb.UNCLEAR


def folds(act: Act) -> bool:
    """Cards pushed away, or the word where it counts."""
    said = heard(act)
    return act.gesture == "muck" or (said is not None and said.verb is Verb.FOLD)


@lru_cache(maxsize=1024)
def understand(text: str) -> Said:
    """Reads a declaration; where it is not all understood it has the action word that came first, and no amount."""
    words = _words(text)
    verb: Verb | None = None
    place = 0
    amount: int | None = None
    loose = by = to = least = False
    while place < len(words):
        word = words[place]
        if word in ("to", "make"):
            to = to or word == "make" or _is_before_a_number(words[place + 1 :])
            verb = verb or (Verb.RAISE if word == "make" else None)
        elif word in _ADDED:
            by = True
        elif word in _LEAST:
            least = True
        elif is_number(word):
            found = read_number(words[place:])
            if found is None or amount is not None:
                return _unclear(verb)
            number, used = found
            amount, loose = number.value, number.loose
            place += used
            continue
        elif word in _VERBS:
            meant = _VERBS[word]
            if verb is None or (verb in _SIZED and meant in (Verb.ALL_IN, Verb.POT)):
                verb = meant
            if verb not in _SIZED:
                return Said(verb)
        elif word not in _FILLERS:
            return _unclear(verb)
        place += 1
    if (verb is None and amount is None) or (least and amount is not None):
        return _unclear(verb)
    return Said(verb or Verb.AMOUNT, amount, by=by, to=to, loose=loose, least=least)


def _words(text: str) -> list[str]:
    joined = text.lower().replace("’", "'").replace("-", " ").replace("$", " ")
    joined = re.sub(r"\ball in\b", "allin", joined)
    joined = re.sub(r"\bre raise\b", "reraise", joined)
    return _WORD.findall(joined)


def _is_before_a_number(words: list[str]) -> bool:
    """Whether "to" is said of an amount ("raise to the 800"), not of an action ("I want to raise")."""
    return any(is_number(word) for word in takewhile(lambda word: is_number(word) or word not in _VERBS, words))


def _unclear(verb: Verb | None) -> Said:
    return Said(verb or Verb.UNCLEAR, unclear=True)
