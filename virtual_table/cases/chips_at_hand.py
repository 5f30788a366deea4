"""The chips of a case on the table: what players push, and what dealer and players put right afterwards.

Nobody reads the stacks, so a stack is given the chips that its player is about to push without a hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from virtual_table.play.cashier import Cashier, covering
from virtual_table.play.clock import Clock
from virtual_table.table import bank
from virtual_table.table.dealer_motions import clear_cards, gather, push_pot
from virtual_table.table.holdings import POT, stack_place
from virtual_table.table.player_motions import pull_back, push
from virtual_table.table.things import Chip, Motion, WorldError
from virtual_table.table.world import World, exclusive


class ChipsAtHand:
    """The chips of one table, by the clock of its player of cases."""

    def __init__(self, world: World, clock: Clock) -> None:
        self.world = world
        self._clock = clock
        self._cashier = Cashier(world, clock.now_s, self.wait_for)
        self._keys = {kind.value: kind.key for kind in world.chip_set.chips}
        self.still_s = 0.0
        """When everything that was begun is over."""

    def wait_for(self, moment_s: float) -> None:
        """Waits for a moment of the world's time."""
        self._clock.sleep(moment_s - self._clock.now_s())

    def wait_until_still(self) -> None:
        """Waits until every motion that was begun is over."""
        self.wait_for(self.still_s)

    def lies(self, seat: int) -> int:
        """What lies before a seat once everything that was begun is over."""
        return self.world.value(self.world.bets(seat))

    # --- without hands, where nobody sees it

    def clear(self) -> None:
        """Takes every chip of the players off the table."""
        for seat in self._seats:
            chips = (*self.world.stack(seat), *self.world.bets(seat), *self.world.protector(seat))
            _exchange(self.world, stack_place(seat), chips, {}, self._clock.now_s())
        _exchange(self.world, POT, self.world.pot(), {}, self._clock.now_s())

    def fill_pot(self, amount: int) -> None:
        """Puts chips of that value in the middle."""
        self.world.fill_pot(amount, self._clock.now_s())

    def count(self, seat: int, amount: int) -> None:
        """Makes a stack worth that much."""
        if self.world.value(self.world.stack(seat)) != amount:
            self.world.clear_stack(seat, self._clock.now_s())
            if amount:
                self.world.fill_stack(seat, amount, self._clock.now_s())

    def provide(self, seat: int, values: Sequence[int]) -> tuple[Chip, ...]:
        """Chips of these values out of a stack, which has them from now on."""
        stack, missing = list(self.world.stack(seat)), Counter[int]()
        for value in values:
            chip = next((one for one in reversed(stack) if one.value == value), None)
            if chip is None:
                missing[value] += 1
            else:
                stack.remove(chip)
        if missing:
            wanted = sum(value * count for value, count in missing.items())
            taken = bank.pick_exact(stack, wanted) or covering(stack, wanted)
            give = Counter({self._keys[value]: count for value, count in missing.items()})
            give.update(bank.fewest_counts(max(0, self.world.value(taken) - wanted), self.world.chip_set) or {})
            _exchange(self.world, stack_place(seat), taken, give, self._clock.now_s())
        found, stack = [], list(self.world.stack(seat))
        for value in values:
            chip = next(one for one in reversed(stack) if one.value == value)
            stack.remove(chip)
            found.append(chip)
        return tuple(found)

    # --- by players

    def push(self, seat: int, motions: Sequence[Sequence[int]]) -> Motion:
        """A seat pushes chips of these values, motion by motion."""
        chips = list(self.provide(seat, [value for motion in motions for value in motion]))
        groups = [tuple([chips.pop(0) for _ in motion]) for motion in motions]
        return self._begun(push(self.world, seat, groups, self._clock.now_s()))

    def push_amount(self, seat: int, amount: int, among: Sequence[int] = ()) -> Motion:
        """A seat pushes chips of that value, if possible those ``among`` them."""
        values = list(among) if 0 < sum(among) <= amount else []
        rest = bank.fewest_counts(amount - sum(values), self.world.chip_set) or {}
        worth = {kind.key: kind.value for kind in self.world.chip_set.chips}
        values += [worth[key] for key, count in rest.items() for _ in range(count)]
        return self.push(seat, [values])

    def take_back(self, seat: int, values: Sequence[int]) -> Motion:
        """A seat takes chips of these values out of its bet, which the dealer has changed if it had to be."""
        chips = self._of_the_bet(seat, values)
        if chips is None:
            self._change_bet(seat, values)
            chips = self._of_the_bet(seat, values)
        if chips is None:
            raise WorldError("no-such-chips", f"Seat {seat} has no {values} in front of it.")
        return self._begun(pull_back(self.world, seat, chips, self._clock.now_s()))

    def take_all_back(self, seat: int, amount: int) -> None:
        """A seat takes so much of what lies before it back, in its own chips where they make it."""
        chips = bank.pick_exact(self.world.bets(seat), amount)
        if chips is None:
            self.give_back(seat, amount)
        else:
            self._begun(pull_back(self.world, seat, chips, self._clock.now_s()))

    def _of_the_bet(self, seat: int, values: Sequence[int]) -> tuple[Chip, ...] | None:
        bets, found = list(self.world.bets(seat)), []
        for value in values:
            chip = next((one for one in bets if one.value == value), None)
            if chip is None:
                return None
            bets.remove(chip)
            found.append(chip)
        return tuple(found)

    def _change_bet(self, seat: int, values: Sequence[int]) -> None:
        """The chips before a seat become such that those values are among them, without a hand: between two acts."""
        lies = self.lies(seat)
        give = Counter(self._keys[value] for value in values)
        give.update(bank.fewest_counts(lies - sum(values), self.world.chip_set) or {})
        _exchange(self.world, f"seat-{seat}", self.world.bets(seat), give, self._clock.now_s())

    # --- by the dealer

    def give_back(self, seat: int, amount: int) -> None:
        """The dealer gives part of what lies before a seat back, with change where the chips are too large."""
        self._begun(self._cashier.give_back(seat, amount))

    def gather(self) -> None:
        """The dealer gathers all bets."""
        if any(self.world.bets(seat) for seat in self._seats):
            self._begun(gather(self.world, self._clock.now_s()))

    def pay(self, seat: int, amount: int) -> None:
        """The dealer pushes so much of the pot to a seat."""
        if amount <= self.world.value(self.world.pot()):
            self._begun(push_pot(self.world, seat, self._cashier.from_pot(amount), self._clock.now_s()))

    def empty_pot(self, left: int) -> None:
        """What lies in the middle becomes that much."""
        _exchange(self.world, POT, self.world.pot(), {}, self._clock.now_s())
        if left:
            self.fill_pot(left)

    def clear_cards(self) -> None:
        """The dealer takes all cards off the table."""
        if self.world.cards.all():
            self._begun(clear_cards(self.world, self._clock.now_s()))

    def begun(self, motion: Motion) -> Motion:
        """A motion that somebody else has scheduled."""
        return self._begun(motion)

    def _begun(self, motion: Motion) -> Motion:
        self.still_s = max(self.still_s, motion.end_s, motion.rest_s)
        return motion

    @property
    def _seats(self) -> tuple[int, ...]:
        return tuple(seat.number for seat in self.world.table.seats)


@exclusive
def _exchange(world: World, place: str, take: Sequence[Chip], give: Counter[str] | dict[str, int], at_s: float) -> None:
    """Chips leave the table, and others come from the cage to a place, without a hand."""
    world.take_off_table(take, at_s)
    if give:
        world.put_down(world.holdings.withdraw(give), place, at_s)
