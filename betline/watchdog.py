"""Saying to systemd that a program serves: ready once, then a sign of life while its loop turns (sd_notify(3)).

Without systemd (no NOTIFY_SOCKET) nothing is sent.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Mapping
from typing import Final

_SIGNS_AN_INTERVAL: Final = 3
_US_PER_S: Final = 1_000_000


class Watchdog:
    """One program's line to systemd. `serves` is called by the loop that does the work, and by nothing else."""

    def __init__(
        self, environment: Mapping[str, str] = os.environ, now_s: Callable[[], float] = time.monotonic
    ) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        self._now_s = now_s
        self._pause_s = _pause_s(environment)
        self._next_s: float | None = None

    def serves(self) -> None:
        """The program did its work just now: the first call says ready, later ones feed the watchdog when it is due."""
        if not self._address:
            return
        now_s = self._now_s()
        if self._next_s is None:
            sent = self._send("READY=1\nWATCHDOG=1")
        elif self._pause_s is not None and now_s >= self._next_s:
            sent = self._send("WATCHDOG=1")
        else:
            return
        if sent:
            self._next_s = now_s + (self._pause_s or 0.0)

    def _send(self, text: str) -> bool:
        address = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as line:
                line.sendto(text.encode(), address)
        except OSError:  # systemd is busy or gone: tried again at the next turn, and no reason to end
            return False
        return True


def _pause_s(environment: Mapping[str, str]) -> float | None:
    """How long to wait between two signs; None where nobody waits for them."""
    interval, process = environment.get("WATCHDOG_USEC", ""), environment.get("WATCHDOG_PID", "")
    if not interval.isdigit() or int(interval) == 0 or (process and process != str(os.getpid())):
        return None
    return int(interval) / _US_PER_S / _SIGNS_AN_INTERVAL
