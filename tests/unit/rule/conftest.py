"""The page of rules is made from the cases as they were read already."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from table_controller.tools.rule import pages
from tests.cases.all_cases import CASES, FOLDER


@pytest.fixture(scope="session", autouse=True)
def cases_read_once() -> Iterator[None]:
    assert pages.CASES == FOLDER
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "read_cases", lambda _paths: CASES)
        yield
