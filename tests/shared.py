"""Files that are dear to make and the same in every worker of a run: who asks first makes one, the others wait."""

from __future__ import annotations

import fcntl
import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

FOLDER: Final = "BETLINE_TESTS_SHARED"
"""The environment's name of the folder of one run; workers inherit it."""


def begin() -> tempfile.TemporaryDirectory[str] | None:
    """The folder of a run, for the program that begins it; None in its workers."""
    if "PYTEST_XDIST_WORKER" in os.environ and FOLDER in os.environ:
        return None
    folder = tempfile.TemporaryDirectory(prefix="betline-tests-shared-")
    os.environ[FOLDER] = folder.name
    return folder


def made_once(name: str, key: Iterable[object], make: Callable[[Path], None]) -> Path:
    """The file called `name` of this run: `make` writes it where none was made by this key yet."""
    told = hashlib.sha256("\0".join(map(str, (name, *key))).encode())
    folder = Path(os.environ[FOLDER]) / told.hexdigest()[:16]
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / name).exists():
            part = folder / "part"
            make(part)
            part.replace(folder / name)
    return folder / name
