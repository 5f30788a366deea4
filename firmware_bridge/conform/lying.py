"""Which tags lay on a reader, by what its rounds heard: present, missed, and heard though they are not there. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from firmware_bridge.conform.evidence import RoundSeen, Session, Stage

THERE: Final = 0.25
"""A tag that answers in fewer of its antenna's rounds is not taken to lie there, where nobody said how many do."""


@dataclass(frozen=True, slots=True)
class Lying:
    """The tags of a stage."""

    present: tuple[str, ...]
    ghosts: tuple[str, ...]
    """Heard, and not there."""
    laid: int
    """How many lie there: as was said, or as many as were heard."""
    rounds: int
    """Rounds without doubt."""
    hits: Mapping[str, int]
    """In how many of its chances each present tag answered."""
    chances: Mapping[str, int]
    needed: int | None
    """After how many rounds each present tag had been heard once; None: never."""

    @property
    def worst(self) -> float:
        """The share that the worst of the present tags missed."""
        return max((1.0 - self.hits[uid] / self.chances[uid] for uid in self.present if self.chances[uid]), default=0.0)


def homes(session: Session) -> dict[str, int | None]:
    """The antenna that heard each tag most often."""
    heard: dict[str, Counter[int | None]] = {}
    for one in session.rounds:
        for uid in one.strengths:
            heard.setdefault(uid, Counter())[one.antenna] += 1
    return {uid: max(count, key=lambda antenna: (count[antenna], -(antenna or 0))) for uid, count in heard.items()}


def lying(stage: Stage) -> Lying:
    """What lay there in a stage."""
    home = homes(stage.session)
    sure = [one for one in stage.session.settled if not one.doubts] or list(stage.session.rounds)
    chances = {uid: sum(one.antenna == home[uid] for one in sure) for uid in home}
    hits = {uid: sum(one.antenna == home[uid] and uid in one.strengths for one in sure) for uid in home}
    ranked = sorted(home, key=lambda uid: (-hits[uid], uid))
    if stage.laid is None:
        present = [uid for uid in ranked if hits[uid] and hits[uid] >= THERE * chances[uid]]
    else:
        present = ranked[: stage.laid]
    ghosts = tuple(sorted(set(ranked) - set(present)))
    return Lying(
        tuple(sorted(present)),
        ghosts,
        len(present) if stage.laid is None else stage.laid,
        len(sure),
        {uid: hits[uid] for uid in present},
        {uid: chances[uid] for uid in present},
        _needed(stage.session.rounds, present, home),
    )


def _needed(rounds: tuple[RoundSeen, ...], present: list[str], home: Mapping[str, int | None]) -> int | None:
    """The most rounds of one antenna until each of its tags had been heard."""
    turns: Counter[int | None] = Counter()
    first: dict[str, int] = {}
    for one in rounds:
        turns[one.antenna] += 1
        for uid in one.strengths:
            if home[uid] == one.antenna:
                first.setdefault(uid, turns[one.antenna])
    return max((first[uid] for uid in present), default=1) if all(uid in first for uid in present) else None
