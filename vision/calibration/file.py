"""A calibration as a file: numbers, date and id, for one table and one camera's source."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Annotated

import numpy as np
import platformdirs
import tomli_w
from pydantic import Field

from betline.settings import Settings, SettingsError, TableSettings, parse, read_toml
from vision.calibration.calibration import Calibration, CalibrationError, calibration
from vision.calibration.lens import Lens

Row = tuple[float, float, float]
Pixel = tuple[float, float]


class SeenMarker(Settings):
    """One marker as the picture showed it."""

    id: int
    centre_mm: tuple[float, float]
    corners_px: tuple[Pixel, Pixel, Pixel, Pixel]


class SavedLens(Settings):
    """The lens; ``rms_px`` is missing where no board was seen."""

    fx_px: float = Field(gt=0)
    fy_px: float = Field(gt=0)
    cx_px: float
    cy_px: float
    k1: float
    k2: float
    rms_px: float | None = None


class CalibrationFile(Settings):
    """What ``betline vision calibrate`` writes and ``betline vision run`` reads."""

    id: str
    made: str = Field(description="when, ISO 8601")
    table: str
    source: str
    width_px: int = Field(gt=0)
    height_px: int = Field(gt=0)
    rms_mm: float | None = None
    line_mm: float | None = None
    px_from_mm: tuple[Row, Row, Row]
    eye_mm: Annotated[Row, Field(description="where the camera hangs over the felt")]
    lens: SavedLens
    markers: tuple[SeenMarker, ...] = ()

    def calibration(self) -> Calibration:
        """The calibration; raises CalibrationError where the numbers are not those that its id names."""
        lens = Lens(self.width_px, self.height_px, **self.lens.model_dump())
        seen = {marker.id: np.array(marker.corners_px, np.float64) for marker in self.markers}
        found = calibration(np.array(self.px_from_mm, np.float64), lens, self.rms_mm, self.eye_mm, seen)
        if found.id != self.id:
            raise CalibrationError(f"The numbers of calibration {self.id} were changed by hand; calibrate again.")
        return found


def default_path(table_name: str) -> Path:
    """Where a table's calibration is kept, in the user's state folder."""
    return Path(platformdirs.user_state_dir("betline", appauthor=False)) / "calibration" / f"{table_name}.toml"


def read(path: Path, table: TableSettings) -> CalibrationFile:
    """A calibration file that fits the table; raises CalibrationError."""
    if not path.is_file():
        raise CalibrationError(f"There is no calibration file {path}: make it with betline vision calibrate.")
    try:
        saved = parse(CalibrationFile, read_toml(path), str(path))
    except SettingsError as error:
        raise CalibrationError(str(error)) from None
    if saved.table != table.name:
        raise CalibrationError(f"{path} is the calibration of table {saved.table}; give that of {table.name}.")
    places = {marker.id: marker.centre_mm for marker in table.markers}
    if any(marker.id in places and places[marker.id] != marker.centre_mm for marker in saved.markers):
        raise CalibrationError(f"The table's markers have other places than when {path} was made; calibrate again.")
    return saved


def of_run(table: TableSettings, path: Path | None, source: str | None) -> CalibrationFile | None:
    """The file to run with: the one that is named or, where there is one for this camera's source, the table's own.

    None where the table file's pose is to be used: a calibration says nothing of another camera. Raises
    CalibrationError.
    """
    if not table.cameras:
        return None
    camera = table.cameras[0]
    if path is None:
        path = default_path(table.name)
        if not path.is_file() or read(path, table).source != (source or camera.source):
            return None
    saved = read(path, table)
    if (saved.width_px, saved.height_px) != (camera.width_px, camera.height_px):
        raise CalibrationError(
            f"{path} is for pictures of {saved.width_px}x{saved.height_px}, the table file has "
            f"{camera.width_px}x{camera.height_px}; calibrate again."
        )
    return saved


def write(
    path: Path,
    found: Calibration,
    table: TableSettings,
    source: str,
    line_mm: float | None,
    now: datetime.datetime | None = None,
) -> CalibrationFile:
    """Writes the file, in one step, and returns what it holds."""
    lens, places = found.lens, {marker.id: marker.centre_mm for marker in table.markers}
    first, second, third = (_row(row) for row in found.px_from_mm)
    saved = CalibrationFile(
        id=found.id,
        made=(now or datetime.datetime.now(datetime.UTC)).isoformat(timespec="seconds"),
        table=table.name,
        source=source,
        width_px=found.width_px,
        height_px=found.height_px,
        rms_mm=found.rms_mm,
        line_mm=line_mm,
        px_from_mm=(first, second, third),
        eye_mm=found.eye_mm,
        lens=SavedLens(
            fx_px=lens.fx_px,
            fy_px=lens.fy_px,
            cx_px=lens.cx_px,
            cy_px=lens.cy_px,
            k1=lens.k1,
            k2=lens.k2,
            rms_px=lens.rms_px,
        ),
        markers=tuple(
            SeenMarker.model_validate(
                {
                    "id": number,
                    "centre_mm": places[number],
                    "corners_px": tuple((float(x), float(y)) for x, y in corners),
                }
            )
            for number, corners in sorted(found.markers.items())
            if number in places
        ),
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.new")
    beside.write_text(tomli_w.dumps(saved.model_dump(mode="json", exclude_none=True)), encoding="utf-8")
    beside.replace(path)
    return saved


def _row(values: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Row:
    a, b, c = (float(value) for value in values)
    return a, b, c
