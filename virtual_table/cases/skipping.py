"""What a case says that nobody can do at a table with Betline: it is skipped, with a reason of a fixed vocabulary."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Final

from betline.cases import Case, Entry, Expect, Skip
from betline.steps import Act, AfterMinutes, LayCards, Leave, NextHand

REASONS: Final[Mapping[str, str]] = {
    "unnoticed": "a size that nobody notices (accepted): the controller notices every size",
    "other-game": "another game or house between two hands: no key brings rules that the table's file does not have",
    "carried-chips": "chips carried over the line and back, never released: no reader counts them, no key tells",
    "taken-back": "chips taken back alone: the controller asks that they be put back, and makes no act of it",
    "splash": "chips thrown into the pot: the camera tells it, the dealer keys the amount, and nothing is ruled",
    "change": "change out of the pot that the player announces: no key tells it, and chips alone are an act",
    "pays-nothing": "a payment of a seat that owes nothing: no key says that chips pay, and they are given back",
    "leaves": "leaving in the middle of a hand, refused: at a table it is leaving after the hand",
    "minutes": "minutes that pass in the middle of it: the controller counts them by its own clock, when a hand begins",
    "sealed-cards": "a card under its seal: only the controller seals cards",
    "untold": "an expectation that no message of the bus carries",
}
"""Why a case is skipped, by the word that stands in the JSON."""


def why_not(case: Case) -> Skip | None:
    """Why a case cannot be acted out; None where it can."""
    for number, (entry, following) in enumerate(pairwise((*case.play, None)), start=1):
        reason = _reason(entry, following)
        if reason is not None:
            return Skip(reason, f"step {number}: {REASONS[reason]}")
    return None


def untold(where: str) -> Skip:
    """An expectation of which the bus says nothing, while all others held."""
    return Skip("untold", f"{where}: {REASONS['untold']}")


def _reason(entry: Entry | None, following: Entry | None) -> str | None:
    match entry:
        case Act(accepted=True):
            return "unnoticed"
        case Act(carries_back=chips) if chips:
            return "carried-chips"
        case Act(takes_back=chips, motions=()) if chips:
            return "taken-back"
        case Act(splashes=chips) if chips:
            return "splash"
        case Act(changes=change) if change is not None:
            return "change"
        case NextHand(game=game, house=house) if game is not None or house is not None:
            return "other-game"
        case AfterMinutes():
            return "minutes"
        case Act(pays=chips) if chips and isinstance(following, Expect) and "error" in following.values:
            return "pays-nothing"
        case Leave(after_hand=False) if isinstance(following, Expect) and "error" in following.values:
            return "leaves"
        case LayCards():
            return "sealed-cards"
    return None
