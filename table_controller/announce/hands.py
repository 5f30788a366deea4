"""The names of hands aloud: two pair, aces and nines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from betline.messages.cards import HandKind, HandMade
from table_controller.announce.words import Words, marked

ONE: Final[Mapping[str, str]] = {
    "2": marked("two"), "3": marked("three"), "4": marked("four"), "5": marked("five"), "6": marked("six"),
    "7": marked("seven"), "8": marked("eight"), "9": marked("nine"), "T": marked("ten"), "J": marked("jack"),
    "Q": marked("queen"), "K": marked("king"), "A": marked("ace"),
}  # fmt: skip
MANY: Final[Mapping[str, str]] = {
    "2": marked("twos"), "3": marked("threes"), "4": marked("fours"), "5": marked("fives"), "6": marked("sixes"),
    "7": marked("sevens"), "8": marked("eights"), "9": marked("nines"), "T": marked("tens"), "J": marked("jacks"),
    "Q": marked("queens"), "K": marked("kings"), "A": marked("aces"),
}  # fmt: skip
OF_ONE: Final[Mapping[HandKind, str]] = {
    "high-card": marked("High card {rank}."),
    "straight": marked("A straight, {rank} high."),
    "flush": marked("A flush, {rank} high."),
    "straight-flush": marked("A straight flush, {rank} high."),
    "low": marked("A low, {rank} high."),
    "badugi": marked("A badugi, {rank} high."),
}
"""The hands that are told by one card."""
OF_MANY: Final[Mapping[HandKind, str]] = {
    "pair": marked("A pair of {ranks}."),
    "two-pair": marked("Two pair, {ranks} and {others}."),
    "three": marked("Three {ranks}."),
    "full-house": marked("A full house, {ranks} full of {others}."),
    "four": marked("Four {ranks}."),
}
"""The hands that are told by several cards of a rank."""
ROYAL_FLUSH: Final = marked("A royal flush.")
BADUGI_CARDS: Final = 4


def hand_spoken(hand: HandMade, words: Words) -> str:
    """The name of a hand as a sentence; empty for a badugi of fewer than four cards, which has none."""
    if hand.kind == "royal-flush":
        return words.named(ROYAL_FLUSH)
    if hand.kind == "badugi" and len(hand.ranks) < BADUGI_CARDS:
        return ""
    first = hand.ranks[0]
    if hand.kind in OF_ONE:
        return words.named(OF_ONE[hand.kind], rank=ONE[first])
    return words.named(OF_MANY[hand.kind], ranks=MANY[first], others=MANY[hand.ranks[-1]])
