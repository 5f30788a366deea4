"""A program that works until somebody says that it is to end: Ctrl-C, or SIGTERM."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def stopping() -> Iterator[Callable[[], bool]]:
    """Whether the program is to end; within it the two signals only say so."""
    told = threading.Event()
    before = {number: signal.signal(number, lambda *_: told.set()) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield told.is_set
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
