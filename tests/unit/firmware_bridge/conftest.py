"""Virtual readers on pseudo-terminals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from virtual_table.readers.server import ReaderServer


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ReaderServer]:
    one = ReaderServer(tmp_path / "by-id")
    yield one
    one.close()
