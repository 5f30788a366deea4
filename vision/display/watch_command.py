"""`betline vision watch`: a camera, the detector and the live page, without a bus."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

from vision.detect.detector import Detector
from vision.display.page import WatchPage
from vision.imaging.sources import Source

READ_WAIT_S: Final = 0.25


def watch_camera(
    source: Source, detector: Detector, page: WatchPage, stop: threading.Event, told: Callable[[str], None]
) -> None:
    """Shows frames on the page until ``stop`` is set or a recording ends; ``told`` gets each new problem, once."""
    said = ""
    while not stop.is_set() and not source.ended:
        frame = source.read(READ_WAIT_S)
        if frame is not None:
            page.see(frame, detector, detector.process(frame.picture, frame.t_ns, frame.number))
        problem = source.problem or detector.markers_said
        if problem != said:
            said = problem
            page.say(problem)
            if problem:
                told(problem)
