"""Which of some chips make an amount."""

from __future__ import annotations

from collections.abc import Iterable


def without(chips: tuple[int, ...], paid: int) -> tuple[int, ...]:
    """The chips that remain when some of them have paid a debt; where none make it exactly, one is made smaller."""
    if paid <= 0:
        return chips
    remaining = sum(chips) - paid
    exact = exactly(chips, paid)
    if exact is not None:
        left = list(chips)
        for chip in exact:
            left.remove(chip)
        return tuple(left)
    largest = max(chips)
    if largest > paid:
        left = list(chips)
        left[left.index(largest)] = largest - paid
        return tuple(left)
    return (remaining,) if remaining > 0 else ()


def exactly(chips: Iterable[int], amount: int) -> tuple[int, ...] | None:
    """Some of the chips, largest first, that make the amount; None where none do."""
    reached: dict[int, tuple[int, ...]] = {0: ()}
    for chip in sorted(chips, reverse=True):
        for total, used in list(reached.items()):
            if total + chip <= amount and total + chip not in reached:
                reached[total + chip] = (*used, chip)
    return reached.get(amount)
