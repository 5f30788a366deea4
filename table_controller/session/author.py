"""Whose command it is, as far as that was proven at the door. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from betline.settings import Role


@dataclass(frozen=True, slots=True)
class Author:
    """Who asks for something; without a person nobody is signed in."""

    person: str = ""
    """The id that the journal knows this person by."""
    name: str = ""
    role: Role | None = None
    open_table: bool = False
    """Nobody of the staff is enrolled: everybody may do everything."""

    def may(self, roles: tuple[Role, ...]) -> bool:
        """Whether the author has one of these roles; without any, everybody may."""
        return self.open_table or not roles or self.role in roles


OPEN_TABLE: Final = Author(open_table=True)
NOBODY: Final = Author()
