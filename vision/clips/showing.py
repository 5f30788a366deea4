"""Kept pictures on the bus: the one of an act, small, for whoever looks at that act at a console."""

from __future__ import annotations

import queue
import threading
from pathlib import Path
from typing import Final

from betline.bus import Bus, Received
from betline.messages.pictures import MAX_PX, MIN_PX, PictureWanted, SmallPicture
from betline.topics import DEVICE_PICTURE, DEVICE_PICTURE_WANTED, topic
from vision.clips.store import RingError, Shown, found
from vision.imaging.encoded import PictureError, read_picture
from vision.imaging.pictures import Picture, resized

_WAITING: Final = 4


class KeptPictures:
    """Answers wishes for pictures of acts that are over; a thread of its own reads them, the camera is not held up."""

    def __init__(self, bus: Bus, device: str, folder: Path) -> None:
        self._bus = bus
        self._device = device
        self._folder = folder
        self._wishes: queue.Queue[PictureWanted | None] = queue.Queue(_WAITING)
        self._thread = threading.Thread(target=self._run, name="kept-pictures", daemon=True)

    def open(self) -> None:
        """Begins to listen."""
        self._thread.start()
        self._bus.subscribe(DEVICE_PICTURE_WANTED, self._take)

    def close(self) -> None:
        """Ends the thread; what is still wanted is dropped."""
        self._wishes.put(None)
        self._thread.join()

    def _take(self, received: Received) -> None:
        wish = received.body
        mine = received.topic.name == self._device and not received.retained
        if isinstance(wish, PictureWanted) and wish.of and mine and not self._wishes.full():
            self._wishes.put(wish)

    def _run(self) -> None:
        while (wish := self._wishes.get()) is not None:
            try:
                picture = picture_of(found(self._folder, wish.of), wish.of)
            except RingError:
                continue  # who asked says that nothing came
            if picture is None:
                continue
            small = _small(picture, wish.width_px)
            height_px, width_px = small.shape[:2]
            body = SmallPicture.made(0, width_px, height_px, small[:, :, ::-1].tobytes(), wish.of)
            self._bus.publish(topic(DEVICE_PICTURE, self._device), body)


def picture_of(shown: Shown, event: str) -> Picture | None:
    """The first picture after the event was confirmed, (H, W, 3) uint8 BGR; None where it cannot be read."""
    confirmed_ns = next((int(one["t_confirm_ns"]) for one in shown.events if one["id"] == event), 0)
    files = [path for (path, _), t_ns in zip(shown.frames, shown.times_ns, strict=True) if t_ns >= confirmed_ns]
    try:
        return read_picture(files[0] if files else shown.frames[-1][0])
    except PictureError:
        return None


def _small(picture: Picture, width_px: int) -> Picture:
    height, width = picture.shape[:2]
    share = min(width_px / width, MAX_PX / height)
    return resized(picture, (max(MIN_PX, round(width * share)), max(MIN_PX, round(height * share))))
