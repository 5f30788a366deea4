"""A flag that one thread raises to end another's `select` early."""

from __future__ import annotations

import os
import select
import threading


class Waker:
    """An eventfd whose descriptor is never written to after it is closed, whoever calls when."""

    def __init__(self) -> None:
        self._descriptor = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._lock = threading.Lock()
        self._closed = False

    def fileno(self) -> int:
        """For `select`, by the thread that will close it."""
        return self._descriptor

    def wake(self) -> None:
        """Raise the flag; nothing happens once it is closed."""
        with self._lock:
            if not self._closed:
                os.eventfd_write(self._descriptor, 1)

    def clear(self) -> None:
        """Lower the flag, which was seen raised."""
        os.eventfd_read(self._descriptor)

    def wait(self, timeout_s: float) -> None:
        """Sleep until the flag is raised, `timeout_s` at most; lower it."""
        if select.select([self], [], [], timeout_s)[0]:
            self.clear()

    def close(self) -> None:
        """Give the descriptor back."""
        with self._lock:
            if not self._closed:
                self._closed = True
                os.close(self._descriptor)
