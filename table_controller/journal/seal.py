"""Seals: codes that only who has the key can make, so that a journal that was written anew shows.

A chain of hashes shows what was changed by somebody who left the rest alone; whoever computes it again from there on
leaves no trace in it. A seal is an HMAC-SHA-256 (RFC 2104) under a key that is kept outside the journal. Sealed are the
newest entry, where the journal begins (entries before that may have been pruned), and the names of the people. The
seal of the newest entry alone is also published; it proves later how far the journal had come.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from betline.options import make_private_folder
from table_controller.journal.chain import GENESIS, payload_of
from table_controller.journal.errors import JournalError
from table_controller.journal.files import OWNER_ONLY

KEY_BYTES = 32
SCHEMA = """
CREATE TABLE seal (
    id         INTEGER PRIMARY KEY CHECK (id = 1),
    journal    TEXT NOT NULL,
    key        TEXT NOT NULL,
    kept_after INTEGER NOT NULL,
    kept_hash  TEXT NOT NULL,
    seq        INTEGER NOT NULL,
    hash       TEXT NOT NULL,
    names      TEXT NOT NULL,
    mac        TEXT NOT NULL
) STRICT;
"""
_COLUMNS = "journal, key, kept_after, kept_hash, seq, hash, names, mac"


@dataclass(frozen=True, slots=True)
class Key:
    """The key of the seals; `id` names it and does not give it away."""

    secret: bytes = field(repr=False)

    @property
    def id(self) -> str:
        """What the key is called in journals that it seals."""
        return hashlib.sha256(b"betline key\n" + self.secret).hexdigest()[:16]

    def code(self, *parts: object) -> str:
        """The code of some texts and numbers; none of them holds a line break."""
        return hmac.digest(self.secret, "\n".join(map(str, parts)).encode(), "sha256").hex()

    def of_head(self, journal: str, seq: int, digest: str) -> str:
        """The published seal of an entry."""
        return self.code("head", journal, seq, digest)

    def of_names(self, names: Mapping[str, str]) -> str:
        """The code of the table of names; it tells nobody without the key which names these are."""
        return self.code("names", payload_of(names))


def read_key(path: Path) -> Key:
    """The key in a file; raises JournalError (``no-key``) where there is none that can be used."""
    try:
        if path.stat().st_mode & 0o077:
            path.chmod(OWNER_ONLY)
        secret = bytes.fromhex(path.read_text(encoding="ascii"))
    except FileNotFoundError:
        raise JournalError("no-key", f"There is no key {path}; name the journal's key with --key.") from None
    except (OSError, ValueError) as error:
        raise JournalError(
            "no-key", f"The key {path} cannot be read ({error}); restore it, or name another with --key."
        ) from None
    if len(secret) != KEY_BYTES:
        raise JournalError(
            "no-key",
            f"The key {path} has {len(secret)} bytes, not {KEY_BYTES}; restore it, or name another with --key.",
        )
    return Key(secret)


def make_key(path: Path) -> Key:
    """The key in a file, which is made where it is missing; of two who make it at once both get the same."""
    if path.exists():
        return read_key(path)
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.part")
    try:
        make_private_folder(path.parent)
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(f"{secrets.token_hex(KEY_BYTES)}\n")
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(part, path)
    except OSError as error:
        raise JournalError(
            "no-key", f"The key {path} cannot be made ({error.strerror}); name another place with --key."
        ) from None
    finally:
        part.unlink(missing_ok=True)
    return read_key(path)


@dataclass(frozen=True, slots=True)
class Seal:
    """What of a journal is sealed. `journal` is its first entry's hash, by which it is known."""

    journal: str
    key: str
    seq: int
    hash: str
    names: str
    kept_after: int = 1
    """After the first entry those up to this number were pruned; 1 where none were."""
    kept_hash: str = GENESIS
    """The hash of the last one that was pruned."""
    mac: str = ""

    def made(self, key: Key) -> Self:
        """The same with the code of a key."""
        return replace(self, key=key.id, mac=key.code("seal", *self._parts(key.id)))

    def holds(self, key: Key) -> bool:
        """Whether the code is this key's."""
        return hmac.compare_digest(self.mac, key.code("seal", *self._parts(key.id)))

    def _parts(self, key: str) -> tuple[object, ...]:
        return (self.journal, key, self.kept_after, self.kept_hash, self.seq, self.hash, self.names)


def seal_in(database: sqlite3.Connection) -> Seal | None:
    """The seal of a journal; None for one of an older version."""
    if not database.execute("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'seal'").fetchone():
        return None
    row = database.execute(f"SELECT {_COLUMNS} FROM seal WHERE id = 1").fetchone()
    if row is None:
        return None
    journal, key, kept_after, kept_hash, seq, digest, names, mac = row
    return Seal(journal, key, seq, digest, names, kept_after, kept_hash, mac)


def keep_seal(database: sqlite3.Connection, seal: Seal) -> None:
    """Keeps the seal, within the transaction of what it seals."""
    row = (1, seal.journal, seal.key, seal.kept_after, seal.kept_hash, seal.seq, seal.hash, seal.names, seal.mac)
    database.execute(f"INSERT OR REPLACE INTO seal (id, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
