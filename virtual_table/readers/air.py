"""How long an ISO 15693 inventory takes on the air: 16 slots, recursive 4-bit masks (HARDWARE.md 1.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

REQUEST_MS: Final = 1.62
ANSWERED_SLOT_MS: Final = 4.6
EMPTY_SLOT_MS: Final = 0.51
SLOTS: Final = 16
_NIBBLES: Final = 16


def anticollision(uids: Iterable[int]) -> tuple[float, list[int]]:
    """The time in milliseconds until all tags were told apart, and the order in which they answered alone.

    In each round every tag whose UID ends in the round's mask answers in the slot of its next four bits; two in one
    slot collide, and a round with a longer mask follows for them.
    """
    order: list[int] = []
    elapsed_ms = 0.0
    rounds: list[tuple[Sequence[int], int]] = [(sorted(set(uids)), 0)]
    while rounds:
        tags, depth = rounds.pop()
        slots: dict[int, list[int]] = {}
        for uid in tags:
            slots.setdefault(uid >> 4 * depth & 0xF, []).append(uid)
        elapsed_ms += REQUEST_MS + len(slots) * ANSWERED_SLOT_MS + (SLOTS - len(slots)) * EMPTY_SLOT_MS
        for number in sorted(slots):
            here = slots[number]
            if len(here) == 1 or depth + 1 == _NIBBLES:
                order += here
            else:
                rounds.append((here, depth + 1))
    return elapsed_ms, order
