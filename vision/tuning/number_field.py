"""A number by which the detector decides, as a field of a frozen value: its unit, its range and what it does."""

from __future__ import annotations

import dataclasses
from typing import Any, Literal

Unit = Literal["mm", "chips", "cards", "ms", "frames", "levels", "share"]
"""Chips and cards are areas of one; grey levels are of 255, after a blur of 5 px."""


def number(default: float, unit: Unit, least: float, most: float, meaning: str) -> Any:
    """A field that may be tuned between ``least`` and ``most``; ``meaning`` is a sentence for a person."""
    return dataclasses.field(default=default, metadata={"unit": unit, "least": least, "most": most, "meaning": meaning})
