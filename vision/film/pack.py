"""A film packed into one file that a house may send: only clips that were answered, with what it takes to see them.

A ZIP without compression (JPEGs have it already): `manifest.json` first, with the hash of every other file; then the
head, the labels, the lines and pictures of the frames that are kept. Of a received one nothing is believed before it
was held against the manifest, and no name in it leads out of the folder it is unpacked into.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import zipfile
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field, ValidationError

from betline.options import make_private_folder, name_new
from betline.settings import Settings, parse
from betline.settings.model import SettingsError
from vision.film.labels import LABELS, Label, Labels, read_labels, write_labels
from vision.film.store import FRAMES, HEAD, Film, FilmError, Kept, open_film, part_name, refuse_if_taken, write_new
from vision.imaging.encoded import size_of

MANIFEST: Final = "manifest.json"
LICENCE: Final = "CC-BY-4.0"
CONSENT: Final = (
    "Everybody whose hands can be seen in this film was asked and agrees that it is sent, published and used to test "
    f"and improve table cameras, under the licence {LICENCE}."
)
BEFORE_MS: Final = 6_000.0
AFTER_MS: Final = 2_000.0
"""So much of the film is kept before and after each clip: the detector must have seen what lay there."""
BEGIN_MS: Final = 10_000.0
"""The beginning is always kept: the detector learns the felt in it."""
MOST_BYTES: Final = 40_000_000_000
MOST_TEXT_BYTES: Final = 100_000_000
MOST_LINES_BYTES: Final = 400_000_000
"""Of the longest film at 60 pictures a second."""
_TEXTS: Final = (HEAD, LABELS, FRAMES)
_FILE_MODE: Final = 0o600
_DATE: Final = (1980, 1, 1, 0, 0, 0)
_BLOCK: Final = 1 << 20

Step = Callable[[int, int], None]


class Entry(Settings):
    """One file of a pack."""

    name: str = Field(pattern=r"^(film\.json|labels\.json|frames\.jsonl|part-\d{3}\.mjpeg)$")
    size: int = Field(ge=0, le=MOST_BYTES)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class Manifest(Settings):
    """What a pack has, and what the house has said."""

    pack: Literal["betline film pack"] = "betline film pack"
    version: Literal[1] = 1
    film: str = Field(pattern=r"^[0-9a-f]{16}$")
    betline: str
    licence: str
    consent: str = Field(min_length=1, description="the sentence that the house has confirmed")
    clips: int = Field(ge=1)
    frames: int = Field(ge=1)
    files: tuple[Entry, ...] = Field(max_length=1100)


def kept_frames(frames: Sequence[Kept], clips: Iterable[Label]) -> tuple[Kept, ...]:
    """The frames of the clips and around them, and the film's beginning; they are in the order of their times."""
    spans = sorted([(0.0, BEGIN_MS), *((clip.from_ms - BEFORE_MS, clip.to_ms + AFTER_MS) for clip in clips)])
    kept: list[Kept] = []
    first = 0
    for begin_ms, end_ms in spans:
        first = max(first, bisect_left(frames, begin_ms, key=_t_ms))
        after = max(first, bisect_right(frames, end_ms, key=_t_ms))
        kept += frames[first:after]
        first = after
    return tuple(kept)


def free_bytes(folder: Path) -> int:
    """What the disk of a folder has left."""
    return shutil.disk_usage(folder).free


def pack(film: Film, out: Path, betline: str, step: Step = lambda *_: None) -> Manifest:
    """Packs a film whose house has confirmed `CONSENT`; raises FilmError."""
    labels = read_labels(film.folder, film.head.id)
    clips = tuple(clip for clip in labels.clips if clip.answer != "unsure")
    if not clips:
        raise FilmError(f"Nothing is labelled in {film.folder}: betline film label {film.folder}")
    frames = kept_frames(film.frames, clips)
    try:
        make_private_folder(out.absolute().parent)
        _refuse_if_full(out, frames)
        handle, name = tempfile.mkstemp(dir=out.absolute().parent, prefix=f".{out.name}")  # of mode 600
        part = Path(name)
        try:
            with os.fdopen(handle, "w+b") as raw:
                manifest = _write(raw, film, labels.model_copy(update={"clips": clips}), frames, betline, step)
                raw.flush()
                os.fsync(raw.fileno())
            name_new(part, out)
        finally:
            part.unlink(missing_ok=True)
    except FileExistsError:
        raise FilmError(f"{out} is there already: name a file that is not.") from None
    except OSError as error:
        raise FilmError(f"{out} cannot be written ({error.strerror}): name another place.") from None
    return manifest


def _refuse_if_full(out: Path, frames: Sequence[Kept]) -> None:
    taken, free = sum(frame.size for frame in frames), free_bytes(out.absolute().parent)
    if taken > free:
        raise FilmError(
            f"{out} takes {taken / 1e9:.1f} GB, and its disk has {free / 1e9:.1f} GB: name a place on a larger disk."
        )


def _write(raw: Any, film: Film, labels: Labels, frames: Sequence[Kept], betline: str, step: Step) -> Manifest:
    """Reads every picture twice: the manifest, which has their hashes, comes first, and no second copy is made."""
    by_part: dict[int, list[Kept]] = {}
    for frame in frames:
        by_part.setdefault(frame.part, []).append(frame)
    files: list[Entry] = []
    done = 0
    for part, those in by_part.items():
        found = hashlib.sha256()
        for frame in those:
            found.update(_picture(film, frame))
            done += 1
            step(done, 2 * len(frames))
        files.append(Entry(name=part_name(part), size=sum(one.size for one in those), sha256=found.hexdigest()))
    texts: dict[str, Callable[[], Iterable[bytes]]] = {
        HEAD: lambda: [film.head.model_dump_json(indent=1, exclude_none=True).encode()],
        LABELS: lambda: [labels.model_dump_json(indent=1).encode()],
        FRAMES: lambda: _lines(by_part),
    }
    files += [_entry(name, pieces()) for name, pieces in texts.items()]
    manifest = Manifest(
        film=film.head.id,
        betline=betline,
        licence=LICENCE,
        consent=CONSENT,
        clips=len(labels.clips),
        frames=len(frames),
        files=tuple(files),
    )
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_STORED) as packed:
        packed.writestr(_named(MANIFEST), manifest.model_dump_json(indent=1))
        for name, pieces in texts.items():
            with packed.open(_named(name), "w", force_zip64=True) as file:
                for piece in pieces():
                    file.write(piece)
        for part, those in by_part.items():
            with packed.open(_named(part_name(part)), "w", force_zip64=True) as file:
                for frame in those:
                    file.write(_picture(film, frame))
                    done += 1
                    step(done, 2 * len(frames))
    return manifest


def _picture(film: Film, frame: Kept) -> bytes:
    jpeg = film.jpeg(frame)
    if len(jpeg) != frame.size:
        raise FilmError(f"A picture of {film.folder} is not whole any more: leave the film alone while it is packed.")
    return jpeg


def _lines(by_part: Mapping[int, Sequence[Kept]]) -> Iterator[bytes]:
    """The line of each picture, at its place in the packed file."""
    for those in by_part.values():
        at = 0
        for frame in those:
            yield f"{json.dumps(asdict(replace(frame, at=at)))}\n".encode()
            at += frame.size


def _entry(name: str, pieces: Iterable[bytes]) -> Entry:
    size, found = 0, hashlib.sha256()
    for piece in pieces:
        size += len(piece)
        found.update(piece)
    return Entry(name=name, size=size, sha256=found.hexdigest())


def _t_ms(frame: Kept) -> float:
    return frame.t_ms


def unpack(packed: Path, folder: Path, step: Step = lambda *_: None) -> Manifest:
    """Unpacks a received film into a new folder and checks all of it; raises FilmError, and then leaves no folder."""
    refuse_if_taken(folder)
    made = not folder.exists()
    try:
        make_private_folder(folder)
        try:
            return _unpack(packed, folder, step)
        except BaseException:
            for file in folder.iterdir():
                file.unlink()
            if made:
                folder.rmdir()
            raise
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise FilmError(f"{packed} is no film that can be read ({error}): ask for it again.") from None
    except OSError as error:
        raise FilmError(f"{packed} cannot be unpacked into {folder} ({error.strerror or error}).") from None


def _unpack(packed: Path, folder: Path, step: Step) -> Manifest:
    with zipfile.ZipFile(packed) as file:
        manifest = _manifest(file, packed)
        wanted = {entry.name: entry for entry in manifest.files}
        there = [one.filename for one in file.infolist() if one.filename != MANIFEST]
        if sorted(there) != sorted(wanted) or not {HEAD, LABELS, FRAMES} <= set(wanted):
            raise _broken(packed, "its files are not those of its manifest")
        total, done = sum(entry.size for entry in manifest.files), 0
        for entry in manifest.files:
            info = file.getinfo(entry.name)
            if info.file_size != entry.size or info.compress_type != zipfile.ZIP_STORED:
                raise _broken(packed, f"{entry.name} is not as it was written")
            if entry.size > (MOST_LINES_BYTES if entry.name == FRAMES else MOST_TEXT_BYTES) and entry.name in _TEXTS:
                raise _broken(packed, f"{entry.name} is larger than any film's")
            found = hashlib.sha256()
            handle = os.open(folder / entry.name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FILE_MODE)
            with os.fdopen(handle, "wb") as to, file.open(info) as source:
                for block in _blocks(source, entry.size):
                    to.write(block)
                    found.update(block)
                    done += len(block)
                    step(done, total)
            if found.hexdigest() != entry.sha256:
                raise _broken(packed, f"{entry.name} is not as it was written")
    film = open_film(folder)
    labels = read_labels(folder, film.head.id)
    if film.head.id != manifest.film or len(film.frames) != manifest.frames or len(labels.clips) != manifest.clips:
        raise _broken(packed, "it does not hold what its manifest says")
    _check_pictures(packed, film)
    write_labels(folder, labels)
    write_new(folder / "end.json", json.dumps({"why": "Unpacked from a file that was received."}))
    return manifest


def _check_pictures(packed: Path, film: Film) -> None:
    """Every picture is a JPEG of the camera's size: none decodes to gigabytes."""
    camera = film.head.table.cameras[0]
    for frame in film.frames:
        if size_of(film.jpeg(frame)) != (camera.width_px, camera.height_px):
            raise _broken(packed, f"picture {frame.number} is no JPEG of {camera.width_px}x{camera.height_px}")


def _manifest(file: zipfile.ZipFile, packed: Path) -> Manifest:
    first = file.infolist()[0] if file.infolist() else None
    fits = first is not None and first.file_size <= MOST_TEXT_BYTES and first.compress_type == zipfile.ZIP_STORED
    if first is None or first.filename != MANIFEST or not fits:
        raise FilmError(f"{packed} is no film of Betline: name a file that betline film pack has made.")
    data: Any = json.loads(file.read(first))
    if not isinstance(data, dict) or data.get("pack") != "betline film pack":
        raise FilmError(f"{packed} is no film of Betline: name a file that betline film pack has made.")
    if data.get("version") != 1:
        raise FilmError(f"{packed} has version {data.get('version')}, this Betline reads 1: update it.")
    try:
        return parse(Manifest, data, str(packed))
    except (SettingsError, ValidationError) as error:
        raise _broken(packed, str(error)) from None


def _named(name: str) -> zipfile.ZipInfo:
    """An entry without the time of the day and the maker's system."""
    info = zipfile.ZipInfo(name, _DATE)
    info.external_attr = _FILE_MODE << 16
    return info


def _blocks(file: Any, size: int) -> Iterable[bytes]:
    left = size
    while left:
        block = file.read(min(_BLOCK, left))
        if not block:
            raise EOFError("it ends too early")
        left -= len(block)
        yield block


def _broken(packed: Path, why: str) -> FilmError:
    return FilmError(f"The film {packed} is damaged: {why.rstrip('.')}. Ask for it again.")
