"""How a virtual player acts: which chips, in which motions, with which words. Pure functions.

A player knows the house's rules about chips: it pushes silently only what will be taken as meant (R-054 to R-058), and
declares the rest first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from virtual_table.scripts.script import PlayerAct
from virtual_table.table.bank import pick_exact, pick_over, value
from virtual_table.table.things import Chip

OVERCHIP_SHARE = 0.2  # of the calls that a single larger chip could make
DECLARED_SHARE = 0.15  # of the raises that chips alone would make clear


@dataclass(frozen=True, slots=True)
class Plan:
    """What the player is going to do.

    Words come first, unless ``chips_first``; then some of its chips come back, then chips are pushed motion by motion;
    or a gesture.
    """

    motions: tuple[tuple[Chip, ...], ...] = ()
    says: str | None = None
    gesture: Literal["tap", "muck"] | None = None
    takes_back: tuple[Chip, ...] = ()
    chips_first: bool = False

    @property
    def chips_suffice(self) -> bool:
        """Whether the chips alone make the act clear, so that the dealer keys nothing."""
        return self.says is None and self.gesture is None

    @property
    def chips(self) -> tuple[Chip, ...]:
        """All chips of the plan."""
        return tuple(chip for motion in self.motions for chip in motion)


class NoSuchChips(Exception):
    """The stack cannot make the amount: the dealer has to make change first."""


def plan(act: PlayerAct, stack: Sequence[Chip], bet: int, level: int, chance: Random) -> Plan:
    """How a player does an act.

    ``bet`` is what the seat has in front of it this round, ``level`` the bet that it faces (0: unopened). Raises
    NoSuchChips if the stack has no chips for the amount.
    """
    if act.kind == "fold":
        return Plan(gesture="muck")
    if act.kind == "check":
        return Plan(gesture="tap")
    need = act.to - bet
    if act.all_in:
        return _everything(tuple(stack), level, chance)
    if act.kind == "call":
        over = pick_over(stack, need)
        if over is not None and chance.random() < OVERCHIP_SHARE:
            return Plan(((over,),))
        return Plan((_exact(stack, need),))
    chips = _exact(stack, need)
    if act.kind == "bet":
        return Plan((chips,))
    if not is_clear_raise(chips, level) or chance.random() < DECLARED_SHARE:
        return Plan((chips,), says=f"raise to {act.to}")
    return Plan((chips,))


def is_clear_raise(chips: Sequence[Chip], level: int) -> bool:
    """Whether a silent push cannot be taken for a call: without the smallest chip it still covers the bet (R-056)."""
    return len(chips) > 1 and value(chips) - min(chip.value for chip in chips) >= level


def _exact(stack: Sequence[Chip], amount: int) -> tuple[Chip, ...]:
    chips = pick_exact(stack, amount)
    if chips is None:
        raise NoSuchChips(f"this stack cannot make {amount}")
    return chips


def _everything(stack: tuple[Chip, ...], level: int, chance: Random) -> Plan:
    """All-in: in one push if the chips alone make it clear, else, and often anyway, with words."""
    raises = value(stack) > level
    if (raises and not is_clear_raise(stack, level)) or chance.random() < DECLARED_SHARE:
        return Plan((stack,), says="all in")
    return Plan((stack,))
