"""A message of a webhook and its signature, after Standard Webhooks (github.com/standard-webhooks). Pure.

What is signed is `ID.TIMESTAMP.BODY`, by HMAC-SHA-256 under the secret that sender and receiver share. The receiver
refuses what bears another signature, what is older than some minutes, and an id that it has taken already.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

PREFIX: Final = "whsec_"
SECRET_BYTES: Final = 32
LEAST_BYTES: Final = 24
"""Standard Webhooks: a secret has 24 to 64 bytes."""
MOST_BYTES: Final = 64


@dataclass(frozen=True, slots=True)
class Message:
    """One message: the same id and body however often it is sent."""

    id: str
    body: bytes

    @classmethod
    def of(cls, message_id: str, kind: str, at: str, data: Mapping[str, Any]) -> Message:
        """What happened, as JSON; ``at`` is the time in ISO 8601."""
        said = {"type": f"betline.{kind}", "timestamp": at, "data": dict(data)}
        return cls(message_id, json.dumps(said, separators=(",", ":"), ensure_ascii=False).encode())

    def headers(self, secret: bytes, at_s: int) -> dict[str, str]:
        """The headers of one attempt, at seconds since 1970."""
        return {
            "content-type": "application/json",
            "webhook-id": self.id,
            "webhook-timestamp": str(at_s),
            "webhook-signature": f"v1,{signature(secret, self.id, at_s, self.body)}",
        }


def signature(secret: bytes, message_id: str, at_s: int, body: bytes) -> str:
    """The signature in base64."""
    signed = b".".join((message_id.encode(), str(at_s).encode(), body))
    return base64.b64encode(hmac.digest(secret, signed, hashlib.sha256)).decode()


def secret_of(text: str) -> bytes:
    """The secret of `whsec_...`; raises ValueError with a sentence."""
    try:
        secret = base64.b64decode(text.removeprefix(PREFIX), validate=True) if text.startswith(PREFIX) else b""
    except binascii.Error:
        secret = b""
    if not LEAST_BYTES <= len(secret) <= MOST_BYTES:
        raise ValueError(f"A secret is {PREFIX} and {LEAST_BYTES} to {MOST_BYTES} bytes in base64.")
    return secret


def written(secret: bytes) -> str:
    """A secret as people pass it on."""
    return f"{PREFIX}{base64.b64encode(secret).decode()}"
