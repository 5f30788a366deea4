"""The arithmetic of a ruling as data: each step is made where its rule reckons, and whoever explains only prints it."""

from __future__ import annotations

from typing import NamedTuple


class Reckoned(NamedTuple):
    """One step: which rule reckons what, with which amounts, and what follows."""

    rule: str
    """Where it stands: `TDA-43`, or `R-061`."""
    what: str
    amounts: tuple[tuple[str, int], ...]
    """Names and whole chips; of a count, how many."""
    outcome: str


Reckoning = tuple[Reckoned, ...]
