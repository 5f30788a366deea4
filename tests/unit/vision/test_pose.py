"""Whether the camera still looks where it did, by the whole picture: at a table whose markers are not seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.unit.vision.scene import Painter, Scene
from vision.frame.pose import EVERY_NS, SUSPICIOUS_EVERY_NS, PoseCheck
from vision.imaging.pictures import Picture, resized
from vision.tuning.thresholds import Thresholds

PAINTER = Painter()
SMALL_PX = (320, 180)


class Watch:
    """A camera without markers that is looked at from time to time."""

    def __init__(self) -> None:
        self.check = PoseCheck(replace(PAINTER.calibration, markers={}), Thresholds())
        self._t_ns = 0
        self._picture = PAINTER.paint(Scene())

    def looks(self, count: int, shifted_px: tuple[int, int] = (0, 0), every_ns: int = EVERY_NS) -> bool:
        """Whether it is taken to have moved after so many looks at a picture that is shifted by so much."""
        picture: Picture = np.ascontiguousarray(np.roll(self._picture, shifted_px, (0, 1)))
        for _ in range(count):
            self._t_ns += every_ns
            self.check.see(resized(picture, SMALL_PX), picture, self._t_ns, still=True)
        return self.check.moved


@pytest.mark.parametrize("looks", [1, 12, 60])
def test_a_camera_that_was_moved_is_noticed_however_long_it_hung_still(looks: int) -> None:
    watch = Watch()
    assert not watch.looks(looks)
    assert watch.looks(4, (5, -7))


@pytest.mark.parametrize("looks", [1, 12, 60])
def test_a_camera_that_is_put_back_is_right_again_however_long_it_was_away(looks: int) -> None:
    watch = Watch()
    watch.looks(2)
    assert watch.looks(3, (5, -7))
    assert watch.looks(looks, (5, -7), SUSPICIOUS_EVERY_NS)
    assert not watch.looks(4, every_ns=SUSPICIOUS_EVERY_NS)
