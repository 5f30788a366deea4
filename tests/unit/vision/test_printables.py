"""Sheets for calibration: true scale on paper, and readable by the camera once printed."""

import re
import xml.etree.ElementTree as ET
import zlib
from base64 import a85decode
from pathlib import Path

import cv2
import numpy as np
import pytest

from betline.front_door import run
from betline.settings import load_table
from tests.unit.vision.printed import raster
from vision.calibration.markers import BOARD, BOARD_SQUARE_MM, find_markers
from vision.calibration.printables import (
    MARGIN_MM,
    PAPERS,
    RULER_MM,
    board_sheet,
    marker_sheets,
    table_sheet,
    table_tiles,
)
from vision.calibration.sheet import MM_PER_POINT, Box, Line, Sheet, Words, svg, write_pdf

TABLE = load_table()


def content(pdf: bytes) -> list[str]:
    """The drawing commands of each page."""
    streams = re.findall(rb"ASCII85Decode /FlateDecode \].*?stream\r?\n(.*?)~>", pdf, re.DOTALL)
    return [zlib.decompress(a85decode(stream)).decode() for stream in streams]


@pytest.mark.parametrize("paper", ["a4", "a3"])
def test_every_marker_of_the_table_is_printed_once_in_its_size(paper: str) -> None:
    seen: dict[int, float] = {}
    for sheet in marker_sheets(TABLE, paper):
        for number, corners in find_markers(raster(sheet, 5.0)).items():
            assert number not in seen
            seen[number] = float(np.hypot(*(corners[0] - corners[1]))) / 5.0

    assert sorted(seen) == [marker.id for marker in TABLE.markers]
    assert list(seen.values()) == pytest.approx([80.0] * len(seen), abs=0.6)


@pytest.mark.parametrize("paper", ["a4", "a3"])
def test_nothing_is_printed_beyond_the_paper(paper: str) -> None:
    for sheet in (*marker_sheets(TABLE, paper), board_sheet(paper)):
        for shape in sheet.shapes:
            if isinstance(shape, Box):
                assert shape.x >= 4
                assert shape.y >= 4
                assert shape.x + shape.width <= sheet.width_mm - 4
                assert shape.y + shape.height <= sheet.height_mm - 10


def test_the_printed_board_is_the_one_that_is_sought() -> None:
    paper = raster(board_sheet("a4"), 4.0)

    corners, numbers = cv2.aruco.CharucoDetector(BOARD).detectBoard(paper[:, :, 0])[:2]

    assert len(numbers) == 54
    places = {int(number): np.ravel(at) for number, at in zip(np.ravel(numbers), corners, strict=True)}
    assert np.hypot(*(places[1] - places[0])) / 4.0 == pytest.approx(BOARD_SQUARE_MM, abs=0.1)


def test_a_pdf_has_true_scale(tmp_path: Path) -> None:
    sheet = Sheet(210, 297, (Box(10, 20, 80, 30), Words((5, 5), "a (b)")), None, (Line(((12, 290), (112, 290))),))
    write_pdf(tmp_path / "one.pdf", [sheet], "One")
    write_pdf(tmp_path / "two.pdf", [sheet], "One")

    data = (tmp_path / "one.pdf").read_bytes()
    assert data == (tmp_path / "two.pdf").read_bytes()
    box = re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", data)
    assert box is not None
    assert [float(value) * MM_PER_POINT for value in box.groups()] == pytest.approx([210, 297], abs=0.01)
    (drawn,) = content(data)
    assert f"{1 / MM_PER_POINT:.6f} 0 0 {1 / MM_PER_POINT:.6f} 0 841.8898 cm" in drawn
    assert "10 -50 80 30 re" in drawn
    assert "12 -290 m 112 -290 l" in drawn


def test_an_svg_has_true_scale() -> None:
    root = ET.fromstring(svg(table_sheet(TABLE)))

    assert root.get("width") == "2370mm"
    assert root.get("viewBox") == "0 0 2370 1130"
    texts = [one.text for one in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"marker 0", "marker 7", "seat 1: bets", "seat 10: stacks", "pot", "tray"} <= set(texts)


def test_the_template_says_where_each_marker_lies() -> None:
    root = ET.fromstring(svg(table_sheet(TABLE)))
    squares = {
        tuple(np.mean([tuple(map(float, pair.split(","))) for pair in (one.get("points") or "").split()], axis=0))
        for one in root.iter("{http://www.w3.org/2000/svg}polygon")
    }

    for marker in TABLE.markers:
        assert (marker.centre_mm[0] + 1185, 565 - marker.centre_mm[1]) in squares


@pytest.mark.parametrize("paper", ["a4", "a3"])
def test_the_tiles_laid_together_are_the_table(paper: str) -> None:
    whole = table_sheet(TABLE)
    together = np.full((round(whole.height_mm), round(whole.width_mm), 3), 255, np.uint8)
    for tile in table_tiles(TABLE, paper):
        assert (tile.height_mm, tile.width_mm) == PAPERS[paper]
        assert tile.clip is not None
        left, top, right, bottom = (round(value) for value in tile.clip)
        name = next(shape.text for shape in tile.margin_shapes if isinstance(shape, Words) and "row" in shape.text)
        row, column = (int(value) - 1 for value in re.findall(r"(?:row|column) (\d+)", name))
        page = raster(Sheet(tile.width_mm, tile.height_mm, tile.shapes), 1.0)[top:bottom, left:right]
        y, x = row * (bottom - top - 10), column * (right - left - 10)
        place = together[y : y + page.shape[0], x : x + page.shape[1]]
        np.minimum(place, page[: place.shape[0], : place.shape[1]], out=place)

    expected = raster(whole, 1.0)
    lost = (expected < 200) & (cv2.erode(together, np.ones((5, 5), np.uint8)) > 200)
    assert int(lost.sum()) == 0


def test_each_page_has_a_ruler_of_ten_centimetres() -> None:
    for sheet in (*marker_sheets(TABLE, "a4"), board_sheet("a4"), *table_tiles(TABLE, "a4")):
        lengths = [shape.points[1][0] - shape.points[0][0] for shape in sheet.margin_shapes if isinstance(shape, Line)]
        assert RULER_MM in lengths
        assert all(shape.points[0][0] >= MARGIN_MM - 8 for shape in sheet.margin_shapes if isinstance(shape, Line))


def test_the_verb_writes_pdf_and_svg(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["vision", "markers", "--table", "home-six", "--paper", "a3", "--out", str(tmp_path / "print")]) == 0

    names = {path.name for path in (tmp_path / "print").iterdir()}
    assert {f"home-six-{what}.pdf" for what in ("markers", "board", "template")} <= names
    assert {"home-six-board.svg", "home-six-template.svg"} <= names
    assert "100 mm" in capsys.readouterr().out
    assert run(["vision", "markers", "--paper", "a5", "--out", str(tmp_path)]) == 2
    (tmp_path / "file").write_text("")
    assert run(["vision", "markers", "--out", str(tmp_path / "file")]) == 1
    assert "name another folder" in capsys.readouterr().err


def test_a_table_without_markers_gets_board_and_template(tmp_path: Path) -> None:
    from vision.calibration.printing import write_sheets

    written, said = write_sheets(TABLE.model_copy(update={"markers": ()}), "a4", tmp_path)

    assert not any("markers" in path.name for path in written)
    assert "has no markers" in said
