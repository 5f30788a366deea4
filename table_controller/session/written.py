"""What changed of a mapping, and a mapping with such a change, as the journal holds what sensing knows.

A change is a JSON merge patch (RFC 7396): None stands for what is there no more, so no value may be None itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def changed(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """What of ``new`` differs from ``old``, mappings looked into."""
    found: dict[str, Any] = {key: None for key in old if key not in new}
    for key, value in new.items():
        before = old.get(key)
        if key in old and value == before:
            continue
        both = isinstance(value, Mapping) and isinstance(before, Mapping)
        found[key] = changed(before or {}, value) if both else value
    return found


def merged(old: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """``old`` with a change: `merged(old, changed(old, new)) == new`."""
    found = dict(old)
    for key, value in change.items():
        before = found.get(key)
        if value is None:
            found.pop(key, None)
        elif isinstance(value, Mapping) and isinstance(before, Mapping):
            found[key] = merged(before, value)
        else:
            found[key] = value
    return found
