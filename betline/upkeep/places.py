"""Where Betline keeps what is a table's own: a user's folders, or those of the system's services."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import platformdirs

JOURNAL_KEY: Final = "journal.key"


@dataclass(frozen=True, slots=True)
class Places:
    """The folder of what programs write (journals, key, chip register, calibration) and that of what people write."""

    state: Path
    config: Path

    @property
    def own_key(self) -> Path | None:
        """The journals' key, None where none was made yet."""
        key = self.state / JOURNAL_KEY
        return key if key.exists() else None


SYSTEM: Final = Places(Path("/var/lib/betline"), Path("/etc/betline"))
"""The folders of services that `betline install --system` has set up."""


def usual(*, system: bool = False) -> Places:
    """The system's folders, or this user's."""
    if system:
        return SYSTEM
    return Places(
        Path(platformdirs.user_state_dir("betline", appauthor=False)),
        Path(platformdirs.user_config_dir("betline", appauthor=False)),
    )
