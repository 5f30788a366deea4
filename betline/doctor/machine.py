"""The machine: Python, packages, disk, memory, clock, terminal, voice."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import platformdirs

from betline.doctor.answer import Answer, Visit, fault, ok, skipped, warning

_LEAST_PYTHON: Final = (3, 11)
_NAME: Final = re.compile(r"^[A-Za-z0-9._-]+")
_EXTRA: Final = re.compile(r";.*extra")
_GB: Final = 1e9
_LEAST_DISK_GB, _GOOD_DISK_GB = 0.3, 3.0
_GOOD_SYNC_MS: Final = 20.0
_SYNCS: Final = 20
_LEAST_MEMORY_GB: Final = 0.7
_LEAST_TERMINAL: Final = (80, 24)
_NOT_BEFORE_YEAR: Final = 2025


def examine(visit: Visit) -> Iterator[Answer]:  # noqa: ARG001 - the machine is the same for every table
    """What every part needs, whatever the table."""
    yield _python()
    yield _packages()
    yield _opencv()
    yield from _disk()
    yield _memory()
    yield _clock()
    yield _terminal()
    yield _voice()


def _python() -> Answer:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info < _LEAST_PYTHON:
        return fault("python", f"Python {version} is too old.", "Install Python 3.11 or later.")
    return ok("python", f"Python {version}, betline {importlib.metadata.version('betline')}")


def _packages() -> Answer:
    missing = []
    for requirement in importlib.metadata.requires("betline") or ():
        name = _NAME.match(requirement)
        if name is None or _EXTRA.search(requirement) or name[0] == "opencv-python":
            continue
        try:
            importlib.metadata.version(name[0])
        except importlib.metadata.PackageNotFoundError:
            missing.append(name[0])
    if missing:
        return fault(
            "packages", f"{', '.join(missing)} is not installed.", "Install Betline again as docs/install.md says."
        )
    return ok("packages", "all installed")


def _opencv() -> Answer:
    try:
        cv2 = importlib.import_module("cv2")
    except ImportError as error:
        return fault(
            "opencv",
            f"OpenCV cannot be loaded ({error}).",
            "On a machine without a desktop install opencv-python-headless in place of opencv-python: docs/install.md.",
        )
    return ok("opencv", f"OpenCV {cv2.__version__}")


def _disk() -> Iterator[Answer]:
    folder = Path(platformdirs.user_state_dir("betline", appauthor=False))
    there = next(path for path in (folder, *folder.parents) if path.exists())
    try:
        free_gb = shutil.disk_usage(there).free / _GB
        sync_ms = _sync_ms(there)
    except OSError as error:
        yield fault(
            "disk",
            f"{there} cannot be written ({error.strerror}).",
            "Make the folder writable: the journal lies there.",
        )
        return
    said = f"{free_gb:.1f} GB free in {there}"
    if free_gb < _LEAST_DISK_GB:
        yield fault("disk", said, "Make room: without it no ruling can be written, and none is made.")
    elif free_gb < _GOOD_DISK_GB:
        yield warning("disk", said, "Make room for an evening of pictures and journal, 3 GB.")
    else:
        yield ok("disk", said)
    if sync_ms > _GOOD_SYNC_MS:
        yield warning(
            "disk speed",
            f"a write takes {sync_ms:.0f} ms",
            "Every ruling waits so long: use an SSD or a better SD card.",
        )
    else:
        yield ok("disk speed", f"a write takes {sync_ms:.1f} ms")


def _sync_ms(folder: Path) -> float:
    """The median time that a small write takes until it is on the disk."""
    times_ms = []
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(_SYNCS):
            began_s = time.perf_counter()
            file.write(b"x" * 512)
            file.flush()
            os.fsync(file.fileno())
            times_ms.append((time.perf_counter() - began_s) * 1000)
    return sorted(times_ms)[len(times_ms) // 2]


def _memory() -> Answer:
    try:
        pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return skipped("memory", "this system does not tell its memory")
    total_gb = pages * size / _GB
    said = f"{total_gb:.1f} GB, {os.cpu_count() or 1} cores"
    if total_gb < _LEAST_MEMORY_GB:
        return warning(
            "memory", said, "A table with a camera needs 1 GB; leave the camera out or take a larger machine."
        )
    return ok("memory", said)


def _clock() -> Answer:
    year = time.gmtime().tm_year
    if year < _NOT_BEFORE_YEAR:
        return fault("clock", f"the clock says {year}", "Set it, or let it be set by NTP: hands are journalled by it.")
    program = shutil.which("timedatectl")
    if program is None:
        return skipped("clock", "timedatectl is not here; whether the clock is kept right is not known")
    try:
        told = subprocess.run(
            [program, "show", "-p", "NTPSynchronized", "--value"],
            capture_output=True,
            text=True,
            timeout=5,
            check=False,
        ).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        told = ""
    if told == "yes":
        return ok("clock", "kept right by NTP")
    if told == "no":
        return warning("clock", "not kept right by NTP", "Type: sudo timedatectl set-ntp true.")
    return skipped("clock", "timedatectl does not tell whether it is kept right")


def _terminal() -> Answer:
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    columns, rows = shutil.get_terminal_size(_LEAST_TERMINAL)
    if encoding != "utf8":
        return warning(
            "terminal", f"it is not set to UTF-8 ({encoding or 'nothing'})", "Set LANG, for example to C.UTF-8."
        )
    if columns < _LEAST_TERMINAL[0] or rows < _LEAST_TERMINAL[1]:
        return warning(
            "terminal", f"{columns}x{rows}", "The console needs 80 columns and 24 rows: make the window larger."
        )
    return ok("terminal", f"{columns}x{rows}, UTF-8")


def _voice() -> Answer:
    if shutil.which("espeak-ng") is None:
        return skipped("voice", "espeak-ng is not installed: the table does not speak (apt install espeak-ng)")
    return ok("voice", "espeak-ng")
