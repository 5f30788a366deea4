"""Whether a journal is as it was written: its chain, its seal, and the anchors that were kept outside it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from table_controller.journal import names
from table_controller.journal.anchors import Anchor
from table_controller.journal.chain import GENESIS, digest_of, link
from table_controller.journal.entries import Accepted, Checkpoint
from table_controller.journal.opened_cards import cards_broken
from table_controller.journal.rows import COLUMNS
from table_controller.journal.seal import Key, Seal, seal_in

AS_WRITTEN = "Every entry is as it was written."
TRIGGERS = frozenset({"entry_stays", "entry_is_kept"})


@dataclass(frozen=True, slots=True)
class Head:
    """The newest entry's number and hash; who keeps it can prove later that nothing was cut off."""

    seq: int = 0
    hash: str = GENESIS


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found: the entries that hold, the first that does not with what is wrong, and how much was checked."""

    entries: int
    head: Head
    broken_seq: int | None = None
    sentence: str = AS_WRITTEN
    sealed: bool = False
    """The seal was checked with the key."""
    anchors: int = 0
    """Anchors against which the journal was held."""
    pruned: int = 0
    """Up to this entry the journal was pruned; 0 where it is whole."""
    notes: tuple[str, ...] = ()
    """What could not be checked, and what was accepted."""

    @property
    def ok(self) -> bool:
        """Whether all that was checked holds."""
        return self.broken_seq is None


@dataclass(frozen=True, slots=True)
class Chain:
    """The chain as far as it holds, and the entries by which a person accepted that some were missing."""

    head: Head
    broken: str | None = None
    accepted: tuple[tuple[int, int], ...] = ()
    """Of each its number, and how far the journal had come before."""


NamesOf = Callable[[sqlite3.Connection], Mapping[str, str]]
"""Reads the names of people that a file keeps beside its entries: a cardroom's journal has more tables of them."""


def verify(
    database: sqlite3.Connection, key: Key | None, anchors: Iterable[Anchor], names_of: NamesOf = names.names_in
) -> Verdict:
    """Checks everything: the file's pages, the chain, checkpoints, opened cards, seal, names and anchors.

    What cannot be checked without a key or an anchor is in the notes. Raises sqlite3.DatabaseError.
    """
    database.execute("BEGIN")
    try:
        sound = database.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if sound != "ok":
            raise sqlite3.DatabaseError(sound)
        seal = seal_in(database)
        chain = follow(database, seal, digests=True)
        pruned = seal.kept_after if seal is not None and seal.kept_after > 1 else 0
        found = Verdict(chain.head.seq, chain.head, pruned=pruned)
        if chain.broken is not None:
            return _broken(found, chain.head.seq + 1, chain.broken)
        opened = cards_broken(database)
        if opened is not None:
            return _broken(found, *opened)
        if TRIGGERS - {name for (name,) in database.execute("SELECT name FROM sqlite_schema")}:
            found = _noted(found, "The triggers that keep its entries are gone: another program has had it open.")
        if seal is None:
            return _noted(
                found, "It has no seal: an older version wrote it. The next controller that opens it seals it."
            )
        found = _against_seal(database, found, seal, key, names_of)
        return _against_anchors(database, found, seal, key, anchors, chain.accepted) if found.ok else found
    except (TypeError, ValueError) as error:  # a damaged page holds values of any kind
        raise sqlite3.DatabaseError(str(error)) from None
    finally:
        database.execute("COMMIT")


def follow(database: sqlite3.Connection, seal: Seal | None, first: int = 1, *, digests: bool = False) -> Chain:
    """Follows the chain from an entry on; ``digests``: and holds every checkpoint against its own."""
    head = Head()
    accepted: list[tuple[int, int]] = []
    rows = database.execute(f"{COLUMNS} WHERE seq >= ? ORDER BY seq", (first,))
    for seq, at_ms, mono_ns, kind, payload, prev, digest in rows:
        if seq == first > 1:
            head = Head(seq - 1, prev)
        if seal is not None and head.seq == 1 < seal.kept_after:
            head = Head(seal.kept_after, seal.kept_hash)
        if seq != head.seq + 1:
            return Chain(head, f"Entry {head.seq + 1} is missing.")
        if prev != head.hash:
            return Chain(head, f"Entry {seq} does not follow from entry {head.seq}.")
        if digest != link(prev, seq, at_ms, mono_ns, kind, payload):
            return Chain(head, f"Entry {seq} does not have the content that its hash was made of.")
        if digests and kind == Checkpoint.kind and not _digest_holds(payload):
            return Chain(head, f"Entry {seq}, a checkpoint, does not have the content that its digest was made of.")
        if kind == Accepted.kind:
            accepted.append((seq, _had(payload)))
        head = Head(seq, digest)
    return Chain(head, accepted=tuple(accepted))


def seal_broken(
    database: sqlite3.Connection, seal: Seal, key: Key, head: Head, names_of: NamesOf = names.names_in
) -> str | None:
    """What is wrong with the end of a chain or the names by their seal, as a sentence; None where it holds."""
    if seal.key != key.id:
        return f"Its seal is of the key {seal.key}, and the key that was given is {key.id}."
    if not seal.holds(key):
        return f"The seal of entry {seal.seq} was not made with the key."
    if seal.seq > head.seq:
        return f"The journal ends at entry {head.seq}; it was sealed at {seal.seq}: {_missing(head.seq + 1, seal.seq)}."
    if seal.seq < head.seq:
        return f"Entries {seal.seq + 1} to {head.seq} were added without the key."
    if seal.hash != head.hash:
        return f"Entry {head.seq} is not the one that was sealed: the journal was written anew."
    if seal.names != key.of_names(names_of(database)):
        return "The names of the people are not those that were sealed."
    return None


def anchors_broken(
    head: Head, journal: str, anchors: Iterable[Anchor], hash_of: Callable[[int], str | None]
) -> str | None:
    """What is wrong with a chain by its anchors, as a sentence; `hash_of` gives an entry's hash, None where pruned."""
    ours = [one for one in anchors if one.journal == journal]
    furthest = max((one.seq for one in ours), default=0)
    if furthest > head.seq:
        gone = _missing(head.seq + 1, furthest)
        return f"The journal ends at entry {head.seq}; the table had reached {furthest}: {gone}."
    for one in ours:
        found = hash_of(one.seq)
        if found is not None and found != one.hash:
            return f"Entry {one.seq} is not the one whose seal was published: the journal was written anew."
    return None


def _missing(first: int, last: int) -> str:
    return f"entry {first} is missing" if first == last else f"entries {first} to {last} are missing"


def accepted_loss(
    anchor: Anchor, accepted: Iterable[tuple[int, int]], hash_of: Callable[[int], str | None]
) -> tuple[int, int] | None:
    """The first and the last of the lost entries that an anchor is of, where a person has accepted their loss."""
    lost = next(((seq, had) for seq, had in accepted if seq <= anchor.seq <= had), None)
    return None if hash_of(anchor.seq) == anchor.hash else lost


def _against_seal(
    database: sqlite3.Connection, so_far: Verdict, seal: Seal, key: Key | None, names_of: NamesOf
) -> Verdict:
    if key is None:
        return _noted(so_far, "Its seal was not checked, as its key is not here: name it with --key.")
    wrong = seal_broken(database, seal, key, so_far.head, names_of)
    if wrong is not None:
        return _broken(so_far, min(so_far.head.seq, seal.seq) + 1, wrong)
    return replace(so_far, sealed=True)


def _against_anchors(
    database: sqlite3.Connection,
    so_far: Verdict,
    seal: Seal,
    key: Key | None,
    anchors: Iterable[Anchor],
    accepted: tuple[tuple[int, int], ...],
) -> Verdict:
    def hash_of(seq: int) -> str | None:
        row = database.execute("SELECT hash FROM entry WHERE seq = ?", (seq,)).fetchone()
        return row[0] if row is not None else None

    ours = [one for one in anchors if one.journal == seal.journal]
    proven = [one for one in ours if key is None or one.holds(key)]
    lost = {one: span for one in proven if (span := accepted_loss(one, accepted, hash_of)) is not None}
    held = [one for one in proven if one not in lost]
    notes = list(so_far.notes)
    if len(proven) < len(ours):
        notes.append(f"{len(ours) - len(proven)} anchors were not made with its key and prove nothing.")
    for first, last in sorted(set(lost.values())):
        notes.append(f"Of an earlier end {_missing(first, last)}; a person accepted that.")
    if not held:
        notes.append("No anchor of it was found: a lost end would not show. Name a file of them with --anchors.")

    found = anchors_broken(so_far.head, seal.journal, held, hash_of)
    checked = replace(so_far, anchors=len(held), notes=tuple(notes))
    if found is None:
        return checked
    furthest = max(one.seq for one in held)
    return _broken(checked, so_far.head.seq + 1 if furthest > so_far.head.seq else furthest, found)


def _noted(so_far: Verdict, note: str) -> Verdict:
    return replace(so_far, notes=(*so_far.notes, note))


def _broken(so_far: Verdict, seq: int, sentence: str) -> Verdict:
    return replace(so_far, broken_seq=seq, sentence=sentence)


def _had(payload: str) -> int:
    """How far a journal had come, by the entry with which its loss was accepted."""
    try:
        return int(json.loads(payload).get("had", 0))
    except (ValueError, TypeError, AttributeError):
        return 0


def _digest_holds(payload: str) -> bool:
    try:
        data = json.loads(payload)
        return bool(digest_of(data["content"]) == data["digest"])
    except (ValueError, KeyError, TypeError):
        return False
