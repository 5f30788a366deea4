"""How many there are of a thing, in words."""

from __future__ import annotations


def counted(number: int, thing: str) -> str:
    """`1 kill`, `2 kills`, `0 kills`: a thing of which several take an s."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
