"""The rules that rulings name, each in one line of our own words.

`TDA-43` is rule 43 of the 2024 text of the Poker TDA; R-numbers are those of docs/rulebook.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from table_controller.rulings.acts import book, order

TEXTS: dict[str, str] = {
    "TDA-1": "The floor decides for fairness and in the best interest of the game, where a rule would do harm too.",
    "TDA-20": "Odd chips go to the first winner left of the button, of high and low to the high; hands that are "
    "identical both ways share the pot as evenly as possible.",
    "TDA-21": "Each side pot is split by itself.",
    "TDA-22": "An award can be disputed until substantial action of the next hand.",
    "TDA-29": "A player whose clock has run out checks where that is free; else the hand is dead.",
    "TDA-32": "Tournaments play with a dead button: the big blind always moves on, button and small blind follow it.",
    "TDA-34": "Heads-up the button posts the small blind; nobody has the big blind twice in a row.",
    "TDA-35": "A misdeal is dealt again as it was: button, players and limits stay; not after substantial action.",
    "TDA-36": "Two acts in turn of which one puts chips in, or any three, are substantial action; blinds are no acts.",
    "TDA-40": "In turn the first of words and chips binds, of both at once clear words; an amount is as if pushed.",
    "TDA-41": "A call is said, pushed exactly, or one larger chip; chips tiny against the bet are none.",
    "TDA-42": "A raise is put out in one motion, or declared first; a full amount that was said takes any number.",
    "TDA-43": "A raise adds at least the largest of the round; half of that or more must be made full, less is a call.",
    "TDA-44": "One chip facing a bet, without a word before it lands, is a call; with no bet it is a bet of its value.",
    "TDA-45": "Several chips are a call if without one of the smallest they do not cover it; else half a raise counts.",
    "TDA-46": "Prior chips that cover the call, or are pulled back in part, count with the new ones; "
    "who pulled chips back facing a raise may not fold.",
    "TDA-47": "All-ins short of a full raise do not reopen the betting to who has acted; in limit half a raise does.",
    "TDA-48": "No-limit and pot-limit have no cap on raises; limit has one, heads-up too until two players are left.",
    "TDA-50": "An act in turn binds and its chips stay in the pot; who acts next waits until its amount is clear.",
    "TDA-51": "Who says call owes the full bet; less than the call must be made up heads-up or facing the opening bet.",
    "TDA-52": "A bet or raise that is too small is corrected on its street; after that it stands.",
    "TDA-53": "An act out of turn binds unless the action to the seat changes: a bet or raise does that, nothing else.",
    "TDA-54": "The pot is a size in pot-limit only; elsewhere the word binds to a valid bet or raise.",
    "TDA-55": "A check facing a bet may only call or fold; a call of nothing is a check; a raise of nothing is a bet.",
    "TDA-56": "Chips of a second motion do not count unless the amount was declared first: a string bet.",
    "TDA-57": "An amount that may be read in several ways is the highest not above the pot; unclear words name none.",
    "TDA-58": "A fold binds at any time, also where a check would have been free.",
    "TDA-59": "Words about action to come, or before an amount is known, bind as the floor says.",
    "TDA-65": "A killed hand is out: what others have called stays in the pot, an uncalled bet or raise goes back.",
    "R-021": "Words and chips that contradict each other, or words that nobody understood, are the floor's.",
    "R-024": "An amount after raise is the total; after by it is added to the bet, without either as the house says.",
    "R-028": "Complete is for a bet that is short of a full one, in limit games and stud.",
    "R-032": "Words that are no terms of poker are at the risk of who says them.",
    "R-036": "Chips are made to agree with what counts: the rest goes back, what lacks is owed.",
    "R-048": "While a ruling waits for the floor, acts of other seats are held.",
    "R-065": "Chips are tiny that are worth at most a twentieth of the call.",
    "R-081": "A raise adds at least the largest full bet or raise of the street, and at most the stack.",
    "R-087": "Nobody bets more than the stack.",
    "R-100": "Who has acted may raise again only when a full raise has been made since.",
    "R-106": "Nobody raises against players who are all all-in.",
    "R-120": "In fixed limit each street has its size; an all-in alone may be another.",
    "R-121": "In limit games the round has a cap on raises.",
    "R-125": "In spread limit a bet is between the least and the most of the street, a raise no less than the last.",
    "R-150": "The pot bet is the pot after the call: three times the last wager, the trail, and what lay there before.",
    "R-186": "The button goes to the next player, the blinds are the two after it; missed blinds are forgotten.",
    "R-187": "The button goes to the next player; whom a blind skips pays it all the same, the big one first.",
    "R-151": "Whether the least bet is open where the pot is smaller is the house's.",
}


def text_of(rule: str) -> str:
    """The line of a rule; empty where there is none."""
    return TEXTS.get(rule, "")


def rule_named(name: str) -> Callable[..., Any] | None:
    """A rule of the table, or one that stands around it, by the name of its function."""
    for rule in book.RULES:
        if rule.__name__ == name:
            return rule
    return getattr(book, name, None) or getattr(order, name, None)


def meaning_of(rule: Callable[..., Any]) -> str:
    """What a rule says, in our words and with the rules where it stands."""
    return " ".join((rule.__doc__ or "").split())
