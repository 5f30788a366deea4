"""Running the parts as child processes: start them, restart one that dies, stop them all cleanly.

A part that keeps dying is started again with a growing pause; one that refuses at its first start, because what it was
told cannot be used, is not: whoever started it reads why. Every part gets SIGTERM when this process dies, however
it dies, so that no reader or port stays taken.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from betline.front_door import run
from betline.logs import sentence_of
from betline.options import FAILED, WRONG_USAGE, UserError

FIRST_PAUSE_S = 0.3
MAX_PAUSE_S = 5.0
STARTING_S = {FAILED: 10.0, WRONG_USAGE: 180.0}
"""A part that ends with such a status within this time of its first start had not begun to work. What it was told is
wrong however late it says so, and on a machine with much else to do it takes a minute to read it.
"""
STEADY_S = 3.0
"""A part that ran for this long had started well: if it dies now, it is started again after the first pause."""
LOG_BYTES = 5_000_000
"""A part's log that grows beyond this becomes `.1`, in the place of the one before."""
STOP_WAIT_S = 4.0
WATCH_S = 0.1

_PR_SET_PDEATHSIG = 1


@dataclass(slots=True)
class Part:
    """One program of the house: its name, the verb line that starts it, and its present process."""

    name: str
    arguments: tuple[str, ...]
    once: bool = False
    process: subprocess.Popen[bytes] | None = None
    starts: int = 0
    started_s: float = 0.0
    pause_s: float = FIRST_PAUSE_S
    due_s: float = 0.0
    output: IO[bytes] | None = field(default=None, repr=False)
    held_until_s: float = 0.0
    """It is not started again before."""
    refusal: str | None = None
    """Why it ended at its first start."""


class Supervisor:
    """Keeps a set of parts running until it is stopped; a context manager.

    What the parts print goes to one log file each in ``log_dir``. ``notify`` is called with a sentence when a part died
    and is started again.
    """

    def __init__(self, log_dir: Path, notify: Callable[[str], None] | None = None) -> None:
        self._log_dir = log_dir
        self._notify = notify or (lambda _sentence: None)
        self._parts: list[Part] = []
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._watcher = threading.Thread(target=self._watch, name="supervisor", daemon=True)

    def __enter__(self) -> Supervisor:
        self._watcher.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self.stop()

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts in the order in which they were started."""
        return tuple(self._parts)

    def start(self, name: str, arguments: Sequence[str], *, once: bool = False) -> Part:
        """Starts ``betline`` with these arguments; a part that runs ``once`` is not started again when it ends."""
        part = Part(name, tuple(arguments), once)
        with self._lock:
            self._spawn(part)
            self._parts.append(part)
        return part

    def log_of(self, name: str) -> Path:
        """Where a part's output goes."""
        return self._log_dir / f"{name}.log"

    def last_words(self, name: str) -> str:
        """The last line that a part printed."""
        log = self.log_of(name)
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else []
        said = [line for line in lines if line.strip()]
        return sentence_of(said[-1]).removeprefix("betline: ") if said else "It said nothing."

    def check(self) -> None:
        """Raises UserError where a part refused to start, with what it said."""
        for part in self.parts:
            if part.refusal is not None and part.process is not None:
                raise UserError(part.refusal, part.process.returncode)

    def kill(self, name: str, away_s: float = 0.0) -> None:
        """Kills a part's process, where it runs, and keeps it away for so long at least: for trials of faults."""
        with self._lock:
            for part in self._parts:
                if part.name == name and part.process is not None and part.process.poll() is None:
                    part.held_until_s = time.monotonic() + away_s
                    _signal(part, signal.SIGKILL)

    def release(self, name: str) -> None:
        """Ends the time for which a part that was killed is kept away."""
        with self._lock:
            for part in self._parts:
                if part.name == name:
                    part.held_until_s = 0.0
                    part.due_s = min(part.due_s, time.monotonic() + part.pause_s)

    def stop(self) -> None:
        """Stops all parts, the last started first; kills what does not end in time."""
        self._stopping.set()
        with self._lock:
            running = [part for part in reversed(self._parts) if part.process and part.process.poll() is None]
            for part in running:
                _signal(part, signal.SIGTERM)
            deadline = time.monotonic() + STOP_WAIT_S
            for part in running:
                assert part.process is not None
                try:
                    part.process.wait(max(0.05, deadline - time.monotonic()))
                except subprocess.TimeoutExpired:
                    _signal(part, signal.SIGKILL)
                    part.process.wait()
            for part in self._parts:
                if part.output is not None:
                    part.output.close()
                    part.output = None

    def _spawn(self, part: Part) -> None:
        if part.output is None:
            part.output = self.log_of(part.name).open("ab")
        part.process = subprocess.Popen(
            child_line(part.arguments),
            stdin=subprocess.DEVNULL,
            stdout=part.output,
            stderr=subprocess.STDOUT,
        )
        part.starts += 1
        part.started_s = time.monotonic()

    def _bound_log(self, part: Part) -> None:
        """Copies a log and empties it: the part goes on writing to the file that it has open, at its end."""
        log = self.log_of(part.name)
        if log.exists() and log.stat().st_size > LOG_BYTES:
            shutil.copyfile(log, log.with_suffix(".log.1"))
            os.truncate(log, 0)

    def _watch(self) -> None:
        while not self._stopping.wait(WATCH_S):
            with self._lock:
                if self._stopping.is_set():
                    return
                for part in self._parts:
                    self._look_after(part)

    def _look_after(self, part: Part) -> None:
        self._bound_log(part)
        if part.process is None:
            if time.monotonic() >= part.due_s:
                self._spawn(part)
            return
        status = part.process.poll()
        if status is None or part.once or part.refusal is not None:
            return
        now_s = time.monotonic()
        starting_s = STARTING_S.get(status, 0.0) if part.starts == 1 else 0.0
        if now_s - part.started_s < starting_s:
            part.refusal = f"The {part.name} did not start: {self.last_words(part.name)}"
            return
        if now_s - part.started_s > STEADY_S:
            part.pause_s = FIRST_PAUSE_S
        part.due_s = max(now_s + part.pause_s, part.held_until_s)
        self._notify(f"{part.name} ended (status {status}) and is started again; see {self.log_of(part.name)}.")
        part.pause_s = min(part.pause_s * 2, MAX_PAUSE_S)
        part.process = None


def child_line(arguments: Sequence[str]) -> list[str]:
    """The command line of ``betline`` with these arguments as a child of this process, ended when this one dies."""
    return [sys.executable, "-m", "betline.supervise", str(os.getpid()), *arguments]


def end_with_parent(how: signal.Signals = signal.SIGKILL) -> None:
    """Asks the kernel to end this process when the thread that made it ends (prctl(2), Linux only)."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, how)


def as_worker() -> None:
    """Makes this process one of a pool: Ctrl-C, which a terminal tells every process of, is left to the one that gave
    out the work, and it ends when that one dies.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    parent = multiprocessing.parent_process()
    if parent is not None and parent.pid != os.getppid():
        os._exit(FAILED)  # it died before the kernel was asked


def _signal(part: Part, number: signal.Signals) -> None:
    assert part.process is not None
    part.process.send_signal(number)


def _child(arguments: list[str]) -> int:
    """What a part's process runs: it asks the kernel for SIGTERM upon its parent's death, then opens the front door."""
    parent, *verb_line = arguments
    end_with_parent(signal.SIGTERM)
    if os.getppid() != int(parent):
        return 0
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the supervisor's; it stops its parts in order

    return run(verb_line)


if __name__ == "__main__":
    sys.exit(_child(sys.argv[1:]))
