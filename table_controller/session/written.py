"""What changed of a mapping, and a mapping with such a change, as the journal holds what sensing knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def changed(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """What of ``new`` differs from ``old``, mappings looked into; nothing ever leaves such a mapping."""
    found: dict[str, Any] = {}
    for key, value in new.items():
        before = old.get(key)
        if value == before:
            continue
        both = isinstance(value, Mapping) and isinstance(before, Mapping)
        found[key] = changed(before or {}, value) if both else value
    return found


def merged(old: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """``old`` with a change: `merged(old, changed(old, new)) == new`."""
    found = dict(old)
    for key, value in change.items():
        before = found.get(key)
        found[key] = merged(before, value) if isinstance(value, Mapping) and isinstance(before, Mapping) else value
    return found
