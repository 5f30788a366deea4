"""What a backup asks of the room that owns the journals."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol, cast

_MODULE: Final = "table_controller.journal.upkeep"


@dataclass(frozen=True, slots=True)
class Copied:
    """What was found of a copy: how many entries hold, the newest one's hash, and what is wrong, if anything."""

    entries: int
    head: str
    fault: str | None = None


class Journals(Protocol):
    """Copies, checks and replaces journals; raises UpkeepError."""

    def is_journal(self, path: Path) -> bool:
        """Whether a file is a journal."""
        ...

    def copy(self, path: Path, to: Path, key: Path | None) -> Copied:
        """Copies a journal, also while a controller writes it, and checks the copy."""
        ...

    def check(self, path: Path, key: Path | None) -> Copied:
        """Checks the whole chain, the seal and the names."""
        ...

    def renew(self, path: Path, key: Path | None) -> None:
        """Opens a journal to write, which gives it the form of this version."""
        ...

    def require_unused(self, path: Path) -> None:
        """Raises UpkeepError while a controller writes this journal."""
        ...

    def put(self, path: Path, copy: Path, now_ms: int, key: Path | None) -> Path | None:
        """Puts a copy in a journal's place; gives where the journal from before is now."""
        ...


def journals() -> Journals:
    """The room's own module."""
    return cast("Journals", importlib.import_module(_MODULE))
