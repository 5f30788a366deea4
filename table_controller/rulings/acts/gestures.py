"""Rules on gestures: a tap, cards pushed away, and folding where it is no longer open (R-030, R-062; TDA 46, 58)."""

from __future__ import annotations

from dataclasses import replace

from table_controller.rulings.values.ruling import RulingKind, Verdict
from table_controller.rulings.values.situation import Situation, call, fold
from table_controller.rulings.values.words import folds


def fold_after_pulling_back(s: Situation) -> Verdict | None:
    """Who pulled chips back facing a raise may not fold any more: the floor's (TDA 46-B)."""
    if not (folds(s.act) and (s.standing.no_fold or (s.taken and s.facing))):
        return None
    return Verdict(
        kind=RulingKind.FLOOR, why="it pulled chips back facing a raise and now folds", cites=("TDA-46",),
        offers=("call", "fold"),
    )  # fmt: skip


def fold_after_declaring(s: Situation) -> Verdict | None:
    """Who said "bet" or "raise" is bound to the least of it (TDA 51-A): a fold then is the floor's."""
    if s.standing.declared is None or s.least is None or not folds(s.act):
        return None
    kind = "raise" if s.hand.level else "bet"
    return Verdict(
        kind=RulingKind.FLOOR, why=f"it said {s.standing.declared} and now folds", cites=("TDA-51",),
        offers=(f"{kind}:{s.least}", "fold"),
    )  # fmt: skip


def muck_is_a_fold(s: Situation) -> Verdict | None:
    """Cards pushed away are a fold (TDA 58 where there is nothing to call)."""
    return fold(s, "the cards were pushed away") if s.act.gesture == "muck" else None


def tap_over_a_covering_chip(s: Situation) -> Verdict | None:
    """A tap while a chip not changed yet covers the call is a call (R-030)."""
    if s.act.gesture != "tap" or not s.facing or s.prior < s.match:
        return None
    return call(s, "a tap, and the chip in front covers the call")


def tap_is_a_check(s: Situation) -> Verdict | None:
    """A tap is a check, as if said; facing a bet it leaves call or fold (TDA 55)."""
    if s.act.gesture != "tap":
        return None
    if not s.facing:
        return Verdict(kind=RulingKind.CHECK, why="it tapped the table")
    return Verdict(
        kind=RulingKind.NONE, why="a tap facing a bet: it may call or fold, not raise", cites=("TDA-55",),
        standing=replace(s.standing, no_raise=True),
    )  # fmt: skip
