"""`betline vision`: watch a table's betting line through its camera, or in a recorded video; the other verbs joined."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from betline import logs
from betline.joining import VISIT_S, BrokerChoice, join, takes_broker
from betline.known_tables import the_table
from betline.options import (
    FAILED,
    SITE_DEFAULT,
    FilmMinutesOption,
    FilmOption,
    IdOption,
    JsonOption,
    MetricsOption,
    SiteOption,
    TableOption,
    UserError,
    minutes_of_film,
    namespace,
)
from betline.together import refuse_given
from vision.calibration.cli import calibrate, markers
from vision.chip_photo.cli import chips
from vision.clips.cli import FolderOption, ring_app
from vision.tuning.cli import tune

if TYPE_CHECKING:
    import contextlib
    from collections.abc import Callable

    from betline.settings import TableSettings
    from betline.topics import Namespace
    from vision.detect.detector import Detector
    from vision.display.page import WatchPage
    from vision.imaging.sources import Frame

AnywhereOption = Annotated[
    bool, typer.Option("--watch-anywhere", help="Let the live page be served where others reach it.")
]
SourceOption = Annotated[
    str | None,
    typer.Option("--source", metavar="CAMERA", help="usb:N, a URL (http, rtsp) or a file; default the table's."),
]
CalibrationOption = Annotated[
    Path | None,
    typer.Option(
        "--calibration", metavar="FILE", help="Calibration file; default the newest of this table and camera."
    ),
]

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)
app.add_typer(ring_app, name="ring")


@app.callback()
def _vision() -> None:
    """The camera to the bus; detection in recorded video."""
    import os

    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")  # read once, when OpenCV is imported
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")


@app.command()
@takes_broker
def run(
    context: typer.Context,
    broker: BrokerChoice,
    table: TableOption = None,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    source: SourceOption = None,
    calibration: CalibrationOption = None,
    watch_at: Annotated[
        str | None,
        typer.Option("--watch", metavar="[HOST:]PORT", help="Also serve a live page of what is seen, on loopback."),
    ] = None,
    watch_anywhere: AnywhereOption = False,
    rings: FolderOption = None,
    rings_mb: Annotated[
        float, typer.Option("--rings-mb", metavar="MB", min=0, help="Most that pictures of acts may take; 0: none.")
    ] = 2000.0,
    rings_days: Annotated[
        float, typer.Option("--rings-days", metavar="DAYS", min=0, help="How long pictures of acts are kept.")
    ] = 14.0,
    film: FilmOption = None,
    film_minutes: FilmMinutesOption = None,
    metrics: MetricsOption = None,
) -> None:
    """Watch the betting line and publish what happens there, until interrupted.

    Example: betline vision run --table casino-oval --source usb:0

    Example: betline vision run --table my-table.toml --film tuesday
    """
    import contextlib
    import signal

    from betline.metrics.places import address_of
    from betline.metrics.serving import served
    from betline.settings import load_table
    from betline.topics import DEVICE_STATUS, topic
    from betline.watchdog import Watchdog
    from vision.clips.keeper import Bounds, RingKeeper
    from vision.clips.showing import KeptPictures
    from vision.clips.store import default_folder
    from vision.imaging.paced import Paced
    from vision.imaging.sources import LiveSource, SourceError, open_source
    from vision.service.service import VisionService
    from vision.tuning import adjustments as tuning

    minutes = minutes_of_film(film, film_minutes)
    if watch_at is None:
        refuse_given(context, "watch_anywhere", because="is about the live page: give --watch PORT too.")
    if rings_mb == 0:
        refuse_given(context, "rings_days", because="says how long pictures are kept: --rings-mb 0 keeps none.")
    settings = load_table(the_table(table))
    names = namespace(site, table_id or settings.name)
    figures_at = address_of("vision", metrics, settings)
    detector = _detector(settings, calibration, source)
    camera = settings.cameras[0]
    where = broker.with_settings(settings).address(camera.id)
    try:
        pictures = open_source(source or camera.source, camera)
        if settings.performance.fps is not None and isinstance(pictures, LiveSource):
            pictures = Paced(pictures, settings.performance.fps)
    except SourceError as error:
        raise UserError(str(error), FAILED) from None
    with contextlib.ExitStack() as stack:
        stack.callback(pictures.close)
        page = None if watch_at is None else stack.enter_context(_page(watch_at, settings, detector, watch_anywhere))
        keeper = None
        folder = rings or default_folder(names.site, names.table)
        if rings_mb > 0:
            keeper = RingKeeper(folder, Bounds(rings_mb, rings_days))
            stack.callback(keeper.close)
        bus = join(where, names, camera.id, presence=topic(DEVICE_STATUS, camera.id))
        stack.callback(bus.close)
        kept = KeptPictures(bus, camera.id, folder)
        stack.callback(kept.close)
        kept.open()
        service = VisionService(
            settings,
            bus,
            pictures,
            detector,
            notify=_tell,
            page=page,
            tuning_file=tuning.default_path(settings.name),
            rings=keeper,
            serves=Watchdog().serves,
            filmed=_film(film, minutes, settings, calibration, source, broker, names, stack),
        )
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: service.stop())
        stack.enter_context(served(figures_at, bus, service.timings))
        service.run()


@app.command()
def detect(
    video: Annotated[Path, typer.Option("--video", metavar="FILE", help="A video of the table, or one picture.")],
    table: TableOption = None,
    calibration: CalibrationOption = None,
    overlay: Annotated[
        Path | None,
        typer.Option("--overlay", metavar="FILE", help="Also draw what is seen: a film (.mp4) or a sheet (.png)."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Print the bet-line events of a recorded video; times count from its start.

    Example: betline vision detect --video hand.mp4 --table casino-oval --overlay seen.mp4
    """
    import contextlib
    import json

    from betline.settings import load_table
    from vision.display.film_overlay import FilmOverlay, OverlayError
    from vision.imaging.sources import SourceError, recording
    from vision.service.recorded import events_of

    settings = load_table(the_table(table))
    detector = _detector(settings, calibration, str(video))
    try:
        source = recording(video, paced=False)
        with contextlib.ExitStack() as stack:
            drawing = None if overlay is None else FilmOverlay(overlay, settings, detector, source.fps)
            show = None if drawing is None else stack.enter_context(drawing).see
            for event in events_of(source, detector, show):
                typer.echo(json.dumps(event) if as_json else _line(event))
    except (SourceError, OverlayError) as error:
        raise UserError(str(error), FAILED) from None


@app.command()
def watch(
    table: TableOption = None,
    source: SourceOption = None,
    calibration: CalibrationOption = None,
    at: Annotated[
        str, typer.Option("--at", metavar="[HOST:]PORT", help="Where the page is served, on loopback.")
    ] = "8765",
    watch_anywhere: AnywhereOption = False,
) -> None:
    """Show live what the camera sees, as a page in a browser; no broker is needed and nothing is published.

    Over ssh: ssh -L 8765:127.0.0.1:8765 HOST, and open http://127.0.0.1:8765/ here.

    Example: betline vision watch --table casino-oval --source usb:0
    """
    import contextlib
    import signal
    import threading

    from betline.settings import load_table
    from vision.display.page import watch_camera
    from vision.imaging.sources import SourceError, open_source

    settings = load_table(the_table(table))
    detector = _detector(settings, calibration, source)
    camera = settings.cameras[0]
    stop = threading.Event()
    with contextlib.ExitStack() as stack:
        page = stack.enter_context(_page(at, settings, detector, watch_anywhere))
        try:
            pictures = open_source(source or camera.source, camera)
        except SourceError as error:
            raise UserError(str(error), FAILED) from None
        stack.callback(pictures.close)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        watch_camera(pictures, detector, page, stop, _tell)


for _verb in (tune, chips, markers, calibrate):
    app.command()(_verb)


def _page(text: str, settings: TableSettings, detector: Detector, anywhere: bool) -> WatchPage:
    """The live page at an address that a person gave; says where it is."""
    from vision.display.page import Listen, WatchError, WatchPage

    try:
        listen = Listen.parse(text, anywhere=anywhere)
    except WatchError as error:
        raise UserError(str(error)) from None
    try:
        page = WatchPage(listen, settings, detector.calibration)
    except WatchError as error:
        raise UserError(str(error), FAILED) from None
    _tell(f"What the camera sees: {page.url}")
    return page


def _film(
    folder: Path | None,
    minutes: float,
    settings: TableSettings,
    calibration: Path | None,
    source: str | None,
    broker: BrokerChoice,
    names: Namespace,
    stack: contextlib.ExitStack,
) -> Callable[[Frame], None]:
    """What films each picture. Whatever is wrong with the film is said, and the table plays on without it."""
    from vision.calibration import file as calibration_file
    from vision.film.hearing import Hearing
    from vision.film.record import BesideTheTable, begin
    from vision.film.store import FilmError
    from vision.tuning.adjustments import TuningError

    if folder is None:
        return lambda _: None
    try:
        saved = calibration_file.of_run(settings, calibration, source)
        keeper, _ = begin(settings, saved, folder, minutes)
        assert keeper is not None
        stack.callback(keeper.close)
    except (FilmError, TuningError) as error:
        _tell(f"There is no film: {error}")
        return lambda _: None
    try:
        where = broker.with_settings(settings).address("console", settings.cameras[0].id)
        bus = join(where, names, "film", patience_s=VISIT_S)
        stack.callback(bus.close)
        Hearing(bus, keeper.hear)
    except UserError as error:
        _tell(f"The film has pictures only: {error}")
    _tell(f"Filming {minutes:g} minutes into {folder}. No sound; only the felt is sharp.")
    return BesideTheTable(keeper, _tell).see


def _tell(text: str) -> None:
    logs.say(text)


def _detector(settings: TableSettings, path: Path | None, source: str | None) -> Detector:
    """The table's detector, in a process that leaves the other core to others."""
    import cv2

    from vision.calibration import file as calibration_file
    from vision.calibration.calibration import CalibrationError
    from vision.detect.detector import make_detector
    from vision.tuning import adjustments as tuning
    from vision.tuning.adjustments import TuningError

    cv2.setNumThreads(1)
    try:
        saved = calibration_file.of_run(settings, path, source)
        if saved is not None:
            _tell(f"Calibration {saved.id} of {saved.made}.")
        detector = make_detector(settings, None if saved is None else saved.calibration())
        kept = tuning.read(tuning.default_path(settings.name))
        if kept:
            detector.tune(tuning.tuned(detector.thresholds, kept))
            numbers = ", ".join(f"{name} {value:g}" for name, value in kept.items())
            _tell(f"Tuned by {tuning.default_path(settings.name)}: {numbers}.")
    except (CalibrationError, TuningError) as error:
        raise UserError(str(error)) from None
    return detector


def _line(event: dict[str, Any]) -> str:
    where = "all seats" if event["seat"] is None else f"seat {event['seat']}"
    what = str(event["event"]).replace("_", " ")
    return f"{event['t_ms'] / 1000:8.2f} s  {where:<9}  {what:<16}  confidence {event['conf']:.2f}"
