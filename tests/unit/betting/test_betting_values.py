"""The engine's values are frozen and slotted: the hand from before an act is its undo, so nothing may change it."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil

import pytest

from table_controller import betting

BUILDERS = {"Opening"}
"""What a hand is put together in before it begins; no hand keeps one."""

VALUES = {
    value
    for module in pkgutil.iter_modules(betting.__path__, f"{betting.__name__}.")
    for value in vars(importlib.import_module(module.name)).values()
    if isinstance(value, type)
    and dataclasses.is_dataclass(value)
    and value.__module__ == module.name
    and value.__name__ not in BUILDERS
}


@pytest.mark.parametrize("value", sorted(VALUES, key=lambda value: value.__name__))
def test_a_value_of_the_engine_is_frozen_and_slotted(value: type) -> None:
    assert value.__dataclass_params__.frozen  # type: ignore[attr-defined]
    assert value.__dictoffset__ == 0


def test_every_part_of_a_settlement_is_such_a_value() -> None:
    assert {"Pot", "Parts", "Payout", "Settlement", "Pull", "PotBet", "Hand"} <= {value.__name__ for value in VALUES}
