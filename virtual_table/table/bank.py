"""Choosing chips: exact sums, oversized chips, a plausible mix for a stack, and change. Pure functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from betline.settings import ChipSet
from virtual_table.table.things import Chip

MAX_CHIPS_IN_STACK = 400
_SMALL_CHIPS = 10  # of each small denomination, so that a seat can bet exact amounts for a while
_SMALL_SHARE = 0.4  # of what is left of a stack that one small denomination may take
_MAX_SHARE = 0.25  # of the stack that a single chip may be worth


class BankError(Exception):
    """An amount cannot be made of these chips; ``code`` is stable, the text says what to do."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


@dataclass(frozen=True, slots=True)
class Change:
    """What the dealer takes out of a stack and what comes out of the tray for it, of equal worth."""

    take: tuple[Chip, ...]
    give: Mapping[str, int]


def value(chips: Iterable[Chip]) -> int:
    """What chips are worth together, in the smallest unit."""
    return sum(chip.value for chip in chips)


def pick_exact(stack: Sequence[Chip], amount: int) -> tuple[Chip, ...] | None:
    """The fewest chips of the stack that make exactly ``amount``, from the top of the stack; None if no chips do."""
    if amount < 0:
        return None
    held: dict[int, list[Chip]] = {}
    for chip in stack:
        held.setdefault(chip.value, []).append(chip)
    values = sorted(held, reverse=True)
    counts = _fewest(tuple(values), tuple(len(held[v]) for v in values), amount)
    if counts is None:
        return None
    return tuple(chip for v, count in zip(values, counts, strict=True) for chip in _top(held[v], count))


def pick_over(stack: Sequence[Chip], amount: int) -> Chip | None:
    """The smallest single chip that is worth more than ``amount``, the topmost of its kind; None if there is none."""
    over = [chip for chip in stack if chip.value > amount]
    return min(reversed(over), key=lambda chip: chip.value, default=None)


def breakdown(amount: int, chip_set: ChipSet) -> dict[str, int]:
    """How many chips of each kind make a plausible stack: some small ones, the rest in larger ones.

    Raises BankError if the set cannot make the amount, or only with more chips than fit in front of a seat.
    """
    if amount < 0:
        raise BankError("negative-amount", f"A stack of {amount} cannot be made: give 0 or more.")
    counts: Counter[str] = Counter()
    left = amount
    for kind in chip_set.chips[:-1]:
        worth = kind.value * _SMALL_CHIPS
        if worth <= _SMALL_SHARE * left:
            counts[kind.key] += _SMALL_CHIPS
            left -= worth
    for kind in reversed(chip_set.chips):
        if kind.value <= amount * _MAX_SHARE or kind is chip_set.chips[0]:
            counts[kind.key] += left // kind.value
            left %= kind.value
    if left:
        smallest = chip_set.chips[0].value
        raise BankError(
            "no-such-amount", f"{amount} cannot be made of {chip_set.name} chips: the smallest is {smallest}."
        )
    if counts.total() > MAX_CHIPS_IN_STACK:
        raise BankError(
            "too-many-chips",
            f"{amount} takes {counts.total()} chips of the set {chip_set.name}: use one with larger values.",
        )
    return {kind.key: counts[kind.key] for kind in chip_set.chips if counts[kind.key]}


def recolour(stack: Sequence[Chip], chip_set: ChipSet) -> Change | None:
    """What to exchange with the tray so that the stack becomes a plausible mix again; None if it is one already.

    Raises BankError like `breakdown`.
    """
    wanted = breakdown(value(stack), chip_set)
    take: list[Chip] = []
    give: dict[str, int] = {}
    for kind in chip_set.chips:
        held = [chip for chip in stack if chip.key == kind.key]
        want = wanted.get(kind.key, 0)
        take += _top(held, max(0, len(held) - want))
        if want > len(held):
            give[kind.key] = want - len(held)
    return Change(tuple(take), give) if give else None


def change_for(stack: Sequence[Chip], amount: int, chip_set: ChipSet) -> Change | None:
    """The smallest exchange with the tray after which the stack can make exactly ``amount``.

    None if it can already, or never can (the amount is more than the stack, or no multiple of the smallest chip).
    """
    if pick_exact(stack, amount) is not None or amount > value(stack):
        return None
    for chip in sorted(_one_of_each(stack), key=lambda chip: chip.value):
        give = _smaller(chip, chip_set)
        if give is None:
            continue
        rest = [other for other in stack if other.uid != chip.uid]
        if pick_exact([*rest, *_pretend(give, chip_set)], amount) is not None:
            return Change((chip,), give)
    return _break_largest(stack, amount, chip_set)


def fewest_counts(amount: int, chip_set: ChipSet) -> dict[str, int] | None:
    """The fewest chips of the set that make ``amount``, however many of each are needed; None if no chips do."""
    values = tuple(kind.value for kind in reversed(chip_set.chips))
    counts = _fewest(values, tuple(amount // v for v in values), amount)
    if counts is None:
        return None
    keys = [kind.key for kind in reversed(chip_set.chips)]
    return {key: count for key, count in zip(keys, counts, strict=True) if count}


def _break_largest(stack: Sequence[Chip], amount: int, chip_set: ChipSet) -> Change | None:
    """The exchange of last resort: the fewest chips that cover the amount, for the amount and the rest in change."""
    taken: list[Chip] = []
    for chip in sorted(stack, key=lambda chip: -chip.value):
        taken.append(chip)
        if value(taken) >= amount:
            break
    exact, rest = fewest_counts(amount, chip_set), fewest_counts(value(taken) - amount, chip_set)
    if exact is None or rest is None:
        return None
    return Change(tuple(taken), dict(Counter(exact) + Counter(rest)))


def _smaller(chip: Chip, chip_set: ChipSet) -> dict[str, int] | None:
    """The chip in smaller kinds: mostly the next one below, with some of the smallest."""
    below = [kind for kind in chip_set.chips if kind.value < chip.value]
    if not below:
        return None
    left, give = chip.value, Counter[str]()
    for kind in below[:-1]:
        count = min(below[-1].value // kind.value, (left - below[-1].value) // kind.value)
        if count > 0 and kind.value * count <= _SMALL_SHARE * left:
            give[kind.key] += count
            left -= kind.value * count
    for kind in reversed(below):
        give[kind.key] += left // kind.value
        left %= kind.value
    return {key: count for key, count in give.items() if count} if left == 0 else None


def _pretend(counts: Mapping[str, int], chip_set: ChipSet) -> list[Chip]:
    return [
        Chip(f"{kind.key}-{i}", kind.key, kind.value) for kind in chip_set.chips for i in range(counts.get(kind.key, 0))
    ]


def _one_of_each(stack: Sequence[Chip]) -> list[Chip]:
    return list({chip.key: chip for chip in stack}.values())


def _top(pile: Sequence[Chip], count: int) -> Sequence[Chip]:
    return pile[len(pile) - count :]


def _fewest(values: tuple[int, ...], held: tuple[int, ...], amount: int) -> tuple[int, ...] | None:
    """How many of each of the falling ``values`` make ``amount`` with the fewest pieces: branch and bound, memoised."""
    reachable = [0] * (len(values) + 1)
    for index in range(len(values) - 1, -1, -1):
        reachable[index] = reachable[index + 1] + values[index] * held[index]
    known: dict[tuple[int, int], tuple[int, ...] | None] = {}

    def solve(index: int, left: int) -> tuple[int, ...] | None:
        if left == 0:
            return (0,) * (len(values) - index)
        if left > reachable[index]:
            return None
        if (index, left) in known:
            return known[index, left]
        best: tuple[int, ...] | None = None
        fewest = 0
        for count in range(min(held[index], left // values[index]), -1, -1):
            rest = left - count * values[index]
            if best is not None and index + 1 < len(values) and count - (-rest // values[index + 1]) >= fewest:
                break
            found = solve(index + 1, rest)
            if found is not None and (best is None or count + sum(found) < fewest):
                best, fewest = (count, *found), count + sum(found)
        known[index, left] = best
        return best

    return solve(0, amount)
