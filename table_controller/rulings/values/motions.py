"""Which chips that crossed the line count: motions, chips carried back, splashes (TDA 42, 56; R-050 to R-053)."""

from __future__ import annotations

from dataclasses import dataclass

from betline.fields import Chips
from betline.settings import HouseRules
from betline.steps import Act
from table_controller.rulings.values.words import Said, Verb

NO_STRING = frozenset({Verb.CALL, Verb.ALL_IN, Verb.POT, Verb.FOLD, Verb.CHECK})


@dataclass(frozen=True, slots=True)
class Counted:
    """The chips that count, largest first, and whether others were pushed that do not."""

    chips: Chips
    string: bool = False


def counting(act: Act, said: Said | None, house: HouseRules, *, to_cover: int) -> Counted:
    """The new chips that count; `to_cover` is what the seat still has to put out to call."""
    carried = carried_back(act, house)
    if len(act.motions) < 2:
        return Counted(largest_first(act.pushed + carried + act.splashes))
    motions = act.motions
    counted = len(motions) if said is not None else 1
    if said is not None and said.amount is None and said.verb not in NO_STRING:
        counted = motions_after_a_bare_raise(motions, house, to_cover)
    chips = tuple(chip for motion in motions[:counted] for chip in motion)
    return Counted(largest_first(chips + carried), string=counted < len(motions))


def motions_after_a_bare_raise(motions: tuple[Chips, ...], house: HouseRules, to_cover: int) -> int:
    """R-053: one motion; or the call and then the raise; or as many as the player likes."""
    if house.raise_motions == "multi-after-raise":
        return len(motions)
    if house.raise_motions == "call-then-raise" and sum(motions[0]) == to_cover:
        return 2
    return 1


def carried_back(act: Act, house: HouseRules) -> Chips:
    """R-050: chips carried over the line and back unreleased count only where crossing the line commits."""
    return act.carries_back if house.commit == "cross-line" else ()


def largest_first(chips: Chips) -> Chips:
    return tuple(sorted(chips, reverse=True))
