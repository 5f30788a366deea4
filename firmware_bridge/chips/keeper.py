"""The chips of one table while the bridge runs: places, alerts, and the thread that writes places to their file.

Driver threads call `after`; what is known stands under one lock that is never held over a write. Another thread
writes what has changed, once a second, so that no driver waits for a disk.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from betline.messages.table import Alert
from betline.units import NS_PER_MS
from firmware_bridge.chips import watch
from firmware_bridge.chips.places import Place, PlacesError, PlacesFile
from firmware_bridge.chips.register import ChipRegister
from firmware_bridge.chips.whereabouts import Whereabouts
from firmware_bridge.evidence import Heard

WRITE_S: Final = 1.0
HEARD_EVERY: Final = 60
"""Every so many writes the times at which resting chips were last heard are written too."""


@dataclass(frozen=True, slots=True)
class ChipNews:
    """What the bus says of a chip besides its evidence."""

    also_in: str = ""
    from_zone: str = ""
    from_ns: int | None = None
    """When it was last heard there, on this machine's monotonic clock."""


NO_NEWS: Final = ChipNews()


def _mono_minus_wall_ns() -> int:
    return time.monotonic_ns() - time.time_ns()


class ChipKeeper:
    """Knows where the chips of a table lie and which of them raise an alert. Every method is safe from any thread."""

    def __init__(
        self,
        register: ChipRegister,
        where: Callable[[dict[str, Place]], Whereabouts],
        file: Path | None = None,
        notify: Callable[[str], None] = lambda _: None,
        mono_minus_wall_ns: Callable[[], int] = _mono_minus_wall_ns,
    ) -> None:
        """`where` makes the whereabouts of the places that the file has; without a `file` they are not kept.
        `mono_minus_wall_ns` is what to add to a time of the wall clock, as it is now, to have it on the monotonic one.

        A file that cannot be used is reported, and play goes on without it.
        """
        self._register = register
        self._notify = notify
        self._mono_minus_wall_ns = mono_minus_wall_ns
        self._file: PlacesFile | None = None
        places: dict[str, Place] = {}
        try:
            if file is not None:
                self._file = PlacesFile.open(file)
                places = {uid: self._dated(place) for uid, place in self._file.all().items()}
        except PlacesError as error:
            notify(f"{error} The chips' last places are not kept.")
        self._where = where(places)
        self._lock = threading.Lock()
        self._standing: dict[watch.Key, watch.StandingAlert] = {}
        self._unwritten: dict[str, Place] = {}
        self._failed = False
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._write_on, name="chip-places", daemon=True)

    def start(self) -> None:
        """Begin to write."""
        if self._file is not None:
            self._thread.start()

    def stop(self) -> None:
        """Write what is left, and end."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
        if self._file is not None:
            self._write(all_heard=True)
            self._file.close()

    def after(self, zone: str, heard: Iterable[Heard], at_ns: int) -> tuple[Alert, ...]:
        """Take the evidence of a zone after a round, which ended at `at_ns`; the alerts to publish."""
        at_ms = (at_ns - self._mono_minus_wall_ns()) // NS_PER_MS
        with self._lock:
            if not self._where.after(zone, heard, at_ns, at_ms):
                return ()
            return self._changed()

    def looked_again(self) -> tuple[Alert, ...]:
        """The alerts to publish because the register has changed."""
        with self._lock:
            return self._changed()

    def news(self, uid: str, zone: str) -> ChipNews:
        """What the bus says of a chip in a zone."""
        with self._lock:
            before = self._where.before(uid, zone)
            also_in = self._where.elsewhere(uid, zone)
        if before is None:
            return ChipNews(also_in) if also_in else NO_NEWS
        return ChipNews(also_in, before.zone, before.heard_ns)

    def place(self, uid: str) -> Place | None:
        """Where the chip lies or lay last."""
        with self._lock:
            return self._where.place(uid)

    def _dated(self, place: Place) -> Place:
        """A place from the file; when it was heard is as right as the wall clock was since."""
        return replace(place, heard_ns=place.heard_ms * NS_PER_MS + self._mono_minus_wall_ns())

    def _changed(self) -> tuple[Alert, ...]:
        old, self._standing = self._standing, watch.standing(self._where, self._register)
        return tuple(watch.changed(old, self._standing))

    def _write_on(self) -> None:
        count = 0
        while not self._stop.wait(WRITE_S):
            count += 1
            self._write(all_heard=count % HEARD_EVERY == 0)

    def _write(self, *, all_heard: bool) -> None:
        with self._lock:
            self._unwritten.update(self._where.changed(all_heard=all_heard))
            places = list(self._unwritten.items())
        if not places or self._file is None:
            return
        try:
            self._file.keep(places)
        except PlacesError as error:
            if not self._failed:
                self._notify(str(error))
            self._failed = True
            return
        self._failed = False
        with self._lock:
            for uid, place in places:
                if self._unwritten.get(uid) == place:
                    del self._unwritten[uid]
