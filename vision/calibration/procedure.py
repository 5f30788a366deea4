"""The calibration procedure: from pictures of the table to a calibration and what a person should know of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from betline.geometry import Point, Point3
from betline.settings import Camera, TableSettings, load_chip_set
from vision.calibration.calibration import Calibration, CalibrationError, calibration, eye_of
from vision.calibration.felt_colours import WeakColour, felt_at_seats, rail_at_seats, weak_colours
from vision.calibration.fitting import WRONG_SIZE, Fit, FitError, fit, fit_markers
from vision.calibration.lens import Lens, LensError, find_lens, nominal_lens, scaled
from vision.calibration.lighting import lighting
from vision.calibration.markers import Seen, find_markers, middle_of
from vision.calibration.prospects import prospects
from vision.imaging.pictures import Picture
from vision.imaging.sources import PICTURES, Source, SourceError, open_source, recording
from vision.tuning.thresholds import Thresholds

Floats = npt.NDArray[np.float64]

FRAMES = 15
FIRST_FRAME_S, NEXT_FRAME_S = 5.0, 1.0
EVERY_FRAME = 5
"""Of a film of the board, one frame in so many is looked at."""
LINE_WARNING_MM = 3.0
HEIGHT_WARNING = 0.1


@dataclass(frozen=True, slots=True)
class Corner:
    """A place of the felt and where a person sees it in the picture."""

    name: str
    mm: Point
    px: Point


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A calibration and what there is to say of it; ``picture`` is (H, W, 3) uint8 BGR."""

    calibration: Calibration
    fit: Fit
    weak: tuple[WeakColour, ...]
    warnings: tuple[str, ...]


def landmarks(table: TableSettings) -> dict[str, Point]:
    """Places that can be found on the felt, by name: corners of the betting line, of the tray and of the felt."""
    corners = {"line": table.felt.betting_line_mm, "tray": table.tray.polygon_mm, "felt": table.felt.outline_mm}
    return {f"{name}-{at}": point for name, points in corners.items() for at, point in enumerate(points, 1)}


def parse_corner(text: str, table: TableSettings) -> Corner:
    """Reads NAME=PX,PY or X,Y=PX,PY; raises CalibrationError."""
    place, _, seen = text.partition("=")
    known = landmarks(table)
    try:
        x_px, y_px = (float(value) for value in seen.split(","))
        if place in known:
            return Corner(place, known[place], (x_px, y_px))
        x_mm, y_mm = (float(value) for value in place.split(","))
    except ValueError:
        raise CalibrationError(
            f"{text} is no corner: write a landmark or millimetres, and the pixel, as in line-1=951,212 or "
            "-610,300=320,215."
        ) from None
    return Corner(f"{x_mm:g},{y_mm:g}", (x_mm, y_mm), (x_px, y_px))


def read_corners(path: Path, table: TableSettings) -> list[Corner]:
    """The corners of a file, one a line as on the command line; # begins a remark. Raises CalibrationError."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise CalibrationError(f"The file of points {path} cannot be read: correct its name.") from None
    bare = (line.partition("#")[0].strip() for line in lines)
    return [parse_corner(line, table) for line in bare if line]


def take_pictures(text: str, camera: Camera) -> list[Picture]:
    """Some pictures from a camera, or the frames of a file, (H, W, 3) uint8 BGR each; raises SourceError."""
    is_file = Path(text).is_file()
    source = recording(text, paced=False) if is_file else open_source(text, camera)
    pictures: list[Picture] = []
    try:
        while len(pictures) < FRAMES and not source.ended:
            frame = source.read(NEXT_FRAME_S if pictures else FIRST_FRAME_S)
            if frame is None and not is_file:
                break
            if frame is not None:
                pictures.append(frame.picture)
    finally:
        source.close()
    if not pictures:
        raise SourceError(source.problem or f"{text} gives no picture: connect the camera and try again.")
    return pictures


def lens_of(paths: Sequence[Path], camera: Camera) -> Lens:
    """The lens from films and pictures of the board, for the table's pictures; raises LensError, SourceError."""
    lens, _ = find_lens(picture for path in paths for picture in _board_pictures(path))
    return scaled(lens, camera.width_px, camera.height_px)


def _board_pictures(path: Path) -> Iterator[Picture]:
    paths = sorted(one for one in path.iterdir() if one.suffix.lower() in PICTURES) if path.is_dir() else [path]
    if not paths:
        raise LensError(f"There are no pictures in {path}: give a film or pictures of the board.")
    for one in paths:
        source: Source = recording(one, paced=False)
        number = 0
        while not source.ended:
            frame = source.read(0.0)
            if frame is not None and number % EVERY_FRAME == 0:
                yield frame.picture
            number += 1
        source.close()


def calibrate_from(
    pictures: Sequence[Picture],
    table: TableSettings,
    *,
    lens: Lens | None = None,
    corners: Sequence[Corner] = (),
    height_mm: float | None = None,
    nadir_mm: Point | None = None,
) -> Found:
    """The calibration that pictures of the table, (H, W, 3) uint8 BGR each, give.

    Measured ``height_mm`` and ``nadir_mm`` replace what the homography says. Raises CalibrationError.
    """
    camera = table.cameras[0]
    seen_size = (pictures[0].shape[1], pictures[0].shape[0])
    if seen_size != (camera.width_px, camera.height_px):
        raise CalibrationError(
            f"The picture has {seen_size[0]}x{seen_size[1]} pixels, the table file says "
            f"{camera.width_px}x{camera.height_px}: correct width_px and height_px of camera {camera.id}."
        )
    used = lens or nominal_lens(camera)
    seen = middle_of([find_markers(picture) for picture in pictures])
    found = _fit(table, used, seen, corners)
    reckoned = _eye(found.px_from_mm, used)
    x, y = nadir_mm or reckoned[:2]
    places = {marker.id for marker in table.markers if f"marker {marker.id}" not in found.strays}
    kept = {number: at for number, at in seen.items() if number in places}
    made = calibration(found.px_from_mm, used, found.rms_mm, (x, y, height_mm or reckoned[2]), kept)
    chips = load_chip_set(table.chip_set)
    thresholds = Thresholds(chip_diameter_mm=chips.diameter_mm)
    felt = felt_at_seats(pictures[0], table, made)
    weak = weak_colours(felt, table, chips, thresholds)
    warnings = [
        *_warnings(table, seen, found, lens, reckoned, height_mm),
        *prospects(table, made, felt, rail_at_seats(pictures[0], table, made), thresholds),
        *lighting(pictures, table, made, felt, chips, thresholds),
    ]
    return Found(made, found, weak, tuple(warnings))


def _fit(table: TableSettings, lens: Lens, seen: Seen, corners: Sequence[Corner]) -> Fit:
    ideal = {number: lens.straight(at) for number, at in seen.items()}
    pairs = {
        f"corner {corner.name}": (np.array([corner.mm], np.float64), lens.straight(np.array([corner.px], np.float64)))
        for corner in corners
    }
    line_mm = table.felt.betting_line_mm
    camera = table.cameras[0].id
    try:
        if any(marker.id in seen for marker in table.markers):
            return fit_markers(ideal, table.markers, pairs, line_mm, f"The markers and corners of camera {camera}")
        if not pairs:
            raise CalibrationError(
                "The picture shows no marker of the table: print them with betline vision markers and lay them where "
                "the table file says, or give corners (--corner NAME=X,Y; --annotate FILE.png shows the pixels)."
            )
        return fit(pairs, line_mm, f"The corners of camera {camera}")
    except FitError as error:
        raise CalibrationError(str(error)) from None


def _eye(px_from_mm: Floats, lens: Lens) -> Point3:
    eye = eye_of(px_from_mm, lens)
    if eye[2] < 300:
        raise CalibrationError(
            f"The camera would hang {eye[2]:.0f} mm above the felt: correct focal_px in the table file or measure the "
            "lens with --lens."
        )
    return eye


def _warnings(
    table: TableSettings, seen: Seen, found: Fit, lens: Lens | None, reckoned: Point3, height_mm: float | None
) -> Iterator[str]:
    missing = [str(marker.id) for marker in table.markers if marker.id not in seen]
    if missing and len(missing) < len(table.markers):
        yield f"Markers {', '.join(missing)} are not seen: uncover them, they make the calibration better."
    for stray in found.strays:
        yield f"The {stray} does not lie where the table file says; it was left out: measure its place again."
    if found.size_share is not None and abs(found.size_share - 1) > WRONG_SIZE:
        yield (
            f"The markers look {found.size_share:.0%} as large as the table file says: print them at 100 % or correct "
            "size_mm, and check the measured places."
        )
    if found.rms_mm is None:
        yield "Four points agree by force, so their error is not known: give one or two more."
    if found.line_mm is not None and found.line_mm > LINE_WARNING_MM:
        yield f"The betting line may be {found.line_mm:.1f} mm off at its worst place: give points nearer to its ends."
    if lens is None:
        yield (
            "The lens was not measured: the line may be bent at the rim of the picture, and the camera's height is "
            "only as good as focal_px in the table file (betline vision calibrate --lens FILM)."
        )
    if height_mm is not None and abs(height_mm / reckoned[2] - 1) > HEIGHT_WARNING:
        yield (
            f"The measured height of {height_mm:.0f} mm is far from the {reckoned[2]:.0f} mm that the picture says: "
            "measure it again, or the lens."
        )
