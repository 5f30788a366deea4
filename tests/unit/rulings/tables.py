"""Tables for the tests of rulings: three seats on the flop of no-limit 50-100, unless said otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from betline.settings import GameSettings, load_house_rules
from betline.steps import Start, TableSetup, parse_step
from table_controller.rulings import Outcome, Ruling, Table

NO_LIMIT: dict[str, Any] = {"limit": "no-limit", "blinds": (50, 100)}
SEATS = {1: 9000, 2: 9000, 3: 9000}


def preflop(
    house: Mapping[str, Any] | None = None,
    game: Mapping[str, Any] | None = None,
    seats: Mapping[int, int] | None = None,
    profile: str = "tda",
    button: int = 3,
    **more: Any,
) -> Table:
    """The button in seat 3: the blinds are seats 1 and 2, and seat 3 acts first."""
    setup = TableSetup(
        game=GameSettings(**(game or NO_LIMIT)),
        house=load_house_rules(profile, dict(house or {})),
        seats=seats or SEATS,
        button=button,
        **more,
    )
    return Table.begin(setup)


def flop(pot: int = 300, **options: Any) -> Table:
    """Seat 1 is first to act, nobody has bet."""
    return preflop(start=Start(street="flop", pot=pot), **options)


def told(table: Table, *steps: Mapping[str, Any]) -> Table:
    """The table after steps none of which is refused."""
    for written in steps:
        outcome = table.apply(parse_step(written))
        assert outcome.error is None, outcome.error
        table = outcome.table
    return table


def ask(table: Table, **act: Any) -> Outcome:
    """What a step makes of the table."""
    return table.apply(parse_step(act))


def ruled(table: Table, **act: Any) -> Ruling:
    """How an act is ruled."""
    ruling = ask(table, **act).ruling
    assert ruling is not None
    return ruling


def facing(bet: int, **options: Any) -> Table:
    """Seat 2 faces an opening bet of seat 1 on the flop."""
    return told(flop(**options), {"seat": 1, "action": "bet", "to": bet})


def amounts(ruling: Ruling) -> tuple[str, int, int, int]:
    """What it counts as, to how much, what goes back, what is owed."""
    return str(ruling.ruling), ruling.to, ruling.returned, ruling.owes
