"""How long an inventory takes on the air, and in which order the tags answer alone, by air interface.

ISO 15693 is the model of hardware_docs/readers.md, which is deterministic. The others come from the lengths of their
messages and from their bit rates as noted at each; no vendor's figure for a stack of them is public.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

REQUEST_MS: Final = 1.62
ANSWERED_SLOT_MS: Final = 4.6
EMPTY_SLOT_MS: Final = 0.51
SLOTS: Final = 16
_NIBBLES: Final = 16


@dataclass(frozen=True, slots=True)
class AirInterface:
    """One way of talking with tags. `claims` says by a UID whether the tag speaks it."""

    claims: Callable[[str], bool]
    tell_apart: Callable[[Sequence[str], random.Random], tuple[float, list[str]]]
    """The time in milliseconds until all tags were told apart, and the order in which they answered alone."""
    detuning: float
    """How much worse tags in a pile disturb each other than those of ISO 15693 do."""


def anticollision(uids: Iterable[int]) -> tuple[float, list[int]]:
    """The time in milliseconds until all tags of ISO 15693 were told apart, and the order in which they answered.

    16 slots, recursive 4-bit masks: in each round every tag whose UID ends in the round's mask answers in the slot of
    its next four bits; two in one slot collide, and a round with a longer mask follows for them.
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


def _by_masks(uids: Sequence[str], _: random.Random) -> tuple[float, list[str]]:
    by_number = {int(uid, 16): uid for uid in uids}
    elapsed_ms, order = anticollision(by_number)
    return elapsed_ms, [by_number[number] for number in order]


def _by_bits(uids: Sequence[str], _: random.Random) -> tuple[float, list[str]]:
    """ISO 14443A at 106 kbit/s: cascade levels of 4 bytes, a collision costs another anticollision frame.

    REQA, ATQA and guard time 1 ms; anticollision and SELECT of one level 2 ms; HLTA 0.4 ms; collision 1.2 ms.
    """
    order = sorted(uids)
    levels = {8: 1, 14: 2, 20: 3}
    each_ms = (1.0 + 2.0 * levels[len(uid)] + 0.4 for uid in order)
    return 1.0 + sum(each_ms) + 1.2 * max(0, len(order) - 1), order


@dataclass(frozen=True, slots=True)
class _Slotted:
    """Slotted ALOHA as in EPC Gen2: frames of 2^Q slots, Q follows the collisions until nobody is left."""

    query_ms: float
    empty_ms: float
    collision_ms: float
    answer_ms: float
    """Query-rep, RN16, ACK, and PC, EPC of 96 bits and CRC-16."""

    def tell_apart(self, uids: Sequence[str], rng: random.Random) -> tuple[float, list[str]]:
        order: list[str] = []
        waiting, q, elapsed_ms = sorted(uids), 2, 0.0
        while True:
            slots: dict[int, list[str]] = {}
            for uid in waiting:
                slots.setdefault(rng.randrange(1 << q), []).append(uid)
            alone = [slots[number][0] for number in sorted(slots) if len(slots[number]) == 1]
            collisions = len(slots) - len(alone)
            empty = (1 << q) - len(slots)
            elapsed_ms += self.query_ms + empty * self.empty_ms
            elapsed_ms += collisions * self.collision_ms + len(alone) * self.answer_ms
            order += alone
            if not collisions:
                return elapsed_ms, order
            heard = set(alone)
            waiting = [uid for uid in waiting if uid not in heard]
            q = max(1, (2 * collisions - 1).bit_length())


def _is_epc(uid: str) -> bool:
    """An EPC is whole words of 16 bits, 31 of them at most."""
    return len(uid) % 4 == 0 and 0 < len(uid) <= 124


ISO15693: Final = AirInterface(lambda uid: len(uid) == 16, _by_masks, 1.0)
ISO18000_3M3: Final = AirInterface(
    _is_epc, _Slotted(query_ms=1.2, empty_ms=0.25, collision_ms=0.5, answer_ms=2.4).tell_apart, 0.1
)
"""53 kbit/s up, 106 kbit/s down: some 300 tags a second. Built for chips in contact (hardware_docs/readers.md)."""
UHF_GEN2: Final = AirInterface(
    _is_epc, _Slotted(query_ms=1.5, empty_ms=0.4, collision_ms=0.9, answer_ms=4.4).tell_apart, 1.5
)
"""Miller 4 at 250 kHz, 62.5 kbit/s down, as cheap readers have it by default: some 170 tags a second."""
ISO14443A: Final = AirInterface(lambda uid: len(uid) in (8, 14, 20), _by_bits, 8.0)
"""Cards, not stacks: a pile of three is lost already."""
