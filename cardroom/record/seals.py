"""The seals that were heard with recorded rows, held against the keys of the tables.

A chain of hashes shows a change only to who has the earlier rows. A journal that somebody wrote whole is sound by
itself; what they cannot make is a seal under the key of the table (`table_controller.journal.seal`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from betline.messages.history import JournalEnd
from cardroom.record.errors import RecordError
from cardroom.record.store import Kept, Store
from cardroom.record.verify import Found
from table_controller.journal.anchors import Anchor
from table_controller.journal.errors import JournalError
from table_controller.journal.seal import Key, read_key

ENDING: Final = ".key"
Keys = Mapping[str, Sequence[Key]]
Ends = Mapping[str, Sequence[JournalEnd]]


@dataclass(frozen=True, slots=True)
class Sealed:
    """How far a journal, or a branch of it, is sealed by its table's key."""

    kept: Kept
    to: int
    """The newest row under a seal that holds; 0: none does."""
    wrong: int | None
    """The first row whose seal does not hold; None where all hold."""


def keys_in(folder: Path) -> dict[str, list[Key]]:
    """The keys in a folder, by table: `TABLE.key`, and `TABLE.ANYTHING.key` of a key that it had before.

    Raises RecordError (``no-keys``).
    """
    found: dict[str, list[Key]] = {}
    try:
        for path in sorted(folder.iterdir()):
            if path.name.endswith(ENDING):
                found.setdefault(path.name.split(".", 1)[0], []).append(read_key(path))
    except OSError as error:
        raise RecordError("no-keys", f"The folder of keys {folder} cannot be read ({error.strerror}).") from None
    except JournalError as error:
        raise RecordError("no-keys", str(error)) from None
    if not found:
        raise RecordError("no-keys", f"{folder} has no key: copy that of a table there as TABLE{ENDING}.")
    return found


def look(store: Store, keys: Keys, ends: Ends) -> list[Sealed]:
    """How far each journal of the tables with keys is sealed, by what was recorded and by what the tables say now."""
    found = []
    newest = {(kept.table, kept.journal): kept.id for kept in store.journals()}
    for kept in store.journals():
        if kept.table not in keys:
            continue
        heard = [Anchor(kept.journal, *one) for one in store.anchors(kept)]
        if newest[kept.table, kept.journal] == kept.id:
            heard += [
                Anchor(end.journal, end.seq, end.head, end.seal)
                for end in ends.get(kept.table, ())
                if end.journal == kept.journal and end.seal and end.seq <= kept.place.seq
            ]
        holds = {one: _holds(store, kept, one, keys[kept.table]) for one in heard}
        found.append(
            Sealed(
                kept,
                max((one.seq for one, good in holds.items() if good), default=0),
                min((one.seq for one, good in holds.items() if not good), default=None),
            )
        )
    return found


def tell(first: Sequence[Sealed], last: Sequence[Sealed], found: Found, *, asked: Sequence[str]) -> None:
    """Adds what is wrong; ``asked`` are the tables that were asked for seals until the last look.

    A table that plays seals each of its transactions, some of them between two answers. So what was recorded at the
    first look must be sealed at the last; what came since need not.
    """
    wanted = {one.kept.id: one.kept.place.seq for one in first}
    for one in last:
        kept, problem = one.kept, ""
        rest = wanted.get(kept.id, 0)
        if one.wrong is not None:
            problem = (
                f"the seal of row {one.wrong} is by another key than that of the table: who wrote it does not have it"
            )
        elif not one.to:
            problem = "no seal by the key of the table was heard of it: it may be forged whole"
        elif one.to < rest and kept.table in asked and kept.fork_of is None:
            problem = f"rows {one.to + 1} to {rest} are under no seal, and the table gives none"
        elif one.to < rest:
            found.notes.append(f"{_name(kept)}: sealed up to row {one.to} of {rest}.")
        if problem:
            found.problems.append(f"{_name(kept)}: {problem}.")


def unsealed(looked: Sequence[Sealed]) -> bool:
    """Whether a journal has rows after the last one that is sealed."""
    return any(one.wrong is None and one.to < one.kept.place.seq for one in looked)


def _holds(store: Store, kept: Kept, anchor: Anchor, keys: Sequence[Key]) -> bool:
    return store.hash_at(kept, anchor.seq) in (None, anchor.hash) and any(anchor.holds(key) for key in keys)


def _name(kept: Kept) -> str:
    branch = f", version {kept.branch}" if kept.branch > 1 else ""
    return f"{kept.table}, journal {kept.journal[:12]}{branch}"
