"""Where a book was made: machine, versions, commit, and how fast the machine is at the moment."""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import platform
import shutil
import subprocess
import time
from pathlib import Path
from typing import Final

PACKAGES: Final = (
    "betline", "pokerkit", "opencv-python", "opencv-python-headless", "numpy", "paho-mqtt", "amqtt", "pyserial",
    "textual", "pydantic",
)  # fmt: skip
"""Ours, the peers', and what carries most of the work."""
_WORK: Final = 40_000
_ROUNDS: Final = 9


def yardstick_ms() -> float:
    """How long a fixed piece of work in Python takes now, by processor time: the middle of nine rounds."""
    times = []
    for _ in range(_ROUNDS):
        begun = time.process_time()
        _work()
        times.append((time.process_time() - begun) * 1000)
    return round(sorted(times)[_ROUNDS // 2], 3)


def machine() -> dict[str, str]:
    """What somebody would ask about the machine."""
    kernel = f"{platform.system()} {platform.release()} {platform.machine()}"
    found = {"processor": _processor(), "cores": str(len(os.sched_getaffinity(0))), "system": kernel}
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    return {**found, "memory": f"{memory:.1f} GB", "load": f"{os.getloadavg()[0]:.1f} in the minute before"}


def versions() -> dict[str, str]:
    """Python, the packages of `PACKAGES` that there are, and mosquitto."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    if mosquitto := shutil.which("mosquitto"):
        said = subprocess.run([mosquitto, "-h"], capture_output=True, text=True, check=False).stdout
        found["mosquitto"] = said.splitlines()[0].removeprefix("mosquitto version ") if said else "unknown"
    return found


def commit() -> str:
    """The checkout's commit, with "and changes" where files differ from it; empty without a checkout."""
    here = Path(__file__).parent
    try:
        head = subprocess.run(
            ["git", "-C", here, "rev-parse", "--short=10", "HEAD"], capture_output=True, text=True, check=False
        )
        changed = subprocess.run(
            ["git", "-C", here, "status", "--porcelain", "-uno"], capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return head.stdout.strip() + (" and changes" if changed.stdout.strip() else "") if not head.returncode else ""


def _work() -> int:
    """Integers, mappings, text and hashing, as the house does them."""
    counted: dict[str, int] = {}
    total = 0
    for number in range(_WORK):
        key = f"seat-{number % 97}"
        counted[key] = counted.get(key, 0) + number
        total = (total * 31 + number) % 1_000_003
    return total + int.from_bytes(hashlib.sha256(repr(sorted(counted.items())).encode()).digest()[:2])


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown"
    named = [line.partition(":")[2].strip() for line in lines if line.startswith(("model name", "Model"))]
    return named[0] if named else platform.processor() or "unknown"
