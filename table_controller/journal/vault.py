"""What opens the seals of the hand in progress, in a file beside the journal that its owner alone may read.

It is written before the entries that hold the seals, so that a controller that was killed knows the cards; once the
next hand begins it is empty. Backups of the journal do not have it.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from pathlib import Path

from table_controller.cards.seals import Secret
from table_controller.journal.errors import JournalError
from table_controller.journal.files import OWNER_ONLY, beside


class Vault:
    """The secrets of one table's hand."""

    def __init__(self, journal: Path) -> None:
        self.path = beside(journal, ".cards")

    def read(self) -> dict[str, Secret]:
        """What was kept, by seal; nothing where the file is missing or holds anything else."""
        try:
            found = json.loads(self.path.read_text(encoding="ascii"))
            return {seal: Secret(salt, cards) for seal, (salt, cards) in found.items()}
        except (OSError, ValueError, TypeError, AttributeError):
            return {}

    def keep(self, secrets: Mapping[str, Secret]) -> None:
        """Keeps these and nothing else; raises JournalError (``unwritable``)."""
        part = self.path.with_name(f"{self.path.name}.part")
        try:
            if not secrets:
                self.path.unlink(missing_ok=True)
                return
            with contextlib.suppress(FileNotFoundError):
                part.unlink()
            descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                json.dump({seal: (one.salt, one.cards) for seal, one in secrets.items()}, file)
                file.flush()
                os.fsync(file.fileno())
            part.replace(self.path)
        except OSError as error:
            raise JournalError(
                "unwritable", f"The cards of the hand cannot be kept in {self.path} ({error.strerror}): make room."
            ) from None
