"""What `betline vision calibrate` does with its options, and what it says."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import cv2

from betline.geometry import Point
from betline.options import FAILED, UserError
from betline.settings import SettingsError, TableSettings, load_table
from vision.calibration import file as calibration_file
from vision.calibration.annotate import annotated, with_grid
from vision.calibration.calibration import CalibrationError, calibrate
from vision.calibration.click import click_corners
from vision.calibration.file import CalibrationFile
from vision.calibration.lens import Lens, LensError
from vision.calibration.markers import find_markers, middle_of
from vision.calibration.procedure import (
    Found,
    calibrate_from,
    landmarks,
    lens_of,
    parse_corner,
    read_corners,
    take_pictures,
)
from vision.calibration.visibility import measured
from vision.imaging.pictures import Picture
from vision.imaging.sources import SourceError


@dataclass(frozen=True, slots=True)
class Wishes:
    """The options as they were typed."""

    table: str
    source: str | None = None
    lens: tuple[Path, ...] = ()
    corner: tuple[str, ...] = ()
    points: Path | None = None
    click: bool = False
    height_mm: float | None = None
    nadir: str | None = None
    out: Path | None = None
    annotate: Path | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """The outcome, for people and for programs."""

    path: Path
    saved: CalibrationFile
    found: Found

    def as_json(self) -> str:
        """One JSON object."""
        report: dict[str, Any] = {
            "file": str(self.path),
            **self.saved.model_dump(mode="json", exclude={"px_from_mm", "markers"}),
            "markers": [marker.id for marker in self.saved.markers],
            "weak_colours": [asdict(weak) for weak in self.found.weak],
            "warnings": list(self.found.warnings),
            "limits": list(measured().sentences()),
        }
        return json.dumps(report)

    def as_text(self) -> str:
        """Some lines for a person."""
        saved, lens = self.saved, self.saved.lens
        x, y, height = saved.eye_mm
        return "\n".join(
            [
                f"Calibration {saved.id} of {saved.made}: {self.path}",
                summary(self.found),
                f"The camera hangs {height:.0f} mm above the felt at {x:.0f}, {y:.0f} mm.",
                f"Lens: fx {lens.fx_px:.1f}, fy {lens.fy_px:.1f}, k1 {lens.k1:.3f}, k2 {lens.k2:.3f}"
                + (f", {lens.rms_px:.2f} px RMS." if lens.rms_px is not None else ", not measured."),
                *(f"Weak: {weak.sentence()}" for weak in self.found.weak),
                *self.found.warnings,
                "What the camera cannot see on any table:",
                *(f"  {limit}" for limit in measured().sentences()),
            ]
        )


def summary(found: Found) -> str:
    """How good it is, in a line."""
    rms = "error unknown" if found.fit.rms_mm is None else f"{found.fit.rms_mm:.2f} mm RMS"
    line = "" if found.fit.line_mm is None else f"; the betting line is right to about {found.fit.line_mm:.1f} mm"
    return f"{len(found.calibration.markers)} markers, {rms}{line}."


def calibrate_table(wishes: Wishes) -> Report:
    """Takes the pictures, calibrates, writes the file and the annotated picture; raises UserError."""
    table = load_table(wishes.table)
    if not table.cameras:
        raise SettingsError(f"Table {table.name} has no camera; add a [[cameras]] section to its file.")
    camera = table.cameras[0]
    source = wishes.source or camera.source
    path = wishes.out or calibration_file.default_path(table.name)
    try:
        corners = [parse_corner(text, table) for text in wishes.corner]
        corners += read_corners(wishes.points, table) if wishes.points else []
        nadir = _nadir(wishes.nadir)
        lens = lens_of(wishes.lens, camera) if wishes.lens else _lens_so_far(path, table, source)
    except (CalibrationError, LensError, SourceError) as error:
        raise UserError(str(error)) from None
    try:
        pictures = take_pictures(source, camera)
    except SourceError as error:
        raise UserError(str(error), FAILED) from None
    if wishes.click:
        corners += click_corners(pictures[0], landmarks(table))
    try:
        found = calibrate_from(pictures, table, lens=lens, corners=corners, height_mm=wishes.height_mm, nadir_mm=nadir)
    except CalibrationError as error:
        _help_to_point(wishes.annotate, pictures[0], table)
        raise UserError(str(error), FAILED) from None
    saved = _written(path, found, table, source)
    if wishes.annotate is not None:
        lines = [f"{table.name}: calibration {saved.id} of {saved.made}", summary(found)]
        lines += [f"weak: {weak.key} {weak.why}" for weak in found.weak]
        seen = middle_of([find_markers(picture) for picture in pictures])
        _save(wishes.annotate, annotated(pictures[0], table, found.calibration, seen, lines))
    return Report(path, saved, found)


def _lens_so_far(path: Path, table: TableSettings, source: str) -> Lens | None:
    """The lens that an earlier calibration of the same camera measured."""
    if not path.is_file():
        return None
    try:
        saved = calibration_file.read(path, table)
        camera = table.cameras[0]
        if saved.source != source or (saved.width_px, saved.height_px) != (camera.width_px, camera.height_px):
            return None
        lens = saved.calibration().lens
    except CalibrationError:
        return None
    return lens if lens.rms_px is not None else None


def _nadir(text: str | None) -> Point | None:
    if text is None:
        return None
    try:
        x, y = (float(value) for value in text.split(","))
    except ValueError:
        raise CalibrationError(f"--nadir {text} is no place: write millimetres of the table as X,Y.") from None
    return x, y


def _written(path: Path, found: Found, table: TableSettings, source: str) -> CalibrationFile:
    try:
        return calibration_file.write(path, found.calibration, table, source, found.fit.line_mm)
    except OSError as error:
        raise UserError(f"{path} cannot be written ({error.strerror}): name another with --out.", FAILED) from None


def _help_to_point(path: Path | None, picture: Picture, table: TableSettings) -> None:
    """Where calibration fails, the picture shows pixels and landmarks, so that corners can be given over ssh."""
    if path is not None:
        _save(path, with_grid(picture, landmarks(table), calibrate(table.cameras[0].model_copy(update={"points": ()}))))


def _save(path: Path, picture: Picture) -> None:
    try:
        done = cv2.imwrite(str(path), picture)
    except cv2.error:
        done = False
    if not done:
        raise UserError(f"The picture {path} cannot be written: name a PNG or JPEG file in an existing folder.", FAILED)
