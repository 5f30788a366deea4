"""The suite `startup`: from the command to the first thing that its user waits for.

Each is a process of its own, begun anew: the version and the help of the command line; the broker until a client is
let in; the controller on a broker that is there until it is `online`; the demonstration until the first ruling of its
first hand, and until that hand is over. The middle of some starts counts; files are in the system's cache after the
first, which is left out.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from betline import topics
from betline.bench import Figure, Progress, Report
from betline.broker import LOOPBACK, free_port
from betline.bus import MqttBus, Received
from betline.joining import BrokerChoice
from betline.messages.table import Ruling
from betline.options import FAILED, Address, UserError, namespace
from betline.readiness import await_broker, await_controller
from betline.scratch import scratch_folder
from betline.supervise import Supervisor
from virtual_table.run.demo import DemoOptions, prepare, start_parts

TABLE: Final = "home-six"
STARTS, FULL_STARTS = 5, 15
DEMOS, FULL_DEMOS = 1, 5
HAND_S: Final = 120.0
POLL_S: Final = 0.01
TARGET_S: Final = 60.0
"""From the demonstration's start to the first hand on its screen, packages installed (DESIGN)."""


def measure(progress: Progress, *, full: bool = False) -> Report:
    """Starts each so many times; raises UserError where one does not start."""
    starts, demos = (FULL_STARTS, FULL_DEMOS) if full else (STARTS, DEMOS)
    found: dict[str, float] = {}
    each: tuple[tuple[str, Callable[[], float]], ...] = (
        ("version_ms", lambda: _command_ms("--version")),
        ("help_ms", lambda: _command_ms("--help")),
        ("broker_ms", _broker_ms),
        ("controller_ms", _controller_ms),
    )
    total = len(each) + 1
    for number, (name, once) in enumerate(each):
        progress.at(number, total, name.removesuffix("_ms"))
        found[name] = _middle([once() for _ in range(starts + 1)][1:])
    progress.at(total - 1, total, "the demonstration")
    played = [_demo_ms(seed) for seed in range(1, demos + 1)]
    found["demo_first_ruling_ms"] = _middle([ruling for ruling, _ in played])
    found["demo_first_hand_ms"] = _middle([hand for _, hand in played])
    names = {
        "version_ms": "betline --version", "help_ms": "betline --help", "broker_ms": "broker to its first client",
        "controller_ms": "controller to online", "demo_first_ruling_ms": "demo to its first ruling",
        "demo_first_hand_ms": "    to the end of its first hand",
    }  # fmt: skip
    figures = [Figure(names[name], f"{ms:.0f} ms") for name, ms in found.items()]
    ready_s = found["demo_first_ruling_ms"] / 1000
    figures[4] = Figure(figures[4].what, figures[4].measured, f"< {TARGET_S:.0f} s", ready_s < TARGET_S)
    return Report(found, tuple(figures), (f"{starts} starts of each, {demos} of the demonstration at speed 1.",))


def _command_ms(word: str) -> float:
    begun = time.monotonic()
    subprocess.run([sys.executable, "-m", "betline", word], check=True, stdout=subprocess.DEVNULL)
    return (time.monotonic() - begun) * 1000


def _broker_ms() -> float:
    address = Address(LOOPBACK, free_port())
    with scratch_folder("betline-start-") as folder, Supervisor(folder) as parts:
        begun = time.monotonic()
        parts.start("broker", ["broker", "--quiet", "--broker", str(address)])
        await_broker(parts, address)
        return (time.monotonic() - begun) * 1000


def _controller_ms() -> float:
    address, names = Address(LOOPBACK, free_port()), namespace("home", TABLE)
    with scratch_folder("betline-start-") as folder, Supervisor(folder) as parts:
        parts.start("broker", ["broker", "--quiet", "--broker", str(address)])
        await_broker(parts, address)
        begun = time.monotonic()
        parts.start("controller", controller_line(TABLE, address, folder))
        await_controller(parts, address, names)
        return (time.monotonic() - begun) * 1000


def controller_line(table: str, address: Address, folder: Path, name: str | None = None) -> list[str]:
    """The command of a controller with files of its own in a folder; ``name`` is the table's on the bus."""
    called = ["--id", name] if name else []
    files = ["--journal", str(folder / f"{name or table}.journal"), "--people", str(folder / "people.toml")]
    return ["controller", "--table", table, "--broker", str(address), *called, *files]


def _demo_ms(seed: int) -> tuple[float, float]:
    """From the demonstration's start to its first ruling, and to the end of its first hand."""
    rulings: list[float] = []

    def heard(received: Received) -> None:
        if isinstance(received.body, Ruling):
            rulings.append(time.monotonic())

    options = DemoOptions(TABLE, BrokerChoice(), "home", None, None, None, 1, seed, 1.0, True, True)
    begun = time.monotonic()
    with ExitStack() as stack:
        folder = stack.enter_context(scratch_folder("betline-start-"))
        parts = stack.enter_context(Supervisor(folder))
        ready = prepare(options, folder)
        start_parts(parts, ready, options)
        bus = MqttBus(ready.address.host, ready.address.port, ready.names, "bench")
        stack.callback(bus.close)
        bus.subscribe(topics.RULING, heard)
        world = next(part for part in parts.parts if part.name == "world")
        assert world.process is not None
        while world.process.poll() is None:
            parts.check()
            if time.monotonic() > begun + HAND_S:
                raise UserError(f"The first hand was not over after {HAND_S:.0f} s: the machine is too busy.", FAILED)
            time.sleep(POLL_S)
        over = time.monotonic()
    if not rulings:
        raise UserError("The demonstration's first hand had no ruling.", FAILED)
    return (rulings[0] - begun) * 1000, (over - begun) * 1000


def _middle(values: list[float]) -> float:
    return round(sorted(values)[len(values) // 2], 1)
