"""The rules that rulings cite, each in one line of our own words.

`TDA-43` is rule 43 of the 2024 text of the Poker TDA; R-numbers are those of docs/rulebook.md.
"""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "TDA-1": "The floor decides in the best interest of the game and fairness, even against a technical rule.",
    "TDA-20": "Odd chips go to the first winner left of the button, between high and low to the high hand; hands that "
    "are identical both ways share the pot as evenly as possible.",
    "TDA-21": "Each side pot is split separately.",
    "TDA-22": "An award can be disputed until substantial action of the next hand.",
    "TDA-29": "When a player's clock runs out, the hand is dead; where checking is free, it is a check.",
    "TDA-32": "Tournaments use a dead button: the big blind always moves on; button and small blind follow it.",
    "TDA-34": "Heads-up the button posts the small blind; nobody has the big blind twice in a row.",
    "TDA-35": "A misdeal is an exact re-deal: same button, players and limits; no misdeal after substantial action.",
    "TDA-36": "Two players acting in turn, at least one with chips, or any three, is substantial action; blinds "
    "do not count.",
    "TDA-40": "The first of words and chips in turn binds; together, clear words win. An amount is as good as "
    "chips pushed.",
    "TDA-41": "A call is said, pushed as the exact amount, or made with one larger chip; a tiny chip is up to "
    "the floor.",
    "TDA-42": "A raise goes out in one motion unless it was declared first; with a declared amount any number of "
    "motions is fine.",
    "TDA-43": "A raise is at least the largest bet or raise of the round; half of that or more must be made "
    "full, less is a call.",
    "TDA-44": "One oversized chip facing a bet, without a word before it lands, is a call; with no bet it is a "
    "bet of its value.",
    "TDA-45": "Several chips are a call if taking away one of the smallest leaves less than the bet; otherwise "
    "half a raise counts.",
    "TDA-46": "If the prior chips cover the call or were partly pulled back, they count with the new ones; a "
    "player who pulls chips back facing a raise may not fold.",
    "TDA-47": "All-ins short of a full raise do not reopen the betting to a player who has acted; in limit half a "
    "raise does.",
    "TDA-48": "No-limit and pot-limit have no cap on raises; limit has one, heads-up too until two players are left.",
    "TDA-50": "An act in turn is binding and its chips stay in the pot; after a bet or raise without an amount "
    "everybody waits until the amount is named.",
    "TDA-51": "Saying call commits to the full bet; less must be made up heads-up or when facing the opening bet.",
    "TDA-52": "A wrong bet or raise is corrected until the street ends; after that it stands.",
    "TDA-53": "An act out of turn is binding unless the action to that player changes; only a bet or raise changes it.",
    "TDA-54": "A pot-sized bet exists only in pot-limit; in other games the word commits the player to a valid "
    "bet or raise.",
    "TDA-55": "A check facing a bet may only call or fold; a call of nothing is a check; a raise of nothing is a bet.",
    "TDA-56": "Chips of a second motion do not count unless the amount was declared first: that is a string bet.",
    "TDA-57": "An amount with several reasonable meanings is the highest one that is not above the pot.",
    "TDA-58": "A fold is always binding, even where a check would have been free.",
    "TDA-59": "Conditional statements, and calls before the amount is known, are binding as the floor decides.",
    "TDA-65": "A killed hand is out: what others have called stays in the pot, an uncalled bet or raise goes back.",
    "R-021": "Words and chips that contradict each other, or unclear words with chips, are up to the floor.",
    "R-024": 'A raise "to" an amount is the total; "by" adds to the bet; without either word the house decides.',
    "R-028": "Complete is for a bet that is short of a full one, in limit games and stud.",
    "R-032": "Players use unofficial terms at their own risk.",
    "R-036": "The chips are made to match the bet: the rest goes back, what is missing is owed.",
    "R-048": "While the floor decides, acts of other seats wait.",
    "R-065": "A chip is tiny when it is worth at most a twentieth of the call.",
    "R-081": "A raise is at least the largest full bet or raise of the street, and at most the stack.",
    "R-087": "Nobody can bet more than their stack.",
    "R-100": "A player who has acted may raise again only after a full raise; a short all-in does not reopen the "
    "betting.",
    "R-106": "Nobody may raise when all the other players are all-in.",
    "R-120": "In fixed limit each street has one bet size; only an all-in may be another.",
    "R-121": "Limit games cap the number of raises in a round.",
    "R-125": "In spread limit a bet is between the minimum and maximum of the street, and a raise at least the "
    "last bet or raise.",
    "R-150": "A pot-sized raise is three times the last wager, plus the trail, plus what the pot held when the "
    "round began.",
    "R-151": "The house decides whether the minimum bet is open where the pot is smaller than that.",
    "R-186": "The button goes to the next player and the blinds to the two after it; missed blinds are forgotten.",
    "R-187": "The button goes to the next player; a player skipped by a blind pays it anyway, the big one first.",
}


def text_of(rule: str) -> str:
    """The line of a rule; empty where there is none."""
    return TEXTS.get(rule, "")
