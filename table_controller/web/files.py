"""The pages as they lie in the package: read once, so that no path of a request ever reaches the file system."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Final

TYPES: Final[Mapping[str, str]] = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}


@dataclass(frozen=True, slots=True)
class File:
    """One file: what it is, its content, the same packed, and a tag that changes with it."""

    type: str
    content: bytes
    packed: bytes
    tag: str


def shipped_files() -> dict[str, File]:
    """All files of the pages by name."""
    folder = resources.files("table_controller.web") / "static"
    return {one.name: _file(one.name, one.read_bytes()) for one in folder.iterdir() if _ending(one.name) in TYPES}


def _file(name: str, content: bytes) -> File:
    tag = hashlib.sha256(content).hexdigest()[:16]
    return File(TYPES[_ending(name)], content, gzip.compress(content, 9, mtime=0), f'"{tag}"')


def _ending(name: str) -> str:
    return name.rpartition(".")[2]
