"""One stored picture of the floor at each size; time stands still. A change that is meant is stored with
``--snapshot-update`` after it was looked at."""

from pathlib import Path

import pytest

from cardroom.floor import picture

DOCS = Path(__file__).parents[3] / "docs"
PICTURE = DOCS / "floor-screen.svg"


@pytest.fixture
def floor(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("COLORTERM", "truecolor")
    return picture.sample_app()


def test_all_tables_on_the_smallest_screen(snap_compare, floor):
    assert snap_compare(floor, terminal_size=(80, 24))


@pytest.mark.nightly
def test_all_tables(snap_compare, floor):
    assert snap_compare(floor, terminal_size=(120, 40))


@pytest.mark.nightly
@pytest.mark.parametrize(
    "keys", [["y"], ["question_mark"], ["enter"], ["n", "n", "enter"]], ids=["ruling", "help", "board", "silent"]
)
def test_what_keys_open(snap_compare, floor, keys):
    assert snap_compare(floor, press=keys, terminal_size=(80, 24))


@pytest.mark.nightly
async def test_the_picture_of_the_documents_is_the_floor_of_today(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert PICTURE.read_text(encoding="utf-8") == await picture.picture()


def test_the_documents_have_a_picture_of_every_screen():
    page = (DOCS / "floor-screen.md").read_text(encoding="utf-8")
    assert {file.stem for file in (DOCS / "floor-screen").glob("*.svg")} == set(picture.SHOTS)
    assert [name for name in picture.SHOTS if f"(floor-screen/{name}.svg)" not in page] == []
