"""What the benchmark of the pages counts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from betline import topics
from betline.bus import MemoryBus, MemoryHub, Received
from betline.topics import topic
from tests.unit.web.serving import NAMES, view
from virtual_table.bench.web import _Said


@pytest.mark.parametrize(
    ("shown", "took"),
    [
        ([(1, 1030), (2, 2040)], [30.0, 40.0]),
        ([(2, 2040)], [1040.0, 40.0]),
        ([(1, 990), (3, 2500)], [0.0, 500.0]),
        ([(1, 1030)], [30.0]),
        ([], []),
    ],
)
def test_a_view_that_was_overtaken_counts_until_a_newer_one_is_shown(
    shown: list[tuple[int, int]], took: list[float]
) -> None:
    said, hub = _Said(), MemoryHub()
    heard: list[Received] = []
    MemoryBus(hub, NAMES, "bench").subscribe(topics.VIEW, heard.append)
    controller = MemoryBus(hub, NAMES, "controller")
    for version in (1, 2):
        controller.publish(topic(topics.VIEW, "board"), view(version))
    for received, at_ms in zip(heard, (1000, 2000), strict=True):
        said.heard(replace(received, envelope=received.envelope.model_copy(update={"ts_ms": at_ms})))

    assert said.until(shown) == took
