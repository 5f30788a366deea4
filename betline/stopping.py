"""A program that works until somebody says that it is to end: Ctrl-C, or SIGTERM."""

from __future__ import annotations

import asyncio
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


def on_sigterm(leave: Callable[[], object]) -> None:
    """SIGTERM calls this in the running event loop and no longer kills: a screen puts its terminal right first.

    Nothing where the loop is not that of the main thread, which gets the signals.
    """
    if threading.current_thread() is threading.main_thread():
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, leave)
