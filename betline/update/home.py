"""The folder that holds the versions: an environment each, and the link `current` to the one that is used."""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from dataclasses import asdict, dataclass
from email.parser import Parser
from pathlib import Path
from typing import Any, Final

from betline.upkeep.errors import UpkeepError

CURRENT: Final = "current"
_RECORD: Final = "updates.json"


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel of Betline: its file, version, and what its environment is called."""

    path: Path
    version: str
    folder: str


@dataclass(frozen=True, slots=True)
class Update:
    """One update that was done: from which environment to which, and the backup from just before."""

    before: str
    after: str
    backup: str
    at_ms: int


def home_of(program: Path) -> Path:
    """The folder of the versions by the path of the program that was called; raises UpkeepError (``no-home``)."""
    found = next((one for one in program.absolute().parents if one.name == CURRENT and one.is_symlink()), None)
    if found is None:
        raise UpkeepError(
            "no-home",
            f"{program} does not run from a folder of versions with a link `{CURRENT}`: name that folder with --home, "
            "or install it so (docs/services.md). A clone is updated by git pull.",
        )
    return found.parent


def read_wheel(path: Path) -> Wheel:
    """Reads a wheel; raises UpkeepError (``no-wheel``) for a file that is not a wheel of Betline."""
    try:
        with zipfile.ZipFile(path) as wheel:
            name = next(one for one in wheel.namelist() if one.endswith(".dist-info/METADATA"))
            metadata = Parser().parsestr(wheel.read(name).decode("utf-8"))
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except (OSError, zipfile.BadZipFile, StopIteration, UnicodeDecodeError) as error:
        raise UpkeepError("no-wheel", f"{path} is no wheel ({error}); name a file betline-VERSION-...whl.") from None
    if metadata["Name"] != "betline":
        raise UpkeepError("no-wheel", f"{path} is a wheel of {metadata['Name']}, not of Betline.")
    return Wheel(path, str(metadata["Version"]), f"{metadata['Version']}-{digest[:8]}")


def current(home: Path) -> str:
    """The name of the environment that is used; raises UpkeepError (``no-home``)."""
    link = home / CURRENT
    if not link.is_symlink():
        raise UpkeepError("no-home", f"There is no link {link}: name the folder of the versions with --home.")
    return Path(os.readlink(link)).name


def switch(home: Path, to: str) -> None:
    """Moves the link by one renaming: at each moment there is one version. Raises UpkeepError (``missing``)."""
    if not (home / to / "bin" / "betline").exists():
        raise UpkeepError("missing", f"There is no version {home / to}.")
    new = home / f".{CURRENT}.new"
    new.unlink(missing_ok=True)
    new.symlink_to(to)
    new.replace(home / CURRENT)


def record(home: Path, update: Update) -> None:
    """Remembers an update."""
    file = home / _RECORD
    text = json.dumps([*(asdict(one) for one in recorded(home)), asdict(update)], indent=1)
    part = file.with_name(f".{_RECORD}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(file)


def recorded(home: Path) -> tuple[Update, ...]:
    """The updates that were done, the last one last; none where there is no record that can be read."""
    try:
        data: Any = json.loads((home / _RECORD).read_text(encoding="utf-8"))
        return tuple(Update(**one) for one in data)
    except (OSError, ValueError, TypeError):
        return ()
