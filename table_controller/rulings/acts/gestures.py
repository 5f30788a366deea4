"""Rules on gestures: a tap, cards pushed away, and folding where it is no longer open (R-030, R-062; TDA 46, 58)."""

from __future__ import annotations

from dataclasses import replace

from table_controller.rulings.values.ruling import RulingKind, Verdict
from table_controller.rulings.values.situation import Situation, call, fold
from table_controller.rulings.values.words import folds


def fold_after_pulling_back(s: Situation) -> Verdict | None:
    """A player who pulled chips back facing a raise may not fold; the floor decides (TDA 46-B)."""
    if not (folds(s.act) and (s.standing.no_fold or (s.taken and s.facing))):
        return None
    return Verdict(
        kind=RulingKind.FLOOR, why="pulled chips back facing a raise and now wants to fold", cites=("TDA-46",),
        offers=("call", "fold"),
    )  # fmt: skip


def fold_after_declaring(s: Situation) -> Verdict | None:
    """A player who said "bet" or "raise" must make at least the minimum; on a fold the floor decides (TDA 51-A)."""
    if s.standing.declared is None or s.least is None or not folds(s.act):
        return None
    kind = "raise" if s.hand.level else "bet"
    return Verdict(
        kind=RulingKind.FLOOR, why=f'said "{s.standing.declared}" and now wants to fold', cites=("TDA-51",),
        offers=(f"{kind}:{s.least}", "fold"),
    )  # fmt: skip


def muck_is_a_fold(s: Situation) -> Verdict | None:
    """Cards pushed away are a fold, even with nothing to call (TDA 58)."""
    return fold(s, "pushed its cards away") if s.act.gesture == "muck" else None


def tap_over_a_covering_chip(s: Situation) -> Verdict | None:
    """A tap is a call where a chip in front already covers the call (R-030)."""
    if s.act.gesture != "tap" or not s.facing or s.prior < s.match:
        return None
    return call(s, "tapped the table, and its chip in front covers the call")


def tap_is_a_check(s: Situation) -> Verdict | None:
    """A tap is a check; facing a bet only call or fold is left (TDA 55)."""
    if s.act.gesture != "tap":
        return None
    if not s.facing:
        return Verdict(kind=RulingKind.CHECK, why="tapped the table")
    why = "tapped the table facing a bet, so it may call or fold but not raise"
    return Verdict(
        kind=RulingKind.NONE, why=why, cites=("TDA-55",),
        standing=replace(s.standing, no_raise=True, why_no_raise="it checked facing a bet"),
    )  # fmt: skip
