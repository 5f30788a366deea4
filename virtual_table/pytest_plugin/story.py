"""The story of a test: what people did, what sensors said, what was keyed, ruled, told and asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from betline import topics
from betline.bus import Bus, Received
from betline.messages.common import Body
from betline.messages.devices import ZoneChips
from virtual_table.play.telling import Listener, news, sensed, told
from virtual_table.table.world import World

SAID: Final = (topics.RULING, topics.ALERT, topics.ANNOUNCEMENT, topics.REPLY, topics.STATE)
MOST_CHIPS: Final = 8
MOST_LINES: Final = 80
"""A longer story begins where so many lines are left."""


class Story:
    """Hears everything at a table from now on, and keeps what the test makes people do."""

    def __init__(self, bus: Bus, world: World, now_s: Callable[[], float]) -> None:
        self._world = world
        self._now_s = now_s
        self._noted: list[tuple[float, str]] = []
        self._told: list[tuple[float, Body]] = []
        self._listener = Listener(bus, now_s)
        self._began_s = now_s()
        for kind in SAID:
            bus.subscribe(kind, self._hear)

    def begins(self) -> None:
        """A hand begins: the story is told from here."""
        self._began_s = self._now_s()

    def note(self, line: str) -> None:
        """Something that happens now."""
        self._noted.append((self._now_s(), line))

    def lines(self) -> list[str]:
        """The story since the hand began, each line with the seconds since then."""
        found = list(self._noted)
        reads = _Reads(self._world)
        for at_s, name, body in tuple(self._listener.heard):
            line = reads.line(name, body) if isinstance(body, ZoneChips) else sensed(self._world, name, body)
            if line:
                found.append((at_s, line))
        found += [(at_s, line) for at_s, body in tuple(self._told) if (line := told(body))]
        found.sort(key=lambda one: one[0])
        lines = [f"{at_s - self._began_s:8.3f}  {line}" for at_s, line in news(found) if at_s >= self._began_s]
        left_out = len(lines) - MOST_LINES
        return [f"          (the {left_out} lines before are left out)", *lines[left_out:]] if left_out > 0 else lines

    def _hear(self, received: Received) -> None:
        self._told.append((self._now_s(), received.body))


class _Reads:
    """What a reader hears, told when it begins or ceases to hear a chip."""

    def __init__(self, world: World) -> None:
        self._worth = {chip.uid: chip.value for chip in world.chips()}
        self._heard: dict[str, frozenset[str]] = {}

    def line(self, zone: str, body: ZoneChips) -> str:
        """The line of a snapshot; empty where nothing has changed, and for the first of a zone."""
        heard = frozenset(chip.uid for chip in body.chips)
        before = self._heard.get(zone, heard)
        self._heard[zone] = heard
        changes = [("hears", heard - before), ("no longer hears", before - heard)]
        said = ", ".join(f"{verb} {self._named(uids)}" for verb, uids in changes if uids)
        return f"reader  {zone} {said}" if said else ""

    def _named(self, uids: frozenset[str]) -> str:
        named = sorted(((self._worth.get(uid, 0), uid) for uid in uids), reverse=True)
        more = f" and {len(named) - MOST_CHIPS} more" if len(named) > MOST_CHIPS else ""
        return " ".join(f"{value or '?'}:{uid[-3:]}" for value, uid in named[:MOST_CHIPS]) + more
