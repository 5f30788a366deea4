"""The file of a backup: a compressed tar with a manifest first, which has the hash of every other file.

Nothing of it is believed before it was held against the manifest, and no name in it leads out of the folder it is
unpacked into.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import tarfile
import tempfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any, Final

from betline.options import make_private_folder, name_new
from betline.upkeep.errors import UpkeepError

FORMAT: Final = 1
MANIFEST: Final = "manifest.json"
_MOST_MANIFEST_BYTES: Final = 16_000_000
_FILE_MODE: Final = 0o600
_BLOCK: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Item:
    """One file of a backup: its name there, where it came from, and what it was."""

    name: str
    source: str
    sha256: str
    size: int
    kind: str
    """``journal``, ``database`` or ``file``."""
    entries: int | None = None
    """Of a journal: how many entries it has."""
    head: str | None = None
    """Of a journal: its newest entry's hash."""
    fault: str | None = None
    """Of a journal: what was wrong with it when it was copied."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup has, and when and by which version it was made."""

    made_ms: int
    version: str
    items: tuple[Item, ...]

    def text(self) -> str:
        """The manifest as it stands in the file."""
        return json.dumps({"format": FORMAT, **asdict(self)}, indent=1)


def digest(path: Path) -> str:
    """The SHA-256 of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write(to: Path, manifest: Manifest, staged: Mapping[str, Path], step: Callable[[str], None]) -> None:
    """Writes a backup of the staged files into one new file that its owner alone may read.

    `step` is called with each name. Raises UpkeepError (``there-already``, ``unwritable``).
    """
    try:
        make_private_folder(to.absolute().parent)
        handle, name = tempfile.mkstemp(dir=to.absolute().parent, prefix=f".{to.name}")  # of mode 600
        part = Path(name)
        try:
            with os.fdopen(handle, "wb") as raw:
                with tarfile.open(fileobj=raw, mode="w:gz", compresslevel=6) as tar:
                    _add(tar, MANIFEST, io.BytesIO(manifest.text().encode()), manifest.made_ms)
                    for item in manifest.items:
                        step(item.name)
                        with staged[item.name].open("rb") as file:
                            _add(tar, item.name, file, manifest.made_ms)
                raw.flush()
                os.fsync(raw.fileno())
            name_new(part, to)
        finally:
            part.unlink(missing_ok=True)
    except FileExistsError:
        raise UpkeepError("there-already", f"{to} is there already; name a file that is not.") from None
    except OSError as error:
        raise UpkeepError("unwritable", f"{to} cannot be written ({error.strerror}); name another place.") from None


def _add(tar: tarfile.TarFile, name: str, file: IO[bytes], at_ms: int) -> None:
    entry = tarfile.TarInfo(name)
    entry.size = file.seek(0, io.SEEK_END)
    entry.mode, entry.mtime = _FILE_MODE, at_ms // 1000
    file.seek(0)
    tar.addfile(entry, file)


def unpack(backup: Path, folder: Path, step: Callable[[str], None] = lambda _: None) -> Manifest:
    """Unpacks a backup into an empty folder and holds every file against the manifest.

    Raises UpkeepError: ``unreadable`` for what cannot be opened, ``no-backup`` for what is none or of a later version,
    ``broken-backup`` where a file is missing, changed, or not in the manifest.
    """
    try:
        with tarfile.open(backup, mode="r:gz") as tar:
            manifest = _manifest(tar, backup)
            wanted = {item.name: item for item in manifest.items}
            while (entry := tar.next()) is not None:
                item = wanted.pop(entry.name, None)
                if item is None or not entry.isreg() or not is_inside(entry.name):
                    raise _broken(backup, f"{entry.name} is not in its manifest")
                step(item.name)
                if _unpack_one(tar, entry, folder / item.name) != (item.size, item.sha256):
                    raise _broken(backup, f"{item.name} is not as it was written")
    except (tarfile.TarError, EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise _broken(backup, str(error) or type(error).__name__) from None
    except OSError as error:
        raise UpkeepError("unreadable", f"{backup} cannot be unpacked ({error.strerror or error}).") from None
    if wanted:
        raise _broken(backup, f"{next(iter(wanted))} is missing")
    return manifest


def is_inside(name: str) -> bool:
    """Whether a name of a file stays in the folder that it is unpacked into."""
    path = PurePosixPath(name)
    return bool(path.parts) and not path.is_absolute() and ".." not in path.parts


def _unpack_one(tar: tarfile.TarFile, entry: tarfile.TarInfo, to: Path) -> tuple[int, str]:
    source = tar.extractfile(entry)
    assert source is not None
    make_private_folder(to.parent)
    found, size = hashlib.sha256(), 0
    with os.fdopen(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FILE_MODE), "wb") as file:
        while block := source.read(_BLOCK):
            file.write(block)
            found.update(block)
            size += len(block)
        file.flush()
        os.fsync(file.fileno())
    return size, found.hexdigest()


def _manifest(tar: tarfile.TarFile, backup: Path) -> Manifest:
    first = tar.next()
    source = tar.extractfile(first) if first is not None and first.name == MANIFEST and first.isreg() else None
    if source is None:
        raise UpkeepError("no-backup", f"{backup} is no backup of Betline; name a file that betline backup has made.")
    try:
        data: Any = json.loads(source.read(_MOST_MANIFEST_BYTES))
        form = data["format"]
        if form == FORMAT:
            items = tuple(Item(**item) for item in data["items"])
            return Manifest(int(data["made_ms"]), str(data["version"]), items)
    except (ValueError, KeyError, TypeError) as error:
        raise _broken(backup, f"its manifest cannot be read ({error})") from None
    raise UpkeepError("no-backup", f"{backup} has format {form}, this version reads {FORMAT}: update Betline first.")


def _broken(backup: Path, why: str) -> UpkeepError:
    return UpkeepError("broken-backup", f"The backup {backup} is damaged: {why.rstrip('.')}. Use another one.")
