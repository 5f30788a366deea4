"""Signing a command with the key of a sign-in, so that nobody else on the bus can change, make or repeat it."""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping
from typing import Any


def sign(
    key: bytes, sender: str, verb: str, number: int, command_id: str, expires_ms: int, args: Mapping[str, Any]
) -> str:
    """The signature of a command in hex; ``number`` rises with each command of a sign-in."""
    said = json.dumps([sender, verb, number, command_id, expires_ms, args], sort_keys=True, separators=(",", ":"))
    return hmac.new(key, said.encode(), "sha256").hexdigest()


def is_signed(key: bytes, mac: str, *said: Any) -> bool:
    """Whether a signature is that of what was said, in the order of `sign`."""
    return hmac.compare_digest(sign(key, *said), mac)


def farewell(key: bytes) -> str:
    """By what a person proves to be the one who signs out."""
    return hmac.new(key, b"sign out", "sha256").hexdigest()
