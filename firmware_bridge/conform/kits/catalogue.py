"""The kits by the name of their family."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from firmware_bridge.conform.kit import Kit
from firmware_bridge.conform.kits import bb, betline, chafon, feig, m6e, pn532

KITS: Final[Mapping[str, Kit]] = MappingProxyType(
    {one.name: one for one in (feig.KIT, pn532.KIT, bb.KIT, m6e.KIT, chafon.KIT, betline.KIT)}
)
