"""A journal's file, held against the database entry by entry."""

from __future__ import annotations

from pathlib import Path

from cardroom.record.errors import RecordError
from cardroom.record.store import Kept, Store
from cardroom.record.verify import Found
from table_controller.journal.errors import JournalError
from table_controller.journal.reader import JournalReader


def against_file(store: Store, path: Path, key: Path | None, found: Found) -> None:
    """Compares each entry of a file by its hash. Raises RecordError (``no-journal``) where it cannot be read."""
    try:
        with JournalReader(path) as reader:
            verdict = reader.verify(key)
            if not verdict.ok:
                found.problems.append(f"{path}: {verdict.sentence}")
                return
            hashes = {recorded.seq: recorded.hash for recorded in reader.entries()}
    except JournalError as error:
        raise RecordError("no-journal", str(error)) from None
    newest: dict[str, Kept] = {kept.journal: kept for kept in store.journals()}
    kept = newest.get(hashes.get(1, ""))
    if kept is None:
        found.problems.append(f"{path}: nothing of it is recorded.")
        return
    found.compared += 1
    for seq, digest in hashes.items():
        ours = store.hash_at(kept, seq)
        if ours is None and seq > kept.place.seq:
            found.problems.append(f"{path}: entries {seq} to {max(hashes)} are not recorded.")
            return
        if ours is not None and ours != digest:
            found.problems.append(f"{path}: entry {seq} is not the one that is recorded.")
            return
