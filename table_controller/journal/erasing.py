"""Names are taken out of a journal's file, beside the one that writes its entries."""

from __future__ import annotations

import contextlib
import sqlite3
from dataclasses import replace
from pathlib import Path

from betline.options import default_key
from table_controller.journal import names, rows, seal
from table_controller.journal.reader import JournalReader
from table_controller.journal.seal import read_key, seal_in
from table_controller.journal.sentences import broken_at, sentences


def erase_names(path: Path, persons: tuple[str, ...], key: Path | None = None) -> bool:
    """Takes the names of some people out of a journal, also while a controller writes it; the entries stay.

    False where the file's log still holds them, since somebody reads it. Asked for nobody it clears the log.

    Raises JournalError: ``missing``, ``no-journal``, ``other-version``, ``no-key``, ``broken-seal``, ``damaged``,
    ``unwritable``.
    """
    JournalReader(path).close()
    with sentences(path), contextlib.closing(rows.to_write(path)) as database:
        return names.forget(database, persons, lambda: _seal_again(path, database, key))


def _seal_again(path: Path, database: sqlite3.Connection, key: Path | None) -> None:
    """Seals the names that are left; an older version has no seal."""
    sealed = seal_in(database)
    if sealed is None:
        return
    secret = read_key(key or default_key())
    if sealed.key != secret.id or not sealed.holds(secret):
        raise broken_at(path, None, "The key is not that of its seal.")
    seal.keep_seal(database, replace(sealed, names=secret.of_names(names.names_in(database))).made(secret))
