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


@dataclass(frozen=True, slots=True)
class PotBet:
    """The pot-limit maximum with its reckoning: `to` = 3 x last wager + trail + start, less own chips (R-150).

    `last_wager` is the bet to match, `trail` the rest of this round's chips without the seat's own, `start` what the
    pot held when the round began (and what counts as if it were there: blinds short, missing or assumed to call),
    `call` what the seat adds to call. `pot` is the pot after the call, `maximum` = last wager + pot, before the seat's
    stack bounds it. `rounded` is what rounding the pot up added.
    """

    last_wager: int
    trail: int
    start: int
    call: int
    pot: int
    rounded: int
    maximum: int


def pot_bet(*, level: int, bet: int, round_total: int, start: int, round_to: int | None) -> PotBet:
    """The pot bet: call, then raise by the pot with that call in it (R-150, R-158).

    `round_total` counts all the chips of this round, the seat's own `bet` once among them.
    """
    call = max(level - bet, 0)
    pot = start + round_total + call
    rounded = -pot % round_to if round_to else 0
    return PotBet(
        last_wager=level,
        trail=round_total - bet - level,
        start=start,
        call=call,
        pot=pot + rounded,
        rounded=rounded,
        maximum=level + pot + rounded,
    )


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
