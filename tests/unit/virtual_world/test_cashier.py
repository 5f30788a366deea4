"""The virtual dealer makes every amount that the chips are worth, and says in a sentence what they do not make."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from tests.unit.virtual_world.worlds import world
from virtual_table.play.cashier import Cashier
from virtual_table.table.bank import BankError
from virtual_table.table.holdings import POT, bet_place, stack_place
from virtual_table.table.world import World

SEAT = 3
SMALLEST = 1


def at(table: World) -> tuple[Cashier, list[float]]:
    """A cashier whose waits pass at once."""
    now_s = [0.0]

    def wait(until_s: float) -> None:
        now_s[0] = max(now_s[0], until_s) + 1.0

    return Cashier(table, lambda: now_s[0], wait), now_s


def few_large_chips(table: World, chance: Random) -> int:
    """A stack of a few chips at random, as after an evening; returns its worth."""
    table.clear_stack(SEAT, 0.0)
    for _ in range(chance.randint(1, 4)):
        chips = table.holdings.withdraw({chance.choice(table.chip_set.chips).key: 1})
        table.put_down(chips, stack_place(SEAT), 0.0)
    return table.value(table.stack(SEAT))


@pytest.mark.parametrize("seed", range(12))
def test_a_stack_makes_every_amount_up_to_its_worth(seed: int) -> None:
    chance, table = Random(seed), world("home-six")
    cashier, _ = at(table)
    for _ in range(10):
        worth = few_large_chips(table, chance)
        amount = chance.randint(SMALLEST, worth)
        assert table.value(cashier.exact(SEAT, amount)) == amount
        assert table.value(table.stack(SEAT)) == worth


@pytest.mark.parametrize("seed", range(12))
def test_a_pot_makes_every_part_of_it(seed: int) -> None:
    chance, table = Random(seed), world("home-six")
    cashier, _ = at(table)
    for kind in chance.choices(table.chip_set.chips, k=3):
        table.put_down(table.holdings.withdraw({kind.key: 1}), POT, 0.0)
    for _ in range(10):
        worth = table.value(table.pot())
        amount = chance.randint(SMALLEST, worth)
        assert table.value(cashier.from_pot(amount)) == amount
        assert table.value(table.pot()) == worth


@pytest.mark.parametrize("seed", range(12))
def test_any_part_of_a_bet_goes_back_to_its_stack(seed: int) -> None:
    chance, table = Random(seed), world("home-six")
    cashier, now_s = at(table)
    few_large_chips(table, chance)
    bet = table.stack(SEAT)
    table.take_off_table(bet, 0.0)
    table.put_down(bet, bet_place(SEAT), 0.0)
    worth = table.value(bet)
    back = chance.randint(SMALLEST, worth)
    now_s[0] = cashier.give_back(SEAT, back).end_s
    assert table.value(table.stack(SEAT)) == back
    assert table.value(table.bets(SEAT)) == worth - back


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        (lambda cashier: cashier.exact(SEAT, 1_001), f"Seat {SEAT} cannot make 1001 from its stack."),
        (lambda cashier: cashier.from_pot(101), "The pot cannot make 101."),
    ],
    ids=["stack", "pot"],
)
def test_more_than_the_chips_are_worth_is_refused_with_the_place_and_the_amount(
    wanted: Callable[[Cashier], object], sentence: str
) -> None:
    table = world("home-six")
    table.fill_pot(100)
    cashier, _ = at(table)
    chips = table.chips()
    with pytest.raises(BankError) as refused:
        wanted(cashier)
    assert (refused.value.code, str(refused.value)) == ("no-such-amount", sentence)
    assert table.chips() == chips
