"""Putting a table's files in their place, and taking them away again: only files that carry our mark are touched."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import platformdirs

from betline.options import FAILED, UserError
from betline.services.plan import PREFIX, Plan, Scope
from betline.services.units import MARK

_MODE: Final = 0o644
_SHARED: Final = ("sysusers.d/betline.conf", "tmpfiles.d/betline.conf", "udev/rules.d/70-betline-readers.rules")
_UNITS: Final = "systemd/system"


HANDS_FOLDERS: Final = 250
"""From this version on systemd hands the files of a folder to a service as credentials (NEWS of systemd 250)."""


def systemd_version() -> int:
    """The version of this machine's systemd, 0 where there is none."""
    try:
        said = subprocess.run(
            ["systemctl", "--version"], capture_output=True, text=True, check=False, timeout=20
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return 0
    found = re.match(r"systemd (\d+)", said)
    return int(found[1]) if found else 0


@dataclass(frozen=True, slots=True)
class Step:
    """A command to run afterwards, and whether the installation counts as failed where it fails."""

    words: tuple[str, ...]
    needed: bool = True


def folder(scope: Scope, root: Path | None) -> Path:
    """Where the files go: /etc, or the user's folder for units; below another root where one is named."""
    if scope == "system":
        return (root or Path("/")) / "etc"
    home = Path(platformdirs.user_config_dir("systemd", appauthor=False)) / "user"
    return home if root is None else root / home.relative_to(home.anchor)


def units_folder(scope: Scope, root: Path | None) -> Path:
    """Where the units are."""
    base = folder(scope, root)
    return base / _UNITS if scope == "system" else base


def write(files: Mapping[str, str], base: Path) -> tuple[Path, ...]:
    """Writes the files, each whole or not at all; raises UserError, also for a file of that name that is not ours."""
    for name in files:
        path = base / name
        if path.exists() and not is_ours(path):
            raise UserError(f"{path} is there and was not written by betline install: move it away first.", FAILED)
    written = []
    for name, text in files.items():
        path = base / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, part = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}")
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            Path(part).chmod(_MODE)
            Path(part).replace(path)
        except OSError as error:
            raise UserError(f"{path} cannot be written ({error.strerror}): use sudo, or --user.", FAILED) from None
        written.append(path)
    return tuple(written)


def is_ours(path: Path) -> bool:
    """Whether a file was written by `betline install`."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").startswith(MARK)
    except OSError:
        return False


def installed(scope: Scope, root: Path | None, table: str | None = None) -> tuple[Path, ...]:
    """The files to take away: a table's units, and what all tables share where it was the last one.

    Without a table all of them.
    """
    units = [path for path in sorted(units_folder(scope, root).glob(f"{PREFIX}*")) if is_ours(path)]
    own = units if table is None else [path for path in units if _belongs(path, table)]
    if scope == "user" or len(own) < len(units) or not own:
        return tuple(own)
    base = folder(scope, root)
    return (*own, *(base / name for name in _SHARED if is_ours(base / name)))


def _belongs(path: Path, table: str) -> bool:
    stem = f"{PREFIX}{table}"
    return path.name == f"{stem}.target" or (
        path.name.startswith(f"{stem}-") and f"PartOf={stem}.target" in path.read_text(encoding="utf-8").splitlines()
    )


def steps_after_writing(plan: Plan, root: Path | None, *, start: bool) -> tuple[Step, ...]:
    """What is to be run once the files are there."""
    if root is not None:
        at = (f"--root={root}",)
        enable = Step(("systemctl", *(("--user",) if plan.scope == "user" else ()), *at, "enable", plan.target), False)
        users = (Step(("systemd-sysusers", *at), False),) if plan.scope == "system" else ()
        return (*users, enable)
    now = ("--now",) if start else ()
    if plan.scope == "user":
        return (
            Step(("systemctl", "--user", "daemon-reload")),
            Step(("systemctl", "--user", "enable", *now, plan.target)),
            Step(("loginctl", "enable-linger"), False),
        )
    return (
        Step(("systemd-sysusers",)),
        Step(("systemd-tmpfiles", "--create", "/etc/tmpfiles.d/betline.conf")),
        *((Step(("udevadm", "control", "--reload"), False),) if plan.table.readers else ()),
        *((Step(("udevadm", "trigger", "--subsystem-match=tty"), False),) if plan.table.readers else ()),
        Step(("systemctl", "daemon-reload")),
        Step(("systemctl", "enable", *now, plan.target)),
    )


def steps_before_removing(scope: Scope, root: Path | None, targets: Iterable[str]) -> tuple[Step, ...]:
    """What is to be run before the files are taken away."""
    user = ("--user",) if scope == "user" else ()
    if root is not None:
        return tuple(Step(("systemctl", *user, f"--root={root}", "disable", one), False) for one in targets)
    return tuple(Step(("systemctl", *user, "disable", "--now", one), False) for one in targets)


def run(steps: Iterable[Step]) -> tuple[str, ...]:
    """Runs commands in turn; gives what failed and is not needed. Raises UserError where one that is needed failed."""
    remarks = []
    for step in steps:
        sentence = _ran(step.words)
        if sentence is not None and step.needed:
            raise UserError(f"{sentence} The files are in place; mend that and type it again.", FAILED)
        if sentence is not None:
            remarks.append(sentence)
    return tuple(remarks)


def _ran(words: tuple[str, ...]) -> str | None:
    line = " ".join(words)
    if shutil.which(words[0]) is None:
        return f"There is no {words[0]} here, so this was not done: {line}."
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{line} failed ({error})."
    said = " ".join((done.stderr or done.stdout).split())
    return None if done.returncode == 0 else f"{line} failed ({said or done.returncode})."
