"""From table millimetres to picture pixels, for many points at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from betline.geometry import Pinhole

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]


class View:
    """A pinhole camera's projection, vectorised."""

    def __init__(self, camera: Pinhole) -> None:
        self.width_px, self.height_px = camera.width_px, camera.height_px
        self.eye: Floats = np.array(camera.position_mm, dtype=float)
        forward = np.array([*camera.look_at_mm, 0.0]) - self.eye
        forward /= np.linalg.norm(forward)
        right = np.cross(forward, [0.0, 1.0, 0.0])
        right /= np.linalg.norm(right)
        down = np.cross(forward, right)
        middle = np.array([[camera.width_px / 2.0], [camera.height_px / 2.0]])
        self._plane: Floats = camera.focal_px * np.stack((right, down)) + middle * forward
        self._forward: Floats = forward
        self._focal_px = camera.focal_px

    def project(self, points_mm: npt.ArrayLike) -> Floats:
        """Pixels (..., 2) of points (..., 3) in millimetres; float64."""
        relative = np.asarray(points_mm, dtype=float) - self.eye
        pixels: Floats = relative @ self._plane.T / (relative @ self._forward)[..., None]
        return pixels

    def scale(self, points_mm: npt.ArrayLike) -> Floats:
        """Pixels per millimetre (...) at points (..., 3); float64."""
        relative = np.asarray(points_mm, dtype=float) - self.eye
        scale: Floats = self._focal_px / (relative @ self._forward)
        return scale

    def jacobians(self, points_mm: npt.ArrayLike) -> Floats:
        """How the pixel changes with x and y at points (..., 3): (..., 2, 2) float64, pixels per millimetre."""
        relative = np.asarray(points_mm, dtype=float) - self.eye
        depth = (relative @ self._forward)[..., None, None]
        pixels = (relative @ self._plane.T)[..., :, None] / depth
        jacobian: Floats = (self._plane[:, :2] - pixels * self._forward[:2]) / depth
        return jacobian
