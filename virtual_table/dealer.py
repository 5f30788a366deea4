"""The virtual dealer's hands: how late a key is pressed, how many keys a command is, when it is the wrong seat.

The dealer keys words, checks, folds, streets and awards, 0.3 to 2.5 s late, and never an act that chips tell.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

QUICKEST_S, SLOWEST_S = 0.3, 2.5
WRONG_SEAT_SHARE = 1 / 200


def delay_s(chance: Random) -> float:
    """How late a key comes: mostly well under a second, at times when the dealer is busy."""
    return QUICKEST_S + (SLOWEST_S - QUICKEST_S) * chance.betavariate(1.2, 5.0)


def keys_of(verb: str, args: Mapping[str, Any]) -> int:
    """How many keys of the console a command takes."""
    if verb == "act" and args.get("to") is not None:
        return 2 + len(str(args["to"]))
    if verb == "act" and args["action"] == "all-in":
        return 2
    if verb == "says":
        digits = sum(character.isdigit() for character in args["text"])
        return 2 + digits if digits else 2
    if verb == "award":
        return 1 + sum(len(str(seat)) + 1 for pot in args.get("pots", ()) for seat in pot)
    if verb == "jump":
        return 1 + len(str(args["seat"]))
    return 1
