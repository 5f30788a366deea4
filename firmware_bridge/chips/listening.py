"""One reader, read over and over: the driver that the service uses, its rounds in a queue."""

from __future__ import annotations

import queue
import time
from pathlib import Path
from typing import Final, Self

from betline.settings.readers import BY_ID
from firmware_bridge.driver import ReaderDriver
from firmware_bridge.effects import RoundOver
from firmware_bridge.link import ReaderLink
from firmware_bridge.ports import locate
from firmware_bridge.protocols.family import Family, LineSettings
from firmware_bridge.schedule import Channel
from firmware_bridge.serial_line import NO_PORT

SILENCE_S: Final = 4.0
REFUSED_S: Final = 2.0
"""A reader that refuses for this long will go on doing so."""
_ZONE: Final = "stack"


class ListeningError(Exception):
    """The reader gives no rounds; the text says why and what to do."""


class Listening:
    """Opens the port and reads it until the end of the `with`."""

    def __init__(
        self, url: str, family: Family, line: LineSettings, antenna: int | None = None, by_id: Path = BY_ID
    ) -> None:
        self._url = url
        self._rounds: queue.Queue[RoundOver] = queue.Queue()
        link = ReaderLink(family, [Channel(_ZONE, antenna)], looks_again=False)
        self._driver = ReaderDriver(_ZONE, lambda: locate(url, by_id), line, link, self._rounds.put)
        self._heard_s = 0.0

    def __enter__(self) -> Self:
        self._heard_s = time.monotonic()
        self._driver.start()
        self._driver.attend(frozenset({_ZONE}))
        return self

    def __exit__(self, *_: object) -> None:
        self._driver.stop()

    def next_round(self, timeout_s: float) -> RoundOver | None:
        """The next complete round, None if none comes in time. Raises ListeningError: no port, silence, refusals.

        A reader that is unplugged is waited for `SILENCE_S`.
        """
        try:
            over = self._rounds.get(timeout=timeout_s)
        except queue.Empty:
            self._complain()
            return None
        self._heard_s = time.monotonic()
        return over

    def _complain(self) -> None:
        status = self._driver.status
        silent_s = time.monotonic() - self._heard_s
        refuses = status.health.refusals > 0 and silent_s > REFUSED_S
        if status.trouble is not None and ((status.round_ns is None and status.trouble.code in NO_PORT) or refuses):
            raise ListeningError(_sentence(status.trouble.sentence))
        if silent_s <= SILENCE_S:
            return
        if status.trouble is not None:
            raise ListeningError(_sentence(status.trouble.sentence))
        raise ListeningError(f"No round from {self._url} for {SILENCE_S:.0f} s: check the reader's supply and cable.")


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."
