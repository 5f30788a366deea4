"""The tags over a virtual reader's antennas."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

NEIGHBOUR_SIGNAL: Final = 0.35
"""A tag with a weaker signal than this lies beside the antenna, over a neighbour's zone."""


class FieldTag(NamedTuple):
    """One tag within reach of an antenna. A plain tuple of the first three will do."""

    uid: str
    """Upper-case hex. The air interface follows from its length: see `air`."""
    antenna: int = 1
    """Output of the reader, counted from 1."""
    signal: float = 1.0
    """How well it is coupled: 1 right above the antenna, below `NEIGHBOUR_SIGNAL` beside it, 0 out of reach."""
    pile: int = 1
    """How many tags its pile holds, itself included: tags that lie on each other detune each other."""


TagsInField = Callable[[], Iterable[tuple[str, int, float] | FieldTag]]
"""Called when an inventory begins; it must be quick and safe to call from the reader server's thread."""
