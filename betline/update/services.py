"""The services of systemd that run from a folder of versions."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from betline.services.place import is_ours, units_folder
from betline.services.plan import PREFIX
from betline.update.steps import Services, uses


def services_of(home: Path, system: bool) -> Services:
    """Stops and starts the targets whose programs run from this folder, where they are active; nothing without them."""
    words = ("systemctl",) if system else ("systemctl", "--user")
    folder = units_folder("system" if system else "user", None)
    targets = sorted({_target_of(path) for path in folder.glob(f"{PREFIX}*.service") if _runs_from(path, home)} - {""})
    ran: set[str] = set()

    def stop() -> None:
        ran.update(target for target in targets if _run(*words, "is-active", target) is None)
        for target in sorted(ran):
            _run(*words, "stop", target)

    def start() -> str | None:
        for target in sorted(ran):
            controller = f"{target.removesuffix('.target')}-controller.service"
            wrong = _run(*words, "start", controller) or _run(*words, "start", target)
            if wrong is not None:
                return wrong
        return None

    return Services(stop, start) if shutil.which("systemctl") and targets else Services(lambda: None, lambda: None)


def _runs_from(path: Path, home: Path) -> bool:
    return is_ours(path) and uses(path.read_text(encoding="utf-8"), home)


def _target_of(path: Path) -> str:
    lines = path.read_text(encoding="utf-8").splitlines()
    return next((line.partition("=")[2] for line in lines if line.startswith("PartOf=")), "")


def _run(*words: str) -> str | None:
    """What went wrong, None where nothing did."""
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    said = " ".join((done.stderr or done.stdout).split())
    return None if done.returncode == 0 else said or f"status {done.returncode}"
