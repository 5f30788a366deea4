"""How small and how large a bet may be: pure arithmetic, each function citing its rule.

`level` is the bet to match, `bet` what the seat has in already this round. All results are totals ("make it"), before
they are bounded by the seat's stack.
"""

from __future__ import annotations

from dataclasses import dataclass


def no_limit_minimum(level: int, last_raise: int, min_bet: int, *, short_open_to_minimum: bool) -> int:
    """The least raise adds the largest full bet or raise of the street: 5, 12, 19 (R-080, R-081, R-082).

    Over an opening all-in below the minimum bet, the house may ask for the minimum bet only (R-084).
    """
    if short_open_to_minimum and level < min_bet:
        return min_bet
    return level + last_raise


def limit_size(full: int, size: int) -> int:
    """Fixed and spread limit add to the last bet that was full or counted as full (R-104, R-120, R-123, R-125).

    So a bet short of that is completed: 5 all-in to 20, a bring-in of 2 to 5; while 15 of 20, counted as full, is 35.
    """
    return full + size


def pot_limit_maximum(level: int, call: int, middle: int, round_to: int | None) -> int:
    """Call, then raise by the pot with that call in it (R-150); the house may round that pot up (R-158).

    `middle` counts all the chips in the pots and in front of the seats, the caller's own once among them.
    """
    pot = middle + call
    return level + pot if round_to is None else level + up_to_unit(pot, round_to)


@dataclass(frozen=True, slots=True)
class PotBet:
    """The pot-limit maximum with its reckoning: 3 x last wager + trail + start (R-150).

    `last_wager` is the bet to match, `trail` the rest of this round's chips without the seat's own, `start` what the
    pot held when the round began (and what counts as if it were there: blinds short, missing or assumed to call),
    `call` what the seat adds to call, `rounded` what rounding the pot up added. `maximum` is what the seat may make it
    before its stack bounds it.
    """

    last_wager: int
    trail: int
    start: int
    call: int
    rounded: int
    maximum: int


def to_unit(amount: int, unit: int) -> int:
    """The nearest multiple of the betting unit, a tie down (R-072)."""
    below, over = divmod(amount, unit)
    return (below + (2 * over > unit)) * unit


def up_to_unit(amount: int, unit: int) -> int:
    """The next multiple of the betting unit: a minimum is never rounded below itself (R-072)."""
    return -(-amount // unit) * unit


def is_full(increase: int, required: int, *, half_counts: bool) -> bool:
    """Whether an increase is a full bet, or counts as one by the half-bet rule (R-100, R-104)."""
    return 2 * increase >= required if half_counts else increase >= required
