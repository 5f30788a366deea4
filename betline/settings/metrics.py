"""Where the programs of a table serve their figures for Prometheus; without these settings none does."""

from __future__ import annotations

from pydantic import Field

from betline.settings.model import Settings

MOST_PARTS = 16
"""Ports that are kept for the parts of one table, from the first on."""


class MetricsSettings(Settings):
    """The figures of a table's programs, each on a port of its own."""

    host: str = Field(
        default="127.0.0.1", min_length=1, description="where they listen; beyond this machine everybody may read them"
    )
    port: int = Field(
        default=9464,
        ge=1024,
        le=65535 - MOST_PARTS,
        description=f"port of the controller; the other parts have the next ones, {MOST_PARTS} in all for a table",
    )
