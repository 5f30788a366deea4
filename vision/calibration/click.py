"""Clicking corners in a window: one landmark after the other, on a machine with a desktop."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from betline.geometry import Point
from betline.options import UserError
from vision.calibration.procedure import Corner
from vision.imaging.pictures import Picture

ENTER, ESCAPE, SPACE, BACK = (13, 10), 27, 32, 8
WINDOW = "betline vision calibrate"


@dataclass(slots=True)
class Clicks:
    """What has been clicked so far; the landmark at ``at`` is asked for."""

    places: tuple[tuple[str, Point], ...]
    at: int = 0
    corners: list[Corner] = field(default_factory=list)

    @property
    def asked(self) -> str:
        """The landmark that the next click is for, empty after the last."""
        return self.places[self.at][0] if self.at < len(self.places) else ""

    def click(self, x: float, y: float) -> None:
        """Takes a click for the landmark that is asked for."""
        if self.asked:
            name, mm = self.places[self.at]
            self.corners.append(Corner(name, mm, (x, y)))
            self.at += 1

    def skip(self) -> None:
        """Goes on to the next landmark without this one."""
        self.at = min(self.at + 1, len(self.places))

    def undo(self) -> None:
        """Takes the last click back and asks for its landmark again."""
        if self.corners:
            last = self.corners.pop()
            self.at = [name for name, _ in self.places].index(last.name)


def click_corners(picture: Picture, places: Mapping[str, Point]) -> list[Corner]:
    """Asks for clicks on the places in a picture, (H, W, 3) uint8 BGR, until Enter.

    Raises UserError without a desktop, or where the window is closed.
    """
    desktop = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if not desktop or not _has_windows():
        raise UserError(
            "No window can be opened here: take the pixels from --annotate FILE.png and give them with --corner."
        )
    clicks = Clicks(tuple(places.items()))

    def on_mouse(event: int, x: int, y: int, _flags: int, _data: Any) -> None:
        if event == cv2.EVENT_LBUTTONDOWN:
            clicks.click(x, y)

    cv2.namedWindow(WINDOW, cv2.WINDOW_AUTOSIZE)
    cv2.setMouseCallback(WINDOW, on_mouse)
    try:
        while True:
            cv2.imshow(WINDOW, _shown(picture, clicks))
            key = cv2.waitKey(30) & 0xFF
            if key in ENTER:
                return clicks.corners
            if key == ESCAPE or cv2.getWindowProperty(WINDOW, cv2.WND_PROP_VISIBLE) < 1:
                raise UserError("The window was closed before Enter: start again and end with Enter.")
            if key == SPACE:
                clicks.skip()
            elif key == BACK:
                clicks.undo()
    finally:
        cv2.destroyAllWindows()


def _has_windows() -> bool:
    try:
        return bool(cv2.currentUIFramework())
    except cv2.error:
        return False


def _shown(picture: Picture, clicks: Clicks) -> Picture:
    drawn = picture.copy()
    for corner in clicks.corners:
        at = (round(corner.px[0]), round(corner.px[1]))
        cv2.drawMarker(drawn, at, (60, 220, 250), cv2.MARKER_CROSS, 14, 1)
    asked = f"Click {clicks.asked}" if clicks.asked else "That is all"
    text = f"{asked}; Space: next, Backspace: back, Enter: done, Escape: leave"
    cv2.putText(drawn, text, (8, 20), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 255, 255), 1, cv2.LINE_AA)
    return np.asarray(drawn, dtype=np.uint8)
