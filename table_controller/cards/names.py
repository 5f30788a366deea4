"""What a hand is called: "two pair, aces and nines"."""

from __future__ import annotations

from betline.cards import RANK_NAMES
from table_controller.cards.ranking import Ranked

_PLURALS = {"6": "sixes"}


def hand_name(ranked: Ranked) -> str:
    """The name of a hand, as it is said at the table."""
    ranks = [RANK_NAMES[rank] for rank in ranked.ranks]
    plural = [_PLURALS.get(rank, f"{RANK_NAMES[rank]}s") for rank in ranked.ranks]
    match ranked.kind:
        case "high-card":
            return f"{ranks[0]} high"
        case "pair":
            return f"a pair of {plural[0]}"
        case "two-pair":
            return f"two pair, {plural[0]} and {plural[1]}"
        case "three":
            return f"three {plural[0]}"
        case "straight":
            return f"a straight, {ranks[0]} high"
        case "flush":
            return f"a flush, {ranks[0]} high"
        case "full-house":
            return f"a full house, {plural[0]} full of {plural[1]}"
        case "four":
            return f"four {plural[0]}"
        case "straight-flush":
            return f"a straight flush, {ranks[0]} high"
        case "royal-flush":
            return "a royal flush"
        case "low":
            return f"{'-'.join(ranks)} low"
        case "badugi":
            count = {4: "a badugi", 3: "three cards", 2: "two cards", 1: "one card"}[len(ranks)]
            return f"{count}, {'-'.join(ranks)}"
