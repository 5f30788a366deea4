"""Who of the staff may do what, and how they sign in: the tables ``[rights]`` and ``[sign_in]`` of a house-rules file.

They are no rules of the game: no hand is played by them, so they stand beside the house options and not among them.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from pydantic import Field, field_validator

from betline.settings.model import Settings

Role: TypeAlias = Literal["dealer", "floor", "technician"]
OTHER: Final = "other"
"""The entry of the rights for every command that has none of its own."""
USUAL_RIGHTS: Final = MappingProxyType[str, tuple[Role, ...]](
    {
        OTHER: ("dealer", "floor"),
        "recall": (),
        "override": ("floor",),
        "floor-decision": ("floor",),
        "reopen-award": ("floor",),
        "correct-record": ("floor",),
        "penalty": ("floor",),
        "fouled-deck": ("floor",),
        "color-up": ("floor",),
        "clock": ("floor",),
        "hold": ("floor",),
        "let-go": ("floor",),
        "last-two": ("floor",),
        "setup": ("floor", "technician"),
    }
)
"""By command the roles that may ask for it; none: everybody may, without signing in."""


class SignIn(Settings):
    """How staff sign in, and when they are locked out."""

    pin_tries: int = Field(default=5, ge=1, le=100, description="wrong PINs in a row before a person is locked out")
    lock_out_s: int = Field(default=300, ge=1, le=86_400, description="how long a person is locked out then")
    badge_s: int = Field(
        default=0, ge=0, le=86_400, description="how long a badge signs in after it was taken away; 0: not at all"
    )
    idle_s: int = Field(
        default=0, ge=0, le=86_400, description="a PIN signs out after so long without a command; 0: never by itself"
    )


class StaffRules(Settings):
    """The rights of the roles, and how people sign in."""

    rights: dict[str, tuple[Role, ...]] = Field(
        default_factory=lambda: dict(USUAL_RIGHTS),
        description="by command the roles that may ask for it; a command left out is as usual",
    )
    sign_in: SignIn = Field(default_factory=SignIn)

    @field_validator("rights")
    @classmethod
    def _over_the_usual(cls, rights: dict[str, tuple[Role, ...]]) -> dict[str, tuple[Role, ...]]:
        return {**USUAL_RIGHTS, **rights}

    def roles_for(self, verb: str) -> tuple[Role, ...]:
        """The roles that may ask for a command; none where everybody may."""
        return self.rights.get(verb, self.rights[OTHER])
