"""The journal's file: SQLite, append only, one writer.

WAL with synchronous=FULL, so that what ``append`` has returned survives a power cut. Triggers refuse to change or
delete an entry; where somebody did it all the same, the chain of hashes shows it, and the seal where the chain was
computed again (`journal.seal`). An end that is lost shows by the anchors beside the file (`journal.anchors`).
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Self

from betline.options import default_key, make_private_folder
from table_controller.journal import names, rows, schema, seal
from table_controller.journal.anchors import Anchor, AnchorFile
from table_controller.journal.chain import link, payload_of
from table_controller.journal.entries import Accepted, Entry, Opened, Recorded, Sealed
from table_controller.journal.errors import JournalError
from table_controller.journal.files import WriterLock, beside, real
from table_controller.journal.reader import anchors_in, emptied
from table_controller.journal.rows import BUSY_WAIT_S, VERSION
from table_controller.journal.schema import prepare, require_ours
from table_controller.journal.seal import Key, Seal, make_key, seal_in
from table_controller.journal.sentences import GO_ON, RESTORE, broken_at, sentences
from table_controller.journal.verify import (
    Head,
    accepted_loss,
    anchors_broken,
    follow,
    seal_broken,
)

NO_NAMES: Mapping[str, str] = MappingProxyType({})


class Journal:
    """The one writer of a table's journal. Open it with ``Journal.open``; it belongs to one thread at a time."""

    def __init__(
        self, path: Path, database: sqlite3.Connection, lock: WriterLock, key: Key, anchors: AnchorFile
    ) -> None:
        self._path = path
        self._database = database
        self._lock = lock
        self._key = key
        self._anchors = anchors
        self._head = Head()
        self._seal = Seal("", "", 0, "", "")
        self._seen = self._version = 0
        self._closed = False
        self._opened_at = Head()
        self._accepted: tuple[tuple[int, int], ...] = ()
        self.remarks: tuple[str, ...] = ()
        """What was noticed when it was opened that a person should know."""
        self.anchor_failures = 0
        """Anchors that could not be written; their entries were."""

    @classmethod
    def open(
        cls,
        path: Path,
        table: str,
        at_ms: int,
        mono_ns: int,
        *,
        key: Path | None = None,
        anchors: Path | None = None,
        published: Iterable[Anchor] = (),
        accept: bool = False,
    ) -> Self:
        """Opens or begins the journal of ``table`` (``site/name``) and checks that its newest part holds.

        That is the chain from the last checkpoint but one on, so that it takes no longer for a longer journal, the
        seal by the `key` (default the user's, made at first use), and the `anchors` (default beside the journal) with
        those that were `published`.
        With `accept` a lost end or a seal that does not hold is taken as it stands, and an entry says so.

        Raises JournalError: ``in-use``, ``no-journal``, ``other-version``, ``other-table``, ``broken-chain``,
        ``broken-seal``, ``cut-off``, ``no-key``, ``damaged``, ``unwritable``.
        """
        require_ours(path)
        where = anchors or beside(path, ".anchors")
        try:
            make_private_folder(real(path).parent)
            lock = WriterLock(path)
        except OSError as error:
            raise JournalError(
                "unwritable", f"The journal {path} cannot be written ({error.strerror}); name another with --journal."
            ) from None
        with contextlib.ExitStack() as undo:
            undo.callback(lock.close)
            known = anchors_in(where)
            if known and real(path).stat().st_size == 0:
                if lock.made:
                    real(path).unlink()
                raise emptied(path, where, known, gone=lock.made)
            with sentences(path):
                database = sqlite3.connect(
                    real(path), isolation_level=None, timeout=BUSY_WAIT_S, check_same_thread=False
                )
                undo.callback(database.close)
                version = prepare(path, database)
                secret = _key_for(key or default_key(), seal_in(database), accept=accept)
            try:
                anchor_file = AnchorFile(where)
            except OSError as error:
                raise JournalError(
                    "unwritable",
                    f"The anchors {where} cannot be written ({error.strerror}); name another file with --anchors.",
                ) from None
            undo.callback(anchor_file.close)
            journal = cls(path, database, lock, secret, anchor_file)
            with sentences(path):
                journal._take_up(version, table, (*known, *published), at_ms, mono_ns, accept=accept)
            undo.pop_all()
        return journal

    def _take_up(
        self, version: int, table: str, known: tuple[Anchor, ...], at_ms: int, mono_ns: int, *, accept: bool
    ) -> None:
        """Checks what is there, or begins it, and goes on from its end."""
        sealed = seal_in(self._database)
        chain = follow(self._database, sealed, rows.checked_from(self._database))
        if chain.broken is not None:
            raise JournalError(
                "broken-chain",
                f"The journal {self._path} was changed after it was written: {chain.broken} "
                f"Keep a copy for an inquiry. Restore a backup: {RESTORE} --journal {self._path}, or name another with "
                "--journal.",
            )
        self._head = self._opened_at = chain.head
        self._version = rows.data_version(self._database)
        if not chain.head.seq:
            if known:
                raise emptied(self._path, beside(self._path, ".anchors"), known, gone=False)
            self._seal = Seal("", self._key.id, 0, "", self._key.of_names({}))
            self.append((Opened(table=table, version=VERSION),), at_ms, mono_ns)
            self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()  # the file alone says whose it is
            return
        first = next(rows.entries(self._database, 0))
        rows.check_table(self._path, first, table)
        fresh = Seal(first.hash, self._key.id, chain.head.seq, chain.head.hash, "")
        self._seal = replace(sealed or fresh, names=self._key.of_names(names.names_in(self._database)))
        if sealed is None and version == VERSION:
            wrong: str | None = "Its seal is missing."
        elif sealed is None:
            wrong = "It was sealed before, and is not any more." if known else None
        else:
            wrong = seal_broken(self._database, sealed, self._key, chain.head)
        self._accepted = chain.accepted
        ours = [one for one in known if one.holds(self._key) and not accepted_loss(one, chain.accepted, self._hash_of)]
        by_anchors = anchors_broken(chain.head, first.hash, ours, self._hash_of)
        reached = max((one.seq for one in ours if one.journal == first.hash), default=0)
        had = reached if reached > chain.head.seq else 0
        if (wrong or by_anchors) and not accept:
            raise broken_at(self._path, by_anchors if had else None, wrong or by_anchors)
        if wrong or by_anchors:
            said = " ".join(one for one in (by_anchors, wrong) if one)
            (entry,) = self.append((Accepted(key=self._key.id, sentence=said, had=had),), at_ms, mono_ns)
            self._accepted = (*self._accepted, (entry.seq, had))
            self._anchor()
        elif sealed is None:
            self.append((Sealed(key=self._key.id, from_version=version),), at_ms, mono_ns)
        else:
            self._anchor()
            if not known:
                self.remarks = (_without_anchors(self._path),)

    @property
    def path(self) -> Path:
        """The journal's file."""
        return self._path

    @property
    def head(self) -> Head:
        """The newest entry."""
        return self._head

    @property
    def anchor(self) -> Anchor:
        """The newest entry with its seal, to be published."""
        return Anchor.of(self._key, self._seal.journal, self._head.seq, self._head.hash)

    @property
    def key_id(self) -> str:
        """The name of the key that seals it."""
        return self._key.id

    @property
    def id(self) -> str:
        """The hash of the first entry, by which the journal is known."""
        return self._seal.journal

    @property
    def opened_at(self) -> Head:
        """The newest entry when the journal was opened."""
        return self._opened_at

    def proves(self, anchor: Anchor) -> bool:
        """Whether an anchor was made with this journal's key."""
        return anchor.holds(self._key)

    def contradicted_by(self, published: Anchor) -> str | None:
        """What is wrong with the journal, as it was when it was opened, by an anchor of it; None where nothing is."""
        with sentences(self._path):
            if accepted_loss(published, self._accepted, self._hash_of):
                return None
            return anchors_broken(self._opened_at, self.id, (published,), self._hash_of)

    def append(
        self, entries: Iterable[Entry], at_ms: int, mono_ns: int, named: Mapping[str, str] = NO_NAMES
    ) -> tuple[Recorded, ...]:
        """Writes the entries of one step in one transaction; when it returns they survive a power cut.

        `named` are names of people, by person, that are kept with them and can be erased. Raises JournalError
        (``unwritable``, ``damaged``, ``broken-seal``); then none of them is in the journal.
        """
        seq, prev = self._head.seq, self._head.hash
        recorded: list[Recorded] = []
        added: list[tuple[int, int, int, str, str, str, str]] = []
        for entry in entries:
            seq += 1
            data = entry.data
            payload = payload_of(data)
            digest = link(prev, seq, at_ms, mono_ns, entry.kind, payload)
            added.append((seq, at_ms, mono_ns, entry.kind, payload, prev, digest))
            recorded.append(Recorded(seq, at_ms, mono_ns, entry.kind, data, prev, digest))
            prev = digest
        if not added:
            return ()
        with sentences(self._path), self._changing():
            self._database.executemany("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?)", added)
            names.keep(self._database, named)
            sealed = self._sealed(Head(seq, prev), names_changed=bool(named))
            seal.keep_seal(self._database, sealed)
        self._head, self._seal = Head(seq, prev), sealed
        self._anchor()
        return tuple(recorded)

    def prune(self, up_to: int, persons: Iterable[str]) -> str:
        """Takes out what comes after the first entry up to a number, and names of people; gives the last one's hash.

        The chain then begins there, and the seal says so. Raises JournalError as `append` does.
        """
        cut = self._hash_of(up_to)
        if cut is None or up_to >= self._head.seq:
            raise ValueError(f"a journal that ends at entry {self._head.seq} cannot be pruned up to {up_to}")
        with sentences(self._path):
            with self._changing():
                self._database.execute("DROP TRIGGER entry_is_kept")
                self._database.execute("DELETE FROM entry WHERE seq > 1 AND seq <= ?", (up_to,))
                self._database.execute(schema.KEPT)
                self._database.executemany("DELETE FROM person WHERE id = ?", [(person,) for person in persons])
                shorter = replace(self._seal, kept_after=up_to, kept_hash=cut)
                shorter = replace(shorter, names=self._key.of_names(names.names_in(self._database))).made(self._key)
                seal.keep_seal(self._database, shorter)
            self._seal = shorter
            self._database.execute("VACUUM")
            self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return cut

    @contextlib.contextmanager
    def _changing(self) -> Iterator[None]:
        """One transaction, over what this program or an eraser of names has sealed."""
        self._database.execute("BEGIN IMMEDIATE")
        try:
            self._heed_others()
            yield
            self._database.execute("COMMIT")
        except BaseException:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")
            raise

    def _sealed(self, head: Head, *, names_changed: bool) -> Seal:
        """The seal of a new head."""
        digest = self._key.of_names(names.names_in(self._database)) if names_changed else self._seal.names
        journal = self._seal.journal or head.hash
        return replace(self._seal, journal=journal, seq=head.seq, hash=head.hash, names=digest).made(self._key)

    def _heed_others(self) -> None:
        """Takes over what another program has sealed since, which can only be names that it erased.

        Raises JournalError (``broken-seal``) where something else was changed while the journal is written: to seal
        that would hide it.
        """
        version = rows.data_version(self._database)
        if version == self._version:
            return
        found = seal_in(self._database)
        wrong = "Its seal is gone." if found is None else seal_broken(self._database, found, self._key, self._head)
        if found is None or wrong is not None:
            raise broken_at(self._path, None, wrong)
        self._seal, self._version = found, version

    def _anchor(self) -> None:
        """Keeps the head outside the file. It is committed by then: a failure is counted and changes nothing."""
        try:
            self._anchors.write(self.anchor)
        except OSError:
            self.anchor_failures += 1

    def _hash_of(self, seq: int) -> str | None:
        row = self._database.execute("SELECT hash FROM entry WHERE seq = ?", (seq,)).fetchone()
        return None if row is None else str(row[0])

    def entries(self, after: int = 0) -> Iterator[Recorded]:
        """The entries in order, those after number ``after``."""
        with sentences(self._path):
            yield from rows.entries(self._database, after)

    def newest(self, kind: str, before: int | None = None, after: int = 0) -> Iterator[Recorded]:
        """The entries of a kind, the newest first; only those between two numbers where they are given."""
        with sentences(self._path):
            yield from rows.newest(self._database, kind, before, after)

    def names(self) -> dict[str, str]:
        """What people are called, by person."""
        with sentences(self._path):
            self._seen = rows.data_version(self._database)
            return names.names_in(self._database)

    @property
    def changed_by_another(self) -> bool:
        """Whether another program has changed the file since `names`: it can but erase some of them."""
        with sentences(self._path):
            return rows.data_version(self._database) != self._seen

    def close(self) -> None:
        """Closes the file and gives up the right to write; a second call does nothing."""
        if self._closed:
            return
        self._closed = True
        self._database.close()
        self._anchors.close()
        self._lock.close()


def _key_for(path: Path, sealed: Seal | None, *, accept: bool) -> Key:
    """The key of a journal; it is made for one that has no seal, or goes on with a new one."""
    if sealed is not None and not path.exists() and not accept:
        raise JournalError(
            "no-key",
            f"There is no key {path}, and the journal is sealed with the key {sealed.key}: restore it, name it with "
            f"--key, or go on with a new one: {GO_ON}.",
        )
    return make_key(path)


def _without_anchors(path: Path) -> str:
    return (
        f"The anchors beside the journal {path} are gone: entries that were lost at its end would not show. "
        "Compare it with a backup; new anchors are kept from now on."
    )
