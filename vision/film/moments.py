"""Which moments of a film a person is asked about: a cut of the whole film into short clips, some of them drawn by lot.

Nothing that the detector reported has a part in it: an act is wherever something moved in a bet zone, a reader's chips
changed or a key was pressed, and quiet stretches are asked about too. So what the detector missed is found, and what it
invented. The lot depends on the film alone: who asks for more later goes on with those asked before.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

BEFORE_MS: Final = 1500.0
AFTER_MS: Final = 1500.0
"""An act's clip begins and ends so long before and after what moved."""
MOST_MS: Final = 10_000.0
"""A longer stretch of acts is cut into pieces."""
QUIET_MS: Final = 8_000.0
LEAST_MS: Final = 1_000.0
"""What is shorter belongs to its neighbour."""


@dataclass(frozen=True, slots=True)
class Window:
    """One clip to be asked about, from and to in milliseconds of the film."""

    number: int
    from_ms: float
    to_ms: float
    kind: Literal["act", "quiet"]

    def holds(self, t_ms: float) -> bool:
        return self.from_ms <= t_ms < self.to_ms


def windows(length_ms: float, moved_ms: Iterable[float]) -> tuple[Window, ...]:
    """The whole film in clips, in order: around each time at which something moved, and between."""
    spans: list[list[float]] = []
    for t_ms in sorted(moved_ms):
        from_ms, to_ms = max(0.0, t_ms - BEFORE_MS), min(length_ms, t_ms + AFTER_MS)
        if spans and from_ms - spans[-1][1] < LEAST_MS:
            spans[-1][1] = max(spans[-1][1], to_ms)
        else:
            spans.append([from_ms if from_ms >= LEAST_MS else 0.0, to_ms])
    if spans and length_ms - spans[-1][1] < LEAST_MS:
        spans[-1][1] = length_ms
    found: list[Window] = []
    now_ms = 0.0
    for from_ms, to_ms in [*spans, [length_ms, length_ms]]:
        _cut(found, now_ms, from_ms, "quiet", QUIET_MS)
        _cut(found, from_ms, to_ms, "act", MOST_MS)
        now_ms = to_ms
    return tuple(found)


def chosen(cut: Sequence[Window], film_id: str, acts: int | None, quiet: int | None) -> tuple[Window, ...]:
    """So many clips of each kind, drawn by lot, in the film's order; None: all of them."""
    taken: list[Window] = []
    for kind, most in (("act", acts), ("quiet", quiet)):
        those = sorted((one for one in cut if one.kind == kind), key=lambda one: _lot(film_id, one))
        taken += those[:most]
    return tuple(sorted(taken, key=lambda one: one.from_ms))


def _cut(found: list[Window], from_ms: float, to_ms: float, kind: Literal["act", "quiet"], most_ms: float) -> None:
    if to_ms <= from_ms:
        return
    pieces = max(1, math.ceil((to_ms - from_ms) / most_ms))
    ends = [from_ms + (to_ms - from_ms) * piece / pieces for piece in range(pieces + 1)]
    for a, b in itertools.pairwise(ends):
        found.append(Window(len(found), round(a, 3), round(b, 3), kind))


def _lot(film_id: str, window: Window) -> bytes:
    return hashlib.sha256(f"{film_id}:{window.kind}:{window.from_ms:.3f}".encode()).digest()
