"""Which chip set a script needs: one that makes its stacks and amounts, and has every chip that it names."""

from __future__ import annotations

from collections.abc import Iterable

from betline.settings import load_chip_set, shipped
from virtual_table.scripts.script import HandScript, ScriptError
from virtual_table.table.bank import BankError, breakdown, fewest_counts


def fitting_chip_set(preferred: str, stacks: Iterable[int], amounts: Iterable[int]) -> str:
    """The preferred chip set if it can make all stacks and amounts, else the first shipped one; raises ScriptError."""
    stacks, amounts = tuple(stacks), tuple(amounts)
    for name in (preferred, *shipped("chip_sets")):
        if not lacking(name, stacks, amounts):
            return name
    raise ScriptError("No shipped chip set can make every amount of this script; give its table a chip_set that can.")


def lacking_for(script: HandScript, name: str) -> str:
    """Why a hand cannot be played with the chips of a set; empty where it can."""
    return lacking(name, script.seats.values(), script.amounts, script.named_chips)


def lacking(name: str, stacks: Iterable[int], amounts: Iterable[int], named: Iterable[int] = ()) -> str:
    """The first thing that a chip set cannot make or does not have; empty where there is none."""
    chip_set = load_chip_set(name)
    absent = sorted(set(named) - {kind.value for kind in chip_set.chips})
    if absent:
        return f"the chip set {name} has no {absent[0]} chip"
    try:
        for stack in set(stacks):
            breakdown(stack, chip_set)
    except BankError as error:
        return f"the chip set {name} does not do: {error}"
    short = next((one for one in sorted(set(amounts)) if fewest_counts(one, chip_set) is None), None)
    return "" if short is None else f"the chip set {name} cannot make {short}"
