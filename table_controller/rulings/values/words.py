"""What players say, as a grammar: one action word or an amount, and what belongs to it (TDA 40-B; R-020 to R-033).

The first action word binds: "I call, and raise one hundred" is a call (R-029). Words that hold an action word or a
number and are no act ("three-bet", "fold or call?", "call the floor") are not understood. Of what the grammar does not
understand it says so; it never guesses an amount.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
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
    amount: int | Fraction | None = None
    """A fraction where a half was said of no scale ("two and a half")."""
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
        *("sir", "ma'am", "man", "here", "now", "too", "then", "again", "anyway"),
        *("total", "straight", "altogether", "size", "full", "on"),
    }
)
_ADDED = frozenset({"by", "another", "more", "extra", "top", "plus"})
_LEAST = frozenset({"min", "minimum", "smallest"})
_CONDITIONS = frozenset({"if", "unless", "when", "maybe", "might", "would"})
_OBJECTS = {
    Verb.CHECK: frozenset({"behind", "dark", "option", "around"}),
    Verb.CALL: frozenset({"blind", "small", "big", "all", "less", "rest", "whole"}),
    Verb.FOLD: frozenset({"hand", "hands", "card", "cards", "these", "them", "those", "face", "down", "pre"}),
    Verb.ALL_IN: frozenset({"blind", "dark", "everything", "less", "all", "stack"}),
    Verb.POT: frozenset({"sized", "all"}),
}
"""What may follow an action word; anything else there makes it no act ("call the floor", "check your cards")."""
_SEEN = frozenset({"you", "your", "it", "that", "this", "bet", "raise"})
"""What "see" must have for an object to be a call: "I'll see you", not "let's see"."""
_OTHER_THINGS = frozenset(
    {
        *("is", "isn't", "was", "wasn't", "are", "aren't", "were"),
        *("blinds", "seat", "hand", "hands", "table", "window", "stakes", "limits"),
    }
)
"""Words that make a bet or raise no act: "the bet is three hundred", "raise the blinds"."""
_ASKING = frozenset(
    {
        *("is", "are", "am", "was", "were", "what", "what's", "whats", "how", "how's", "who", "who's", "whose"),
        *("which", "where", "why", "did", "does", "do", "can", "could", "should", "shall", "may"),
    }
)
_ANOTHER_PLAYERS = frozenset({"you", "your", "you're", "you'll", "yours"})
_CLAUSE_ENDS = frozenset({",", "and", "then", "but", "because", "cause"})
_JARGON = "jargon"
_COUNTED_BETS = frozenset({"two", "three", "four", "five", "six", "2", "3", "4", "5", "6"})
"""A three-bet is the third bet of a round: it names no amount."""
_ONE_TERM = re.compile(r"(all-in|re-raise\w*|min-raise|minimum-raise|pot-sized?)\b")
_COMPOUND = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+")
_WORD = re.compile(r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:k|m)?|[a-z][a-z']*|,")


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
    if not words or words[0] in _ASKING or _names_alternatives(words):
        return _unclear(None)
    verb: Verb | None = None
    place = 0
    amount: int | Fraction | None = None
    loose = by = to = least = made = False
    while place < len(words):
        word = words[place]
        about_another = verb is None and not made and not _ANOTHER_PLAYERS.isdisjoint(words[:place])
        if word in ("to", "make"):
            to = to or word == "make" or _is_before_a_number(words[place + 1 :])
            made = made or (word == "make" and verb is None)
        elif word in _ADDED:
            by = True
        elif word in _LEAST:
            least = True
        elif is_number(word):
            found = read_number(words[place:])
            if found is None or amount is not None:
                return _unclear(_bound(verb, made=made))
            number, used = found
            amount, loose = number.value, number.loose
            place += used
            if about_another or words[place : place + 1] == ["of"]:
                return _unclear(None)
            continue
        elif word in _VERBS:
            if about_another or not _is_an_act(words, place, verb):
                return _unclear(None)
            meant = _VERBS[word]
            if verb is None or (verb in _SIZED and meant in (Verb.ALL_IN, Verb.POT)):
                verb = meant
            if verb not in _SIZED:
                return Said(verb)
        elif word in _OTHER_THINGS:
            return _unclear(None)
        elif word not in _FILLERS and word != ",":
            return _unclear(verb)
        place += 1
    verb = _bound(verb, made=made)
    if (verb is None and amount is None) or (least and amount is not None):
        return _unclear(verb)
    return Said(verb or Verb.AMOUNT, amount, by=by, to=to, loose=loose, least=least)


def _bound(verb: Verb | None, *, made: bool) -> Verb | None:
    """The words "make it" are a raise where no action word says otherwise ("I make the call")."""
    return Verb.RAISE if verb is None and made else verb


def _is_an_act(words: Sequence[str], place: int, before: Verb | None) -> bool:
    """Whether an action word stands for the act itself; `before` is the one that came first, if any."""
    word = words[place]
    meant = _VERBS[word]
    if meant in _SIZED or before in _SIZED:
        return True
    clause = list(takewhile(lambda other: other not in _CLAUSE_ENDS, words[place + 1 :]))
    if word == "see" and (
        not {"let", "let's", "lets"}.isdisjoint(words[:place])
        or not any(other in _SEEN or is_number(other) for other in clause)
    ):
        return False
    if word == "out" and clause[:1] == ["of"]:
        return False
    others = [_VERBS[other] for other in clause if other in _VERBS]
    if (meant is Verb.CHECK or word == "push") and any(other is not meant for other in others):
        return False  # "check raise" and "push the pot" are said of play, they are no act
    if meant is Verb.POT and list(words[max(place - 2, 0) : place]) == ["in", "the"]:
        return False
    known = _FILLERS | _ADDED | _LEAST | {"to", "make"} | _OBJECTS[meant]
    return all(other in known or other in _VERBS or _is_of_a_number(other) for other in clause)


def _is_of_a_number(word: str) -> bool:
    return is_number(word) or word in ("hundred", "thousand", "million", "k", "half")


def _names_alternatives(words: Sequence[str]) -> bool:
    """Whether actions are named to choose from ("all-in or fold"); amounts are not ("raise twenty or forty")."""
    return any(
        not (words[place - 1 : place] and _is_of_a_number(words[place - 1]) and any(map(is_number, words[place + 1 :])))
        for place, word in enumerate(words)
        if word == "or"
    )


def _words(text: str) -> list[str]:
    """The words of what is no question, a comma where a clause ends; terms that name no act become one strange word."""
    said = text.lower().replace("’", "'").replace("$", " ")
    said = " , ".join([part for part in re.split(r"(?<=[.!?;])(?:\s+|$)", said) if not part.rstrip().endswith("?")])
    joined = _COMPOUND.sub(_as_words, said)
    joined = re.sub(r"\ball in\b", "allin", joined)
    joined = re.sub(r"\bre raise", "reraise", joined)
    words = _WORD.findall(joined)
    while words[-1:] == [","]:
        words.pop()
    counted = [place for place in range(len(words) - 1) if words[place] in _COUNTED_BETS]
    for place in counted:
        if words[place + 1] in ("bet", "bets", "betting") and not _VERBS.keys() & set(words[:place]):
            words[place] = _JARGON
    return words


def _as_words(compound: re.Match[str]) -> str:
    """A compound of number words is an amount, one with an action word a term ("check-raise", "three-bet")."""
    text = compound.group()
    parts = text.split("-")
    is_term = not _ONE_TERM.match(text) and not _VERBS.keys().isdisjoint(parts)
    return _JARGON if is_term else " ".join(parts)


def _is_before_a_number(words: list[str]) -> bool:
    """Whether "to" is said of an amount ("raise to the 800"), not of an action ("I want to raise")."""
    return any(is_number(word) for word in takewhile(lambda word: is_number(word) or word not in _VERBS, words))


def _unclear(verb: Verb | None) -> Said:
    return Said(verb or Verb.UNCLEAR, unclear=True)
