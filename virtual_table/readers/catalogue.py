"""Virtual readers by the name of their family."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from virtual_table.readers.bb import VirtualBbReader
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.betline import VirtualBetlineReader
from virtual_table.readers.chafon import VirtualChafonReader
from virtual_table.readers.feig import VirtualFeigReader
from virtual_table.readers.field import TagsInField
from virtual_table.readers.m6e import VirtualM6eReader
from virtual_table.readers.pn532 import VirtualPn532Reader
from virtual_table.readers.reader import VirtualReader

READERS: Final[Mapping[str, type[VirtualReader]]] = MappingProxyType(
    {
        "feig": VirtualFeigReader,
        "pn532": VirtualPn532Reader,
        "bb": VirtualBbReader,
        "m6e": VirtualM6eReader,
        "chafon": VirtualChafonReader,
        "betline": VirtualBetlineReader,
    }
)


def virtual_reader(
    protocol: str, tags_in_field: TagsInField, behaviour: Behaviour | None = None, seed: int = 0
) -> VirtualReader:
    """A reader of the family `protocol`; raises KeyError for a name without a virtual reader."""
    return READERS[protocol](tags_in_field, behaviour, seed)
