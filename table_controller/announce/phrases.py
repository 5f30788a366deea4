"""What is announced to the player to act (docs/case-format.md, "Announcements"; R-290)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What the seat to act is told; amounts are whole chips of the smallest unit."""

    seat: int
    call: int
    """What it must add to call; 0 where it may check."""
    least: int | None
    """The least it may make it; None where it may not bet or raise."""
    most: int | None
    opened: bool
    """There is a bet, or a blind, on this street: making it more is a raise."""
    option: bool
    """Its own blind, post or straddle was not raised."""
    pot_bet: int | None
    """Pot-limit: what the seat may make it, bounded by its stack; None elsewhere or where it may not bet or raise."""
    in_the_middle: int | None = None
    """The size of the pot, where a count is allowed and told unasked (R-160)."""


def announcement(turn: Turn) -> str:
    """``Seat N: call C, raise A to B, pot P, in the middle S``; parts that do not apply are left out."""
    parts = [f"call {turn.call}" if turn.call else "option" if turn.option else "check"]
    if turn.least is not None and turn.most is not None:
        parts.append(f"{'raise' if turn.opened else 'bet'} {turn.least} to {turn.most}")
    if turn.pot_bet is not None:
        parts.append(f"pot {turn.pot_bet}")
    if turn.in_the_middle is not None:
        parts.append(f"in the middle {turn.in_the_middle}")
    return f"Seat {turn.seat}: {', '.join(parts)}"
