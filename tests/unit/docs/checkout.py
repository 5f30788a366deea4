"""The repository's own text, for tests that hold what it cites."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[3]
FOLDERS = (
    *("betline", "firmware_bridge", "vision", "table_controller", "virtual_table"),
    *("config", "docs", "hardware_docs", "tests", ".ci", ".github"),
)
SUFFIXES = frozenset({".py", ".md", ".toml", ".yaml", ".yml", ".json", ".txt", ".c", ".h", ".ini", ".conf", ".sh", ""})
RECORDINGS = ROOT / "tests" / "data"
"""Hands and films of others: what stands in them cites nothing of ours."""


@cache
def texts() -> tuple[tuple[Path, str], ...]:
    """Each text file of the checkout with its path from the root."""
    return tuple([(file.relative_to(ROOT), file.read_text(encoding="utf-8")) for file in sorted(_files())])


def _files() -> Iterator[Path]:
    for folder in FOLDERS:
        for file in (ROOT / folder).rglob("*"):
            cached = "__pycache__" in file.parts or file.is_relative_to(RECORDINGS)
            if file.suffix in SUFFIXES and file.is_file() and not cached:
                yield file
    for file in ROOT.iterdir():
        if file.is_file() and file.suffix in SUFFIXES and not file.name.startswith(".") and file.name != "LICENSE":
            yield file
