"""What the room or the floor holds a table by: up to which hand it may play, and until when that counts.

A table never depends on the site: a hold ends by itself when nobody has said it again in time. Times are wall-clock
milliseconds, which go on while a program restarts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Why = Literal["hand-for-hand", "short"]
"""All tables deal together; or the table is too short of players and waits until the tables are balanced."""


@dataclass(frozen=True, slots=True)
class Hold:
    """The table plays up to the hand of this number, then it waits."""

    why: Why
    after_hand: int
    until_ms: int

    def waits(self, hand_no: int, *, between_hands: bool) -> bool:
        """Whether the table waits now, `hand_no` being its last hand."""
        return between_hands and hand_no >= self.after_hand

    def over(self, now_ms: int) -> bool:
        """Whether nobody has said it again in time."""
        return now_ms >= self.until_ms
