"""All tables of a site play while each of its parts is cut, killed and restored in turn."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from betline.options import UserError, namespace
from betline.settings.site import Pit
from virtual_table.bench.bus import Found, Table
from virtual_table.play.report import quantiles
from virtual_table.site.house import SITE, House

LATE_MS: Final = 1000.0
"""A ruling that takes longer than this from the reading that settled its act is late."""
AWAY_S: Final = 6.0
RECOVERS_S: Final = 12.0
"""So long after a table's own broker or controller was killed its acts are not counted: they had none to rule them."""
CAUGHT_UP_S: Final = 180.0
QUIET_S: Final = 40.0
"""The site has caught up as far as it will where nothing has changed for so long: the recorder asks a table that was
silent again after 30 s at most."""
LOOK_S: Final = 2.0
ROUND_S: Final = 0.22
Progress = Callable[[str], None]


@dataclass(slots=True)
class Played:
    """What one table has played: its acts, and what was counted of them."""

    ms: list[float] = field(default_factory=list)
    late: int = 0
    unruled: int = 0
    excused: int = 0
    """Acts that were not ruled in time while the table's own broker or controller was away."""


@dataclass(slots=True)
class _Seat:
    """One table that plays, in a thread of its own."""

    name: str
    pit: Pit
    played: Played = field(default_factory=Played)
    away_until_s: float = 0.0
    """Until then its own broker or controller may be away."""


class Trial:
    """One trial of a site; what happens in which order comes from the seed."""

    def __init__(self, house: House, seed: int, progress: Progress) -> None:
        self._house, self._chance, self._say = house, Random(seed), progress
        self._ending = threading.Event()
        self._seats = [_Seat(table.name, pit) for pit in house.site.pits for table in pit.tables]
        self._struck: list[str] = []

    def run(self, minutes: float) -> dict[str, Any]:
        """Plays for so long at least, and until every part was struck once; returns the summary."""
        until_s = time.monotonic() + 60 * minutes
        threads = [threading.Thread(target=self._play, args=(seat,), daemon=True) for seat in self._seats]
        for thread in threads:
            thread.start()
        try:
            for name, strike in self._strikes():
                self._ending.wait(AWAY_S)
                self._say(name)
                self._struck.append(name)
                strike()
            self._say("all parts are back; the tables play on")
            self._ending.wait(max(AWAY_S, until_s - time.monotonic()))
        finally:
            self._ending.set()
            for thread in threads:
                thread.join()
        self._say("the site catches up")
        return self._summary(self._caught_up())

    def _strikes(self) -> Iterator[tuple[str, Callable[[], None]]]:
        house, chance = self._house, self._chance
        pits = [pit.name for pit in house.site.pits]
        seats = {seat.name: seat for seat in self._seats}
        cut, frozen, killed = chance.choice(pits), chance.choice(pits), chance.choice(pits)
        table = chance.choice(sorted(seats))
        strikes: list[tuple[str, Callable[[], None]]] = [
            (f"line of {cut} cut", lambda: self._line(cut, "cut", AWAY_S)),
            (f"line of {frozen} frozen", lambda: self._line(frozen, "frozen", 2 * AWAY_S)),
            (f"broker of {killed} killed", lambda: self._broker(killed)),
            ("broker of the site killed", lambda: self._broker("site")),
            ("recorder killed", lambda: house.parts.kill("recorder", AWAY_S)),
            ("database killed", house.kill_database),
            (f"controller of {table} killed", lambda: self._controller(seats[table])),
            (f"history server of {table} killed", lambda: house.parts.kill(f"{table}-history", AWAY_S)),
        ]
        chance.shuffle(strikes)
        return iter(strikes)

    def _line(self, pit: str, state: Any, for_s: float) -> None:
        self._house.lines[pit].set(state)
        self._ending.wait(for_s)
        self._house.lines[pit].set("whole")

    def _broker(self, name: str) -> None:
        with _excused(seat for seat in self._seats if seat.pit.name == name):
            self._house.end_broker(name, signal.SIGKILL)
            self._ending.wait(AWAY_S)
            self._house.start_broker(name)

    def _controller(self, seat: _Seat) -> None:
        with _excused((seat,)):
            self._house.parts.kill(seat.name)

    def _play(self, seat: _Seat) -> None:
        where = f"{seat.pit.name}/{seat.name}"
        bridge = self._house.address(seat.pit.port, f"{where}/bridge", "bridge")
        console = self._house.address(seat.pit.port, f"{where}/console", "console")
        names = namespace(SITE, seat.name)
        table = Table(bridge, names, round_s=ROUND_S, spread=True, logins=(bridge.login, console.login))
        try:
            while not self._ending.is_set():
                begun_s, found, refused = time.monotonic(), Found(), False
                try:
                    table.hand(found)
                except UserError:
                    refused = True
                self._count(seat, found, begun_s, refused=refused)
        finally:
            table.close()

    def _count(self, seat: _Seat, found: Found, begun_s: float, *, refused: bool) -> None:
        """An act of a hand that began while its own broker or controller may have been away is excused."""
        late = [one for one in found.ms if one > LATE_MS]
        missing = found.unruled + refused
        seat.played.ms += [one for one in found.ms if one <= LATE_MS]
        if begun_s < seat.away_until_s:
            seat.played.excused += len(late) + missing
        else:
            seat.played.late += len(late)
            seat.played.unruled += missing
            seat.played.ms += late

    def _caught_up(self) -> dict[str, Any]:
        return caught_up(self._house.verified)

    def _summary(self, verified: dict[str, Any]) -> dict[str, Any]:
        played = [seat.played for seat in self._seats]
        ms = [one for each in played for one in each.ms]
        late, unruled = sum(one.late for one in played), sum(one.unruled for one in played)
        recorded = bool(verified["ok"]) and not verified["unanswered"]
        return {
            "ok": recorded and not late and not unruled,
            "tables": len(self._seats),
            "pits": len(self._house.site.pits),
            "struck": self._struck,
            "acts": len(ms),
            "ruling_ms": quantiles(ms),
            "late": late,
            "unruled": unruled,
            "excused": sum(one.excused for one in played),
            "rows": verified["rows"],
            "recorded": recorded,
            "problems": verified["problems"],
            "unanswered": verified["unanswered"],
        }


def caught_up(
    verified: Callable[[], dict[str, Any]],
    now_s: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> dict[str, Any]:
    """What is found of the record once all is there; else what was found last, when nothing more comes."""
    began_s = changed_s = now_s()
    before: dict[str, Any] = {}
    while True:
        said = verified()
        if said["ok"] and not said["unanswered"]:
            return said
        if said != before:
            before, changed_s = said, now_s()
        if now_s() - changed_s > QUIET_S or now_s() - began_s > CAUGHT_UP_S:
            return said
        sleep(LOOK_S)


@contextmanager
def _excused(seats: Iterable[_Seat]) -> Iterator[None]:
    there = list(seats)
    for seat in there:
        seat.away_until_s = float("inf")
    yield
    for seat in there:
        seat.away_until_s = time.monotonic() + RECOVERS_S
