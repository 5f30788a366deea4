"""Pauses of the controller's process: garbage collection stops it while it lasts."""

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from betline.bus import MemoryBus, MemoryHub
from betline.options import Address
from betline.settings import load_table
from table_controller.service import running
from tests.unit.service.room import NAMES


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """How many values the collector leaves alone once the controller runs."""
    found: list[int] = []
    gc.unfreeze()  # what tests before this one have frozen
    monkeypatch.setattr(running, "join", lambda _address, names, *one, **more: MemoryBus(MemoryHub(), names, *one))
    monkeypatch.setattr("signal.signal", lambda *_: None)
    monkeypatch.setattr(running.Controller, "run", lambda _: found.append(gc.get_freeze_count()))
    yield found
    gc.unfreeze()


def test_the_collector_leaves_alone_what_was_loaded_before_the_controller_runs(
    frozen: list[int], tmp_path: Path
) -> None:
    before = gc.get_freeze_count()
    running.run_controller(load_table("home-six"), Address("127.0.0.1", 1), NAMES, tmp_path / "six.journal")

    assert frozen[0] - before > 10_000
