"""A pile that takes seconds to count is announced at once, by the seat's own reader and those beside it."""

import pytest

from betline.messages.table import Alert, Announcement, Ruling
from betline.settings import load_table
from betline.steps import read_command
from virtual_table.laboratory.simulated_table import Conditions, SimulatedTable, Told, without_camera
from virtual_table.table.holdings import bet_place, stack_place
from virtual_table.table.player_motions import push


def pushed(seat: int, count: int, neighbour: float, watch_s: float) -> tuple[list[tuple[float, str]], list[Ruling]]:
    """A seat pushes so many chips while seat 4 is to act: what is announced, by seconds from rest, and ruled."""
    told, rest_s = told_of(seat, count, neighbour, watch_s)
    said = [(one.at_s - rest_s, one.body.text) for one in told if isinstance(one.body, Announcement)]
    return said, [one.body for one in told if isinstance(one.body, Ruling)]


def told_of(seat: int, count: int, neighbour: float, watch_s: float) -> tuple[list[Told], float]:
    """All that is said about such a push, and when its chips rest."""
    conditions = Conditions(neighbour=neighbour, spare_chips=2 * count)
    table = SimulatedTable(without_camera(load_table("home-six")), 1, conditions)
    world = table.world
    kind = world.chip_set.chips[0]

    def lay(place: str, number: int) -> None:
        world.put_down(world.holdings.withdraw({kind.key: number}), place, table.agenda.now_s())

    lay(stack_place(seat), count)
    table.start()
    game = {"limit": "no-limit", "blinds": [kind.value, 2 * kind.value], "streets": "holdem"}
    stacks = {str(one): 3 * count * kind.value for one in range(1, 7)}
    assert table.link.command(read_command("setup", {"game": game, "seats": stacks, "button": 1})).ok
    table.let(1)
    lay(bet_place(2), 1)
    lay(bet_place(3), 2)
    table.let(2)
    assert table.link.command(read_command("cards-out", {})).ok
    table.let(2.5)
    before = len(table.messages)
    rest_s = push(world, seat, world.stack(seat), table.agenda.now_s()).rest_s
    table.let(rest_s + watch_s - table.agenda.now_s())
    return table.messages[before:], rest_s


@pytest.mark.nightly
@pytest.mark.parametrize("count", [120, 300])
def test_an_honest_pile_raises_no_alert(count: int) -> None:
    told, _ = told_of(4, count, 0.01, 18.0)

    assert len([one for one in told if isinstance(one.body, Ruling)]) == 1
    assert [one.body.sentence for one in told if isinstance(one.body, Alert)] == []


@pytest.mark.nightly
@pytest.mark.parametrize(("count", "within_s"), [(50, 0.6), (120, 0.6)])
def test_a_pile_is_announced_before_its_first_round_can_be_repeated(count: int, within_s: float) -> None:
    said, ruled = pushed(4, count, 0.01, 1.0)

    assert [text for _, text in said] == ["Seat 4: raise, counting"]
    assert said[0][0] < within_s
    assert not ruled


@pytest.mark.nightly
def test_a_pile_of_the_seat_beside_is_not_announced_as_the_acting_seats() -> None:
    said, ruled = pushed(5, 120, 0.15, 2.2)

    assert (said, ruled) == ([], [])
