"""Putting a backup in its place: all of it is checked before anything is replaced, and what is replaced is kept."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from betline.options import make_private_folder, set_aside
from betline.upkeep.archive import Item, Manifest, digest, unpack
from betline.upkeep.contents import CONFIG, STATE
from betline.upkeep.errors import UpkeepError
from betline.upkeep.journals import journals
from betline.upkeep.places import Places


@dataclass(frozen=True, slots=True)
class Restored:
    """What was done: the files that were put in place, and where those from before are now."""

    manifest: Manifest
    files: tuple[Path, ...]
    kept: tuple[tuple[Path, Path], ...]
    """Of each file that was replaced its place, and where it is now."""
    same: int
    """Files that were as the backup has them."""
    left: tuple[Item, ...]
    """Files that belong to neither folder of Betline, and were not put anywhere."""


Target = Callable[[Item], Path | None]
"""Where a file of a backup goes; None: nowhere."""


def into_folder(folder: Path) -> Target:
    """Every file below one folder, as the backup calls it."""
    return lambda item: folder / item.name


def into_places(places: Places) -> Target:
    """State and settings in the usual folders, nothing outside them: a backup may come from anywhere."""
    folders = {STATE: places.state, CONFIG: places.config}

    def target(item: Item) -> Path | None:
        top, _, rest = item.name.partition("/")
        return folders[top] / rest if top in folders else None

    return target


def restore(
    backup: Path,
    target: Target,
    now_ms: int,
    key: Path | None = None,
    step: Callable[[str], None] = lambda _: None,
) -> Restored:
    """Checks hashes and journals, then puts every file in its place; anchors that are there already stay.

    A journal that ends before one that was played meanwhile is refused by the next controller, until a person has
    accepted the loss: that is what the anchors that stay are for.

    Raises UpkeepError: those of `unpack`, ``broken-journal``, ``in-use``, ``unwritable``; nothing is changed then,
    but where a disk fails in between: then the sentence says what is in place.
    """
    room = journals()
    with tempfile.TemporaryDirectory(prefix="betline-restore-") as staging:
        folder = Path(staging)
        manifest = unpack(backup, folder, step)
        key = key or Places(folder / STATE, folder / CONFIG).own_key
        targets = {item: to for item in manifest.items if (to := target(item)) is not None}
        for item, to in targets.items():
            if item.kind != "journal":
                continue
            fault = item.fault or room.check(folder / item.name, key).fault
            if fault is not None:
                raise UpkeepError(
                    "broken-journal",
                    f"The journal {item.name} of {backup} does not hold: {fault} Use another backup; this one can "
                    "still be unpacked with tar for an inquiry.",
                )
            room.require_unused(to)
        done: list[Path] = []
        kept: list[tuple[Path, Path]] = []
        same = 0
        try:
            for item, to in targets.items():
                copy = folder / item.name
                if (item.name.endswith(".anchors") and to.exists()) or _is_same(item, to):
                    same += 1
                    continue
                aside = room.put(to, copy, now_ms, key) if item.kind == "journal" else _put(to, copy, now_ms)
                done.append(to)
                if aside is not None:
                    kept.append((to, aside))
        except OSError as error:
            raise UpkeepError(
                "unwritable",
                f"{error.filename or backup} cannot be written ({error.strerror}); {len(done)} files are in place, "
                "mend that and restore again.",
            ) from None
    return Restored(
        manifest, tuple(done), tuple(kept), same, tuple(one for one in manifest.items if one not in targets)
    )


def _is_same(item: Item, to: Path) -> bool:
    return item.kind == "file" and to.is_file() and to.stat().st_size == item.size and digest(to) == item.sha256


def _put(to: Path, copy: Path, now_ms: int) -> Path | None:
    """Puts a file in its place by one renaming; what was there gets another name first."""
    make_private_folder(to.parent)
    part = to.with_name(f"{to.name}.part")
    part.unlink(missing_ok=True)
    with (
        copy.open("rb") as source,
        os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file,
    ):
        shutil.copyfileobj(source, file)
        file.flush()
        os.fsync(file.fileno())
    aside = set_aside(to, now_ms) if to.exists() else None
    part.replace(to)
    return aside
