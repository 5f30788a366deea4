"""The shipped dashboard, read as Grafana would."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
FILE = ROOT / "config" / "grafana" / "betline.json"
MAY_BE_EMPTY = "Empty until there was one: "
"""A panel whose figure comes with the first of its kind says so."""


def load() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def panels() -> list[dict[str, Any]]:
    return [panel for panel in load()["panels"] if panel["type"] != "row"]


def queries(window: str) -> Iterator[tuple[dict[str, Any], str]]:
    """Each panel with each of its queries, all sites and tables chosen."""
    values = {"$site": ".*", "$table": ".*", "$__rate_interval": window}
    for panel in panels():
        for target in panel["targets"]:
            query = target["expr"]
            for name, value in values.items():
                query = query.replace(name, value)
            yield panel, query
