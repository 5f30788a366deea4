"""What a virtual reader's antennas have above them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

NEIGHBOUR_SIGNAL: Final = 0.35
"""A tag that is coupled more weakly than this lies beside the antenna, over a neighbour's zone."""


class FieldTag(NamedTuple):
    """One tag within reach of an antenna. A plain tuple of the same three will do."""

    uid: str
    """Hex; 16 digits make an ISO 15693 tag, any other even number an ISO 18000-3M3 tag with that EPC."""
    antenna: int = 1
    """Output of the reader, counted from 1."""
    signal: float = 1.0
    """How well it is coupled: 1 right above the antenna, below `NEIGHBOUR_SIGNAL` beside it, 0 out of reach."""


TagsInField = Callable[[], Iterable[tuple[str, int, float]]]
"""Called when an inventory begins; it must be quick and safe to call from the reader server's thread."""
