"""The chain of a journal: each entry is bound to the one before it by a SHA-256."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

GENESIS = "0" * 64


def payload_of(data: Mapping[str, Any]) -> str:
    """The one text of an entry's data, from which its hash is made; raises TypeError for what is no JSON."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest_of(content: Mapping[str, Any]) -> str:
    """The SHA-256 of a checkpoint's content."""
    return hashlib.sha256(payload_of(content).encode()).hexdigest()


def link(prev: str, seq: int, at_ms: int, mono_ns: int, kind: str, payload: str) -> str:
    """The hash of an entry, which covers the hash of the one before it."""
    return hashlib.sha256(f"{prev}\n{seq}\n{at_ms}\n{mono_ns}\n{kind}\n{payload}".encode()).hexdigest()
