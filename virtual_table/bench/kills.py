"""The suite `kills`: broker, controller, bridge and camera are killed at random moments while a virtual table plays.

Every part is a process of its own, with readers on pseudo-terminals, drawn frames, a broker and a journal, started and
restarted as `betline demo` does it. A witness on the bus keeps what was acknowledged, and afterwards holds it against
the journal: each command that was answered with "done" is there once, each event and each head of the chain that was
published is there as it was published, and a controller's first state is the state that its journal had when the one
before it was killed. Every ruling is compared with what the virtual player meant, and after each kill the table must go
on: a step is journalled within `STALL_S`.
"""

from __future__ import annotations

import json
import math
import shutil
import sqlite3
import tempfile
import threading
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from betline import topics
from betline.bench import Figure, Progress, Report
from betline.bus import MqttBus, Received
from betline.counting import counted
from betline.joining import BrokerChoice
from betline.messages.common import Presence
from betline.options import FAILED, UserError
from betline.settings import load_table
from betline.supervise import Part, Supervisor
from betline.units import NS_PER_MS, NS_PER_S
from virtual_table.play.acknowledged import ACKNOWLEDGED, Acknowledged, held_against
from virtual_table.play.report import quantiles
from virtual_table.run.demo import DemoOptions, Prepared, playing, prepare
from virtual_table.run.part_faults import load_live

TAKES: Final = ("kills", "seed", "at_once", "faults")
VICTIMS: Final = ("controller", "bridge", "vision", "broker")
USUAL_KILLS: Final = 50
FULL_KILLS: Final = 1000
KILLS_AN_EVENING: Final = 50
TABLE: Final = "home-six"
HANDS: Final = 40
AT_ONCE: Final = 0.25
"""Share of kills that do not wait until the part that was killed before is back."""
APART_S: Final = (0.1, 2.0)
BACK_S: Final = 15.0
"""How long a part may take to come back, the supervisor's pauses included."""
STALL_S: Final = 60.0
"""Where nothing is ruled for so long after a kill, the table stands still; the slowest of players needs 20 s."""
LAST_HAND_S: Final = 120.0
POLL_S: Final = 0.02


@dataclass(slots=True)
class Tally:
    """What came of the kills; `faults` has a sentence for everything that should not have been."""

    kills: Counter[str] = field(default_factory=Counter)
    back_ms: dict[str, list[float]] = field(default_factory=lambda: {victim: [] for victim in VICTIMS})
    acts: int = 0
    wrong: int = 0
    hands: int = 0
    commands: int = 0
    events: int = 0
    heads: int = 0
    restarts_compared: int = 0
    lost: int = 0
    twice: int = 0
    unequal: int = 0
    stalls: int = 0
    """How often the table stood still after a kill."""
    moved_on_ms: list[float] = field(default_factory=list)
    """For each kill the time until the next step was journalled."""
    faults: list[str] = field(default_factory=list)

    @property
    def total(self) -> int:
        """How many were killed."""
        return self.kills.total()

    def add(self, other: Tally) -> None:
        """Adds what came of another evening."""
        for one in fields(self):
            mine, more = getattr(self, one.name), getattr(other, one.name)
            if isinstance(mine, dict) and not isinstance(mine, Counter):
                setattr(self, one.name, {victim: mine[victim] + more[victim] for victim in mine})
            else:
                setattr(self, one.name, mine + more)


def measure(
    progress: Progress,
    *,
    full: bool = False,
    kills: int | None = None,
    seed: int = 1,
    at_once: int = 1,
    faults: Path | None = None,
) -> Report:
    """Kills `kills` processes, 50 by itself and 1,000 with `full`, in so many evenings at once; the plan of `faults`
    strikes besides in each.

    Raises UserError where the parts do not start, SettingsError for a plan that the table cannot take.
    """
    if faults is not None:
        load_live(faults, load_table(TABLE), kills=False)
    wanted = kills or (FULL_KILLS if full else USUAL_KILLS)
    evenings = Evenings(wanted, seed, progress, at_once, faults)
    if at_once == 1:
        evenings.play()
        return report(evenings.tally)
    with ThreadPoolExecutor(at_once) as pool:
        played = [pool.submit(evenings.play) for _ in range(at_once)]
        try:
            wait(played)
        finally:
            evenings.stopping.set()
    for one in played:
        one.result()
    return report(evenings.tally)


class Evenings:
    """Evenings one after another until enough is killed; `play` may be called from several threads at once."""

    def __init__(self, kills: int, seed: int, progress: Progress, at_once: int = 1, faults: Path | None = None) -> None:
        self.tally = Tally()
        self.stopping = threading.Event()
        self._wanted = self._left = kills
        self._each = min(KILLS_AN_EVENING, math.ceil(kills / at_once))
        self._seed = seed
        self._progress = progress
        self._faults = faults
        self._lock = threading.Lock()
        self._starting = threading.Lock()
        self._running: list[Tally] = []

    def play(self) -> None:
        """Plays evenings while there is something left to kill."""
        while not self.stopping.is_set():
            tally = Tally()
            with self._lock:
                planned, seed = min(self._left, self._each), self._seed
                if not planned:
                    return
                self._left -= planned
                self._seed += 1
                self._running.append(tally)
            try:
                Evening(seed, tally, planned, self.stopping, self._starting, self._faults).play(self._show)
            except BaseException:
                self.stopping.set()
                raise
            with self._lock:
                self._left += planned - tally.total  # one that ended early leaves its share to the others
                self._running.remove(tally)
                self.tally.add(tally)

    def _show(self) -> None:
        with self._lock:
            together = Tally()
            for tally in (self.tally, *self._running):
                together.add(tally)
            self._progress.at(together.total, self._wanted, _line(together))


def report(tally: Tally) -> Report:
    """The tally as the suite's report."""
    back = {victim: quantiles(times) for victim, times in tally.back_ms.items()}
    document = {
        "kills": dict(tally.kills), "hands": tally.hands, "acts": tally.acts, "wrong": tally.wrong,
        "acknowledged_commands": tally.commands, "published_events": tally.events, "published_heads": tally.heads,
        "restarts_compared": tally.restarts_compared, "lost": tally.lost, "twice": tally.twice,
        "unequal": tally.unequal, "stalls": tally.stalls, "moved_on_ms": _moved_on(tally.moved_on_ms), "back_ms": back,
        "faults": tally.faults,
    }  # fmt: skip
    figures = (
        Figure("acknowledged and lost", str(tally.lost), "0", tally.lost == 0),
        Figure("obeyed or ruled twice", str(tally.twice), "0", tally.twice == 0),
        Figure("acts ruled otherwise than meant", str(tally.wrong), "0", tally.wrong == 0),
        Figure("states unlike the journal's fold", str(tally.unequal), "0", tally.unequal == 0),
        Figure(f"stood still for {STALL_S:.0f} s after a kill", str(tally.stalls), "0", tally.stalls == 0),
        Figure("other faults", str(len(tally.faults)), "0", not tally.faults),
        *(Figure(f"{victim} back, ms p50/p99", f"{q['p50']}/{q['p99']}") for victim, q in back.items()),
    )
    said = (
        f"{_line(tally)}; {tally.commands} commands acknowledged, {tally.events} events and {tally.heads} heads "
        f"published, {tally.restarts_compared} restarts compared; from a kill to the next step at most "
        f"{max(tally.moved_on_ms, default=0) / 1000:.0f} s."
    )
    return Report(document, figures, (said, *tally.faults))


def _moved_on(times_ms: list[float]) -> dict[str, float | None]:
    return {**quantiles(times_ms), "max": round(max(times_ms), 1) if times_ms else None}


def _line(tally: Tally) -> str:
    shares = ", ".join(f"{tally.kills[victim]} {victim}" for victim in VICTIMS)
    played = f"{counted(tally.hands, 'hand')}, {counted(tally.acts, 'act')}, {tally.wrong} wrong"
    return f"{counted(tally.total, 'kill')} ({shares}), {played}"


class Evening:
    """One demonstration in which parts are killed until enough are, and the hand in progress is played out."""

    def __init__(
        self,
        seed: int,
        tally: Tally,
        kills: int,
        stopping: threading.Event,
        starting: threading.Lock,
        faults: Path | None = None,
    ) -> None:
        """Only one evening is ``starting`` at a time, for ports that are free are asked for and then used."""
        self._seed = seed
        self._tally = tally
        self._kills = kills
        self._stopping = stopping
        self._starting = starting
        self._faults = faults
        self._killed: list[tuple[int, str]] = []
        """When what was killed, in ns of the machine's monotonic clock."""
        self._chance = Random(f"kills-{seed}")

    def play(self, shown: Callable[[], None]) -> None:
        """Plays it and adds what came of it to the tally."""
        faults = len(self._tally.faults)
        folder = Path(tempfile.mkdtemp(prefix="betline-kills-"))
        asked = DemoOptions(TABLE, BrokerChoice(), "home", None, None, None, HANDS, self._seed, 1.0, True, True)
        options = replace(asked, faults=self._faults)
        with ExitStack() as ending:
            with self._starting:
                ready = prepare(options, folder)
                parts = ending.enter_context(playing(options, ready, folder))
            witness = Witness(ready)
            try:
                world = next(part for part in parts.parts if part.name == "world")
                self._kill_all(parts, folder, witness, world, shown)
                self._last_hand(ready, world)
                ended_ns = time.monotonic_ns()
            finally:
                witness.close()
        self._count(ready, folder, witness)
        self._find_stalls(ready.journal, ended_ns)
        if len(self._tally.faults) == faults:  # a fault names its folder
            shutil.rmtree(folder, ignore_errors=True)

    def _kill_all(
        self, parts: Supervisor, folder: Path, witness: Witness, world: Part, shown: Callable[[], None]
    ) -> None:
        victims = {part.name: part for part in parts.parts if part.name in VICTIMS}
        if not witness.wait(lambda: all(witness.life_of(name) for name in VICTIMS if name != "broker"), 60.0):
            raise UserError("The parts did not all start; see their logs.", FAILED)
        for _ in range(self._kills):
            if self._stopping.wait(self._chance.uniform(*APART_S)):
                return
            if world.process is None or world.process.poll() is not None:
                self._tally.faults.append(f"seed {self._seed}: the world ended: {parts.last_words('world')}")
                return
            alive = [name for name in VICTIMS if witness.life_of(name)] or ["broker"]  # nothing is heard without one
            name = self._chance.choice(alive)
            before = witness.life_of(name)
            process = victims[name].process
            if process is None or process.poll() is not None:
                continue
            killed_s = time.monotonic()
            process.kill()
            self._killed.append((time.monotonic_ns(), name))
            self._note(folder, name)
            self._tally.kills[name] += 1
            shown()
            if self._chance.random() < AT_ONCE:
                continue
            if witness.wait(partial(witness.lives_again, name, before), BACK_S):
                self._tally.back_ms[name].append((time.monotonic() - killed_s) * 1000)
            else:
                self._tally.faults.append(f"seed {self._seed}: the {name} did not come back within {BACK_S:.0f} s")

    def _note(self, folder: Path, name: str) -> None:
        """Keeps when a part was killed, beside the journal, whose times are of the same clock."""
        with (folder / "kills.log").open("a", encoding="utf-8") as log:
            log.write(f"{datetime.now(UTC):%H:%M:%S.%f} {name}\n")

    def _last_hand(self, ready: Prepared, world: Part) -> None:
        """Waits for the end of the hand after the one in progress, so that all that was lost had time to show."""
        played = _hands(ready)
        deadline_s = time.monotonic() + LAST_HAND_S
        while _hands(ready) < played + 1 and time.monotonic() < deadline_s:
            if world.process is None or world.process.poll() is not None or self._stopping.is_set():
                return
            time.sleep(POLL_S * 10)
        if _hands(ready) < played + 1:
            self._tally.faults.append(f"seed {self._seed}: the hand stalled; see {ready.files.folder}")

    def _count(self, ready: Prepared, folder: Path, witness: Witness) -> None:
        outcome = json.loads(ready.files.report.read_text()) if ready.files.report.exists() else None
        if outcome is not None:
            self._tally.hands += outcome["json"]["hands"]
            self._tally.acts += outcome["json"]["acts"]
            self._tally.wrong += outcome["json"]["wrong"]
            self._tally.faults += [f"seed {self._seed}: {fault} ({folder})" for fault in outcome["faults"]]
        kept = held_against(witness.said.said(), ready.journal, f"seed {self._seed}")
        for one in fields(kept):
            setattr(self._tally, one.name, getattr(self._tally, one.name) + getattr(kept, one.name))

    def _find_stalls(self, journal: Path, ended_ns: int) -> None:
        """Whether the table went on after each kill."""
        with closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True)) as database:
            rows = database.execute("SELECT mono_ns FROM entry WHERE kind = 'step' ORDER BY mono_ns").fetchall()
        steps_ns = [at_ns for (at_ns,) in rows]
        self._tally.moved_on_ms += moved_on_ms([at_ns for at_ns, _ in self._killed], steps_ns)
        for number in stalls([at_ns for at_ns, _ in self._killed], steps_ns, ended_ns):
            at_ns, name = self._killed[number]
            self._tally.stalls += 1
            since_s = (at_ns - self._killed[0][0]) / NS_PER_S
            self._tally.faults.append(
                f"seed {self._seed}: nothing was ruled for {STALL_S:.0f} s after kill {number + 1}, of the {name}, "
                f"{since_s:.0f} s after the first; see {journal.parent}"
            )


def moved_on_ms(killed_ns: Sequence[int], steps_ns: Sequence[int]) -> list[float]:
    """For each kill after which there was a step the time until then, in ms; both in order."""
    places = [(at_ns, bisect_right(steps_ns, at_ns)) for at_ns in killed_ns]
    return [(steps_ns[place] - at_ns) / NS_PER_MS for at_ns, place in places if place < len(steps_ns)]


def stalls(killed_ns: Sequence[int], steps_ns: Sequence[int], ended_ns: int) -> list[int]:
    """The kills, by number, after which nothing was ruled for `STALL_S`; where several fall into it the first of them.

    What was watched ``ended_ns``; a stall that had not lasted so long by then is none.
    """
    found: dict[int, int] = {}
    for number, at_ns in enumerate(killed_ns):
        place = bisect_right(steps_ns, at_ns)
        until_ns = steps_ns[place] if place < len(steps_ns) else ended_ns
        if until_ns - at_ns > STALL_S * NS_PER_S:
            found.setdefault(place, number)
    return list(found.values())


def _hands(ready: Prepared) -> int:
    try:
        return int(json.loads(ready.files.report.read_text(encoding="utf-8"))["json"]["hands"])
    except (OSError, ValueError):
        return 0


class Witness:
    """A client of the bus that keeps what the controller acknowledged and published."""

    def __init__(self, ready: Prepared) -> None:
        self._changed = threading.Condition()
        self._lives: dict[str, str] = {}
        self._broker_lives = 0
        self.said = Acknowledged(ready.files.folder / ACKNOWLEDGED)
        self._camera = ready.table.cameras[0].id if ready.table.cameras else ""
        self._bus = MqttBus(ready.address.host, ready.address.port, ready.names, "witness")
        self._bus.on_connection(self._on_connection)
        for kind, handler in (
            (topics.STATUS, self._on_status), (topics.DEVICE_STATUS, self._on_status),
            (topics.REPLY, self.said.heard), (topics.EVENT, self.said.heard), (topics.STATE, self.said.heard),
        ):  # fmt: skip
            self._bus.subscribe(kind, handler)

    def close(self) -> None:
        """Leaves the bus."""
        self._bus.close()

    def life_of(self, part: str) -> str:
        """What names the life of a part that is online now, empty while it is not."""
        with self._changed:
            if part == "broker":
                return str(self._broker_lives) if self._bus.connected else ""
            return self._lives.get(self._camera if part == "vision" else part, "")

    def lives_again(self, part: str, before: str) -> bool:
        """Whether a part is online in another life than before."""
        return self.life_of(part) not in (before, "")

    def wait(self, condition: Callable[[], bool], timeout_s: float) -> bool:
        """Waits until a condition holds; False where it does not in time."""
        deadline_s = time.monotonic() + timeout_s
        while not condition():
            if time.monotonic() > deadline_s:
                return False
            time.sleep(POLL_S)
        return True

    def _on_connection(self, there: bool) -> None:
        with self._changed:
            self._broker_lives += there

    def _on_status(self, received: Received) -> None:
        if received.envelope.sender != received.topic.name and received.topic.kind is topics.DEVICE_STATUS:
            return  # a reader's, by the bridge
        assert isinstance(received.body, Presence)
        name = "controller" if received.topic.kind is topics.STATUS else received.topic.name
        online = received.body.state != "offline"
        with self._changed:
            if online:
                self._lives[name] = received.envelope.boot_id
            elif self._lives.get(name) == received.envelope.boot_id:
                self._lives[name] = ""
