"""Retention: hands that are older than so many days leave the journal, whole, and the chain still holds."""

from __future__ import annotations

from dataclasses import dataclass

from table_controller.journal.entries import Checkpoint, HandBegan, Pruned
from table_controller.journal.store import Journal

DAY_MS = 86_400_000
KEPT_CHECKPOINTS = 2
"""A start may need as many: the last, and the one before it to take the last hand back."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What was taken out: entries, hands, and names of people whom no entry knows any more."""

    entries: int = 0
    hands: int = 0
    names: int = 0


def prune(journal: Journal, keep_days: int, at_ms: int, mono_ns: int) -> Taken:
    """Takes out every hand that was over `keep_days` days ago, up to the checkpoint at its end, which stays.

    The first entry stays too, and one is added that says what was done. Raises JournalError as `append` does.
    """
    up_to = _last_to_go(journal, at_ms - keep_days * DAY_MS)
    if up_to is None:
        return Taken()
    entries = hands = 0
    left = set(journal.names())
    for recorded in journal.entries(1):
        if recorded.seq <= up_to:
            entries += 1
            hands += recorded.kind == HandBegan.kind
        else:
            left -= {person for person in left if _names(recorded.data, person)}
    if not entries:
        return Taken()
    cut = journal.prune(up_to, left)
    journal.append((Pruned(up_to=up_to, hash=cut, keep_days=keep_days),), at_ms, mono_ns)
    return Taken(entries, hands, len(left))


def _last_to_go(journal: Journal, before_ms: int) -> int | None:
    """The entry before the newest checkpoint between hands that is old enough; None where there is none."""
    for number, recorded in enumerate(journal.newest(Checkpoint.kind), 1):
        if number < KEPT_CHECKPOINTS or recorded.at_ms > before_ms:
            continue
        entry = recorded.entry
        if isinstance(entry, Checkpoint) and entry.money is not None and not entry.money.in_hand:
            return recorded.seq - 1
    return None


def _names(data: object, person: str) -> bool:
    """Whether an entry's data holds a person's id."""
    if isinstance(data, dict):
        return any(_names(key, person) or _names(value, person) for key, value in data.items())
    if isinstance(data, list):
        return any(_names(value, person) for value in data)
    return data == person
