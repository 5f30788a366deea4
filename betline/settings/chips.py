"""The chip set in force: which chip types exist, how they look and what each is worth tonight."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from betline.settings.model import Settings

Colour = str


class ChipType(Settings):
    """One denomination: the register names a chip's type by ``key``, the set says what that type is worth."""

    key: str = Field(pattern=r"^[a-z0-9-]+$", description="name of the type, as the chip register knows it")
    value: int = Field(gt=0, description="worth in the table's smallest unit")
    colour: Colour = Field(pattern=r"^#[0-9a-f]{6}$", description="face colour as the camera sees it")
    edge_colour: Colour = Field(pattern=r"^#[0-9a-f]{6}$", description="colour of the edge spots")


class ChipSet(Settings):
    """The chips that play at a table; the same red chip may be 5 tonight and 500 in a tournament."""

    name: str
    diameter_mm: float = Field(default=39.0, gt=20, lt=60, description="diameter of every chip of the set")
    thickness_mm: float = Field(default=3.3, gt=1, lt=6, description="thickness of one chip")
    chips: tuple[ChipType, ...] = Field(min_length=1, description="the denominations, lowest first")

    @model_validator(mode="after")
    def _each_once_and_rising(self) -> Self:
        values = [chip.value for chip in self.chips]
        if values != sorted(set(values)):
            raise ValueError("the values of the chips must rise from the first to the last")
        if len({chip.key for chip in self.chips}) != len(self.chips):
            raise ValueError("a key stands twice among the chips")
        return self

    def value_of(self, key: str) -> int | None:
        """The worth of a chip type in the smallest unit, or None where the set does not have it."""
        return next((chip.value for chip in self.chips if chip.key == key), None)
