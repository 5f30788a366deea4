"""The chip register: which chip type a UID is. A chip's worth comes from here and the chip set, never from the tag.

The register is an SQLite file; the demonstration and tests bring theirs as JSON lines,
`{"uid": ..., "chip_type": ...}`. It is read as a whole when the bridge starts: a house has some ten thousand chips.
"""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

SCHEMA_VERSION: Final = 1
_SCHEMA: Final = """
CREATE TABLE chips (
    uid TEXT PRIMARY KEY CHECK (uid = upper(uid)),
    chip_type TEXT NOT NULL
) STRICT, WITHOUT ROWID
"""
_UID: Final = re.compile(r"^[0-9A-F]{8,}$")
_SQLITE_MAGIC: Final = b"SQLite format 3\x00"


class RegisterError(Exception):
    """The register cannot be used; the text says what to do."""


class ChipRegister:
    """An immutable lookup from UID to chip type, the key of a denomination in a chip set."""

    def __init__(self, chips: Mapping[str, str] | None = None) -> None:
        self._chips: Mapping[str, str] = MappingProxyType(dict(chips or {}))

    def __len__(self) -> int:
        return len(self._chips)

    def chip_type(self, uid: str) -> str | None:
        """The chip's type; None for a UID that the house does not know."""
        return self._chips.get(uid)


def load_register(path: Path) -> ChipRegister:
    """Read a register, whatever its form. Raises RegisterError."""
    try:
        with path.open("rb") as file:
            is_database = file.read(len(_SQLITE_MAGIC)) == _SQLITE_MAGIC
    except OSError as error:
        raise RegisterError(f"The chip register {path} cannot be read: {error.strerror}.") from None
    return ChipRegister(_from_database(path) if is_database else _from_lines(path))


def write_register(path: Path, chips: Iterable[tuple[str, str]]) -> None:
    """Make a new register file of (UID, chip type) pairs. Raises RegisterError, and then leaves no file."""
    fresh = path.with_name(f".{path.name}.new")
    fresh.unlink(missing_ok=True)
    try:
        with contextlib.closing(sqlite3.connect(fresh)) as database:
            database.execute(_SCHEMA)
            database.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            database.executemany("INSERT INTO chips VALUES (?, ?)", chips)
            database.commit()
        fresh.replace(path)
    except (sqlite3.Error, OSError) as error:
        fresh.unlink(missing_ok=True)
        raise RegisterError(f"The chip register {path} cannot be written: {error}.") from None


def _from_database(path: Path) -> dict[str, str]:
    try:
        with contextlib.closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as database:
            version = database.execute("PRAGMA user_version").fetchone()[0]
            if version != SCHEMA_VERSION:
                raise RegisterError(
                    f"The chip register {path} is of version {version}, this program reads {SCHEMA_VERSION}: "
                    "use the program that wrote it."
                )
            return dict(database.execute("SELECT uid, chip_type FROM chips"))
    except sqlite3.Error as error:
        raise RegisterError(f"The chip register {path} cannot be read: {error}.") from None


def _from_lines(path: Path) -> dict[str, str]:
    chips: dict[str, str] = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise RegisterError(f"The chip register {path} is neither an SQLite file nor JSON lines.") from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            uid, chip_type = entry["uid"], entry["chip_type"]
        except (ValueError, TypeError, KeyError):
            uid = chip_type = None
        if not isinstance(uid, str) or not _UID.match(uid) or not isinstance(chip_type, str):
            raise RegisterError(
                f'The chip register {path}, line {number}: expected {{"uid": "E004...", "chip_type": "red-5"}}.'
            )
        if chips.setdefault(uid, chip_type) != chip_type:
            raise RegisterError(f"The chip register {path}, line {number}: {uid} is there twice with different types.")
    return chips
