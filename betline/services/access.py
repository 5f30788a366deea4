"""Whether the services' user can read a file, by owner, group and mode of it and of the folders above it."""

from __future__ import annotations

import pwd
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_READ: Final = 0o4
_ENTER: Final = 0o1


@dataclass(frozen=True, slots=True)
class Identity:
    """A user of this machine and its own group, by number."""

    user: int
    group: int


def identity_of(name: str) -> Identity | None:
    """The user of this name; None where it does not exist yet."""
    try:
        found = pwd.getpwnam(name)
    except KeyError:
        return None
    return Identity(found.pw_uid, found.pw_gid)


def shut_to(path: Path, who: Identity | None) -> Path | None:
    """The nearest folder that this user cannot enter, else the file where it cannot be read; None where it can.

    Without a user (it is made later) only what everybody may do counts. Raises OSError for what cannot be looked at.
    """
    real = path.resolve()
    shut = next((folder for folder in real.parents if not _may(folder, _ENTER, who)), None)
    return shut or (None if _may(real, _READ, who) else real)


def _may(path: Path, right: int, who: Identity | None) -> bool:
    status = path.stat()
    if who is not None and status.st_uid == who.user:
        right <<= 6
    elif who is not None and status.st_gid == who.group:
        right <<= 3
    return bool(status.st_mode & right)
