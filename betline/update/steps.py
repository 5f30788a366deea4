"""An update, step by step: nothing that the table uses is touched before the new version has worked on a copy."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from betline.options import file_stamp, make_private_folder
from betline.update.home import CURRENT, Update, Wheel, current, record, recorded, switch
from betline.upkeep.backup import back_up
from betline.upkeep.contents import CONFIG, STATE, kept
from betline.upkeep.errors import UpkeepError
from betline.upkeep.journals import journals
from betline.upkeep.places import Places

Maker = Callable[[Wheel, Path, Path | None], None]
"""Makes the environment of a wheel in a folder."""
_TRIAL: Final = "trial"
_PATIENCE_S: Final = 600


@dataclass(frozen=True, slots=True)
class Services:
    """How the table's services are stopped and started around the switch; `start` says whether they serve."""

    stop: Callable[[], None]
    start: Callable[[], str | None]
    """None where they serve, else what is wrong."""


def try_and_update(
    home: Path,
    wheel: Wheel,
    places: Places,
    services: Services,
    make: Maker,
    now_ms: int,
    packages: Path | None = None,
    *,
    check: bool = False,
    step: Callable[[str], None] = lambda _: None,
) -> Update:
    """Backup, new environment beside, trial on a copy, switch, start; back to what was where that fails.

    `check` ends before the switch and leaves nothing behind. Raises UpkeepError; the table is then as it was.
    """
    before = current(home)
    if before == wheel.folder:
        raise UpkeepError("same", f"{wheel.path} is what runs already ({before}).")
    folder = home / wheel.folder
    is_new = not folder.exists()
    backup = home / "backups" / f"before-{wheel.version}-{file_stamp(now_ms)}.betline"
    try:
        step("backup")
        files = kept(places)
        back_up(files, backup, now_ms, places.own_key)
        if is_new:
            step("new environment")
            make(wheel, folder, packages)
        step("trial on a copy")
        _trial(folder / "bin" / "betline", backup)
    except BaseException:
        if is_new:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    if check:
        backup.unlink()
        if is_new:
            shutil.rmtree(folder, ignore_errors=True)
        return Update(before, wheel.folder, "", now_ms)
    step("switch")
    done = Update(before, wheel.folder, str(backup), now_ms)
    services.stop()
    switch(home, wheel.folder)
    wrong = services.start()
    if wrong is not None:
        services.stop()
        switch(home, before)
        services.start()
        raise UpkeepError(
            "not-serving",
            f"{wheel.folder} does not serve here ({wrong}); {before} is used again. If it refuses the journal, "
            f"restore it: betline restore {backup} --in-place.",
        )
    record(home, done)
    return done


def go_back(home: Path, places: Places, services: Services) -> Update:
    """Moves the link to the version from before the last update; raises UpkeepError.

    ``newer-journal``: a journal was written in a form that the older version cannot read. Nothing is changed then.
    """
    last = next((one for one in reversed(recorded(home)) if one.after == current(home)), None)
    if last is None:
        raise UpkeepError("no-update", f"No update to {current(home)} is known in {home}: there is no way back.")
    older = home / last.before / "bin" / "betline"
    for path in _journals(places):
        done = _program(older, "journal", "verify", "--journal", str(path))
        if done.returncode:
            said = (done.stderr or done.stdout).strip().splitlines()
            raise UpkeepError(
                "newer-journal",
                f"{last.before} cannot read {path} ({said[-1] if said else done.returncode}). To go back with what was "
                f"then, losing what was played since: stop the table, betline restore {last.backup} --in-place, then "
                "betline update --back again.",
            )
    services.stop()
    switch(home, last.before)
    wrong = services.start()
    if wrong is not None:
        raise UpkeepError("not-serving", f"{last.before} is used again, and does not serve: {wrong}")
    return Update(last.after, last.before, last.backup, last.at_ms)


def migrate(folder: Path) -> tuple[str, ...]:
    """Opens every journal of an unpacked backup as a controller of this version would, which renews its form.

    Gives the journals' names. Raises UpkeepError for one that does not hold, before or after.
    """
    room = journals()
    places = Places(folder / STATE, folder / CONFIG)
    names = []
    for path in _journals(places):
        room.renew(path, places.own_key)
        fault = room.check(path, places.own_key).fault
        if fault is not None:
            raise UpkeepError("broken-journal", f"{path.name} does not hold after it was renewed: {fault}")
        names.append(path.name)
    return tuple(names)


def _journals(places: Places) -> Iterator[Path]:
    room = journals()
    for one in kept(places):
        if one.source.is_relative_to(places.state) and room.is_journal(one.source):
            yield one.source


def _trial(program: Path, backup: Path) -> None:
    """The new version unpacks the backup, renews the copy, and looks at the machine."""
    with tempfile.TemporaryDirectory(prefix="betline-update-") as work:
        folder = Path(work, _TRIAL)
        make_private_folder(folder)
        for words in (
            ("restore", str(backup), "--to", str(folder)),
            ("update", "--renew", str(folder)),
            ("doctor", "--only", "machine", "--json"),
        ):
            done = _program(program, *words)
            if done.returncode:
                raise UpkeepError("trial", f"The new version failed at `{' '.join(words[:2])}`: {_said(done)}")


def _said(done: subprocess.CompletedProcess[str]) -> str:
    with contextlib.suppress(ValueError, KeyError, TypeError):
        faults = [one for one in json.loads(done.stdout)["answers"] if one["state"] == "fault"]
        return " ".join(f"{one['sentence']} {one['remedy']}" for one in faults)
    lines = (done.stderr or done.stdout).strip().splitlines()
    return lines[-1] if lines else f"status {done.returncode}"


def _program(program: Path, *words: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            (str(program), *words), capture_output=True, text=True, check=False, timeout=_PATIENCE_S, env={**os.environ}
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UpkeepError("trial", f"{program} could not be run ({error}).") from None


def uses(text: str, home: Path) -> bool:
    """Whether a unit starts the version that the link points to."""
    return f"ExecStart={home / CURRENT}/bin/betline " in text
