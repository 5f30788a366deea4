"""Rulings in words: one sentence with the amounts and the reason."""

from __future__ import annotations

import re

from table_controller.rulings.values.ruling import Ruling, RulingKind

_VERBS = {
    RulingKind.CHECK: "checks",
    RulingKind.CALL: "calls {to}",
    RulingKind.BET: "bets {to}",
    RulingKind.RAISE: "raises to {to}",
    RulingKind.COMPLETE: "completes to {to}",
    RulingKind.FOLD: "folds",
    RulingKind.POST: "posts {adds}",
    RulingKind.FLOOR: "waits for the floor",
    RulingKind.NONE: "has not acted yet",
    RulingKind.ILLEGAL: "is refused",
}


def sentence(ruling: Ruling, why: str) -> str:
    """A ruling as the console shows it: who, what, why, the rules, what goes back and what is owed."""
    text = f"Seat {ruling.seat} {verb(ruling)}"
    if ruling.all_in:
        text += ", all-in"
    if why:
        text += f": {why}"
    if ruling.cites:
        text += f" ({', '.join(cite.replace('-', ' ') for cite in ruling.cites)})"
    if ruling.returned:
        text += f"; {ruling.returned} goes back"
    if ruling.owes:
        text += f"; it owes {ruling.owes}"
    if ruling.offers:
        text += f"; the floor may choose {', '.join(ruling.offers)}"
    return text + "."


def named_rules(text: str) -> tuple[str, ...]:
    """The rules of the TDA that a sentence names in parentheses, in its order: "... (TDA 35, 36)."."""
    groups = [group for group in re.findall(r"\(([^()]*)\)", text) if group.startswith("TDA")]
    return tuple(dict.fromkeys(f"TDA-{number}" for group in groups for number in re.findall(r"\b(\d+)", group)))


def verb(ruling: Ruling) -> str:
    """What a seat does by a ruling: "calls 300"."""
    return _VERBS[ruling.ruling].format(to=ruling.to, adds=ruling.adds)
