"""What a step of the wizard says when it fails: one sentence, and of a fault of the program the details in a file."""

from __future__ import annotations

import os
import traceback
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from betline.options import UserError, make_private_folder
from betline.settings import SettingsError
from betline.setup.question import AnswerError

FAULTS: Final = "faults.log"
"""In the table's folder: where each fault of the program came from; for its owner only."""


@dataclass(frozen=True, slots=True)
class Faults:
    """Who explains what went wrong in the set-up of the table in a folder."""

    folder: Path

    def sentence(self, error: Exception) -> str:
        """Why it failed; of what nobody at the table can mend also where the details were written."""
        if isinstance(error, UserError | SettingsError | AnswerError):
            return str(error)
        what = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(".: ")
        return f"A fault of the program stopped it ({what}); {self._kept(error)}, please report it."

    def _kept(self, error: Exception) -> str:
        path = self.folder / FAULTS
        try:
            make_private_folder(self.folder)
            with open(os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600), "a", encoding="utf-8") as file:
                file.write(f"{datetime.now().astimezone().isoformat(timespec='seconds')}\n")
                file.writelines(traceback.format_exception(error))
        except OSError as unwritable:
            return f"the details cannot be written to {path} ({unwritable.strerror})"
        return f"the details are in {path}"
