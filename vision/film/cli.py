"""`betline film`: a film of a real evening, to measure the detector on real hands. `score` is in the bench's room."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from betline.joining import BrokerChoice, takes_broker
from betline.known_tables import the_table
from betline.options import (
    DONE,
    FAILED,
    INTERRUPTED,
    SITE_DEFAULT,
    IdOption,
    SiteOption,
    TableOption,
    UserError,
    namespace,
)
from betline.together import BROKER, refuse_given

if TYPE_CHECKING:
    from collections.abc import Callable

    from betline.bench import Progress
    from vision.film.keeper import FilmKeeper

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)

FolderArgument = Annotated[Path, typer.Argument(metavar="DIR", help="The film's folder.")]
_BYTES_PER_GB = 1e9


@app.callback()
def _film() -> None:
    """A film of a real evening: record, label, score, pack, check. No sound, no faces, nobody beyond the rail."""
    import os

    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")  # read once, when OpenCV is imported
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")


@app.command()
@takes_broker
def record(
    context: typer.Context,
    broker: BrokerChoice,
    folder: Annotated[Path, typer.Option("-o", "--out", metavar="DIR", help="A new folder for the film.")],
    table: TableOption = None,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    source: Annotated[
        str | None,
        typer.Option("--source", metavar="CAMERA", help="usb:N, a URL (http, rtsp) or a file; default the table's."),
    ] = None,
    calibration: Annotated[
        Path | None, typer.Option("--calibration", metavar="FILE", help="Calibration file; default the table's newest.")
    ] = None,
    minutes: Annotated[float, typer.Option("--minutes", min=0.05, max=600, help="How long.")] = 60.0,
    without_bus: Annotated[
        bool, typer.Option("--without-bus", help="Pictures only: no readers, no keys of the dealer.")
    ] = False,
    check: Annotated[bool, typer.Option("--check", help="Only say whether folder and disk will do.")] = False,
) -> int:
    """Film the table for an hour: camera, readers, the dealer's keys. Ctrl-C ends it earlier; what was filmed stays.

    Only the felt is sharp. The rail and what is as large as a head over the felt are coarse, all else is black, before
    anything is written; there is no sound. Keep the table clear for the first seconds: its empty felt is learnt.

    A USB camera serves one program. While the table plays, film with its own: betline run --film DIR

    Example: betline film record -o tuesday --table my-table.toml

    Example: betline film record -o tuesday --table my-table.toml --login logins --minutes 30

    Example: betline film record -o test --source hand.mp4 --minutes 2 --without-bus
    """
    import contextlib
    import signal
    import sys
    import threading

    from betline.bench import Progress
    from betline.joining import VISIT_S, join
    from betline.settings import load_table
    from vision.calibration import file as calibration_file
    from vision.calibration.calibration import CalibrationError
    from vision.film.hearing import Hearing
    from vision.film.record import begin, film_camera
    from vision.film.store import FilmError
    from vision.imaging.paced import Paced
    from vision.imaging.sources import LiveSource, SourceError, open_source
    from vision.tuning.adjustments import TuningError

    if without_bus:
        refuse_given(context, "site", "table_id", *BROKER, because="is of no use with --without-bus: leave it out.")
    settings = load_table(the_table(table))
    names = namespace(site, table_id or settings.name)
    stop = threading.Event()
    try:
        with contextlib.ExitStack() as stack:
            bus = None
            if not without_bus and not check:
                where = broker.with_settings(settings).address("console")
                try:
                    bus = join(where, names, "film", patience_s=VISIT_S)
                except UserError as error:
                    raise UserError(f"{error} Or film pictures only: --without-bus.", FAILED) from None
                stack.callback(bus.close)
            saved = calibration_file.of_run(settings, calibration, source)
            keeper, wanted = begin(settings, saved, folder, minutes, only_look=check)
            size = f"up to {wanted.bytes / _BYTES_PER_GB:.1f} GB"
            if keeper is None:
                typer.echo(f"A film of {minutes:g} minutes fits into {folder}: {size}.")
                return DONE
            stack.callback(keeper.close)
            camera = settings.cameras[0]
            pictures = open_source(source or camera.source, camera)
            if settings.performance.fps is not None and isinstance(pictures, LiveSource):
                pictures = Paced(pictures, settings.performance.fps)
            stack.callback(pictures.close)
            if bus is not None:
                Hearing(bus, keeper.hear)
            _tell(f"Filming {minutes:g} minutes into {folder}: {size}. No sound; only the felt is sharp.")
            _tell("Keep hands and heads off the table for 3 seconds.")
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, lambda *_: stop.set())
            progress = Progress("film", sys.stderr) if sys.stderr.isatty() else None
            film_camera(pictures, keeper, stop, lambda: _show(progress, keeper, minutes * 60), _tell)
            if progress:
                progress.end()
    except (FilmError, SourceError, CalibrationError, TuningError) as error:
        raise UserError(str(error), FAILED) from None
    return _ended(keeper, stopped=stop.is_set())


@app.command()
def label(
    context: typer.Context,
    folder: FolderArgument,
    acts: Annotated[
        int, typer.Option("--acts", min=0, help="How many clips with movement are asked about, drawn by lot.")
    ] = 150,
    quiet: Annotated[int, typer.Option("--quiet", min=0, help="How many clips without.")] = 30,
    whole: Annotated[bool, typer.Option("--whole", help="Ask about the whole film.")] = False,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port of the page; 0: any that is free.")] = 0,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the address.")] = False,
) -> None:
    """Say what happens in a film, clip by clip, on a page in the browser of this machine, with keys alone.

    Each answer is kept when it is given; start it again to go on. What the detector reported is not shown.

    Over ssh: betline film label DIR --no-browser --port 8770, and here: ssh -L 8770:127.0.0.1:8770 HOST

    Example: betline film label tuesday

    Example: betline film label tuesday --acts 300 --quiet 60
    """
    import contextlib
    import webbrowser

    from vision.film.page import LabelPage
    from vision.film.session import Session
    from vision.film.store import FilmError, open_film

    if whole:
        refuse_given(context, "acts", "quiet", because="chooses among the clips: leave it out with --whole.")
    try:
        session = Session(open_film(folder), None if whole else acts, None if whole else quiet)
        with LabelPage(session, port) as page:
            typer.echo(f"{session.answered} of {len(session.clips)} clips are answered. The page: {page.url}")
            with contextlib.suppress(KeyboardInterrupt), page.door(folder) as door:
                if not no_browser:
                    webbrowser.open(door)
                while not page.finished.wait(0.5):
                    pass
    except FilmError as error:
        raise UserError(str(error), FAILED) from None
    typer.echo(f"{session.answered} of {len(session.clips)} clips are answered. Next: betline film score {folder}")


@app.command()
def pack(
    folder: FolderArgument,
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="The file to be made.")],
    consent: Annotated[
        bool, typer.Option("--consent", help="Say here that everybody has agreed, instead of being asked.")
    ] = False,
) -> None:
    """Pack what was labelled into one file that may be sent: the clips with 6 seconds before and 2 after each.

    It holds no sound, names, PINs, addresses, card tags, nor what was said on the bus. Cards that lie face up on the
    felt are in it.

    Example: betline film pack tuesday -o tuesday.film
    """
    import importlib.metadata
    import sys

    from betline.bench import Progress
    from vision.film.pack import CONSENT
    from vision.film.pack import pack as packed
    from vision.film.store import FilmError, open_film

    try:
        film = open_film(folder)
        if not consent:
            if not sys.stdin.isatty():
                raise UserError("Say with --consent that everybody in the film has agreed; --help says to what.")
            typer.echo(CONSENT)
            if not typer.confirm("Is that so?", default=False):
                raise UserError("Nothing was packed: ask those who were at the table first.", FAILED)
        progress = Progress("pack", sys.stderr) if sys.stderr.isatty() else None
        made = packed(film, out, importlib.metadata.version("betline"), _counting(progress, "pictures"))
        if progress:
            progress.end()
    except FilmError as error:
        raise UserError(str(error), FAILED) from None
    size = out.stat().st_size / _BYTES_PER_GB
    typer.echo(f"{out}: {made.clips} clips, {made.frames} pictures, {size:.2f} GB, licence {made.licence}.")
    typer.echo(f"You have confirmed: {made.consent}")


@app.command()
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A film that was received.")],
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="DIR", help="Also unpack it into this new folder.")
    ] = None,
) -> None:
    """Check that a received film is whole and what it says to be; with -o unpack it, to be scored.

    Example: betline film check tuesday.film

    Example: betline film check tuesday.film -o tuesday
    """
    import sys
    import tempfile

    from betline.bench import Progress
    from vision.film.pack import unpack
    from vision.film.store import FilmError

    progress = Progress("check", sys.stderr) if sys.stderr.isatty() else None
    try:
        if out is None:
            with tempfile.TemporaryDirectory(prefix="betline-film-") as scratch:
                found = unpack(file, Path(scratch) / "film", _counting(progress, "bytes"))
        else:
            found = unpack(file, out, _counting(progress, "bytes"))
    except FilmError as error:
        raise UserError(str(error), FAILED) from None
    finally:
        if progress:
            progress.end()
    typer.echo(f"{file} is whole: {found.clips} clips, {found.frames} pictures, by Betline {found.betline}.")
    typer.echo(f"Licence {found.licence}. The house has confirmed: {found.consent}")
    if out is not None:
        typer.echo(f"Next: betline film score {out}")


def _counting(progress: Progress | None, what: str) -> Callable[[int, int], None]:
    def at(done: int, of: int) -> None:
        if progress:
            progress.at(done, of, f"{done} of {of} {what}")

    return at


def _show(progress: Progress | None, keeper: FilmKeeper, seconds: float) -> None:
    if progress:
        what = "learning the empty felt: keep hands and heads off the table"
        if not keeper.learning:
            lost = f", {keeper.dropped} pictures left out" if keeper.dropped else ""
            what = f"{keeper.seconds / 60:.1f} of {seconds / 60:g} min, {keeper.bytes / _BYTES_PER_GB:.2f} GB{lost}"
        progress.at(min(1000, round(1000 * keeper.seconds / seconds)), 1000, what)


def _ended(keeper: FilmKeeper, *, stopped: bool) -> int:
    """Says what there is now; the exit status."""
    if keeper.frames == 0:
        raise UserError("Nothing was filmed: the camera gave too few pictures to learn the empty felt.", FAILED)
    _tell(keeper.summary())
    _tell(f"Next: betline film label {keeper.folder}")
    return INTERRUPTED if stopped and keeper.seconds == 0 else DONE


def _tell(text: str) -> None:
    typer.echo(text, err=True)
