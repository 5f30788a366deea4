"""What the people at a virtual table do otherwise than slowly and one after the other."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Habits:
    """Shares from 0 to 1 of the times that it is done; nobody does any of it by default."""

    next_hand_early: float = 0.0
    """The next hand is keyed and posted while the pot is still being pushed and the cards are being cleared."""
    street_early: float = 0.0
    """A street is keyed before its bets have been gathered."""
    street_late: float = 0.0
    """A street is keyed only after its first player has put chips out."""
    straddle_early: float = 0.0
    """A straddle is keyed up to 2.5 s before its chips are put out."""
    straddle_late: float = 0.0
    """A straddle is keyed within 2.5 s after its chips are put out, unless the console shows it by then."""
    posts_late: float = 0.0
    """A blind, or a straddle that was keyed, is put out up to 2.5 s after the cards were keyed out."""
    antes_late: float = 0.0
    """An ante, or a dead blind, is put out only after the cards were keyed out, often only after the dealer asked."""
    dead_with_live: float = 0.0
    """A player who comes back puts its dead blind out together with the live post."""
    toys: float = 0.0
    """While others act somebody toys with chips at the line."""
    answers_late: float = 0.0
    """The dealer answers a question only some seconds later."""
    trades: float = 0.0
    """A player bets chips that lay before somebody else just before: two players have swapped some."""
    keeps_stacks: bool = False
    """Nobody changes colours between hands, so that bets need change out of the tray more often."""
    spares_keys: bool = False
    """The dealer keys nothing that chips, cards or his own hands tell: he waits for it, and keys what does not come."""
