"""The picture that was kept of an act goes out to whoever asks for it by the camera's event."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from betline.bus import MemoryBus, MemoryHub
from betline.messages.pictures import PictureWanted, SmallPicture
from betline.topics import DEVICE_PICTURE, DEVICE_PICTURE_WANTED, Namespace, topic
from vision.clips.showing import KeptPictures, picture_of
from vision.clips.store import found

CAMERA = "overhead"
NAMES = Namespace("home", "t1")


def keep(folder: Path, event: str, *, confirmed_ns: int = 20) -> None:
    """A stretch of three pictures, grey 50, 100 and 150, at 10, 20 and 30 ns."""
    path = folder / f"20261123T120000.000Z-{event}"
    path.mkdir(parents=True)
    frames = []
    for number in range(3):
        cv2.imwrite(str(path / f"{number:04d}.jpg"), np.full((72, 128, 3), 50 * (number + 1), np.uint8))
        frames.append({"file": f"{number:04d}.jpg", "t_ns": 10 * (number + 1), "wall_ms": number})
    index = {"events": [{"id": event, "seat": 3, "t_confirm_ns": confirmed_ns}], "frames": frames}
    (path / "ring.json").write_text(json.dumps(index))


class Console:
    """Somebody who asks a camera for kept pictures."""

    def __init__(self, folder: Path) -> None:
        hub = MemoryHub()
        self.seen: list[SmallPicture] = []
        self.bus = MemoryBus(hub, NAMES, "console")
        self.bus.subscribe(
            DEVICE_PICTURE, lambda one: self.seen.append(one.body) if isinstance(one.body, SmallPicture) else None
        )
        self.kept = KeptPictures(MemoryBus(hub, NAMES, CAMERA), CAMERA, folder)
        self.kept.open()

    def wants(self, of: str, camera: str = CAMERA) -> None:
        self.bus.publish(topic(DEVICE_PICTURE_WANTED, camera), PictureWanted(width_px=64, of=of))

    def hears(self, count: int) -> None:
        end_s = time.monotonic() + 20
        while len(self.seen) < count:
            assert time.monotonic() < end_s, "a picture comes"
            time.sleep(0.005)


@pytest.fixture
def console(tmp_path: Path) -> Iterator[Console]:
    keep(tmp_path, "e7")
    asks = Console(tmp_path)
    yield asks
    asks.kept.close()


def test_the_picture_of_an_event_is_small_and_the_first_after_it_was_confirmed(console: Console) -> None:
    console.wants("e7")
    console.hears(1)

    (told,) = console.seen
    assert (told.of, told.width_px, told.height_px) == ("e7", 64, 36)
    assert abs(told.pixels[0] - 100) < 5


def test_what_is_not_kept_is_not_answered_and_the_next_wish_is(console: Console) -> None:
    console.wants("e8")
    console.wants("", CAMERA)
    console.wants("e7", "side")
    console.wants("e7")
    console.hears(1)

    assert [one.of for one in console.seen] == ["e7"]


def test_an_event_at_the_end_of_its_stretch_has_the_last_picture(tmp_path: Path) -> None:
    keep(tmp_path, "e9", confirmed_ns=99)

    picture = picture_of(found(tmp_path, "e9"), "e9")

    assert picture is not None
    assert abs(int(picture[0, 0, 0]) - 150) < 5


def test_a_picture_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    keep(tmp_path, "e9")
    for path in tmp_path.glob("*/*.jpg"):
        path.write_bytes(b"no picture")

    assert picture_of(found(tmp_path, "e9"), "e9") is None
