"""A headless Chromium for tests, one for all tests of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from betline.chromium import Chromium, chromium, program

needs_chromium = pytest.mark.skipif(program() is None, reason="Chromium is not installed (apt install chromium)")


@pytest.fixture(scope="module")
def browser() -> Iterator[Chromium]:
    """A browser that runs."""
    with chromium() as one:
        yield one
