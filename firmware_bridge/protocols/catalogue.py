"""Families by the name that table files and the command line use."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from firmware_bridge.protocols.bb.family import BbFamily
from firmware_bridge.protocols.betline.family import BetlineFamily
from firmware_bridge.protocols.chafon.family import ChafonFamily
from firmware_bridge.protocols.family import Family
from firmware_bridge.protocols.feig.family import FeigFamily

FAMILIES: Final[Mapping[str, Family]] = MappingProxyType(
    {"feig": FeigFamily(), "bb": BbFamily(), "chafon": ChafonFamily(), "betline": BetlineFamily()}
)

PLANNED: Final = ("pn532", "m6e")
"""Families that have a name, but no codec yet."""


class UnknownFamilyError(ValueError):
    """No family has this name."""


class UnsupportedFamilyError(ValueError):
    """The family is known, but not supported yet."""


def family(name: str) -> Family:
    """The family called `name`. Raises UnknownFamilyError or UnsupportedFamilyError with a sentence for a human."""
    if name in FAMILIES:
        return FAMILIES[name]
    if name in PLANNED:
        supported = ", ".join(FAMILIES)
        raise UnsupportedFamilyError(f"readers of the family {name} are not supported yet; use one of: {supported}")
    known = ", ".join((*FAMILIES, *PLANNED))
    raise UnknownFamilyError(f"there is no reader family called {name!r}; the names are: {known}")
