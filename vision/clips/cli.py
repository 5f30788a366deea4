"""`betline vision ring`: the pictures of acts that are kept, for a dispute."""

from __future__ import annotations

import datetime
import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from betline.known_tables import the_table
from betline.options import (
    FAILED,
    SITE_DEFAULT,
    IdOption,
    JsonOption,
    SiteOption,
    TableOption,
    UserError,
    namespace,
)
from vision.clips import store
from vision.clips.store import RingError, Shown

if TYPE_CHECKING:
    from vision.imaging.pictures import Picture

SHEET_FRAMES = 24
FILM_FPS = 10.0

FolderOption = Annotated[
    Path | None, typer.Option("--rings", metavar="FOLDER", help="Folder of the pictures; default beside the journal.")
]
NameArgument = Annotated[str, typer.Argument(metavar="EVENT", help="Id of an event, or the name of a stretch.")]

ring_app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)


@ring_app.callback()
def _ring() -> None:
    """The pictures around every act: list, show, export."""


@ring_app.command("list")
def list_rings(
    table: TableOption = None,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    rings: FolderOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the stretches of pictures that are kept, oldest first.

    Example: betline vision ring list --table home-six
    """
    kept = store.listed(_folder(table, site, table_id, rings))
    if as_json:
        shown = [{"name": one.name, "events": one.events, "frames": len(one.frames)} for one in kept]
        typer.echo(json.dumps(shown))
        return
    for one in kept:
        seats = ", ".join(map(str, one.seats))
        size = f"{one.size_bytes / 1e6:.1f} MB"
        typer.echo(f"{one.name}  seat {seats}  {_names(one)}  {len(one.frames)} frames  {size}")
    total = sum(one.size_bytes for one in kept)
    typer.echo(f"{len(kept)} kept, {total / 1e6:.1f} MB.")


@ring_app.command()
def show(
    event: NameArgument,
    table: TableOption = None,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    rings: FolderOption = None,
    sheet: Annotated[
        Path | None, typer.Option("--sheet", metavar="FILE", help="Also write its frames side by side, PNG or JPEG.")
    ] = None,
) -> None:
    """Show what was seen in one stretch, and when.

    Example: betline vision ring show overhead-3f2a-17 --sheet dispute.png
    """
    found = _found(_folder(table, site, table_id, rings), event)
    first, last = found.frames[0], found.frames[-1]
    typer.echo(f"{found.name}: {len(found.frames)} frames, {_clock(first[1])} to {_clock(last[1])}")
    for one in found.events:
        seen = f"{one['area_mm2']:.0f} mm2, {one['footprints']} footprints, motions {one['motions']}"
        head = f"  seat {one['seat']}  {one['event']:<16} confidence {one['conf']:.2f}"
        typer.echo(f"{head}  {seen}  {one['id']}")
    typer.echo(str(first[0].parent))
    if sheet is not None:
        _write_sheet(found, sheet)


@ring_app.command()
def export(
    event: NameArgument,
    out: Annotated[Path, typer.Argument(metavar="FILE", help="A film (.mp4, .avi), or a folder for the pictures.")],
    table: TableOption = None,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    rings: FolderOption = None,
) -> None:
    """Copy one stretch out of the folder, before it is deleted for its age, as a film or as pictures.

    Example: betline vision ring export overhead-3f2a-17 dispute.mp4
    """
    found = _found(_folder(table, site, table_id, rings), event)
    if out.exists():
        raise UserError(f"{out} is there already: name another file or folder.", FAILED)
    try:
        if out.suffix.lower() in (".mp4", ".avi"):
            _write_film(found, out)
        else:
            shutil.copytree(found.frames[0][0].parent, out)
    except OSError as error:
        raise UserError(f"{out} cannot be written ({error.strerror}): name another.", FAILED) from None
    typer.echo(str(out))


def _folder(table: str | None, site: str, table_id: str | None, rings: Path | None) -> Path:
    from betline.settings import load_table

    if rings is not None:
        return rings
    names = namespace(site, table_id or load_table(the_table(table)).name)
    return store.default_folder(names.site, names.table)


def _found(folder: Path, event: str) -> Shown:
    try:
        found = store.found(folder, event)
    except RingError as error:
        raise UserError(str(error), FAILED) from None
    if not found.frames:
        raise UserError(f"No frame was kept of {event}: the camera had given none.", FAILED)
    return found


def _names(found: Shown) -> str:
    return ", ".join(dict.fromkeys(str(event["event"]).replace("_", " ") for event in found.events))


def _clock(wall_ms: int) -> str:
    return datetime.datetime.fromtimestamp(wall_ms / 1000).astimezone().strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]


def _write_sheet(found: Shown, path: Path) -> None:
    import cv2

    from vision.display.contact_sheet import contact_sheet

    step = -(-len(found.frames) // SHEET_FRAMES)
    tiles = []
    for file, wall_ms in found.frames[::step]:
        picture = _kept(file)
        if picture is not None:
            tiles.append((picture, _clock(wall_ms)))
    try:
        written = bool(tiles) and cv2.imwrite(str(path), contact_sheet(tiles))
    except cv2.error:
        written = False
    if not written:
        raise UserError(f"{path} cannot be written: name a PNG or JPEG file in a folder that is there.", FAILED)
    typer.echo(str(path))


def _write_film(found: Shown, path: Path) -> None:
    import cv2

    first = _kept(found.frames[0][0])
    if first is None:
        raise UserError(f"{found.frames[0][0]} cannot be read: export the pictures to a folder instead.", FAILED)
    code = cv2.VideoWriter.fourcc(*("mp4v" if path.suffix.lower() == ".mp4" else "MJPG"))
    writer = cv2.VideoWriter(str(path), code, FILM_FPS, (first.shape[1], first.shape[0]))
    if not writer.isOpened():
        raise UserError(f"{path} cannot be written: name a file in a folder that is there.", FAILED)
    for file, _ in found.frames:
        picture = _kept(file)
        if picture is not None:
            writer.write(picture)
    writer.release()


def _kept(file: Path) -> Picture | None:
    """A picture that was kept; None of one that is damaged."""
    from vision.imaging.encoded import PictureError, read_picture

    try:
        return read_picture(file)
    except PictureError:
        return None
