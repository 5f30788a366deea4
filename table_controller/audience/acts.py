"""The last act of a hand as an audience may see it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from betline.messages.table import Ruling
from betline.messages.views import ActView
from table_controller.audience.tells import Tells

Act = Literal["bet", "raise", "complete", "call", "check", "fold"]
_ACTS: Final[Mapping[str, tuple[Act, str]]] = {
    "bet": ("bet", "bets {to:,}"),
    "raise": ("raise", "raises to {to:,}"),
    "complete": ("complete", "completes to {to:,}"),
    "call": ("call", "calls"),
    "check": ("check", "checks"),
    "fold": ("fold", "folds"),
}


def last_act(rulings: tuple[Ruling, ...], tells: Tells) -> ActView | None:
    """The newest ruling that is an act of a player, of rulings in their order; None where there is none yet."""
    for ruling in reversed(rulings):
        if ruling.seat is not None and ruling.ruling in _ACTS:
            return _shown(ruling, ruling.seat, tells)
    return None


def _shown(ruling: Ruling, seat: int, tells: Tells) -> ActView:
    act, words = _ACTS[ruling.ruling]
    wagers = act in ("bet", "raise", "complete")
    told = wagers and (tells.all_ins or not ruling.all_in)
    if not ruling.all_in:
        text = words.format(to=ruling.to)
    elif not wagers:
        text = f"{words.format(to=ruling.to)}, all-in"
    else:
        text = f"is all-in, {ruling.to:,}" if told else "is all-in"
    return ActView(seat=seat, act=act, to=ruling.to if told else None, all_in=ruling.all_in, text=f"Seat {seat} {text}")
