"""Pulls and plugs the cables of virtual readers, as their plan says."""

from __future__ import annotations

import heapq
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping

from virtual_table.readers.events import Happening
from virtual_table.readers.server import ReaderServer


def pull_cables(
    server: ReaderServer,
    coming: Mapping[str, Iterable[Happening]],
    stop: threading.Event,
    notify: Callable[[str], None],
    plugged: Callable[[str], None] = lambda _: None,
) -> None:
    """Carries out what happens to the cable of each reader, timed from now, until `stop` is set.

    `notify` gets a sentence for each pulling and plugging, `plugged` the port of a reader that is back.
    """
    began_s = time.monotonic()
    pulled = heapq.merge(*(_pulls(name, events) for name, events in coming.items()))
    upcoming = next(pulled, None)
    out: list[tuple[float, str]] = []
    while upcoming is not None or out:
        at_s = min(upcoming[0] if upcoming else float("inf"), out[0][0] if out else float("inf"))
        if stop.wait(max(0.0, began_s + at_s - time.monotonic())):
            return
        if upcoming is not None and upcoming[0] == at_s:
            _, name, for_s = upcoming
            server.unplug(name)
            notify(f"The cable of {name} is pulled, for {for_s:g} s.")
            heapq.heappush(out, (at_s + for_s, name))
            upcoming = next(pulled, None)
        else:
            _, name = heapq.heappop(out)
            address = server.replug(name)
            notify(f"The cable of {name} is plugged in again.")
            plugged(address)
    stop.wait()


def _pulls(name: str, events: Iterable[Happening]) -> Iterator[tuple[float, str, float]]:
    return ((event.at_s, name, event.for_s) for event in events)
