"""Hears the table on its bus, and tells after each message what has happened and how the table stands now."""

from __future__ import annotations

from collections.abc import Callable, Collection

from betline.bus import Bus, Listener, Received
from betline.topics import TopicKind
from table_controller.happenings.telling import Happening, Telling


def listener(
    bus: Bus,
    kinds: Collection[TopicKind],
    tell: Callable[[Telling, tuple[Happening, ...]], None],
    serves: Callable[[], None],
) -> Listener:
    """A listener to these kinds of topics that tells on what it hears."""
    telling = Telling()

    def take(received: Received) -> None:
        nonlocal telling
        telling, happened = telling.heard(received.topic, received.body)
        tell(telling, happened)

    return Listener(bus, kinds, take, serves)
