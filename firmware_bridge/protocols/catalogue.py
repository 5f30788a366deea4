"""Families by the name that table files and the command line use."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from firmware_bridge.protocols.bb.family import BbFamily
from firmware_bridge.protocols.betline.family import BetlineFamily
from firmware_bridge.protocols.chafon.family import ChafonFamily
from firmware_bridge.protocols.family import Configurable, Family
from firmware_bridge.protocols.feig.family import FeigFamily
from firmware_bridge.protocols.m6e.family import M6eFamily
from firmware_bridge.protocols.pn532.family import Pn532Family
from firmware_bridge.protocols.settings import SettingValue, checked

FAMILIES: Final[Mapping[str, Family]] = MappingProxyType(
    {
        "feig": FeigFamily(),
        "pn532": Pn532Family(),
        "bb": BbFamily(),
        "m6e": M6eFamily(),
        "chafon": ChafonFamily(),
        "betline": BetlineFamily(),
    }
)


class UnknownFamilyError(ValueError):
    """No family has this name."""


def family(name: str) -> Family:
    """The family called `name`. Raises UnknownFamilyError with a sentence for a human."""
    if name in FAMILIES:
        return FAMILIES[name]
    raise UnknownFamilyError(f"there is no reader family called {name!r}; the names are: {', '.join(FAMILIES)}")


def configured(name: str, values: Mapping[str, SettingValue]) -> Family:
    """The family called `name`, of readers with these settings. Raises UnknownFamilyError and SettingError."""
    plain = family(name)
    checked(name, plain.traits.settings, values)
    return plain.configured(values) if values and isinstance(plain, Configurable) else plain
