"""A soak of the real programs: a demonstration that goes on for hours of the clock, struck by a plan of faults.

Readers on pseudo-terminals, drawn frames, a broker and a journal, each part a process of its own, started and
restarted as `betline demo` does it. The memory and the open files of each are looked at as long as it lives.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

from betline import topics
from betline.bus import MqttBus, Received
from betline.counting import counted
from betline.joining import BrokerChoice
from betline.messages.table import Announcement
from betline.options import FAILED, UserError
from betline.supervise import Supervisor
from betline.units import NS_PER_MS
from virtual_table.play.acknowledged import ACKNOWLEDGED, Acknowledged, held_against
from virtual_table.play.link import PATIENCE_S
from virtual_table.play.report import quantiles
from virtual_table.run.demo import DemoOptions, Prepared, playing, prepare
from virtual_table.soak.away import TOO_LONG_S, Gap, Gaps
from virtual_table.soak.outcome import Outcome, Sample
from virtual_table.soak.processes import handles, memory_mb

SAMPLES: Final = 240
LEAST_S: Final = 5.0
HOUR_S: Final = 3600.0
POLL_S: Final = 0.5
WITHOUT_END: Final = 1_000_000
LAST_WORDS_S: Final = 3.0
PARTS: Final = ("broker", "controller", "bridge", "vision", "world")


def play(
    table: str,
    plan: Path,
    hours: float,
    seed: int,
    folder: Path,
    *,
    speed: float = 1.0,
    shown: Callable[[float, str], None] = lambda _share, _what: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Outcome:
    """Plays until the hours of the clock are over, or it is ``stopped``; journal and logs are left in ``folder``.

    ``shown`` is told now and then how far it is, from 0 to 1, and what there was. Raises UserError where the parts do
    not start, SettingsError for a plan that does not fit.
    """
    options = DemoOptions(
        table, BrokerChoice(), "home", None, None, None, WITHOUT_END, seed, speed, True, True, faults=plan,
        away_s=max(PATIENCE_S, hours * HOUR_S),
    )  # fmt: skip
    ready = prepare(options, folder)
    watch = _Watch(folder, ready, hours)
    with playing(options, ready, folder, watch.told) as parts:
        bus = MqttBus(ready.address.host, ready.address.port, ready.names, "witness")
        try:
            for kind in (topics.REPLY, topics.EVENT, topics.STATE):
                bus.subscribe(kind, watch.said.heard)
            bus.subscribe(topics.ANNOUNCEMENT, watch.announced)
            bus.subscribe(topics.STATUS, watch.gaps.status)
            bus.on_connection(watch.gaps.connection)
            watch.until_over(parts, shown, stopped)
            watch.away = watch.gaps.until_now()
        finally:
            time.sleep(LAST_WORDS_S)  # what was acknowledged last is still under way
            bus.close()
    return watch.outcome(f"the demonstration at {table}, seed {seed}, speed {speed:g}", seed)


class _Watch:
    """What is seen of a demonstration from outside."""

    def __init__(self, folder: Path, ready: Prepared, hours: float) -> None:
        self.said = Acknowledged(folder / ACKNOWLEDGED)
        self.gaps = Gaps()
        self.away: tuple[Gap, ...] = ()
        self._folder = folder
        self._ready = ready
        self._hours = hours
        self._begun_s = time.monotonic()
        self._samples: list[Sample] = []
        self._times_ms: list[float] = []
        self._struck = Counter[str]()
        self._faults: list[str] = []

    def told(self, sentence: str) -> None:
        """Keeps what supervisor and faults say, in the run's folder."""
        with (self._folder / "soak.log").open("a", encoding="utf-8") as log:
            log.write(f"{time.monotonic() - self._begun_s:.1f} {sentence}\n")

    def announced(self, received: Received) -> None:
        """Takes down how long an announcement took from the reading that caused it."""
        if isinstance(received.body, Announcement) and received.body.cause_ns is not None:
            self._times_ms.append((received.arrived_ns - received.local_ns(received.body.cause_ns)) / NS_PER_MS)

    def until_over(self, parts: Supervisor, shown: Callable[[float, str], None], stopped: Callable[[], bool]) -> None:
        """Takes samples until the hours are over, or the world has ended by a fault."""
        world = next(part for part in parts.parts if part.name == "world")
        each_s = max(LEAST_S, self._hours * HOUR_S / SAMPLES)
        due_s = time.monotonic()
        while time.monotonic() < self._begun_s + self._hours * HOUR_S and not stopped():
            parts.check()
            if world.process is None or world.process.poll() is not None:
                self._faults.append(f"The world ended: {parts.last_words('world')}")
                break
            if time.monotonic() >= due_s:
                due_s += each_s
                self._take(parts)
                last = self._samples[-1]
                what = f"{counted(last.acts, 'act')}, {last.wrong} wrong, {counted(last.kills, 'kill')}"
                late = sum(gap.too_long for gap in self.gaps.until_now())
                what += f", {late} x away for over {TOO_LONG_S:.0f} s" if late else ""
                shown(min(1.0, last.at_h / self._hours), what)
            time.sleep(POLL_S)
        self._take(parts)

    def _take(self, parts: Supervisor) -> None:
        memory: dict[str, float] = {}
        files: dict[str, int] = {}
        for part in parts.parts:
            if part.name in PARTS and part.process is not None:
                with suppress(OSError):  # it was killed a moment ago
                    memory[part.name], files[part.name] = memory_mb(part.process.pid), handles(part.process.pid)
        counts = self._report()["json"]
        times, self._times_ms = self._times_ms, []
        self._samples.append(
            Sample(
                (time.monotonic() - self._begun_s) / HOUR_S, counts["hands"], counts["acts"], counts["wrong"],
                counts["asked"], sum(part.starts - 1 for part in parts.parts), memory, files, quantiles(times)["p95"],
            )
        )  # fmt: skip

    def _report(self) -> dict[str, Any]:
        """The world's report so far; it is written after each hand."""
        try:
            found: dict[str, Any] = json.loads(self._ready.files.report.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {"json": dict.fromkeys(("hands", "acts", "wrong", "asked"), 0), "faults": []}
        return found

    def outcome(self, how: str, seed: int) -> Outcome:
        """All of it, held against the journal; raises UserError where there is none."""
        if not self._ready.journal.exists():
            why = " ".join(self._faults)
            raise UserError(f"The controller began no journal; see the logs in {self._folder}. {why}".strip(), FAILED)
        if not self._samples[-1].acts:
            self._faults.append(f"Nothing was played; see the logs in {self._folder}.")
        kept = held_against(self.said.said(), self._ready.journal, f"seed {seed}")
        with closing(sqlite3.connect(f"file:{self._ready.journal}?mode=ro", uri=True)) as database:
            (entries,) = database.execute("SELECT count(*) FROM entry").fetchone()
        self._struck["kill"] = self._samples[-1].kills
        took_s = time.monotonic() - self._begun_s
        faults = (*self._report()["faults"], *self._faults)
        return Outcome(
            how, self._samples[-1].at_h, tuple(self._samples), kept, self._struck, faults, entries, took_s, self.away
        )
