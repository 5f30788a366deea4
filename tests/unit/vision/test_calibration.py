"""Millimetres of the felt and pixels of the picture."""

import numpy as np
import pytest

from betline.geometry import Point
from betline.settings import Camera, load_table
from vision.calibration.calibration import CalibrationError, calibrate

CAMERA = load_table().cameras[0]


def measured(off_px: dict[int, Point] | None = None) -> Camera:
    """The camera with nine points as its nominal pose would show them, some of them moved."""
    pairs = []
    for number, mm in enumerate((x, y) for x in (-1000.0, 0.0, 1000.0) for y in (-400.0, 0.0, 400.0)):
        x_px, y_px = CAMERA.pinhole().project((*mm, 0.0))
        dx, dy = (off_px or {}).get(number, (0.0, 0.0))
        pairs.append({"mm": mm, "px": (x_px + dx, y_px + dy)})
    return Camera.model_validate({**CAMERA.model_dump(), "points": pairs})


def test_without_points_the_pose_tells() -> None:
    calibration = calibrate(CAMERA)

    assert calibration.rms_mm is None
    assert calibration.to_px([(300, -200)])[0] == pytest.approx(CAMERA.pinhole().project((300, -200, 0)))
    assert calibration.to_mm(calibration.to_px([(300, -200), (-900, 250)])) == pytest.approx(
        np.array([(300, -200), (-900, 250)])
    )


def test_measured_points_give_the_homography_with_its_error() -> None:
    calibration = calibrate(measured({0: (0.4, 0.0), 5: (0.0, -0.5)}))

    assert calibration.rms_mm is not None
    assert 0 < calibration.rms_mm < 1
    assert calibration.to_mm(calibrate(CAMERA).to_px([(500, 100)]))[0] == pytest.approx((500, 100), abs=1.5)


def test_one_stray_point_does_not_bend_the_table() -> None:
    calibration = calibrate(measured({4: (60.0, -40.0)}))

    assert calibration.to_mm(calibrate(CAMERA).to_px([(500, 100)]))[0] == pytest.approx((500, 100), abs=0.5)


def test_points_that_disagree_are_refused() -> None:
    wild = {number: (17.0 * (-1) ** number, 23.0 * (number % 3 - 1)) for number in range(9)}

    with pytest.raises(CalibrationError, match="measure them again"):
        calibrate(measured(wild))


def test_too_few_points_and_points_on_a_line_are_refused() -> None:
    few = CAMERA.model_copy(update={"points": measured().points[:3]})
    on_a_line = CAMERA.model_copy(update={"points": measured().points[1::3] + measured().points[1:2]})

    with pytest.raises(CalibrationError, match="four or more"):
        calibrate(few)
    with pytest.raises(CalibrationError):
        calibrate(on_a_line)


def test_the_id_names_the_numbers() -> None:
    assert calibrate(CAMERA).id == calibrate(CAMERA).id
    assert calibrate(CAMERA).id != calibrate(measured({0: (0.4, 0.0)})).id
