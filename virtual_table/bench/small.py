"""The suite `small`: a whole table on a fifth of this machine, beside the same table on all of it.

Broker, controller, bridge, vision and console share a control group with a quota of processor time; the world, which
plays readers' far ends, camera and people, is outside it. The console runs in this process, so the group has this
process too, from when the parts have started. The quota is dealt out in slices of 10 ms, so that it is like a slower
processor and not like one that stands still now and then. It needs a control group that can be made: root, as a rule.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from betline import topics
from betline.bench import Figure, Progress, Report
from betline.bus import MqttBus, Received
from betline.joining import BrokerChoice
from betline.messages.common import Health
from betline.messages.devices import CameraView
from betline.options import FAILED, UserError
from betline.readiness import await_controller
from betline.scratch import scratch_folder
from betline.supervise import Supervisor
from virtual_table.bench.console import pressed
from virtual_table.play.report import quantiles
from virtual_table.run.demo import DemoOptions, Prepared, prepare, start_parts

TABLE: Final = "home-six"
SHARE: Final = 0.2
KEYS, FULL_KEYS = 40, 200
HANDS, FULL_HANDS = 6, 30
PERIOD_US: Final = 10_000
PATIENCE_S: Final = 600.0
_OUTSIDE: Final = ("world",)
_V2: Final = Path("/sys/fs/cgroup")
_V1: Final = Path("/sys/fs/cgroup/cpu")


@dataclass(slots=True)
class Seen:
    """What the sensors reported while the hands were played."""

    fps: list[float] = field(default_factory=list)
    rounds: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    """Of each reader its reports: when, in seconds, and how many rounds it had read by then."""

    def rounds_a_second(self) -> list[float]:
        """Of each reader, from its first report to its last."""
        ends = [(reports[0], reports[-1]) for reports in self.rounds.values()]
        return [(last[1] - first[1]) / (last[0] - first[0]) for first, last in ends if last[0] > first[0]]


def measure(progress: Progress, *, full: bool = False) -> Report:
    """Plays the hands twice; raises UserError where no control group can be made or the parts do not start."""
    runs = {}
    for place, (name, share) in enumerate((("whole", 1.0), ("fifth", SHARE))):
        progress.at(place, 2, name)
        runs[name] = _played(share, FULL_HANDS if full else HANDS, FULL_KEYS if full else KEYS, progress)
    return report(runs)


def report(runs: dict[str, dict[str, Any]]) -> Report:
    """Both runs as the suite's report."""
    cores = len(os.sched_getaffinity(0))
    rows: tuple[tuple[str, Callable[[dict[str, Any]], str]], ...] = (
        ("chips at rest to ruling, ms p50/p95", lambda run: _two(run["rest_ms"])),
        ("key to effect, ms p50/p95", lambda run: _two(run["key_ms"])),
        ("pictures a second", lambda run: f"{run['fps']:.1f}"),
        ("rounds a second and seat, least and mean", lambda run: "{:.1f}, {:.1f}".format(*run["rounds_per_s"])),
        ("wrong of acts", lambda run: f"{run['wrong']} of {run['acts']}"),
        ("asked", lambda run: str(run["asked"])),
        ("processor the parts took, cores", lambda run: f"{run['cores']:.2f}"),
    )
    figures = tuple(Figure(f"{what} ({name})", tell(run)) for what, tell in rows for name, run in runs.items())
    first = next(iter(runs.values()))
    measured = (
        f"{first['hands']} hands at {TABLE} each; a fifth is {SHARE * cores:.1f} of {cores} cores, "
        f"in slices of {PERIOD_US // 1000} ms. Load before: {', '.join(str(run['load']) for run in runs.values())}.",
    )
    return Report(runs, figures, measured)


def _two(times: dict[str, Any]) -> str:
    return f"{times['p50']}/{times['p95']}"


def _played(share: float, hands: int, keys: int, progress: Progress) -> dict[str, Any]:
    load = round(os.getloadavg()[0], 1)
    options = DemoOptions(TABLE, BrokerChoice(), "home", None, None, None, hands, 1, 1.0, True, True)
    with _group(share) as group, scratch_folder("betline-small-") as folder, Supervisor(folder) as parts:
        ready = prepare(options, folder)
        start_parts(parts, ready, options)
        await_controller(parts, ready.address, ready.names)
        for part in parts.parts:
            if part.name not in _OUTSIDE and part.process is not None:
                group.take(part.process.pid)
        group.take(os.getpid())
        began_s, used_s = time.monotonic(), group.used_s()
        with _watched(ready) as seen:
            times = asyncio.run(pressed(ready, keys, progress))
            document = _await_report(parts, ready)
        cores = (group.used_s() - used_s) / (time.monotonic() - began_s)
    summary = document["json"]
    rounds = seen.rounds_a_second()
    return {
        "hands": hands,
        "load": load,
        "acts": summary["acts"],
        "wrong": summary["wrong"],
        "asked": summary["asked"],
        "rest_ms": summary["latency_ms"]["at_rest_to_announcement"],
        "key_ms": quantiles(times),
        "fps": sum(seen.fps) / len(seen.fps) if seen.fps else 0.0,
        "rounds_per_s": (min(rounds), sum(rounds) / len(rounds)) if rounds else (0.0, 0.0),
        "cores": cores,
    }


def _await_report(parts: Supervisor, ready: Prepared) -> dict[str, Any]:
    """What the world says once its hands are over."""
    deadline_s = time.monotonic() + PATIENCE_S
    world = next(part.process for part in parts.parts if part.name in _OUTSIDE)
    while world is not None and world.poll() is None:
        if time.monotonic() > deadline_s:
            raise UserError(f"The hands were not over after {PATIENCE_S:.0f} s: the machine is too busy.", FAILED)
        time.sleep(0.2)
    found: dict[str, Any] = json.loads(ready.files.report.read_text(encoding="utf-8"))
    return found


@contextlib.contextmanager
def _watched(ready: Prepared) -> Iterator[Seen]:
    """Listens to camera and readers."""
    seen, lock = Seen(), threading.Lock()
    readers = {reader.id for reader in ready.table.readers}

    def heard(received: Received) -> None:
        body = received.body
        with lock:
            if isinstance(body, CameraView) and body.fps:
                seen.fps.append(body.fps)
            elif isinstance(body, Health) and received.topic.name in readers:
                reports = seen.rounds.setdefault(received.topic.name, [])
                reports.append((time.monotonic(), body.counters["cycles"]))

    bus = MqttBus(ready.address.host, ready.address.port, ready.names, "bench")
    try:
        bus.subscribe(topics.DEVICE_VIEW, heard)
        bus.subscribe(topics.DEVICE_HEALTH, heard)
        yield seen
    finally:
        bus.close()


class _Group:
    """A control group with a quota of processor time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._processes: list[int] = []

    def take(self, process: int) -> None:
        """A process with all its threads is in the group from now on."""
        (self._folder / "cgroup.procs").write_text(str(process))
        self._processes.append(process)

    def used_s(self) -> float:
        """The processor time that its processes have used so far."""
        ticks = 0
        for process in self._processes:
            after_name = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            ticks += int(after_name[11]) + int(after_name[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        """Puts this process back and takes the group away."""
        (self._folder.parent / "cgroup.procs").write_text(str(os.getpid()))
        for _ in range(50):
            with contextlib.suppress(OSError):
                self._folder.rmdir()
                return
            time.sleep(0.1)  # the parts' processes are ending


@contextlib.contextmanager
def _group(share: float) -> Iterator[_Group]:
    """A group of this share of the machine; raises UserError where none can be made."""
    quota_us = round(share * len(os.sched_getaffinity(0)) * PERIOD_US)
    unified = (_V2 / "cgroup.controllers").exists()
    folder = (_V2 if unified else _V1) / f"betline-small-{os.getpid()}"
    try:
        folder.mkdir()
        if unified:
            (folder / "cpu.max").write_text(f"{quota_us} {PERIOD_US}")
        else:
            (folder / "cpu.cfs_period_us").write_text(str(PERIOD_US))
            (folder / "cpu.cfs_quota_us").write_text(str(quota_us))
    except OSError as error:
        with contextlib.suppress(OSError):
            folder.rmdir()
        raise UserError(
            f"No control group with a quota can be made ({error}): run it as root, on a machine with cgroups.", FAILED
        ) from None
    group = _Group(folder)
    try:
        yield group
    finally:
        group.close()
