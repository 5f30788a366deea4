"""A log that a flood cannot fill: of each kind one line at first, then one a minute with the number since."""

from __future__ import annotations

import logging
import threading

from betline.units import NS_PER_S

EVERY_NS = 60 * NS_PER_S


class SparingLog:
    """Writes warnings of some few kinds; it may be used from any thread."""

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._lock = threading.Lock()
        self._written_ns: dict[str, int] = {}
        self._since: dict[str, int] = {}

    def warn(self, kind: str, sentence: str, now_ns: int) -> None:
        """Writes the sentence, or counts it where one of its kind was written within the last minute."""
        with self._lock:
            written_ns = self._written_ns.get(kind)
            if written_ns is not None and now_ns - written_ns < EVERY_NS:
                self._since[kind] = self._since.get(kind, 0) + 1
                return
            self._written_ns[kind] = now_ns
            more = self._since.pop(kind, 0)
        self._log.warning(f"{sentence} ({more} more like it in the last minute.)" if more else sentence)
