"""What crosses the bridge between a table's broker and the site's, from the topics themselves. Pure.

Out goes what a program of the table says and an account of the site may hear; in comes what an account of the site may
say and a program of the table hears. How surely:

* What a broker keeps (retained) crosses with QoS 0. It does not pile up while the link is cut: a bridge that comes back
  says the newest of each topic by itself.
* Other news of a table cross with the QoS of their kind. While the link is cut they wait in the queue of the table's
  broker, in their order, on its disk.
* What the site asks of a table crosses with QoS 0: it arrives at once or never. A command that had waited for the link
  would be obeyed when nobody expects it any more; who asked hears no answer, and asks again.
* What both sides may say on one topic that a broker keeps comes in only: a bridge that comes back would otherwise put
  what the one side has kept in the place of what the other has, and the other way round.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from betline.topics import AT_SITE, KINDS, ROOT, TopicKind

ANY = "+"
LINKS = "betline-site"
"""What the topics begin with on which a site's broker keeps whether each pit's bridge stands. They are mosquitto's own
messages, not ours, so they stand beside `betline.topics.ROOT`."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """Topics of a table that cross its bridge: below the table's root, which way, how surely."""

    path: str
    way: Literal["out", "in"]
    qos: int


def crossings(kinds: Iterable[TopicKind] = KINDS) -> tuple[Crossing, ...]:
    """Everything that crosses, kind by kind."""
    return tuple(one for kind in kinds for one in _of(kind))


def _of(kind: TopicKind) -> Iterable[Crossing]:
    said_there = tuple(role for role in kind.by if role in AT_SITE)
    by_site_too = bool(said_there) and kind.retained and kind.named != "writer"
    if set(kind.by) - set(AT_SITE) and set(kind.to) & set(AT_SITE) and not by_site_too:
        yield Crossing(kind.pattern, "out", 0 if kind.retained else kind.qos)
    if said_there and set(kind.to) - set(AT_SITE):
        names = said_there if kind.named == "writer" else (ANY,)
        for name in names:
            yield Crossing(kind.pattern.replace(ANY, name), "in", 0)


def topic_lines(site: str, tables: Iterable[str]) -> list[str]:
    """The ``topic`` lines of a bridge (mosquitto.conf(5), "Configuring Bridges"), for these tables alone."""
    return [f"topic {ROOT}/{site}/{table}/{one.path} {one.way} {one.qos}" for table in tables for one in crossings()]


def right_lines(site: str, tables: Iterable[str]) -> list[str]:
    """What the site's access list says of a bridge: it may say these tables' part, and hear what is asked of them."""
    return [
        f"topic {'write' if one.way == 'out' else 'read'} {ROOT}/{site}/{table}/{one.path}"
        for table in tables
        for one in crossings()
    ]


def link_topic(site: str, pit: str = ANY) -> str:
    """Where the site's broker keeps whether a pit's bridge stands: the text 1 or 0."""
    return f"{LINKS}/{site}/link/{pit}"
