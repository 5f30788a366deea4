"""For the set-up: the cameras that are plugged in."""

from __future__ import annotations

from pathlib import Path

from betline.setup.question import FoundCamera
from vision.imaging.sources import DEVICE_NAMES, usb_cameras


def found_cameras(names: Path = DEVICE_NAMES) -> tuple[FoundCamera, ...]:
    """The USB cameras by number."""
    return tuple(FoundCamera(f"usb:{number}", name) for number, name in usb_cameras(names))
