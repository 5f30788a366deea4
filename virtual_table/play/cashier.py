"""The dealer's change: chips of a stack, a bet or the pot against chips of the tray, by motions of the dealer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from virtual_table.table import bank
from virtual_table.table.dealer_motions import change_pot, exchange, return_bet
from virtual_table.table.things import Chip, Motion
from virtual_table.table.world import World


class Cashier:
    """Makes change at one table; ``now`` gives the world's time and ``wait`` waits for a moment of it."""

    def __init__(
        self,
        world: World,
        now: Callable[[], float],
        wait: Callable[[float], None],
        bets: Callable[[int], tuple[Chip, ...]] | None = None,
    ) -> None:
        """``bets`` are the chips before a seat that are its bet; all that lie there by default."""
        self._world = world
        self._now = now
        self._wait = wait
        self._bets = bets or world.bets

    def exact(self, seat: int, amount: int) -> tuple[Chip, ...]:
        """Chips of the seat's stack that make the amount, after changing some where it could not."""
        chips = bank.pick_exact(self._world.stack(seat), amount)
        if chips is not None:
            return chips
        change = bank.change_for(self._world.stack(seat), amount, self._world.chip_set)
        if change is not None:
            give = self._world.from_tray(change.give, self._now())
            self._wait(exchange(self._world, seat, give, change.take, self._now()).end_s)
        chips = bank.pick_exact(self._world.stack(seat), amount)
        if chips is None:
            raise bank.BankError("no-such-amount", f"Seat {seat} cannot make {amount} from its stack.")
        return chips

    def one_worth(self, seat: int, value: int, used: Sequence[Chip]) -> Chip:
        """One chip of that value from the seat's stack that is not in use, after changing others for it if need be."""

        def free() -> Chip | None:
            return next((c for c in self._world.stack(seat) if c.value == value and c not in used), None)

        chip = free()
        if chip is not None:
            return chip
        key = next((kind.key for kind in self._world.chip_set.chips if kind.value == value), None)
        if key is None:
            raise bank.BankError("no-such-chip", f"The chip set {self._world.chip_set.name} has no {value} chip.")
        others = [c for c in self._world.stack(seat) if c not in used]
        take = bank.pick_exact(others, value) or covering(others, value)
        counts = Counter(self._counts(self._world.value(take) - value))
        counts[key] += 1
        give = self._world.from_tray(counts, self._now())
        self._wait(exchange(self._world, seat, give, take, self._now()).end_s)
        chip = free()
        assert chip is not None
        return chip

    def give_back(self, seat: int, amount: int) -> Motion:
        """Part of what lies in front of a seat goes back to its stack, with change where the chips are too large."""
        chips = self._bets(seat)
        exact = bank.pick_exact(chips, amount)
        if exact is not None:
            return return_bet(self._world, seat, exact, self._now())
        take = covering(chips, amount)
        stays, back = self._counts(self._world.value(take) - amount), self._counts(amount)
        got = list(self._world.from_tray(Counter(stays) + Counter(back), self._now()))
        give = [_draw(got, key) for key, count in stays.items() for _ in range(count)]
        return exchange(self._world, seat, give, take, self._now(), change=got)

    def from_pot(self, amount: int) -> tuple[Chip, ...]:
        """Chips of the pot that make the amount, after changing one with the tray where they could not."""
        chips = bank.pick_exact(self._world.pot(), amount)
        if chips is not None:
            return chips
        change = bank.change_for(self._world.pot(), amount, self._world.chip_set)
        if change is not None:
            give = self._world.from_tray(change.give, self._now())
            self._wait(change_pot(self._world, give, change.take, self._now()).end_s)
        chips = bank.pick_exact(self._world.pot(), amount)
        if chips is None:
            raise bank.BankError("no-such-amount", f"The pot cannot make {amount}.")
        return chips

    def _counts(self, amount: int) -> Mapping[str, int]:
        counts = bank.fewest_counts(amount, self._world.chip_set)
        if counts is None:
            raise bank.BankError("no-such-amount", f"The tray cannot make {amount}.")
        return counts


def covering(chips: Sequence[Chip], amount: int) -> tuple[Chip, ...]:
    """One chip that is worth more than the amount, or else the fewest large ones that cover it."""
    over = bank.pick_over(chips, amount)
    if over is not None:
        return (over,)
    taken: list[Chip] = []
    for chip in sorted(chips, key=lambda chip: -chip.value):
        taken.append(chip)
        if bank.value(taken) >= amount:
            break
    return tuple(taken)


def _draw(chips: list[Chip], key: str) -> Chip:
    return chips.pop(next(index for index, chip in enumerate(chips) if chip.key == key))
