"""The suite `console`: from a key on the console to its effect on the screen, while the whole demonstration runs.

Every part is a process of its own, as `betline demo` starts them: broker, readers, bridge, camera, controller, world.
The console runs here without a terminal. The key asks the controller for what it always refuses in such a hand (P:
nobody has opened), so that it disturbs no hand; its way is that of every other key: console, broker, controller,
broker, console, screen. Taken is the time from the key to the answer as it has been painted, without a terminal's own.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from typing import Final

from textual.events import Key

from betline.bench import Figure, Progress, Report
from betline.bus import MqttBus
from betline.joining import BrokerChoice
from betline.options import FAILED, UserError
from betline.readiness import await_controller
from betline.scratch import scratch_folder
from betline.supervise import Supervisor
from table_controller.console.app import ConsoleApp
from table_controller.console.widgets.rows import MessageLine
from virtual_table.play.report import quantiles
from virtual_table.run.demo import DemoOptions, Prepared, prepare, start_parts

TABLE: Final = "home-six"
KEYS, FULL_KEYS = 100, 1_000
APART_S: Final = (0.2, 0.8)
SIZE: Final = (120, 40)
TARGET_MS: Final = 100.0
HANDS: Final = 1_000
ANSWER_S: Final = 5.0
START_S: Final = 30.0
POLL_S: Final = 0.001
_KEY: Final = "p"


def measure(progress: Progress, *, full: bool = False) -> Report:
    """Presses the keys; raises UserError where the parts do not start or the controller does not answer."""
    wanted = FULL_KEYS if full else KEYS
    options = DemoOptions(TABLE, BrokerChoice(), "home", None, None, None, HANDS, 1, 1.0, True, True)
    with scratch_folder("betline-console-") as folder, Supervisor(folder) as parts:
        ready = prepare(options, folder)
        start_parts(parts, ready, options)
        await_controller(parts, ready.address, ready.names)
        times = asyncio.run(pressed(ready, wanted, progress))
    return report(times)


def report(times_ms: list[float]) -> Report:
    """The times as the suite's report."""
    found = quantiles(times_ms)
    slowest = found["p95"]
    met = slowest is not None and slowest < TARGET_MS
    return Report(
        {"key_to_effect_ms": found},
        (Figure("key to effect, ms p50/p95/p99", f"{found['p50']}/{slowest}/{found['p99']}", "p95 < 100", met),),
        (f"{len(times_ms)} keys beside a whole demonstration, painted at {SIZE[0]}x{SIZE[1]}.",),
    )


async def pressed(ready: Prepared, wanted: int, progress: Progress) -> list[float]:
    """The milliseconds from key to effect of so many keys, on a console in this process."""
    bus = MqttBus(ready.address.host, ready.address.port, ready.names, "console")
    chance, times = random.Random(1), []
    try:
        app = ConsoleApp(bus, ready.table)
        async with app.run_test(size=SIZE) as pilot:
            line = app.screen.query_one(MessageLine)
            await _until(lambda: line.snapshot is not None and line.snapshot.state is not None, START_S)
            for place in range(wanted):
                await asyncio.sleep(chance.uniform(*APART_S))
                times.append(await _one_key(app, line))
                progress.at(place + 1, wanted, f"{times[-1]:.0f} ms")
            await pilot.pause()
    finally:
        bus.close()
    return times


async def _one_key(app: ConsoleApp, line: MessageLine) -> float:
    """The milliseconds from a key until its answer has been painted."""
    before = _refusals(line)
    began_s = time.perf_counter()
    app.post_message(Key(_KEY, _KEY))
    await _until(lambda: _refusals(line) > before, ANSWER_S)
    painted = asyncio.Event()
    line.call_after_refresh(painted.set)
    await painted.wait()
    return (time.perf_counter() - began_s) * 1000


def _refusals(line: MessageLine) -> int:
    return 0 if line.snapshot is None else line.snapshot.refusals


async def _until(condition: Callable[[], bool], seconds: float) -> None:
    deadline_s = time.perf_counter() + seconds
    while not condition():
        if time.perf_counter() > deadline_s:
            raise UserError(f"Nothing came for {seconds:.0f} s: is the machine busy? Try again.", FAILED)
        await asyncio.sleep(POLL_S)
