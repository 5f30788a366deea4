"""Pictures that would decode to gigabytes are refused by their heads, wherever a picture is read."""

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from betline.front_door import run
from betline.settings import load_table
from vision.calibration.procedure import take_pictures
from vision.imaging.encoded import PictureError, decode, size_of
from vision.imaging.sources import SourceError, decoded, recording

SIDE_PX = 9000
CAMERA = load_table().cameras[0]


def bomb() -> bytes:
    """A whole PNG of 81 million black pixels in some 10 kB."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress(bytes((SIDE_PX // 8 + 1) * SIDE_PX), 9)
    head = struct.pack(">IIBBBBB", SIDE_PX, SIDE_PX, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


@pytest.fixture(name="bomb_file")
def _bomb_file(tmp_path: Path) -> Path:
    path = tmp_path / "bomb.png"
    path.write_bytes(bomb())
    return path


def test_a_picture_that_would_be_too_large_is_no_source(bomb_file: Path) -> None:
    with pytest.raises(SourceError, match=r"bomb\.png cannot be used: it would have 9000x9000 pixels, 50 million"):
        recording(bomb_file, paced=False)


def test_calibration_refuses_it(bomb_file: Path) -> None:
    with pytest.raises(SourceError, match="9000x9000"):
        take_pictures(str(bomb_file), CAMERA)


def test_the_chip_finder_refuses_it_in_one_sentence(bomb_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["vision", "chips", str(bomb_file)]) != 0

    assert "9000x9000 pixels, 50 million are the most: make it smaller" in " ".join(capsys.readouterr().err.split())


def test_a_frame_of_a_stream_that_would_be_too_large_is_a_broken_one() -> None:
    assert decoded(bomb()) is None


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".bmp", ".webp"])
def test_the_size_in_the_head_is_that_of_the_picture(suffix: str) -> None:
    picture = np.full((31, 57, 3), 90, np.uint8)
    data = cv2.imencode(suffix, picture)[1].tobytes()

    assert size_of(data) == (57, 31)
    read = decode(data)
    assert read is not None
    assert read.shape == (31, 57, 3)


def test_the_largest_of_the_sizes_that_a_jpeg_names_counts() -> None:
    data = cv2.imencode(".jpg", np.zeros((16, 16, 3), np.uint8))[1].tobytes()
    frame = data.index(b"\xff\xc0")
    second = data[frame : frame + 5] + struct.pack(">HH", 60000, 60000) + data[frame + 9 : frame + 19]

    with pytest.raises(PictureError, match="60000x60000"):
        decode(data[:2] + second + data[2:])


@pytest.mark.parametrize(
    "data", [b"", b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"BM", b"RIFF0000WEBPVP8X", b"II*\x00" * 9]
)
def test_damaged_and_unknown_kinds_are_no_picture(data: bytes) -> None:
    assert decode(data) is None
