"""Making the environment of a new version by the locks in its own wheel."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Final

from betline.update.home import Wheel
from betline.upkeep.errors import UpkeepError

_LOCKS: Final = "betline/_locks"
_HEADLESS, _FULL = "opencv-headless.txt", "opencv.txt"


def make_environment(wheel: Wheel, folder: Path, packages: Path | None) -> None:
    """Makes an environment with what the wheel's locks name, and the wheel itself.

    `packages` is a folder of wheels from which pip takes everything, for a machine without a network. Raises
    UpkeepError (``environment``) with the last thing that pip said.
    """
    source = () if packages is None else ("--no-index", "--find-links", str(packages))
    with tempfile.TemporaryDirectory() as work:
        locks = _locks(wheel.path, Path(work))
        _run((sys.executable, "-m", "venv", str(folder)))
        pip = (str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "--no-input", "install")
        named = [word for lock in locks for word in ("-r", str(lock))]
        _run((*pip, *source, "--require-hashes", *named))
        _run((*pip, *source, "--no-deps", str(wheel.path)))


def _locks(wheel: Path, to: Path) -> tuple[Path, ...]:
    """The locks of a wheel that this machine needs: the same build of OpenCV as now."""
    try:
        importlib.metadata.version("opencv-python")
        opencv = _FULL
    except importlib.metadata.PackageNotFoundError:
        opencv = _HEADLESS
    with zipfile.ZipFile(wheel) as archive:
        for name in ("base.txt", opencv):
            try:
                (to / name).write_bytes(archive.read(f"{_LOCKS}/{name}"))
            except KeyError:
                raise UpkeepError(
                    "no-wheel", f"{wheel} has no locks: build it with `python -m build` from a checkout."
                ) from None
    return to / "base.txt", to / opencv


def _run(words: tuple[str, ...]) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        said = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        raise UpkeepError("environment", f"{' '.join(words[:4])} failed: {said[-1] if said else 'it said nothing'}")
