"""A camera of which fewer pictures are looked at than it gives."""

import numpy as np
import pytest

from vision.imaging.paced import Paced
from vision.imaging.sources import Frame

CAMERA_FPS = 30


class Camera:
    """30 pictures a second; it keeps the newest."""

    dropped, ended, problem = 0, False, ""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.taken = -1

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds

    def read(self, timeout_s: float) -> Frame | None:
        newest = int(self.now_s * CAMERA_FPS)
        if newest == self.taken:
            self.now_s = (newest + 1) / CAMERA_FPS + 1e-9
            newest += 1
        self.taken = newest
        return Frame(np.zeros((2, 2, 3), np.uint8), int(newest / CAMERA_FPS * 1e9), newest)

    def close(self) -> None:
        self.now_s = -1.0


@pytest.mark.parametrize("fps", [5, 12, 24, 60])
def test_so_many_pictures_a_second_are_taken_and_each_is_the_newest(fps: int) -> None:
    camera = Camera()
    paced = Paced(camera, fps, lambda: camera.now_s, camera.sleep)
    ages_s = []
    while camera.now_s < 20:
        frame = paced.read(0.25)
        if frame is not None:
            ages_s.append(camera.now_s - frame.t_ns / 1e9)

    assert len(ages_s) / 20 == pytest.approx(min(fps, CAMERA_FPS), rel=0.05)
    assert max(ages_s) < 1.5 / CAMERA_FPS


def test_a_reader_who_waits_for_less_than_the_pause_is_not_kept_longer() -> None:
    camera = Camera()
    paced = Paced(camera, 5, lambda: camera.now_s, camera.sleep)
    assert paced.read(0.25) is not None
    before_s = camera.now_s

    assert paced.read(0.05) is None
    assert camera.now_s - before_s == pytest.approx(0.05)


def test_closing_it_closes_the_camera() -> None:
    camera = Camera()
    Paced(camera, 5, lambda: camera.now_s, camera.sleep).close()

    assert camera.now_s == -1.0
