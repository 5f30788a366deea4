"""Server-sent events as bytes (WHATWG HTML, 9.2). Pure."""

from __future__ import annotations

from typing import Final

RETRY_MS: Final = 1000
"""How soon a browser that has lost the connection comes again."""
TYPE: Final = "text/event-stream"


def opening(now_ms: int) -> bytes:
    """What each reader gets first: when to come again, and a beat."""
    return f"retry: {RETRY_MS}\n".encode() + beat(now_ms)


def beat(now_ms: int) -> bytes:
    """That the server is there, with its time of day, by which a page reads clocks."""
    return f"event: beat\ndata: {now_ms}\n\n".encode()


def message(number: str, data: str) -> bytes:
    """One message; `data` is JSON on one line."""
    return f"id: {number}\ndata: {data}\n\n".encode()
