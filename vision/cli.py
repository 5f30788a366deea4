"""`betline vision`: watch a table's betting line through its camera, or in a recorded video."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from betline.options import (
    BROKER_DEFAULT,
    FAILED,
    SITE_DEFAULT,
    TABLE_DEFAULT,
    Address,
    BrokerOption,
    IdOption,
    JsonOption,
    SiteOption,
    TableOption,
    UserError,
    namespace,
)

if TYPE_CHECKING:
    from betline.settings import TableSettings
    from vision.detector import Detector

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)


@app.callback()
def _vision() -> None:
    """The camera to the bus; detection in recorded video."""
    import os

    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")  # read once, when OpenCV is imported
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")


@app.command()
def run(
    table: TableOption = TABLE_DEFAULT,
    broker: BrokerOption = BROKER_DEFAULT,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    source: Annotated[
        str | None,
        typer.Option("--source", metavar="CAMERA", help="usb:N, a URL (http, rtsp) or a file; default the table's."),
    ] = None,
) -> None:
    """Watch the betting line and publish what happens there, until interrupted.

    Example: betline vision run --table casino-oval --source usb:0
    """
    import signal

    from betline.bus import MqttBus
    from betline.settings import load_table
    from betline.topics import DEVICE_STATUS, topic
    from vision.service import VisionService
    from vision.sources import SourceError, open_source

    settings = load_table(table)
    where = Address.parse(broker)
    names = namespace(site, table_id or settings.name)
    detector = _detector(settings)
    camera = settings.cameras[0]
    try:
        pictures = open_source(source or camera.source, camera)
    except SourceError as error:
        raise UserError(str(error), FAILED) from None
    bus = MqttBus(where.host, where.port, names, camera.id, presence=topic(DEVICE_STATUS, camera.id))
    try:
        service = VisionService(settings, bus, pictures, detector, told=lambda text: typer.echo(text, err=True))
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: service.stop())
        service.run()
    finally:
        bus.close()


@app.command()
def detect(
    video: Annotated[Path, typer.Option("--video", metavar="FILE", help="A video of the table, or one picture.")],
    table: TableOption = TABLE_DEFAULT,
    as_json: JsonOption = False,
) -> None:
    """Print the bet-line events of a recorded video; times count from its start.

    Example: betline vision detect --video hand.mp4 --table casino-oval --json
    """
    import json

    from betline.settings import load_table
    from vision.recorded import events_of
    from vision.sources import SourceError, recording

    detector = _detector(load_table(table))
    try:
        source = recording(video, paced=False)
    except SourceError as error:
        raise UserError(str(error), FAILED) from None
    for event in events_of(source, detector):
        typer.echo(json.dumps(event) if as_json else _line(event))


@app.command()
def chips(
    image: Annotated[Path, typer.Argument(metavar="IMAGE", help="A picture of a felt: PNG, JPEG, ...")],
    as_json: JsonOption = False,
) -> None:
    """Find the chips in one picture of a felt; places and diameters in pixels.

    Example: betline vision chips table.jpg --json
    """
    import json
    from dataclasses import asdict

    import cv2
    import numpy as np

    from vision.chip_finder import find_chips

    if not image.is_file():
        raise UserError(f"There is no picture {image}: correct its name.")
    picture = cv2.imread(str(image), cv2.IMREAD_COLOR)
    if picture is None:
        raise UserError(f"The file {image} is no picture that can be read: give a PNG or JPEG file.")
    found = find_chips(np.asarray(picture, dtype=np.uint8))
    if as_json:
        typer.echo(json.dumps([asdict(chip) for chip in found]))
        return
    for chip in found:
        typer.echo(f"{chip.colour:<7} at {chip.x:7.1f}, {chip.y:7.1f}   {chip.diameter:5.1f} px")
    typer.echo(f"{len(found)} chips." if len(found) != 1 else "1 chip.")


def _detector(settings: TableSettings) -> Detector:
    """The table's detector, in a process that leaves the other core to others."""
    import cv2

    from vision.calibration import CalibrationError
    from vision.detector import make_detector

    cv2.setNumThreads(1)
    try:
        return make_detector(settings)
    except CalibrationError as error:
        raise UserError(str(error)) from None


def _line(event: dict[str, Any]) -> str:
    where = "all seats" if event["seat"] is None else f"seat {event['seat']}"
    what = str(event["event"]).replace("_", " ")
    return f"{event['t_ms'] / 1000:8.2f} s  {where:<9}  {what:<16}  confidence {event['conf']:.2f}"
