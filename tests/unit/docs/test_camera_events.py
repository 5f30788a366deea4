"""The page on the camera lists every kind of event that the camera may publish, and no other."""

from __future__ import annotations

import re
from typing import get_args

from betline.messages.devices import LineEventType
from tests.unit.docs.checkout import ROOT


def test_every_kind_of_event_stands_on_the_page() -> None:
    page = (ROOT / "hardware_docs" / "vision.md").read_text(encoding="utf-8")
    events = page.partition("\n## Events\n")[2].partition("\n## ")[0]
    rows = [line.split(" | ")[0] for line in events.splitlines() if line.startswith("| `")]

    assert {kind for row in rows for kind in re.findall(r"`([a-z_]+)`", row)} == set(get_args(LineEventType))
