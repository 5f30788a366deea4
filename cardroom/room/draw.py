"""Drawing by lot from a seed, so that anybody can check a draw: SHA-256 in counter mode and a Fisher-Yates shuffle.

No random generator of a language is used: whoever has a seed and this page can draw again with any program. The Nth
number below `most` is made from the first eight bytes of SHA-256 of ``SEED/N`` (UTF-8); numbers from the incomplete
last stretch of 2 ** 64 are thrown away and the next N is taken, so each is equally likely.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")
_WORD = 2**64


def numbers(seed: str) -> Iterator[int]:
    """Numbers of 64 bits, without end."""
    count = 0
    while True:
        yield int.from_bytes(hashlib.sha256(f"{seed}/{count}".encode()).digest()[:8], "big")
        count += 1


def drawn(seed: str, items: Sequence[Item]) -> tuple[Item, ...]:
    """The items in an order drawn by lot: each order is equally likely, the same seed gives the same one."""
    stream, rest = numbers(seed), list(items)
    for last in range(len(rest) - 1, 0, -1):
        fair = _WORD - _WORD % (last + 1)
        place = next(number for number in stream if number < fair) % (last + 1)
        rest[last], rest[place] = rest[place], rest[last]
    return tuple(rest)
