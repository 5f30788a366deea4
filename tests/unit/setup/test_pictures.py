"""The wizard's pictures in the documents are the wizard of today."""

from pathlib import Path

import pytest

from betline.setup.screens.picture import SHOTS, picture

DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", list(SHOTS))
async def test_the_picture_of_the_documents_is_the_wizard_of_today(name: str, monkeypatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert (DOCS / f"{name}.svg").read_text(encoding="utf-8") == await picture(SHOTS[name]), (
        "python -m betline.setup.screens.picture docs makes them anew"
    )


def test_the_page_has_every_picture_and_no_other() -> None:
    page = (DOCS / "setup.md").read_text(encoding="utf-8")
    assert {file.stem for file in DOCS.glob("setup-*.svg")} == set(SHOTS)
    assert [name for name in SHOTS if f"({name}.svg)" not in page] == []
    assert list(DOCS.glob("setup-*.png")) == []
