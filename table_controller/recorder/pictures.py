"""Pictures of the camera for a recording, a few a minute or a second, from the live page of `betline vision run`."""

from __future__ import annotations

import threading
import time
import urllib.request
from collections.abc import Callable
from typing import IO, Final

MAX_BYTES: Final = 4_000_000
PATIENCE_S: Final = 3.0
_LENGTH: Final = b"content-length:"
_LONGEST_LINE: Final = 1000
_LINES: Final = 50


class NoPicture(Exception):
    """The page gave none; the text says why."""


def one_picture(url: str) -> bytes:
    """The next picture of a motion JPEG stream, or the JPEG at the address; raises NoPicture."""
    try:
        with urllib.request.urlopen(url, timeout=PATIENCE_S) as answer:
            kind = answer.headers.get_content_type()
            if kind == "image/jpeg":
                return bytes(answer.read(MAX_BYTES))
            if not kind.startswith("multipart/"):
                raise NoPicture(f"{url} has no pictures but {kind}")
            return _part(answer)
    except (OSError, ValueError) as error:
        raise NoPicture(f"{url} does not answer ({error})") from None


def _part(stream: IO[bytes]) -> bytes:
    length = None
    for _ in range(_LINES):
        line = stream.readline(_LONGEST_LINE).strip().lower()
        if line.startswith(_LENGTH):
            length = int(line.removeprefix(_LENGTH))
        elif not line and length is not None:
            return stream.read(min(length, MAX_BYTES))
    raise NoPicture("no picture came")


class Pictures:
    """Takes a picture now and then on a thread of its own, until `stop`."""

    def __init__(self, url: str, a_second: float, take: Callable[[int, bytes], None]) -> None:
        """`take` gets the monotonic time in ns and the JPEG."""
        self._url, self._pause_s, self._take = url, 1.0 / a_second, take
        self._stopping = threading.Event()
        self.taken = 0
        self.problem = ""
        """Why the last one did not come."""
        self._thread = threading.Thread(target=self._run, name="pictures", daemon=True)

    def start(self) -> None:
        """Begins."""
        self._thread.start()

    def stop(self) -> None:
        """Ends."""
        self._stopping.set()

    def _run(self) -> None:
        while not self._stopping.is_set():
            began_s = time.monotonic()
            try:
                jpeg = one_picture(self._url)
                self._take(time.monotonic_ns(), jpeg)
                self.taken, self.problem = self.taken + 1, ""
            except NoPicture as error:
                self.problem = str(error)
            self._stopping.wait(max(0.02, self._pause_s - (time.monotonic() - began_s)))
