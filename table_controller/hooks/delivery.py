"""Messages on their way to one address: a bounded queue, in order, each tried again after longer pauses."""

from __future__ import annotations

import http.client
import logging
import queue
import ssl
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from betline.options import WRONG_USAGE, UserError
from table_controller.hooks.signing import Message

PAUSES_S: Final = (1.0, 5.0, 30.0, 120.0, 300.0)
"""Before the second try, the third, ...; after the last one the message is given up."""
TAKES_S: Final = 10.0
MOST_WAITING: Final = 500
GONE: Final = 410
"""The receiver wants no more."""
SENTENCES: Final = {
    "full": f"The webhook is too slow: {MOST_WAITING} messages wait already; dropped so far: %d.",
    "given-up": "The webhook did not take a message in %d tries; it was given up.",
    "gone": "The webhook answered 410: it wants no more, and nothing more is sent.",
    "still-gone": "The webhook wants no more; messages dropped so far: %d.",
    "ended": "Not all was delivered: taken %d, given up %d, dropped %d, still waiting %d.",
}

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Target:
    """Where messages go: `https://`, or `http://` on this machine."""

    scheme: str
    host: str
    port: int
    path: str

    @classmethod
    def parse(cls, url: str) -> Target:
        """Raises UserError for what is no such address."""
        try:
            parts = urlsplit(url)
            port = parts.port or (443 if parts.scheme == "https" else 80)
        except ValueError:
            raise UserError(f"{url} is no address of a webhook.", WRONG_USAGE) from None
        if parts.scheme not in ("https", "http") or not parts.hostname:
            raise UserError(f"A webhook's address begins with https://, not {url}.", WRONG_USAGE)
        if parts.username or parts.password:
            raise UserError(
                "A webhook's address holds no password: it is the secret that proves who sends.", WRONG_USAGE
            )
        if parts.scheme == "http" and not _is_here(parts.hostname):
            raise UserError(f"Beyond this machine webhooks go by https:// only, not {url}.", WRONG_USAGE)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        return cls(parts.scheme, parts.hostname, port, path)


def _is_here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def post(target: Target, message: Message, secret: bytes, now_s: float) -> int:
    """One try; the status of the answer. A redirection is an answer like any other. Raises OSError, HTTPException."""
    line: http.client.HTTPConnection
    if target.scheme == "https":
        context = ssl.create_default_context()
        line = http.client.HTTPSConnection(target.host, target.port, timeout=TAKES_S, context=context)
    else:
        line = http.client.HTTPConnection(target.host, target.port, timeout=TAKES_S)
    try:
        line.request("POST", target.path, message.body, message.headers(secret, int(now_s)))
        return line.getresponse().status
    finally:
        line.close()


class Delivery:
    """Messages to one target. Whoever hands one in never waits."""

    def __init__(
        self,
        target: Target,
        secret: bytes,
        pauses_s: Sequence[float] = PAUSES_S,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._target, self._secret, self._pauses_s, self._clock = target, secret, pauses_s, clock
        self._waiting: queue.Queue[Message] = queue.Queue(MOST_WAITING)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name="webhook")
        self._current: Message | None = None
        self.counts: Counter[str] = Counter()
        """How many were taken, tried again, given up, dropped."""

    def start(self) -> None:
        """Begins to deliver."""
        self._thread.start()

    def put(self, message: Message) -> None:
        """Takes a message; drops it where too many wait already."""
        try:
            self._waiting.put_nowait(message)
        except queue.Full:
            self._drop(SENTENCES["full"])

    def stop(self, within_s: float = 2.0) -> None:
        """Ends, and says what was not delivered by then: that is lost."""
        self._stopping.set()
        self._thread.join(within_s)
        left = self._waiting.qsize() + (self._current is not None)
        lost = (self.counts["given-up"], self.counts["dropped"], left)
        if any(lost):
            log.warning(SENTENCES["ended"], self.counts["taken"], *lost)

    def _drop(self, sentence: str) -> None:
        self.counts["dropped"] += 1
        if self.counts["dropped"] % MOST_WAITING == 1:
            log.warning(sentence, self.counts["dropped"])

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._current = self._waiting.get(timeout=0.2)
            except queue.Empty:
                continue
            if self.counts["gone"]:
                self._drop(SENTENCES["still-gone"])
            elif not self._deliver(self._current):
                return
            self._current = None

    def _deliver(self, message: Message) -> bool:
        """Tries until nothing is left to do for the message; False where this was ended before."""
        for pause_s in (*self._pauses_s, None):
            status = self._try(message)
            if status is not None and 200 <= status < 300:
                self.counts["taken"] += 1
                return True
            if status == GONE:
                self.counts["gone"] += 1
                log.warning(SENTENCES["gone"])
                return True
            if pause_s is None:
                break
            if self._stopping.wait(pause_s):
                return False
            self.counts["again"] += 1
        self.counts["given-up"] += 1
        log.warning(SENTENCES["given-up"], len(self._pauses_s) + 1)
        return True

    def _try(self, message: Message) -> int | None:
        """The status of the answer, None where there was none."""
        try:
            return post(self._target, message, self._secret, self._clock())
        except (OSError, http.client.HTTPException) as error:
            log.info("The webhook does not answer (%s).", error)
            return None
