"""What the tests of this part share."""

from pathlib import Path

import pytest


@pytest.fixture
def empty_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder of a machine on which nothing was played; its settings are in ``config/betline``."""
    folder = tmp_path / "machine"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_STATE_HOME", str(folder / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    monkeypatch.setattr("betline.known_tables.SYSTEM", folder / "etc")
    return folder
