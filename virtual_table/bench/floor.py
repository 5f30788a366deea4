"""The suite `floor`: the floor's screen while fifty tables play, from a key to its effect, and its memory.

The tables say what a simulated table has said, at its pace (`virtual_table.bench.played_site`), in a process of their
own; mosquitto, or where that is not installed our own broker, is another. The screen runs here without a terminal for
the keys, and once more as `betline floor` on a pseudo-terminal, for what that program takes of memory and processor.
Beside the time of a key stands the processor time of this program until its effect was painted, which other work on
the machine changes little; the reading of what comes meanwhile is in it.
"""

from __future__ import annotations

import asyncio
import fcntl
import multiprocessing
import os
import pty
import random
import shutil
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from textual.events import Key

from betline.bench import Figure, Progress, Report
from betline.broker import LOOPBACK, free_port
from betline.bus import MqttBus
from betline.options import FAILED, Address, UserError
from betline.readiness import await_broker
from betline.scratch import scratch_folder
from betline.supervise import Supervisor, child_line
from betline.topics import SiteNamespace
from cardroom.floor.desk import TableFiles, desks_at
from cardroom.floor.ear import Ear
from cardroom.floor.screen.app import FloorApp
from cardroom.floor.screen.board import BoardScreen
from cardroom.floor.screen.tables import TablesScreen
from virtual_table.bench.bus import mosquitto_if
from virtual_table.bench.played_site import Evening, play_evening, say_on
from virtual_table.bench.tables import memory_mb, processor_s
from virtual_table.play.report import quantiles

TAKES: Final = ("tables",)
TABLES: Final = 50
TABLE: Final = "home-six"
SITE: Final = "bench"
HANDS: Final = 12
KEYS, FULL_KEYS = 150, 1_500
APART_S: Final = (0.1, 0.3)
WATCHED_S, FULL_WATCHED_S = 20.0, 300.0
SIZE: Final = (120, 40)
TARGET_MS: Final = 100.0
ANSWER_S: Final = 10.0
POLL_S: Final = 0.001
WARM_S: Final = 3.0
KEYS_OF: Final = ("down", "down", "down", "up", "s", "enter")
"""What is pressed by chance; after Enter, Escape closes the board and is timed too."""


class Pressed(NamedTuple):
    """A key, and how long it took until what it does was painted."""

    key: str
    ms: float
    processor_ms: float


def measure(progress: Progress, *, full: bool = False, tables: int = TABLES) -> Report:
    """Presses the keys and watches the program; raises UserError where the parts do not start."""
    keys, watched_s = (FULL_KEYS, FULL_WATCHED_S) if full else (KEYS, WATCHED_S)
    progress.at(0, keys, "an evening is played in simulated time")
    evening = play_evening(TABLE, HANDS, seed=1)
    broker = "mosquitto" if shutil.which("mosquitto") else "embedded"
    with _site(broker, evening, tables) as address:
        times = asyncio.run(pressed(address, keys, tables, progress))
        progress.at(keys, keys, f"betline floor for {watched_s:.0f} s")
        cost = watched(address, watched_s)
    return report(times, cost, evening, tables, broker)


def report(times: list[Pressed], cost: dict[str, float], evening: Evening, tables: int, broker: str) -> Report:
    """The figures of the suite."""
    found = quantiles([one.ms for one in times])
    by_key = {key: quantiles([one.ms for one in times if one.key == key]) for key in sorted({one.key for one in times})}
    slowest = found["p95"]
    met = slowest is not None and slowest < TARGET_MS
    states = evening.a_second * tables
    work = quantiles([one.processor_ms for one in times])
    document: dict[str, Any] = {
        "tables": tables,
        "states_a_second": round(states, 1),
        "key_to_effect_ms": found,
        "by_key_ms": by_key,
        "key_processor_ms": work,
        **cost,
    }
    figures = (
        Figure(f"{tables} tables: key to effect, ms p50/p95/p99", f"{found['p50']}/{slowest}/{found['p99']}",
               "p95 < 100", met),
        Figure("processor time of a key, ms p50/p95/p99", f"{work['p50']}/{work['p95']}/{work['p99']}"),
        Figure("betline floor: memory, share of a core", f"{cost['memory_mb']:.0f} MB, {cost['core_share']:.1%}"),
        Figure("grown in memory while it was watched", f"{cost['grown_mb']:.1f} MB"),
    )  # fmt: skip
    said = f"{len(times)} keys at {SIZE[0]}x{SIZE[1]}; {states:.0f} states a second of {tables} tables on {broker}."
    return Report(document, figures, (said,))


@contextmanager
def _site(broker: str, evening: Evening, tables: int) -> Iterator[Address]:
    """A broker and the tables that play there."""
    address = Address(LOOPBACK, free_port())
    with (
        scratch_folder("betline-floor-") as folder,
        Supervisor(folder) as parts,
        mosquitto_if(broker, address) as mosquitto,
    ):
        if mosquitto is None:
            parts.start("broker", ["broker", "--quiet", "--broker", str(address)])
        await_broker(parts, address)
        names = [f"table-{number}" for number in range(1, tables + 1)]
        playing = multiprocessing.get_context("spawn").Process(
            target=say_on, args=(evening, address, SITE, names), daemon=True
        )
        playing.start()
        try:
            yield address
        finally:
            playing.terminate()
            playing.join()


async def pressed(address: Address, wanted: int, tables: int, progress: Progress) -> list[Pressed]:
    """The milliseconds from key to effect of so many keys, on a screen in this process."""
    bus = MqttBus(address.host, address.port, SiteNamespace(SITE), "floor")
    chance, times = random.Random(1), list[Pressed]()
    try:
        ear = Ear(bus, SITE, time.monotonic)
        ear.start()
        app = FloorApp(ear, desks_at(address, SITE), TableFiles({}))
        async with app.run_test(size=SIZE) as pilot:
            screen = app.screen
            assert isinstance(screen, TablesScreen)
            await _until(lambda: screen.shown is not None and len(screen.shown.rows) == tables)
            while len(times) < wanted:
                await asyncio.sleep(chance.uniform(*APART_S))
                key = "escape" if isinstance(app.screen, BoardScreen) else chance.choice(KEYS_OF)
                times.append(await _one_key(app, screen, key))
                progress.at(len(times), wanted, f"{key} {times[-1].ms:.0f} ms")
            await pilot.pause()
    finally:
        bus.close()
    return times


async def _one_key(app: FloorApp, screen: TablesScreen, key: str) -> Pressed:
    """A key, until what it does has been painted."""
    before = _look_of(app, screen)
    began_s, spent_s = time.perf_counter(), time.process_time()
    app.post_message(Key(key, None))
    if not (key in ("down", "up") and _is_at_end(screen, key)):
        await _until(lambda: _look_of(app, screen) != before)
    painted = asyncio.Event()
    app.screen.call_after_refresh(painted.set)
    await painted.wait()
    return Pressed(key, (time.perf_counter() - began_s) * 1000, (time.process_time() - spent_s) * 1000)


def _look_of(app: FloorApp, screen: TablesScreen) -> object:
    """What a key changes: which screen there is, which row is chosen, in which order they stand."""
    shown = screen.shown
    return type(app.screen), None if shown is None else (shown.looking.chosen, shown.looking.order)


def _is_at_end(screen: TablesScreen, key: str) -> bool:
    shown = screen.shown
    return shown is not None and shown.place == (0 if key == "up" else len(shown.rows) - 1)


async def _until(condition: Callable[[], bool]) -> None:
    deadline_s = time.perf_counter() + ANSWER_S
    while not condition():
        if time.perf_counter() > deadline_s:
            raise UserError(f"Nothing came for {ANSWER_S:.0f} s: is the machine busy? Try again.", FAILED)
        await asyncio.sleep(POLL_S)


def watched(address: Address, seconds: float) -> dict[str, float]:
    """What `betline floor` takes on a terminal of its own: memory at the end and how it grew, share of a core."""
    with on_terminal("--broker", str(address), "--site", SITE) as (program, written):
        time.sleep(WARM_S)
        if program.poll() is not None:
            raise UserError("betline floor ended by itself.", FAILED)
        began_mb, spent_s, drawn = memory_mb(program.pid), processor_s(program.pid), written[0]
        time.sleep(seconds)
        spent_s = processor_s(program.pid) - spent_s
        ended_mb, drawn = memory_mb(program.pid), written[0] - drawn
    return {
        "memory_mb": round(ended_mb, 1),
        "grown_mb": round(ended_mb - began_mb, 1),
        "core_share": round(spent_s / seconds, 3),
        "terminal_kb_a_second": round(drawn / seconds / 1000, 1),
    }


@contextmanager
def on_terminal(*words: str) -> Iterator[tuple[subprocess.Popen[bytes], list[int]]]:
    """`betline floor` with these words on a terminal of its own; and how many bytes it has drawn so far."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", SIZE[1], SIZE[0], 0, 0))
    line = child_line(["floor", *words])
    written = [0]
    environment = {**os.environ, "TERM": "xterm-256color"}
    with subprocess.Popen(line, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as program:
        os.close(theirs)
        reading = threading.Thread(target=_drain, args=(ours, written), daemon=True)
        reading.start()
        try:
            yield program, written
        finally:
            program.terminate()
            program.wait()
            reading.join(1.0)
            os.close(ours)


def _drain(terminal: int, written: list[int]) -> None:
    """Reads what the program draws, as a terminal does."""
    try:
        while data := os.read(terminal, 65536):
            written[0] += len(data)
    except OSError:  # the program has closed its end
        return
