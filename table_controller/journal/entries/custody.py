"""Entries about the journal and the programs that serve its table: which ones, with which key, since when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from table_controller.journal.entries.entry import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened(Entry):
    """The first entry: whose journal it is, and in which version it was begun."""

    kind: ClassVar[str] = "opened"
    table: str
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Started(Entry):
    """A controller has started."""

    kind: ClassVar[str] = "started"
    boot_id: str
    version: str
    config_hash: str
    resumed: bool
    key: str = ""
    """The name of the key that seals the journal, since version 4."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceStarted(Entry):
    """The program of a device of this table has started, or was there when the controller started; since version 4."""

    kind: ClassVar[str] = "device"
    name: str
    boot_id: str
    version: str
    config_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderKnown(Entry):
    """A reader of this table has said which one it is, or had when the controller started; since version 4."""

    kind: ClassVar[str] = "reader"
    name: str
    """Its name in the table file."""
    serial: str = ""
    """Its serial number, and the version of its firmware; empty where it does not say."""
    firmware: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed(Entry):
    """From here on the journal is sealed with this key, since version 4."""

    kind: ClassVar[str] = "sealed"
    key: str
    """The key's name, which does not give it away."""
    from_version: int
    """The version of the file before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted(Entry):
    """A person has accepted the journal as it stands, though something of it was missing or not proven."""

    kind: ClassVar[str] = "accepted"
    key: str
    sentence: str
    """What was wrong."""
    had: int = 0
    """How far the journal had come before its end was lost; 0 where none is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned(Entry):
    """Old hands were taken out: every entry after the first up to this number."""

    kind: ClassVar[str] = "pruned"
    up_to: int
    hash: str
    """The hash of the last entry that was taken out."""
    keep_days: int
