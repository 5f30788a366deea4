"""The shipped dashboard, read as Grafana would."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
FILE = ROOT / "config" / "grafana" / "betline.json"
SITE_ROW = "The site"
MAY_BE_EMPTY = "Empty until there was one: "
"""A panel whose figure comes with the first of its kind says so."""


def load() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def panels() -> list[dict[str, Any]]:
    return [panel for panel in load()["panels"] if panel["type"] != "row"]


def site_panels() -> list[dict[str, Any]]:
    """The panels below the row on the site: they are of no table."""
    titles = [panel["title"] for panel in load()["panels"]]
    return [panel for panel in load()["panels"][titles.index(SITE_ROW) + 1 :] if panel["type"] != "row"]


def table_panels() -> list[dict[str, Any]]:
    """All others."""
    of_site = {panel["id"] for panel in site_panels()}
    return [panel for panel in panels() if panel["id"] not in of_site]


def queries(window: str, of: list[dict[str, Any]] | None = None) -> Iterator[tuple[dict[str, Any], str]]:
    """Each panel, or each of these, with each of its queries, all sites and tables chosen."""
    values = {"$site": ".*", "$table": ".*", "$__rate_interval": window}
    for panel in panels() if of is None else of:
        for target in panel["targets"]:
            query = target["expr"]
            for name, value in values.items():
                query = query.replace(name, value)
            yield panel, query
