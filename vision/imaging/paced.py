"""A camera that gives more pictures than are looked at: those left out are never decoded."""

from __future__ import annotations

import time
from collections.abc import Callable

from vision.imaging.sources import Frame, Source


class Paced:
    """A live source at so many pictures a second at most; implements ``Source``.

    It waits before it takes: the source keeps its newest picture only, so what is taken is as young as without.
    """

    def __init__(
        self,
        source: Source,
        fps: float,
        now_s: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._source = source
        self._pause_s = 1.0 / fps
        self._now_s = now_s
        self._sleep = sleep
        self._next_s = now_s()

    @property
    def dropped(self) -> int:
        """Frames that were never given out, those left out among them."""
        return self._source.dropped

    @property
    def ended(self) -> bool:
        """Whether no frame will come any more."""
        return self._source.ended

    @property
    def problem(self) -> str:
        """Why no frames come."""
        return self._source.problem

    def read(self, timeout_s: float) -> Frame | None:
        """The newest frame once its time has come, or None where none came in time."""
        wait_s = min(self._next_s - self._now_s(), timeout_s)
        if wait_s > 0:
            self._sleep(wait_s)
        if self._now_s() < self._next_s:
            return None
        frame = self._source.read(timeout_s)
        if frame is not None:
            self._next_s = max(self._next_s + self._pause_s, self._now_s() + self._pause_s / 2)
        return frame

    def close(self) -> None:
        """Lets go of the camera."""
        self._source.close()
