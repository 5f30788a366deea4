"""In whose name the buttons of Home Assistant are pressed: one of the staff, whose PIN lies in a private file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from betline.login import LoginError, check_private
from betline.people.record import PIN, PIN_FORM


class PinError(Exception):
    """The PIN cannot be read; the text is a sentence that says what to do."""


@dataclass(frozen=True, slots=True)
class Person:
    """A person of the staff by name, and where the PIN lies. The PIN is read when it is proven and kept nowhere."""

    name: str
    pin_file: Path

    def pin(self) -> str:
        """The PIN as it stands in its file now; raises PinError."""
        try:
            check_private(self.pin_file)
            text = self.pin_file.read_text(encoding="utf-8").strip()
        except LoginError as error:
            raise PinError(str(error)) from None
        except (OSError, UnicodeDecodeError):
            raise PinError(f"{self.pin_file} cannot be read: write {self.name}'s PIN into it.") from None
        if not PIN.fullmatch(text):
            raise PinError(f"{self.pin_file} holds no PIN. {PIN_FORM}")
        return text
