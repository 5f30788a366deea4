"""Which tags are the stack on a reader, and whether that is sure: from hit counts over rounds, never from one read.

Pure. A tag of the stack answers in at least half of the rounds; one that answers in a quarter of them or less is a
neighbour's, read by chance; what lies between is unsure, and so is one that has just come or gone. The stack is stable
when the same tags made it in `STEADY_ROUNDS` rounds one after the other, with no unsure one among them and no warning
of the reader. At 5 % missed reads a tag is unheard in that many with probability 0.05**6 = 1.6e-8.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from firmware_bridge.effects import RoundOver
from firmware_bridge.evidence import Heard, ZoneEvidence
from firmware_bridge.protocols.family import TagKind, TagRead

WINDOW: Final = 8
STEADY_ROUNDS: Final = 6
MEMBER_HITS: Final = 3
MEMBER_SHARE: Final = 0.5
STRAY_SHARE: Final = 0.25
STRAY_ROUNDS: Final = 4
"""Rounds since its first answer before a tag can be called a stray."""
MEMBER_MISSES: Final = 2
"""Misses in a row at which a tag is still taken to lie there."""


@dataclass(frozen=True, slots=True)
class StackTag:
    """One tag that was heard lately."""

    uid: str
    kind: TagKind | None
    hits: int
    rounds: int


@dataclass(frozen=True, slots=True)
class Stack:
    """What lies on the reader, as far as it has said. Each round makes a new one."""

    evidence: ZoneEvidence = field(default_factory=lambda: ZoneEvidence(window=WINDOW))
    tags: tuple[StackTag, ...] = ()
    """The stack, by UID."""
    strays: tuple[StackTag, ...] = ()
    """Read by chance; they lie beside the reader."""
    unsure: tuple[StackTag, ...] = ()
    """Just come, just gone, or read badly."""
    steady: int = 0
    """Rounds one after the other, up to `STEADY_ROUNDS`, that left the same stack without a doubt."""
    warned: bool = False
    """Whether the newest round came with a warning of the reader."""
    kinds: tuple[tuple[str, TagKind | None], ...] = ()

    @property
    def stable(self) -> bool:
        """Whether the stack can be believed; an empty field is never a stable stack."""
        return bool(self.tags) and self.steady >= STEADY_ROUNDS

    @property
    def uids(self) -> frozenset[str]:
        """The UIDs of the stack."""
        return frozenset(tag.uid for tag in self.tags)

    def after(self, over: RoundOver) -> Stack:
        """The stack after one more complete round."""
        evidence = self.evidence.after(over.tags)
        known = {**dict(self.kinds), **{tag.uid: tag.kind for tag in over.tags}}
        heard = evidence.heard()
        kinds = {one.uid: known[one.uid] for one in heard}
        sorted_out: dict[str, list[StackTag]] = {"tags": [], "strays": [], "unsure": []}
        for one in heard:
            sorted_out[_place(one)].append(StackTag(one.uid, kinds[one.uid], one.hits, one.rounds))
        tags, unsure = tuple(sorted_out["tags"]), tuple(sorted_out["unsure"])
        same = frozenset(tag.uid for tag in tags) == self.uids and not unsure and not over.warnings
        return Stack(
            evidence,
            tags,
            tuple(sorted_out["strays"]),
            unsure,
            min(self.steady + 1, STEADY_ROUNDS) if same else 0,
            bool(over.warnings),
            tuple(kinds.items()),
        )


def _place(one: Heard) -> str:
    share = one.hits / one.rounds
    if one.hits >= MEMBER_HITS and share >= MEMBER_SHARE and one.missed <= MEMBER_MISSES:
        return "tags"
    return "strays" if one.rounds >= STRAY_ROUNDS and share <= STRAY_SHARE else "unsure"


def counted(tags: Iterable[StackTag | TagRead]) -> str:
    """`no chip`, `1 chip`, `20 chips`."""
    count = len(tuple(tags))
    return "1 chip" if count == 1 else f"{count or 'no'} chip{'s' if count else ''}"
