"""What the families of readers are, as far as a table file must fit them (hardware_docs/readers.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal, get_args

FamilyName = Literal["feig", "pn532", "bb", "m6e", "chafon", "betline"]
Air = Literal["hf", "nfc", "uhf"]


@dataclass(frozen=True, slots=True)
class ReaderFamily:
    """One family: which tags it reads (chips of one table need one air), antenna outputs, usual speed of its line."""

    air: Air
    antennas: int
    baud: int


FAMILIES: Mapping[FamilyName, ReaderFamily] = MappingProxyType(
    {
        "feig": ReaderFamily("hf", 8, 115200),
        "pn532": ReaderFamily("nfc", 1, 115200),
        "bb": ReaderFamily("uhf", 1, 115200),
        "m6e": ReaderFamily("uhf", 4, 115200),
        "chafon": ReaderFamily("uhf", 8, 57600),
        "betline": ReaderFamily("hf", 8, 115200),
    }
)
BY_ID = Path("/dev/serial/by-id")
"""Where Linux names serial ports by what is plugged in."""
FAMILY_NAMES: tuple[FamilyName, ...] = get_args(FamilyName)
