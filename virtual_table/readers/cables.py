"""Pulls and plugs the cables of virtual readers, as the timed faults of their plan say."""

from __future__ import annotations

import heapq
import threading
import time
from collections.abc import Callable, Sequence

from virtual_table.readers.events import TimedFault, happenings
from virtual_table.readers.server import ReaderServer


def pull_cables(
    server: ReaderServer,
    readers: Sequence[str],
    events: Sequence[TimedFault],
    stop: threading.Event,
    notify: Callable[[str], None],
    plugged: Callable[[str], None] = lambda _: None,
) -> None:
    """Carries out the unplug events, timed from now, until `stop` is set.

    `notify` gets a sentence for each pulling and plugging, `plugged` the port of a reader that is back.
    """
    began_s = time.monotonic()
    coming = happenings([event for event in events if event.what == "unplug"])
    upcoming = next(coming, None)
    out: list[tuple[float, str]] = []
    while upcoming is not None or out:
        at_s = min(([upcoming[0]] if upcoming else []) + ([out[0][0]] if out else []))
        if stop.wait(max(0.0, began_s + at_s - time.monotonic())):
            return
        if upcoming is not None and upcoming[0] == at_s:
            event = upcoming[1]
            for name in (name for name in readers if event.concerns(name)):
                server.unplug(name)
                notify(f"The cable of {name} is pulled, for {event.for_s:g} s.")
                heapq.heappush(out, (at_s + event.for_s, name))
            upcoming = next(coming, None)
        else:
            _, name = heapq.heappop(out)
            address = server.replug(name)
            notify(f"The cable of {name} is plugged in again.")
            plugged(address)
    stop.wait()
