"""A draw of seats as anybody can make it again: the list, the seed, and the digest that was told before. Pure.

Before a list closes the house tells the SHA-256 of the seed of its next draw; after the draw it tells the seed. So
nobody can look for a seed that pleases: only one text has that digest. Who has the list and the seed draws the same.

Who can read the seed knows the draw of a list before it closes. So a second part may come from what nobody knew then:
dice that are thrown before everybody once the list has closed (`Seed.public`). Those who saw them know whether what was
keyed is what they showed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from cardroom.room.draw import drawn
from cardroom.room.errors import RoomError
from cardroom.room.events import Place


@dataclass(frozen=True, slots=True)
class Seed:
    """From what is drawn; `named`: a person said it, so it was not by lot."""

    text: str
    named: bool = False
    public: str = ""
    """What chance said before everybody once the list had closed; empty where nothing was said."""

    @property
    def whole(self) -> str:
        """What lots are drawn from: the text alone, or with what was said in public."""
        return f"{self.text}+{self.public}" if self.public else self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawList:
    """What is drawn: who, for which seats."""

    players: tuple[str, ...]
    """By id, in their order."""
    open: Mapping[str, tuple[int, ...]]
    """Table: its open seats, in their order."""
    sit: Mapping[str, int]
    """Table: how many sit there already."""
    level: bool = True
    """The tables come out as level as can be; else every open seat is as likely."""


def digest_of(seed: str) -> str:
    """What is told of a seed before the draw: the SHA-256 of its text (UTF-8)."""
    return hashlib.sha256(seed.encode()).hexdigest()


def placed(seed: str, given: DrawList) -> tuple[tuple[str, Place], ...]:
    """Seats by lot, then players by lot, who take them in that order (TDA 10). Raises RoomError (`no-seat`)."""
    free = {table: list(drawn(f"{seed}/seats/{table}", given.open[table])) for table in sorted(given.open)}
    there = sum(map(len, free.values()))
    if there < len(given.players):
        raise RoomError("no-seat", f"{len(given.players)} players need seats and {there} are open; open a table first.")
    if given.level:
        places = _levelled(seed, given, free)
    else:
        everywhere = [Place(table, seat) for table, seats in sorted(free.items()) for seat in sorted(seats)]
        places = list(drawn(f"{seed}/places", everywhere))[: len(given.players)]
    in_order = drawn(f"{seed}/places", sorted(places))
    return tuple(zip(drawn(f"{seed}/players", sorted(given.players)), in_order, strict=True))


def _levelled(seed: str, given: DrawList, free: Mapping[str, list[int]]) -> list[Place]:
    """Seats one by one at the shortest table that has one; which of several is drawn once for all."""
    counts = {table: given.sit.get(table, 0) for table in free}
    rank = {table: place for place, table in enumerate(drawn(f"{seed}/tables", sorted(free)))}
    left = {table: list(seats) for table, seats in free.items()}
    places = []
    for _ in given.players:
        table = min((one for one in left if left[one]), key=lambda one: (counts[one], rank[one]))
        places.append(Place(table, left[table].pop()))
        counts[table] += 1
    return places
